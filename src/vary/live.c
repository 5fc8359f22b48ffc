/* Mutations of what ran, where the state is known (after Sun, Le and Su's Hermes): a condition that
 * the facts prove, new code behind its falsehood, old code behind its truth, and a variable that is
 * overwritten where nobody looks and then restored.  And where facts are few or compilers see them
 * too: new code behind a new variable that no compiler may see through. */
#include "vary/private.h"

/* ---- conditions ------------------------------------------------------------------------- */

struct limits {
    int64_t low, high;
};

static struct limits limits_of(const struct program *p, const struct type *t)
{
    unsigned width = lang_int_width(p, t);
    if (lang_is_kind(t, TYPE_BOOL))
        return (struct limits){0, 1};
    if (lang_int_signed(p, t))
        return width >= 64
                   ? (struct limits){INT64_MIN, INT64_MAX}
                   : (struct limits){-((int64_t)1 << (width - 1)), ((int64_t)1 << (width - 1)) - 1};
    return (struct limits){0, width >= 64 ? INT64_MAX : ((int64_t)1 << width) - 1};
}

static struct node *compare(struct draw *d, const struct known *k, enum op op, int64_t value)
{
    struct program *p = d->v->p;
    struct type *t = lang_is_integer(k->decl->type) ? lang_promoted(p, k->decl->type->canon->unqual)
                                                    : lang_basic(p, TYPE_INT);
    return lang_binary(p, op, lang_name(p, k->decl), vary_int_constant(d->v, value, t));
}

/* A condition on the variable that was `truth` each time; NULL when its range says nothing. */
static struct node *known_condition(struct draw *d, const struct known *k, bool truth)
{
    const struct type *t = k->decl->type->canon;
    if (t->kind == TYPE_POINTER) {
        bool null = k->low == 0 && k->high == 0;
        return compare(d, k, null == truth ? OP_EQ : OP_NE, 0);
    }
    if (lang_int_width(d->v->p, t) > 64)
        return NULL;
    struct limits l = limits_of(d->v->p, t);
    if (k->low < l.low || k->high > l.high)
        return NULL;
    bool below = k->low > l.low, above = k->high < l.high;
    if (k->low == k->high && rng_chance(&d->rng, 60))
        return compare(d, k, truth ? OP_EQ : OP_NE, k->low);
    if (below && (!above || rng_chance(&d->rng, 50)))
        return compare(d, k, truth ? OP_GE : OP_LT, k->low);
    if (above)
        return compare(d, k, truth ? OP_LE : OP_GT, k->high);
    return NULL;
}

static bool is_private_name(const struct node *n)
{
    if (n->kind == NODE_NAME && n->u.decl->kind != DECL_FUNC &&
        n->u.decl->kind != DECL_ENUMERATOR &&
        (n->u.decl->is_static || !n->u.decl->owner || n->u.decl->address_taken))
        return false;
    if (n->kind == NODE_UNARY && n->op == OP_DEREF)
        return false;
    if (n->kind == NODE_INDEX || (n->kind == NODE_MEMBER && n->flags & NODE_ARROW))
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !is_private_name(n->kid[i]))
            return false;
    return true;
}

/* The condition of an if that always went one way, asked once more in front of it. */
static struct node *repeated_condition(struct draw *d, const struct one_way *w, bool want)
{
    struct node *c = vary_twin(d->v, w->condition);
    return w->truth == want ? c : lang_unary(d->v->p, OP_LNOT, c);
}

static bool can_repeat(const struct draw *d, const struct one_way *w)
{
    return w->owner->kind == NODE_IF && d->v->place[w->owner->id] & PLACE_SLOT &&
           draw_is_shown(d, w->condition) && draw_is_open(d, w->condition) &&
           vary_is_pure(w->condition) && (!d->options->threads || is_private_name(w->condition));
}

static bool known_point(struct draw *d, bool truth, struct point *out)
{
    const struct known *k = draw_point(d, POINTS_KNOWN);
    if (!k || !draw_is_open(d, k->statement) ||
        (d->options->threads && (!k->decl->owner || k->decl->is_static || k->decl->address_taken)))
        return false;
    *out = (struct point){k->statement, known_condition(d, k, truth)};
    return out->condition;
}

static bool repeated_point(struct draw *d, bool truth, struct point *out)
{
    const struct one_way *w = draw_point(d, POINTS_ONE_WAY);
    if (!w || !can_repeat(d, w))
        return false;
    *out = (struct point){w->owner, repeated_condition(d, w, truth)};
    return out->condition;
}

/* Globals are what a compiler can least see through. */
bool draw_find_point(struct draw *d, bool truth, struct point *out)
{
    for (unsigned i = 0; i < 12; i++) {
        bool known = rng_chance(&d->rng, 70);
        if (known ? known_point(d, truth, out) : repeated_point(d, truth, out))
            return true;
    }
    return false;
}

/* ---- mutations -------------------------------------------------------------------------- */

static struct node *dead_block(struct draw *d, struct node *at)
{
    struct node *block = vary_block_of(d->v, NULL, 0);
    if (rng_chance(&d->rng, 50))
        lang_append(d->v->p, block, vary_junk_statement(d, at, 2));
    lang_append(d->v->p, block, vary_junk_effect(d, at));
    return block;
}

void mutate_GUARD(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct point at;
        if (!draw_find_point(d, false, &at))
            continue;
        struct node *kids[] = {at.condition, dead_block(d, at.at), NULL};
        draw_insert(d, at.at, lang_node(d->v->p, NODE_IF, kids, 3), MUTATION_GUARD);
    }
}

static struct decl *opaque_variable(struct draw *d, struct node *at, struct type *t)
{
    struct decl *x = vary_fresh_variable(d->v, lang_qualified(d->v->p, t, QUAL_VOLATILE));
    /* a static one only where C allows it, C11 6.7.4p3 */
    if (!d->v->function[at->id]->decl->inline_ && rng_chance(&d->rng, 40) &&
        !lang_has_lost_calls(d->v->p))
        x->storage = STORAGE_STATIC;
    return x;
}

/* { volatile T x = a, y = b; if (x op y != c) ... }: no compiler may know what it reads, and all
 * have to compute the same.  The numbers are small: nothing overflows. */
static struct node *opaque_block(struct draw *d, struct node *at)
{
    static const enum type_kind kinds[] = {TYPE_INT, TYPE_INT, TYPE_SCHAR, TYPE_SHORT, TYPE_LONG};
    static const enum op ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_REM};
    static const enum op tests[] = {OP_NE, OP_GT, OP_LT};
    struct program *p = d->v->p;
    struct type *t = lang_basic(p, kinds[rng_below(&d->rng, LENGTH(kinds))]);
    struct decl *x = opaque_variable(d, at, t), *y = opaque_variable(d, at, t);
    struct node *a = vary_int_constant(d->v, rng_between(&d->rng, -99, 99), t);
    struct node *b = vary_int_constant(d->v, rng_between(&d->rng, 1, 12), t);
    struct node *value = lang_name(p, x), *kids[] = {NULL, dead_block(d, at), NULL};
    struct node *must = lang_unary(p, OP_PLUS, vary_twin(d->v, a)); /* promoted */
    struct node *all[] = {lang_declare(p, x, a), NULL, NULL};
    uint32_t n = 1;
    u128 bits = 0;
    if (rng_chance(&d->rng, 60)) {
        enum op op = ops[rng_below(&d->rng, LENGTH(ops))];
        all[n++] = lang_declare(p, y, b);
        value = lang_binary(p, op, value, lang_name(p, y));
        must = lang_binary(p, op, vary_twin(d->v, a), vary_twin(d->v, b));
    }
    if (!lang_constant(p, must, &bits))
        BUG("an expression of constants has no value");
    kids[0] = lang_binary(p, tests[rng_below(&d->rng, LENGTH(tests))], value,
                          lang_int(p, bits, lang_promoted(p, t)));
    all[n++] = lang_node(p, NODE_IF, kids, 3);
    return vary_block_of(d->v, all, n);
}

void mutate_OPAQUE(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct node *at = draw_point(d, POINTS_LIVE);
        if (at && draw_is_open(d, at))
            draw_insert(d, at, opaque_block(d, at), MUTATION_OPAQUE);
    }
}

void mutate_WRAP(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct point at;
        if (!draw_find_point(d, true, &at) || !draw_is_open(d, at.at))
            continue;
        struct node *same = vary_twin(d->v, at.at);
        struct node *kids[] = {at.condition, vary_block_of(d->v, &same, 1), dead_block(d, at.at)};
        draw_enclose(d, at.at, lang_node(d->v->p, NODE_IF, kids, 3), MUTATION_WRAP);
    }
}

static struct node *saved_block(struct draw *d, const struct known *k)
{
    struct vary *v = d->v;
    struct program *p = v->p;
    struct decl *saved = vary_fresh_variable(v, k->decl->type);
    /* this runs: a constant, and nothing else */
    struct node *value = vary_int_constant(v, (int64_t)rng_next(&d->rng), k->decl->type->canon);
    struct node *kids[] = {
        lang_declare(p, saved, lang_name(p, k->decl)),
        NULL,
        vary_twin(v, k->statement),
        NULL,
    };
    struct node *scramble = value ? lang_assign(p, OP_ASSIGN, lang_name(p, k->decl), value) : NULL;
    struct node *restore = lang_assign(p, OP_ASSIGN, lang_name(p, k->decl), lang_name(p, saved));
    if (!kids[0] || !scramble || !restore)
        return NULL;
    kids[1] = lang_node(p, NODE_EXPR_STMT, &scramble, 1);
    kids[3] = lang_node(p, NODE_EXPR_STMT, &restore, 1);
    return vary_block_of(v, kids, 4);
}

void mutate_SAVE(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        const struct known *k = draw_point(d, POINTS_SAVES);
        if (!k || !draw_is_open(d, k->statement) ||
            !vary_type_is_visible(d->v, k->statement, k->decl->type) ||
            !vary_is_visible(d->v, k->statement, k->decl))
            continue;
        struct node *block = saved_block(d, k);
        if (block)
            draw_enclose(d, k->statement, block, MUTATION_SAVE);
    }
}
