/* Expressions of the tree, executed.  Comes by on second and later visits; the first visit is the
 * making.  Holes are filled on the way, and what would be undefined now is guarded in place. */
#include "gen/run/run.h"

#include <string.h>

typedef void eval_fn(struct gen *g, struct node **slot, struct val *v);

/* The node would be undefined now: it is wrapped in place, and v is the wrapper's value. */
static void guard(struct gen *g, struct node **slot, struct run_fault f, struct val *v)
{
    g->hooks->guard(g, slot, &f, v);
}

static void guard_ready(struct gen *g, const struct spot *s)
{
    guard(g, NULL, (struct run_fault){.kind = RUN_FAULT_ready, .spot = s}, NULL);
}

/* ---- lvalues ---------------------------------------------------------------------------- */

static void spot_name(struct gen *g, struct node **slot, struct spot *s)
{
    struct node *n = *slot;
    s->object = gen_about(g, n->u.decl)->object;
    s->at = 0;
    if (!s->object)
        BUG("%s has no object", n->u.decl->name);
}

static void spot_of_link(struct gen *g, struct node **slot, const struct link *l, struct spot *s)
{
    struct node *n = *slot;
    if (!run_mem_inside(l->to, l->at, gen_size_of(g, n->type)))
        BUG("access outside of an object that no guard caught");
    s->object = l->to;
    s->at = (uint64_t)l->at;
}

/* Evaluates a pointer that is about to be followed. */
static void eval_followed(struct gen *g, struct node **slot, struct val *v)
{
    run_eval(g, slot, v);
    uint64_t size = gen_size_of(g, (*slot)->type->base);
    if (!run_mem_inside(v->link.to, v->link.at, size))
        guard(g, slot, (struct run_fault){.kind = RUN_FAULT_pointer}, v);
}

static bool decays(const struct node *n)
{
    return n->kind == NODE_CAST && n->op == CONV_ARRAY;
}

static void eval_decayed(struct gen *g, struct node *n, struct val *v)
{
    struct spot s;
    run_eval_spot(g, &n->kid[0], &s);
    v->link = (struct link){s.object, (int64_t)s.at};
}

/* The place of the element i of an array at p. */
static void spot_element(struct gen *g, struct node **index, uint64_t count, uint64_t size,
                         const struct val *p, struct spot *s)
{
    struct val i = {.bits = run_eval_integer(g, index)};
    const struct type *t = (*index)->type;
    u128 at = i.bits;
    if (at >> (gen_int_width(g, t) - 1)) /* negative, or large anyway */
        at = run_convert(g, t, lang_basic(g->p, TYPE_UINT128), i.bits);
    if (at >= count) {
        guard(g, index, (struct run_fault){.kind = RUN_FAULT_index, .count = count}, &i);
        at = i.bits;
    }
    s->object = p->link.to;
    s->at = (uint64_t)p->link.at + (uint64_t)at * size;
}

/* __real__ x and __imag__ x, of an lvalue. */
static void spot_part(struct gen *g, struct node *n, struct spot *s)
{
    struct spot whole;
    run_eval_spot(g, &n->kid[0], &whole);
    *s = run_complex_part(g, &whole, n->op == OP_IMAG);
    s->type = n->type;
}

static void spot_deref(struct gen *g, struct node **slot, struct spot *s)
{
    struct val v = {0};
    struct node *of = (*slot)->kid[0];
    if ((*slot)->op != OP_DEREF) {
        spot_part(g, *slot, s);
        return;
    }
    if (of->kind == NODE_BINARY && of->op == OP_ADD && decays(of->kid[0])) { /* *(a + i) */
        eval_decayed(g, of->kid[0], &v);
        spot_element(g, &of->kid[1], of->kid[0]->kid[0]->type->u.count,
                     gen_size_of(g, (*slot)->type), &v, s);
        return;
    }
    eval_followed(g, &(*slot)->kid[0], &v);
    spot_of_link(g, slot, &v.link, s);
}

static void spot_member(struct gen *g, struct node **slot, struct spot *s)
{
    struct node *n = *slot;
    struct field *f = n->u.field;
    if (n->flags & NODE_ARROW) {
        struct val v = {0};
        eval_followed(g, &n->kid[0], &v);
        s->object = v.link.to;
        s->at = (uint64_t)v.link.at;
    } else if (n->kid[0]->flags & NODE_LVALUE) {
        run_eval_spot(g, &n->kid[0], s);
    } else {
        struct val v = {0};
        run_eval(g, &n->kid[0], &v);
        s->object = v.link.to;
        s->at = (uint64_t)v.link.at;
    }
    s->at += f->offset;
    s->type = n->type;
    s->field = f->is_bitfield ? f : NULL;
}

/* Of an array at p: by its type, or where that does not say it, by the object. */
static uint64_t elements(const struct gen *g, const struct type *t, const struct val *p)
{
    if (t->flags & (TYPE_VARIABLE | TYPE_UNSIZED))
        return (p->link.to->size - (uint64_t)p->link.at) / gen_size_of(g, t->base);
    return t->u.count;
}

/* a[i] of an array whose length is known by its type; of a pointer, the object bounds it. */
static void spot_index(struct gen *g, struct node **slot, struct spot *s)
{
    struct node *n = *slot;
    struct val p = {0};
    uint64_t size = gen_size_of(g, n->type), count;
    if (n->kid[0]->type->kind == TYPE_VECTOR) {
        struct spot vector;
        run_eval_spot(g, &n->kid[0], &vector);
        p.link = (struct link){vector.object, (int64_t)vector.at};
        count = n->kid[0]->type->u.count;
    } else if (decays(n->kid[0])) {
        eval_decayed(g, n->kid[0], &p);
        count = elements(g, n->kid[0]->kid[0]->type, &p);
    } else {
        eval_followed(g, &n->kid[0], &p);
        count = (p.link.to->size - (uint64_t)p.link.at) / size;
    }
    spot_element(g, &n->kid[1], count, size, &p, s);
}

/* A compound literal is a new object each time (within its block, an equal one). */
static void spot_literal(struct gen *g, struct node **slot, struct spot *s)
{
    struct decl *d = (*slot)->u.declarator->decl;
    struct about *a = gen_about(g, d);
    if (!a->object)
        a->object = run_mem_new(g, d->type, d);
    run_init_store(g, a->object, (*slot)->kid[0]);
    s->object = a->object;
    s->at = 0;
}

void run_eval_spot(struct gen *g, struct node **slot, struct spot *s)
{
    struct node *n = *slot;
    s->type = n->type;
    s->field = NULL;
    switch (n->kind) {
    case NODE_NAME:
        spot_name(g, slot, s);
        return;
    case NODE_UNARY:
        spot_deref(g, slot, s);
        return;
    case NODE_MEMBER:
        spot_member(g, slot, s);
        return;
    case NODE_INDEX:
        spot_index(g, slot, s);
        return;
    case NODE_LITERAL:
        spot_literal(g, slot, s);
        return;
    case NODE_STRING:
        s->object = run_mem_new(g, n->type, NULL);
        run_mem_zero(s->object);
        memcpy(s->object->bytes, n->u.string->bytes, n->u.string->size);
        s->at = 0;
        return;
    default:
        BUG("%s is no lvalue here", lang_node_info[n->kind].name);
    }
}

/* ---- conversions ------------------------------------------------------------------------ */

void run_read(struct gen *g, const struct spot *s, struct val *v)
{
    if (lang_is_scalar(s->type) && !run_mem_ready(g, s))
        guard_ready(g, s);
    run_mem_load(g, s, v);
}

static void eval_read(struct gen *g, struct node **slot, struct val *v)
{
    struct spot s;
    struct node *n = *slot;
    run_eval_spot(g, &n->kid[0], &s);
    run_read(g, &s, v);
    if (n->type->class == CLASS_FLOAT && run_is_nan(g, n->type, v->bits))
        guard(g, slot, (struct run_fault){.kind = RUN_FAULT_nan}, v);
}

static void eval_function(struct gen *g, struct node **slot, struct val *v)
{
    struct node *of = (*slot)->kid[0];
    if (of->kind != NODE_NAME) { /* *p of a function pointer */
        run_eval(g, &of->kid[0], v);
        return;
    }
    struct fn *fn = gen_about(g, of->u.decl)->fn;
    v->link = (struct link){fn ? fn->object : NULL, 0};
}

static void eval_cast(struct gen *g, struct node **slot, struct val *v)
{
    struct node *n = *slot;
    switch (n->op) {
    case CONV_LVALUE:
        eval_read(g, slot, v);
        return;
    case CONV_ARRAY:
        eval_decayed(g, n, v);
        return;
    case CONV_FUNCTION:
        eval_function(g, slot, v);
        return;
    case CONV_NULL:
        v->link = (struct link){0};
        return;
    default:
        break;
    }
    run_eval(g, &n->kid[0], v);
    const struct type *from = n->kid[0]->type;
    switch (n->op) {
    case CONV_BOOL:
        v->bits = run_is_true(g, from, v);
        break;
    case CONV_INT:
    case CONV_INT_FLOAT:
    case CONV_FLOAT:
        v->bits = run_convert(g, from, n->type, v->bits);
        break;
    case CONV_FLOAT_INT: {
        u128 r;
        if (lang_value_convert(g->p, from, n->type, v->bits, &r) == VALUE_OK)
            v->bits = r;
        else
            guard(g, slot, (struct run_fault){.kind = RUN_FAULT_float_cast}, v);
        break;
    }
    case CONV_COMPLEX:
        run_complex_convert(g, from, n->type, v);
        break;
    case CONV_SPLAT:
        run_vector_splat(g, n->type, v);
        break;
    default: /* NOOP, PTR, VOID, VECTOR of the same bits */
        break;
    }
}

/* ---- operators -------------------------------------------------------------------------- */

static void eval_step(struct gen *g, struct node **slot, struct val *v)
{
    struct node *n = *slot;
    struct spot s;
    struct val old = {0}, new = {0};
    bool plus = n->op == OP_POSTINC || n->op == OP_PREINC;
    run_eval_spot(g, &n->kid[0], &s);
    run_read(g, &s, &old);
    struct type *t = s.type->unqual;
    if (t->kind == TYPE_POINTER) {
        new.link = old.link;
        int64_t size = (int64_t)gen_size_of(g, t->base);
        new.link.at += plus ? size : -size;
    } else {
        struct type *in = lang_promoted_value(g->p, n->kid[0]);
        struct type *int_type = lang_basic(g->p, TYPE_INT);
        u128 one = run_convert(g, int_type, in, 1), r;
        u128 a = run_convert(g, t, in, old.bits);
        if (run_apply(g, plus ? OP_ADD : OP_SUB, in, a, one, NULL, &r) != VALUE_OK) {
            guard(g, slot, (struct run_fault){.kind = RUN_FAULT_step}, v);
            return;
        }
        new.bits = run_convert(g, in, t, r);
    }
    run_mem_store(g, &s, &new);
    if (n->op == OP_PREINC || n->op == OP_PREDEC)
        run_mem_load(g, &s, v); /* a bit-field keeps fewer bits */
    else
        *v = old;
}

static void eval_unary(struct gen *g, struct node **slot, struct val *v)
{
    struct node *n = *slot;
    struct spot s;
    if (n->op <= OP_PREDEC) {
        eval_step(g, slot, v);
        return;
    }
    if (n->op == OP_ADDR) {
        if (n->kid[0]->type->kind == TYPE_FUNCTION) {
            v->link = (struct link){gen_about(g, n->kid[0]->u.decl)->fn->object, 0};
            return;
        }
        run_eval_spot(g, &n->kid[0], &s);
        v->link = (struct link){s.object, (int64_t)s.at};
        return;
    }
    run_eval(g, &n->kid[0], v);
    const struct type *t = n->kid[0]->type;
    if (n->op == OP_LNOT) {
        v->bits = !run_is_true(g, t, v);
    } else if (n->op == OP_REAL || n->op == OP_IMAG) {
        run_complex_value(g, t, n->op == OP_IMAG, v);
    } else if (run_is_complex(t)) {
        run_complex_unary(g, (enum op)n->op, t, v);
    } else if (t->kind == TYPE_VECTOR) {
        struct val a = *v;
        run_vector_apply(g, (enum op)n->op, t, &a, NULL, v);
    } else {
        u128 a = v->bits, r;
        if (lang_value_unary(g->p, (enum op)n->op, t, a, &r) == VALUE_OK)
            v->bits = r;
        else
            guard(g, slot, (struct run_fault){.kind = RUN_FAULT_unary, .a = a}, v);
    }
}

static void eval_logic(struct gen *g, struct node *n, struct val *v)
{
    bool left = run_eval_truth(g, &n->kid[0]);
    if (left == (n->op == OP_LAND))
        left = run_eval_truth(g, &n->kid[1]);
    v->bits = left;
}

static void eval_binary(struct gen *g, struct node **slot, struct val *v)
{
    struct node *n = *slot;
    struct val a = {0}, b = {0};
    if (n->op == OP_LAND || n->op == OP_LOR) {
        eval_logic(g, n, v);
        return;
    }
    if (run_is_word_binary(g, n)) {
        v->bits = run_eval_word_binary(g, slot);
        return;
    }
    run_eval(g, &n->kid[0], &a);
    run_eval(g, &n->kid[1], &b);
    const struct type *t = n->kid[0]->type, *u = n->kid[1]->type;
    if (n->op == OP_COMMA) {
        *v = b;
    } else if (run_is_complex(t) || run_is_complex(u)) {
        run_complex_apply(g, &(struct run_complex){(enum op)n->op, t, u}, &a, &b, v);
    } else if (t->kind == TYPE_VECTOR) {
        run_vector_apply(g, (enum op)n->op, t, &a, &b, v);
    } else if (t->kind == TYPE_POINTER || u->kind == TYPE_POINTER) {
        if (!run_apply_pointer(g, n, &a, &b, v))
            BUG("pointer arithmetic that no rule bounds");
    } else if (run_apply(g, (enum op)n->op, t, a.bits, b.bits, u, &v->bits) != VALUE_OK) {
        if (*slot != n)
            BUG("an operand's call has come by and left a guard here");
        guard(g, slot, (struct run_fault){.kind = RUN_FAULT_binary, .a = a.bits, .b = b.bits}, v);
    } else if (n->type->class == CLASS_FLOAT && run_is_nan(g, n->type, v->bits)) {
        guard(g, slot, (struct run_fault){.kind = RUN_FAULT_nan}, v);
    }
}

/* p += i: only what stays inside is made. */
static struct link moved(struct gen *g, const struct node *n, const struct link *from, u128 by)
{
    const struct type *t = n->kid[1]->type;
    i128 i = (i128)(gen_int_signed(g, t) ? lang_sign_extend(by, gen_int_width(g, t)) : by);
    int64_t bytes = (int64_t)i * (int64_t)gen_size_of(g, n->kid[0]->type->base);
    struct link to = {from->to, from->at + (n->op == OP_ADD ? bytes : -bytes)};
    if (to.at < 0 || to.at > (int64_t)from->to->size)
        BUG("pointer moved out of its object");
    return to;
}

static void eval_assign(struct gen *g, struct node **slot, struct val *v)
{
    struct node *n = *slot;
    struct spot s;
    struct val right = {0}, old = {0};
    run_eval_spot(g, &n->kid[0], &s);
    if (n->kid[1]->type->class == CLASS_INT)
        right.bits = run_eval_integer(g, &n->kid[1]);
    else
        run_eval(g, &n->kid[1], &right);
    if (g->jump.value) /* a call in it does not come back */
        return;
    if (n->op != OP_ASSIGN) {
        run_read(g, &s, &old);
        struct type *in = n->u.operand;
        if (s.type->kind == TYPE_POINTER) {
            right.link = moved(g, n, &old.link, right.bits);
        } else if (in->kind == TYPE_VECTOR) {
            struct val b = right;
            run_vector_apply(g, (enum op)n->op, in, &old, &b, &right);
        } else if (run_is_complex(in)) {
            struct val b = right;
            struct run_complex of = {(enum op)n->op, in, n->kid[1]->type};
            run_complex_apply(g, &of, &old, &b, &right);
        } else {
            u128 a = run_convert(g, s.type->unqual, in, old.bits), r;
            if (run_apply(g, (enum op)n->op, in, a, right.bits, n->kid[1]->type, &r) != VALUE_OK ||
                (in->class == CLASS_FLOAT && run_is_nan(g, in, r))) {
                guard(g, slot,
                      (struct run_fault){
                          .kind = RUN_FAULT_assign, .a = a, .b = right.bits, .spot = &s},
                      v);
                return;
            }
            right.bits = run_convert(g, in, s.type->unqual, r);
        }
    }
    run_mem_store(g, &s, &right);
    if (s.type->class == CLASS_INT && !s.field)
        v->bits = right.bits;
    else
        run_mem_load(g, &s, v);
}

static void eval_cond(struct gen *g, struct node **slot, struct val *v)
{
    struct node *n = *slot;
    if (n->kid[1]) {
        run_eval(g, &n->kid[run_eval_truth(g, &n->kid[0]) ? 1 : 2], v);
        return;
    }
    run_eval(g, &n->kid[0], v); /* a ?: b */
    if (run_is_true(g, n->kid[0]->type, v))
        v->bits = run_convert(g, n->kid[0]->type, n->type, v->bits);
    else
        run_eval(g, &n->kid[2], v);
}

/* ---- calls ------------------------------------------------------------------------------ */

enum { MAX_ARGS = 2 + MOST_VECTOR };

static struct decl *called(const struct node *n)
{
    const struct node *callee = n->kid[0];
    if (callee->kind == NODE_CAST && callee->op == CONV_FUNCTION &&
        callee->kid[0]->kind == NODE_NAME)
        return callee->kid[0]->u.decl;
    return NULL;
}

static void eval_builtin(struct gen *g, struct node **slot, const struct val *args, struct val *v)
{
    struct node *n = *slot;
    struct decl *d = called(n);
    if (d->builtin == BUILTIN_assume) {
        if (!args[0].bits) /* it was always true before */
            *slot = lang_cast(g->p, lang_basic(g->p, TYPE_VOID), n->kid[1]);
        return;
    }
    if (run_heap(g, d, args, v) || run_memory(g, d, args, v) || run_text(g, d, args, v) ||
        run_overflow(g, n, d, args, v) || run_vector_shuffle(g, n, d, args, v) ||
        run_atomic(g, n, d, args, v) || run_question(g, d, args, v) ||
        run_complex_builtin(g, n, d, args, v))
        return;
    u128 bits[3] = {0};
    for (uint32_t i = 1; i < n->count && i <= 3; i++)
        bits[i - 1] = args[i - 1].bits;
    if (!run_builtin(g, d, n->kid[1]->type, bits, &v->bits))
        guard(g, slot, (struct run_fault){.kind = RUN_FAULT_builtin}, v);
}

/* A va_list holds the number of arguments that were taken from it. */
static bool eval_list(struct gen *g, struct node *n, const struct decl *d)
{
    struct spot list, other;
    if (d->builtin != BUILTIN_va_start && d->builtin != BUILTIN_va_copy &&
        d->builtin != BUILTIN_va_end)
        return false;
    run_eval_spot(g, &n->kid[1], &list);
    list.object->bytes[0] = 0;
    if (d->builtin == BUILTIN_va_copy) {
        run_eval_spot(g, &n->kid[2], &other);
        list.object->bytes[0] = other.object->bytes[0];
    }
    return true;
}

static void eval_va_arg(struct gen *g, struct node **slot, struct val *v)
{
    struct spot list;
    run_eval_spot(g, &(*slot)->kid[0], &list);
    uint8_t next = list.object->bytes[0]++;
    if (next >= g->rest.count)
        BUG("more arguments are taken than there are");
    *v = g->rest.args[next];
}

/* 0 at first, then what longjmp brought along. */
static void eval_setjmp(struct gen *g, const struct node *n, struct val *v)
{
    v->bits = g->jump.value;
    g->jump.to = n;
    g->jump.value = 0;
}

static void eval_call(struct gen *g, struct node **slot, struct val *v)
{
    struct node *n = *slot;
    struct val args[MAX_ARGS], callee = {0};
    struct decl *d = called(n);
    if (d && d->builtin && eval_list(g, n, d))
        return;
    struct fn *fn = d ? gen_about(g, d)->fn : NULL;
    if (!d) {
        run_eval(g, &n->kid[0], &callee);
        fn = callee.link.to->fn;
    }
    if (fn && fn->number) {
        g->any_number = n->kid[1];
        run_eval(g, &n->kid[1], v);
        if (run_is_nan(g, n->type, v->bits))
            v->bits = 0;
        return;
    }
    if (n->count > MAX_ARGS + 1)
        BUG("a call with %u arguments", n->count - 1);
    for (uint32_t i = 1; i < n->count || i <= 3; i++) { /* builtins look at three */
        args[i - 1] = (struct val){0};
        if (i < n->count)
            run_eval(g, &n->kid[i], &args[i - 1]);
    }
    const struct gen_given *known = d ? gen_about(g, d)->known : NULL;
    if (fn)
        run_call(g, fn, args, n->count - 1, v);
    else if (d == g->mix_decl || d == g->real_decl)
        run_mix(g, (uint64_t)args[0].bits);
    else if (d == g->fold_decl)
        v->bits = run_fold(g, args, n->count - 1);
    else if (d == g->longjmp_decl)
        g->jump.value = args[1].bits ? args[1].bits : 1;
    else if (d->builtin == BUILTIN_setjmp)
        eval_setjmp(g, n, v);
    else if (d == g->trace_decl)
        run_trace(g, (uint64_t)args[0].bits, (uint64_t)args[1].bits);
    else if (d->builtin)
        eval_builtin(g, slot, args, v);
    else if (known)
        v->bits = known->results[(uint64_t)args[0].bits & (known->count - 1)];
    else
        BUG("call of %s", d->name);
}

/* ---- all -------------------------------------------------------------------------------- */

static void eval_constant(struct gen *g, struct node **slot, struct val *v)
{
    if ((*slot)->flags & NODE_HOLE)
        g->hooks->fill(g, slot, v);
    else
        v->bits = (*slot)->u.value->bits;
}

static void eval_name(struct gen *g, struct node **slot, struct val *v)
{
    (void)g;
    v->bits = (*slot)->u.decl->value; /* an enumerator */
}

static void eval_label(struct gen *g, struct node **slot, struct val *v)
{
    v->link = (struct link){run_label_object(g, (*slot)->u.label), 0};
}

static void eval_measure(struct gen *g, struct node **slot, struct val *v)
{
    const struct node *n = *slot;
    v->bits = n->kind == NODE_SIZEOF ? gen_size_of(g, n->u.operand)
                                     : lang_alignof(g->p, n->u.operand);
}

static void eval_member(struct gen *g, struct node **slot, struct val *v)
{
    struct spot s = {0};
    s.type = (*slot)->type;
    spot_member(g, slot, &s);
    run_mem_load(g, &s, v);
}

static void eval_convert(struct gen *g, struct node **slot, struct val *v)
{
    run_eval(g, &(*slot)->kid[0], v);
    run_vector_convert(g, *slot, v);
}

static void eval_block(struct gen *g, struct node **slot, struct val *v)
{
    struct node *block = (*slot)->kid[0];
    for (uint32_t i = 0; i + 1 < block->count; i++)
        run_exec(g, &block->kid[i]);
    run_eval(g, &block->kid[block->count - 1]->kid[0], v);
}

static void eval_generic(struct gen *g, struct node **slot, struct val *v)
{
    run_eval(g, &(*slot)->kid[(*slot)->u.generic->chosen], v);
}

static eval_fn *const evals[NODE_COUNT] = {
    [NODE_INT] = eval_constant,
    [NODE_FLOAT] = eval_constant,
    [NODE_NAME] = eval_name,
    [NODE_UNARY] = eval_unary,
    [NODE_BINARY] = eval_binary,
    [NODE_ASSIGN] = eval_assign,
    [NODE_COND] = eval_cond,
    [NODE_CAST] = eval_cast,
    [NODE_CALL] = eval_call,
    [NODE_SIZEOF] = eval_measure,
    [NODE_ALIGNOF] = eval_measure,
    [NODE_MEMBER] = eval_member,
    [NODE_STMT_EXPR] = eval_block,
    [NODE_LABEL_ADDR] = eval_label,
    [NODE_VECTOR_CONVERT] = eval_convert,
    [NODE_VA_ARG] = eval_va_arg,
    [NODE_GENERIC] = eval_generic,
};

void run_eval(struct gen *g, struct node **slot, struct val *v)
{
    eval_fn *f = evals[(*slot)->kind];
    if (!f)
        BUG("no evaluation of %s", lang_node_info[(*slot)->kind].name);
    f(g, slot, v);
}
