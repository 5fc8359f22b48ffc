/* Private to test.c, confirm.c, behave.c: one program and its variants under every configuration.
 */
#ifndef EMI_SESSION_H
#define EMI_SESSION_H

#include "emi/private.h"

#include <pthread.h>
#include <stdatomic.h>

/* Objects of one configuration whose behaviour is known. */
struct seen {
    uint64_t *at;
    size_t n, room;
};

enum trial_mark { TRIAL_NONE, TRIAL_SAME, TRIAL_KNOWN, TRIAL_SUSPECT };

/* One variant under one configuration. */
struct trial {
    enum trial_mark mark;
    bool changed; /* other code than the original's */
    double cpu;   /* of its compilation */
    uint64_t memory;
};

struct session {
    const struct emi_test *t;
    struct emi_report *out;
    struct arena *a;
    struct cc_case program; /* but for its units */
    const char *dir;        /* of the variants */
    char **folders;         /* per worker: where the files that are compiled lie */
    struct arena *arenas;   /* per worker */
    struct seen *seen;      /* per configuration */
    struct trial *trials;   /* by configuration and variant */
    struct outcome *plain;  /* per configuration: the original, the plain way */
    bool *plain_done;
    bool *unsteady; /* per input: the original does something else each time */
    double start;
    pthread_mutex_t lock;
    atomic_size_t done;
    atomic_bool failed;
    struct err error;
};

/* ---- test.c ----------------------------------------------------------------------------- */

/* Compiles and runs a text for each unit.  They have the same names each time, so that equal code
 * gives equal objects. */
bool session_try(struct session *s, unsigned worker, const struct cc_config *config,
                 const struct text *texts, struct cc_case *c, struct arena *a, struct outcome *out,
                 struct err *e);
/* The original's texts, which stay the programs' own. */
struct text *session_original(const struct session *s, struct arena *a);
bool session_read_variant(struct session *s, struct arena *a, size_t variant, struct text *texts,
                          struct err *e);
/* The files of a variant below this folder; NULL ends. */
char **session_variant_files(const struct session *s, struct arena *a, const char *dir,
                             size_t variant);
/* What is kept of it there: the file, or the folder when there are several. */
char *session_variant_path(const struct session *s, struct arena *a, const char *dir,
                           size_t variant);

/* ---- behave.c --------------------------------------------------------------------------- */

/* As far as the original does the same thing each time. */
bool session_same_behaviour(const struct session *s, const struct outcome *x,
                            const struct outcome *y);
/* Does it print this and end so, on each input?  A status below 0: nobody knows. */
bool session_does(const struct session *s, const struct outcome *o, const struct text *out,
                  const int *status);
/* Says nothing: our machine failed, or it was slow before and is too slow now, or the linker misses
 * what nothing but the optimiser's pleasure kept it from asking for. */
bool session_is_silent(const struct session *s, const struct outcome *was,
                       const struct outcome *is);
/* Every run came to an end of its own. */
bool outcome_ends(const struct outcome *o);
/* For people; where there are several inputs, the first on which the other differs. */
char *outcome_describe(struct arena *a, const struct outcome *o, const struct outcome *other);

/* ---- confirm.c -------------------------------------------------------------------------- */

/* Does again what looks like a finding, the plain way; what is left goes into the report. */
bool session_confirm(struct session *s, struct err *e);

#endif
