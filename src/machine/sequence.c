/* Accesses between sequence points.
 *
 * While an expression whose operands may conflict is evaluated, each access goes to a log.
 * Marks divide it into the operands' parts; when an operator has all of its operands, their
 * parts are compared: the same bytes in two of them, once written, is undefined (C11 6.5p2), or
 * depends on the order if a function call stands between (6.5.2.2p10).  A write stays pending
 * until a sequence point: an assignment's own write is ordered behind the values of its
 * operands, but not behind their side effects (6.5.16p3). */
#include "machine/private.h"

#include <stdlib.h>
#include <string.h>

enum { LOG_LIMIT = 1 << 17 };
/* In bits: bit-fields that share a byte are objects of their own.  Variables in slots lie above
 * every address. */
#define SLOT_SPACE ((uint64_t)1 << 62)

/* ---- the log ---------------------------------------------------------------------------- */

void seq_mark(struct machine *m)
{
    struct sequence *s = &m->seq;
    if (s->mark_count == s->mark_room) {
        s->mark_room = s->mark_room ? s->mark_room * 2 : 64;
        s->marks = realloc(s->marks, s->mark_room * sizeof *s->marks);
        if (!s->marks)
            BUG("out of memory");
    }
    s->marks[s->mark_count++] = s->count;
}

static void add(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size,
                bool write)
{
    struct sequence *s = &m->seq;
    if (s->mark_count == 0 || s->given_up)
        return;
    if (s->count == s->room) {
        if (s->room >= LOG_LIMIT) {
            s->given_up = true;
            s->count = 0;
            return;
        }
        s->room = s->room ? s->room * 2 : 256;
        s->log = realloc(s->log, s->room * sizeof *s->log);
        if (!s->log)
            BUG("out of memory");
    }
    bool compiled = pc->op > I_SEQ_MARK && pc->op < I_SEQ_MERGE;
    address *= 8;
    size *= 8;
    if (pc->op == I_SEQ_READ_S || pc->op == I_SEQ_WRITE_S) {
        address = SLOT_SPACE + ((uint64_t)m->depth << 36) + address * 16;
    } else if (compiled && pc->fact) {
        address += pc->fact >> 8;
        size = pc->fact & 0xff;
    }
    uint32_t unit = m->frames[m->depth].code->func->unit;
    s->log[s->count++] = (struct touch){address, size, 0, unit, pc->node, write, write};
}

void seq_touch(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size,
               bool write)
{
    add(m, pc, address, size, write);
}

void seq_pop(struct machine *m)
{
    m->seq.mark_count--;
}

/* A sequence point: writes since the last mark are done. */
void seq_settle(struct machine *m)
{
    struct sequence *s = &m->seq;
    size_t from = s->marks[--s->mark_count];
    for (size_t i = from; i < s->count; i++)
        s->log[i].pending = false;
}

/* The full expression is over. */
void seq_end(struct machine *m)
{
    struct sequence *s = &m->seq;
    seq_settle(m);
    if (s->mark_count == 0) {
        s->count = 0;
        s->given_up = false;
    }
}

void seq_group(struct machine *m, size_t since)
{
    struct sequence *s = &m->seq;
    if (s->mark_count == 0 || s->given_up)
        return;
    uint32_t group = ++s->groups;
    size_t kept = since;
    for (size_t i = since; i < s->count; i++) {
        if (s->log[i].address >= SLOT_SPACE)
            continue; /* the callee's own variables */
        s->log[kept] = s->log[i];
        s->log[kept].group = group;
        s->log[kept++].pending = false;
    }
    s->count = kept > s->count ? s->count : kept;
}

/* ---- comparing -------------------------------------------------------------------------- */

static bool overlap(const struct touch *a, const struct touch *b)
{
    return (a->write || b->write) && a->address < b->address + b->size &&
           b->address < a->address + a->size;
}

static struct machine_place place_of(const struct machine *m, const struct touch *t)
{
    return (struct machine_place){t->unit, m->units[t->unit].p->nodes[t->node]};
}

static void note_conflict(struct machine *m, const struct insn *pc, const struct touch *a,
                          const struct touch *b)
{
    uint32_t unit = m->frames[m->depth].code->func->unit;
    const struct node *n = m->units[unit].p->nodes[pc->node];
    for (size_t i = 0; i < m->conflict_count; i++)
        if (m->conflicts[i].place.node == n)
            return;
    if (m->conflict_count == m->conflict_room) {
        m->conflict_room = m->conflict_room ? m->conflict_room * 2 : 8;
        m->conflicts = realloc(m->conflicts, m->conflict_room * sizeof *m->conflicts);
        if (!m->conflicts)
            BUG("out of memory");
    }
    m->conflicts[m->conflict_count++] = (struct machine_conflict){
        {unit, n}, place_of(m, a), place_of(m, b)};
}

static void conflict(struct machine *m, const struct insn *pc, const struct touch *a,
                     const struct touch *b)
{
    if (a->group || b->group) {
        note_conflict(m, pc, a, b);
        return;
    }
    const struct touch *w = a->write ? a : b;
    const char *what = w->address >= SLOT_SPACE ? "a variable"
                                                : machine_describe(m, w->address / 8);
    machine_undefined(m, UB_UNSEQUENCED, w->unit, m->units[w->unit].p->nodes[w->node],
                      "%s is %s here and %s in another operand", what,
                      a == w || a->write ? "written" : "read",
                      a->write && b->write ? "written" : "read");
}

/* Bytes of the smaller part in a table, for parts that are long. */
static void compare_long(struct machine *m, const struct insn *pc, size_t a, size_t b, size_t end)
{
    enum { SLOTS = 1 << 15 };
    static _Thread_local uint32_t *table;
    if (!table)
        table = malloc(SLOTS * sizeof *table);
    if (!table)
        BUG("out of memory");
    memset(table, 0, SLOTS * sizeof *table);
    const struct touch *log = m->seq.log;
    uint32_t *next = calloc(b - a + 1, sizeof *next);
    if (!next)
        BUG("out of memory");
    for (size_t i = a; i < b; i++) {
        uint64_t key = log[i].address / 128 * 0x9e3779b97f4a7c15u >> 49;
        next[i - a] = table[key];
        table[key] = (uint32_t)(i - a) + 1;
    }
    for (size_t k = b; k < end && !m->ended; k++)
        for (uint64_t g = log[k].address / 128; g <= (log[k].address + log[k].size - 1) / 128; g++)
            for (uint32_t i = table[g * 0x9e3779b97f4a7c15u >> 49]; i && !m->ended; i = next[i - 1])
                if (overlap(&log[a + i - 1], &log[k]))
                    conflict(m, pc, &log[a + i - 1], &log[k]);
    free(next);
}

static void compare(struct machine *m, const struct insn *pc, size_t a, size_t b, size_t end)
{
    const struct touch *log = m->seq.log;
    if ((b - a) * (end - b) > 4096) {
        compare_long(m, pc, a, b, end);
        return;
    }
    for (size_t i = a; i < b; i++)
        for (size_t k = b; k < end; k++)
            if (overlap(&log[i], &log[k])) {
                conflict(m, pc, &log[i], &log[k]);
                if (m->ended)
                    return;
            }
}

/* k: 2 two operands; 3 the same, but the first mark stays for the write that follows; 16 + n
 * a call with n operands, and then a sequence point. */
void seq_merge(struct machine *m, const struct insn *pc)
{
    struct sequence *s = &m->seq;
    size_t n = pc->k >= 16 ? (size_t)pc->k - 16 : 2;
    size_t *marks = s->marks + s->mark_count - n;
    if (!s->given_up)
        for (size_t i = 1; i < n && !m->ended; i++)
            compare(m, pc, marks[0], marks[i], i + 1 < n ? marks[i + 1] : s->count);
    s->mark_count -= pc->k == 3 ? 1 : n;
    if (pc->k >= 16 && !s->given_up)
        for (size_t i = marks[0]; i < s->count; i++)
            s->log[i].pending = false;
}

/* An operator's own write: unsequenced with side effects of its operands that are pending. */
void seq_write(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size)
{
    struct sequence *s = &m->seq;
    size_t before = s->count;
    add(m, pc, address, size, true);
    if (s->count != before + 1)
        return;
    if (pc->tag) {
        s->log[before].pending = false;
        return;
    }
    const struct touch *w = &s->log[before];
    for (size_t i = s->mark_count ? s->marks[s->mark_count - 1] : before; i < before; i++)
        if (s->log[i].pending && overlap(&s->log[i], w)) {
            conflict(m, pc, &s->log[i], w);
            return;
        }
}

/* ---- before it runs --------------------------------------------------------------------- */

enum { MAX_NAMES = 12 };

/* What an operand may touch. */
struct effects {
    const struct decl *reads[MAX_NAMES], *writes[MAX_NAMES];
    unsigned read_count, write_count;
    bool reads_memory, writes_memory; /* through pointers, or too many names */
    bool calls;
    bool risky; /* two operands of something inside may conflict */
};

static bool shared(const struct decl *d)
{
    return d->address_taken || d->is_static || d->linkage != LINKAGE_NONE ||
           d->storage == STORAGE_EXTERN;
}

static void add_name(const struct decl **names, unsigned *n, bool *overflow, const struct decl *d)
{
    for (unsigned i = 0; i < *n; i++)
        if (names[i] == d)
            return;
    if (*n < MAX_NAMES)
        names[(*n)++] = d;
    else
        *overflow = true;
}

static bool names_meet(const struct decl *const *a, unsigned n, const struct decl *const *b,
                       unsigned k)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < k; j++)
            if (a[i] == b[j])
                return true;
    return false;
}

static bool any_shared(const struct decl *const *names, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (shared(names[i]))
            return true;
    return false;
}

static bool touches_memory(const struct effects *e)
{
    return e->reads_memory || e->writes_memory || e->calls || any_shared(e->reads, e->read_count) ||
           any_shared(e->writes, e->write_count);
}

/* May a write of w hit an access of a? */
static bool may_hit(const struct effects *w, const struct effects *a)
{
    if (names_meet(w->writes, w->write_count, a->reads, a->read_count) ||
        names_meet(w->writes, w->write_count, a->writes, a->write_count))
        return true;
    if ((w->writes_memory || w->calls) && touches_memory(a))
        return true;
    return any_shared(w->writes, w->write_count) &&
           (a->reads_memory || a->writes_memory || a->calls);
}

static void join(struct effects *to, const struct effects *from)
{
    for (unsigned i = 0; i < from->read_count; i++)
        add_name(to->reads, &to->read_count, &to->reads_memory, from->reads[i]);
    for (unsigned i = 0; i < from->write_count; i++)
        add_name(to->writes, &to->write_count, &to->writes_memory, from->writes[i]);
    to->reads_memory |= from->reads_memory;
    to->writes_memory |= from->writes_memory;
    to->calls |= from->calls;
    to->risky |= from->risky;
}

static const struct decl *base_name(const struct node *n)
{
    for (;;) {
        if (n->kind == NODE_NAME)
            return n->u.decl->kind == DECL_VAR || n->u.decl->kind == DECL_PARAM ? n->u.decl : NULL;
        if (n->kind == NODE_MEMBER && !(n->flags & NODE_ARROW))
            n = n->kid[0];
        else if (n->kind == NODE_INDEX && n->kid[0]->kind == NODE_CAST &&
                 n->kid[0]->op == CONV_ARRAY)
            n = n->kid[0]->kid[0];
        else
            return NULL;
    }
}

/* Who asks. */
struct context {
    struct machine *m;
    struct unit_state *u;
};

static struct effects effects_of(const struct context *x, const struct node *n);

static void access(struct effects *e, const struct node *lvalue, bool write)
{
    const struct decl *d = base_name(lvalue);
    if (d && write)
        add_name(e->writes, &e->write_count, &e->writes_memory, d);
    else if (d)
        add_name(e->reads, &e->read_count, &e->reads_memory, d);
    else if (write)
        e->writes_memory = true;
    else
        e->reads_memory = true;
}

static struct effects of_kids(const struct context *x, const struct node *n, bool sequenced)
{
    struct effects all = {0};
    for (uint32_t i = 0; i < n->count; i++) {
        if (!n->kid[i])
            continue;
        struct effects e = effects_of(x, n->kid[i]);
        if (!sequenced && (may_hit(&e, &all) || may_hit(&all, &e)))
            all.risky = true;
        join(&all, &e);
    }
    return all;
}

static struct effects of_write(const struct context *x, const struct node *n)
{
    struct effects e = of_kids(x, n, false), w = {0};
    bool compound = n->kind != NODE_ASSIGN || n->op != OP_ASSIGN;
    if (compound)
        access(&e, n->kid[0], false);
    if (n->kind == NODE_ASSIGN && compound) {
        /* the read of the left operand beside the right one */
        struct effects right = effects_of(x, n->kid[1]), left = {0};
        access(&left, n->kid[0], false);
        e.risky |= may_hit(&right, &left);
    }
    access(&w, n->kid[0], true);
    /* its own write beside writes of the operands */
    struct effects writes = {0};
    memcpy(writes.writes, e.writes, sizeof e.writes);
    writes.write_count = e.write_count;
    writes.writes_memory = e.writes_memory;
    if (may_hit(&w, &writes) || may_hit(&writes, &w))
        e.risky = true;
    join(&e, &w);
    return e;
}

static struct effects effects_of(const struct context *x, const struct node *n)
{
    struct effects e;
    if (is_dropped(x->u, n))
        return (struct effects){0};
    n = edited_node(x->u, n);
    switch (n->kind) {
    case NODE_SIZEOF:
    case NODE_ALIGNOF:
        return (struct effects){0};
    case NODE_ASSIGN:
        return of_write(x, n);
    case NODE_UNARY:
        return n->op <= OP_PREDEC ? of_write(x, n) : of_kids(x, n, true);
    case NODE_CAST:
        e = of_kids(x, n, true);
        if (n->op == CONV_LVALUE)
            access(&e, n->kid[0], false);
        return e;
    case NODE_CALL:
        e = of_kids(x, n, false);
        switch (purity_of_call(x->m, x->u, n)) {
        case 0:
            break;
        case 1:
            e.reads_memory = true;
            break;
        default:
            e.calls = true;
        }
        return e;
    case NODE_STMT_EXPR:
        e = (struct effects){0};
        e.calls = e.reads_memory = e.writes_memory = true;
        return e;
    case NODE_VA_ARG:
        e = of_kids(x, n, true);
        e.writes_memory = true;
        return e;
    case NODE_COND:
        return of_kids(x, n, true);
    case NODE_BINARY:
        return of_kids(x, n, n->op == OP_COMMA || n->op == OP_LAND || n->op == OP_LOR);
    default:
        return of_kids(x, n, false);
    }
}

bool seq_needed(struct machine *m, struct unit_state *u, const struct node *n)
{
    const struct context x = {m, u};
    return effects_of(&x, n).risky;
}
