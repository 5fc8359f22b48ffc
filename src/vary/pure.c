/* Functions that do nothing but compute, declared const or pure (gcc's manual, 6.33): compilers may
 * then call them less often than the program says.  Decided from their trees, for whatever
 * arguments: they call nobody, change nothing but variables of their own, and meet nothing volatile
 * or floating, whose flags may be looked at. What is called in an execution that ends comes back.
 */
#include "vary/private.h"

#include <string.h>

struct reach {
    const struct function *f;
    bool reads; /* memory that others may change between two calls */
};

/* A variable of the function's own that begins anew with each call. */
static bool is_own(const struct reach *r, const struct decl *d)
{
    return (d->kind == DECL_VAR || d->kind == DECL_PARAM) && d->owner == r->f && !d->is_static &&
           !d->captured && !d->cleanup && !(d->type->canon->flags & TYPE_VARIABLE);
}

/* The variable whose value, member or element it is; NULL when a pointer leads there. */
static const struct decl *variable_of(const struct node *n)
{
    for (;;) {
        if (n->kind == NODE_NAME)
            return n->u.decl;
        bool element = n->kind == NODE_INDEX && n->kid[0]->kind == NODE_CAST &&
                       n->kid[0]->op == CONV_ARRAY;
        if (!element && (n->kind != NODE_MEMBER || n->flags & NODE_ARROW))
            return NULL;
        n = element ? n->kid[0]->kid[0] : n->kid[0];
    }
}

static bool is_followed(const struct node *n)
{
    return n->kind == NODE_INDEX || (n->kind == NODE_MEMBER && n->flags & NODE_ARROW) ||
           (n->kind == NODE_UNARY && n->op == OP_DEREF);
}

static bool is_plain(const struct type *t)
{
    return !t || (!((t->quals | t->canon->quals) & (QUAL_VOLATILE | QUAL_ATOMIC)) &&
                  !lang_is_floating(t) && t->canon->kind != TYPE_COMPLEX &&
                  t->canon->kind != TYPE_VECTOR);
}

static bool computes_name(struct reach *r, const struct decl *d)
{
    bool shared = d->kind == DECL_VAR && !d->owner && !d->thread;
    r->reads |= shared;
    return d->kind == DECL_ENUMERATOR || shared || is_own(r, d);
}

/* Is it among what a function may be made of? */
static bool is_simple(struct reach *r, const struct node *n)
{
    switch (n->kind) {
    case NODE_BLOCK:
    case NODE_EXPR_STMT:
    case NODE_EMPTY:
    case NODE_IF:
    case NODE_SWITCH:
    case NODE_CASE:
    case NODE_DEFAULT:
    case NODE_WHILE:
    case NODE_DO:
    case NODE_FOR:
    case NODE_BREAK:
    case NODE_CONTINUE:
    case NODE_RETURN:
    case NODE_INT:
    case NODE_BINARY:
    case NODE_COND:
    case NODE_INDEX:
    case NODE_MEMBER:
    case NODE_INIT:
    case NODE_DESIGNATED:
        return true;
    case NODE_DECL:
        return n->type->kind != TYPE_DEFINITION;
    case NODE_DECLARATOR:
        return n->u.declarator->decl && is_own(r, n->u.declarator->decl);
    case NODE_NAME:
        return computes_name(r, n->u.decl);
    case NODE_CAST: /* a structure may have volatile members */
        return n->op != CONV_LVALUE || lang_is_scalar(n->type);
    case NODE_UNARY:
        return n->op != OP_ADDR;
    case NODE_ASSIGN:
        return lang_is_scalar(n->type);
    default:
        return false;
    }
}

static bool computes(struct reach *r, const struct node *n)
{
    bool changes = n->kind == NODE_ASSIGN || (n->kind == NODE_UNARY && n->op <= OP_PREDEC);
    const struct decl *d = changes ? variable_of(n->kid[0]) : NULL;
    if (!is_plain(n->type) || !is_simple(r, n) || (changes && (!d || !is_own(r, d))))
        return false;
    r->reads |= is_followed(n) && !variable_of(n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !computes(r, n->kid[i]))
            return false;
    return true;
}

/* What does not go with noipa. */
static bool is_special(const struct decl *d)
{
    static const char *const special[] = {"always_inline", "gnu_inline", "flatten", "ifunc",
                                          "target_clones", "target",     "naked",   "simd"};
    for (size_t i = 0; i < LENGTH(special); i++)
        if (vary_has_attr(d, special[i]))
            return true;
    return false;
}

/* Can it be declared once more, and is there a result to do without calls for? */
static bool can_be_told(const struct function *f)
{
    const struct type *t = f->decl->type->canon;
    return !f->outer && !is_special(f->decl) && f->node->type->kind != TYPE_DEFINITION &&
           t->flags & TYPE_PROTOTYPE && !(t->flags & TYPE_VARIADIC) && lang_is_scalar(t->base) &&
           is_plain(t->base) && !f->decl->noreturn && strcmp(f->decl->name, "main") != 0 &&
           !(f->node->kid[0]->u.declarator->type->flags & TYPE_KNR);
}

void mutate_PURE(struct draw *d, unsigned strength)
{
    enum { TRIES = 12 };
    struct vary *v = d->v;
    for (unsigned i = 0; i < strength * TRIES && v->f->exact; i++) {
        const struct node *n = draw_point(d, POINTS_LIVE);
        struct reach r = {.f = n ? v->function[n->id] : NULL};
        if (!r.f || !can_be_told(r.f) || !draw_is_open(d, r.f->node) ||
            !draw_is_whole(d, r.f->body) || !computes(&r, r.f->body))
            continue;
        const char *word = r.reads || rng_chance(&d->rng, 30) ? "pure" : "const";
        struct node *again = vary_declare_again(
            v, r.f, word, arena_printf(&v->p->arena, "%s, noipa", word)); /* or they see it */
        draw_insert(d, r.f->node, again, MUTATION_PURE);
        draw_hide(d, r.f->body); /* what others put there might do more */
        return;
    }
}
