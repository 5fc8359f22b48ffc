/* Random arithmetic programs, after Table 3 of the paper: types, scopes, classes, qualifiers,
 * operators.  What is drawn is evaluated at once, bottom up, and what would be undefined gets
 * another operator, so nothing is ever thrown away.  Decides nothing about compilers. */
#include "missed/private.h"

static const uint8_t types[] = {TYPE_SCHAR, TYPE_UCHAR, TYPE_SHORT, TYPE_USHORT, TYPE_INT,
                                TYPE_UINT,  TYPE_LONG,  TYPE_ULONG, TYPE_LLONG,  TYPE_ULLONG};
static const uint8_t floating_types[] = {TYPE_FLOAT, TYPE_DOUBLE};

static const struct {
    uint8_t quals;
    unsigned weight;
} qualifiers[] = {{0, 45}, {QUAL_CONST, 15}, {QUAL_VOLATILE, 30}, {QUAL_CONST | QUAL_VOLATILE, 10}};

/* instead: what to try where the operator is undefined; OP_AND never is for integers, and OP_LT for
 * nothing. */
static const struct {
    enum op op, instead;
    unsigned weight;
} operators[] = {
    {OP_ADD, OP_SUB, 12}, {OP_SUB, OP_ADD, 12}, {OP_MUL, OP_DIV, 8}, {OP_DIV, OP_AND, 8},
    {OP_LAND, OP_AND, 4}, {OP_LOR, OP_AND, 4},  {OP_EQ, OP_AND, 3},  {OP_NE, OP_AND, 3},
    {OP_LT, OP_AND, 3},   {OP_GT, OP_AND, 3},   {OP_LE, OP_AND, 3},  {OP_GE, OP_AND, 3},
    {OP_SHL, OP_SHR, 6},  {OP_SHR, OP_AND, 6},  {OP_AND, OP_AND, 6}, {OP_OR, OP_AND, 6},
    {OP_XOR, OP_AND, 6},  {OP_REM, OP_AND, 4},
};

enum {
    CAST_PERCENT = 6,
    FLOATING_PERCENT = 25, /* of types, where there are floating ones */
    CONSTANT_PERCENT = 10,
    TARGET_PERCENT = 15,
    NEW_PERCENT = 40,
    GUARD_PERCENT = 40,   /* of assignments, where there are guards */
    GUARDED_PERCENT = 40, /* of leaves behind a guard */
    VALUE_PERCENT = 40    /* of assignments: what has one value is told as one */
};

struct drawing {
    struct arith *p;
    const struct missed_shape *shape;
    struct rng r;
    struct variable *guard; /* of the assignment that is being drawn, or NULL */
    size_t done; /* variables before this one may be read: those that are assigned come later */
};

static uint8_t draw_type(struct drawing *d)
{
    if (d->shape->floats && rng_chance(&d->r, FLOATING_PERCENT))
        return floating_types[rng_below(&d->r, LENGTH(floating_types))];
    return types[rng_below(&d->r, LENGTH(types))];
}

/* Quarters, so that many operations are exact, and now and then a large or small one. */
static u128 draw_floating(const struct arith *p, uint8_t type, struct rng *r)
{
    long double number = (long double)rng_between(r, -64, 64) / 4;
    if (rng_chance(r, 20))
        number *= rng_chance(r, 50) ? 1e10L : 1e-5L;
    return arith_floating_bits(p, type, number);
}

/* Small numbers, extremes and anything. */
static u128 draw_bits(const struct arith *p, uint8_t type, struct rng *r)
{
    if (arith_is_floating(p, type))
        return draw_floating(p, type, r);
    i128 number = rng_between(r, -16, 16);
    if (rng_chance(r, 50))
        number = (i128)(int64_t)(rng_next(r) >> rng_below(r, 64));
    else if (rng_chance(r, 10))
        number = rng_chance(r, 50) ? arith_type_low(p, type) : arith_type_high(p, type);
    return arith_bits(p, type, number);
}

static uint8_t draw_qualifiers(struct rng *r)
{
    unsigned weights[LENGTH(qualifiers)];
    for (size_t i = 0; i < LENGTH(qualifiers); i++)
        weights[i] = qualifiers[i].weight;
    return qualifiers[rng_weighted(r, weights, LENGTH(qualifiers))].quals;
}

static struct variable *add_variable(struct drawing *d, uint8_t type, u128 initial)
{
    struct arith *p = d->p;
    struct variable *v = NEW(p->a, struct variable);
    *v = (struct variable){.number = (unsigned)p->variables.n,
                           .type = type,
                           .quals = draw_qualifiers(&d->r),
                           .global = rng_chance(&d->r, 50),
                           .is_static = rng_chance(&d->r, 50),
                           .initial = initial};
    list_add(p->a, &p->variables, v);
    return v;
}

/* Its state as arith_evaluate will find it: needed because terms are evaluated while drawn. */
static void begin(struct arith *p, struct variable *v)
{
    v->now = v->initial;
    v->known = false;
    v->low = arith_type_low(p, v->type);
    v->high = arith_type_high(p, v->type);
}

static struct term *draw_leaf(struct drawing *d)
{
    struct arith *p = d->p;
    uint8_t type = draw_type(d);
    if (d->guard && rng_chance(&d->r, GUARDED_PERCENT))
        return term_variable(p->a, d->guard);
    if (rng_chance(&d->r, CONSTANT_PERCENT)) {
        uint8_t wide = type < TYPE_INT ? TYPE_INT : type;
        return term_constant(p->a, draw_bits(p, wide, &d->r), wide);
    }
    if (d->done && rng_chance(&d->r, TARGET_PERCENT)) {
        struct assignment *s = p->assignments.at[rng_below(&d->r, d->done)];
        return term_variable(p->a, s->to);
    }
    if (p->variables.n == d->done || rng_chance(&d->r, NEW_PERCENT)) {
        struct variable *v = add_variable(d, type, draw_bits(p, type, &d->r));
        begin(p, v);
        return term_variable(p->a, v);
    }
    return term_variable(p->a, p->variables.at[rng_below(&d->r, p->variables.n)]);
}

static size_t draw_operator(struct drawing *d)
{
    unsigned weights[LENGTH(operators)];
    for (size_t i = 0; i < LENGTH(operators); i++)
        weights[i] = operators[i].op == OP_REM && !d->shape->remainders ? 0 : operators[i].weight;
    return rng_weighted(&d->r, weights, LENGTH(operators));
}

/* A count that is out of range gets a variable added that brings it into the range. */
static void mend_count(struct drawing *d, struct term *t)
{
    struct arith *p = d->p;
    struct term *count = t->kid[1];
    if (arith_is_floating(p, t->kid[0]->as) || arith_is_floating(p, count->as))
        return;
    uint8_t left = lang_promoted(p->types, lang_basic(p->types, t->kid[0]->as))->kind;
    uint8_t type = lang_promoted(p->types, lang_basic(p->types, count->as))->kind;
    unsigned width = lang_int_width(p->types, lang_basic(p->types, left));
    i128 now = arith_number(p, count->as, count->bits);
    if (now >= 0 && now < width)
        return;
    i128 by = rng_between(&d->r, 0, width - 1);
    struct variable *v = add_variable(d, type, arith_bits(p, type, by - now));
    begin(p, v);
    struct term *added = term_variable(p->a, v);
    struct term *sum = term_binary(p->a, OP_ADD, count, added);
    if (arith_evaluate_term(p, added) && arith_evaluate_term(p, sum) &&
        arith_number(p, sum->as, sum->bits) == by)
        t->kid[1] = sum;
}

/* What is defined whatever the operands are. */
static enum op last_resort(const struct drawing *d, const struct term *t)
{
    return arith_is_floating(d->p, t->kid[0]->as) || arith_is_floating(d->p, t->kid[1]->as)
               ? OP_LT
               : OP_AND;
}

/* Another operator until it is defined. */
static void evaluate_mending(struct drawing *d, struct term *t, size_t row)
{
    if (t->op == OP_SHL || t->op == OP_SHR)
        mend_count(d, t);
    for (unsigned tries = 0; !arith_evaluate_term(d->p, t); tries++) {
        enum op next = tries < 3 ? operators[row].instead : last_resort(d, t);
        t->op = (uint8_t)next;
        for (row = 0; operators[row].op != next; row++)
            continue;
    }
}

static struct term *draw_term(struct drawing *d, unsigned count)
{
    struct term *t;
    if (!count) {
        t = draw_leaf(d);
        arith_evaluate_term(d->p, t);
        return t;
    }
    if (rng_chance(&d->r, CAST_PERCENT)) {
        t = NEW(d->p->a, struct term);
        *t = (struct term){.kind = TERM_CAST, .type = draw_type(d)};
        t->kid[0] = draw_term(d, count - 1);
        if (!arith_evaluate_term(d->p, t)) {
            t->type = t->kid[0]->as;
            arith_evaluate_term(d->p, t);
        }
        return t;
    }
    unsigned left = (unsigned)rng_below(&d->r, count);
    size_t row = draw_operator(d);
    struct term *first = draw_term(d, left);
    t = term_binary(d->p->a, operators[row].op, first, draw_term(d, count - 1 - left));
    evaluate_mending(d, t, row);
    return t;
}

/* Something that was assigned, and a bound near what it holds. */
static void draw_guard(struct drawing *d, struct assignment *s)
{
    struct arith *p = d->p;
    d->guard = NULL;
    if (!d->shape->guards || !d->done || !rng_chance(&d->r, GUARD_PERCENT))
        return;
    struct variable *g = ((struct assignment *)p->assignments.at[rng_below(&d->r, d->done)])->to;
    if (arith_is_floating(p, g->type))
        return;
    bool least = rng_chance(&d->r, 50);
    i128 now = arith_number(p, g->type, g->now), away = rng_between(&d->r, 0, 16);
    i128 bound = least ? now - away : now + away;
    if (g->quals & QUAL_VOLATILE || bound < arith_type_low(p, g->type) ||
        bound > arith_type_high(p, g->type))
        return;
    s->guard = d->guard = g;
    s->guard_op = least ? OP_GE : OP_LE;
    s->bound = bound;
}

static void draw_assignment(struct drawing *d, unsigned count)
{
    struct arith *p = d->p;
    struct assignment *s = NEW(p->a, struct assignment);
    struct rng as_value = rng_fork_at(&d->r, "missed.value", d->done);
    uint8_t type = draw_type(d);
    u128 now;
    s->as_value = rng_chance(&as_value, VALUE_PERCENT);
    draw_guard(d, s);
    s->value = draw_term(d, count);
    if (!arith_convert(p, s->value->as, type, s->value->bits, &now)) {
        type = s->value->as;
        now = s->value->bits;
    }
    s->to = add_variable(d, type, draw_bits(p, type, &d->r));
    s->to->quals &= (uint8_t)~QUAL_CONST;
    begin(p, s->to);
    s->to->now = now;
    list_add(p->a, &p->assignments, s);
    d->done++;
}

struct arith *arith_draw(struct arena *a, struct program *types_, const struct missed_shape *shape,
                         struct rng r)
{
    struct arith *p = NEW(a, struct arith);
    *p = (struct arith){.a = a, .types = types_};
    struct drawing d = {.p = p, .shape = shape, .r = rng_fork(&r, "missed.draw")};
    unsigned statements = 1 + (unsigned)rng_below(&d.r, (shape->operators + 1) / 2);
    unsigned left = shape->operators;
    for (unsigned i = statements; i > 0; i--) {
        unsigned mean = left / i;
        unsigned n = i == 1 ? left : (unsigned)rng_below(&d.r, 2 * (uint64_t)mean + 1);
        n = n > left ? left : n;
        draw_assignment(&d, n);
        left -= n;
    }
    if (!arith_evaluate(p))
        BUG("a drawn program is undefined");
    return p;
}
