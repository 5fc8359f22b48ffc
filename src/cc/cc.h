/* cc: the compilers.  Finds them, learns what they can do by trying, and puts programs through
 * them: what comes out is a struct outcome, which is data whatever happened.
 *
 *   discovery      cc_discover: one struct cc per real compiler on PATH
 *   configuration  a compiler command with its flags, as one would type it
 *   lab            a place where one thread compiles and runs, one thing at a time
 *   outcome        what became of one program under one configuration
 */
#ifndef CC_CC_H
#define CC_CC_H

#include "base/base.h"
#include "sys/sys.h"

/* ---- labs ---------------------------------------------------------------------------- */

struct cc_lab {
    struct runner *runner;
    char dir[300]; /* ours alone, for objects and executables */
    bool guests;   /* compilers may write there only */
};

struct cc_labs {
    struct scratch scratch;
    struct cc_lab *at;
    unsigned n;
    struct arena arena;
};

struct cc_lab_options {
    unsigned count;
    const char *const *readable; /* what sandboxed programs may read besides; NULL ends; or NULL */
    bool trust_compilers;        /* may write wherever we may: else into their lab's folder only */
};

/* Opens labs in one scratch folder. */
bool cc_labs_open(struct cc_labs *labs, const struct cc_lab_options *o, struct err *e);
void cc_labs_close(struct cc_labs *labs);

/* ---- compilers ----------------------------------------------------------------------- */

enum cc_family {
#define FAMILY(id, ...) CC_FAMILY_##id,
#include "cc/family.def"
    CC_FAMILY_COUNT
};
const char *cc_family_name(enum cc_family family);

enum cc_feature {
#define FEATURE(id, ...) CC_FEATURE_##id,
#include "cc/feature.def"
    CC_FEATURE_COUNT
};
const char *cc_feature_name(enum cc_feature feature);

/* A real compiler.  Strings live in the arena given to cc_discover. */
struct cc {
    enum cc_family family;
    const char *name;     /* the command to type: gcc-12 */
    const char *path;     /* where that was found */
    const char *version;  /* 12.2.0; for one that has no version, a hash of its binary */
    const char *banner;   /* the first line that it says of itself */
    const char *target;   /* x86_64-linux-gnu */
    const char *emulator; /* command in front of what it compiles; "" when none is needed */
    bool runnable;        /* what it compiles can be run here */
    char *const *levels;  /* optimisation flags that make a difference; NULL ends */
    char *const *aliases; /* other commands that start the same compiler; NULL ends */
    unsigned features;    /* bit set of enum cc_feature */
};

struct cc_list {
    struct cc *at;
    size_t n;
};

/* Called from any thread as probing goes on; may be NULL. */
typedef void cc_progress_fn(void *context, size_t done, size_t total);

struct cc_discovery {
    bool refresh; /* probe again even what is known */
    double until; /* sys_now() from which on what is not known is left out, and said; 0: never */
    cc_progress_fn *progress;
    void *context;
};

/* Every C compiler on PATH, best known names first.  Uses all labs.  What was found out is kept, so
 * that the next call goes on where the time was up. */
bool cc_discover(struct arena *a, struct cc_labs *labs, const struct cc_discovery *how,
                 struct cc_list *out, struct err *e);

/* ---- configurations ------------------------------------------------------------------ */

struct cc_config {
    const char *text;     /* as typed: "gcc-12 -O2" */
    const char *compiler; /* the text without its level: the matrix's row */
    const char *level;    /* "-O2"; "" when none is given: the matrix's column */
    char *const *argv;
    char *const *emulator; /* words in front of the program, NULL-terminated; may be empty */
    bool sanitized;        /* maps terabytes, so memory is limited by what it uses */
};

/* The family that a command's name tells of, whatever folder, target or version it carries. */
bool cc_family_of(const char *command, enum cc_family *family);
/* What starts with the triple of the machine that its programs are for, where the command says it:
 * clang's --target=riscv64-linux-gnu, or a compiler's own name, riscv64-linux-gnu-gcc. */
const char *cc_config_machine(const struct cc_config *config);
/* Has it no words but those that name its machine? */
bool cc_config_is_bare(const struct cc_config *config);
/* Adds triples of other machines, up to n of them, that clang compiles for and whose programs can
 * be linked and run here. */
void cc_draw_machines(struct arena *a, const struct cc_list *found, struct rng r, size_t n,
                      struct list *triples);
/* Needs: the compiler can be found; e says so otherwise.  emulator NULL: what the machine that the
 * command names asks for, if anything. */
bool cc_config_parse(struct arena *a, const char *text, const char *emulator, struct cc_config *out,
                     struct err *e);
/* The same with more words behind it; they end with NULL. */
struct cc_config cc_config_with(struct arena *a, const struct cc_config *config,
                                char *const *words);
/* For texts that are preprocessed already: without -D, -U, -include and -imacros, which would do to
 * them again what they did.  *left_out: one of these; NULL: there is none. */
char **cc_words_for_preprocessed(struct arena *a, char *const *words, const char **left_out);
const char *cc_for_preprocessed(struct arena *a, struct cc_config *config); /* what was left out */
/* Are the words behind the compiler's name the same, in their order, but for the level? */
bool cc_has_same_flags(const struct cc_config *a, const struct cc_config *b);
/* The words behind the compiler's name, as one line: "-m32 -O2". */
const char *cc_config_flags(struct arena *a, const struct cc_config *config);
/* The same at another level, which takes the place of all that it names; "" for none. */
struct cc_config cc_config_at(struct arena *a, const struct cc_config *config, const char *level);
/* All levels of all runnable compilers, and of -m32 where it works. */
bool cc_default_configs(struct arena *a, const struct cc_list *compilers, struct cc_config **out,
                        size_t *n, struct err *e);
/* -O0 to -O3 of the newest compiler of each family, for this machine. */
bool cc_quick_configs(struct arena *a, const struct cc_list *compilers, struct cc_config **out,
                      size_t *n, struct err *e);
/* What the flags let differ between compilers that are right. */
enum cc_licence { CC_LICENCE_FLOATS, CC_LICENCE_LAYOUT };
/* A set of 1u << enum cc_licence. */
unsigned cc_licences(const struct cc_config *config);
/* Changes flags that let results differ, and adds what it takes, where the machine would do
 * otherwise, to have each floating operation rounded once, as its type says: no fused multiply-add,
 * no x87 registers.  Yields the word that made it necessary; NULL when all is plain already. */
const char *cc_mean_plainly(struct arena *a, struct cc_config *config);
/* What keeps clang from reordering floating operations in loops with hints; NULL where it is said
 * already, and for others whose name is known: one of no known name may be a script that starts
 * clang, or may refuse the words. */
char *const *cc_order_words(const struct cc_config *config);
/* What keeps clang from rounding a * b + c once where it folds it, as it may since version 14 on
 * every machine; NULL as above. */
char *const *cc_rounding_words(const struct cc_config *config);
/* The same for what the units (NULL at the end) ask for themselves, by `#pragma clang loop`, and
 * for units that have floating types, or may have by a header of their own; units NULL: there may
 * be any.  Yield the word for it, or NULL when nothing was changed. */
const char *cc_ignore_hints(struct arena *a, struct cc_config *config, char *const *units);
const char *cc_round_each(struct arena *a, struct cc_config *config, char *const *units);
/* The same for structures in allocated memory: the machine does not see all that overlap there, or
 * are read as a whole, and gcc and clang take them for different objects. */
const char *cc_alias_freely(struct arena *a, struct cc_config *config, char *const *units);
/* Flags by which functions begin and frames look otherwise, while what is computed is compiled in
 * the same way.  False, and nothing, for compilers that have none. */
bool cc_lay_out_otherwise(struct arena *a, struct cc_config *config);
/* The flags alone, of whatever compiler: those that let results differ are changed.  Yields the
 * first; NULL when there is none. */
const char *cc_plain_flags(struct arena *a, struct list *flags);
/* Folders that programs built by these configurations may have to read. */
const char *const *cc_readable(struct arena *a, const struct cc_config *configs, size_t n);

/* ---- drawn configurations: draw.c, flag.def, class.def ------------------------------------ */

enum cc_flag_kind {
    CC_FLAG_LEVEL,
    CC_FLAG_ARCH,
    CC_FLAG_MODE,
    CC_FLAG_TOGGLE,
    CC_FLAG_VALUE,
    CC_FLAG_TARGET,
    CC_FLAG_NARROW,
    CC_FLAG_KINDS
};

/* Words that may be added to a command.  With low < high a number from there follows the text. */
struct cc_flag {
    enum cc_flag_kind kind;
    unsigned weight;
    const char *text;
    int64_t low, high;
};

/* What can be drawn for one compiler: everything in it was accepted by that compiler. */
struct cc_pool {
    struct cc_flag *at;
    size_t n;
};

enum cc_class {
#define CLASS(id, ...) CC_CLASS_##id,
#include "cc/class.def"
    CC_CLASS_COUNT
};
const char *cc_class_name(enum cc_class class);
enum cc_class cc_class_named(const char *name); /* CC_CLASS_COUNT when there is none */
double cc_class_prior(enum cc_class class);
/* Can what it makes be executed here?  Otherwise it is compiled only. */
bool cc_class_runs(enum cc_class class);
/* Are its machines those whose long has 32 bits? */
bool cc_class_is_narrow(enum cc_class class);

/* Asks the compiler what it has, and tries what it is not known to have.  never: patterns of flags
 * that the user does not want (char *).  A family without flags gives an empty pool. */
bool cc_pool_learn(struct arena *a, struct cc_lab *lab, const struct cc_config *base,
                   enum cc_family family, const struct list *never, struct cc_pool *out,
                   struct err *e);

/* Has it flags of every kind that the class asks for? */
bool cc_pool_offers(const struct cc_pool *pool, enum cc_class class);

/* A configuration and what was added to its base: a level, and flags each of one or more words. */
struct cc_drawn {
    struct cc_config config;
    const char *level;
    const char **flags;
    size_t n;
};

/* The same draw for the same stream.  Needs a pool that is not empty. */
bool cc_draw(struct arena *a, const struct cc_pool *pool, const struct cc_config *base,
             enum cc_class class, struct rng r, struct cc_drawn *out, struct err *e);
/* The base with another choice of level and flags. */
bool cc_compose(struct arena *a, const struct cc_config *base, const char *level,
                const char *const *flags, size_t n, struct cc_config *out, struct err *e);

/* ---- outcomes ------------------------------------------------------------------------ */

enum outcome_kind {
#define OUTCOME(id, ...) OUTCOME_##id,
#include "cc/outcome.def"
    OUTCOME_COUNT
};

/* What a kind says about the compiler. */
enum outcome_weight {
    WEIGHT_FINE,    /* it did its work: look at the runs */
    WEIGHT_REFUSED, /* it says that the program is not valid */
    WEIGHT_FAULT,   /* it failed, whatever the program is */
    WEIGHT_NONE     /* says nothing about the compiler: our machine, our patience */
};

struct outcome_info {
    const char *id, *cell, *phrase;
    enum outcome_weight weight;
};
const struct outcome_info *outcome_info(enum outcome_kind kind);

/* One execution of the compiled program. */
struct outcome_run {
    enum sys_end end;
    int code;        /* exit status or signal */
    const char *out; /* stdout, possibly with NULs */
    size_t out_size;
    const char *words; /* the end, for people */
    const char *err;   /* the beginning of stderr */
    double seconds;
    bool varies; /* with the case's `again`: the same executable did something else next time */
};

struct outcome {
    enum outcome_kind kind;
    const char *message;   /* first error line, or what the compiler said when it failed */
    const char *signature; /* of a fault: the same for the same bug, "" otherwise */
    double compile_wall, compile_cpu;
    uint64_t compile_memory;
    struct outcome_run *runs; /* one per input; run_count 0 unless kind is OUTCOME_BUILT */
    size_t run_count;
    uint32_t machine;       /* what the object is for; compare runs of equal ones only */
    uint64_t objects;       /* hash of what was compiled; 0: plain builds make no objects */
    bool known;             /* the case's known() said so: not run */
    bool loaded;            /* linked by our loader, not by the compiler's driver */
    const char *why_linked; /* when it was not loaded */
    const char
        *why_unstepped;   /* with the case's `step`, when it was not stepped through; or NULL */
    const char *assembly; /* with the case's `assembly`: of all units; "" otherwise */
    const char *said;     /* with the case's `listen`: the compiler's stderr; "" otherwise */
    uint64_t steps; /* with the case's `count_steps`, instructions that the last run executed in the
                       program's own code, the same each time; 0: could not be counted */
    const struct outcome_trace *trace; /* of the last run, with `watch`; NULL: could not be had */
};

/* What a program did with the objects that were watched. */
struct outcome_trace {
    const uint32_t *states; /* of each watch: enum sys_watched_state */
    const struct sys_access *accesses;
    size_t count;
    bool cut;     /* there were more */
    bool stepped; /* seen by stepping: those to the stack are among them */
    bool narrow;  /* stepped: of i386 */
};

/* Is it known what these objects do?  Then they are neither linked nor run. */
typedef bool cc_known_fn(void *context, uint64_t objects);

/* Which programs of this machine, and of -m32, are stepped through, with what is on the stack. */
enum cc_step {
    CC_STEP_NONE,
    CC_STEP_LINKED, /* those that cannot be loaded, and so not be watched otherwise */
    CC_STEP_ALL
};

/* A program and how to run it. */
struct cc_case {
    char *const *units;     /* source files; NULL ends */
    char *const *inputs;    /* files for stdin, one run each; NULL ends; none is one empty input */
    char *const *args;      /* arguments of every run; NULL ends */
    char *const *libraries; /* -l, -L, for the linker; NULL ends, or NULL */
    double compile_timeout, run_timeout;
    uint64_t compile_memory, run_memory;
    unsigned again;       /* how often each input is run once more, while that takes little time */
    bool hurry;           /* a program that is still not through, busy machine or not, is ended */
    bool plain;           /* one call of the driver compiles and links */
    bool compile_only;    /* to objects; nothing is linked or run */
    bool check_only;      /* is it C?  -fsyntax-only, which gcc and clang have; nothing is made */
    bool assembly;        /* to assembly, which the outcome has; nothing is linked or run */
    bool listen;          /* keep what the compiler says, even when it succeeds */
    const char *keep_dir; /* what was built is also left here; NULL for nothing */
    const struct sys_watch *watch; /* objects whose accesses are taken down; or NULL */
    size_t watch_count;
    enum cc_step step;
    bool count_steps;   /* and nothing is watched */
    cc_known_fn *known; /* or NULL */
    void *known_context;
};

/* outcome.machine of what this machine runs by itself. */
uint32_t cc_host_machine(void);
uint32_t cc_host_machine_32(void); /* with -m32 */
/* "x86-64", "ARM", "MIPS, 64 bits, most significant byte first" ...; in the arena. */
const char *cc_machine_name(struct arena *a, uint32_t machine);

enum { CC_COMPILE_SECONDS = 60, CC_RUN_SECONDS = 10 };

/* Those source files with the usual limits, without input or arguments. */
struct cc_case cc_case_of(char *const *units);

/* Compiles and runs.  Strings of the outcome live in the arena. */
bool cc_try(struct cc_lab *lab, const struct cc_config *config, const struct cc_case *c,
            struct arena *a, struct outcome *out, struct err *e);
/* Of a program that was refused: is it the flags that are not understood?  A refusal of an empty
 * program too makes the outcome OUTCOME_BAD_FLAGS. */
bool cc_look_at_flags(struct cc_lab *lab, const struct cc_config *config, struct arena *a,
                      struct outcome *out, struct err *e);
/* The commands that cc_try would type with c->plain, for people and scripts. */
char *cc_plain_command(struct arena *a, const struct cc_config *config, const struct cc_case *c,
                       const char *executable);

/* What a command printed (stdout, then stderr); "" when it failed, NULL when it did not end. */
const char *cc_ask(struct cc_lab *lab, struct arena *a, char *const *argv);

/* What a failed compiler said, as a kind, a message and a signature.  Pure: for tests too. */
void cc_classify_failure(struct arena *a, const struct sys_result *r, struct outcome *out);

#endif
