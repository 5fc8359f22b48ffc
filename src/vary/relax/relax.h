/* relax: a program with less care about undefined behaviour, after CsmithEdge (Even-Mendoza, Cadar,
 * Donaldson; EMSE 2022).
 *
 * Consumes a struct vary of a program that the machine has run to its end.  Yields edits:
 *   - relaxations (relaxation.def): null, dangling, uninitialised, ... in any program;
 *   - checks that this execution did not need are gone: safe-math wrappers in any form, guards,
 *     clamps;
 *   - wrappers that stay are calls, statement expressions, or a mixture of both.
 * Every list of edits that is yielded was executed by the machine with those edits: defined, the
 * same in every order of evaluation, and, unless a relaxation is among them, with the output that
 * the program had.  Whoever can read text is asked about that too (relax_request.confirm).  A
 * change that breaks this is found (by the place of what is undefined, else by bisection) and left
 * out; the program is never given up.
 *
 * Never asks a compiler.  The same program, plan and options give the same edits.
 * docs/relax.md has the picture.
 */
#ifndef VARY_RELAX_RELAX_H
#define VARY_RELAX_RELAX_H

#include "vary/vary.h"

enum relaxation {
#define RELAXATION(id, ...) RELAXATION_##id,
#include "vary/relax/relaxation.def"
    RELAXATION_COUNT
};

/* Who sees undefined behaviour at run time, or by abstract interpretation; cheapest first.  How
 * they are asked is judge's: validator.def. */
enum validator { VALIDATOR_ASAN, VALIDATOR_MSAN, VALIDATOR_UBSAN, VALIDATOR_EVA, VALIDATOR_COUNT };
enum validator_bit {
    V_ASAN = 1 << VALIDATOR_ASAN,
    V_MSAN = 1 << VALIDATOR_MSAN,
    V_UBSAN = 1 << VALIDATOR_UBSAN,
    V_EVA = 1 << VALIDATOR_EVA
};

enum relax_mode { RELAX_CRASH, RELAX_MISCOMPILE, RELAX_MODE_COUNT };

struct relaxation_info {
    const char *name, *help;
    uint16_t low[RELAX_MODE_COUNT], high[RELAX_MODE_COUNT]; /* thousandths */
    unsigned validators;                                    /* enum validator_bit */
};
extern const struct relaxation_info relaxation_info[RELAXATION_COUNT];

/* ---- plans ------------------------------------------------------------------------------- */

/* How wrappers that stay are written.  The first three are the paper's 0, 1, 2. */
enum relax_form { RELAX_FUNCTIONS, RELAX_MACROS, RELAX_MIXED, RELAX_AS_WRITTEN };

struct relax_plan {
    uint64_t seed; /* the source program's; edits are drawn from it too, each kind by itself */
    enum relax_form form;
    uint16_t probability[RELAXATION_COUNT]; /* thousandths; 0: off */
    uint8_t others;                         /* percent of checks that are no wrappers to drop */
    bool keep_checks;                       /* relaxations only */
};

/* Each enabled relaxation is on with probability one half, and then gets a probability between its
 * bounds; the form is any of the three; of checks that are no wrappers none, half or all go: the
 * shape of LLVM bug 47578 needs an if that is always true.  enabled: bits 1 << enum relaxation. */
struct relax_plan relax_plan_draw(uint64_t seed, enum relax_mode mode, unsigned enabled);
/* "1621474906, 2, 0.8, 0, 0, 0, 0.3, 0, 0" */
void relax_plan_print(const struct relax_plan *plan, struct text *out);
bool relax_plan_parse(const char *text, struct relax_plan *plan, struct err *e);
/* Comma-separated names to bits. */
bool relax_names_parse(const char *names, unsigned *bits, struct err *e);

/* ---- relaxing ---------------------------------------------------------------------------- */

/* Sites of checks in the program; removed ones among them. */
struct relax_share {
    uint32_t all, removed;
};

struct relax_counts {
    struct relax_share ran;   /* wrappers with a check in them, that ran */
    struct relax_share dead;  /* with a check, that never ran */
    struct relax_share plain; /* without a check: unsigned + - * */
    struct relax_share other; /* ?:, if, clamps, masks, wrapping arithmetic */
    struct relax_share near_; /* of those that ran: an operand was at most one off */
    uint32_t needed;          /* wrappers that fired at least once, and stay */
    uint32_t strict;          /* that fired, though nothing changes without them */
    uint32_t guilty;          /* removals that were taken back */
    uint32_t runs;            /* executions by the machine */
};

/* A check that almost fired and is gone. */
struct relax_near {
    const struct node *node;
    const char *name; /* the wrapper's, or what kind of check it is */
};

struct relax_result {
    struct edit *edits; /* of the program, for lang_splice and lang_print */
    size_t count;
    struct relax_counts counts;
    uint32_t offered[RELAXATION_COUNT], made[RELAXATION_COUNT]; /* changes drawn; kept */
    bool at_once;       /* all relaxations together were defined at the first try */
    struct text output; /* the relaxed program's, by the machine */
    int status;
    struct list near_; /* struct relax_near */
};

struct relax_request {
    struct vary *vary;                 /* of one unit, whose run finished */
    const struct machine_options *run; /* how it was run: input, arguments */
    const struct text *output;         /* what it printed; and its status */
    int status;
    uint64_t steps; /* that the run took: trials may take some times as many; 0: not known */
    struct relax_plan plan;
    bool crash; /* for compilers only: nothing is executed, and what is drawn is kept */
    /* Does the program with these edits, as text, do what the result says?  Asked at the end, and
     * of fewer changes where it does not.  NULL: nobody asks */
    bool (*confirm)(void *context, const struct relax_result *so_far);
    void *context;
};

/* The edits live in the program and in the arena. */
void relax_program(struct arena *a, const struct relax_request *request, struct relax_result *out);

/* The validators that what was changed calls for: enum validator_bit. */
unsigned relax_validators(const struct relax_result *r);

/* ---- where the machine cannot run a program ---------------------------------------------- */

/* Every wrapper in place, as a statement expression; then its check is a condition of its own, and
 * vary's facts (by probes, say) tell which way it went each time.  Yields edits. */
struct edit *relax_expand(struct arena *a, struct vary *v, size_t *n);
/* Checks that are undefined themselves: Csmith's macros write the least number as 1 << 31.  Yields
 * edits that write it otherwise; needs no facts. */
struct edit *relax_mend(struct arena *a, struct program *p, size_t *n);
/* The checks that such facts call needless are gone.  Nothing is executed: only those go whose
 * operands cannot disturb each other in any order. */
void relax_by_facts(struct arena *a, struct vary *v, const struct relax_plan *plan,
                    struct relax_result *out);

#endif
