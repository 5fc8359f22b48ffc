/* missed: optimisations that a compiler could have made and did not.
 *
 * Two programs that mean the same must compile to code that is equally good; where it is not, the
 * better one proves what was possible.  After Hashimoto and Ishiura, "Detecting Arithmetic
 * Optimization Opportunities for C Compilers by Randomly Generated Equivalent Programs".
 *
 *   programs   random arithmetic, evaluated exactly: draw.c, evaluate.c, range.c, write.c
 *   measures   counts of instructions by kind, and how much two of them differ: measure.c
 *   oracles    what of a program and a compiler is worth telling: oracle.c, oracle.def
 *   minimiser  the smallest program of which an oracle still says the same: minimise.c
 *   compare    the same measures for two programs of the user's: compare.c
 *   campaign   programs, compilers and findings in a folder: campaign.c, folder.c
 *
 * The assembly is what is looked at.  Of a finding both programs are also executed, in cupel's
 * sandbox, and their instructions counted.
 */
#ifndef MISSED_MISSED_H
#define MISSED_MISSED_H

#include "base/base.h"
#include "cc/cc.h"

/* ---- programs: draw.c ----------------------------------------------------------------------- */

/* What generated programs are made of. */
struct missed_shape {
    unsigned operators; /* about so many: 1 to MISSED_MOST_OPERATORS */
    bool remainders;    /* % too: it makes more noise than findings */
    bool floats;        /* float and double too, for compilers that round each operation once */
    bool guards;        /* some assignments are made only if a variable has a bound */
};
enum { MISSED_MOST_OPERATORS = 10000, MISSED_BELOW_TEN = 10 };

/* ---- measures: measure.c, mnemonic.def --------------------------------------------------- */

enum missed_isa { MISSED_X86, MISSED_AARCH64 }; /* x86-64 and i386 share their mnemonics */

struct missed_kind {
    const char *name;
    unsigned n;
};

/* The code of one function. */
struct missed_code {
    struct missed_kind *kinds; /* in order of first appearance */
    size_t kind_count, room;
    unsigned instructions;
    unsigned cost;     /* by the table: to order two codes, no prediction of cycles */
    const char *text;  /* its instructions and labels, one a line; NULL when only counted */
    const char *whole; /* the assembly that it was read from */
};

/* Adds n instructions of the kind.  The name is kept. */
void missed_count(struct arena *a, struct missed_code *code, const char *kind, unsigned n);
/* The function's instructions, with those of the parts that the compiler split from it (main.cold).
 * Empty when there is no such function. */
struct missed_code missed_read_code(struct arena *a, enum missed_isa isa, const char *assembly,
                                    const char *function);

/* r1: instructions of opt for one of org.  r2: kinds with equal counts, as a share of the mean
 * number of kinds.  r = sqrt(r1 r2).  All 1 when one of the two is empty. */
struct missed_measure {
    double r1, r2, r;
};
struct missed_measure missed_compare(const struct missed_code *org, const struct missed_code *opt);

enum missed_side { MISSED_NEITHER, MISSED_ORG, MISSED_OPT };
/* Which of the two could have been better: r, with the worse one as org, is below the threshold,
 * and the worse one has the higher cost and no fewer instructions.  MISSED_NEITHER when they are
 * alike, or merely different. */
enum missed_side missed_worse_side(const struct missed_code *org, const struct missed_code *opt,
                                   double threshold);

/* ---- compilers: compiler.c ------------------------------------------------------------------ */

/* A configuration, and what it says of itself. */
struct missed_compiler {
    struct cc_config config;
    const char *family; /* "gcc", "clang", "other" */
    unsigned major;     /* version; 0 for others */
    enum missed_isa isa;
    const char *target; /* of lang's; programs of one target go to compilers of that target */
    bool plain_floats;  /* each operation on float and double is rounded once, as its type says */
};

/* False with e set when its assembly cannot be read here. */
bool missed_learn_compiler(struct cc_lab *lab, const struct cc_config *config, struct arena *a,
                           struct missed_compiler *out, struct err *e);
/* False with e set when it writes no assembly in which a main is found. */
bool missed_try_assembly(struct cc_lab *lab, const struct missed_compiler *by, struct arena *a,
                         struct err *e);

/* ---- oracles: oracle.def --------------------------------------------------------------------- */

enum missed_oracle {
#define ORACLE(id, name, function, wrong, help) MISSED_##id,
#include "missed/oracle.def"
    MISSED_ORACLE_COUNT
};
/* The function whose code the oracle restrict looks at; others look at main. */
#define MISSED_COMPUTE "compute"
/* Which of the two a program has. */
const char *missed_function(const char *program);
const char *missed_oracle_name(enum missed_oracle o);
bool missed_is_wrong(enum missed_oracle o); /* what it sees is wrong code */
void missed_describe_oracles(struct text *out);
/* "pair,dead" to a set of 1u << enum missed_oracle. */
bool missed_oracles_parse(const char *names, unsigned *set, struct err *e);

/* ---- second opinions: opinion.c ---------------------------------------------------------------
 */

struct missed_opinions {
    double worse_cost, better_cost;     /* by whom: */
    const char *cost_by;                /* "llvm-mca", cycles of 100 rounds; or "table" */
    uint64_t worse_steps, better_steps; /* executed instructions of both; 0: not counted */
};
/* Is the worse code not even a twentieth more expensive, or does the better program execute no
 * fewer instructions?  Then it is not told: what nobody can be sure of is no finding. */
bool missed_is_contradicted(enum missed_oracle oracle, const struct missed_opinions *o);

/* ---- two programs of anybody's: compare.c ------------------------------------------------------
 */

struct missed_comparison {
    struct missed_code codes[2];     /* empty where the function is not */
    bool refused[2];                 /* it does not compile */
    struct missed_measure measure;   /* with the first as org, the second as opt */
    enum missed_side worse;          /* MISSED_ORG: the first */
    bool same;                       /* the code is the same, line for line */
    struct missed_opinions opinions; /* of the worse one, and of the better */
};
struct missed_comparison missed_compare_assemblies(struct arena *a, enum missed_isa isa,
                                                   const char *const texts[2], const char *function,
                                                   double threshold);
/* Who compiles, and what is looked at. */
struct missed_judge {
    struct cc_lab *lab;
    const struct missed_compiler *by;
    const char *function;
    double threshold;
};
/* Of two C texts.  Second opinions are asked where one is worse. */
bool missed_compare_programs(const struct missed_judge *j, const char *const texts[2],
                             struct arena *a, struct missed_comparison *out, struct err *e);

/* ---- one program: follow.c --------------------------------------------------------------------
 */

struct missed_task {
    struct cc_lab *lab;
    const struct missed_compiler *own, *peer; /* peer: of the same target; NULL: none */
    enum missed_oracle oracle;
    struct missed_shape shape;
    double threshold;
    uint64_t seed;
    unsigned most; /* compilations that minimising may take */
};

/* What was seen of a program that was made small. */
struct missed_sighting {
    bool seen; /* and the rest is meaningful; strings live in the arena */
    enum missed_oracle oracle;
    const char *program, *twin; /* what gets the worse code, and what the better; may be the same */
    const char *marker;         /* a call that should be gone, or there; "" without one */
    const char *pattern, *identity;
    unsigned operators;
    struct missed_code worse, better;
    const struct missed_compiler *by; /* who made the better one */
};

/* Draws the task's program, asks, and makes what is seen small; what does not get small, or is
 * contradicted, is not told. */
bool missed_try(const struct missed_task *t, struct arena *a, struct missed_sighting *out,
                uint64_t *compiles, struct err *e);

/* Two programs of the same number of lines as one text: where they differ, the second one's line is
 * taken if MISSED_SWITCH is defined. */
#define MISSED_SWITCH "OTHER"
void missed_merge(const char *first, const char *second, struct text *out);

/* The program that a task begins with, as C. */
void missed_write(const char *target, const struct missed_shape *shape, uint64_t seed,
                  struct text *out);

/* Does the code show it?  limit: the instructions of better code; with a marker: the call is there.
 */
bool missed_shows(const struct missed_code *code, const char *marker, double limit);

/* ---- the campaign: campaign.c ---------------------------------------------------------------- */

/* How much a maintainer will care, best first: what proves that better code is possible. */
enum missed_proof {
    MISSED_WRONG,      /* a live call is gone, or code depends on what is not to be known */
    MISSED_REGRESSION, /* an older version with the same flags does better */
    MISSED_OTHER,      /* another compiler, or a newer version, does better */
    MISSED_LEVEL,      /* the same compiler at another level does */
    MISSED_FLAGS,      /* the same compiler with other flags does */
    MISSED_TWIN,       /* only the equivalent program shows it */
    MISSED_PROOF_COUNT
};
const char *missed_proof_name(enum missed_proof proof);
/* What it proves that w's code of the same program is better than own's. */
enum missed_proof missed_proof_by(const struct missed_compiler *own,
                                  const struct missed_compiler *w);

/* One pattern of one compiler family.  Strings live in the arena of who made it. */
struct missed_finding {
    uint64_t id;
    unsigned oracle, proof; /* enums */
    const char *compiler;   /* the configuration that did worse */
    const char *family;     /* of that: equal patterns of one family are one finding */
    const char *pattern;    /* names and numbers normalised */
    const char *identity;   /* one line: what the compiler did not see */
    uint64_t seed;
    unsigned operators;     /* of the smallest program */
    unsigned worse, better; /* instructions; of dead calls: kept and removed */
    struct missed_opinions opinions;
    double r;
    struct list witnesses; /* char *: configurations that do better, with their instructions */
    /* of one of those, that does the work, and whose; of wrong accesses: that is to blame; "" when
     * not known */
    const char *pass;
};

/* What one compiler did with one oracle's programs: a row of the paper's Tables 4 and 5, or 6. */
struct missed_row {
    uint64_t programs, differences;
    uint64_t minimised, below_ten; /* to the end or to a limit; those with < 10 operators */
    uint64_t small; /* of those below ten: with few assignments too, so that they can be told */
    uint64_t cut;   /* the end of the time came first: not among those that were minimised */
    uint64_t contradicted; /* of the small ones: not told, see missed_is_contradicted */
    uint64_t operators[2]; /* of those that were minimised: before and after */
    double minimise_cpu;   /* seconds of the compilers */
};

struct missed_summary {
    uint64_t programs; /* each under one compiler, with every oracle */
    uint64_t compiles, refused;
    uint64_t differences;                     /* sights, before minimisation */
    uint64_t minimised, below_ten, operators; /* as in the rows, */
    uint64_t small, cut, contradicted;        /* which these are the sums of */
    uint64_t findings, new_findings;
    double compile_cpu, cpu; /* seconds of CPU: of compilers, and of everything */
    double minimise_seconds, seconds;
    struct missed_row *rows; /* of each compiler, one for each oracle; in the caller's arena */
};

/* A compiler that does better with a program. */
struct missed_witness {
    struct cc_lab *lab;
    const struct missed_compiler *by;
    const char *program, *marker;
    unsigned instructions;
    unsigned limit;   /* instructions: without the work, its code has more */
    const char *code; /* of its own */
};
/* Is so much gained that a pass without which it is lost can be called the one that does it?  Any
 * pass may cost an instruction or two for reasons of its own.  With a marker the call tells. */
bool missed_is_clear_gain(const char *marker, unsigned worse, unsigned better);
/* Does the pass arrange code rather than compute less?  Without it code gets longer whatever was
 * folded: it did not do the work. */
bool missed_is_layout_pass(const char *pass);
/* Which pass of it does the work: *pass, "" for none; false when the machine fails us. */
typedef bool missed_worker_fn(void *context, const struct missed_witness *w, struct arena *a,
                              const char **pass, struct err *e);

/* Does the compiled program access its volatile objects as it says? */
struct missed_watched {
    const char *wrong; /* what it does instead; NULL when it does, or when that cannot be seen */
    double compile_cpu;
};
typedef bool missed_watch_fn(void *context, struct cc_lab *lab, const struct missed_compiler *by,
                             const char *program, struct arena *a, struct missed_watched *out,
                             struct err *e);

/* Which pass is to blame when it does not: *pass, "" for none. */
typedef bool missed_culprit_fn(void *context, struct cc_lab *lab, const struct missed_compiler *by,
                               const char *program, struct arena *a, const char **pass,
                               struct err *e);

typedef void missed_show_fn(void *context, const struct missed_summary *s);

struct missed_options {
    const char *dir;
    const struct missed_compiler *compilers; /* under test */
    size_t compiler_count;
    const struct missed_compiler *witnesses; /* asked about findings only */
    size_t witness_count;
    struct missed_shape shape;
    double threshold;           /* of r, the same through minimisation */
    double seconds;             /* 0: until interrupted */
    uint64_t seed;              /* of the first program, in a new folder */
    uint64_t programs;          /* at most so many more; 0: no limit */
    unsigned oracles;           /* a set */
    bool count_only;            /* no minimisation, no findings */
    missed_worker_fn *worker;   /* asked about each finding that has a witness; or NULL */
    missed_watch_fn *watch;     /* for the oracle access; or NULL */
    missed_culprit_fn *culprit; /* asked about each new pattern of wrong accesses; or NULL */
    missed_show_fn *show;       /* called now and then from any worker; or NULL */
    void *context;
};

/* Works in the folder, with one worker for each lab, until the time is over; goes on where an
 * earlier call ended.  Findings are DIR/findings/N, each with report.txt. */
bool missed_run(const struct missed_options *o, struct cc_labs *labs, struct arena *a,
                struct missed_summary *out, struct err *e);
struct json_t;
struct json_t *missed_finding_json(const struct missed_finding *f); /* the caller's to release */
/* Has a campaign begun there? */
bool missed_is_folder(const char *dir);
/* The findings of a folder, best proof first (struct missed_finding); none when there is no such
 * folder. */
bool missed_read_findings(const char *dir, struct arena *a, struct list *out, struct err *e);

#endif
