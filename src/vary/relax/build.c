/* Wrappers written again: raw, as a statement expression, as a call.  Takes a site, yields nodes
 * for an edit of it.  Operands stand in them as they are, so that edits below them go on counting;
 * the wrapper's value is built anew, and the language's conversions with it. */
#include "vary/relax/private.h"

#include <string.h>

static bool is_bitfield(const struct node *n)
{
    while (n->kind == NODE_BINARY && n->op == OP_COMMA)
        n = vary_written(n->kid[1]);
    if (n->kind == NODE_ASSIGN || (n->kind == NODE_UNARY && n->op <= OP_PREDEC))
        n = n->kid[0];
    return n->kind == NODE_MEMBER && n->u.field->is_bitfield;
}

/* As if assigned to an object of this type; nothing is written where nothing happens. */
static struct node *converted(struct vary *v, const struct node *at, struct node *n, struct type *t)
{
    if (n->type->canon->unqual == t->canon->unqual && !is_bitfield(n))
        return n;
    return lang_cast(v->p, relax_nameable(v, at, t), n);
}

/* x, or what is one beside it. */
static struct node *operand(struct rebuild *b, uint32_t i)
{
    struct program *p = b->v->p;
    if (!b->names[i])
        return b->values[i];
    struct node *x = lang_name(p, b->names[i]);
    if (!b->beside[i])
        return x;
    struct node *one = lang_int(p, 1, lang_basic(p, TYPE_INT));
    enum op op = b->beside[i] > 0 ? OP_ADD : OP_SUB;
    return lang_cast(p, b->site->bindings[i].type->canon->unqual, lang_binary(p, op, x, one));
}

static struct node *substitute(struct rebuild *b, const struct decl *d)
{
    for (uint32_t i = 0; i < b->site->count; i++)
        if (b->site->bindings[i].decl == d) {
            b->uses[i] += b->perhaps && !vary_is_pure(b->site->bindings[i].value) ? 2 : 1;
            return operand(b, i);
        }
    return lang_name(b->v->p, (struct decl *)d);
}

static struct node *rebuild_call(struct rebuild *b, struct node *n)
{
    struct node *args[SITE_BINDINGS];
    uint32_t count = n->count - 1;
    if (count > LENGTH(args))
        BUG("a call with %u arguments in a wrapper", count);
    for (uint32_t i = 0; i < count; i++)
        args[i] = relax_rebuild(b, n->kid[i + 1]);
    return lang_call(b->v->p, lang_name(b->v->p, vary_written(n->kid[0])->u.decl), args, count);
}

/* Which nested check of the site it is; count: none. */
static uint32_t find_nested(const struct site *s, const struct node *n)
{
    uint32_t i = 0;
    while (i < s->nested_count && s->nested[i].check != n)
        i++;
    return i;
}

/* The arm that is left of it; NULL: it stays. */
static struct node *arm_left(const struct rebuild *b, const struct node *n)
{
    const struct site *s = b->site;
    uint32_t i = find_nested(s, n);
    if (n == b->dissolve)
        return n->kid[b->truth ? 1 : 2];
    bool goes = b->dissolve && i < s->nested_count && s->nested[i].never;
    return goes ? n->kid[s->nested[i].way.fires ? 2 : 1] : NULL;
}

static void note_condition(struct rebuild *b, const struct node *n, struct node *condition)
{
    uint32_t i = find_nested(b->site, n);
    if (n == b->site->check)
        b->conditions->check = condition;
    else if (i < b->site->nested_count)
        b->conditions->nested[i] = condition;
}

/* An operand that is evaluated only now and then. */
static struct node *rebuild_perhaps(struct rebuild *b, struct node *n)
{
    bool before = b->perhaps;
    b->perhaps = true;
    struct node *made = relax_rebuild(b, n);
    b->perhaps = before;
    return made;
}

static struct node *rebuild_binary(struct rebuild *b, struct node *n)
{
    bool logic = n->op == OP_LAND || n->op == OP_LOR;
    struct node *left = relax_rebuild(b, n->kid[0]);
    struct node *right = (logic ? rebuild_perhaps : relax_rebuild)(b, n->kid[1]);
    return lang_binary(b->v->p, (enum op)n->op, left, right);
}

static struct node *rebuild_cond(struct rebuild *b, struct node *n)
{
    struct node *arm = arm_left(b, n);
    if (arm)
        return converted(b->v, b->at, relax_rebuild(b, arm), n->type);
    struct node *condition = relax_rebuild(b, n->kid[0]), *yes = rebuild_perhaps(b, n->kid[1]);
    struct node *made = lang_cond(b->v->p, condition, yes, rebuild_perhaps(b, n->kid[2]));
    if (b->conditions)
        note_condition(b, n, made->kid[0]);
    return made;
}

struct node *relax_rebuild(struct rebuild *b, struct node *n)
{
    struct program *p = b->v->p;
    switch (n->kind) {
    case NODE_NAME:
        return substitute(b, n->u.decl);
    case NODE_UNARY:
        return lang_unary(p, (enum op)n->op, relax_rebuild(b, n->kid[0]));
    case NODE_BINARY:
        return rebuild_binary(b, n);
    case NODE_COND:
        return rebuild_cond(b, n);
    case NODE_CALL:
        return rebuild_call(b, n);
    case NODE_CAST: {
        struct node *inner = relax_rebuild(b, n->kid[0]);
        return n->flags & NODE_IMPLICIT ? inner : converted(b->v, b->at, inner, n->u.operand);
    }
    default:
        return vary_twin(b->v, n);
    }
}

/* ---- statement expressions ---------------------------------------------------------------- */

static struct decl *local(struct vary *v, const struct node *at, const struct binding *b)
{
    struct decl *d = lang_decl_new(v->p, DECL_VAR,
                                   arena_printf(&v->p->arena, "cupel_%u", ++v->fresh),
                                   relax_nameable(v, at, b->type));
    d->owner = v->function[at->id];
    return d;
}

static struct node *limit(struct vary *v, struct type *t, bool most)
{
    unsigned width = lang_int_width(v->p, t);
    u128 top = (u128)1 << (width - 1);
    if (lang_int_signed(v->p, t))
        return lang_int(v->p, most ? top - 1 : top, t);
    return lang_int(v->p, most ? lang_wrap(~(u128)0, width) : 0, t);
}

/* Would the check have fired if operand i had been one more, or one less? */
static struct node *fires_beside(struct rebuild *b, uint32_t i, bool more)
{
    struct program *p = b->v->p;
    struct type *t = b->site->bindings[i].type->canon->unqual;
    struct node *inside = lang_binary(p, OP_NE, operand(b, i), limit(b->v, t, more));
    b->beside[i] = more ? 1 : -1;
    struct node *fires = relax_rebuild(b, b->site->check->kid[0]);
    if (!b->site->way.fires)
        fires = lang_unary(p, OP_LNOT, fires);
    b->beside[i] = 0;
    return lang_binary(p, OP_LAND, inside, fires);
}

static struct node *near_condition(struct rebuild *b)
{
    struct node *any = NULL;
    for (uint32_t i = 0; i < 2 * b->site->count; i++) {
        const struct type *t = b->site->bindings[i / 2].type;
        if (!lang_is_integer(t) || lang_is_kind(t, TYPE_BOOL) || lang_is_kind(t, TYPE_ENUM) ||
            lang_int_width(b->v->p, t) > 64)
            continue;
        struct node *one = fires_beside(b, i / 2, i % 2);
        any = any ? lang_binary(b->v->p, OP_LOR, any, one) : one;
    }
    return any;
}

static struct node *macro_with(struct rebuild *b)
{
    struct program *p = b->v->p;
    const struct site *s = b->site;
    struct node *block = lang_node(p, NODE_BLOCK, NULL, 0);
    for (uint32_t i = 0; i < s->count; i++) {
        b->names[i] = local(b->v, s->node, &s->bindings[i]);
        lang_append(p, block, lang_declare(p, b->names[i], s->bindings[i].value));
    }
    struct conditions *c = b->conditions;
    struct node *any = c && c->ask_near && s->check ? near_condition(b) : NULL;
    if (any) {
        c->near_ = any;
        struct type *t = lang_basic(p, TYPE_INT);
        lang_append(p, block,
                    lang_expr_stmt(p, lang_cond(p, any, lang_int(p, 1, t), lang_int(p, 0, t))));
    }
    struct node *value = converted(b->v, s->node, relax_rebuild(b, s->value), s->type);
    lang_append(p, block, lang_expr_stmt(p, value));
    return lang_stmt_expr(p, block);
}

struct node *relax_macro(struct vary *v, const struct site *s, struct conditions *c)
{
    struct rebuild b = {.v = v, .site = s, .at = s->node, .conditions = c};
    return macro_with(&b);
}

/* ---- raw ---------------------------------------------------------------------------------- */

/* Operands that the operator does not have go before it, if anything happens in them. */
static struct node *with_effects(struct rebuild *b, struct node *value)
{
    struct program *p = b->v->p;
    for (uint32_t i = b->site->count; i-- > 0;)
        if (!b->uses[i] && !vary_is_pure(b->site->bindings[i].value))
            value = lang_binary(p, OP_COMMA, lang_cast(p, lang_basic(p, TYPE_VOID), b->values[i]),
                                value);
    return value;
}

struct node *relax_raw(struct vary *v, const struct site *s)
{
    struct rebuild b = {
        .v = v, .site = s, .at = s->node, .dissolve = s->check, .truth = !s->way.fires};
    for (uint32_t i = 0; i < s->count; i++)
        b.values[i] = converted(v, s->node, s->bindings[i].value, s->bindings[i].type);
    struct node *value = relax_rebuild(&b, s->value);
    for (uint32_t i = 0; i < s->count; i++)
        if (b.uses[i] > 1) { /* an operand that is evaluated once needs a name */
            struct rebuild again = {
                .v = v, .site = s, .at = s->node, .dissolve = s->check, .truth = !s->way.fires};
            return macro_with(&again);
        }
    return with_effects(&b, converted(v, s->node, value, s->type));
}

/* ---- functions ---------------------------------------------------------------------------- */

struct made_function {
    struct decl *decl;
    const char *text; /* what it computes, for those that are alike */
};

static const char *text_of(struct vary *v, const struct site *s, struct node *value)
{
    struct text t = {0};
    for (uint32_t i = 0; i < s->count; i++) {
        lang_print_type(v->p, s->bindings[i].type->canon->unqual, NULL, &t);
        text_puts(&t, ",");
    }
    lang_print_type(v->p, s->type->canon->unqual, NULL, &t);
    text_puts(&t, ":");
    lang_print_node(v->p, value, &t);
    const char *kept = arena_string(&v->p->arena, text_str(&t));
    text_free(&t);
    return kept;
}

/* The first function of the program's own: functions that are made stand before it. */
static const struct node *first_function(const struct vary *v)
{
    for (size_t i = 0; i < v->p->functions.n; i++) {
        const struct function *f = v->p->functions.at[i];
        if (f->body && f->body->id < v->node_count && v->function[f->body->id])
            return f->node;
    }
    BUG("no function of the program's own");
}

static const char *const param_names[SITE_BINDINGS] = {"a", "b", "c", "d"};

static bool can_define(const struct vary *v, const struct site *s, const struct node *before)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (relax_names(s->value, param_names[i]))
            return false;
    return relax_means_the_same(v, s, before);
}

/* static T cupel_safe_1(U a, W b) { return value; } */
static struct decl *define(struct vary *v, const struct site *s, const struct node *before,
                           uint32_t number)
{
    struct program *p = v->p;
    struct rebuild b = {.v = v, .site = s, .at = before};
    struct decl **params = NEW_ARRAY(&p->arena, s->count, struct decl *);
    for (uint32_t i = 0; i < s->count; i++) {
        params[i] = lang_decl_new(p, DECL_PARAM, param_names[i],
                                  relax_nameable(v, before, s->bindings[i].type));
        b.names[i] = params[i];
    }
    struct type *t = lang_function(p, relax_nameable(v, before, s->type), params, s->count,
                                   TYPE_PROTOTYPE);
    struct decl *d = lang_decl_new(p, DECL_FUNC, arena_printf(&p->arena, "cupel_safe_%u", number),
                                   t);
    d->storage = STORAGE_STATIC;
    d->linkage = LINKAGE_INTERNAL;
    struct function *f = lang_define(p, d, params, s->count);
    lang_append(p, f->body, lang_return(p, f, relax_rebuild(&b, s->value)));
    return d;
}

struct node *relax_function(struct relaxing *r, const struct site *s)
{
    struct program *p = r->v->p;
    struct node *args[SITE_BINDINGS];
    const char *text = text_of(r->v, s, s->value);
    struct made_function *f = NULL;
    for (size_t i = 0; i < r->functions.n && !f; i++) {
        struct made_function *made = r->functions.at[i];
        f = strcmp(made->text, text) == 0 ? made : NULL;
    }
    if (!f) {
        const struct node *before = first_function(r->v);
        if (!can_define(r->v, s, before))
            return NULL;
        f = NEW(r->arena, struct made_function);
        f->text = text;
        f->decl = define(r->v, s, before, r->v->own_names + 1 + (uint32_t)r->functions.n);
        list_add(r->arena, &r->functions, f);
        relax_add_edit(relax_change(r, &r->settled), EDIT_INSERT, before, f->decl->body->node);
    }
    for (uint32_t i = 0; i < s->count; i++)
        args[i] = s->bindings[i].value;
    return lang_call(p, lang_name(p, f->decl), args, s->count);
}
