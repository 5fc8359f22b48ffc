/* What accesses a program must make: which objects can be watched, and what the machine saw of
 * them.  Declines programs that may reach a volatile object through other than volatile lvalues,
 * and objects that may be copied as parts of something larger. */
#include "access/private.h"

#include <string.h>

enum { MOST_WATCHES = 256, MOST_LOCALS = 500, MOST_EXPECTED = 150000 };
/* A program that executes more is not stepped through. */
enum { MOST_NODES = 15000 };

/* ---- types ---------------------------------------------------------------------------- */

static bool points_to_volatile(const struct type *t)
{
    return t && t->canon->kind == TYPE_POINTER && access_has_volatile(t->canon->base);
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
    if (points_to_volatile(from) && !points_to_volatile(n->type) && n->op != CONV_VOID &&
        n->op != CONV_BOOL)
        return "a pointer to a volatile object becomes something else";
    return NULL;
}

static const char *why_not_node(const struct node *n)
{
    if (n->kind == NODE_CAST)
        return why_not_cast(n);
    for (uint32_t i = 0; i < n->count; i++) {
        const struct type *t = n->kid[i] ? n->kid[i]->type : NULL;
        if (n->kind == NODE_ASM && t && access_has_volatile(t))
            return "a volatile object is an operand of assembly";
        if (n->kind == NODE_CALL && i && points_to_volatile(t) && !has_body(n->kid[0]))
            return "a pointer to a volatile object is given to the library";
    }
    return NULL;
}

/* ---- structures that are copied --------------------------------------------------------- */

/* What a node copies as a whole, where some of that is volatile: how that is done is the compiler's
 * choice.  NULL: nothing of the kind. */
static const struct record *copied_by(const struct node *n)
{
    bool copies = n->kind == NODE_ASSIGN || (n->kind == NODE_CAST && n->op == CONV_LVALUE);
    const struct type *t = copies ? n->kid[0]->type->canon : NULL;
    return t && lang_is_record(t) && access_has_volatile(t) ? t->u.record : NULL;
}

static struct list find_copied(struct arena *a, const struct program *p)
{
    struct list found = {0};
    for (uint32_t i = 0; i < p->node_count; i++) {
        const struct record *r = p->nodes[i] ? copied_by(p->nodes[i]) : NULL;
        if (r)
            list_add(a, &found, (void *)r);
    }
    return found;
}

/* Is it one of those, or is one a part of it? */
static bool is_copied(const struct list *copied, const struct type *t)
{
    t = t->canon;
    if (t->kind == TYPE_ARRAY)
        return is_copied(copied, t->base);
    if (!lang_is_record(t))
        return false;
    for (size_t i = 0; i < copied->n; i++)
        if (copied->at[i] == t->u.record)
            return true;
    for (uint32_t i = 0; i < t->u.record->count; i++)
        if (is_copied(copied, t->u.record->fields[i]->type))
            return true;
    return false;
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

/* The name between quotes of an alias or weakref; NULL: the declaration is none. */
static const char *other_name(const struct decl *d)
{
    const struct attr *a = d->attrs;
    while (a && strcmp(a->name, "alias") != 0 && strcmp(a->name, "weakref") != 0)
        a = a->next;
    const char *quote = a ? strchr(a->text, '"') : NULL;
    return quote ? quote + 1 : NULL;
}

/* GNU: has it a second name?  Which of them is a symbol, and of what, is the compiler's choice. */
static bool is_aliased(const struct program *p, const struct decl *d)
{
    size_t n = strlen(d->name);
    bool aliased = other_name(d) != NULL;
    for (size_t i = 0; i < p->decls.n && !aliased; i++) {
        const char *name = other_name(p->decls.at[i]);
        aliased = name && strncmp(name, d->name, n) == 0 && name[n] == '"';
    }
    return aliased;
}

static bool is_volatile_object(const struct decl *d)
{
    return d->kind == DECL_VAR && d->is_static && d->name && access_has_volatile(d->type);
}

/* Why the object cannot be watched; ACCESS_GAP_COUNT when it can. */
static enum access_gap gap_of(const struct program *p, const struct decl *d,
                              const struct list *copied)
{
    if (!access_is_countable(d->type))
        return ACCESS_GAP_PARTS;
    if (is_copied(copied, d->type))
        return ACCESS_GAP_COPIED;
    if (d->thread || d->weak || d->asm_name || is_named_twice(p, d) || is_aliased(p, d))
        return ACCESS_GAP_SYMBOL;
    return ACCESS_GAP_COUNT;
}

/* The same of an object that is not watched, by its name. */
static enum access_gap gap_named(const struct program *p, const char *name,
                                 const struct list *copied)
{
    for (size_t i = 0; i < p->decls.n; i++) {
        const struct decl *d = p->decls.at[i];
        if (d->kind != DECL_VAR || !d->is_static || !d->name || strcmp(d->name, name) != 0)
            continue;
        if (!is_volatile_object(d))
            return ACCESS_GAP_PLAIN;
        enum access_gap gap = gap_of(p, d, copied);
        return gap == ACCESS_GAP_COUNT ? ACCESS_GAP_ROOM : gap;
    }
    return ACCESS_GAP_SYMBOL;
}

/* ---- automatic objects ------------------------------------------------------------------- */

/* While the library runs nothing is seen, so it must come back to where it was called, and call
 * nothing of the program's. */
static bool is_left_alone(const struct node *call)
{
    const struct node *callee = call->kid[0];
    while (callee->kind == NODE_CAST)
        callee = callee->kid[0];
    if (callee->kind == NODE_NAME && callee->u.decl->name && strstr(callee->u.decl->name, "jmp"))
        return false;
    for (uint32_t i = 1; i < call->count && !has_body(call->kid[0]); i++) {
        const struct type *t = call->kid[i]->type->canon;
        if (t->kind == TYPE_POINTER && t->base->canon->kind == TYPE_FUNCTION)
            return false;
    }
    return true;
}

/* Why the compiled program cannot be stepped through; NULL when it can. */
static const char *why_unstepped(const struct program *p, const struct machine *m)
{
    if (machine_cost(m).executed > MOST_NODES)
        return "it executes too much";
    for (size_t i = 0; i < p->decls.n; i++)
        if (((struct decl *)p->decls.at[i])->starts)
            return "it has a constructor or destructor";
    for (uint32_t i = 0; i < p->node_count; i++)
        if (p->nodes[i] && p->nodes[i]->kind == NODE_CALL && !is_left_alone(p->nodes[i]))
            return "it jumps out of functions or gives its own to the library";
    return NULL;
}

/* Can this one be looked for on the stack?  Parameters may be the caller's to store. */
static bool is_findable_object(const struct decl *d)
{
    return d->kind == DECL_VAR && !d->captured && d->storage != STORAGE_REGISTER;
}

/* What begins there, or is there, in an object of the type. */
static const struct type *part_at(const struct program *p, const struct type *t, uint64_t offset,
                                  bool *is_volatile)
{
    t = t->canon;
    *is_volatile = *is_volatile || t->quals & QUAL_VOLATILE;
    if (t->kind == TYPE_ARRAY && lang_sizeof(p, t->base))
        return part_at(p, t->base, offset % lang_sizeof(p, t->base), is_volatile);
    const struct field *f = NULL;
    for (uint32_t i = 0; lang_is_record(t) && i < t->u.record->count; i++)
        if (t->u.record->fields[i]->offset <= offset)
            f = t->u.record->fields[i];
    return f ? part_at(p, f->type, offset - f->offset, is_volatile) : t;
}

/* Why what is accessed cannot be looked for on the stack, if it is a part of d. */
static enum access_gap gap_of_part(const struct program *p, const struct decl *d,
                                   const struct list *copied, uint64_t offset, bool *integer)
{
    bool is_volatile = false;
    if (!access_has_volatile(d->type))
        return d->address_taken ? ACCESS_GAP_PLAIN : ACCESS_GAP_COUNT;
    if (!is_findable_object(d))
        return ACCESS_GAP_AUTOMATIC;
    if (!access_is_watchable(p, d->type))
        return ACCESS_GAP_PARTS;
    if (is_copied(copied, d->type))
        return ACCESS_GAP_COPIED;
    *integer = *integer && lang_is_integer(part_at(p, d->type, offset, &is_volatile));
    return is_volatile ? ACCESS_GAP_COUNT : ACCESS_GAP_PLAIN;
}

/* Why a part of an automatic object of that name cannot be looked for on the stack;
 * ACCESS_GAP_COUNT when each can.  The machine tells names only: one that is not volatile may be
 * what an lvalue that is reached by its address.  *integer: are they integers? */
static enum access_gap gap_of_local(const struct program *p, const struct machine_volatile *v,
                                    const struct list *copied, bool *integer)
{
    enum access_gap gap = ACCESS_GAP_COUNT;
    *integer = true;
    for (size_t i = 0; i < p->decls.n && gap == ACCESS_GAP_COUNT; i++) {
        const struct decl *d = p->decls.at[i];
        if (!d->is_static && d->name && strcmp(d->name, v->local) == 0 &&
            (d->kind == DECL_VAR || d->kind == DECL_PARAM))
            gap = gap_of_part(p, d, copied, v->offset, integer);
    }
    return gap;
}

/* Objects that were seen so far, by what tells them apart. */
struct locals {
    uint64_t instances[MOST_LOCALS];
    bool integers[MOST_LOCALS];
};

/* Its number among the locals; MOST_LOCALS when it is none, and *gap says why. */
static size_t local_number(struct arena *a, const struct program *p, const struct list *copied,
                           const struct machine_volatile *v, struct locals *l,
                           struct access_plan *out, enum access_gap *gap)
{
    size_t i = out->local_count;
    bool integer;
    *gap = v->local && !out->steppable ? ACCESS_GAP_UNSTEPPED : ACCESS_GAP_AUTOMATIC;
    while (v->local && out->steppable && i > 0 && l->instances[i - 1] != v->instance)
        i--;
    if (v->local && i > 0)
        return i - 1;
    if (!v->local || !out->steppable)
        return MOST_LOCALS;
    *gap = gap_of_local(p, v, copied, &integer);
    if (*gap == ACCESS_GAP_COUNT && out->local_count == MOST_LOCALS)
        *gap = ACCESS_GAP_ROOM;
    if (*gap != ACCESS_GAP_COUNT)
        return MOST_LOCALS;
    l->instances[out->local_count] = v->instance;
    l->integers[out->local_count] = integer;
    out->locals[out->local_count] = (struct access_local){arena_string(a, v->local), v->offset};
    return out->local_count++;
}

static void find_watches(struct arena *a, const struct program *p, const struct list *copied,
                         struct access_plan *out)
{
    out->watches = NEW_ARRAY(a, MOST_WATCHES, struct sys_watch);
    out->bytes = NEW_ARRAY(a, MOST_WATCHES, const uint8_t *);
    for (size_t i = 0; i < p->decls.n && out->watch_count < MOST_WATCHES; i++) {
        const struct decl *d = p->decls.at[i];
        if (!is_volatile_object(d) || gap_of(p, d, copied) != ACCESS_GAP_COUNT)
            continue;
        uint64_t size = lang_sizeof(p, d->type);
        uint8_t *bytes = NEW_ARRAY(a, size, uint8_t);
        access_mark_bytes(p, d->type, bytes);
        out->bytes[out->watch_count] = bytes;
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

static struct access access_of(const struct program *p, const struct machine_volatile *v,
                               uint32_t watch, bool known)
{
    uint64_t mask = v->size < 8 ? ((uint64_t)1 << 8 * v->size) - 1 : UINT64_MAX;
    return (struct access){.watch = watch,
                           .group = v->group,
                           .offset = v->offset,
                           .bits = known ? v->bits & mask : 0,
                           .line = (uint32_t)lang_place(p, v->place.node->begin).line,
                           .size = v->size,
                           .is_write = v->is_write,
                           .known_bits = known};
}

/* The machine takes the value of an assignment to a bit-field from there: that is no access. */
static bool is_of_assignment(const struct machine_volatile *v, size_t i)
{
    return i && !v->is_write && v[-1].is_write && v[-1].place.node == v->place.node &&
           v[-1].instance == v->instance;
}

/* Of an object that is watched.  i: of how many before. */
static void take_watched(const struct program *p, const struct machine_volatile *v, size_t i,
                         uint32_t watch, struct access_plan *out)
{
    uint8_t what = out->bytes[watch][v->offset];
    struct access x = access_of(p, v, watch, what & ACCESS_INTEGER && !(what & ACCESS_COUNTED));
    if (what & (ACCESS_BITS | ACCESS_MIXED) && is_of_assignment(v, i))
        return;
    if (what & ACCESS_COUNTED) {
        out->gaps[ACCESS_GAP_COUNTED]++;
        out->counted[out->counted_count++] = x;
    } else if (what & ACCESS_PLAIN) {
        out->gaps[ACCESS_GAP_PLAIN]++;
    } else {
        out->expected[out->count++] = x;
    }
}

static void take_accesses(struct arena *a, const struct program *p, const struct list *copied,
                          const struct machine_volatile *seen, size_t n, struct access_plan *out)
{
    struct locals *l = NEW(a, struct locals);
    out->locals = NEW_ARRAY(a, MOST_LOCALS, struct access_local);
    for (size_t i = 0; i < n && out->count < MOST_EXPECTED; i++) {
        const struct machine_volatile *v = &seen[i];
        enum access_gap gap;
        uint32_t watch = v->object ? watch_named(out, v->object) : (uint32_t)out->watch_count;
        if (watch < out->watch_count) {
            take_watched(p, v, i, watch, out);
            continue;
        }
        size_t local = v->object ? MOST_LOCALS : local_number(a, p, copied, v, l, out, &gap);
        if (local == MOST_LOCALS) {
            out->gaps[v->object ? gap_named(p, v->object, copied) : gap]++;
            continue;
        }
        struct access *x = &out->expected[out->count++];
        *x = access_of(p, v, (uint32_t)(out->watch_count + local), l->integers[local]);
        x->offset = 0;
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

void access_expect(struct arena *a, struct program *p, const struct machine *m,
                   struct access_plan *out)
{
    const struct machine_volatile *seen;
    size_t n = machine_volatiles(m, &seen);
    *out = (struct access_plan){0};
    for (uint32_t i = 0; i < p->node_count && !out->why; i++)
        out->why = p->nodes[i] ? why_not_node(p->nodes[i]) : NULL;
    if (!out->why)
        out->why = access_why_lost(a, p);
    const struct decl *own = out->why ? NULL : lang_redefined(p);
    if (own)
        out->why = arena_printf(
            a, "it defines %s itself, a function of the library: compilers need not call it",
            own->name);
    if (out->why)
        return;
    struct list copied = find_copied(a, p);
    find_watches(a, p, &copied, out);
    out->why_unstepped = why_unstepped(p, m);
    out->steppable = !out->why_unstepped;
    out->expected = NEW_ARRAY(a, n < MOST_EXPECTED ? n : MOST_EXPECTED, struct access);
    out->counted = NEW_ARRAY(a, n, struct access);
    take_accesses(a, p, &copied, seen, n, out);
    const char *gaps = access_describe_gaps(a, out);
    if (!*gaps && copied.n) /* the machine has no accesses of copies */
        gaps = gap_phrases[ACCESS_GAP_COPIED];
    if (!out->watch_count && !out->local_count)
        out->why = arena_printf(a, "no volatile object that can be watched%s%s", *gaps ? ": " : "",
                                gaps);
    else if (n == MACHINE_VOLATILES || out->count == MOST_EXPECTED)
        out->why = "too many accesses to volatile objects";
}
