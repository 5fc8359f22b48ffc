/* hunt: the campaign.  Makes programs by several strategies, gives them to every compiler, judges
 * what comes back, and keeps the distinct findings.
 *
 * One coordinator (hunt_run) leases tasks from the store, hands them to worker processes
 * (hunt_work) and alone writes the store and the findings folder.  A worker that dies costs the
 * program that it had in hand, which is tested again; a coordinator that dies costs nothing: the
 * next one finds the leases.
 *
 * A campaign is a folder:
 *   cupel.conf   the choices, for people to edit
 *   cupel.db     the store
 *   findings/N/  what was found: program, expectation, evidence, reproduce.sh
 *   doubts/      programs that looked like findings but whose own defect it may be: ours to mend
 *   status.json  how it is going, for `cupel status`
 */
#ifndef HUNT_HUNT_H
#define HUNT_HUNT_H

#include "base/base.h"

struct json_t;

/* A compiler command, and what stands before its programs; NULL: what the name asks for. */
struct hunt_command {
    const char *text, *emulator;
};

/* 0 and NULL mean: what cupel.conf says, or else the default. */
struct hunt_options {
    const char *dir;
    const char *modes; /* "plain,small": strategies; "all" */
    const struct hunt_command *commands;
    size_t command_count;
    bool has_seed;
    uint64_t seed;
    double seconds; /* 0: until interrupted */
    unsigned jobs;
    uint64_t stop_after; /* new distinct findings */
    uint64_t programs;   /* tested in this run */
    /* Called by the coordinator: before the first program, now and then, and at the end. */
    void (*show)(void *context, const struct json_t *status);
    void (*say)(void *context, const char *line); /* one line worth reading */
    void *context;
};

struct hunt_summary {
    uint64_t programs, new_findings, findings;
};

/* Until the time is up, enough was found, or sys_cancelled. */
bool hunt_run(const struct hunt_options *o, struct hunt_summary *out, struct err *e);
/* What a worker process does until it is told to stop.  Exit status. */
int hunt_work(void);

/* ---- reading a campaign ------------------------------------------------------------------ */

/* An array of findings as JSON, the caller's to free; muted ones only when asked for.  When the
 * store is damaged, what the findings folder holds, and e says so. */
struct json_t *hunt_list(const char *dir, bool muted, struct err *e);
/* One finding, NULL when there is none. */
struct json_t *hunt_finding(const char *dir, uint64_t id, struct err *e);
/* How it is going, or how it ended. */
struct json_t *hunt_status(const char *dir, struct err *e);

/* Tries every finding again.  command: another compiler instead of the finding's own, with the
 * flags of the finding; only the findings of its family.  An array: id, verdict, config, state. */
struct hunt_recheck {
    const char *dir;
    const struct hunt_command *command; /* NULL: the finding's own */
    unsigned jobs;
    void (*progress)(void *context, size_t done, size_t total);
    void *context;
};
struct json_t *hunt_recheck(const struct hunt_recheck *r, struct err *e);

/* "plain, small ..." with what each is, for help. */
void hunt_describe_modes(struct text *out);

#endif
