/* Variable types: the lengths of their arrays, computed where they are declared, and their sizes.
 */
#include "machine/compile/private.h"

struct vla_size {
    const struct type *type;
    uint32_t slot; /* elements */
};

static struct vla_size *vla_find(struct compiler *c, const struct type *t)
{
    for (size_t i = c->vla.n; i-- > 0;) {
        struct vla_size *v = c->vla.at[i];
        if (v->type == t)
            return v;
    }
    return NULL;
}

bool vla_length(struct compiler *c, const struct type *t, uint32_t *slot)
{
    const struct vla_size *v = t->flags & TYPE_VARIABLE ? vla_find(c, t->canon) : NULL;
    *slot = v ? v->slot : NO_SLOT;
    return v != NULL;
}

struct opnd size_of(struct compiler *c, const struct type *t)
{
    t = t->canon;
    if (t->flags & TYPE_VARIABLE && lang_is_record(t))
        emit_unsupported(c, c->node, "structure of variable size");
    if (!(t->flags & TYPE_VARIABLE) || t->kind != TYPE_ARRAY)
        return opnd_k(lang_sizeof(c->p, t));
    struct opnd element = size_of(c, t->base);
    const struct vla_size *v = vla_find(c, t);
    u128 fixed;
    if (!v && t->u.length && !lang_constant(c->p, t->u.length, &fixed))
        emit_unsupported(c, c->node, "a variable type whose length is not known here");
    struct opnd count = v ? opnd_slot(v->slot) : opnd_k(t->u.count);
    if (count.constant && element.constant)
        return opnd_k(count.k * element.k);
    uint32_t dst = slot_new(c, 1);
    emit(c, I_MUL_U64, dst, opnd_in_slot(c, count), opnd_in_slot(c, element), 0);
    return opnd_slot(dst);
}

bool has_effects(const struct compiler *c, const struct node *n)
{
    n = edited_node(c->u, n);
    bool effects = n->kind == NODE_ASSIGN || n->kind == NODE_CALL || n->kind == NODE_STMT_EXPR ||
                   n->kind == NODE_VA_ARG || is_step(n) ||
                   (n->kind == NODE_CAST && n->op == CONV_LVALUE &&
                    kid(c, n, 0)->type->quals & QUAL_VOLATILE);
    for (uint32_t i = 0; i < n->count && !effects; i++)
        effects = n->kid[i] && has_effects(c, n->kid[i]);
    return effects;
}

/* Must the base's lengths be computed before the array's own?  gcc computes them inside out, clang
 * outside in. */
static bool base_first(struct compiler *c, const struct type *t)
{
    bool open = t->kind == TYPE_ARRAY && t->u.length && !(t->flags & TYPE_STAR) &&
                t->base->canon->flags & TYPE_VARIABLE;
    if (open && !c->m->met[CHOICE_LENGTHS])
        for (const struct type *at = t; at; at = at->kind == TYPE_ARRAY ? at->base : NULL)
            if (at->kind == TYPE_ARRAY && at->u.length && has_effects(c, at->u.length))
                machine_choose(c->m, CHOICE_LENGTHS, c->f->unit, at->u.length);
    return !open || !(c->m->options.choices >> CHOICE_LENGTHS & 1);
}

static void own_length(struct compiler *c, const struct type *t, bool adjusted)
{
    u128 fixed;
    if (t->kind != TYPE_ARRAY || !t->u.length || t->flags & TYPE_STAR ||
        lang_constant(c->p, t->u.length, &fixed))
        return;
    struct vla_size *v = vla_find(c, t->canon);
    if (!v) {
        v = NEW(&c->m->arena, struct vla_size);
        v->type = t->canon;
        v->slot = slot_reserved(c);
        list_add(&c->m->arena, &c->vla, v);
    }
    const struct node *length = t->u.length;
    struct opnd n = compile_value(c, length, NO_SLOT);
    c->node = length;
    emit_move(c, KIND_I64, v->slot, n);
    if (!adjusted) /* f(int n, int a[n]) may be called with 0 */
        emit(c, I_VLA_LENGTH, 0, v->slot, 0, 0);
}

/* Adjusted: it is a parameter's type, of which the outermost array becomes a pointer. */
static void lengths(struct compiler *c, const struct type *t, bool adjusted)
{
    if (!t)
        return;
    if (t->kind == TYPE_TYPEDEF || !(t->canon->flags & TYPE_VARIABLE))
        return;
    if (t->kind == TYPE_AUTO || (t->kind == TYPE_TYPEOF && t->u.expr)) {
        /* the lengths are those of the value: evaluated already where that is a variable */
        if (t->kind == TYPE_AUTO || t->u.expr->kind != NODE_NAME)
            emit_unsupported(c, c->node, "variable type of an expression");
        return;
    }
    if (t->kind == TYPE_FUNCTION)
        return;
    bool inner = t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY || t->kind >= TYPE_TYPEDEF;
    bool first = base_first(c, t);
    if (inner && first)
        lengths(c, t->base, adjusted && t->kind >= TYPE_TYPEDEF);
    own_length(c, t, adjusted);
    if (inner && !first)
        lengths(c, t->base, adjusted && t->kind >= TYPE_TYPEDEF);
}

/* A declaration is reached: the lengths in its type are evaluated (C11 6.7.6.2p5). */
void vla_lengths(struct compiler *c, const struct type *t)
{
    lengths(c, t, false);
}

/* A function is entered: C11 6.9.1p10. */
void vla_parameter_lengths(struct compiler *c, const struct type *t)
{
    lengths(c, t, true);
}
