/* vary: facts to edits.
 *
 * EMI, equivalence modulo inputs: a program and what is known of its executions (which statement
 * ran, which way each condition went, which values variables had) give variants that must behave
 * as the program does on the same inputs.  A variant is a list of struct edit for lang_print or
 * lang_splice.
 *
 * Consumes a program and struct vary_facts.  Yields edits, whose payloads live in the program.
 * Runs nothing, asks no compiler: that a variant compiles if the program does follows from types,
 * scopes, labels and linkage.  The same program, facts, seed and options give the same edits.
 *
 *     struct vary_facts *f = vary_facts_new(p);
 *     vary_facts_add_run(f, machine, 0);            once per input
 *     struct vary *v = vary_open(p, f);
 *     struct vary_variant variant = vary_draw(v, seed, &options);
 *     lang_splice(p, variant.edits, variant.count, &text);
 *     vary_forget(v);                               before the next one
 *
 * docs/emi.md says why each mutation is safe.
 */
#ifndef VARY_VARY_H
#define VARY_VARY_H

#include "base/base.h"
#include "lang/lang.h"
#include "machine/machine.h"

/* ---- facts ------------------------------------------------------------------------------ */

enum vary_flag {
    VARY_RAN = 1,     /* at least once, in at least one execution */
    VARY_TAKEN = 2,   /* a condition: was true at least once */
    VARY_UNTAKEN = 4, /* was false at least once */
    VARY_WAYS = 8,    /* the two above are exact: what they do not say did not happen */
    VARY_RANGE = 16,  /* every value lay within low and high */
    VARY_CLOUDED = 32 /* some value is not known: no range */
};

/* Of one program, over all executions that were added.  A statement without VARY_RAN did not run;
 * expressions are judged by the ways of conditions. */
struct vary_facts {
    uint32_t node_count;
    uint8_t *flags; /* enum vary_flag, by node id */
    bool exact;     /* of the machine: what ran was defined */
    struct vary_range {
        int64_t low, high;
    } * range, *first; /* over all runs; in the first run of the last input (low > high: none) */
    struct arena arena;
};

struct vary_facts *vary_facts_new(const struct program *p);
void vary_facts_free(struct vary_facts *f);
/* What the machine saw in one of its runs; the first run of an input comes before its others. */
void vary_facts_add_run(struct vary_facts *f, const struct program *p, const struct machine *m,
                        uint32_t unit);
/* What a line-based tool saw: counts[i] executions of line i + 1 of the program's text, -1 where
 * there is nothing to count.  Line counts cannot tell statements of one line apart, and may miss
 * a statement some part of which ran; see points.c for what makes up for it. */
void vary_facts_add_lines(struct vary_facts *f, const struct program *p, const int64_t *counts,
                          uint32_t lines);
/* What the program's own probes saw: see vary_probes. */
struct vary_probe {
    uint32_t node;
    uint8_t flag;   /* enum vary_flag that a hit means */
    bool always;    /* nothing could be put there: it counts as hit */
    uint32_t owner; /* a statement that ran when this was hit; 0: none */
    uint32_t like;  /* of a declaration with several: the number of the one that stands for it */
};
void vary_facts_add_probes(struct vary_facts *f, const struct vary_probe *probes, uint32_t n,
                           const uint8_t *hits);
/* This statement, and all that is in it, may have run, whatever was seen. */
void vary_facts_doubt(struct vary_facts *f, const struct node *n);
/* Statements that can be said to have run: not blocks, labels, declarations without initialiser. */
bool vary_is_counted(const struct node *n);

/* Edits that make the program record what runs: probe i is hit by storing 1 at byte i of the
 * object `array`, which the caller declares before everything else. */
struct vary_probes {
    struct edit *edits;
    size_t edit_count;
    struct vary_probe *probes;
    uint32_t count;
};
struct vary_probes vary_probes(struct program *p, const char *array);

/* ---- variants --------------------------------------------------------------------------- */

enum mutation {
#define MUTATION(id, ...) MUTATION_##id,
#include "vary/mutation.def"
    MUTATION_COUNT
};

enum dialect { DIALECT_C99, DIALECT_GNU };

struct mutation_info {
    const char *name, *help;
    unsigned weight;
    enum dialect dialect; /* of what it adds */
};
extern const struct mutation_info vary_mutation_info[MUTATION_COUNT];

struct vary_options {
    unsigned mutations; /* bits 1 << enum mutation; 0: all of them */
    bool threads;       /* others may look at globals at any time */
    bool gnu; /* all who will read it know GNU C; else rows of that dialect are left out */
};

/* Comma-separated names to bits. */
bool vary_mutations_parse(const char *names, unsigned *bits, struct err *e);

struct vary;

/* Finds where what can be done; both must outlive it. */
struct vary *vary_open(struct program *p, const struct vary_facts *f);
void vary_close(struct vary *v);

struct vary_variant {
    struct edit *edits;
    size_t count;
    uint32_t *groups; /* per edit: those of one number go together, all or none */
    uint32_t group_count;
    uint32_t made[MUTATION_COUNT]; /* how many of each */
};

/* The edits and their payloads are good until vary_forget. */
struct vary_variant vary_draw(struct vary *v, uint64_t seed, const struct vary_options *o);
/* To find out whether code that an edit changes, and that never ran, runs after all: the edit that
 * leaves it as it is and puts a trap before the statement around it.  False when that ran, or
 * cannot be replaced.  As good as the variant's edits. */
bool vary_trap(struct vary *v, const struct edit *edit, struct edit *out);
void vary_forget(struct vary *v);

/* Will the linker find it here, whatever a compiler does?  What is only declared, or inline, it may
 * ask for or not: that is the compiler's choice, and another one in every variant. */
bool vary_is_defined(const struct decl *d);
/* Something that is named but nobody defines, as far as what ran can tell; NULL when all is there.
 * Tests of optimisers call a function that does not exist where they want no call to be left. */
const struct decl *vary_loose_end(const struct vary *v);
/* A function within another one (GNU), or NULL: what shares a frame with another function may be
 * changed there at any call, so such programs are not varied. */
const struct decl *vary_nested(const struct program *p);

/* How many variants to make of a program: random, 8 in the mean. */
unsigned vary_count(uint64_t seed);

/* What there is to work with. */
struct vary_summary {
    uint32_t statements, dead; /* counted ones, outside of system headers */
    uint32_t functions, uncalled;
    uint32_t one_way; /* live conditions that always went one way */
    uint32_t known;   /* live points with a variable of known value */
};
struct vary_summary vary_summary(const struct vary *v);

/* ---- the same with less care ------------------------------------------------------------ */

#include "vary/relax/relax.h"

#endif
