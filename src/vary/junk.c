/* Code that is typed, and means nothing: it will never run.  It may overflow, divide by zero,
 * follow null pointers, read what was never set; but it compiles, without any extension of C99,
 * and links. */
#include "vary/private.h"

#include <string.h>

struct node *vary_twin(struct vary *v, const struct node *n)
{
    struct node *made = lang_node(v->p, n->kind, n->kid, n->count);
    uint32_t id = made->id, count = made->count, room = made->room;
    struct node **kid = made->kid;
    *made = *n;
    made->id = id;
    made->count = count;
    made->room = room;
    made->kid = kid;
    return made;
}

struct node *vary_block_of(struct vary *v, struct node **kids, uint32_t n)
{
    return lang_node(v->p, NODE_BLOCK, kids, n);
}

struct node *vary_int_constant(struct vary *v, int64_t value, struct type *t)
{
    bool truth = lang_is_kind(t, TYPE_BOOL);
    if (lang_is_kind(t, TYPE_ENUM)) /* which may have no name to cast to */
        t = t->canon->u.enumeration->base;
    u128 bits = truth ? value != 0 : lang_wrap((u128)(i128)value, lang_int_width(v->p, t));
    return lang_int(v->p, bits, t);
}

static struct type *basic(struct draw *d, enum type_kind kind)
{
    return lang_basic(d->v->p, kind);
}

static struct type *any_int(struct draw *d)
{
    static const uint8_t kinds[] = {TYPE_INT, TYPE_UINT, TYPE_LONG, TYPE_ULONG, TYPE_INT};
    return basic(d, kinds[rng_below(&d->rng, LENGTH(kinds))]);
}

bool vary_can_junk(const struct vary *v, const struct node *at, const struct type *t)
{
    if (t->canon->align || t->canon->quals & QUAL_MAY_ALIAS)
        return false;
    switch (t->canon->kind) {
    case TYPE_BOOL:
    case TYPE_CHAR:
    case TYPE_SCHAR:
    case TYPE_UCHAR:
    case TYPE_SHORT:
    case TYPE_USHORT:
    case TYPE_INT:
    case TYPE_UINT:
    case TYPE_LONG:
    case TYPE_ULONG:
    case TYPE_LLONG:
    case TYPE_ULLONG:
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
    case TYPE_LDOUBLE:
        return true;
    case TYPE_POINTER:
    case TYPE_ENUM:
        return vary_type_is_visible(v, at, t->canon);
    default:
        return false;
    }
}

/* ---- expressions ------------------------------------------------------------------------ */

static struct node *constant(struct draw *d, struct type *t)
{
    static const int64_t interesting[] = {0,   1,   -1,    2,     7,         31,        64,
                                          127, 255, 65535, -4096, INT32_MAX, INT32_MIN, INT64_MAX};
    return vary_int_constant(d->v, interesting[rng_below(&d->rng, LENGTH(interesting))], t);
}

static struct node *junk_int(struct draw *d, struct node *at, unsigned depth)
{
    return vary_junk_expression(d, at, any_int(d), depth);
}

enum { MOST_SUBSCRIPTS = 2 };

/* Out of bounds, but not by so much that the linker cannot name the place.  A subscript may have
 * subscripts of its own, but not without end: an array has several of them. */
static struct node *junk_index(struct draw *d, struct node *at)
{
    static const uint8_t kinds[] = {TYPE_UCHAR, TYPE_SCHAR, TYPE_SHORT, TYPE_USHORT};
    if (d->subscripts == MOST_SUBSCRIPTS || rng_chance(&d->rng, 40))
        return vary_int_constant(d->v, rng_between(&d->rng, -2, 40), basic(d, TYPE_INT));
    d->subscripts++;
    struct node *n = vary_junk_expression(d, at, basic(d, kinds[rng_below(&d->rng, LENGTH(kinds))]),
                                          0);
    d->subscripts--;
    return n;
}

/* Down from a variable to a scalar in it, or behind it. */
static struct node *scalar_in(struct draw *d, struct node *at, struct node *n)
{
    struct program *p = d->v->p;
    for (unsigned steps = 0; n && steps < 6; steps++) {
        struct type *t = n->type;
        if (t->kind == TYPE_ARRAY) {
            n = lang_index(p, n, junk_index(d, at));
        } else if (t->kind == TYPE_STRUCT || t->kind == TYPE_UNION) {
            const struct record *r = t->u.record;
            const struct field *f = r->count ? r->fields[rng_below(&d->rng, r->count)] : NULL;
            n = f && f->name ? lang_member(p, n, f->name, false) : NULL;
        } else if (t->kind == TYPE_POINTER && vary_is_complete_at(d->v, at, t->base) &&
                   t->base->kind != TYPE_VOID && t->base->kind != TYPE_FUNCTION &&
                   !(t->base->flags & TYPE_VARIABLE) && rng_chance(&d->rng, 70)) {
            n = lang_unary(p, OP_DEREF, n);
        } else {
            return lang_is_scalar(t) && !(t->quals & QUAL_ATOMIC) ? n : NULL;
        }
    }
    return NULL;
}

static struct node *scalar_lvalue(struct draw *d, struct node *at, bool global)
{
    struct decl *decl = vary_any_variable(d, at, global);
    return decl ? scalar_in(d, at, lang_name(d->v->p, decl)) : NULL;
}

static bool is_plain_scalar(const struct vary *v, const struct node *at, const struct type *t)
{
    return vary_can_junk(v, at, t->unqual);
}

/* The value of some variable, as this type. */
static struct node *junk_read(struct draw *d, struct node *at, struct type *t)
{
    struct node *n = scalar_lvalue(d, at, false);
    if (!n || !is_plain_scalar(d->v, at, n->type))
        return NULL;
    bool pointer = n->type->kind == TYPE_POINTER, floating = lang_is_floating(t);
    if (pointer && floating)
        return NULL;
    if (lang_is_floating(n->type) && t->kind == TYPE_POINTER)
        return NULL;
    if (pointer && t->kind != TYPE_POINTER)
        n = lang_cast(d->v->p, basic(d, TYPE_LONG), n);
    return n ? lang_cast(d->v->p, t, n) : NULL;
}

static struct node *junk_binary(struct draw *d, struct node *at, unsigned depth)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_REM, OP_SHL, OP_SHR, OP_AND,
                                  OP_OR,  OP_XOR, OP_LT,  OP_GE,  OP_EQ,  OP_NE,  OP_LAND};
    struct node *a = junk_int(d, at, depth), *b = junk_int(d, at, depth);
    return a && b ? lang_binary(d->v->p, ops[rng_below(&d->rng, LENGTH(ops))], a, b) : NULL;
}

static struct node *junk_unary(struct draw *d, struct node *at, unsigned depth)
{
    static const uint8_t ops[] = {OP_NEG, OP_NOT, OP_LNOT};
    struct node *a = junk_int(d, at, depth);
    return a ? lang_unary(d->v->p, ops[rng_below(&d->rng, LENGTH(ops))], a) : NULL;
}

static struct node *junk_cond(struct draw *d, struct node *at, struct type *t, unsigned depth)
{
    struct node *c = junk_int(d, at, depth), *a = vary_junk_expression(d, at, t, depth),
                *b = vary_junk_expression(d, at, t, depth);
    return a && b && c ? lang_cond(d->v->p, c, a, b) : NULL;
}

static struct node *junk_wild(struct draw *d, struct type *t)
{
    struct program *p = d->v->p;
    struct node *address = lang_cast(p, lang_pointer(p, t),
                                     vary_int_constant(d->v, 0, basic(d, TYPE_INT)));
    return address ? lang_unary(p, OP_DEREF, address) : NULL;
}

static struct node *junk_arithmetic(struct draw *d, struct node *at, struct type *t, unsigned depth)
{
    switch (depth ? rng_below(&d->rng, 12) : rng_below(&d->rng, 6)) {
    case 0:
    case 1:
        return constant(d, lang_is_floating(t) || t->kind == TYPE_ENUM ? basic(d, TYPE_INT) : t);
    case 2:
    case 3:
    case 4:
    case 5:
        return junk_read(d, at, t);
    case 6:
    case 7:
    case 8:
        return junk_binary(d, at, depth - 1);
    case 9:
        return junk_unary(d, at, depth - 1);
    case 10:
        return junk_cond(d, at, t, depth - 1);
    default:
        return junk_wild(d, t);
    }
}

struct node *vary_junk_expression(struct draw *d, struct node *at, struct type *t, unsigned depth)
{
    struct program *p = d->v->p;
    struct node *n = NULL;
    t = t->canon->unqual;
    if (!vary_can_junk(d->v, at, t))
        return NULL;
    if (t->kind == TYPE_POINTER) {
        if (rng_chance(&d->rng, 60))
            n = junk_read(d, at, t);
        if (!n)
            n = constant(d, basic(d, TYPE_LONG));
    } else {
        n = junk_arithmetic(d, at, t, depth);
        if (!n)
            n = constant(d, basic(d, TYPE_INT));
    }
    return n->type == t && !(n->flags & NODE_LVALUE) ? n : lang_cast(p, t, n);
}

/* ---- statements ------------------------------------------------------------------------- */

static struct node *statement(struct vary *v, struct node *expression)
{
    return expression ? lang_node(v->p, NODE_EXPR_STMT, &expression, 1) : NULL;
}

static struct node *junk_assign(struct draw *d, struct node *at, bool global)
{
    static const uint8_t ops[] = {OP_ASSIGN, OP_ASSIGN, OP_ASSIGN, OP_ADD,
                                  OP_XOR,    OP_SHL,    OP_DIV,    OP_OR};
    struct program *p = d->v->p;
    struct node *to = scalar_lvalue(d, at, global);
    if (!to || to->type->quals & QUAL_CONST || !is_plain_scalar(d->v, at, to->type))
        return NULL;
    bool plain = !lang_is_integer(to->type) || to->type->kind == TYPE_BOOL;
    enum op op = plain ? OP_ASSIGN : (enum op)ops[rng_below(&d->rng, LENGTH(ops))];
    struct node *value = vary_junk_expression(d, at, to->type->unqual, 2);
    return value ? statement(d->v, lang_assign(p, op, to, value)) : NULL;
}

static struct node *junk_loop_forever(struct draw *d)
{
    struct vary *v = d->v;
    struct node *kids[] = {vary_int_constant(v, 1, basic(d, TYPE_INT)),
                           lang_node(v->p, NODE_EMPTY, NULL, 0)};
    return lang_node(v->p, NODE_WHILE, kids, 2);
}

struct node *vary_junk_effect(struct draw *d, struct node *at)
{
    for (unsigned i = 0; i < 12; i++) {
        struct node *n = junk_assign(d, at, i < 8);
        if (n)
            return n;
    }
    return junk_loop_forever(d);
}

static struct node *junk_if(struct draw *d, struct node *at, unsigned depth)
{
    struct vary *v = d->v;
    struct node *then = vary_junk_statement(d, at, depth), *other = NULL;
    if (rng_chance(&d->rng, 40))
        other = vary_junk_statement(d, at, depth);
    struct node *kids[] = {junk_int(d, at, 2), vary_block_of(v, &then, 1),
                           other ? vary_block_of(v, &other, 1) : NULL};
    return kids[0] ? lang_node(v->p, NODE_IF, kids, 3) : NULL;
}

static struct node *junk_loop(struct draw *d, struct node *at, unsigned depth)
{
    struct vary *v = d->v;
    struct node *inner = vary_junk_statement(d, at, depth), *c = junk_int(d, at, 2);
    struct node *body = vary_block_of(v, &inner, 1);
    if (!c)
        return NULL;
    switch (rng_below(&d->rng, 3)) {
    case 0:
        return lang_node(v->p, NODE_WHILE, (struct node *[2]){c, body}, 2);
    case 1:
        return lang_node(v->p, NODE_DO, (struct node *[2]){body, c}, 2);
    default:
        return lang_node(v->p, NODE_FOR, (struct node *[4]){NULL, c, NULL, body}, 4);
    }
}

static struct node *argument(struct draw *d, struct node *at, struct type *t)
{
    if (lang_is_scalar(t))
        return vary_junk_expression(d, at, t, 1);
    struct decl *variable = vary_variable_of(d, at, t);
    return variable ? lang_rvalue(d->v->p, lang_name(d->v->p, variable)) : NULL;
}

static struct node *junk_call(struct draw *d, struct node *at)
{
    struct vary *v = d->v;
    struct node *args[8];
    if (!v->callable.n)
        return NULL;
    struct decl *f = v->callable.at[rng_below(&d->rng, v->callable.n)];
    const struct type *t = f->type->canon;
    if (!vary_is_visible(v, at, f) || t->kind != TYPE_FUNCTION || !(t->flags & TYPE_PROTOTYPE) ||
        t->u.function->count > LENGTH(args) ||
        (t->base->canon->kind != TYPE_VOID && !vary_is_complete_at(v, at, t->base)))
        return NULL;
    for (uint32_t i = 0; i < t->u.function->count; i++)
        if (!(args[i] = argument(d, at, t->u.function->types[i])))
            return NULL;
    struct node *call = lang_call(v->p, lang_name(v->p, f), args, t->u.function->count);
    return call ? statement(v, call) : NULL;
}

static struct node *junk_return(struct draw *d, struct node *at)
{
    struct vary *v = d->v;
    struct function *f = v->function[at->id];
    struct type *t = f->decl->type->canon->base;
    struct node *value = NULL;
    if (t->kind != TYPE_VOID && !(value = vary_junk_expression(d, at, t, 2)))
        return NULL;
    return lang_return(v->p, f, value);
}

struct node *vary_junk_statement(struct draw *d, struct node *at, unsigned depth)
{
    struct node *n = NULL;
    for (unsigned i = 0; i < 6 && !n; i++) {
        switch (rng_below(&d->rng, depth ? 12 : 6)) {
        case 0:
        case 1:
        case 2:
            n = junk_assign(d, at, false);
            break;
        case 3:
            n = junk_call(d, at);
            break;
        case 4:
            n = junk_return(d, at);
            break;
        case 5:
            n = junk_assign(d, at, true);
            break;
        case 6:
        case 7:
            n = junk_if(d, at, depth - 1);
            break;
        case 8:
            n = junk_loop(d, at, depth - 1);
            break;
        default:
            n = vary_copied_statement(d, at);
            break;
        }
    }
    return n ? n : vary_junk_effect(d, at);
}
