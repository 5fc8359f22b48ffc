/* cluster: the workers of a campaign as a job of Slurm's.  Takes the address of a campaign that is
 * a database; yields an array job whose elements are `cupel hunt --worker-of ADDRESS`.  Slurm alone
 * keeps track of them: the job's name follows from the address. */
#ifndef CLUSTER_CLUSTER_H
#define CLUSTER_CLUSTER_H

#include "base/base.h"

struct cluster_order {
    const char *campaign;  /* its address */
    const char *program;   /* cupel, where the nodes find it */
    uint64_t nodes;        /* elements of the array, each a node's */
    double seconds;        /* for each; it ends by itself two minutes earlier */
    const char *partition; /* NULL: Slurm's default */
    const char *log;       /* folder for what the elements say; NULL: the current one */
    uint64_t cpus;         /* of each node; 0: all of them */
    uint64_t total;        /* programs of the campaign, after which they end; 0: none */
};

/* What Slurm says goes to stdout and stderr. */
bool cluster_submit(const struct cluster_order *o, struct err *e);
bool cluster_show(const char *campaign, struct err *e);
bool cluster_stop(const char *campaign, struct err *e);

#endif
