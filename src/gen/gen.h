/* gen: from a seed, a program whose behaviour is known.
 *
 * Generation is execution.  The program is run while it is written: a statement or expression is
 * made when execution first reaches it, from operands whose values are known; what would be
 * undefined is rewritten before it takes effect (repairs.def).  A node that has run before and
 * would be undefined on a later visit is guarded in place, by something that is the identity on
 * every execution so far (guards.def).  What was never reached when the program ends is dead, and
 * is filled with code that nothing constrains.  No program is ever thrown away.
 *
 * Consumes a seed, a target and a policy (policy.def).  Yields a struct program and the exact
 * output of its execution.  Never starts a process, reads no clock; the same seed and options give
 * the same bytes on every host.
 *
 * docs/gen.md has a picture, and says which rows and functions to touch to add to the language.
 */
#ifndef GEN_GEN_H
#define GEN_GEN_H

#include "base/base.h"
#include "lang/lang.h"

/* ---- policies: policy.def --------------------------------------------------------------- */

enum gen_policy {
#define POLICY(group, name, ...) GEN_##group##_##name,
#define TYPE(name, ...)          GEN_type_##name,
#include "gen/policy.def"
    GEN_POLICY_COUNT
};

enum gen_group {
#define GROUP(name, ...) GEN_GROUP_##name,
#include "gen/policy.def"
    GEN_GROUP_COUNT
};

struct gen_policy_info {
    const char *key; /* "expr.constant" */
    enum gen_group group;
    unsigned low, high;
    uint64_t features; /* enum gen_feature bits that it needs */
    unsigned means;    /* the operator, type or class that the row stands for */
    const char *help;
};
extern const struct gen_policy_info gen_policy_info[GEN_POLICY_COUNT];

/* What a compiler may lack: features.def. */
enum gen_feature {
#define FEATURE(id, ...) GEN_HAS_##id,
#include "gen/features.def"
    GEN_FEATURE_COUNT
};

/* A value per row: fixed by the user, or drawn anew for every program. */
struct gen_policy_set {
    uint32_t value[GEN_POLICY_COUNT];
    bool fixed[GEN_POLICY_COUNT];
};

/* "key=value"; false with e set when there is no such key. */
bool gen_policy_set(struct gen_policy_set *set, const char *assignment, struct err *e);
/* Lines of key=value; # starts a comment. */
bool gen_policy_read(struct gen_policy_set *set, const char *text, struct err *e);
void gen_policy_dump(const struct gen_policy_set *set, struct text *out);
/* The bits of all features, and those that a compiler named in features.def has; false when the
 * name is unknown. */
uint64_t gen_all_features(void);
/* All but those that only one compiler has. */
uint64_t gen_usual_features(void);
bool gen_features_for(const char *compiler, uint64_t *features, struct err *e);

/* ---- profiles: profile.def -------------------------------------------------------------- */

/* Programs that are a lot of one thing. */
struct gen_profile {
    const char *name;
    unsigned size;        /* statements that suit it */
    double prior;         /* findings that a hunt expects of it in a CPU hour, at first */
    uint64_t features;    /* enum gen_feature bits without which it is nothing special */
    const char *policies; /* what it fixes: words of key=value */
    const char *help;
};
extern const struct gen_profile gen_profiles[];
extern const size_t gen_profile_count;
/* NULL: there is none of this name. */
const struct gen_profile *gen_profile_named(const char *name);
/* Fixes the policies of the profile that are not fixed yet.  The seed string then has them, and
 * needs no profile. */
void gen_profile_apply(const struct gen_profile *p, struct gen_policy_set *set);

/* ---- programs --------------------------------------------------------------------------- */

enum gen_mode { GEN_RUN, GEN_CRASH };

/* A function that somebody else defines: unsigned long long NAME(unsigned), of which all results
 * are known: results[x % count].  It touches nothing that can be seen. */
struct gen_given {
    const char *name;
    const uint64_t *results;
    unsigned count; /* a power of two */
    uint64_t cost;  /* steps of a call, about */
};

struct gen_options {
    uint64_t seed;
    const struct target *target;
    unsigned size;     /* statements, about */
    uint64_t features; /* bits of enum gen_feature */
    enum gen_mode mode;
    bool trace; /* print a line at every probe */
    bool split; /* nothing is static, so that it can be split */
    struct gen_policy_set policy;
    const struct gen_given *given; /* to be called; their text stands before the program's */
    size_t given_count;
    bool (*stop)(void); /* asked all the time, or NULL; true: the program is given up */
};

/* Statements that may be asked for: the memory and the time that a program takes grow with them, to
 * about 1 GB here. */
enum { GEN_MOST_STATEMENTS = 250000 };

struct gen_options gen_options_default(void);

struct gen_counts {
    uint32_t statements, guards, repairs, holes, dead, functions;
    uint64_t steps;
};

struct generated {
    struct program *program;      /* NULL: given up */
    struct text expect;           /* what it prints; empty in GEN_CRASH */
    struct gen_policy_set policy; /* as drawn: all fixed */
    struct gen_counts counts;
    /* macros: their definitions, and how they stand in the text instead of what they expand to */
    struct text definitions;
    struct edit *macros; /* the program's */
    size_t macro_count;
};

struct generated gen_program(const struct gen_options *o);
void gen_free(struct generated *g);

/* The program as C: one file; or test, driver and header, whose name the two include. */
void gen_print(const struct generated *g, struct text *out);
struct gen_split {
    struct text test, driver, header;
};
void gen_print_split(const struct generated *g, const char *header_name, struct gen_split *out);

/* One line that gives the program again: seed, size, mode, target, features and every policy that
 * differs from what the seed draws by itself. */
void gen_seed_string(const struct gen_options *o, struct text *out);
bool gen_seed_parse(const char *line, struct gen_options *o, struct err *e);

#endif
