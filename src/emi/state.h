/* Private to emi: what a project's builder and its wrapper (cupel-cc) tell each other.  Each of the
 * four is a type, written and read in state.c and nowhere else:
 *
 *     state      builder to wrapper: what this build is to be
 *     varied/    wrapper to builder: a note for each unit that a build changed
 *     failed/    wrapper to builder: what became of each command that failed
 *     ran/       builder to wrapper: statements of a unit that no coverage shows
 */
#ifndef EMI_STATE_H
#define EMI_STATE_H

#include "emi/private.h"

enum emi_mode {
    MODE_PLAIN,    /* as the project is */
    MODE_COVERAGE, /* with probes */
    MODE_VARIANT,
    MODE_COUNT
};

struct emi_state {
    enum emi_mode mode;
    struct list words;    /* of the real compiler */
    struct list opinions; /* compilers that have nothing to do with it: commands */
    uint64_t seed;
    unsigned mutations;
    unsigned layout;    /* how far things are moved about in memory; 0: not at all */
    bool show;          /* leave a diff */
    struct list only;   /* names of the units that are varied; none: all */
    struct list groups; /* "unit:number": those edits only; none: all */
    struct list traps;  /* the same: instead of those, what tells whether their code runs */
};

bool emi_state_write(struct arena *a, const char *dir, const struct emi_state *s, struct err *e);
bool emi_state_read(struct arena *a, const char *dir, struct emi_state *s, struct err *e);

/* A unit that was changed. */
struct emi_note {
    unsigned groups;
    size_t edits;
    const char *source;
    struct list traps; /* uint32_t: the statements that have a trap before them */
};

bool emi_note_write(struct arena *a, const char *dir, const char *unit, const struct emi_note *n,
                    struct err *e);
/* False when there is none. */
bool emi_note_read(struct arena *a, const char *dir, const char *unit, struct emi_note *n);

/* Statements of a unit that may run, though no coverage shows it: builder to wrapper, kept. */
bool emi_ran_add(struct arena *a, const char *dir, const char *unit, const struct list *statements,
                 struct err *e);
void emi_ran_read(struct arena *a, const char *dir, const char *unit, struct list *statements);

/* Why a command of a variant's build failed. */
enum emi_failure {
    FAILURE_NONE,
    FAILURE_LINK,    /* there was nothing of ours in it */
    FAILURE_REFUSED, /* nobody else accepts the text either: it may be ours */
    FAILURE_COMPILER /* it crashed, or rejects what others accept */
};

bool emi_failure_write(struct arena *a, const char *dir, const char *name, enum emi_failure f,
                       struct err *e);
/* The gravest of the build. */
bool emi_failure_read(struct arena *a, const char *dir, enum emi_failure *f, struct err *e);

#endif
