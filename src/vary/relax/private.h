/* Private to relax. */
#ifndef VARY_RELAX_PRIVATE_H
#define VARY_RELAX_PRIVATE_H

#include "vary/private.h"
#include "vary/relax/relax.h"

enum { SITE_BINDINGS = 4, SITE_NESTED = 3 };

/* What a wrapper computes with: a parameter, or a variable of its own. */
struct binding {
    struct decl *decl;
    struct type *type;  /* as written */
    struct node *value; /* what it is bound to: the written expression */
};

enum site_kind {
    SITE_CALL,  /* f(a, b), f being { return value; } */
    SITE_BLOCK, /* ({ T x = a; U y = b; value; }) */
    SITE_COMMA, /* (x = a, y = b, value), x and y being nobody else's */
};

/* Which way of a check is the exception. */
struct way {
    bool fires;  /* this one: its arm is no operator */
    bool either; /* a guess: neither arm is an operand of the other; what never ran is it */
};

/* A check in the arm that is left when the one around it goes: x < 0 ? 0 : x > 7 ? 7 : x. */
struct nested {
    struct node *check; /* a COND */
    struct way way;
    bool never; /* it never fired: it goes with the one around it */
};

/* An occurrence of a wrapper. */
struct site {
    enum site_kind kind;
    struct node *node; /* what stands in the program */
    const char *name;
    struct binding bindings[SITE_BINDINGS];
    uint32_t count;
    struct node *value; /* over the bindings; pure */
    struct node *check; /* the COND at its top, or NULL */
    struct way way;     /* of the check */
    struct nested nested[SITE_NESTED];
    uint32_t nested_count;
    struct type *type; /* of the result, as written */
    /* found by running it */
    bool ran, near_, removed;
    bool fired; /* its check, at least once */
};

/* Edits that go together, and the nodes that were made for them. */
enum { CHANGE_EDITS = 4 };
enum change_role {
    ROLE_FORM, /* a wrapper, or a function of ours, written otherwise */
    ROLE_RELAXATION,
    ROLE_WRAPPER, /* one that goes */
    ROLE_OTHER,   /* another check that goes */
};
struct change {
    struct edit edits[CHANGE_EDITS];
    uint32_t count;
    uint32_t first, last; /* ids of what was made for it: [first, last) */
    struct decl *object;  /* that it leaves without a value, or with a bad one; or NULL */
    bool off;             /* left out */
    bool guilty;          /* for good: it was seen to be undefined itself */
    uint8_t role;         /* enum change_role */
    uint8_t kind;         /* enum relaxation, of a relaxation */
    struct site *about;   /* of a wrapper */
};

struct relaxing {
    struct vary *v;
    struct arena *arena;
    const struct relax_request *request;
    struct relax_result *out;
    struct machine_options run;
    uint8_t *taken;       /* enum taken by node, as in vary */
    struct list settled;  /* struct change: kept by earlier stages */
    struct text expected; /* what the program must print */
    int status;
    struct list functions; /* struct made_function */
    struct list sites;     /* struct site: all that were looked at */
};

/* ---- site.c ------------------------------------------------------------------------------ */

/* Is this an occurrence of a wrapper?  Its node is not set. */
bool relax_is_site(struct node *n, struct site *s);
/* Is it a parameter or a variable of the wrapper's? */
bool relax_is_bound(const struct site *s, const struct decl *d);
/* The exception of a check that went these ways; false where it is needed: it fired. */
bool relax_learn_way(struct way *w, bool taken, bool untaken);
/* All wrappers of the program, in the order of the text; but for those whose value would mean
 * something else at their call. */
void relax_find_sites(struct vary *v, struct arena *a, struct list *sites);
bool relax_is_wrapper(const struct function *f);
/* What the program's author wrote, and no header: a function's body that is no wrapper; a place. */
bool relax_is_own(const struct vary *v, const struct function *f);
bool relax_is_own_place(const struct vary *v, const struct node *n);

/* ---- names.c ----------------------------------------------------------------------------- */

/* The type as it can be written there: a typedef that is visible, else what it stands for. */
struct type *relax_nameable(const struct vary *v, const struct node *at, struct type *t);
/* Does everything that the site's value names mean the same at this place, types included? */
bool relax_means_the_same(const struct vary *v, const struct site *s, const struct node *at);
/* Does the value name something by this name? */
bool relax_names(const struct node *value, const char *name);

/* ---- build.c ----------------------------------------------------------------------------- */

/* Conditions of a wrapper in place, whose facts tell which way its checks went. */
struct conditions {
    bool ask_near;
    struct node *check, *near_; /* near: would an operand that is one off have fired?  Or NULL */
    struct node *nested[SITE_NESTED];
};

/* One way to write a wrapper's value again. */
struct rebuild {
    struct vary *v;
    const struct site *site;
    const struct node *at;              /* where it will stand */
    struct decl *names[SITE_BINDINGS];  /* in place of the bindings, or NULL: */
    struct node *values[SITE_BINDINGS]; /* an operand itself, which can stand once */
    int8_t beside[SITE_BINDINGS];       /* with a name: as if it were one more or one less */
    const struct node *dissolve;        /* a COND that gives way to one arm, or NULL */
    bool truth;                         /* which */
    struct conditions *conditions;      /* to be filled in, or NULL */
    uint32_t uses[SITE_BINDINGS];       /* counted while building; 2: once, or never */
    bool perhaps;                       /* what is being built may be left out when executed */
};
struct node *relax_rebuild(struct rebuild *b, struct node *n);

/* The site without its check: operands converted, then the operator, then the result. */
struct node *relax_raw(struct vary *v, const struct site *s);
/* ({ T x = a; U y = b; value; }); c, if any, gets the conditions in it. */
struct node *relax_macro(struct vary *v, const struct site *s, struct conditions *c);
/* name(a, b) of a function that is defined, and settled, when it is first needed; NULL: its value
 * would mean something else there. */
struct node *relax_function(struct relaxing *r, const struct site *s);

/* ---- blame.c ----------------------------------------------------------------------------- */

/* Was it part of what was executed?  One that only leaves something out always is. */
bool relax_change_ran(const struct relaxing *r, const struct machine *m, const struct change *c);
/* The change, from this one on, that the failure of a run points at; NULL: none. */
struct change *relax_blame(const struct relaxing *r, const struct list *changes, size_t from,
                           const struct machine_execution *run);

/* ---- trial.c ----------------------------------------------------------------------------- */

struct change *relax_change(struct relaxing *r, struct list *to);
void relax_add_edit(struct change *c, enum edit_kind kind, const struct node *at,
                    struct node *with);
/* Executes the program with what is settled and the changes that are not off; the caller frees.
 * With same_output, defined says too that it prints and returns what it must. */
struct machine_execution relax_run(struct relaxing *r, const struct list *changes, bool same_output,
                                   const struct machine_options *options);
/* Turns changes off until the program is defined, and prints the same if it must.  True when no
 * change had to go. */
bool relax_settle(struct relaxing *r, struct list *changes, bool same_output);
/* The same of changes most of which are guilty, and output that stays: begins with none of them,
 * and what is undecided after few runs is off. */
void relax_settle_few(struct relaxing *r, struct list *changes);
void relax_keep(struct relaxing *r, const struct list *changes);

/* What the program must print from now on. */
void relax_set_output(struct relaxing *r, const struct text *output, int status);
/* The first n changes that are settled, as the result's edits. */
void relax_yield(struct relaxing *r, size_t n);

/* ---- written.c --------------------------------------------------------------------------- */

/* Has what is settled confirmed as text, without what is lost in the writing, and yields it. */
void relax_settle_text(struct relaxing *r);

/* Nothing hides or changes it yet. */
bool relax_is_open(const struct relaxing *r, const struct node *n);
void relax_take(struct relaxing *r, const struct node *n, bool gone);

/* ---- stages ------------------------------------------------------------------------------ */

void relax_remove_checks(struct relaxing *r);
/* What became of sites and changes. */
void relax_count(struct relaxing *r);
/* Checks that are no wrappers, as changes; which way they went is asked of the machine. */
void relax_offer_others(struct relaxing *r, const struct machine *m, struct list *changes);

/* One relaxation's opportunities, drawn with this probability. */
struct offers {
    struct relaxing *r;
    enum relaxation kind;
    struct rng stream;
    unsigned probability;
    struct list *changes;
};
typedef void relax_fn(struct offers *o);
#define RELAXATION(id, ...) relax_fn relax_##id;
#include "vary/relax/relaxation.def"

/* Is this opportunity taken?  d gets randomness of its own. */
bool relax_takes(struct offers *o, const struct node *at, struct draw *d);
/* The value as it was before the language converted it: what another value can stand for. */
struct node *relax_value(struct node *n);
/* A change of one edit; what was made for it has ids from first on. */
struct change *relax_offer(struct offers *o, enum edit_kind kind, const struct node *at,
                           struct node *with, uint32_t first);
/* An integer that can be read there, neither volatile nor an enumeration; NULL: none was found. */
struct decl *relax_integer_variable(struct draw *d, const struct node *at);
/* Calls f for every node of functions that are the program's own, in order; of declarations at file
 * scope. */
typedef void relax_visit_fn(struct offers *o, struct node *n);
void relax_visit(struct offers *o, relax_visit_fn *f);
void relax_visit_globals(struct offers *o, relax_visit_fn *f);

#endif
