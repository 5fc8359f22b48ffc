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
    s->log[s->count++] = (struct touch){
        address, size, 0, unit, pc->node, write, write, compiled && pc->tag & TOUCH_VOLATILE};
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

void seq_enclose(struct machine *m)
{
    struct sequence *s = &m->seq;
    size_t from = s->marks[--s->mark_count];
    uint32_t group = ++s->groups;
    for (size_t i = from; i < s->count; i++) {
        s->log[i].group = group;
        s->log[i].pending = false;
    }
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

/* The operand that a touch belongs to: the last of the n marks that are not behind it. */
static uint32_t operand_of(const struct machine *m, const struct insn *pc, const struct touch *t)
{
    const struct sequence *s = &m->seq;
    size_t n = pc->op != I_SEQ_MERGE ? 1 : pc->k >= 16 ? (size_t)pc->k - 16 : 2;
    const size_t *marks = s->marks + s->mark_count - n;
    size_t at = (size_t)(t - s->log), i = n;
    while (i > 1 && marks[i - 1] > at)
        i--;
    return (uint32_t)(i - 1);
}

static void note_conflict(struct machine *m, const struct insn *pc, const struct touch *a,
                          const struct touch *b)
{
    uint32_t unit = m->frames[m->depth].code->func->unit;
    const struct node *n = m->units[unit].p->nodes[pc->node];
    uint32_t first = operand_of(m, pc, a), second = operand_of(m, pc, b);
    for (size_t i = 0; i < m->conflict_count; i++)
        if (m->conflicts[i].place.node == n && m->conflicts[i].operand[0] == first &&
            m->conflicts[i].operand[1] == second)
            return;
    if (m->conflict_count == m->conflict_room) {
        m->conflict_room = m->conflict_room ? m->conflict_room * 2 : 8;
        m->conflicts = realloc(m->conflicts, m->conflict_room * sizeof *m->conflicts);
        if (!m->conflicts)
            BUG("out of memory");
    }
    m->conflicts[m->conflict_count++] = (struct machine_conflict){
        {unit, n}, place_of(m, a), place_of(m, b), {first, second}};
}

static void conflict(struct machine *m, const struct insn *pc, const struct touch *a,
                     const struct touch *b)
{
    if (a->group || b->group || pc->tag & TOUCH_INNER) {
        note_conflict(m, pc, a, b);
        return;
    }
    const struct touch *w = a->write ? a : b;
    const char *what = w->address >= SLOT_SPACE ? "a variable"
                                                : machine_describe(m, w->address / 8);
    machine_undefined(m, UB_UNSEQUENCED, w->unit, m->units[w->unit].p->nodes[w->node],
                      "%s is written here and %s in another operand", what,
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
 * a call with n operands, and then a sequence point.  tag: they are indeterminately sequenced, and
 * so never undefined (the items of an initialiser, C11 6.7.9p23). */
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

/* An operator's own access, the last one: unsequenced with side effects of its operands that are
 * pending. */
static void compare_own(struct machine *m, const struct insn *pc)
{
    const struct sequence *s = &m->seq;
    const struct touch *own = &s->log[s->count - 1];
    for (const struct touch *t = s->log + s->marks[s->mark_count - 1]; t < own; t++)
        if (t->pending && overlap(t, own)) {
            conflict(m, pc, t, own);
            return;
        }
}

void seq_touch(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size,
               bool write)
{
    size_t before = m->seq.count;
    add(m, pc, address, size, write);
    bool late = pc->op > I_SEQ_MARK && pc->op < I_SEQ_MERGE && pc->tag & TOUCH_LATE;
    if (late && m->seq.count == before + 1)
        compare_own(m, pc);
}

void seq_write(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size)
{
    struct sequence *s = &m->seq;
    size_t before = s->count;
    add(m, pc, address, size, true);
    if (s->count != before + 1)
        return;
    if (pc->tag & TOUCH_INNER)
        s->log[before].pending = false;
    else
        compare_own(m, pc);
}
