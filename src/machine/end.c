/* How a run ends, in words. */
#include "machine/private.h"

#include <stdio.h>
#include <string.h>

const struct ub_info machine_ub_info[UB_COUNT] = {
#define UB(id, name, clause, message, repair) [UB_##id] = {name, clause, message, repair},
#include "machine/ub.def"
};

static bool end_with(struct machine *m, enum machine_end end, const char *fmt, va_list args)
    PRINTF_LIKE(3, 0);

static bool end_with(struct machine *m, enum machine_end end, const char *fmt, va_list args)
{
    if (m->ended)
        return false;
    m->ended = true;
    m->result.end = end;
    vsnprintf(m->result.detail, sizeof m->result.detail, fmt, args);
    return true;
}

void machine_undefined(struct machine *m, enum ub ub, uint32_t unit, const struct node *n,
                       const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (end_with(m, MACHINE_UNDEFINED, fmt, args)) {
        m->result.ub = ub;
        m->result.place = (struct machine_place){unit, n};
    }
    va_end(args);
}

/* What is not executed may be undefined or open in ways that no sanitizer sees. */
static void say_beside(struct machine *m)
{
    const char *name = link_beside(m);
    size_t n = strlen(m->result.detail);
    if (name && !strstr(m->result.detail, ": compilers differ"))
        snprintf(m->result.detail + n, sizeof m->result.detail - n,
                 ", beside what '%s' lets happen: compilers differ", name);
}

void machine_unsupported(struct machine *m, uint32_t unit, const struct node *n, const char *fmt,
                         ...)
{
    va_list args;
    va_start(args, fmt);
    if (end_with(m, MACHINE_UNSUPPORTED, fmt, args)) {
        m->result.place = (struct machine_place){unit, n};
        say_beside(m);
    }
    va_end(args);
}

void machine_unspecified(struct machine *m, uint32_t unit, const struct node *n, const char *fmt,
                         ...)
{
    va_list args;
    va_start(args, fmt);
    if (end_with(m, MACHINE_UNSPECIFIED, fmt, args))
        m->result.place = (struct machine_place){unit, n};
    va_end(args);
}

void machine_stop(struct machine *m, enum machine_end end, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    end_with(m, end, fmt, args);
    va_end(args);
}

const char *machine_end_name(enum machine_end end)
{
    static const char *const names[] = {
        [MACHINE_FINISHED] = "finished",       [MACHINE_UNDEFINED] = "undefined",
        [MACHINE_UNSUPPORTED] = "unsupported", [MACHINE_FUEL] = "out-of-fuel",
        [MACHINE_UNSPECIFIED] = "unspecified", [MACHINE_MEMORY] = "out-of-memory",
        [MACHINE_UNLINKED] = "no-program",
    };
    return names[end];
}

void machine_explain(const struct machine_result *why, struct text *out)
{
    if (why->end == MACHINE_UNDEFINED)
        text_printf(out, "%s%s", machine_ub_info[why->ub].message, *why->detail ? ": " : "");
    if (why->end != MACHINE_FINISHED)
        text_puts(out, why->detail);
}

/* ---- values in words -------------------------------------------------------------------- */

const char *machine_describe(struct machine *m, uint64_t address)
{
    const struct object *o = memory_find(&m->memory, address);
    const struct grave *g = o ? NULL : memory_grave(&m->memory, address);
    if (address == 0)
        return "a null pointer";
    if (!o && !g)
        return arena_printf(&m->arena, "%#llx", (unsigned long long)address);
    const char *name = o ? o->name : g->name;
    uint64_t off = address - (o ? o->base : g->base);
    unsigned kind = o ? o->kind : g->kind;
    const char *what = name                    ? name
                       : kind == OBJECT_HEAP   ? "allocated memory"
                       : kind == OBJECT_STRING ? "a string literal"
                                               : "an unnamed object";
    const char *dead = g ? (kind == OBJECT_HEAP ? ", which was freed" : ", which is gone") : "";
    if (off == 0)
        return arena_printf(&m->arena, name ? "'%s'%s" : "%s%s", what, dead);
    return arena_printf(&m->arena, name ? "byte %llu of '%s'%s" : "byte %llu of %s%s",
                        (unsigned long long)off, what, dead);
}

void machine_note_object(struct machine *m, uint64_t address)
{
    const struct object *o = memory_find(&m->memory, address);
    const struct grave *g = o ? NULL : memory_grave(&m->memory, address);
    if (!m->ended)
        m->result.object = o ? o->name : g ? g->name : NULL;
}

void machine_bad_access(struct machine *m, uint32_t unit, const struct node *n, uint64_t pointer,
                        int64_t offset, uint64_t size)
{
    const struct object *o = memory_find(&m->memory, pointer);
    if (pointer + (uint64_t)offset < 4096 || pointer < 4096) {
        machine_undefined(m, UB_NULL, unit, n,
                          pointer ? "the pointer is %llu" : "the pointer is null",
                          (unsigned long long)pointer);
        return;
    }
    if (o) {
        uint64_t off = pointer - o->base + (uint64_t)offset;
        bool past = off == o->size && offset == 0;
        machine_undefined(m, past ? UB_PAST_END : UB_BOUNDS, unit, n,
                          "%llu bytes at offset %lld of %s, which has %llu",
                          (unsigned long long)size, (long long)off, machine_describe(m, o->base),
                          (unsigned long long)o->size);
        return;
    }
    const struct grave *g = memory_grave(&m->memory, pointer);
    machine_note_object(m, pointer);
    if (g)
        machine_undefined(m, g->kind == OBJECT_HEAP ? UB_USE_AFTER_FREE : UB_DANGLING, unit, n,
                          "%s", machine_describe(m, pointer));
    else if (memory_was_given(&m->memory, pointer, m->memory.next))
        machine_undefined(m, UB_DANGLING, unit, n, "what it points to died long ago");
    else
        machine_undefined(m, UB_WILD, unit, n, "the pointer is %#llx", (unsigned long long)pointer);
}

static void float_text(struct text *t, const struct program *p, const struct type *type, u128 v)
{
    double d;
    u128 bits = v;
    lang_value_convert(p, type, lang_basic(p, TYPE_DOUBLE), v, &bits);
    uint64_t low = (uint64_t)bits;
    memcpy(&d, &low, sizeof d);
    text_printf(t, "%.9g", d);
}

/* An integer that takes two slots. */
static void wide_text(struct text *t, const struct program *p, const struct type *type, u128 v)
{
    char digits[41];
    size_t at = sizeof digits - 1;
    unsigned width = lang_int_width(p, type);
    bool minus = lang_int_signed(p, type) && v >> (width - 1) & 1;
    v = lang_wrap(minus ? 0 - v : v, width);
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + (int)(v % 10));
    while (v /= 10);
    text_printf(t, "%s%s", minus ? "-" : "", digits + at);
}

static void operand_text(struct text *t, const struct program *p, const struct type *type, u128 v)
{
    if (lang_is_kind(type, TYPE_VECTOR)) { /* a lane of it */
        type = type->canon->base;
        if (lang_is_integer(type) && lang_int_signed(p, type))
            v = lang_sign_extend(v, lang_int_width(p, type));
    }
    if (lang_is_floating(type))
        float_text(t, p, type, v);
    else if (kind_of(p, type) == KIND_WIDE)
        wide_text(t, p, type, v);
    else if (lang_is_integer(type) && lang_int_signed(p, type))
        text_printf(t, "%lld", (long long)v);
    else
        text_printf(t, "%llu", (unsigned long long)v);
}

static void operation_text(struct text *t, struct program *p, const struct node *n, u128 x, u128 y)
{
    const char *op = lang_op_info[n->op].text;
    const struct type *type = n->kind == NODE_ASSIGN ? n->u.operand : n->kid[0]->type;
    struct text name = {0};
    if (is_step(n))
        type = lang_is_integer(n->type) ? lang_promoted(p, n->type) : n->type;
    lang_print_type(p, type, NULL, &name);
    if (n->kind == NODE_UNARY && n->op == OP_NEG) {
        text_puts(t, op);
        operand_text(t, p, type, y ? y : x);
    } else {
        operand_text(t, p, type, x);
        text_printf(t, " %.*s ", n->kind == NODE_UNARY ? 1 : 2, op);
        operand_text(t, p, n->kind == NODE_UNARY ? type : n->kid[1]->type, y);
    }
    text_printf(t, " in '%s'", text_str(&name));
    text_free(&name);
}

/* C lets a character be passed that was never set, as long as nobody looks at it. */
static bool is_among(const struct list *nodes, const struct node *n)
{
    for (size_t i = 0; i < nodes->n; i++)
        if (nodes->at[i] == n)
            return true;
    return false;
}

static enum ub fault_kind(struct machine *m, enum ub ub, uint64_t x)
{
    const struct object *o = ub == UB_CONST_WRITE ? memory_find(&m->memory, x) : NULL;
    return o && o->kind == OBJECT_STRING ? UB_STRING_WRITE : ub;
}

static void promise_text(struct machine *m, struct text *t, enum promise broken, uint64_t y)
{
    unsigned long long n = (unsigned long long)y;
    switch (broken) {
    case PROMISE_NONNULL:
        text_printf(t, y ? "argument %llu is null" : "the result is null", n);
        break;
    case PROMISE_ALIGNED:
        text_printf(t, "the result is not a multiple of %llu", n);
        break;
    case PROMISE_ROOM:
        text_printf(t, "there are less than the %llu bytes that the arguments say", n);
        break;
    case PROMISE_FRESH:
        text_printf(t, "the result is not new: %s", machine_describe(m, y));
        break;
    case PROMISE_READS:
        text_puts(t, "read through a parameter that is not to be");
        break;
    case PROMISE_WRITES:
        text_puts(t, "written through a parameter that is not to be");
    }
}

/* The first byte that is not set whole, of the object at base, from an offset on. */
static uint64_t first_unset(struct machine *m, uint64_t base, uint64_t off)
{
    const struct object *o = memory_find(&m->memory, base);
    while (o && o->init && off + 1 < o->size && o->init[off] == 0xff)
        off++;
    return off;
}

static bool in_padding(struct machine *m, uint64_t base, uint64_t off)
{
    const struct object *o = memory_find(&m->memory, base);
    return o && off < o->size && access_is_padding(m, o, off);
}

static bool has_union(const struct type *t)
{
    t = t->canon;
    while (t->kind == TYPE_ARRAY)
        t = t->base->canon;
    for (uint32_t i = 0; lang_is_record(t) && i < t->u.record->count; i++)
        if (has_union(t->u.record->fields[i]->type))
            return true;
    return t->kind == TYPE_UNION;
}

/* Were the bits read as a bit-field, which is no padding but in a union's other member? */
static bool is_own_field(struct machine *m, const struct insn *pc, uint64_t base)
{
    const struct object *o = pc->op == I_LOAD_BITS ? memory_find(&m->memory, base) : NULL;
    return o && o->type && !has_union(o->type);
}

/* Bytes of the object at base were read that are not set.  True when that is not undefined: the
 * run has ended with something else.  *off becomes the first of them. */
static bool is_allowed_unset(struct machine *m, uint32_t unit, const struct node *n, uint64_t base,
                             uint64_t *off)
{
    if (is_among(&m->units[unit].passed, n)) {
        machine_unsupported(m, unit, n, "a character that was never set is passed on");
        return true;
    }
    if (!m->options.carry && is_among(&m->units[unit].copied, n))
        return false; /* the run is repeated, and may carry it */
    *off = first_unset(m, base, *off);
    if (!in_padding(m, base, *off))
        return false;
    machine_unspecified(m, unit, n, "what is in the padding of %s", machine_describe(m, base));
    return true;
}

void machine_fault(struct machine *m, const struct insn *pc, enum ub ub, uint64_t x, uint64_t y)
{
    machine_fault_wide(m, pc, ub, x, y);
}

void machine_fault_wide(struct machine *m, const struct insn *pc, enum ub ub, u128 a, u128 b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    uint32_t unit = m->frames[m->depth].code->func->unit;
    struct program *p = m->units[unit].p;
    const struct node *n = p->nodes[pc->node];
    struct text t = {0};
    ub = fault_kind(m, ub, x);
    m->result.unset = ub == UB_UNINIT && x;
    if (ub == UB_UNINIT && x && !is_own_field(m, pc, x) && is_allowed_unset(m, unit, n, x, &y))
        return;
    switch (ub) {
    case UB_UNINIT:
        machine_note_object(m, x);
        m->result.copied = x && is_among(&m->units[unit].copied, n);
        if (x)
            text_puts(&t, machine_describe(m, x + y));
        else if (n->kind == NODE_CAST && n->kid[0]->kind == NODE_NAME)
            text_printf(&t, "'%s'", n->kid[0]->u.decl->name);
        break;
    case UB_CONST_WRITE:
    case UB_STRING_WRITE:
        if (x)
            text_puts(&t, machine_describe(m, x + y));
        break;
    case UB_MISALIGNED:
        text_printf(&t, "%s is not a multiple of %llu", machine_describe(m, x),
                    (unsigned long long)y);
        break;
    case UB_INDEX:
        text_printf(&t, "index %lld, limit %llu", (long long)x, (unsigned long long)y);
        break;
    case UB_FLOAT_CAST:
        if (n->count)
            operand_text(&t, p, n->kid[0]->type, a);
        break;
    case UB_PROMISE:
        promise_text(m, &t, (enum promise)x, y);
        break;
    case UB_STATIC_ARRAY:
        if (y)
            text_printf(&t, "%s, and %llu bytes are promised", machine_describe(m, x),
                        (unsigned long long)y);
        else
            text_puts(&t, "the array that is named there is shorter");
        break;
    case UB_RESTRICT:
        text_puts(&t, "a pointer is given the value of another of the same block");
        break;
    case UB_ASSIGN_OVERLAP:
        text_printf(&t, "%s from %s", machine_describe(m, x), machine_describe(m, y));
        break;
    case UB_VLA_SIZE:
        text_printf(&t, "the length is %lld", (long long)x);
        break;
    default:
        if (n->kind == NODE_BINARY || n->kind == NODE_UNARY || n->kind == NODE_ASSIGN)
            operation_text(&t, p, n, a, b);
    }
    machine_undefined(m, ub, unit, n, "%s", text_str(&t));
    text_free(&t);
}
