/* machine: executes a program exactly, and knows.
 *
 * Consumes one or more units (programs from lang, each with its edits) that are linked by name
 * into one program, a standard input and arguments.  Yields how the execution ended (finished
 * with output and exit status; undefined, with the kind, the node and the values; unsupported;
 * out of fuel or memory) and facts about every node that ran.
 *
 * The abstract machine is C11's, with the choices that gcc and clang share on the target.  What
 * it cannot decide exactly it calls unsupported; it never guesses.  Nothing of the host shows:
 * no clock, no environment, no addresses.
 *
 * Memory: everything belongs to the machine and goes with machine_free.  The programs must
 * outlive it; const in the contract, but compiling may ask lang for pointer types.
 * docs/machine.md has the picture and the table of undefined behaviours.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/base.h"
#include "lang/lang.h"

/* ---- undefined behaviour: ub.def -------------------------------------------------------- */

enum ub {
    UB_NONE,
#define UB(id, ...) UB_##id,
#include "machine/ub.def"
    UB_COUNT
};

struct ub_info {
    const char *name;    /* "signed-overflow" */
    const char *clause;  /* of C11: "6.5p5" */
    const char *message; /* for people */
    const char *repair;  /* how the generator makes it defined */
};
extern const struct ub_info machine_ub_info[UB_COUNT];

/* ---- what C leaves open: choice.def ------------------------------------------------------ */

enum machine_choice {
#define CHOICE(id, ways, what) CHOICE_##id,
#include "machine/choice.def"
    CHOICE_COUNT
};

/* ---- running ---------------------------------------------------------------------------- */

struct machine_unit {
    struct program *program;
    const struct edit *edits;
    size_t edit_count;
};

/* A node of one of the units. */
struct machine_place {
    uint32_t unit;
    const struct node *node; /* NULL: nowhere in particular */
};

/* An order of one node's operands other than from left to right.  Operands count from 0 as they are
 * written; of a call the function is the first.  Operand `moved` is evaluated in the place of
 * operand `to`, and those between move up; where both are the same, all of them from right to left.
 */
struct machine_order {
    struct machine_place place; /* node NULL: every node the same way */
    uint32_t moved, to;
    uint32_t drawn; /* not 0: of every node, an order that is drawn from this number */
};

struct machine;

/* What padding is left with: nothing, so that nobody may look at it, or what a compiler may leave.
 */
enum machine_padding {
    PADDING_UNSET,
    PADDING_ZEROS,
    PADDING_ONES,
    PADDING_MIXED,
    PADDING_OTHERWISE,
    PADDING_COUNT
};

struct machine_options {
    uint64_t fuel;      /* loop iterations and calls; 0: a default of about ten seconds */
    bool (*stop)(void); /* asked now and then: is it to end?  NULL: never */
    uint64_t memory;    /* bytes that live at once; 0: 1 GB */
    uint64_t output;    /* bytes printed; 0: 16 MB */
    uint32_t depth;     /* nested calls; 0: 200,000 */
    uint64_t stack;    /* bytes of automatic objects, and of frames, each for itself and as large as
                        * compiled ones about are; 0: no limit but depth */
    uint32_t heat;     /* calls and iterations that make a function worth native code; 0: 1000 */
    const char *input; /* standard input */
    size_t input_size;
    char *const *args;          /* argv[1] on, NULL at the end; NULL: none */
    const char *name;           /* argv[0]; NULL: "a.out" */
    bool values;                /* facts of every expression, plain reads of variables too */
    bool trust_order;           /* do not look for conflicts between operands (faster) */
    bool steady;                /* machine_execute: the program must do the same elsewhere */
    bool elsewhere;             /* at another time, in another environment, at other addresses:
                                 * whatever differs then is no property of the program */
    bool carry;                 /* integers of every type may be copied unset, as characters may:
                                 * machine_execute sets it where that decides */
    bool owners;                /* allocated memory remembers the structure type that stored it:
                                 * machine_execute sets it where that decides */
    unsigned padding;           /* enum machine_padding: machine_execute sets it where that
                                 * decides */
    struct machine_order order; /* of the operands of one node */
    uint32_t choices;           /* 1 << enum machine_choice: those that are made the other way */
    unsigned way;               /* which of the other ways: below the choice's ways */
    struct machine_place only;  /* where they are; node NULL: wherever they are met */
    /* machine_execute: is shown each of its runs, those in another order, with another choice or
     * elsewhere too: what runs in one of them may run.  NULL: nobody looks */
    void (*witness)(void *context, const struct machine *m);
    void *witness_context;
};

enum machine_end {
    MACHINE_FINISHED,    /* output and status are the program's */
    MACHINE_UNDEFINED,   /* ub, place and detail say what and where */
    MACHINE_UNSUPPORTED, /* detail and place say what and where */
    MACHINE_UNSPECIFIED, /* C allows several results, and compilers differ: what and where */
    MACHINE_FUEL,        /* ran for too long, or was to end */
    MACHINE_MEMORY,      /* asked for too much: memory, depth or output; detail says which */
    MACHINE_UNLINKED,    /* no main, two mains, two definitions: detail names it */
};

struct machine_result {
    enum machine_end end;
    enum ub ub;
    struct machine_place place;
    char detail[400];           /* "2147483647 + 1 does not fit in 'int'" */
    const char *object;         /* the name of what has ended or has no value; NULL: not known */
    bool copied;                /* UB_UNINIT: what has no value was only copied */
    bool unset;                 /* bytes were used that were never set: told as whatever it is */
    int status;                 /* exit status as a shell shows it: 134 after abort */
    struct text output, errors; /* stdout, and stderr */
    uint64_t steps;             /* iterations and calls: the fuel that was used */
    uint64_t peak;              /* bytes of objects that lived at once, at most */
};

struct machine *machine_new(const struct machine_unit *units, size_t n,
                            const struct machine_options *options);
void machine_free(struct machine *m);

/* Runs main to the end, whatever that is: one execution, in one of the orders that C allows.  Who
 * wants to know what the program does asks machine_execute.  The result belongs to the machine. */
const struct machine_result *machine_run(struct machine *m);
const struct machine_result *machine_result(const struct machine *m);
/* Is it a run in another order, with a choice made the other way, or elsewhere? */
bool machine_is_other(const struct machine *m);

/* Two calls, or a call and an access, of which C does not say which comes first, and that touch
 * the same bytes.  Not undefined, but the result may depend on the order: machine_execute finds
 * out. */
struct machine_conflict {
    struct machine_place place; /* the operator, call or initialiser whose operands they are in */
    uint32_t operand[2];        /* the numbers of those operands */
};
size_t machine_conflicts(const struct machine *m, const struct machine_conflict **list);

/* What a program does. */
struct machine_execution {
    bool defined; /* it finishes, whatever C leaves open, with run's output and status */
    const struct machine_result *run; /* the execution itself: what it printed until its end */
    const struct machine_result *why; /* what decides: run, or what is open and matters */
    struct machine *machine;          /* of the execution: its facts, accesses and cost */
    struct machine *elsewhere;        /* with options.steady, unless it is undefined here: of the
                                       * other one; else NULL */
};

/* Executes a program and knows what it does: runs it once, and if it finishes although the order
 * of some operands could matter, again in other orders (not with options.trust_order), and with
 * each choice that it met made the other way.  With options.steady what is not undefined runs once
 * more elsewhere, and what differs there is unsupported.  Fuel and the other limits hold for each
 * run.  Everything belongs to the machine: machine_execution_free.
 */
struct machine_execution machine_execute(const struct machine_unit *units, size_t n,
                                         const struct machine_options *options);
void machine_execution_free(struct machine_execution *x);

/* "undefined", "unsupported", "out-of-fuel": as JSON and listings name it. */
const char *machine_end_name(enum machine_end end);
/* Why a program is not defined, on one line and without the place: the rule that was broken, and
 * the values.  Nothing for one that finished. */
void machine_explain(const struct machine_result *why, struct text *out);

/* ---- facts ------------------------------------------------------------------------------ */

/* What is known about an expression or statement after a run. */
struct machine_fact {
    uint64_t count; /* how often it ran */
    bool has_value; /* an integer, floating or pointer value was recorded */
    bool same;      /* it was the same each time: bits holds it */
    bool has_range; /* low and high are the extremes of an integer */
    uint64_t bits;  /* as lang's values, extended to 64 bits by the type's sign */
    int64_t low, high;
    bool is_condition;       /* the next two are meaningful */
    uint64_t taken, untaken; /* how often it was true, and false */
};
struct machine_fact machine_fact(const struct machine *m, uint32_t unit, const struct node *n);

/* An access to a volatile object, in order of execution; of very many, the first.  Accesses with
 * the same group stand in one full expression (with what it calls) of which C leaves the order
 * open; groups follow each other. */
enum { MACHINE_VOLATILES = 1 << 20 };
struct machine_volatile {
    struct machine_place place;
    bool is_write;
    uint8_t size;
    uint64_t bits;
    const char *object; /* its name, when it lives as long as the program; else NULL */
    const char *local;  /* the name of an automatic object; else NULL */
    uint64_t instance;  /* where it is: no two places of the execution have the same */
    uint64_t offset;    /* in bytes, from the object's beginning */
    uint32_t group;
};
size_t machine_volatiles(const struct machine *m, const struct machine_volatile **list);

/* Instructions compiled, from so many nodes; nodes executed, each as often as it was: for bench. */
struct machine_cost {
    uint64_t instructions, nodes, executed;
};
struct machine_cost machine_cost(const struct machine *m);

#endif
