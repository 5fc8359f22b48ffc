/* The smallest program that still shows it: the paper's four steps (expressions, from the top, from
 * the bottom, values and types), each as long as it helps, and all again while any of them did.
 * Every candidate is evaluated anew, so that whatever is made of it is a pair again; one that is
 * undefined is no candidate.  Sees no compiler: the caller's predicate does. */
#include "missed/private.h"

#include <math.h>
#include <string.h>

struct shrink {
    struct arith *p;
    arith_keep_fn *keep;
    arith_over_fn *over; /* or NULL */
    void *context;
    struct err *e;
    bool failed;  /* the world did; e says how */
    bool ended;   /* nothing is tried any more */
    bool changed; /* in this round */
};

/* Does what was just changed keep it?  If not, the caller puts it back. */
static bool accept(struct shrink *s)
{
    bool holds = false;
    s->ended = s->ended || s->failed || sys_cancelled() || (s->over && s->over(s->context));
    if (s->ended || !arith_evaluate(s->p))
        return false;
    s->failed = !s->keep(s->context, s->p, &holds, s->e);
    holds = holds && !s->failed;
    s->changed |= holds;
    return holds;
}

/* After what was changed has been put back.  Where nothing was tried nothing was evaluated. */
static void evaluate_again(struct shrink *s)
{
    if (!s->ended)
        arith_evaluate(s->p);
}

/* ---- leaves ------------------------------------------------------------------------------- */

/* What others may write: a volatile object, or one with external linkage. */
enum leaf { LEAF_VOLATILE, LEAF_EXTERNAL };

/* A new object of that kind that holds the value of an open term. */
static struct term *open_leaf(const struct shrink *s, const struct term *t, enum leaf kind)
{
    struct arith *p = s->p;
    struct variable *v = NEW(p->a, struct variable);
    *v = (struct variable){.number = arith_highest_number(p) + 1,
                           .type = t->as,
                           .quals = kind == LEAF_VOLATILE ? QUAL_VOLATILE : 0,
                           .global = kind == LEAF_EXTERNAL,
                           .initial = t->bits};
    list_add(p->a, &p->variables, v);
    return term_variable(p->a, v);
}

/* What computes nothing and is as open: its value, or a volatile object that holds it. */
static struct term *leaf_for(const struct shrink *s, const struct term *t)
{
    return t->open ? open_leaf(s, t, LEAF_VOLATILE) : arith_value_term(s->p, t);
}

/* ---- assignments -------------------------------------------------------------------------- */

/* Without the assignments that are `gone`: their variables hold the results from the start. */
static bool drop_marked(struct shrink *s, const bool *gone)
{
    struct list *l = &s->p->assignments, before = *l, kept = {0};
    struct arena a = {0};
    u128 *initials = NEW_ARRAY(&a, before.n, u128);
    for (size_t i = 0; i < before.n; i++) {
        struct assignment *x = before.at[i];
        initials[i] = x->to->initial;
        if (gone[i])
            x->to->initial = x->expected;
        else
            list_add(s->p->a, &kept, x);
    }
    *l = kept;
    bool ok = kept.n && accept(s);
    if (!ok) {
        *l = before;
        for (size_t i = 0; i < before.n; i++)
            ((struct assignment *)before.at[i])->to->initial = initials[i];
        evaluate_again(s);
    }
    arena_free(&a);
    return ok;
}

/* Without assignments from .. from+n. */
static bool drop_assignments(struct shrink *s, size_t from, size_t n)
{
    struct arena a = {0};
    bool *gone = NEW_ARRAY(&a, s->p->assignments.n, bool);
    memset(gone + from, true, n);
    bool ok = drop_marked(s, gone);
    arena_free(&a);
    return ok;
}

static bool drop_two(struct shrink *s, size_t first, size_t second)
{
    struct arena a = {0};
    bool *gone = NEW_ARRAY(&a, s->p->assignments.n, bool);
    gone[first] = gone[second] = true;
    bool ok = drop_marked(s, gone);
    arena_free(&a);
    return ok;
}

/* Assignments from .. from+n stay where they are and compute nothing.  How far a compiler looks
 * back, and past how many accesses, is then all that they are there for. */
static bool thin_assignments(struct shrink *s, size_t from, size_t n)
{
    struct list *l = &s->p->assignments, variables = s->p->variables;
    struct arena a = {0};
    struct term **values = NEW_ARRAY(&a, n, struct term *);
    bool thinner = false;
    for (size_t i = 0; i < n; i++) {
        struct assignment *x = l->at[from + i];
        values[i] = x->value;
        if (!x->value->kid[0])
            continue;
        x->value = leaf_for(s, x->value);
        thinner = true;
    }
    bool ok = thinner && accept(s);
    for (size_t i = 0; !ok && i < n; i++)
        ((struct assignment *)l->at[from + i])->value = values[i];
    if (!ok) {
        s->p->variables = variables;
        evaluate_again(s);
    }
    arena_free(&a);
    return ok;
}

static bool drop_guards(struct shrink *s, size_t from, size_t n)
{
    struct arena a = {0};
    struct variable **before = NEW_ARRAY(&a, n, struct variable *);
    bool guarded = false;
    for (size_t i = 0; i < n; i++) {
        struct assignment *x = s->p->assignments.at[from + i];
        before[i] = x->guard;
        guarded |= x->guard != NULL;
        x->guard = NULL;
    }
    bool ok = guarded && accept(s);
    for (size_t i = 0; !ok && i < n; i++)
        ((struct assignment *)s->p->assignments.at[from + i])->guard = before[i];
    if (!ok)
        evaluate_again(s);
    arena_free(&a);
    return ok;
}

/* What is said of ranges goes, where that is not what it is about: above, or below.  Nothing else
 * gets smaller by that, so it is no reason for another round. */
static bool silence(struct shrink *s, size_t from, size_t n, unsigned side)
{
    struct arena a = {0};
    bool *before = NEW_ARRAY(&a, n, bool), changed = s->changed, loud = false;
    for (size_t i = 0; i < n; i++) {
        struct assignment *x = s->p->assignments.at[from + i];
        before[i] = x->silent[side];
        loud |= !x->silent[side];
        x->silent[side] = true;
    }
    bool ok = loud && accept(s);
    for (size_t i = 0; !ok && i < n; i++)
        ((struct assignment *)s->p->assignments.at[from + i])->silent[side] = before[i];
    s->changed = changed;
    arena_free(&a);
    return ok;
}

static bool silence_above(struct shrink *s, size_t from, size_t n)
{
    return silence(s, from, n, 0);
}

static bool silence_below(struct shrink *s, size_t from, size_t n)
{
    return silence(s, from, n, 1);
}

/* Is it there as a distance only?  One volatile object is copied to another. */
static bool is_copy(const struct assignment *x)
{
    const struct term *t = x->value;
    return t->kind == TERM_VARIABLE && t->variable->quals & x->to->quals & QUAL_VOLATILE;
}

static bool is_copied(const struct arith *p, size_t from, size_t n)
{
    bool all = true;
    for (size_t i = from; all && i < from + n; i++)
        all = is_copy(p->assignments.at[i]);
    return all;
}

enum { MANY_ASSIGNMENTS = 40, SHARES = 8 };

/* Of many assignments no copy is looked at by itself: they are alike. */
static bool is_far(const struct shrink *s)
{
    return s->p->assignments.n > MANY_ASSIGNMENTS;
}

static size_t count_others(const struct arith *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->assignments.n; i++)
        n += !is_copy(p->assignments.at[i]);
    return n;
}

/* Nor is anything else, where there are many that are no copies. */
static bool is_long(const struct shrink *s)
{
    return count_others(s->p) > MANY_ASSIGNMENTS;
}

/* All, halves, quarters ... of the assignments.  Of many, small shares that are copies stay. */
static void halve_assignments(struct shrink *s, bool (*step)(struct shrink *, size_t, size_t),
                              size_t least)
{
    const struct list *l = &s->p->assignments;
    for (size_t size = l->n; size >= least && size; size /= 2)
        for (size_t at = 0; at < l->n;) {
            size_t n = l->n - at < size ? l->n - at : size, before = l->n;
            bool alike = is_far(s) && n < l->n / SHARES && is_copied(s->p, at, n);
            if (alike || !step(s, at, n) || l->n == before)
                at += n;
        }
}

/* Of few assignments any two, wherever they stand: one may be there only because of the other. */
static void drop_pairs(struct shrink *s)
{
    enum { FEW = 7 };
    const struct list *l = &s->p->assignments;
    for (size_t i = 0; l->n <= FEW && i < l->n; i++)
        for (size_t k = i + 1; k < l->n;)
            k = drop_two(s, i, k) ? i + 1 : k + 1;
}

/* Without those from .. from+n of what are no copies, wherever they stand. */
static bool drop_others(struct shrink *s, size_t from, size_t n)
{
    struct arena a = {0};
    const struct list *l = &s->p->assignments;
    bool *gone = NEW_ARRAY(&a, l->n, bool);
    for (size_t i = 0, others = 0; i < l->n; i++) {
        bool other = !is_copy(l->at[i]);
        gone[i] = other && others >= from && others < from + n;
        others += other;
    }
    bool ok = drop_marked(s, gone);
    arena_free(&a);
    return ok;
}

/* Of a distance the copies are what is to stay: they compute nothing and are all alike. */
static void halve_others(struct shrink *s, size_t least)
{
    for (size_t size = count_others(s->p); is_far(s) && size >= least && size; size /= 2)
        for (size_t at = 0; at < count_others(s->p);)
            if (!drop_others(s, at, size))
                at += size;
}

/* Large shares of many, each of few. */
static size_t least_share(const struct shrink *s)
{
    return is_long(s) ? s->p->assignments.n / SHARES : 1;
}

static void drop_all(struct shrink *s)
{
    size_t n, others;
    do {
        n = s->p->assignments.n;
        do {
            others = count_others(s->p);
            halve_others(s, least_share(s));
        } while (count_others(s->p) < others);
        halve_assignments(s, drop_assignments, least_share(s));
        drop_pairs(s);
    } while (s->p->assignments.n < n);
}

static void minimise_assignments(struct shrink *s)
{
    drop_all(s);
    halve_assignments(s, thin_assignments, 1);
    drop_all(s);
    halve_assignments(s, silence_above, 1);
    halve_assignments(s, silence_below, 1);
    halve_assignments(s, drop_guards, 1);
}

/* ---- terms -------------------------------------------------------------------------------- */

static bool replace(struct shrink *s, struct term **at, struct term *with)
{
    struct term *before = *at;
    *at = with;
    if (accept(s))
        return true;
    *at = before;
    evaluate_again(s);
    return false;
}

/* One of its operands instead of the whole, for as long as that is enough. */
static void minimise_top(struct shrink *s, struct term **at)
{
    for (bool again = true; again && (*at)->kid[0];) {
        struct term *t = *at;
        again = replace(s, at, t->kid[0]) || (t->kid[1] && replace(s, at, t->kid[1]));
    }
}

/* What is not open would become its value. */
static bool become_object(struct shrink *s, struct term **at, enum leaf kind)
{
    struct list variables = s->p->variables;
    if (!(*at)->kid[0] || !(*at)->open)
        return false;
    if (replace(s, at, open_leaf(s, *at, kind)))
        return true;
    s->p->variables = variables;
    return false;
}

/* Its value instead of it, or an object that holds it and that others may write; if not, one of its
 * operands; if not, the same for those. */
static void minimise_bottom(struct shrink *s, struct term **at)
{
    if ((*at)->kind == TERM_CONSTANT || replace(s, at, arith_value_term(s->p, *at)) ||
        become_object(s, at, LEAF_VOLATILE) || become_object(s, at, LEAF_EXTERNAL))
        return;
    minimise_top(s, at);
    for (unsigned i = 0; i < 2; i++)
        if ((*at)->kid[i])
            minimise_bottom(s, &(*at)->kid[i]);
}

static void minimise_terms(struct shrink *s, void (*step)(struct shrink *, struct term **))
{
    for (size_t i = 0; i < s->p->assignments.n; i++) {
        struct assignment *x = s->p->assignments.at[i];
        if (x->value->kid[0] || !(is_long(s) || (is_far(s) && is_copy(x))))
            step(s, &x->value);
    }
}

/* ---- values and types --------------------------------------------------------------------- */

static bool try_bits(struct shrink *s, u128 *at, u128 bits)
{
    u128 before = *at;
    *at = bits;
    if (bits != before && accept(s))
        return true;
    *at = before;
    evaluate_again(s);
    return false;
}

/* The first of these that will do. */
static void minimise_floating(struct shrink *s, u128 *bits, uint8_t type)
{
    long double now = arith_floating(s->p, type, *bits);
    long double simple[] = {0, 1, 2, truncl(now), fabsl(now)};
    for (size_t i = 0; i < LENGTH(simple) && fabsl(simple[i]) <= fabsl(now); i++)
        if (try_bits(s, bits, arith_floating_bits(s->p, type, simple[i])))
            return;
}

static void minimise_bits(struct shrink *s, u128 *bits, uint8_t type)
{
    if (arith_is_floating(s->p, type)) {
        minimise_floating(s, bits, type);
        return;
    }
    for (;;) {
        i128 now = arith_number(s->p, type, *bits);
        i128 smaller[] = {0, 1, 2, now / 16, now / 2, now < 0 ? -now : now};
        bool done = true;
        for (size_t i = 0; done && i < LENGTH(smaller); i++) {
            i128 size = now < 0 ? -now : now, to = smaller[i];
            if ((to < 0 ? -to : to) >= size && !(now < 0 && to == size))
                continue;
            u128 with = arith_bits(s->p, type, to);
            done = arith_number(s->p, type, with) != to || !try_bits(s, bits, with);
        }
        if (done)
            return;
    }
}

static void minimise_constants(struct shrink *s, struct term **at)
{
    struct term *t = *at;
    if (t->kind == TERM_CONSTANT) {
        u128 before = t->bits;
        uint8_t type = t->type;
        bool fits = type != TYPE_INT &&
                    arith_convert_exactly(s->p, type, TYPE_INT, before, &t->bits);
        t->type = TYPE_INT;
        if (!fits || !accept(s)) {
            t->type = type;
            t->bits = before;
            evaluate_again(s);
        }
        minimise_bits(s, &t->bits, t->type);
    }
    for (unsigned i = 0; i < 2; i++)
        if (t->kid[i])
            minimise_constants(s, &t->kid[i]);
}

/* The variable changed to what `to` says, where its value fits.  Is it that now? */
static bool change_variable(struct shrink *s, struct variable *v, struct variable to)
{
    struct variable before = *v;
    bool same = to.type == v->type && to.quals == v->quals && to.global == v->global &&
                to.is_static == v->is_static;
    if (same || !arith_convert_exactly(s->p, v->type, to.type, v->initial, &to.initial))
        return same;
    *v = to;
    if (accept(s))
        return true;
    *v = before;
    evaluate_again(s);
    return false;
}

/* One property after the other. */
static void minimise_properties(struct shrink *s, struct variable *v)
{
    struct variable to = *v;
    to.type = TYPE_INT;
    change_variable(s, v, to);
    to = *v;
    to.quals &= QUAL_VOLATILE;
    change_variable(s, v, to);
    to = *v;
    to.global = to.is_static = false;
    change_variable(s, v, to);
    to = *v;
    to.global = false;
    change_variable(s, v, to);
}

/* A local int at once, mostly; and then not volatile either. */
static void minimise_variable(struct shrink *s, struct variable *v)
{
    struct variable to = *v;
    to.type = TYPE_INT;
    to.quals &= QUAL_VOLATILE;
    to.global = to.is_static = false;
    if (!change_variable(s, v, to))
        minimise_properties(s, v);
    to = *v;
    to.quals = 0;
    change_variable(s, v, to);
    minimise_bits(s, &v->initial, v->type);
}

static void mark_used(const struct term *t)
{
    if (t->kind == TERM_VARIABLE)
        t->variable->known = true;
    for (unsigned i = 0; i < 2; i++)
        if (t->kid[i])
            mark_used(t->kid[i]);
}

static void mark_all_used(struct arith *p)
{
    for (size_t i = 0; i < p->variables.n; i++)
        ((struct variable *)p->variables.at[i])->known = false;
    for (size_t i = 0; i < p->assignments.n; i++) {
        struct assignment *x = p->assignments.at[i];
        x->to->known = true;
        if (x->guard)
            x->guard->known = true;
        mark_used(x->value);
    }
}

/* Variables that nobody names go at once, but for those that are qualified so.  It is no reason for
 * another round. */
static void drop_unused(struct shrink *s, uint8_t but)
{
    struct arith *p = s->p;
    struct list before = p->variables, kept = {0};
    bool changed = s->changed;
    mark_all_used(p);
    for (size_t i = 0; i < before.n; i++) {
        struct variable *v = before.at[i];
        if (v->known || v->quals & but)
            list_add(p->a, &kept, v);
    }
    p->variables = kept;
    if (kept.n == before.n || !accept(s))
        p->variables = before;
    s->changed = changed;
    arith_evaluate(p);
}

/* A volatile object may be what it is about, named or not. */
static void drop_variables(struct shrink *s)
{
    drop_unused(s, QUAL_VOLATILE);
    drop_unused(s, 0);
}

/* Where there are many copies, what is volatile stays as it is: mostly it is one of them. */
static void minimise_values(struct shrink *s)
{
    for (size_t i = 0; i < s->p->variables.n; i++) {
        struct variable *v = s->p->variables.at[i];
        if (!is_far(s) || !(v->quals & QUAL_VOLATILE))
            minimise_variable(s, v);
    }
    minimise_terms(s, minimise_constants);
}

bool arith_minimise(struct arith *p, arith_keep_fn *keep, arith_over_fn *over, void *context,
                    struct err *e)
{
    struct shrink s = {.p = p, .keep = keep, .over = over, .context = context, .e = e};
    do {
        s.changed = false;
        minimise_assignments(&s);
        drop_variables(&s);
        minimise_terms(&s, minimise_top);
        minimise_terms(&s, minimise_bottom);
        drop_variables(&s);
        if (!is_long(&s))
            minimise_values(&s);
    } while (s.changed && !s.ended && !s.failed);
    return !s.failed;
}

/* ---- patterns ----------------------------------------------------------------------------- */

struct naming {
    const struct arith *p;
    struct arena *a;
    struct list seen; /* struct variable, in order of appearance */
    bool nameless;    /* variables of one kind look alike */
};

static void put_variable(struct naming *n, struct variable *v, struct text *out)
{
    const char *kind = v->quals & QUAL_VOLATILE ? "v" : v->global && !v->is_static ? "g" : "x";
    size_t i = 0;
    text_puts(out, kind);
    if (n->nameless)
        return;
    while (i < n->seen.n && n->seen.at[i] != v)
        i++;
    if (i == n->seen.n)
        list_add(n->a, &n->seen, v);
    text_printf(out, "%zu", i);
}

/* 0, 1 and -1 are worth their own patterns. */
static void put_constant(const struct naming *n, const struct term *t, struct text *out)
{
    bool floating = arith_is_floating(n->p, t->as);
    i128 number = floating ? 2 : arith_number(n->p, t->as, t->bits);
    if (number >= -1 && number <= 1)
        text_printf(out, "%d", (int)number);
    else
        text_puts(out, floating ? "F" : "C");
}

static void put_term(struct naming *n, const struct term *t, struct text *out);

/* Is the second operand to come first?  So that a + b and b + a are one pattern: by how they look
 * without the variables' names. */
static bool is_turned(const struct naming *n, const struct term *t)
{
    struct naming nameless = {.p = n->p, .a = n->a, .nameless = true};
    struct text looks[2] = {{0}, {0}};
    for (unsigned i = 0; i < 2; i++)
        put_term(&nameless, t->kid[i], &looks[i]);
    bool turned = strcmp(text_str(&looks[0]), text_str(&looks[1])) > 0;
    text_free(&looks[0]);
    text_free(&looks[1]);
    return turned;
}

/* a > b is b < a. */
static void put_binary(struct naming *n, const struct term *t, struct text *out)
{
    bool greater = t->op == OP_GT || t->op == OP_GE;
    enum op op = t->op == OP_GT ? OP_LT : t->op == OP_GE ? OP_LE : (enum op)t->op;
    bool turned = greater || (lang_op_info[op].commutes && is_turned(n, t));
    text_putc(out, '(');
    put_term(n, t->kid[turned], out);
    text_printf(out, " %s ", lang_op_info[op].text);
    put_term(n, t->kid[!turned], out);
    text_putc(out, ')');
}

static void put_term(struct naming *n, const struct term *t, struct text *out)
{
    if (t->kind == TERM_CONSTANT) {
        put_constant(n, t, out);
    } else if (t->kind == TERM_VARIABLE) {
        put_variable(n, t->variable, out);
    } else if (t->kind == TERM_CAST) {
        text_printf(out, "(%s)", lang_type_info[t->type].spelling);
        put_term(n, t->kid[0], out);
    } else {
        put_binary(n, t, out);
    }
}

const char *arith_pattern(struct arena *a, const struct arith *p)
{
    struct naming n = {.p = p, .a = a};
    struct text out = {0};
    for (size_t i = 0; i < p->assignments.n; i++) {
        const struct assignment *s = p->assignments.at[i];
        if (i)
            text_puts(&out, "; ");
        if (s->guard) {
            put_variable(&n, s->guard, &out);
            text_printf(&out, " %s C: ", lang_op_info[s->guard_op].text);
        }
        put_term(&n, s->value, &out);
        text_puts(&out, " -> ");
        put_variable(&n, s->to, &out);
    }
    const char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}
