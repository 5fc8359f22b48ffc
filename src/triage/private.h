/* Private to triage: one search for a culprit, and the ways to go about it. */
#ifndef TRIAGE_PRIVATE_H
#define TRIAGE_PRIVATE_H

#include "front/front.h"
#include "lang/lang.h"
#include "triage/triage.h"

/* What one more compilation, with other flags, shows. */
enum answer {
    ANSWER_NONE,  /* nobody was asked: the budget is spent */
    ANSWER_SHOWN, /* the bug is there */
    ANSWER_GONE,  /* the compiler does its work */
    ANSWER_OTHER  /* neither: the flags are refused, something else goes wrong */
};

struct search {
    const struct triage_job *job;
    struct arena *a;
    struct err *e;
    struct triage_blame *out;
    enum answer plain; /* at -O0, when it was asked; else ANSWER_NONE */
    /* what a wrong program must do to show it, and nothing else will do; NULL: whatever is wrong */
    const struct outcome_run *same;
    bool failed; /* our machine did: e says why, and every answer is ANSWER_NONE */
};

/* Tries the claim's configuration with these words behind it. */
enum answer search_ask(struct search *s, char *const *words);
/* The same, and what the compiler said on stderr. */
enum answer search_listen(struct search *s, char *const *words, const char **said);
/* The same at another level. */
enum answer search_level(struct search *s, const char *level);

/* The claim with this text in place of its program. */
enum answer search_file(struct search *s, const char *path);

/* The claim's own configuration, where another version may say the same crash in other words:
 * those, where it is shown. */
enum answer search_like(struct search *s, const char **crash);
/* Does it happen without optimisation? */
bool search_shows_plainly(struct search *s);

/* The words that ask for step n of some order; they end with NULL.  In the arena. */
typedef char **search_words_fn(struct search *s, const void *context, size_t n);
/* Finds the least n in (low, high] whose answer is `want` though n - 1 answers otherwise.  Needs:
 * high answers `want`, low does not.  0 when the budget is spent. */
size_t search_least(struct search *s, search_words_fn *words, const void *context, size_t low,
                    size_t high, enum answer want);

/* The name that a step of Clang's pipeline has in every version: "InstCombinePass" and
 * "instcombine" are one. */
const char *pass_name_llvm(struct arena *a, const char *printed);
/* A pass of GCC's without the number of its instance: tree-vrp1 is tree-vrp. */
const char *pass_name_gcc(struct arena *a, const char *printed);

/* ---- probes: see.c, stored.c, instrument.c, look.c, shape.c, first.c
 * ------------------------------ */

/* The types that a probe can tell: see.def. */
enum see {
    SEE_NONE,
#define SEE(kind, ...) SEE_##kind,
#include "triage/see.def"
    SEE_COUNT
};
enum see see_of(const struct type *t);
const char *see_name(enum see s); /* cupel_see_NAME is its function */

/* Values that are printed at most: of all probes, and of each; beyond so many probes, some share.
 */
enum { SEE_MOST = 60000, SEE_EACH = 200, SEE_PROBES = 16384 };
/* What probes call, for these types (1 << enum see): declarations for the program, and a file of
 * its own, so that nothing of it is optimised with the program. */
void see_put_declarations(unsigned used, struct text *out);
void see_put_functions(unsigned used, const struct list *healed, struct text *out);

/* A probe that hands on what is right, whatever it is given. */
struct healing {
    size_t probe;
    enum see see;       /* SEE_NONE: nobody reads what it hands on */
    struct list values; /* as probes print them, by evaluation */
};
bool see_can_heal(const struct healing *h);

/* How much of a program is probed: in this order, because probes disturb optimisers. */
enum density {
    /* every expression, what records and bit-fields hold once they are set, and what compound
     * assignments find */
    DENSITY_STORES,
    DENSITY_EXPRESSIONS, /* every expression that a probe can tell */
    DENSITY_STATEMENTS,  /* what a whole statement computes */
    DENSITY_OBJECTS, /* the globals that a statement outside of loops has to do with, after it */
    DENSITY_COUNT,
    DENSITY_LITERALS = DENSITY_COUNT /* every expression and every constant: only to tell why */
};

struct probe {
    const struct node *node;
    const struct function *function;
    const struct node *inside; /* the condition, loop or switch around it; NULL for none */
    bool stored;               /* it reads what the node, an assignment, has stored */
    bool before;               /* it reads what the node, a compound assignment, works on */
    enum see see;              /* the type of the value that it hands on; SEE_NONE: it only reads */
    bool healed;               /* it hands on what is right */
};

struct probed {
    struct probe *at; /* by the number that it prints */
    size_t n;
    unsigned used; /* 1 << enum see */
};

/* A member that is a bit-field, through what was not written. */
const struct field *bitfield_of(const struct node *n);
/* Can the left side be read once more without doing something?  Of what steps: its operand. */
bool stored_is_readable(const struct node *assign);
/* The lvalues that hold what an assignment has stored, as C text: struct stored.  None for what is
 * not readable. */
struct stored {
    const char *text;
    enum see see;
};
void stored_list(const struct program *p, const struct node *assign, struct arena *a,
                 struct list *out);

struct density_of {
    enum density density;
    const struct node *only; /* this expression alone; NULL: as the density says */
    struct list healed;      /* struct healing: by the probes' numbers with just this density */
};
/* The program's text with probes.  A probe prints a line of \1, its number and the value. */
void instrument(struct program *p, struct arena *a, const struct density_of *which,
                struct text *out, struct probed *probed);
/* The expressions that a probe can tell next below this one: struct node. */
void instrument_operands(struct program *p, const struct node *n, struct arena *a,
                         struct list *out);

/* What a program with probes shows. */
enum sight {
    SIGHT_NONE,   /* it cannot be had */
    SIGHT_HIDDEN, /* with these probes all is well */
    SIGHT_ELSE,   /* what they see is right, but not what the program does */
    SIGHT_STATUS, /* only the exit status is not */
    SIGHT_WRONG   /* the value of a probe is */
};

/* What was seen; of SIGHT_WRONG the first probe whose value differs from the machine's. */
struct sighted {
    struct probe probe;
    size_t turn;                   /* the evaluation of it that is wrong */
    const char *expected, *actual; /* as printed; actual NULL: it was not evaluated */
    struct healing healing;        /* of that probe */
    bool exits, well; /* the program ends by itself; and, probes apart, does what it must */
};
/* One compilation; the accused and the machine run the program with probes. */
enum sight look(struct search *s, struct program *p, const struct density_of *which,
                struct sighted *found);

/* What few programs have, and this one has: feature.def; "" for nothing. */
const char *feature_list(struct arena *a, const struct program *p);

/* What stands around something that was not reached: "switch not taken". */
const char *shape_control(const struct node *inside);
/* ++ or --? */
bool shape_is_step(const struct node *n);
/* What the node is made of. */
void shape_put(const struct program *p, const struct node *n, struct text *out);
/* The same of an operation, as if its operands were int; as it is for others. */
void shape_put_with_int(const struct program *p, const struct node *n, struct text *out);
/* Of two that go wrong only together: what is done, and with what. */
void shape_put_pair(const struct program *p, const struct node *n, const struct node *operand,
                    struct text *out);
/* The same of what a probe sees, whose values (as they are printed) may say more. */
void shape_put_probe(const struct program *p, const struct probe *probe, const char *expected,
                     const char *actual, struct text *out);
/* How they differ, where that tells something: " without its sign"; "" for nothing. */
const char *shape_difference(const char *expected, const char *actual);

/* The shape of what the accused gets wrong even alone, if this one is made of that: canary.def. */
const char *canary_ask(struct search *s, const char *shape);
/* The shape of a comparison with those of <, <=, >, >= that the accused gets wrong by themselves:
 * "unsigned <, wrong: < >=".  Where ints are compared as wrongly, the type does not matter; where
 * the node's own comparison is right by itself, it is another bug: as it is. */
const char *canary_compare(struct search *s, const struct node *n, const char *shape);
/* The second shape if the accused gets the operation wrong with operands of int, too; with ", only
 * =" where it does so only in a compound assignment. */
const char *canary_with_int(struct search *s, const struct node *n, const char *shape,
                            const char *with_int);

/* The claim's program, preprocessed as the accused does it and parsed; the caller frees it.  False:
 * our machine failed us; of a program that cannot be read error_count says so. */
bool subject_read(const struct triage_job *job, struct unit *out, struct err *e);

/* A way: fills in search.out's pass, detail and switches; leaves pass "" when it found nothing. */
typedef void blame_fn(struct search *s);
#define METHOD(id, ...) blame_fn blame_##id;
#include "triage/method.def"

#endif
