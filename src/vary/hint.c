/* Verified hints: what the executions prove, told to the compiler in the ways that GNU C has for
 * it. A compiler may lean on every one of them, so none may be false: each states what was so every
 * time control came there, or what follows from the program's being defined.  Needs: facts of whole
 * executions; where a hint rests on the program being defined, those of the machine. */
#include "vary/private.h"

#include <string.h>

enum { TRIES = 12 };

/* A call of a builtin; NULL when the arguments do not fit. */
static struct node *call(struct draw *d, const char *name, struct node **args, uint32_t n)
{
    struct program *p = d->v->p;
    struct decl *builtin = lang_builtin(p, name);
    if (!builtin)
        BUG("no builtin is called %s", name);
    return lang_call(p, lang_name(p, builtin), args, n);
}

static struct node *unreachable(struct draw *d)
{
    struct node *n = call(d, "__builtin_unreachable", NULL, 0);
    return lang_node(d->v->p, NODE_EXPR_STMT, &n, 1);
}

/* ---- what never happens ----------------------------------------------------------------- */

/* if (x > 9) __builtin_unreachable(); */
void mutate_ASSUME(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct point at;
        if (!draw_find_point(d, false, &at))
            continue;
        struct node *kids[] = {at.condition, unreachable(d), NULL};
        draw_insert(d, at.at, lang_node(d->v->p, NODE_IF, kids, 3), MUTATION_ASSUME);
    }
}

void mutate_UNREACHABLE(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct node *at = draw_open_node(d, &d->v->dead_slots);
        if (at)
            draw_insert(d, at, unreachable(d), MUTATION_UNREACHABLE);
    }
}

/* A condition that always went one way: __builtin_expect(!!c, 1). */
void mutate_EXPECT(struct draw *d, unsigned strength)
{
    struct program *p = d->v->p;
    for (unsigned i = 0; i < strength; i++) {
        const struct one_way *w = draw_point(d, POINTS_ONE_WAY);
        if (!w || !draw_is_open(d, w->condition) || !draw_is_open(d, w->owner))
            continue;
        struct node *inner = lang_unary(p, OP_LNOT, vary_twin(d->v, w->condition));
        struct node *args[] = {inner ? lang_unary(p, OP_LNOT, inner) : NULL,
                               vary_int_constant(d->v, w->truth, lang_basic(p, TYPE_LONG))};
        struct node *with = args[0] ? call(d, "__builtin_expect", args, 2) : NULL;
        if (with)
            draw_enclose(d, w->condition, with, MUTATION_EXPECT);
    }
}

/* ---- pointers --------------------------------------------------------------------------- */

/* What is accessed through a pointer of type T * has T's alignment, C11 6.3.2.3p7. */
void mutate_ALIGNED(struct draw *d, unsigned strength)
{
    struct program *p = d->v->p;
    for (unsigned i = 0; i < strength && d->v->f->exact; i++) {
        struct node *n = draw_point(d, POINTS_POINTERS);
        if (!n || !draw_is_open(d, n) || !vary_type_is_visible(d->v, n, n->type->unqual))
            continue;
        uint32_t align = lang_alignof(p, n->type->canon->base);
        struct node *args[] = {vary_twin(d->v, n),
                               vary_int_constant(d->v, align, lang_basic(p, TYPE_INT))};
        struct node *aligned = call(d, "__builtin_assume_aligned", args, 2);
        struct node *with = aligned ? lang_cast(p, n->type->unqual, aligned) : NULL;
        if (with)
            draw_enclose(d, n, with, MUTATION_ALIGNED);
    }
}

/* The pointer that a statement stores through; NULL when it is no such statement. */
static struct decl *stored_through(const struct node *statement)
{
    const struct node *n = statement->kind == NODE_EXPR_STMT ? vary_written(statement->kid[0])
                                                             : NULL;
    if (!n || n->kind != NODE_ASSIGN)
        return NULL;
    n = n->kid[0];
    while (n->kind == NODE_MEMBER && !(n->flags & NODE_ARROW))
        n = n->kid[0];
    bool through = (n->kind == NODE_UNARY && n->op == OP_DEREF) || n->kind == NODE_INDEX ||
                   n->kind == NODE_MEMBER;
    n = through ? vary_written(n->kid[0]) : NULL;
    return n && n->kind == NODE_NAME && lang_is_kind(n->u.decl->type, TYPE_POINTER) ? n->u.decl
                                                                                    : NULL;
}

/* Is q, or what nobody can point to, all that is read or written here?  And q itself stays. */
static bool touches_only(const struct node *n, const struct decl *q)
{
    const struct node *target = n->kind == NODE_ASSIGN || n->kind == NODE_UNARY ? n->kid[0] : NULL;
    bool changes = n->kind == NODE_ASSIGN || (n->kind == NODE_UNARY && n->op <= OP_PREDEC);
    if (changes && target->kind == NODE_NAME)
        return false;
    if (n->kind == NODE_UNARY && n->op == OP_ADDR)
        return false;
    if (n->kind == NODE_NAME && n->u.decl != q &&
        (!vary_is_private(n->u.decl) || !lang_is_arithmetic(n->u.decl->type)))
        return n->u.decl->kind == DECL_ENUMERATOR;
    switch (n->kind) {
    case NODE_EXPR_STMT:
    case NODE_NAME:
    case NODE_INT:
    case NODE_FLOAT:
    case NODE_UNARY:
    case NODE_BINARY:
    case NODE_COND:
    case NODE_CAST:
    case NODE_ASSIGN:
    case NODE_INDEX:
    case NODE_MEMBER:
        break;
    default:
        return false;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !touches_only(n->kid[i], q))
            return false;
    return true;
}

static struct node *with_name(struct vary *v, const struct node *n, const struct decl *from,
                              struct decl *to)
{
    struct node *made = vary_twin(v, n);
    if (n->kind == NODE_NAME && n->u.decl == from)
        made->u.decl = to;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            made->kid[i] = with_name(v, n->kid[i], from, to);
    return made;
}

/* A pointer read from memory behind q is another one: only q's own objects are reached. */
static bool reaches_once(const struct node *n)
{
    bool through = (n->kind == NODE_UNARY && n->op == OP_DEREF) || n->kind == NODE_INDEX ||
                   (n->kind == NODE_MEMBER && n->flags & NODE_ARROW);
    if (through && vary_written(n->kid[0])->kind != NODE_NAME)
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !reaches_once(n->kid[i]))
            return false;
    return true;
}

static bool can_restrict(const struct vary *v, const struct node *n, const struct decl *q)
{
    return q && q->name && vary_is_private(q) && !q->type->canon->quals &&
           lang_is_complete(q->type->canon->base) &&
           !(q->type->canon->base->canon->quals & (QUAL_VOLATILE | QUAL_ATOMIC)) &&
           vary_is_visible(v, n, q) && vary_type_is_visible(v, n, q->type) && touches_only(n, q) &&
           reaches_once(n);
}

/* { T *restrict r = q; *r = ...; }: in the block nothing else reaches what r points to,
 * C11 6.7.3.1.
 */
void mutate_RESTRICT(struct draw *d, unsigned strength)
{
    struct vary *v = d->v;
    for (unsigned i = 0; i < strength * TRIES; i++) {
        struct node *n = draw_point(d, POINTS_LIVE);
        struct decl *q = n && draw_is_open(d, n) ? stored_through(n) : NULL;
        if (!can_restrict(v, n, q) || !draw_is_whole(d, n))
            continue;
        struct decl *r = vary_fresh_variable(v, lang_qualified(v->p, q->type, QUAL_RESTRICT));
        struct node *kids[] = {lang_declare(v->p, r, lang_name(v->p, q)), with_name(v, n, q, r)};
        if (!kids[0])
            continue;
        draw_replace(d, n, vary_block_of(v, kids, 2), MUTATION_RESTRICT);
        return;
    }
}

/* ---- parameters ------------------------------------------------------------------------- */

/* Its place among the parameters, from 1 on; 0 when it is none of them. */
static unsigned place_of(const struct function *f, const struct decl *d)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i] == d)
            return i + 1;
    return 0;
}

/* A parameter that the first statement reads, and that was never null: not when the function was
 * entered, either. */
static bool was_never_null(const struct vary *v, const struct known *k)
{
    const struct function *f = v->function[k->statement->id];
    return k->decl->kind == DECL_PARAM && lang_is_kind(k->decl->type, TYPE_POINTER) && k->low > 0 &&
           f->body->count && f->body->kid[0] == k->statement &&
           f->node->type->kind != TYPE_DEFINITION && f->decl->type->canon->flags & TYPE_PROTOTYPE &&
           !(f->node->kid[0]->u.declarator->type->flags & TYPE_KNR) && place_of(f, k->decl);
}

struct node *vary_declare_again(struct vary *v, const struct function *f, const char *name,
                                const char *attr)
{
    struct program *p = v->p;
    struct attr *made = NEW(&p->arena, struct attr);
    struct declarator *own = NEW(&p->arena, struct declarator);
    struct node *none = NULL, *declarator = lang_node(p, NODE_DECLARATOR, &none, 1);
    *made = (struct attr){.name = name, .text = attr};
    *own = (struct declarator){
        .decl = f->decl, .type = f->node->kid[0]->u.declarator->type, .attrs = made};
    declarator->u.declarator = own;
    declarator->type = f->decl->type;
    struct node *n = lang_node(p, NODE_DECL, &declarator, 1);
    n->u.specs = NEW(&p->arena, struct specs);
    n->u.specs->storage = f->specs->storage;
    n->u.specs->inline_ = f->specs->inline_;
    n->type = f->node->type;
    return n;
}

void mutate_NONNULL(struct draw *d, unsigned strength)
{
    struct vary *v = d->v;
    for (unsigned i = 0; i < strength * TRIES && v->f->exact; i++) {
        const struct known *k = draw_point(d, POINTS_KNOWN);
        const struct function *f = k ? v->function[k->statement->id] : NULL;
        if (!f || !was_never_null(v, k) || !draw_is_open(d, f->node))
            continue;
        const char *attr = arena_printf(&v->p->arena, "nonnull(%u)", place_of(f, k->decl));
        draw_insert(d, f->node, vary_declare_again(v, f, "nonnull", attr), MUTATION_NONNULL);
        return;
    }
}

/* ---- loops ------------------------------------------------------------------------------ */

/* Does it store nothing but into variables that nobody can point to?  Then no iteration sees what
 * another one stored in memory. */
static bool keeps_memory(const struct node *n)
{
    bool changes = n->kind == NODE_ASSIGN || (n->kind == NODE_UNARY && n->op <= OP_PREDEC);
    if (changes && !(n->kid[0]->kind == NODE_NAME && vary_is_private(n->kid[0]->u.decl)))
        return false;
    if (n->kind == NODE_CALL || n->kind == NODE_ASM || n->kind == NODE_STMT_EXPR ||
        n->kind == NODE_VA_ARG || n->kind == NODE_DECL)
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !keeps_memory(n->kid[i]))
            return false;
    return true;
}

/* May clang be told to vectorise it?  It then adds floating numbers up in another order, which
 * is what the programmer has asked for; and so for those of a function that is called. */
static bool may_reorder(const struct node *n)
{
    const struct type *t = n->type ? n->type->canon : NULL;
    while (t && (t->kind == TYPE_VECTOR || t->kind == TYPE_ARRAY))
        t = t->base->canon;
    if (n->kind == NODE_CALL || (t && (lang_is_floating(t) || t->kind == TYPE_COMPLEX)))
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !may_reorder(n->kid[i]))
            return false;
    return true;
}

/* Small numbers: a loop that is unrolled often costs the compiler time, and that is no bug. */
static const char *loop_pragma(struct draw *d, const struct node *loop)
{
    static const char *const always[] = {
        "#pragma GCC unroll 2",
        "#pragma GCC unroll 4",
        "#pragma GCC unroll 1",
        "#pragma clang loop unroll_count(3)",
        "#pragma clang loop distribute(enable)",
    };
    static const char *const reordering[] = {
        "#pragma clang loop vectorize(enable)",
        "#pragma clang loop interleave_count(4)",
        "#pragma clang loop vectorize_width(8)",
    };
    static const char *const independent[] = {"#pragma GCC ivdep",
                                              "#pragma clang loop vectorize(assume_safety)"};
    bool whole = may_reorder(loop);
    if (keeps_memory(loop) && rng_chance(&d->rng, 50))
        return independent[rng_below(&d->rng, whole ? LENGTH(independent) : 1)];
    if (whole && rng_chance(&d->rng, 40))
        return reordering[rng_below(&d->rng, LENGTH(reordering))];
    return always[rng_below(&d->rng, LENGTH(always))];
}

void mutate_PRAGMA(struct draw *d, unsigned strength)
{
    struct vary *v = d->v;
    for (unsigned i = 0; i < strength; i++) {
        struct node *n = draw_point(d, POINTS_LOOPS);
        if (!n || !draw_is_open(d, n))
            continue;
        struct node *kids[] = {lang_node(v->p, NODE_PRAGMA, NULL, 0), vary_twin(v, n)};
        kids[0]->u.text = loop_pragma(d, n);
        draw_enclose(d, n, vary_block_of(v, kids, 2), MUTATION_PRAGMA);
    }
}
