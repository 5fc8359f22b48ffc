/* Calls: do they fit what they call; and variable arguments. */
#include "machine/lib/lib.h"

#include <stdlib.h>
#include <string.h>

/* ---- types across units ----------------------------------------------------------------- */

/* Are values of the two types passed alike?  Within a unit lang decides; structures of
 * different units are compared by size and kind only. */
static bool same_across(const struct program *p, const struct type *a, const struct program *q,
                        const struct type *b)
{
    a = a->canon->unqual;
    b = b->canon->unqual;
    if (p == q)
        return lang_compatible(p, a, b);
    if (a->kind == TYPE_ENUM)
        a = a->u.enumeration->base->canon;
    if (b->kind == TYPE_ENUM)
        b = b->u.enumeration->base->canon;
    return a->kind == b->kind && (a->kind == TYPE_VOID || lang_sizeof(p, a) == lang_sizeof(q, b));
}

/* C11 6.5.2.2p6: signed and unsigned of one width, and pointers to void and characters. */
static bool passes_as(const struct program *p, const struct type *a, const struct program *q,
                      const struct type *b)
{
    if (same_across(p, a, q, b))
        return true;
    a = a->canon->unqual;
    b = b->canon->unqual;
    if (lang_is_integer(a) && lang_is_integer(b))
        return lang_sizeof(p, a) == lang_sizeof(q, b);
    return a->kind == TYPE_POINTER && b->kind == TYPE_POINTER;
}

static bool is_bytes(const struct type *t)
{
    t = t->canon;
    return t->kind == TYPE_VOID || t->kind == TYPE_CHAR || t->kind == TYPE_SCHAR ||
           t->kind == TYPE_UCHAR;
}

/* Is a pointer that was passed read as one of its type?  C23 7.16.1.1p2: whatever the qualifiers of
 * what it points to.  NULL is taken for any, and void * for any pointer to an object: real programs
 * pass and read them so, and no compiler makes use of it. */
static bool reads_pointer(const struct program *p, const struct type *passed,
                          const struct program *q, const struct type *as, uint64_t value)
{
    const struct type *a = passed->canon->base->canon, *b = as->canon->base->canon;
    bool is_void = a->kind == TYPE_VOID || b->kind == TYPE_VOID;
    bool objects = a->kind != TYPE_FUNCTION && b->kind != TYPE_FUNCTION;
    if ((is_bytes(a) && is_bytes(b)) || (is_void && objects) || (a->kind == TYPE_VOID && !value))
        return true;
    while (p != q && a->kind == TYPE_POINTER && b->kind == TYPE_POINTER) {
        a = a->base->canon;
        b = b->base->canon;
    }
    bool sizeless = p != q && (lang_is_record(a) || a->kind == TYPE_FUNCTION);
    return sizeless ? a->kind == b->kind : same_across(p, a, q, b);
}

static bool is_promoted_alike(const struct program *p, const struct decl *param)
{
    const struct type *t = param->type->canon->unqual;
    return t->kind != TYPE_FLOAT && (!lang_is_integer(t) || lang_promoted(p, t) == t);
}

static bool check_arguments(struct machine *m, const struct call_site *s, struct func *f)
{
    struct program *p = m->units[s->unit].p, *q = m->units[f->unit].p;
    const struct function *body = f->body;
    bool variadic = f->decl->type->canon->flags & TYPE_VARIADIC;
    bool old_style = !(f->decl->type->canon->flags & TYPE_PROTOTYPE);
    if (s->count != body->param_count && !(variadic && s->count > body->param_count)) {
        machine_undefined(m, UB_CALL_ARGS, s->unit, s->node, "'%s' takes %u arguments, not %u",
                          f->name, body->param_count, s->count);
        return false;
    }
    bool prototype = s->function->flags & TYPE_PROTOTYPE;
    if (variadic && !prototype) { /* C11 6.5.2.2p6 */
        machine_undefined(m, UB_CALL_ARGS, s->unit, s->node,
                          "'%s' takes variable arguments, and is called without a prototype",
                          f->name);
        return false;
    }
    for (uint32_t i = 0; i < body->param_count; i++) {
        const struct type *want = body->params[i]->type;
        if (old_style && lang_is_integer(want))
            want = lang_promoted(q, want);
        if (old_style && want->canon->kind == TYPE_FLOAT)
            want = lang_basic(q, TYPE_DOUBLE);
        if (passes_as(p, s->types[i], q, want) &&
            (prototype || old_style || is_promoted_alike(q, body->params[i])))
            continue;
        machine_undefined(m, UB_CALL_ARGS, s->unit, s->node, "argument %u of '%s' has another type",
                          i + 1, f->name);
        return false;
    }
    return true;
}

static bool check_type(struct machine *m, const struct call_site *s, struct func *f)
{
    struct program *p = m->units[s->unit].p, *q = m->units[f->unit].p;
    const struct type *through = s->function->canon, *is = f->decl->type->canon;
    bool fits;
    if (p == q)
        fits = lang_compatible(p, through->unqual, is->unqual);
    else
        fits = same_across(p, through->base, q, is->base);
    if (!fits && !(through->flags & TYPE_PROTOTYPE))
        fits = same_across(p, through->base, q, is->base); /* the arguments decide */
    if (!fits)
        machine_undefined(m, UB_CALL_TYPE, s->unit, s->node, "'%s' is of another type", f->name);
    return fits;
}

/* Was it declared in words of the program's own?  Otherwise compilers know its type. */
static bool is_declared(const struct node *callee)
{
    while (callee->kind == NODE_CAST && callee->count)
        callee = callee->kid[0];
    return callee->kind != NODE_NAME || callee->u.decl->kind != DECL_FUNC ||
           !callee->u.decl->implicit;
}

/* A function of the library that is called through a pointer to another type (C11 6.5.2.2p9). */
static bool check_pointer(struct machine *m, const struct call_site *s, const struct func *f)
{
    const struct type *through = s->function->canon, *is = f->decl ? f->decl->type->canon : NULL;
    bool known = is && s->unit == f->unit && !f->decl->implicit &&
                 is->flags & through->flags & TYPE_PROTOTYPE;
    if (!known || lang_compatible(m->units[s->unit].p, through->unqual, is->unqual))
        return true;
    machine_undefined(m, UB_CALL_TYPE, s->unit, s->node, "'%s' is of another type", f->name);
    return false;
}

/* A declaration of the program's own may have let fewer arguments through than the function reads,
 * or variable ones without a prototype (C11 6.5.2.2p6). */
static bool check_library(struct machine *m, const struct call_site *s, const struct func *f)
{
    uint32_t wanted = (uint32_t)strcspn(f->lib->types, ".");
    if (f->lib->types[wanted] && !(s->function->canon->flags & TYPE_PROTOTYPE) &&
        is_declared(s->node->kid[0])) {
        machine_undefined(m, UB_CALL_ARGS, s->unit, s->node,
                          "'%s' takes variable arguments, and is called without a prototype",
                          f->name);
        return false;
    }
    if (s->count < wanted)
        machine_undefined(m, UB_CALL_ARGS, s->unit, s->node, "'%s' takes %u arguments, not %u",
                          f->name, wanted, s->count);
    return s->count >= wanted && check_pointer(m, s, f);
}

bool call_check(struct machine *m, const struct call_site *s, struct func *f)
{
    if (!s->node)
        return true;
    if (!f->body)
        return !f->lib || check_library(m, s, f);
    return check_type(m, s, f) && check_arguments(m, s, f);
}

/* ---- variable arguments ----------------------------------------------------------------- */

static uint32_t cursor_new(struct machine *m)
{
    if (m->cursor_count == m->cursor_room) {
        m->cursor_room = m->cursor_room ? m->cursor_room * 2 : 16;
        m->cursors = realloc(m->cursors, m->cursor_room * sizeof *m->cursors);
        if (!m->cursors)
            BUG("out of memory");
    }
    struct frame *f = &m->frames[m->depth];
    if (!f->cursor)
        f->cursor = m->cursor_count + 1;
    return m->cursor_count++;
}

void cursors_drop(struct machine *m, struct frame *f)
{
    for (uint32_t i = f->cursor - 1; i < m->cursor_count; i++)
        if (m->cursors[i].open && m->cursors[i].depth == m->depth) { /* C11 7.16.1p1 */
            const struct func *of = f->code->func;
            machine_undefined(m, UB_VA_ARG, of->unit, of->body->node, "va_end is missing");
        }
    m->cursor_count = f->cursor - 1;
}

static struct cursor *cursor_at(struct machine *m, const struct insn *pc, uint64_t list)
{
    if (list && list <= m->cursor_count && m->cursors[list - 1].open)
        return &m->cursors[list - 1];
    machine_fault(m, pc, UB_VA_ARG, list, 0);
    return NULL;
}

bool va_start_at(struct machine *m, const struct insn *pc, uint64_t *r)
{
    const struct frame *f = &m->frames[m->depth];
    if (!f->site || !(f->code->func->decl->type->canon->flags & TYPE_VARIADIC)) {
        machine_fault(m, pc, UB_VA_ARG, 0, 0);
        return false;
    }
    uint32_t first = f->code->func->body->param_count;
    uint32_t n = cursor_new(m);
    f = &m->frames[m->depth];
    m->cursors[n] = (struct cursor){f->site, f->caller, first, m->depth, true, 0, 0};
    r[pc->dst] = n + 1;
    return true;
}

bool va_copy_of(struct machine *m, const struct insn *pc, uint64_t *r)
{
    if (!cursor_at(m, pc, r[pc->a]))
        return false;
    uint32_t n = cursor_new(m);
    m->cursors[n] = m->cursors[r[pc->a] - 1];
    m->cursors[n].depth = m->depth;
    r[pc->dst] = n + 1;
    return true;
}

/* C11 7.16.1.3p2: in the function that started it, once. */
bool va_end_of(struct machine *m, const struct insn *pc, uint64_t list)
{
    struct cursor *c = cursor_at(m, pc, list);
    if (c && c->depth != m->depth) {
        uint32_t unit = m->frames[m->depth].code->func->unit;
        machine_undefined(m, UB_VA_ARG, unit, m->units[unit].p->nodes[pc->node],
                          "va_end in another function than va_start");
        return false;
    }
    if (c)
        c->open = false;
    return c;
}

/* depth: of the call that it was passed to and that reads; 0: it was not passed.  Who passed it on
 * may not read it any more, nor pass it to another, once that has read. */
bool cursor_take(struct machine *m, struct cursor *c, uint32_t depth)
{
    bool reads_on = c->reader_depth <= m->depth && m->frames[c->reader_depth].serial == c->reader;
    if (c->reader_depth && (c->depth == m->depth || (depth && !reads_on)))
        return false;
    if (depth > c->reader_depth || (depth && !c->reader_depth)) {
        c->reader_depth = depth;
        c->reader = depth <= m->depth ? m->frames[depth].serial : 0;
    }
    return true;
}

const uint64_t *cursor_next(struct machine *m, struct cursor *c, const struct type **type)
{
    (void)m;
    if (c->next >= c->site->count)
        return NULL;
    uint32_t i = c->next++;
    *type = c->site->types[i];
    return c->r + c->site->slot[i];
}

/* Signed and unsigned may be read as each other where both have the value. */
static bool has_value_in_both(const struct program *p, const struct type *t,
                              const struct program *q, const struct type *as, const uint64_t *value)
{
    if (!lang_is_integer(t) || !lang_is_integer(as) ||
        lang_int_signed(p, t) == lang_int_signed(q, as))
        return true;
    unsigned width = lang_int_width(q, as);
    return !(value[(width - 1) / 64] >> (width - 1) % 64 & 1);
}

/* C11 7.16.1.1p2 */
bool va_arg_next(struct machine *m, const struct insn *pc, uint64_t *r)
{
    struct cursor *c = cursor_at(m, pc, r[pc->a]);
    if (!c)
        return false;
    const struct type *type;
    uint32_t from_unit = c->site->unit, unit = m->frames[m->depth].code->func->unit;
    const struct node *n = m->units[unit].p->nodes[pc->node];
    if (!cursor_take(m, c, pc->tag && c->depth != m->depth ? m->depth : 0)) {
        machine_undefined(m, UB_VA_ARG, unit, n, "a function that the list was passed to read it");
        return false;
    }
    const uint64_t *value = cursor_next(m, c, &type);
    if (!value) {
        machine_undefined(m, UB_VA_ARG, unit, n, "there is no argument left");
        return false;
    }
    struct program *p = m->units[from_unit].p, *q = m->units[unit].p;
    bool pointers = type->canon->kind == TYPE_POINTER && pc->u.type->canon->kind == TYPE_POINTER;
    if (pointers ? !reads_pointer(p, type, q, pc->u.type, value[0])
                 : !passes_as(p, type, q, pc->u.type)) {
        machine_undefined(m, UB_VA_ARG, unit, n, "the argument has another type");
        return false;
    }
    if (!has_value_in_both(p, type, q, pc->u.type, value)) {
        machine_undefined(m, UB_VA_ARG, unit, n,
                          "the other type does not have the argument's value");
        return false;
    }
    r[pc->dst] = value[0];
    enum kind k = kind_of(q, pc->u.type);
    if (kind_is_pair(k))
        r[pc->dst + 1] = value[1];
    if (k == KIND_I32)
        r[pc->dst] = (uint64_t)(int32_t)value[0];
    if (k == KIND_U32)
        r[pc->dst] = (uint32_t)value[0];
    return true;
}
