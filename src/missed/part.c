/* A part of an arithmetic program: some of its assignments, and what they read.  Takes one that is
 * evaluated and leaves it as it is. */
#include "missed/private.h"

struct copying {
    struct arith *to;
    struct variable **copies; /* by number */
};

/* What was assigned and is no more begins with the result, and others may write it exactly if it
 * depended on what others may write. */
static void begin_with_result(struct variable *v)
{
    v->initial = v->now;
    v->is_static = false;
    v->global = !v->known;
}

static struct variable *copy_variable(struct copying *c, const struct variable *v)
{
    struct variable **copy = &c->copies[v->number];
    if (!*copy) {
        *copy = NEW(c->to->a, struct variable);
        **copy = *v;
        if (v->assigned)
            begin_with_result(*copy);
        list_add(c->to->a, &c->to->variables, *copy);
    }
    return *copy;
}

static struct term *copy_term(struct copying *c, const struct term *t)
{
    struct term *copy = NEW(c->to->a, struct term);
    *copy = *t;
    if (t->kind == TERM_VARIABLE)
        copy->variable = copy_variable(c, t->variable);
    for (unsigned i = 0; i < 2; i++)
        if (t->kid[i])
            copy->kid[i] = copy_term(c, t->kid[i]);
    return copy;
}

/* The variable is one that is assigned in the part too: it stays what it was. */
static void copy_assignment(struct copying *c, const struct assignment *s)
{
    struct assignment *copy = NEW(c->to->a, struct assignment);
    *copy = *s;
    copy->to = copy_variable(c, s->to);
    *copy->to = *s->to;
    if (s->guard)
        copy->guard = copy_variable(c, s->guard);
    copy->value = copy_term(c, s->value);
    list_add(c->to->a, &c->to->assignments, copy);
}

struct arith *arith_part(struct arena *a, const struct arith *p, const bool *kept)
{
    struct arena scratch = {0};
    struct arith *part = NEW(a, struct arith);
    *part = (struct arith){.a = a, .types = p->types};
    struct copying c = {.to = part};
    c.copies = NEW_ARRAY(&scratch, arith_highest_number(p) + 1, struct variable *);
    for (size_t i = 0; i < p->assignments.n; i++)
        if (kept[i])
            copy_assignment(&c, p->assignments.at[i]);
    arena_free(&scratch);
    return arith_evaluate(part) ? part : NULL;
}

/* ---- far apart ---------------------------------------------------------------------------- */

/* Copies of a volatile object to others: two accesses each, and clang looks back past a hundred
 * instructions for what a load may have been given (memdep-block-scan-limit). */
enum { COPIES = 60 };

static struct variable *add_volatile(struct arith *p)
{
    struct variable *v = NEW(p->a, struct variable);
    *v = (struct variable){.number = arith_highest_number(p) + 1,
                           .type = TYPE_INT,
                           .quals = QUAL_VOLATILE,
                           .is_static = true};
    list_add(p->a, &p->variables, v);
    return v;
}

/* Does it live on, and hold what was assigned and follows from the program alone? */
static bool is_known_object(const struct variable *v)
{
    return v->assigned && v->known && (v->global || v->is_static);
}

bool arith_reads_known(const struct term *t)
{
    if (t->kind == TERM_VARIABLE)
        return is_known_object(t->variable);
    return (t->kid[0] && arith_reads_known(t->kid[0])) ||
           (t->kid[1] && arith_reads_known(t->kid[1]));
}

static void keep_known(const struct arith *p, const struct term *t, bool *kept)
{
    bool known = t->kind == TERM_VARIABLE && is_known_object(t->variable);
    for (size_t i = 0; known && i < p->assignments.n; i++)
        kept[i] |= ((struct assignment *)p->assignments.at[i])->to == t->variable;
    for (unsigned i = 0; i < 2; i++)
        if (t->kid[i])
            keep_known(p, t->kid[i], kept);
}

static void add_copies(struct arith *p, struct list *to)
{
    struct variable *from = add_volatile(p);
    for (unsigned i = 0; i < COPIES; i++) {
        struct assignment *x = NEW(p->a, struct assignment);
        *x = (struct assignment){.to = add_volatile(p), .value = term_variable(p->a, from)};
        list_add(p->a, to, x);
    }
}

/* The early ones first, each as what it is known to be; copies; the others. */
static void move_apart(struct arith *p, const struct list *early)
{
    struct list all = {0}, late = {0};
    for (size_t i = 0; i < p->assignments.n; i++) {
        struct assignment *x = p->assignments.at[i];
        if (early->at[i])
            x->value = arith_value_term(p, x->value);
        list_add(p->a, early->at[i] ? &all : &late, x);
    }
    add_copies(p, &all);
    for (size_t i = 0; i < late.n; i++)
        list_add(p->a, &all, late.at[i]);
    p->assignments = all;
}

bool arith_add_distance(struct arith *p, size_t at)
{
    struct list all = {0}, before = p->assignments;
    for (size_t i = 0; i < at; i++)
        list_add(p->a, &all, before.at[i]);
    add_copies(p, &all);
    for (size_t i = at; i < before.n; i++)
        list_add(p->a, &all, before.at[i]);
    p->assignments = all;
    return arith_evaluate(p);
}

struct arith *arith_far_part(struct arena *a, const struct arith *p, const bool *late)
{
    struct arena scratch = {0};
    size_t n = p->assignments.n;
    bool *early = NEW_ARRAY(&scratch, n, bool), *kept = NEW_ARRAY(&scratch, n, bool), any = false;
    struct list moved = {0};
    for (size_t i = 0; i < n; i++)
        if (late[i])
            keep_known(p, ((struct assignment *)p->assignments.at[i])->value, early);
    for (size_t i = 0; i < n; i++) {
        any |= early[i];
        kept[i] = late[i] || early[i];
        if (kept[i])
            list_add(&scratch, &moved, early[i] ? early : NULL);
    }
    struct arith *part = any ? arith_part(a, p, kept) : NULL;
    if (part)
        move_apart(part, &moved);
    arena_free(&scratch);
    return part && arith_evaluate(part) ? part : NULL;
}
