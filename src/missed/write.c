/* An arithmetic program as C.  Takes one that is evaluated; builds a tree of lang's and has it
 * printed.  Every variable is declared in every form, so that two forms differ in their
 * expressions only. */
#include "missed/private.h"

struct writing {
    const struct arith *p;
    const struct arith_form *form;
    struct program *to;
    struct decl **decls; /* by number of the variable */
    struct decl **given; /* the same: parameters that point to it, or NULL */
    struct list by_pointer;
    struct function *main_, *under; /* the function whose code is looked at; mostly main */
    struct decl *abort_, *unreachable;
};

static struct type *basic(const struct writing *w, uint8_t kind)
{
    return lang_basic(w->to, (enum type_kind)kind);
}

static struct node *checked(const struct writing *w, struct node *n)
{
    if (!n)
        BUG("%s", w->to->err.msg);
    return n;
}

/* Types below int have no constants; theirs are promoted anyway. */
static struct node *number_node(const struct writing *w, uint8_t type, i128 number)
{
    uint8_t as = lang_promoted(w->to, basic(w, type))->kind;
    return lang_int(w->to, arith_bits(w->p, as, number), basic(w, as));
}

static struct node *constant(const struct writing *w, uint8_t type, u128 bits)
{
    if (arith_is_floating(w->p, type))
        return lang_float(w->to, bits, basic(w, type));
    return number_node(w, type, arith_number(w->p, type, bits));
}

/* As it is reached where the code is looked at. */
static struct node *object(const struct writing *w, const struct variable *v)
{
    struct decl *given = w->given[v->number];
    if (!given)
        return lang_name(w->to, w->decls[v->number]);
    return checked(w, lang_unary(w->to, OP_DEREF, lang_name(w->to, given)));
}

static struct node *expression(const struct writing *w, const struct term *t)
{
    if (t->kind == TERM_CONSTANT || (w->form->folded && !t->open))
        return constant(w, t->as, t->bits);
    if (t->kind == TERM_VARIABLE)
        return object(w, t->variable);
    struct node *first = expression(w, t->kid[0]);
    if (t->kind == TERM_CAST)
        return checked(w, lang_cast(w->to, basic(w, t->type), first));
    return checked(w, lang_binary(w->to, (enum op)t->op, first, expression(w, t->kid[1])));
}

/* Another value, and not 0, which would put the object elsewhere. */
u128 arith_other_initial(const struct arith *p, const struct variable *v)
{
    enum { STEP = 37, VALUES = VOLATILE_MOST - VOLATILE_LEAST + 1 };
    if (!v->is_static && !v->global) {
        unsigned at = (unsigned)(v->initial - VOLATILE_LEAST);
        return (at + STEP) % VALUES + VOLATILE_LEAST;
    }
    if (arith_is_floating(p, v->type))
        return arith_floating_bits(p, v->type,
                                   arith_floating(p, v->type, v->initial) == 1.5L ? 2.5L : 1.5L);
    u128 bits = arith_bits(p, v->type, (i128)(v->initial * 5 + 3));
    while (bits == 0 || bits == v->initial)
        bits = arith_bits(p, v->type, (i128)(bits + 1));
    return bits;
}

/* With facts, what nobody writes says so. */
static uint8_t quals_of(const struct writing *w, const struct variable *v)
{
    bool unwritten = !v->assigned && (!v->global || v->is_static) && !(v->quals & QUAL_VOLATILE);
    return w->form->facts && unwritten ? v->quals | QUAL_CONST : v->quals;
}

static const char *name_of(const struct writing *w, const struct variable *v, const char *prefix)
{
    const char *name = arena_printf(&w->to->arena, "%s%c%u", prefix, v->assigned ? 't' : 'x',
                                    v->number);
    return w->form->part ? arena_printf(&w->to->arena, "%s_%u", name, w->form->part) : name;
}

static void declare_variable(struct writing *w, const struct variable *v)
{
    struct program *p = w->to;
    struct function *owner = w->given[v->number] ? w->main_ : w->under;
    struct type *t = lang_qualified(p, basic(w, v->type), quals_of(w, v));
    struct decl *d = lang_decl_new(p, DECL_VAR, name_of(w, v, ""), t);
    d->storage = v->is_static ? STORAGE_STATIC : STORAGE_NONE;
    d->is_static = v->is_static || v->global;
    d->linkage = !v->global ? LINKAGE_NONE : v->is_static ? LINKAGE_INTERNAL : LINKAGE_EXTERNAL;
    d->owner = v->global ? NULL : owner;
    w->decls[v->number] = d;
    bool other = w->form->other_volatiles && v->quals == QUAL_VOLATILE;
    u128 initial = other ? arith_other_initial(w->p, v) : v->initial;
    struct node *init = checked(w, lang_declare(p, d, constant(w, v->type, initial)));
    lang_append(p, v->global ? p->unit : owner->body, init);
}

static struct node *call(const struct writing *w, struct decl *d)
{
    return lang_expr_stmt(w->to, checked(w, lang_call(w->to, lang_name(w->to, d), NULL, 0)));
}

static struct node *if_(const struct writing *w, const struct variable *v, enum op op,
                        struct node *number, struct node *then)
{
    struct node *test = checked(w, lang_binary(w->to, op, object(w, v), number));
    struct node *kids[3] = {lang_condition(w->to, test), then, NULL};
    return lang_node(w->to, NODE_IF, kids, 3);
}

static struct decl *new_marker(struct writing *w, const char *kind, size_t number)
{
    struct program *p = w->to;
    struct type *t = lang_function(p, basic(w, TYPE_VOID), NULL, 0, TYPE_PROTOTYPE);
    struct decl *d = lang_decl_new(p, DECL_FUNC, arena_printf(&p->arena, "%s%zu", kind, number), t);
    d->linkage = LINKAGE_EXTERNAL;
    lang_append(p, p->unit, lang_declare(p, d, NULL));
    return d;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static void declare_all(struct writing *w)
{
    for (size_t i = 0; i < w->p->variables.n; i++)
        declare_variable(w, w->p->variables.at[i]);
}

static struct function *define_function(struct writing *w, const char *name, uint8_t result,
                                        struct decl **params, uint32_t n)
{
    struct type *t = lang_function(w->to, basic(w, result), params, n, TYPE_PROTOTYPE);
    struct decl *d = lang_decl_new(w->to, DECL_FUNC, name, t);
    d->linkage = LINKAGE_EXTERNAL;
    return lang_define(w->to, d, params, n);
}

/* By pointer: a function is given the address of whatever it or others write, and reaches that by
 * the pointer alone, so that `restrict` is true of each.  More objects than it may have parameters
 * (C11 5.2.4.1p1) are reached by their names. */
static void define_compute(struct writing *w)
{
    enum { MOST_PARAMETERS = 127 };
    struct program *p = w->to;
    struct list params = {0};
    for (size_t i = 0; i < w->p->variables.n && params.n < MOST_PARAMETERS; i++) {
        struct variable *v = w->p->variables.at[i];
        if (!v->global && !v->assigned)
            continue;
        struct type *t = lang_pointer(p, lang_qualified(p, basic(w, v->type), v->quals));
        if (w->form->restricted)
            t = lang_qualified(p, t, QUAL_RESTRICT);
        w->given[v->number] = lang_decl_new(p, DECL_PARAM, name_of(w, v, "p"), t);
        list_add(&p->arena, &params, w->given[v->number]);
        list_add(&p->arena, &w->by_pointer, v);
    }
    w->under = define_function(w, MISSED_COMPUTE, TYPE_VOID, (struct decl **)params.at,
                               (uint32_t)params.n);
}

static void append_call_of_compute(struct writing *w)
{
    const struct list *l = &w->by_pointer;
    struct node **args = NEW_ARRAY(&w->to->arena, l->n + 1, struct node *);
    for (size_t i = 0; i < l->n; i++) {
        const struct variable *v = l->at[i];
        struct node *name = lang_name(w->to, w->decls[v->number]);
        args[i] = checked(w, lang_unary(w->to, OP_ADDR, name));
    }
    struct node *callee = lang_name(w->to, w->under->decl);
    struct node *made = checked(w, lang_call(w->to, callee, args, (uint32_t)l->n));
    lang_append(w->to, w->main_->body, lang_expr_stmt(w->to, made));
}

static const char *function_name(const struct writing *w)
{
    return w->form->part ? arena_printf(&w->to->arena, ARITH_PART "%u", w->form->part) : "main";
}

static void begin(struct writing *w)
{
    unsigned n = arith_highest_number(w->p) + 1;
    w->decls = NEW_ARRAY(&w->to->arena, n, struct decl *);
    w->given = NEW_ARRAY(&w->to->arena, n, struct decl *);
    w->main_ = w->under = define_function(w, function_name(w), TYPE_INT, NULL, 0);
    w->abort_ = lang_builtin(w->to, "__builtin_abort");
    w->unreachable = lang_builtin(w->to, "__builtin_unreachable");
    if (w->form->pointers)
        define_compute(w);
    declare_all(w);
}

/* What is outside of a result's range. */
struct outside {
    enum op op; /* against: */
    i128 bound;
    const char *marker;
};

/* A call where it is there: no execution makes it. */
static void append_outside(struct writing *w, const struct assignment *s, const struct outside *o,
                           size_t number, struct node *block)
{
    struct decl *called = w->form->dead ? new_marker(w, o->marker, number) : w->unreachable;
    struct node *bound = number_node(w, s->to->type, o->bound);
    lang_append(w->to, block, if_(w, s->to, o->op, bound, call(w, called)));
}

/* With dead, calls of markers right after the assignment: nothing can happen in between.  With
 * facts, that the result is in its range; a volatile object may hold anything when it is read. */
static void append_ranges(struct writing *w, const struct assignment *s, size_t number,
                          struct node *block)
{
    const struct variable *v = s->to;
    bool facts = w->form->facts && !(v->quals & QUAL_VOLATILE);
    bool one = s->low == s->high && (facts || s->as_value);
    if (!facts && !w->form->dead)
        return;
    if (!s->silent[0] && one)
        append_outside(w, s, &(struct outside){OP_NE, s->low, MARKER_OTHER}, number, block);
    else if (!s->silent[0] && s->high < arith_type_high(w->p, v->type))
        append_outside(w, s, &(struct outside){OP_GT, s->high, MARKER_ABOVE}, number, block);
    if (!s->silent[1] && !one && s->low > arith_type_low(w->p, v->type))
        append_outside(w, s, &(struct outside){OP_LT, s->low, MARKER_BELOW}, number, block);
}

static void append_assignment(struct writing *w, const struct assignment *s, size_t number)
{
    struct node *to = object(w, s->to);
    struct node *n = lang_assign(w->to, OP_ASSIGN, to, expression(w, s->value));
    struct node *made = lang_expr_stmt(w->to, checked(w, n));
    if (s->guard) {
        struct node *block = lang_node(w->to, NODE_BLOCK, &made, 1);
        append_ranges(w, s, number, block);
        made = if_(w, s->guard, (enum op)s->guard_op, number_node(w, s->guard->type, s->bound),
                   block->count > 1 ? block : made);
    }
    lang_append(w->to, w->under->body, made);
    if (!s->guard)
        append_ranges(w, s, number, w->under->body);
}

/* What follows all assignments: each result against what it must be. */
static void append_checks(struct writing *w)
{
    const struct list *l = &w->p->assignments;
    struct node *body = w->under->body;
    for (size_t i = 0; i < l->n; i++) {
        const struct assignment *s = l->at[i];
        if (!w->form->live && w->form->dead)
            continue;
        struct node *expected = constant(w, s->to->type, s->expected);
        if (w->form->live)
            lang_append(w->to, body,
                        if_(w, s->to, OP_EQ, expected, call(w, new_marker(w, MARKER_LIVE, i))));
        else
            lang_append(w->to, body, if_(w, s->to, OP_NE, expected, call(w, w->abort_)));
    }
}

void arith_write(const struct arith *p, const struct arith_form *form, struct text *out)
{
    struct writing w = {.p = p, .form = form, .to = lang_program_new(p->types->target)};
    begin(&w);
    for (size_t i = 0; i < p->assignments.n; i++)
        append_assignment(&w, p->assignments.at[i], i);
    append_checks(&w);
    if (w.under != w.main_) {
        lang_append(w.to, w.to->unit, w.under->node);
        append_call_of_compute(&w);
    }
    struct node *zero = number_node(&w, TYPE_INT, 0);
    lang_append(w.to, w.main_->body, lang_return(w.to, w.main_, zero));
    lang_append(w.to, w.to->unit, w.main_->node);
    lang_print(w.to, NULL, 0, out);
    lang_program_free(w.to);
}
