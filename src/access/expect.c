/* What accesses a program must make: which objects can be watched, and what the machine saw of
 * them.  Declines programs that may reach a volatile object through other than volatile lvalues,
 * or as parts of something larger. */
#include "access/access.h"

#include <string.h>

enum { MOST_WATCHES = 256, MOST_EXPECTED = 150000 };

/* ---- types ---------------------------------------------------------------------------- */

static bool has_volatile(const struct type *t)
{
    t = t->canon;
    if (t->quals & QUAL_VOLATILE)
        return true;
    if (t->kind == TYPE_ARRAY)
        return has_volatile(t->base);
    for (uint32_t i = 0; lang_is_record(t) && i < t->u.record->count; i++)
        if (has_volatile(t->u.record->fields[i]->type))
            return true;
    return false;
}

static bool points_to_volatile(const struct type *t)
{
    return t && t->canon->kind == TYPE_POINTER && has_volatile(t->canon->base);
}

/* Can every part of it be accessed by one instruction, and is all of it volatile? */
static bool is_watchable(const struct program *p, const struct type *t, bool is_volatile)
{
    t = t->canon;
    is_volatile = is_volatile || t->quals & QUAL_VOLATILE;
    if (t->quals & QUAL_ATOMIC || t->flags & TYPE_UNSIZED)
        return false;
    if (t->kind == TYPE_ARRAY)
        return is_watchable(p, t->base, is_volatile);
    if (lang_is_scalar(t)) {
        uint64_t size = lang_sizeof(p, t);
        bool simple = t->kind == TYPE_POINTER || lang_is_integer(t) || lang_is_floating(t);
        return is_volatile && simple && size && size <= ACCESS_WIDEST && !(size & (size - 1)) &&
               lang_alignof(p, t) >= size;
    }
    if (!lang_is_record(t) || t->u.record->is_union || t->u.record->packed ||
        t->u.record->big_endian)
        return false;
    for (uint32_t i = 0; i < t->u.record->count; i++) {
        const struct field *f = t->u.record->fields[i];
        if (f->is_bitfield || f->packed || !is_watchable(p, f->type, is_volatile))
            return false;
    }
    return true;
}

/* Marks the bytes of an object that belong to integers. */
static void mark_integers(const struct program *p, const struct type *t, bool *bytes)
{
    t = t->canon;
    uint64_t size = lang_sizeof(p, t);
    if (t->kind == TYPE_ARRAY) {
        uint64_t step = lang_sizeof(p, t->base);
        for (uint64_t i = 0; step && i < size; i += step)
            mark_integers(p, t->base, bytes + i);
    } else if (lang_is_record(t)) {
        for (uint32_t i = 0; i < t->u.record->count; i++)
            mark_integers(p, t->u.record->fields[i]->type, bytes + t->u.record->fields[i]->offset);
    } else {
        memset(bytes, lang_is_integer(t), size);
    }
}

/* ---- programs that are not looked at ---------------------------------------------------- */

static bool has_body(const struct node *callee)
{
    while (callee->kind == NODE_CAST)
        callee = callee->kid[0];
    return callee->kind != NODE_NAME || callee->u.decl->kind != DECL_FUNC || callee->u.decl->body;
}

static const char *why_not_cast(const struct node *n)
{
    const struct type *from = n->kid[0]->type;
    if (n->op == CONV_LVALUE && lang_is_record(from) && has_volatile(from))
        return "a structure with volatile members is copied";
    if (points_to_volatile(from) && !points_to_volatile(n->type) && n->op != CONV_VOID &&
        n->op != CONV_BOOL)
        return "a pointer to a volatile object becomes something else";
    return NULL;
}

static const char *why_not_node(const struct node *n)
{
    if (n->kind == NODE_CAST)
        return why_not_cast(n);
    if (n->kind == NODE_ASSIGN && lang_is_record(n->kid[0]->type) && has_volatile(n->kid[0]->type))
        return "a structure with volatile members is copied";
    for (uint32_t i = 0; i < n->count; i++) {
        const struct type *t = n->kid[i] ? n->kid[i]->type : NULL;
        if (n->kind == NODE_ASM && t && has_volatile(t))
            return "a volatile object is an operand of assembly";
        if (n->kind == NODE_CALL && i && points_to_volatile(t) && !has_body(n->kid[0]))
            return "a pointer to a volatile object is given to the library";
    }
    return NULL;
}

/* ---- what is watched -------------------------------------------------------------------- */

static bool is_named_twice(const struct program *p, const struct decl *d)
{
    for (size_t i = 0; i < p->decls.n; i++) {
        const struct decl *other = p->decls.at[i];
        if (other != d && other->is_static && other->name && strcmp(other->name, d->name) == 0)
            return true;
    }
    return false;
}

static bool is_volatile_object(const struct decl *d)
{
    return d->kind == DECL_VAR && d->is_static && d->name && has_volatile(d->type);
}

/* Why the object cannot be watched; ACCESS_GAP_COUNT when it can. */
static enum access_gap gap_of(const struct program *p, const struct decl *d)
{
    if (!is_watchable(p, d->type, false))
        return ACCESS_GAP_PARTS;
    if (d->thread || d->weak || d->asm_name || is_named_twice(p, d))
        return ACCESS_GAP_SYMBOL;
    return ACCESS_GAP_COUNT;
}

/* The same of an object that is not watched, by its name; NULL for none. */
static enum access_gap gap_named(const struct program *p, const char *name)
{
    for (size_t i = 0; name && i < p->decls.n; i++) {
        const struct decl *d = p->decls.at[i];
        if (!is_volatile_object(d) || strcmp(d->name, name) != 0)
            continue;
        enum access_gap gap = gap_of(p, d);
        return gap == ACCESS_GAP_COUNT ? ACCESS_GAP_ROOM : gap;
    }
    return name ? ACCESS_GAP_SYMBOL : ACCESS_GAP_AUTOMATIC;
}

static void find_watches(struct arena *a, const struct program *p, struct access_plan *out)
{
    out->watches = NEW_ARRAY(a, MOST_WATCHES, struct sys_watch);
    out->integers = NEW_ARRAY(a, MOST_WATCHES, const bool *);
    for (size_t i = 0; i < p->decls.n && out->watch_count < MOST_WATCHES; i++) {
        const struct decl *d = p->decls.at[i];
        if (!is_volatile_object(d) || gap_of(p, d) != ACCESS_GAP_COUNT)
            continue;
        uint64_t size = lang_sizeof(p, d->type);
        bool *integers = NEW_ARRAY(a, size, bool);
        mark_integers(p, d->type, integers);
        out->integers[out->watch_count] = integers;
        out->watches[out->watch_count++] = (struct sys_watch){arena_string(a, d->name), size};
    }
}

static uint32_t watch_named(const struct access_plan *plan, const char *name)
{
    uint32_t i = 0;
    while (i < plan->watch_count && strcmp(plan->watches[i].name, name) != 0)
        i++;
    return i;
}

static void take_accesses(const struct program *p, const struct machine_volatile *seen, size_t n,
                          struct access_plan *out)
{
    for (size_t i = 0; i < n && out->count < MOST_EXPECTED; i++) {
        const struct machine_volatile *v = &seen[i];
        uint32_t watch = v->object ? watch_named(out, v->object) : (uint32_t)out->watch_count;
        if (watch == out->watch_count) {
            out->gaps[gap_named(p, v->object)]++;
            continue;
        }
        bool known = out->integers[watch][v->offset];
        uint64_t mask = v->size < 8 ? ((uint64_t)1 << 8 * v->size) - 1 : UINT64_MAX;
        out->expected[out->count++] = (struct access){
            .watch = watch,
            .group = v->group,
            .offset = v->offset,
            .bits = known ? v->bits & mask : 0,
            .line = (uint32_t)lang_place(p, v->place.node->begin).line,
            .size = v->size,
            .is_write = v->is_write,
            .known_bits = known};
    }
}

static const char *const gap_phrases[] = {
#define GAP(id, phrase) [ACCESS_GAP_##id] = phrase,
#include "access/gap.def"
};

const char *access_gap_phrase(enum access_gap g)
{
    return gap_phrases[g];
}

const char *access_describe_gaps(struct arena *a, const struct access_plan *plan)
{
    struct text out = {0};
    for (size_t i = 0; i < ACCESS_GAP_COUNT; i++)
        if (plan->gaps[i])
            text_printf(&out, "%s%zu access%s to %s", out.n ? "; " : "", plan->gaps[i],
                        plan->gaps[i] == 1 ? "" : "es", gap_phrases[i]);
    const char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}

void access_expect(struct arena *a, const struct program *p, const struct machine *m,
                   struct access_plan *out)
{
    const struct machine_volatile *seen;
    size_t n = machine_volatiles(m, &seen);
    *out = (struct access_plan){0};
    for (uint32_t i = 0; i < p->node_count && !out->why; i++)
        out->why = p->nodes[i] ? why_not_node(p->nodes[i]) : NULL;
    if (out->why)
        return;
    find_watches(a, p, out);
    out->expected = NEW_ARRAY(a, n < MOST_EXPECTED ? n : MOST_EXPECTED, struct access);
    take_accesses(p, seen, n, out);
    const char *gaps = access_describe_gaps(a, out);
    if (!out->watch_count)
        out->why = arena_printf(a, "no volatile object that can be watched%s%s", *gaps ? ": " : "",
                                gaps);
    else if (n == MACHINE_VOLATILES || out->count == MOST_EXPECTED)
        out->why = "too many accesses to volatile objects";
}
