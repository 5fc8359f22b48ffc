/* Private to project.c, build.c and bisect.c: building a project, again and again. */
#ifndef EMI_PROJECT_H
#define EMI_PROJECT_H

#include "emi/state.h"

/* What a command may take: what it took before tells. */
struct limit {
    double given, most, longest; /* seconds; the last: of those that passed */
};

struct project {
    const struct emi_project *p;
    struct emi_project_report *out;
    struct arena *a;
    const char *dir;  /* shared with the wrapper */
    const char *copy; /* where the project is built */
    const char *from; /* what is copied there */
    char **env;
    size_t pad; /* the variable there that moves the stack */
    size_t steps;
    struct limit build, test;
    unsigned layouts;         /* that coverage was collected under */
    struct emi_builds builds; /* of the configuration at hand */
    struct list opinions;     /* commands of compilers that have nothing to do with its own */
};

/* What a build of the whole project is to be. */
struct wanted {
    size_t config;
    enum emi_mode mode;
    uint64_t seed;
    const struct list *units;  /* names; NULL: all */
    const struct list *groups; /* "unit:number"; NULL: all */
    const struct list *traps;  /* of these, instead of which traps are set; NULL: none */
    bool show;
    bool again;      /* test it even if its objects are known */
    unsigned layout; /* how far things are moved about in memory; 0: not at all */
};

enum result { PASSES, TEST_FAILS, BUILD_FAILS };

/* What became of it. */
struct build {
    enum result result;
    const char *said;         /* by what failed */
    enum emi_failure failure; /* when it did not build */
    struct list objects;
    bool known; /* all objects were: not tested */
};

/* One command in the copy; *said is what it said when it failed. */
bool project_run(struct project *s, const char *command, struct limit *limit, bool *passes,
                 const char **said, struct err *e);
bool project_copy(struct project *s, struct err *e);
/* Tells the wrapper what to do. */
bool project_write_state(struct project *s, const struct wanted *w, struct err *e);
/* A fresh copy, its build and its tests. */
bool project_build(struct project *s, const struct wanted *w, struct build *b, struct err *e);

/* The smallest part of a variant, which was just built, that still fails like this: fills in f, and
 * says which units and groups are left. */
struct rest {
    struct list units, groups;
};
bool project_bisect(struct project *s, const struct wanted *w, enum result failure,
                    struct emi_project_finding *f, struct rest *left, struct err *e);
/* Of such a part, whose tests fail: do they fail wherever its strings lie in memory? */
bool project_fails_elsewhere(struct project *s, const struct wanted *w, const struct rest *left,
                             bool *fails, struct err *e);
/* Of such a part: does any code run that it changes, though no coverage shows it?  What depends on
 * addresses may run in no build but this one; `elsewhere` asks with its strings in other places,
 * too.  If so, that is known from here on. */
bool project_spring_traps(struct project *s, const struct wanted *w, const struct rest *left,
                          bool elsewhere, bool *runs, struct err *e);

#endif
