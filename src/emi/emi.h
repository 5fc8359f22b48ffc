/* emi: a program of the user's, its variants, and the compilers.
 *
 * Consumes a C file with its inputs, or a project with its build and its tests.  Finds out what
 * runs (facts: by the machine, or by coverage), has `vary` make variants, puts them through every
 * configuration, and yields findings: where a variant behaves otherwise than the original did under
 * the same compiler and flags.  A compiler's failure is data; false means that our own work failed.
 *
 * docs/emi.md has the picture.
 */
#ifndef EMI_EMI_H
#define EMI_EMI_H

#include "base/base.h"
#include "cc/cc.h"
#include "front/front.h"
#include "vary/vary.h"

/* ---- facts ------------------------------------------------------------------------------ */

/* Where facts come from: facts.def. */
enum emi_source {
#define SOURCE(id, ...) EMI_##id,
#include "emi/facts.def"
    EMI_SOURCE_COUNT
};
const char *emi_source_name(enum emi_source source);
bool emi_source_parse(const char *name, enum emi_source *source, struct err *e);

/* How a program is read and run. */
struct emi_program {
    char *const *files;          /* its units; NULL ends */
    const char *cc;              /* preprocesses, and compiles for coverage; NULL: gcc */
    const struct target *target; /* NULL: as the flags say */
    bool unexecuted;             /* nothing is to be known of it: as if nothing ever ran */
    bool emulated; /* for another machine: no coverage is collected there, so the machine says what
                      runs */
    char *const *flags;     /* -I, -D, -std= ...; NULL-terminated, or NULL */
    char *const *libraries; /* -l, -L; likewise */
    char *const *inputs;    /* files for stdin, one run each; none: one empty input */
    char *const *args;
    double compile_timeout, run_timeout;
    uint64_t run_memory;
    bool whole; /* keep all that headers declare */
};

/* Why there are no variants of a program: refusal.def. */
enum emi_refusal {
#define REFUSAL(id, ...) EMI_##id,
#include "emi/refusal.def"
    EMI_REFUSAL_COUNT
};
const char *emi_refusal_phrase(enum emi_refusal r);
enum emi_refusal emi_refusal_named(const char *phrase); /* EMI_REFUSAL_COUNT: none is called so */

/* One file of a program, and what is known of it. */
struct emi_unit {
    const char *file;
    struct program *program;
    struct vary_facts *facts;
    struct vary *vary;
    struct lang_splicer *splicer;
};

/* A program that was read and has run: what variants are made of. */
struct emi_subject {
    struct emi_program from;
    struct emi_unit *units;
    size_t unit_count;
    enum emi_refusal refusal; /* when it could not be opened */
    enum emi_source source;   /* that the facts came from */
    char why[480];            /* when it was not the machine: why not */
    struct text *expected;    /* per run, stdout; NULL unless the machine ran it */
    int *status;              /* per run, likewise: as a shell shows it */
    bool *shifting;           /* per run: the machine found it to do something else elsewhere; NULL
                               * when the machine was not asked */
    struct text *seen;        /* per run, stdout of the program with probes; NULL without probes */
    int *seen_status;         /* per run, likewise; -1: it printed more than was kept */
    uint64_t steps;           /* the machine's, in the longest run */
    size_t run_count;
    double parse_seconds, run_seconds; /* what it took */
    unsigned layout;                   /* with probes: how far things are moved about in memory */
    struct arena arena;
};

/* EMI_AUTO: the machine, else probes.  lab may be NULL when only the machine may be used. */
bool emi_subject_open(struct emi_subject *s, const struct emi_program *from, enum emi_source want,
                      struct cc_lab *lab, struct err *e);
void emi_subject_close(struct emi_subject *s);
/* Of all its units. */
struct vary_summary emi_summary(const struct emi_subject *s);
/* Does the compiler of this command read GNU C, builtins and attributes included? */
bool emi_reads_gnu(const char *command);
/* The data model that the flags of a configuration ask for. */
const struct target *emi_target_of(const struct cc_config *config);

/* ---- data models ------------------------------------------------------------------------ */

/* Configurations that the same facts hold for: of one data model and one machine. */
struct emi_model {
    const struct target *target; /* NULL: none that we know, so nothing is said of them */
    const char *unlike;          /* then: why */
    bool host;        /* of this machine, as its ABI lays it down; else of one compiler */
    const char *name; /* for a folder: no other one has it */
    struct cc_config *configs;
    size_t n;
};

/* In the order of the configurations; everything lives in the arena. */
bool emi_models(struct arena *a, struct cc_lab *lab, const struct cc_config *configs, size_t n,
                struct emi_model **out, size_t *count, struct err *e);

/* ---- variants --------------------------------------------------------------------------- */

/* The variant's C texts, one for each unit, from the subject's own by extent. */
void emi_variant_texts(struct emi_subject *s, uint64_t seed, const struct vary_options *o,
                       struct text *out, uint32_t made[MUTATION_COUNT]);
/* The variant's seed among those of one run. */
uint64_t emi_variant_seed(uint64_t seed, size_t index);
/* Unified diff of what the edits did to the source files that a unit was read from. */
void emi_source_diff(const struct program *p, const char *file, const struct text *variant,
                     const char *name, struct text *out);

/* ---- testing ---------------------------------------------------------------------------- */

typedef void emi_progress_fn(void *context, const char *what, size_t done, size_t total);

struct emi_test {
    struct emi_subject *subject;
    struct cc_labs *labs;
    const struct cc_config *configs;
    size_t config_count;
    char *const *flags; /* that the original's own files are read with; NULL: none */
    size_t variants;
    uint64_t seed;
    struct vary_options vary;
    const char *output; /* variants are left here; NULL: nowhere but in scratch */
    bool no_test;       /* write them, and that is all */
    emi_progress_fn *progress;
    void *context;
};

/* A variant that behaves otherwise than the original. */
enum { EMI_ORIGINAL = -1 }; /* its number among the variants */

struct emi_finding {
    long variant; /* number, or EMI_ORIGINAL: what the program must do is known */
    size_t config;
    const char *file;     /* the variant, a folder when it has several units; NULL: not kept */
    const char *kind;     /* "wrong output", "compiler crash" ... */
    const char *was, *is; /* the original's behaviour, and the variant's */
    const char *diff;     /* unified */
    const char *command;  /* shows it */
};

struct emi_report {
    struct outcome *originals; /* per configuration */
    bool *usable;              /* per configuration: it compiles the original, which ends */
    bool *foreign;             /* per configuration: for another machine than the facts are */
    bool *strayed;             /* per configuration: the original does something else there than
                                * where its facts are from */
    struct emi_finding *findings;
    size_t finding_count;
    size_t variants, empty; /* made; without any edit */
    uint32_t made[MUTATION_COUNT];
    size_t trials;             /* variant and configuration */
    size_t optimised, changed; /* trials with optimisation; of those, other code than before */
    size_t skipped;            /* trials whose object was known */
    size_t unstable;           /* what could not be seen again */
    size_t shifting;           /* what came of code that runs in one run and not in another */
    size_t refused;            /* rejections that no second, unrelated compiler contradicts */
    size_t aliasing;           /* what -fno-strict-aliasing ends, and nobody judged */
    size_t rounding;           /* what clang's flags for plain floating operations end */
    size_t unsteady;           /* inputs on which the original does something else each time: not
                                * compared; when that is all of them, there are no trials */
};

/* Everything in the report lives in the arena. */
bool emi_test(struct arena *a, const struct emi_test *t, struct emi_report *out, struct err *e);

/* ---- projects --------------------------------------------------------------------------- */

struct emi_project {
    const char *dir, *build, *test; /* folder, and commands for the shell in a copy of it */
    const char *configure;          /* once for each configuration, before any build; or NULL */
    struct cc_lab *lab;
    const char *scratch; /* folder for copies and what the wrapper leaves */
    const struct cc_config *configs;
    size_t config_count;
    size_t variants;
    uint64_t seed;
    unsigned mutations;
    double build_timeout, test_timeout;
    const char *output; /* diffs of findings go here */
    emi_progress_fn *progress;
    void *context;
};

struct emi_project_finding {
    size_t variant, config;
    const char *kind;    /* "tests fail", "does not build" */
    const char *said;    /* the last lines of it */
    const char *diff;    /* of the smallest set of edits that shows it */
    const char *file;    /* where that was written */
    size_t units, edits; /* that are left */
    size_t all_units, all_edits;
    size_t steps; /* builds that it took to get there */
};

/* Objects of variants: all; other code than the original's; code that was there before. */
struct emi_objects {
    size_t all, changed, known;
};

struct emi_project_config {
    bool usable;
    const char *why;             /* not, when it is not */
    size_t units, covered;       /* compiled; with facts */
    size_t built, passed, known; /* variants; known: all objects were, so no test was run */
    struct emi_objects objects;
};

struct emi_project_report {
    struct emi_project_config *configs;
    struct list unread; /* const char *: units that were left as they are, and why */
    struct emi_project_finding *findings;
    size_t finding_count;
    size_t unstable; /* failures that did not come again */
    size_t unlinked; /* variants that do not link: they miss what the project only declares */
    size_t refused;  /* variants with a unit that no second, unrelated compiler accepts */
    size_t shifting; /* failures by code that runs in one build and not in another */
};

bool emi_project(struct arena *a, const struct emi_project *p, struct emi_project_report *out,
                 struct err *e);

/* cupel called as cupel-cc: the compiler that projects are built with. */
bool emi_is_wrapper(const char *argv0);
int emi_wrapper(int argc, char **argv);

#endif
