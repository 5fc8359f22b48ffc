/* The candidates of every mutation: what is dead, one-way, never evaluated, or live with something
 * known there.  Takes the program's functions, fills the lists of struct vary. */
#include "vary/private.h"

#include <string.h>

/* ---- expressions ------------------------------------------------------------------------ */

uint32_t vary_condition_index(const struct node *n)
{
    switch (n->kind) {
    case NODE_IF:
    case NODE_WHILE:
    case NODE_COND:
        return 0;
    case NODE_DO:
    case NODE_FOR:
        return 1;
    default:
        return n->count;
    }
}

/* Is it known that the condition never gave `truth`? */
static bool never(const struct vary *v, struct node *condition, bool truth)
{
    uint8_t way = truth ? VARY_TAKEN : VARY_UNTAKEN;
    for (struct node *n = condition;; n = n->kid[0]) {
        uint8_t flags = v->f->flags[n->id];
        if (flags & VARY_WAYS)
            return !(flags & way);
        if (n->kind != NODE_CAST || !(n->flags & NODE_IMPLICIT))
            return false;
    }
}

/* What the branches tell where the ways of the condition itself were not seen. */
static bool never_by_branch(const struct vary *v, const struct node *n, bool truth)
{
    if (!(v->f->flags[n->id] & VARY_RAN))
        return false;
    switch (n->kind) {
    case NODE_IF:
        return truth ? vary_is_dead(v, n->kid[1]) : n->kid[2] && vary_is_dead(v, n->kid[2]);
    case NODE_WHILE:
        return truth && vary_is_dead(v, n->kid[1]);
    case NODE_FOR:
        return truth && vary_is_dead(v, n->kid[3]);
    default:
        return false;
    }
}

static bool is_plain_condition(const struct vary *v, struct node *c)
{
    u128 value;
    return lang_is_scalar(c->type) && !(v->place[c->id] & PLACE_CONSTANT) &&
           !lang_constant(v->p, c, &value) && (!v->p->text || c->end > c->begin);
}

static void look_at_condition(struct vary *v, struct node *n)
{
    uint32_t at = vary_condition_index(n);
    if (at >= n->count || !n->kid[at])
        return;
    struct node *c = vary_written(n->kid[at]);
    if (!is_plain_condition(v, c) || (n->kind == NODE_COND && !n->kid[1]))
        return;
    if (vary_is_dead(v, n)) {
        list_add(&v->arena, &v->dead_conditions, c);
        return;
    }
    bool no_true = never(v, n->kid[at], true) || never_by_branch(v, n, true);
    bool no_false = never(v, n->kid[at], false) || never_by_branch(v, n, false);
    if (no_true == no_false)
        return;
    struct one_way *w = NEW(&v->arena, struct one_way);
    *w = (struct one_way){c, n, no_false};
    list_add(&v->arena, &v->one_way, w);
    if (no_true && (n->kind == NODE_WHILE || n->kind == NODE_FOR)) {
        struct node *body = n->kid[n->count - 1];
        if (vary_is_dead(v, body) && v->place[body->id] & PLACE_LOOSE)
            list_add(&v->arena, &v->loops, body);
    }
}

/* An expression whose type alone matters: a scalar that is no bit-field, no null constant. */
static bool is_replaceable(const struct vary *v, struct node *n)
{
    u128 value;
    const struct node *at = n;
    if (!lang_is_scalar(n->type) || lang_is_kind(n->type, TYPE_COMPLEX) ||
        v->place[n->id] & PLACE_CONSTANT || lang_is_null_constant(v->p, n))
        return false;
    if (v->p->text && n->end <= n->begin)
        return false;
    while (at->kind == NODE_BINARY && at->op == OP_COMMA)
        at = at->kid[1];
    if (at->kind == NODE_ASSIGN || (at->kind == NODE_UNARY && at->op <= OP_PREDEC))
        at = at->kid[0];
    if (at->kind == NODE_MEMBER && at->u.field->is_bitfield)
        return false;
    return !(lang_constant(v->p, n, &value) && lang_is_kind(n->type, TYPE_POINTER)) &&
           vary_can_junk(v, n, vary_value_type(n));
}

static void look_at_arms(struct vary *v, struct node *n)
{
    for (uint32_t i = 1; i < 3; i++) {
        if (!n->kid[i] || !(vary_is_dead(v, n) || never(v, n->kid[0], i == 1)))
            continue;
        /* pointers are merged with the other arm's: leave that alone */
        struct node *arm = vary_written(n->kid[i]);
        if (lang_is_arithmetic(n->type) && is_replaceable(v, arm))
            list_add(&v->arena, &v->arms, arm);
    }
}

static void look_at_sides(struct vary *v, struct node *n)
{
    struct node *right = vary_written(n->kid[1]);
    if ((vary_is_dead(v, n) || never(v, n->kid[0], n->op == OP_LAND)) && is_replaceable(v, right))
        list_add(&v->arena, &v->shorts, right);
}

/* ---- all of it -------------------------------------------------------------------------- */

enum { PART_NODES = 60 };

static bool is_part(const struct vary *v, const struct node *n)
{
    switch (n->kind) {
    case NODE_EXPR_STMT:
    case NODE_IF:
    case NODE_WHILE:
    case NODE_DO:
    case NODE_FOR:
    case NODE_SWITCH:
    case NODE_BLOCK:
    case NODE_RETURN:
        return v->end[n->id] - v->seq[n->id] <= PART_NODES;
    default:
        return false;
    }
}

static bool is_loop(const struct node *n)
{
    return n->kind == NODE_FOR || n->kind == NODE_WHILE || n->kind == NODE_DO;
}

static void look_at_statement(struct vary *v, struct node *n)
{
    uint8_t place = v->place[n->id];
    const struct node *parent = v->parent[n->id];
    if (place & PLACE_DEAD && place & PLACE_LOOSE)
        list_add(&v->arena, &v->dead, n);
    if (place & PLACE_DEAD && !vary_is_dead(v, parent))
        list_add(&v->arena, &v->tops, n);
    if (place & PLACE_DEAD && place & PLACE_SLOT)
        list_add(&v->arena, &v->dead_slots, n);
    if (is_part(v, n))
        list_add(&v->arena, &v->parts, n);
    if (vary_is_counted(n)) {
        v->summary.statements++;
        v->summary.dead += vary_is_dead(v, n);
    }
    if (place & PLACE_SLOT && !(place & PLACE_DEAD) && v->f->flags[n->id] & VARY_RAN &&
        !vary_has_attr(v->function[n->id]->decl, "naked"))
        list_add(&v->arena, &v->live, n);
    if (place & PLACE_SLOT && is_loop(n) && v->f->flags[n->id] & VARY_RAN)
        list_add(&v->arena, &v->loops_run, n);
    vary_look_at_live(v, n);
    vary_look_at_saves(v, n);
}

static void look(struct vary *v, struct node *n)
{
    if (vary_is_statement(n) && n != v->function[n->id]->body)
        look_at_statement(v, n);
    look_at_condition(v, n);
    vary_look_at_pointer(v, n);
    if (n->kind == NODE_COND)
        look_at_arms(v, n);
    if (n->kind == NODE_BINARY && (n->op == OP_LAND || n->op == OP_LOR))
        look_at_sides(v, n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            look(v, n->kid[i]);
}

static bool calls_setjmp(const struct node *n)
{
    if (n->kind == NODE_NAME && n->u.decl->name && strstr(n->u.decl->name, "setjmp"))
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && calls_setjmp(n->kid[i]))
            return true;
    return false;
}

static const struct list *points_of(const struct vary *v, enum point_list which)
{
    const struct list *const lists[] = {
        [POINTS_LIVE] = &v->live,         [POINTS_KNOWN] = &v->known,
        [POINTS_ONE_WAY] = &v->one_way,   [POINTS_SAVES] = &v->saves,
        [POINTS_POINTERS] = &v->pointers, [POINTS_LOOPS] = &v->loops_run};
    return lists[which];
}

static void look_at_function(struct vary *v, struct function *f)
{
    struct node *body = f->body;
    if (!body || body->id >= v->node_count || !v->function[body->id])
        return;
    vary_find_places(v, f);
    v->summary.functions++;
    if (vary_is_dead(v, body)) {
        v->summary.uncalled++;
        if (v->place[body->id] & PLACE_LOOSE && body->count)
            list_add(&v->arena, &v->uncalled, f);
    }
    struct vary_function *own = &v->functions[v->function_count++];
    own->function = f;
    for (unsigned i = 0; i < POINT_LISTS; i++)
        own->points[i].first = points_of(v, i)->n;
    look(v, body);
    if (calls_setjmp(body))
        v->saves.n = own->points[POINTS_SAVES].first;
    for (unsigned i = 0; i < POINT_LISTS; i++)
        own->points[i].end = points_of(v, i)->n;
}

void *draw_point(struct draw *d, enum point_list which)
{
    const struct vary *v = d->v;
    uint64_t sum = 0;
    for (size_t i = 0; i < v->function_count; i++)
        if (v->functions[i].points[which].end > v->functions[i].points[which].first)
            sum += v->functions[i].weight;
    if (!sum)
        return NULL;
    uint64_t at = rng_below(&d->rng, sum);
    for (size_t i = 0; i < v->function_count; i++) {
        const struct vary_function *f = &v->functions[i];
        size_t n = f->points[which].end - f->points[which].first;
        if (!n)
            continue;
        if (at < f->weight)
            return points_of(v, which)->at[f->points[which].first + rng_below(&d->rng, n)];
        at -= f->weight;
    }
    BUG("the weights have changed");
}

void vary_find_points(struct vary *v)
{
    v->all_return = vary_do_all_return(v);
    v->functions = NEW_ARRAY(&v->arena, v->p->functions.n + 1, struct vary_function);
    for (size_t i = 0; i < v->p->functions.n; i++)
        look_at_function(v, v->p->functions.at[i]);
    vary_weigh_functions(v);
    v->summary.one_way = (uint32_t)v->one_way.n;
    v->summary.known = (uint32_t)v->known.n;
}
