/* What an arithmetic program computes.  Every term gets its value, exactly; whether that value
 * follows from the program alone; and the range that it has whatever others write.  Nothing is
 * executed: an expression that is undefined is refused, also where C would not evaluate it. */
#include "missed/private.h"

#include <math.h>

static struct type *basic(const struct arith *p, uint8_t kind)
{
    return lang_basic(p->types, (enum type_kind)kind);
}

static uint8_t promoted(const struct arith *p, uint8_t kind)
{
    return lang_promoted(p->types, basic(p, kind))->kind;
}

static enum float_format format_of(const struct arith *p, uint8_t type)
{
    return lang_float_format(p->types, basic(p, type));
}

u128 arith_floating_bits(const struct arith *p, uint8_t type, long double value)
{
    return lang_float_bits(format_of(p, type), value);
}

long double arith_floating(const struct arith *p, uint8_t type, u128 bits)
{
    return lang_float_host(format_of(p, type), bits);
}

/* Infinities and what is no number are kept out: what becomes of them is not always the same. */
static bool is_sound(const struct arith *p, uint8_t type, u128 bits)
{
    return !arith_is_floating(p, type) || isfinite(arith_floating(p, type, bits));
}

bool arith_convert(const struct arith *p, uint8_t from, uint8_t to, u128 bits, u128 *out)
{
    return lang_value_convert(p->types, basic(p, from), basic(p, to), bits, out) == VALUE_OK &&
           is_sound(p, to, *out);
}

bool arith_convert_exactly(const struct arith *p, uint8_t from, uint8_t to, u128 bits, u128 *out)
{
    u128 back;
    return arith_convert(p, from, to, bits, out) && arith_convert(p, to, from, *out, &back) &&
           back == bits &&
           (arith_is_floating(p, from) || arith_is_floating(p, to) ||
            arith_number(p, from, bits) == arith_number(p, to, *out));
}

/* Where it cannot be undefined: no value becomes an integer that was floating. */
static u128 convert(const struct arith *p, uint8_t from, uint8_t to, u128 bits)
{
    u128 result = 0;
    if (!arith_convert(p, from, to, bits, &result) && !arith_is_floating(p, to))
        BUG("a conversion is undefined");
    return result;
}

static bool is_true(const struct arith *p, const struct term *t)
{
    return !lang_value_is_zero(p->types, basic(p, t->as), t->bits);
}

/* ---- terms -------------------------------------------------------------------------------- */

static bool evaluate_shift(const struct arith *p, struct term *t)
{
    const struct term *left = t->kid[0], *right = t->kid[1];
    if (arith_is_floating(p, left->as) || arith_is_floating(p, right->as))
        return false;
    i128 by = arith_number(p, right->as, right->bits);
    t->as = promoted(p, left->as);
    return by >= 0 && lang_value_binary(p->types, t->op, basic(p, t->as),
                                        convert(p, left->as, t->as, left->bits), (u128)by,
                                        &t->bits) == VALUE_OK;
}

static void evaluate_logic(const struct arith *p, struct term *t)
{
    bool left = is_true(p, t->kid[0]), right = is_true(p, t->kid[1]);
    t->as = TYPE_INT;
    t->bits = t->op == OP_LAND ? left && right : left || right;
}

static bool evaluate_balanced(const struct arith *p, struct term *t)
{
    const struct term *left = t->kid[0], *right = t->kid[1];
    uint8_t typing = lang_op_info[t->op].typing;
    struct type *in = lang_balanced(p->types, basic(p, left->as), basic(p, right->as));
    bool is_truth = typing == lang_op_info[OP_LT].typing || typing == lang_op_info[OP_EQ].typing;
    t->as = is_truth ? TYPE_INT : in->kind;
    return lang_value_binary(p->types, t->op, in, convert(p, left->as, in->kind, left->bits),
                             convert(p, right->as, in->kind, right->bits), &t->bits) == VALUE_OK &&
           is_sound(p, t->as, t->bits);
}

static bool evaluate_binary(const struct arith *p, struct term *t)
{
    t->open = t->kid[0]->open || t->kid[1]->open;
    if (t->op == OP_SHL || t->op == OP_SHR)
        return evaluate_shift(p, t);
    if (t->op == OP_LAND || t->op == OP_LOR) {
        evaluate_logic(p, t);
        return true;
    }
    return evaluate_balanced(p, t);
}

static void evaluate_variable(struct term *t)
{
    const struct variable *v = t->variable;
    t->as = v->type;
    t->bits = v->now;
    t->open = !v->known;
}

bool arith_evaluate_term(const struct arith *p, struct term *t)
{
    bool ok = true;
    if (t->kind == TERM_CONSTANT) {
        t->as = t->type;
    } else if (t->kind == TERM_VARIABLE) {
        evaluate_variable(t);
    } else if (t->kind == TERM_CAST) {
        t->as = t->type;
        t->open = t->kid[0]->open;
        ok = arith_convert(p, t->kid[0]->as, t->type, t->kid[0]->bits, &t->bits);
    } else {
        ok = evaluate_binary(p, t);
    }
    if (ok)
        arith_set_range(p, t);
    return ok;
}

static bool evaluate_tree(const struct arith *p, struct term *t)
{
    for (unsigned i = 0; i < 2; i++)
        if (t->kid[i] && !evaluate_tree(p, t->kid[i]))
            return false;
    return arith_evaluate_term(p, t);
}

/* ---- variables ---------------------------------------------------------------------------- */

/* The range of what it holds: the value itself where that is known; else that of the term that was
 * assigned, where all of it fits; else that of its type. */
static void set_variable_range(const struct arith *p, struct variable *v, const struct term *t)
{
    i128 low = arith_type_low(p, v->type), high = arith_type_high(p, v->type);
    bool floating = arith_is_floating(p, v->type) || (t && arith_is_floating(p, t->as));
    bool fits = t && !floating && t->low >= low && t->high <= high;
    fits = fits && !(v->quals & QUAL_VOLATILE);
    v->low = fits ? t->low : low;
    v->high = fits ? t->high : high;
    if (v->known && !arith_is_floating(p, v->type))
        v->low = v->high = arith_number(p, v->type, v->now);
}

/* What it holds when main begins.  Other units may write what has external linkage, and main may
 * be called again, so that what lives on and is assigned here may hold that. */
static void begin_variable(const struct arith *p, struct variable *v)
{
    bool lives_on = v->global || v->is_static;
    bool others = v->global && !v->is_static;
    bool is_volatile = v->quals & QUAL_VOLATILE, is_const = v->quals & QUAL_CONST;
    v->now = v->initial;
    v->known = !is_volatile && (is_const || (!others && !(lives_on && v->assigned)));
    set_variable_range(p, v, NULL);
}

/* Behind the assignment, where it is made.  False when the value does not become the type. */
static bool assign(const struct arith *p, struct assignment *s)
{
    struct variable *v = s->to;
    const struct term *t = s->value;
    if (!arith_convert(p, t->as, v->type, t->bits, &s->expected))
        return false;
    v->now = s->expected;
    v->known = !t->open && !(v->quals & QUAL_VOLATILE);
    set_variable_range(p, v, t);
    s->low = v->low;
    s->high = v->high;
    return true;
}

static bool is_guard(const struct arith *p, const struct assignment *s)
{
    const struct variable *g = s->guard;
    if (arith_is_floating(p, g->type))
        return false;
    i128 now = arith_number(p, g->type, g->now);
    return !(g->quals & QUAL_VOLATILE) && g != s->to && s->bound >= arith_type_low(p, g->type) &&
           s->bound <= arith_type_high(p, g->type) &&
           (s->guard_op == OP_GE ? now >= s->bound : now <= s->bound);
}

/* Inside, the guard is known to have its bound; behind it, either thing may have happened. */
static bool evaluate_guarded(const struct arith *p, struct assignment *s)
{
    struct variable *g = s->guard, outside = *g, before = *s->to;
    if (!is_guard(p, s))
        return false;
    if (s->guard_op == OP_GE && s->bound > g->low)
        g->low = s->bound;
    if (s->guard_op == OP_LE && s->bound < g->high)
        g->high = s->bound;
    if (!evaluate_tree(p, s->value) || !assign(p, s))
        return false;
    g->low = outside.low;
    g->high = outside.high;
    if (!g->known) {
        s->to->known = false;
        s->to->low = before.low < s->low ? before.low : s->low;
        s->to->high = before.high > s->high ? before.high : s->high;
    }
    return true;
}

static bool evaluate_assignment(const struct arith *p, struct assignment *s)
{
    if (s->guard)
        return evaluate_guarded(p, s);
    return evaluate_tree(p, s->value) && assign(p, s);
}

bool arith_evaluate(struct arith *p)
{
    for (size_t i = 0; i < p->variables.n; i++)
        ((struct variable *)p->variables.at[i])->assigned = false;
    for (size_t i = 0; i < p->assignments.n; i++)
        ((struct assignment *)p->assignments.at[i])->to->assigned = true;
    for (size_t i = 0; i < p->variables.n; i++)
        begin_variable(p, p->variables.at[i]);
    for (size_t i = 0; i < p->assignments.n; i++)
        if (!evaluate_assignment(p, p->assignments.at[i]))
            return false;
    return true;
}

/* ---- terms, made and counted -------------------------------------------------------------- */

struct term *term_constant(struct arena *a, u128 bits, uint8_t type)
{
    struct term *t = NEW(a, struct term);
    *t = (struct term){.kind = TERM_CONSTANT, .type = type, .as = type, .bits = bits};
    return t;
}

struct term *term_variable(struct arena *a, struct variable *v)
{
    struct term *t = NEW(a, struct term);
    *t = (struct term){.kind = TERM_VARIABLE, .variable = v};
    return t;
}

struct term *term_binary(struct arena *a, enum op op, struct term *left, struct term *right)
{
    struct term *t = NEW(a, struct term);
    *t = (struct term){.kind = TERM_BINARY, .op = (uint8_t)op, .kid = {left, right}};
    return t;
}

struct term *arith_value_term(const struct arith *p, const struct term *t)
{
    if (arith_is_floating(p, t->as))
        return term_constant(p->a, t->bits, t->as);
    uint8_t as = promoted(p, t->as);
    return term_constant(p->a, arith_bits(p, as, arith_number(p, t->as, t->bits)), as);
}

static unsigned count_operators(const struct term *t)
{
    if (t->kind == TERM_CAST)
        return 1 + count_operators(t->kid[0]);
    return t->kind == TERM_BINARY ? 1 + count_operators(t->kid[0]) + count_operators(t->kid[1]) : 0;
}

unsigned arith_operators(const struct arith *p)
{
    unsigned n = 0;
    for (size_t i = 0; i < p->assignments.n; i++)
        n += count_operators(((const struct assignment *)p->assignments.at[i])->value);
    return n;
}

unsigned arith_highest_number(const struct arith *p)
{
    unsigned most = 0;
    for (size_t i = 0; i < p->variables.n; i++) {
        const struct variable *v = p->variables.at[i];
        most = v->number > most ? v->number : most;
    }
    return most;
}

bool arith_is_small(const struct arith *p)
{
    enum { MOST_ASSIGNMENTS = 4 };
    return arith_operators(p) < MISSED_BELOW_TEN && p->assignments.n <= MOST_ASSIGNMENTS;
}
