/* Runs compiled code.  The instructions are rows of instructions.def; this file has the loop,
 * calls, and what instructions need beside it.  The host's stack is used for the library's
 * callbacks only, never for the program's own recursion. */
#include "machine/compile/compile.h"
#include "machine/lib/lib.h"
#include "machine/native/native.h"

#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpedantic" /* labels as values: one indirect jump per row */

/* ---- values in slots -------------------------------------------------------------------- */

static inline float f32(uint64_t v)
{
    uint32_t bits = (uint32_t)v;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline double f64(uint64_t v)
{
    double d;
    memcpy(&d, &v, sizeof d);
    return d;
}

static inline uint64_t bits32(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline uint64_t bits64(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static inline bool multiply(uint64_t x, uint64_t y, uint64_t *v)
{
    u128 wide = lang_sign_extend(x, 64) * lang_sign_extend(y, 64);
    *v = (uint64_t)wide;
    return wide == lang_sign_extend(*v, 64);
}

/* Do all n bytes have this effective type already? */
static inline bool all_tags(const struct object *o, uint64_t off, size_t n, uint8_t tag)
{
    uint64_t v = 0;
    if (!o->tags)
        return false;
    memcpy(&v, o->tags + off, n);
    return v == (tag * 0x0101010101010101u) >> (64 - 8 * n);
}

static inline bool all_ones(const uint8_t *mask, size_t n)
{
    uint64_t v = ~(uint64_t)0;
    memcpy(&v, mask, n);
    return v == ~(uint64_t)0;
}

/* ---- jumps ------------------------------------------------------------------------------ */

static int64_t switch_target(const struct switch_table *t, uint64_t v)
{
    if (t->span)
        return v - t->first < t->span ? t->dense[v - t->first] : t->otherwise;
    uint64_t flip = t->is_signed ? (uint64_t)1 << 63 : 0;
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((v ^ flip) > (t->high[middle] ^ flip))
            low = middle + 1;
        else if ((v ^ flip) < (t->low[middle] ^ flip))
            high = middle;
        else
            return t->target[middle];
    }
    return t->otherwise;
}

/* Of 128 bits; all labels have 64. */
static int64_t switch_pair_target(const struct switch_table *t, uint64_t low, uint64_t high)
{
    uint64_t extension = t->is_signed && low >> 63 ? ~UINT64_C(0) : 0;
    return high == extension ? switch_target(t, low) : t->otherwise;
}

/* Does a jump from one scope to another enter one whose objects would have to be born? */
static bool enters_objects(const struct scope *from, const struct scope *to)
{
    for (; to; to = to->parent) {
        const struct scope *s = from;
        while (s && s->depth > to->depth)
            s = s->parent;
        if (s == to)
            return false;
        if (to->locals.n)
            return true;
    }
    return false;
}

/* The address of a label is that of its function, plus its number, from either end. */
static const struct insn *goto_value(struct machine *m, const struct insn *pc, uint64_t address)
{
    const struct code *code = m->frames[m->depth].code;
    struct object *o = memory_find(&m->memory, address);
    if (!o || o->func != code->func || address == o->base ||
        address - o->base > code->func->body->labels.n) {
        machine_undefined(m, UB_WILD, code->func->unit, pc->u.at, "goto to no label of '%s'",
                          code->func->name);
        return NULL;
    }
    uint32_t label = (uint32_t)label_offset(m, code->func, address - o->base) - 1;
    uint32_t to = code->labels[label];
    if (to == 0 || enters_objects(code->goto_scopes.at[pc->b], code->label_scopes[label])) {
        machine_unsupported(m, code->func->unit, pc->u.at, "goto into another block by address");
        return NULL;
    }
    if (m->fuel-- == 0 && !machine_refuel(m))
        return NULL;
    return code->insn + to - 1;
}

static const char *text_of(const struct insn *pc)
{
    return (const char *)(uintptr_t)pc->k;
}

/* ---- pointers --------------------------------------------------------------------------- */

/* The object that a pointer points into, remembered in the instruction. */
static inline struct object *object_at(struct machine *m, const struct insn *pc, uint64_t pointer)
{
    struct object *o = pc->u.object;
    if (o && pointer - o->base <= o->size)
        return o;
    o = memory_find(&m->memory, pointer);
    if (o)
        ((struct insn *)(uintptr_t)pc)->u.object = o;
    return o;
}

static const struct node *node_of(const struct machine *m, const struct insn *pc, uint32_t *unit)
{
    *unit = m->frames[m->depth].code->func->unit;
    return m->units[*unit].p->nodes[pc->node];
}

/* C11 6.5.6p8.  A null pointer may be moved by nothing (C2y, and everybody). */
static bool pointer_add(struct machine *m, const struct insn *pc, uint64_t pointer, int64_t by,
                        uint64_t *result)
{
    struct object *o = object_at(m, pc, pointer);
    uint64_t to = pointer + (uint64_t)by;
    if (o && to - o->base <= o->size) {
        *result = to;
        return true;
    }
    if (by == 0) {
        *result = to;
        return access_alive(m, pc, pointer);
    }
    uint32_t unit;
    const struct node *n = node_of(m, pc, &unit);
    if (o)
        machine_undefined(m, UB_POINTER_ARITH, unit, n, "%s moved by %lld bytes, size %llu",
                          machine_describe(m, pointer), (long long)by, (unsigned long long)o->size);
    else if (!access_alive(m, pc, pointer))
        return false;
    else if (pointer < 4096)
        machine_undefined(m, UB_POINTER_ARITH, unit, n, "null pointer moved by %lld bytes",
                          (long long)by);
    else if (pointer >= 4096) {
        *result = to; /* made from an integer: nobody knows what is there; using it will tell */
        return true;
    }
    return false;
}

static bool pointer_step(struct machine *m, const struct insn *pc, uint64_t pointer, uint64_t by,
                         uint64_t *result)
{
    uint64_t bytes;
    if (!multiply(by, (uint64_t)pc->k, &bytes)) {
        machine_fault(m, pc, UB_POINTER_ARITH, pointer, by);
        return false;
    }
    return pointer_add(m, pc, pointer, (int64_t)bytes, result);
}

/* Where is it about to move? */
static bool pointer_wall(struct machine *m, const struct insn *pc, uint64_t pointer,
                         const uint64_t *r)
{
    struct object *o = object_at(m, pc, pointer);
    uint64_t by = (uint64_t)pc->k * (pc->b == NO_SLOT ? 1 : r[pc->b]), off = pointer - o->base;
    return wall_check(m, pc, o, off, pc->align ? off - by : off + by);
}

/* The size of what is pointed to is in a slot: a variable type.  k is 1 or -1. */
static bool pointer_step_wide(struct machine *m, const struct insn *pc, uint64_t *r)
{
    struct insn copy = *pc;
    copy.k = (int64_t)r[pc->u.wide];
    copy.u.object = NULL;
    uint64_t by = pc->k < 0 ? 0 - r[pc->b] : r[pc->b];
    return pointer_step(m, &copy, r[pc->a], by, &r[pc->dst]);
}

/* ---- memory that is no plain load or store ---------------------------------------------- */

static bool load_pair(struct machine *m, const struct insn *pc, uint64_t address, uint64_t *to)
{
    const uint8_t *bytes = access_read(m, pc, address + (uint64_t)pc->k, pc->b);
    if (!bytes)
        return false;
    to[0] = to[1] = 0;
    memory_get(m, to, bytes, pc->b);
    return true;
}

static bool store_pair(struct machine *m, const struct insn *pc, uint64_t address,
                       const uint64_t *from)
{
    uint64_t at = address + (uint64_t)pc->k;
    uint8_t *bytes = access_write(m, pc, at, pc->b);
    if (!bytes)
        return false;
    memory_put(m, bytes, from, pc->b);
    /* x87's padding: C11 6.2.6.1p6 */
    struct object *o = pc->b == 10 ? memory_find(&m->memory, at) : NULL;
    uint64_t whole = m->target->ldouble.size;
    if (o && o->size - (at - o->base) >= whole) {
        memory_need_init(o);
        for (uint64_t i = 10; i < whole; i++)
            access_forget_byte(m, o, at - o->base + i, 0xff);
    }
    return true;
}

/* An initialiser begins: all of the object is zero (C11 6.7.9p21). */
static bool zero_fill(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size)
{
    struct object *o = memory_find(&m->memory, address);
    if (!o || address - o->base + size > o->size) {
        machine_fault(m, pc, UB_BOUNDS, address, size);
        return false;
    }
    memset(o->bytes + (address - o->base), 0, size);
    if (o->init)
        memset(o->init + (address - o->base), 0xff, size);
    return true;
}

/* A string into an array of characters, cut or filled with zeros. */
static bool copy_string(struct machine *m, const struct insn *pc, uint64_t address)
{
    const struct string *s = pc->u.at->u.string;
    uint64_t size = (uint64_t)pc->k, n = s->size < size ? s->size : size;
    struct object *o = memory_find(&m->memory, address);
    if (!o || address - o->base + size > o->size) {
        machine_fault(m, pc, UB_BOUNDS, address, size);
        return false;
    }
    uint8_t *to = o->bytes + (address - o->base);
    memset(to, 0, size);
    memcpy(to, s->bytes, n);
    if (o->init)
        memset(o->init + (address - o->base), 0xff, size);
    return true;
}

/* Which object it is: by its name if it lives as long as the program does, or is automatic. */
static void volatile_object(struct machine *m, uint64_t address, struct machine_volatile *v)
{
    const struct object *o = memory_find(&m->memory, address);
    if (!o)
        return;
    v->offset = address - o->base;
    v->instance = address; /* not used twice */
    if (o->kind == OBJECT_STATIC)
        v->object = o->name;
    else if (o->kind == OBJECT_AUTO)
        v->local = o->name;
}

static void volatile_log(struct machine *m, const struct insn *pc, uint64_t v, uint64_t address,
                         bool is_write)
{
    if (m->volatile_count == m->volatile_room) {
        if (m->volatile_room >= MACHINE_VOLATILES)
            return;
        m->volatile_room = m->volatile_room ? m->volatile_room * 2 : 64;
        m->volatiles = realloc(m->volatiles, m->volatile_room * sizeof *m->volatiles);
        if (!m->volatiles)
            BUG("out of memory");
    }
    uint32_t unit;
    const struct node *n = node_of(m, pc, &unit);
    if (!m->volatile_depth)
        m->volatile_group++;
    struct machine_volatile *last = &m->volatiles[m->volatile_count++];
    *last = (struct machine_volatile){.place = {unit, n},
                                      .is_write = is_write,
                                      .size = (uint8_t)pc->k,
                                      .bits = v,
                                      .group = m->volatile_group};
    volatile_object(m, address, last);
}

/* A full expression begins whose accesses may come in another order. */
static void volatile_open(struct machine *m)
{
    if (!m->volatile_depth++)
        m->volatile_group++;
}

/* Jumps out of expressions leave some open for good: then no order is claimed any more. */
static void volatile_close(struct machine *m)
{
    if (m->volatile_depth)
        m->volatile_depth--;
}

/* ---- objects of the frame --------------------------------------------------------------- */

static bool no_memory(struct machine *m)
{
    machine_stop(m, MACHINE_MEMORY, "out of memory: objects need more than %llu bytes",
                 (unsigned long long)m->memory.budget);
    return false;
}

bool exec_own(struct machine *m, struct object *o)
{
    struct frame *f = &m->frames[m->depth];
    o->next = f->objects;
    f->objects = o;
    m->automatic += o->size;
    if (!m->options.stack || m->automatic <= m->options.stack)
        return true;
    machine_stop(m, MACHINE_MEMORY, "out of stack: automatic objects need more than %llu bytes",
                 (unsigned long long)m->options.stack);
    return false;
}

static void unlink_object(struct machine *m, struct frame *f, struct object *o)
{
    for (struct object **at = &f->objects; *at; at = &(*at)->next)
        if (*at == o) {
            *at = o->next;
            m->automatic -= o->size;
            return;
        }
}

/* A nested function, which can be called as long as its block lives. */
static void declare_nested(struct machine *m, struct object *o, const struct local *l)
{
    struct unit_state *u = &m->units[m->frames[m->depth].code->func->unit];
    o->kind = OBJECT_FUNCTION;
    o->is_const = CONST_ALL;
    o->func = link_func(m, u, l->decl);
}

static bool object_born(struct machine *m, const struct insn *pc, uint64_t *r)
{
    const struct local *l = pc->u.local;
    struct object *o = (struct object *)(uintptr_t)r[l->slot];
    struct frame *f = &m->frames[m->depth];
    if (o && o->owner == f->serial && o->base != ~(uint64_t)0) {
        /* the block is entered again: another object, in the same record */
        if (m->following)
            restrict_die(m, o->base, o->size);
        unlink_object(m, f, o);
        memory_kill(&m->memory, o);
    }
    o = memory_new(&m->memory, l->size, l->align, l->zero ? NEW_KNOWN : 0);
    if (!o)
        return no_memory(m);
    o->kind = l->decl ? OBJECT_AUTO : OBJECT_TEMPORARY;
    o->name = l->decl ? l->decl->name : NULL;
    o->owner = f->serial;
    const struct type *t = l->type->canon;
    while (t->kind == TYPE_ARRAY)
        t = t->base;
    if (t->kind == TYPE_FUNCTION)
        declare_nested(m, o, l);
    else
        memory_declare(m, o, l->program, l->type);
    if (l->decl && !l->initialised && l->decl->kind == DECL_VAR)
        o->is_const = t->quals & QUAL_CONST ? CONST_ALL : o->consts ? CONST_PARTS : CONST_NONE;
    r[l->slot] = (uint64_t)(uintptr_t)o;
    return exec_own(m, o);
}

static void object_die(struct machine *m, const struct insn *pc, uint64_t *r)
{
    const struct local *l = pc->u.local;
    struct object *o = (struct object *)(uintptr_t)r[l->slot];
    struct frame *f = &m->frames[m->depth];
    r[l->slot] = 0;
    if (!o || o->owner != f->serial)
        return;
    if (m->following)
        restrict_die(m, o->base, o->size);
    unlink_object(m, f, o);
    memory_kill(&m->memory, o);
}

/* An array of variable size: bytes in a, its object into the local's slot. */
static bool vla_born(struct machine *m, const struct insn *pc, uint64_t *r)
{
    struct local l = *pc->u.local;
    l.size = r[pc->a];
    struct insn copy = *pc;
    copy.u.local = &l;
    const struct type *t = l.type->canon;
    while (t->kind == TYPE_ARRAY)
        t = t->base;
    l.type = t; /* its tags repeat */
    return object_born(m, &copy, r);
}

void exec_kill_objects(struct machine *m, struct frame *f)
{
    while (f->objects) {
        struct object *o = f->objects;
        f->objects = o->next;
        m->automatic -= o->size;
        memory_kill(&m->memory, o);
    }
}

static bool return_memory(struct machine *m, const struct insn *pc, uint64_t from)
{
    const struct frame *f = &m->frames[m->depth];
    if (!f->site || !f->site->used)
        return true;
    return access_copy(m, pc, f->result, from, (uint64_t)pc->k);
}

/* ---- calls ------------------------------------------------------------------------------ */

static struct func *function_at(struct machine *m, const struct insn *pc, uint64_t address)
{
    struct object *o = memory_find(&m->memory, address);
    if (o && o->kind == OBJECT_FUNCTION && address == o->base) {
        o->func->bound = o->owner;
        return o->func;
    }
    uint32_t unit;
    const struct node *n = node_of(m, pc, &unit);
    if (o && o->kind == OBJECT_FUNCTION)
        machine_undefined(m, UB_WILD, unit, n, "call of %s", machine_describe(m, address));
    else if (o)
        machine_undefined(m, UB_CALL_TYPE, unit, n, "call of the object %s",
                          machine_describe(m, address));
    else
        machine_bad_access(m, unit, n, address, 0, 1);
    return NULL;
}

static bool library_call(struct machine *m, const struct insn *pc, uint64_t *r, struct func *f)
{
    const struct call_site *site = pc->u.site;
    if (!f->lib) {
        machine_unsupported(m, site->unit, site->node, "external function '%s' is not defined",
                            f->name);
        return false;
    }
    struct lib_call c = {m, site, f, pc, r, NULL, m->units[site->unit].p, false};
    uint64_t result[2] = {0, 0};
    c.result = result;
    bool tracked = m->seq.mark_count > 0;
    if (tracked)
        seq_mark(m);
    f->lib->run(&c);
    if (m->ended || m->jumps.pending) {
        if (m->exit_site != site) /* a callback did not come back, or this is longjmp */
            jump_count(m, site, 1);
        return false;
    }
    if (tracked)
        seq_enclose(m);
    r = m->frames[m->depth].r;
    enum kind k = kind_of(c.p, site->result);
    if (k != KIND_VOID && pc->dst != NO_SLOT) {
        r[pc->dst] = result[0];
        if (kind_is_pair(k))
            r[pc->dst + 1] = result[1];
        struct fact *fact = &m->facts[pc->fact];
        if ((int64_t)result[0] < fact->low)
            fact->low = (int64_t)result[0];
        if ((int64_t)result[0] > fact->high)
            fact->high = (int64_t)result[0];
    }
    return true;
}

static bool rivals_differ(struct machine *m, const struct insn *pc)
{
    const struct call_site *site = pc->u.site;
    machine_unsupported(m, site->unit, site->node,
                        "the program's own '%s' gives another value than the library's, which "
                        "compilers may take",
                        site->callee->name);
    return false;
}

static bool frame_push(struct machine *m, struct code *code, uint64_t *r)
{
    if (r + code->slots + 8 > m->stack_end || m->depth + 2 > m->options.depth) {
        machine_stop(m, MACHINE_MEMORY, "calls are nested too deeply: %u of them", m->depth);
        return false;
    }
    if (m->depth + 2 > m->frame_room) {
        m->frame_room = m->frame_room ? m->frame_room * 2 : 64;
        m->frames = realloc(m->frames, m->frame_room * sizeof *m->frames);
        if (!m->frames)
            BUG("out of memory");
    }
    /* one by one: clearing it whole is slower than all the rest of a call */
    struct frame *f = &m->frames[++m->depth];
    f->code = code;
    f->back = NULL;
    f->resume = NULL;
    f->r = r;
    f->objects = NULL;
    f->result = 0;
    f->site = NULL;
    f->caller = NULL;
    f->seq = 0;
    f->serial = ++m->serial;
    f->watch = NULL;
    f->cursor = 0;
    return true;
}

static struct code *code_for(struct machine *m, struct func *f)
{
    bool tracked = m->seq.mark_count > 0 || f->purity, watched = m->watching > 0;
    struct code **code = &f->code[tracked + 2 * watched];
    if (!*code) {
        *code = compile_function(m, f, tracked, watched);
        link_initialise(m);
    }
    return m->ended ? NULL : *code;
}

/* The frame of the function around a nested one that is called: the one that its address belongs
 * to, or, where it is named, the nearest around the caller.  0: it has returned. */
static uint32_t enclosing_frame(const struct machine *m, const struct insn *pc,
                                const struct func *f)
{
    uint64_t bound = pc->op == I_CALL_POINTER ? f->bound : pc->u.site->bound;
    uint32_t at = m->depth;
    if (bound) {
        while (at && m->frames[at].serial != bound)
            at--;
        return at;
    }
    while (m->frames[at].code->func->body != f->body->outer)
        at = m->frames[at].outer;
    return at;
}

/* The object of a variable of a function around this one. */
static bool outer_address(struct machine *m, const struct insn *pc, uint64_t *address)
{
    uint32_t at = m->depth, unit;
    for (int64_t i = 0; i < pc->k; i++)
        at = m->frames[at].outer;
    const struct object *o = (const struct object *)(uintptr_t)m->frames[at].r[pc->a];
    const struct node *n = node_of(m, pc, &unit);
    if (o)
        *address = o->base;
    else
        machine_unsupported(m, unit, n, "a variable of an enclosing function, before its time");
    return o;
}

/* The instruction before the next one; the frame's slots may be others then. */
static const struct insn *call_enter(struct machine *m, const struct insn *pc, uint64_t *caller,
                                     struct func *f)
{
    struct call_site *site = (struct call_site *)(uintptr_t)pc->u.site;
    if (m->fuel-- == 0 && !machine_refuel(m))
        return NULL;
    if (site->checked != f && !call_check(m, site, f))
        return NULL;
    site->checked = f;
    if (!f->body)
        return library_call(m, pc, caller, f) ? pc : jump_land(m);
    struct code *code = code_for(m, f);
    uint32_t outer = f->body->outer ? enclosing_frame(m, pc, f) : 0;
    if (f->body->outer && !outer) {
        machine_undefined(m, UB_DANGLING, f->unit, f->body->node,
                          "'%s' is called after the function around it returned", f->name);
        return NULL;
    }
    if (!code || !frame_push(m, code, caller + site->base))
        return NULL;
    struct frame *frame = &m->frames[m->depth];
    frame->outer = outer;
    native_warm(m, code);
    frame->back = pc;
    frame->site = site;
    frame->caller = caller;
    frame->seq = m->seq.count;
    if (pc->b != NO_SLOT)
        frame->result = caller[pc->b];
    if (code->objects_count)
        memset(frame->r + code->objects_first, 0, code->objects_count * sizeof *frame->r);
    return code->insn;
}

static const struct insn *call_leave(struct machine *m)
{
    struct frame *f = &m->frames[m->depth];
    if (f->objects)
        exec_kill_objects(m, f);
    if (f->watch)
        restrict_end(m, f);
    if (f->cursor && m->cursor_count >= f->cursor)
        cursors_drop(m, f);
    if (f->code->tracked)
        seq_return(m);
    m->depth--;
    return f->back;
}

bool exec_leaves_no_trace(struct machine *m, const struct func *f)
{
    enum { WRITES = 2 };
    return f->body && purity_of_function(m, &m->units[f->unit], f->body) < WRITES;
}

/* ---- the loop --------------------------------------------------------------------------- */

#define X     r[pc->a]
#define LOCAL ((struct object *)(uintptr_t)X)
#define FAULT(ub, x, y)                          \
    {                                            \
        machine_fault(m, pc, UB_##ub, (x), (y)); \
        goto stop;                               \
    }
#define FAULT_K                                     \
    {                                               \
        machine_fault(m, pc, (enum ub)pc->k, 0, 0); \
        goto stop;                                  \
    }
#define TRY(...)        \
    if (!(__VA_ARGS__)) \
        goto stop;
#define SPEND                                 \
    if (m->fuel-- == 0 && !machine_refuel(m)) \
        goto stop;
#define FACT(v)                                \
    {                                          \
        struct fact *f_ = &m->facts[pc->fact]; \
        if ((int64_t)(v) < f_->low)            \
            f_->low = (int64_t)(v);            \
        if ((int64_t)(v) > f_->high)           \
            f_->high = (int64_t)(v);           \
    }
#define SET(v)                               \
    {                                        \
        const uint64_t set_ = (uint64_t)(v); \
        r[pc->dst] = set_;                   \
        FACT(set_)                           \
    }
#define READ(object_, offset_, ctype)                       \
    const struct object *o = (object_);                     \
    const uint64_t off = (offset_);                         \
    if (o->init && !all_ones(o->init + off, sizeof(ctype))) \
        FAULT(UNINIT, o->base, off)                         \
    ctype v;                                                \
    memory_get(m, &v, o->bytes + off, sizeof v);            \
    SET(v)
#define WRITE(object_, offset_, ctype)           \
    struct object *o = (object_);                \
    const uint64_t off = (offset_);              \
    const ctype v = (ctype)r[pc->dst];           \
    memory_put(m, o->bytes + off, &v, sizeof v); \
    if (o->init)                                 \
        memset(o->init + off, 0xff, sizeof v);   \
    if (o->tags)                                 \
        memset(o->tags + off, pc->tag, sizeof v);
#define REACH(ctype)                                                                            \
    const uint64_t p_ = X;                                                                      \
    struct object *o = object_at(m, pc, p_);                                                    \
    const uint64_t off = o ? p_ - o->base + (uint64_t)pc->k : 0;                                \
    if (!o || off >= o->size || o->size - off < sizeof(ctype)) {                                \
        machine_bad_access(m, m->frames[m->depth].code->func->unit, NODE, p_, pc->k,            \
                           sizeof(ctype));                                                      \
        goto stop;                                                                              \
    }                                                                                           \
    if (!memory_is_aligned(o, off, pc->align))                                                  \
        FAULT(MISALIGNED, p_ + (uint64_t)pc->k, pc->align + 1u)                                 \
    if (pc->tag > TAG_CHAR && o->tag != pc->tag && !all_tags(o, off, sizeof(ctype), pc->tag) && \
        !access_tags(m, pc, o, off, sizeof(ctype), IS_STORE))                                   \
        goto stop;
#define NODE m->units[m->frames[m->depth].code->func->unit].p->nodes[pc->node]
#define READ_POINTER(ctype)                                 \
    enum { IS_STORE = 0 };                                  \
    REACH(ctype)                                            \
    if (o->init && !all_ones(o->init + off, sizeof(ctype))) \
        FAULT(UNINIT, o->base, off)                         \
    ctype v;                                                \
    memory_get(m, &v, o->bytes + off, sizeof v);            \
    SET(v)
#define WRITE_POINTER(ctype)                                                      \
    enum { IS_STORE = 1 };                                                        \
    REACH(ctype)                                                                  \
    if (o->is_const && memory_is_const(o, off, sizeof(ctype)))                    \
        FAULT(CONST_WRITE, o->base, off)                                          \
    const ctype v = (ctype)r[pc->dst];                                            \
    memory_put(m, o->bytes + off, &v, sizeof v);                                  \
    if (o->init)                                                                  \
        memset(o->init + off, 0xff, sizeof v);                                    \
    if (o->tags && pc->tag == TAG_CHAR) /* C11 6.5p6: modified, and of no type */ \
        memset(o->tags + off, TAG_ANY, sizeof v);
#define LEAVE           \
    pc = call_leave(m); \
    r = m->frames[m->depth].r;

/* The instruction behind pc is next. */
#define RESUME                              \
    if (m->frames[m->depth].code->native) { \
        if (!(pc = native_run(m, pc + 1)))  \
            goto stop;                      \
        pc--;                               \
        r = m->frames[m->depth].r;          \
    }

static void run(struct machine *m, const struct insn *pc, uint64_t *r)
{
    static const void *const go[OPCODES] = {
#define OP(name, ...) [I_##name] = &&do_##name,
#include "machine/instructions.def"
    };
    goto *go[pc->op];
#define OP(name, ...) \
    do_##name:        \
    {                 \
        __VA_ARGS__;  \
    }                 \
    pc++;             \
    goto *go[pc->op];
#include "machine/instructions.def"
stop:
    return;
}

#undef RESUME
#define RESUME

const struct insn *exec_step(struct machine *m, const struct insn *pc, uint64_t *r)
{
    static const void *const go[OPCODES] = {
#define OP(name, ...) [I_##name] = &&do_##name,
#include "machine/instructions.def"
    };
    goto *go[pc->op];
#define OP(name, ...) \
    do_##name:        \
    {                 \
        __VA_ARGS__;  \
    }                 \
    return pc + 1;
#include "machine/instructions.def"
stop:
    return NULL;
}

enum { MAX_NESTED = 200 };

void exec_code(struct machine *m, struct code *code, uint64_t *r)
{
    if (m->ended)
        return;
    if (m->nested >= MAX_NESTED) {
        machine_stop(m, MACHINE_MEMORY, "library callbacks are nested too deeply");
        return;
    }
    if (!frame_push(m, code, r))
        return;
    m->nested++;
    memset(r + code->objects_first, 0, code->objects_count * sizeof *r);
    run(m, code->insn, r);
    m->nested--;
    if (m->ended || m->jumps.pending)
        return;
    exec_kill_objects(m, &m->frames[m->depth]);
    m->depth--;
}

/* Behind everything that the active frame may use. */
static uint64_t *free_stack(struct machine *m)
{
    if (m->depth == 0)
        return m->stack;
    const struct frame *f = &m->frames[m->depth];
    return f->r + f->code->slots + 8;
}

struct callback exec_prepare(struct machine *m, struct func *f, const struct call_site *like)
{
    struct call_site *site = NEW(&m->arena, struct call_site);
    *site = *like;
    site->base = 4;
    site->callee = f;
    site->bound = f->bound;
    struct insn *insn = NEW_ARRAY(&m->arena, 3, struct insn);
    insn[0].op = I_NOP;
    insn[1] = (struct insn){.op = I_CALL, .dst = 0, .a = NO_SLOT, .b = NO_SLOT};
    insn[1].u.site = site;
    insn[2].op = I_END;
    struct code *code = NEW(&m->arena, struct code);
    *code = (struct code){.func = &m->init_func, .insn = insn, .slots = 4 + like->count};
    return (struct callback){f, code, like->count};
}

bool exec_callback(struct machine *m, const struct callback *c, const uint64_t *args,
                   uint64_t *result)
{
    uint64_t *r = free_stack(m);
    if (r + c->code->slots + 8 > m->stack_end) {
        machine_stop(m, MACHINE_MEMORY, "calls are nested too deeply");
        return false;
    }
    memcpy(r + 4, args, c->count * sizeof *args);
    exec_code(m, c->code, r);
    *result = r[0];
    return !m->ended && !m->jumps.pending;
}
