/* Private to vary. */
#ifndef VARY_PRIVATE_H
#define VARY_PRIVATE_H

#include "vary/vary.h"

/* The names of a block's point, innermost first. */
struct scope {
    struct decl *decl;
    const struct scope *up;
};

/* What is known at a live statement: this variable's value lies in the range whenever control
 * stands in front of it. */
struct known {
    struct node *statement;
    struct decl *decl;
    int64_t low, high;
};

/* A condition and the one way that it always went. */
struct one_way {
    struct node *condition; /* as written: no implicit conversion */
    struct node *owner;     /* IF, WHILE, DO, FOR or COND */
    bool truth;
};

/* Lists of live points: those of one function stand together, in the order of functions. */
enum point_list {
    POINTS_LIVE,
    POINTS_KNOWN,
    POINTS_ONE_WAY,
    POINTS_SAVES,
    POINTS_POINTERS,
    POINTS_LOOPS,
    POINT_LISTS
};

/* A function of the program's own, and where its points stand in each list. */
struct vary_function {
    struct function *function;
    unsigned weight; /* how often live edits fall here, beside the others */
    struct {
        size_t first, end;
    } points[POINT_LISTS];
};

enum node_place {
    PLACE_DEAD = 1,     /* never ran */
    PLACE_LOOSE = 2,    /* a statement that may vanish or be replaced: nothing hangs on it */
    PLACE_SLOT = 4,     /* stands in a block; a statement may be put before it */
    PLACE_CONSTANT = 8, /* C or a builtin may want a constant here */
    PLACE_ENTERED = 16, /* a jump from outside may lead into it */
};

enum decl_state {
    DECL_LINKED = 1, /* the linker has it: defined here, or used by what ran */
};

/* Tables by node id are for the program as it was opened. */
struct vary {
    struct program *p;
    const struct vary_facts *f;
    struct arena arena;
    uint32_t node_count, decl_count;
    struct node **parent;
    uint32_t *seq, *end; /* preorder number, and that behind its last descendant */
    uint8_t *place;      /* enum node_place */
    bool *sticky;        /* stands behind a pragma or attribute that is about it */
    struct function **function;
    const struct scope **scope;
    uint32_t *declared; /* by decl: seq of its first declarator at file scope; UINT32_MAX: none */
    uint8_t *decl_state;
    struct list globals;    /* struct decl: variables at file scope that can be used */
    struct list callable;   /* struct decl: functions that can be called */
    struct list local_tags; /* const char *: tags that some function gives a meaning of its own */
    struct list parts;      /* struct node: statements that can be copied */
    /* candidates */
    struct list dead;       /* statements that never ran, PLACE_LOOSE */
    struct list tops;       /* the outermost dead ones, loose or not: where pruning starts */
    struct list dead_slots; /* PLACE_SLOT */
    struct list dead_conditions;
    struct list one_way;   /* struct one_way */
    struct list arms;      /* expressions that were never evaluated: arms of ?: */
    struct list shorts;    /* right sides of && and || */
    struct list loops;     /* bodies of loops that ran zero times */
    struct list uncalled;  /* struct function */
    struct list known;     /* struct known, whose statement is a PLACE_SLOT that ran */
    struct list live;      /* PLACE_SLOT that ran */
    struct list saves;     /* struct known: a statement that does not touch the variable */
    struct list pointers;  /* names of pointers that are followed whenever they are evaluated */
    struct list loops_run; /* loops that ran, PLACE_SLOT */
    bool all_return;       /* no call failed to come back: nothing that ran leaves by other ways */
    struct vary_function *functions;
    size_t function_count;
    struct vary_summary summary;
    uint32_t own_names; /* the greatest number in a name of the program's that looks like ours */
    uint32_t fresh;     /* number of the last new name: those of the program are below */
    /* of the variant that is being drawn */
    uint32_t mark;
    uint8_t *taken;      /* enum taken, by node */
    struct list touched; /* ids of nodes with such bits, to be cleared */
    struct arena draw_arena;
};

/* One variant that is being made. */
struct draw {
    struct vary *v;
    struct rng rng;
    const struct vary_options *options;
    struct edit *edits;
    uint32_t *groups;
    size_t count, room;
    uint32_t group_count;
    bool together;       /* the next edit belongs to the last one's group */
    bool few;            /* one to three edits are wanted in all */
    unsigned subscripts; /* that are being made, one in another */
    uint32_t *made;
};

enum taken { TAKEN_CHANGED = 1, TAKEN_GONE = 2, TAKEN_BEFORE = 4 }; /* the last: an insert */

/* ---- places.c, known.c ------------------------------------------------------------------ */

void vary_find_places(struct vary *v, struct function *f);
bool vary_is_dead(const struct vary *v, const struct node *n);
/* Do all calls of what ran come back? */
bool vary_do_all_return(const struct vary *v);
/* exit, abort and their like. */
bool vary_leaves_program(const struct decl *d);
void vary_look_at_live(struct vary *v, struct node *n);
void vary_look_at_pointer(struct vary *v, struct node *n);
void vary_look_at_saves(struct vary *v, struct node *n);

/* ---- walk.c, points.c ------------------------------------------------------------------- */

void vary_walk_program(struct vary *v);
void vary_find_points(struct vary *v);
struct node *vary_written(struct node *n); /* below the conversions that nobody wrote */
struct type *
vary_value_type(struct node *n); /* of a written expression's value: decayed, unqualified */
struct node *vary_statement_of(const struct vary *v, struct node *n);
bool vary_contains(const struct vary *v, const struct node *outer, const struct node *inner);
bool vary_is_statement(const struct node *n);
bool vary_is_expression(const struct node *n);
/* The place of the condition among the kids; n->count when there is none. */
uint32_t vary_condition_index(const struct node *n);
/* Computing its value twice or not at all is not seen: a read of a volatile object is, and counts
 * here whether the language's conversions of an lvalue stand around it or not. */
bool vary_is_pure(const struct node *n);
bool vary_has_attr(const struct decl *d, const char *name);
/* A variable of one function's that nothing can point to. */
bool vary_is_private(const struct decl *d);

/* ---- harness.c -------------------------------------------------------------------------- */

/* Gives each of v->functions its weight. */
void vary_weigh_functions(struct vary *v);

/* ---- scope.c ---------------------------------------------------------------------------- */

/* Does the name mean this declaration at this node? */
bool vary_is_visible(const struct vary *v, const struct node *at, const struct decl *d);
/* The same of an enumerator, which has no declarator. */
bool vary_enumerator_is_visible(const struct vary *v, const struct node *at, const struct decl *d);
/* Is the type complete there?  A record that the file completes further down is opaque until then,
 * C11 6.7.2.3p4. */
bool vary_is_complete_at(const struct vary *v, const struct node *at, const struct type *t);
/* Is there nothing in the type, behind pointers too, that the file completes further down? */
bool vary_is_settled_at(const struct vary *v, const struct node *at, const struct type *t);
/* Can the type be written at this node and mean the same? */
bool vary_type_is_visible(const struct vary *v, const struct node *at, const struct type *t);
/* A variable of this very type (qualifiers too) that can be named there; NULL when none. */
struct decl *vary_variable_of(struct draw *d, const struct node *at, const struct type *t);
/* Any variable whose value or elements can be computed with. */
struct decl *vary_any_variable(struct draw *d, const struct node *at, bool global);
/* The function's own declaration once more, with an attribute. */
struct node *vary_declare_again(struct vary *v, const struct function *f, const char *name,
                                const char *attr);
struct decl *vary_fresh_variable(struct vary *v, struct type *t);
/* The greatest number in names of the program's like cupel_3 or cupel_label_7: it may have been
 * varied before. */
uint32_t vary_greatest_number(const struct program *p);

/* ---- copy.c, junk.c --------------------------------------------------------------------- */

/* A statement for this place, made of another one of the program's, its names resolved; or NULL.
 */
struct node *vary_copied_statement(struct draw *d, struct node *at);
/* Code that was never meant to run, for this place; never NULL. */
struct node *vary_junk_statement(struct draw *d, struct node *at, unsigned depth);
/* A statement that does something that can be seen. */
struct node *vary_junk_effect(struct draw *d, struct node *at);
/* An expression of exactly this type, a scalar one; NULL when the type cannot be vary_written
 * there. */
struct node *vary_junk_expression(struct draw *d, struct node *at, struct type *t, unsigned depth);
bool vary_can_junk(const struct vary *v, const struct node *at, const struct type *t);
struct node *vary_block_of(struct vary *v, struct node **kids, uint32_t n);
struct node *vary_int_constant(struct vary *v, int64_t value, struct type *t);
/* The same node under another id, with the same kids. */
struct node *vary_twin(struct vary *v, const struct node *n);

/* ---- draw.c ----------------------------------------------------------------------------- */

bool draw_is_open(const struct draw *d, const struct node *n);  /* no edit hides or changes it */
bool draw_is_shown(const struct draw *d, const struct node *n); /* no edit hides it */
void draw_hide(struct draw *d, const struct node *n);           /* an edit of another node does */
void draw_drop(struct draw *d, struct node *n, enum mutation why);
void draw_replace(struct draw *d, struct node *n, struct node *with, enum mutation why);
/* As draw_replace, but what stands below n is still there. */
void draw_enclose(struct draw *d, struct node *n, struct node *with, enum mutation why);
void draw_insert(struct draw *d, struct node *before, struct node *what, enum mutation why);
/* Nothing at or below n was edited. */
bool draw_is_whole(const struct draw *d, const struct node *n);
/* A live point: its function first, by weight; NULL when there is none. */
void *draw_point(struct draw *d, enum point_list which);
/* An element of the list that is open; NULL after some tries. */
struct node *draw_open_node(struct draw *d, const struct list *l);

/* ---- live.c ----------------------------------------------------------------------------- */

/* A live statement, and a condition that was `truth` whenever control stood in front of it. */
struct point {
    struct node *at, *condition;
};
bool draw_find_point(struct draw *d, bool truth, struct point *out);

typedef void mutate_fn(struct draw *d, unsigned strength);
#define MUTATION(id, ...) mutate_fn mutate_##id;
#include "vary/mutation.def"

#endif
