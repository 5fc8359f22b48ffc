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
