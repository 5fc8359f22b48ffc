/* What is certainly no constant: for initialisers of static objects (C11 6.7.9p4) and lengths of
 * arrays at file scope.
 *
 * Compilers fold more than C asks for (a * 0, the value of a const object, strlen of a literal), so
 * only what none of them takes is named: an object that is not const is read, something is
 * assigned, a function of the program is called, a constant is divided by zero, an address is cut.
 * Never refuses what gcc accepts. */
#include "front/private.h"

#include <string.h>

static bool varies(struct parser *p, const struct node *n);

/* Is an object read that nobody knows while compiling?  A part of a compound literal is one. */
static bool reads_object(struct parser *p, const struct node *lvalue)
{
    if (lvalue->type->quals & QUAL_CONST)
        return false;
    switch (lvalue->kind) {
    case NODE_LITERAL:
        return lang_is_aggregate(lvalue->type->canon);
    case NODE_NAME:
        return lvalue->u.decl->kind == DECL_VAR || lvalue->u.decl->kind == DECL_PARAM;
    case NODE_MEMBER:
        return lvalue->flags & NODE_ARROW ? varies(p, lvalue->kid[0])
                                          : reads_object(p, lvalue->kid[0]);
    case NODE_INDEX:
        return varies(p, lvalue->kid[0]) ||
               (lvalue->kid[0]->kind == NODE_CAST && lvalue->kid[0]->op == CONV_ARRAY &&
                (lvalue->kid[0]->kid[0]->kind == NODE_NAME ||
                 lvalue->kid[0]->kid[0]->kind == NODE_LITERAL) &&
                reads_object(p, lvalue->kid[0]->kid[0]));
    case NODE_UNARY:
        return lvalue->op == OP_DEREF && varies(p, lvalue->kid[0]);
    default:
        return false;
    }
}

static bool calls_unknown(const struct node *call)
{
    const struct node *f = call->kid[0];
    while (f->kind == NODE_CAST)
        f = f->kid[0];
    if (f->kind != NODE_NAME || f->u.decl->kind != DECL_FUNC || f->u.decl->builtin)
        return false;
    bool own = f->u.decl->body || f->u.decl->linkage == LINKAGE_INTERNAL;
    return strncmp(f->u.decl->name, "__", 2) != 0 && (call->count == 1 || own);
}

/* An address that the linker fills in: of an object, a function, a literal. */
static bool is_address(const struct node *n)
{
    while (n->kind == NODE_CAST && (n->op == CONV_PTR || n->op == CONV_NOOP))
        n = n->kid[0];
    return (n->kind == NODE_CAST && (n->op == CONV_ARRAY || n->op == CONV_FUNCTION)) ||
           (n->kind == NODE_UNARY && n->op == OP_ADDR);
}

/* An address that does not fit in the integer that it becomes: no linker cuts it (gcc: "not
 * computable at load time"). */
static bool cuts_address(const struct parser *p, const struct node *n)
{
    bool narrow = false;
    while (n->kind == NODE_CAST && (n->op == CONV_INT || n->op == CONV_NOOP)) {
        narrow = narrow || lang_sizeof(p->program, n->type) < p->program->target->pointer.size;
        n = n->kid[0];
    }
    if (n->kind != NODE_CAST || n->op != CONV_PTR_INT)
        return false;
    narrow = narrow || lang_sizeof(p->program, n->type) < p->program->target->pointer.size;
    return narrow && !lang_is_kind(n->type, TYPE_BOOL) && is_address(n->kid[0]);
}

static bool is_constant(struct parser *p, const struct node *n)
{
    u128 bits;
    return lang_is_integer(n->type) && lang_constant(p->program, n, &bits);
}

/* One operand is a constant that does not swallow the other. */
static bool binary_varies(struct parser *p, const struct node *n)
{
    u128 bits = 1;
    if (n->op == OP_COMMA)
        return true;
    if ((n->op == OP_DIV || n->op == OP_REM) && is_constant(p, n->kid[0]) &&
        is_constant(p, n->kid[1]))
        return lang_constant(p->program, n->kid[1], &bits) && bits == 0;
    if (n->op != OP_ADD && n->op != OP_SUB && n->op != OP_MUL)
        return false;
    for (unsigned i = 0; n->op != OP_MUL && i < 2; i++)
        if (is_address(n->kid[i]) && lang_is_integer(n->kid[!i]->type))
            return varies(p, n->kid[!i]);
    for (unsigned i = 0; i < 2; i++)
        if (is_constant(p, n->kid[i]) && lang_constant(p->program, n->kid[i], &bits) &&
            (n->op != OP_MUL || bits != 0))
            return varies(p, n->kid[!i]);
    return false;
}

/* Is it an object of a block, or a part of one?  Its address is no constant, C11 6.6p9. */
static bool is_automatic(const struct node *lvalue)
{
    while ((lvalue->kind == NODE_MEMBER && !(lvalue->flags & NODE_ARROW)) ||
           (lvalue->kind == NODE_INDEX && lvalue->kid[0]->kind == NODE_CAST &&
            lvalue->kid[0]->op == CONV_ARRAY))
        lvalue = lvalue->kind == NODE_MEMBER ? lvalue->kid[0] : lvalue->kid[0]->kid[0];
    if (lvalue->kind != NODE_NAME && lvalue->kind != NODE_LITERAL)
        return false;
    const struct decl *d = lvalue->kind == NODE_NAME ? lvalue->u.decl : lvalue->u.declarator->decl;
    return d->kind == DECL_PARAM || (d->kind == DECL_VAR && !d->is_static &&
                                     d->linkage == LINKAGE_NONE && d->storage != STORAGE_EXTERN);
}

static bool varies(struct parser *p, const struct node *n)
{
    u128 bits;
    if (is_constant(p, n))
        return false;
    switch (n->kind) {
    case NODE_CAST:
        if (n->op == CONV_LVALUE) /* GNU: a whole compound literal may stand for its list */
            return n->kid[0]->kind != NODE_LITERAL && reads_object(p, n->kid[0]);
        if (n->op == CONV_ARRAY)
            return is_automatic(n->kid[0]);
        return n->op != CONV_FUNCTION && (cuts_address(p, n) || varies(p, n->kid[0]));
    case NODE_CALL:
        return calls_unknown(n);
    case NODE_ASSIGN:
        return true;
    case NODE_UNARY:
        if (n->op == OP_NEG || n->op == OP_NOT || n->op == OP_PLUS)
            return varies(p, n->kid[0]);
        if (n->op == OP_ADDR && n->kid[0]->kind == NODE_INDEX)
            return varies(p, n->kid[0]->kid[1]) || is_automatic(n->kid[0]);
        if (n->op == OP_ADDR)
            return is_automatic(n->kid[0]);
        return n->op == OP_PREINC || n->op == OP_PREDEC || n->op == OP_POSTINC ||
               n->op == OP_POSTDEC;
    case NODE_BINARY:
        return binary_varies(p, n);
    case NODE_COND:
        if (n->kid[1] && is_constant(p, n->kid[0]) && lang_constant(p->program, n->kid[0], &bits))
            return varies(p, n->kid[bits ? 1 : 2]);
        return false;
    default:
        return false;
    }
}

const struct node *constant_refused(struct parser *p, const struct node *n)
{
    if (n->kind != NODE_INIT && n->kind != NODE_DESIGNATED)
        return n->type && varies(p, n) ? n : NULL;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct node *bad = n->kid[i] ? constant_refused(p, n->kid[i]) : NULL;
        if (bad)
            return bad;
    }
    return NULL;
}
