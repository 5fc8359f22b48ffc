/* Checks that are no wrappers: ?: and if whose condition always went one way, and whose other way
 * is slight; tests before && and || that never stopped it; masks and remainders that never changed
 * a value; arithmetic that was done in unsigned for fear of overflow.  Offers changes; whether they
 * hold is found by running them.
 *
 * Slight means that nothing of interest is lost: an arm without effects, a jump, one assignment, an
 * exit, with a complaint before it or not.  A branch with code in it is no check. */
#include "vary/relax/private.h"

#include <string.h>

struct others {
    struct relaxing *r;
    const struct machine *m;
    struct list *changes;
    struct rng stream;
};

static struct machine_fact fact_of(const struct others *o, const struct node *n)
{
    return machine_fact(o->m, 0, n);
}

/* Did the condition always go one way, at least once? */
static bool is_one_way(const struct others *o, const struct node *condition, bool *truth)
{
    for (const struct node *n = condition;; n = n->kid[0]) {
        struct machine_fact f = fact_of(o, n);
        if (f.is_condition) {
            *truth = f.taken > 0;
            return (f.taken > 0) != (f.untaken > 0);
        }
        if (n->kind != NODE_CAST || !(n->flags & NODE_IMPLICIT))
            return false;
    }
}

/* Those that are not drawn are counted, and stay. */
static void offer(struct others *o, struct node *at, struct node *with, uint32_t first)
{
    struct rng r = rng_fork_at(&o->stream, "at", o->r->v->seq[at->id]);
    o->r->out->counts.other.all++;
    if (!rng_chance(&r, o->r->request->plan.others))
        return;
    struct change *c = relax_change(o->r, o->changes);
    c->role = ROLE_OTHER;
    c->first = first;
    relax_add_edit(c, EDIT_REPLACE, at, with);
    c->last = lang_mark(o->r->v->p);
}

/* May this expression be edited: it was written, and no constant is wanted? */
static bool is_editable(const struct others *o, const struct node *n)
{
    const struct vary *v = o->r->v;
    return n->end > n->begin && !(v->place[n->id] & PLACE_CONSTANT) && relax_is_open(o->r, n);
}

/* ---- c ? a : b ---------------------------------------------------------------------------- */

/* The value, after what happens in the condition. */
static struct node *after(struct others *o, struct node *condition, struct node *value)
{
    struct program *p = o->r->v->p;
    struct node *c = vary_written(condition);
    if (vary_is_pure(c))
        return value;
    return lang_binary(p, OP_COMMA, lang_cast(p, lang_basic(p, TYPE_VOID), c), value);
}

/* Can the arm stand where the whole expression does: of its type, or an array that becomes it?
 * Structures too: nobody can assign to a member of either. */
static bool stands_for(const struct node *arm, const struct node *n)
{
    const struct type *t = n->type->canon->unqual;
    if (lang_is_real(n->type) || arm->type->canon->unqual == t)
        return lang_is_scalar(n->type) || t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
    return t->kind == TYPE_POINTER && arm->type->canon->kind == TYPE_ARRAY &&
           arm->type->canon->base->canon == t->base->canon;
}

static void look_at_cond(struct others *o, struct node *n)
{
    struct program *p = o->r->v->p;
    bool truth;
    u128 value;
    if (!n->kid[1] || !is_editable(o, n) || !is_one_way(o, n->kid[0], &truth) ||
        lang_constant(p, n->kid[0], &value))
        return;
    struct node *kept = n->kid[truth ? 1 : 2], *arm = vary_written(kept);
    if (!vary_is_pure(n->kid[truth ? 2 : 1]) || !stands_for(arm, n) || !relax_is_open(o->r, arm))
        return;
    uint32_t first = lang_mark(p);
    struct node *with = lang_is_real(n->type) ? lang_cast(p, n->type, arm)
                                              : vary_twin(o->r->v, kept);
    offer(o, n, after(o, n->kid[0], with), first);
}

/* ---- c && a, c || a ----------------------------------------------------------------------- */

/* Did the operand never decide, and is it more than a constant? */
static bool never_decides(const struct others *o, const struct node *n, const struct node *operand)
{
    bool truth;
    u128 value;
    return is_one_way(o, operand, &truth) && truth == (n->op == OP_LAND) &&
           !lang_constant(o->r->v->p, operand, &value);
}

/* The test before it never stopped it, or it never said no itself: !!a.  What comes last is
 * evaluated now and then, so that nothing may happen in it. */
static void look_at_logic(struct others *o, struct node *n)
{
    struct program *p = o->r->v->p;
    if ((n->op != OP_LAND && n->op != OP_LOR) || !is_editable(o, n))
        return;
    bool first_goes = never_decides(o, n, n->kid[0]);
    if (!first_goes && (!vary_is_pure(n->kid[1]) || !never_decides(o, n, n->kid[1])))
        return;
    struct node *a = vary_written(n->kid[first_goes ? 1 : 0]);
    if (!lang_is_scalar(a->type) || !relax_is_open(o->r, a))
        return;
    uint32_t first = lang_mark(p);
    struct node *with = lang_unary(p, OP_LNOT, lang_unary(p, OP_LNOT, a));
    offer(o, n, first_goes ? after(o, n->kid[0], with) : with, first);
}

/* ---- if ----------------------------------------------------------------------------------- */

/* The function that an expression statement calls by its name, or NULL. */
static const struct decl *called(const struct node *n)
{
    const struct node *call = n->kind == NODE_EXPR_STMT ? vary_written(n->kid[0]) : NULL;
    const struct node *f = call && call->kind == NODE_CALL ? vary_written(call->kid[0]) : NULL;
    return f && f->kind == NODE_NAME ? f->u.decl : NULL;
}

/* abort(), exit(1), what assert does */
static bool is_exit(const struct node *n)
{
    const struct decl *f = called(n);
    return f && vary_leaves_program(f);
}

/* fprintf(stderr, ...), perror(...) */
static bool is_complaint(const struct node *n)
{
    static const char *const names[] = {"printf", "fprintf", "puts",   "fputs", "putchar", "fputc",
                                        "putc",   "fflush",  "fwrite", "write", "perror"};
    const struct decl *f = called(n);
    for (size_t i = 0; f && f->name && i < LENGTH(names); i++)
        if (strcmp(f->name, names[i]) == 0)
            return true;
    return false;
}

static bool is_clamp(const struct node *n)
{
    const struct node *a = n->kid[0]->kind == NODE_CAST ? vary_written(n->kid[0]) : n->kid[0];
    return a->kind == NODE_ASSIGN && a->op == OP_ASSIGN && a->kid[0]->kind == NODE_NAME &&
           vary_is_pure(a->kid[1]);
}

/* What is left of a block when complaints at its beginning are passed over; NULL: nothing; the
 * block itself: more than one statement. */
static const struct node *only_statement(const struct node *n)
{
    while (n && n->kind == NODE_BLOCK) {
        uint32_t i = 0;
        while (i + 1 < n->count && is_complaint(n->kid[i]))
            i++;
        if (i + 1 < n->count)
            return n;
        n = n->count ? n->kid[i] : NULL;
    }
    return n;
}

/* Nothing is lost with it but the check. */
static bool is_slight(const struct node *n)
{
    n = only_statement(n);
    if (!n)
        return true;
    switch (n->kind) {
    case NODE_EMPTY:
    case NODE_BREAK:
    case NODE_CONTINUE:
    case NODE_GOTO:
        return true;
    case NODE_RETURN:
        return !n->kid[0] || vary_is_pure(n->kid[0]);
    case NODE_EXPR_STMT:
        return is_clamp(n) || is_exit(n);
    default:
        return false;
    }
}

static void look_at_if(struct others *o, struct node *n)
{
    struct vary *v = o->r->v;
    bool truth;
    u128 value;
    if (!relax_is_open(o->r, n) || !is_one_way(o, n->kid[0], &truth) ||
        lang_constant(v->p, n->kid[0], &value))
        return;
    struct node *gone = n->kid[truth ? 2 : 1], *left = n->kid[truth ? 1 : 2];
    if (!is_slight(gone) || (gone && !(v->place[gone->id] & PLACE_LOOSE)) ||
        (left && !relax_is_open(o->r, left)))
        return;
    uint32_t first = lang_mark(v->p);
    struct node *block = vary_block_of(v, NULL, 0);
    struct node *c = vary_written(n->kid[0]);
    if (!vary_is_pure(c))
        lang_append(v->p, block,
                    lang_expr_stmt(v->p, lang_cast(v->p, lang_basic(v->p, TYPE_VOID), c)));
    if (left)
        lang_append(v->p, block, left);
    offer(o, n, block, first);
}

/* ---- values brought into range ------------------------------------------------------------ */

/* x & 7, x % 8: was x always what comes out? */
static void look_at_mask(struct others *o, struct node *n)
{
    struct program *p = o->r->v->p;
    u128 most;
    if ((n->op != OP_AND && n->op != OP_REM) || !is_editable(o, n) ||
        !lang_constant(p, n->kid[1], &most) || most == 0 || most > INT32_MAX)
        return;
    if (n->op == OP_AND && (most & (most + 1)) != 0)
        return;
    struct machine_fact f = fact_of(o, n->kid[0]);
    int64_t high = (int64_t)most - (n->op == OP_REM);
    struct node *x = vary_written(n->kid[0]);
    if (!f.count || !f.has_range || f.low < 0 || f.high > high || !relax_is_open(o->r, x))
        return;
    uint32_t first = lang_mark(p);
    offer(o, n, lang_cast(p, n->type, x), first);
}

static struct node *below_cast(struct node *n, const struct type *from, const struct type *to)
{
    n = vary_written(n);
    if (n->kind != NODE_CAST || n->type->canon->unqual != to->canon->unqual)
        return NULL;
    struct node *inner = vary_written(n->kid[0]);
    return inner->type->canon->unqual == from->canon->unqual ? inner : NULL;
}

/* An operand of unsigned arithmetic as the signed one it was made of, or a number that is both. */
static struct node *signed_operand(struct program *p, struct node *n, struct type *from,
                                   const struct type *to)
{
    u128 value;
    if (!lang_constant(p, n, &value))
        return below_cast(n, from, to);
    return value >> (lang_int_width(p, from) - 1) == 0 ? lang_int(p, value, from->canon->unqual)
                                                       : NULL;
}

/* The same in signed arithmetic; NULL: it is none that can be. */
static struct node *in_signed(struct program *p, const struct node *inner, struct type *t)
{
    bool binary = inner->kind == NODE_BINARY &&
                  (inner->op == OP_ADD || inner->op == OP_SUB || inner->op == OP_MUL);
    if (!binary && (inner->kind != NODE_UNARY || inner->op != OP_NEG))
        return NULL;
    struct node *a = signed_operand(p, inner->kid[0], t, inner->type);
    if (!a || !binary)
        return a ? lang_unary(p, OP_NEG, a) : NULL;
    struct node *b = signed_operand(p, inner->kid[1], t, inner->type);
    return b ? lang_binary(p, (enum op)inner->op, a, b) : NULL;
}

/* (int)((unsigned)a + (unsigned)b) is a + b, unless that overflows; so is (int)-(unsigned)a -a. */
static void look_at_wrapping(struct others *o, struct node *n)
{
    struct program *p = o->r->v->p;
    u128 value;
    struct node *inner = vary_written(n->kid[0]);
    if (n->flags & NODE_IMPLICIT || n->op != CONV_INT || !lang_is_integer(inner->type) ||
        !lang_int_signed(p, n->type) || lang_int_signed(p, inner->type) ||
        lang_int_width(p, n->type) != lang_int_width(p, inner->type) || !is_editable(o, n) ||
        lang_constant(p, inner, &value))
        return;
    uint32_t first = lang_mark(p);
    struct node *with = in_signed(p, inner, n->type);
    if (with && with->type->canon->unqual == n->type->canon->unqual)
        offer(o, n, with, first);
}

/* ---- all of them -------------------------------------------------------------------------- */

/* A wrapper's own check is looked at as such; its operands are not. */
static void look(struct others *o, struct node *n)
{
    switch (n->kind) {
    case NODE_COND:
        look_at_cond(o, n);
        break;
    case NODE_IF:
        look_at_if(o, n);
        break;
    case NODE_BINARY:
        look_at_mask(o, n);
        look_at_logic(o, n);
        break;
    case NODE_CAST:
        if (lang_is_integer(n->type))
            look_at_wrapping(o, n);
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            look(o, n->kid[i]);
}

void relax_offer_others(struct relaxing *r, const struct machine *m, struct list *changes)
{
    struct rng root = rng_seed(r->request->plan.seed);
    struct others o = {r, m, changes, rng_fork(&root, "relax.other")};
    for (size_t i = 0; i < r->v->p->functions.n; i++) {
        const struct function *f = r->v->p->functions.at[i];
        if (relax_is_own(r->v, f))
            look(&o, f->body);
    }
}
