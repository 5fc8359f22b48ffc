/* Accesses between sequence points.
 *
 * While an expression whose operands may conflict is evaluated, each access goes to a log.
 * Marks divide it into the operands' parts; when an operator has all of its operands, their
 * parts are compared: the same bytes in two of them, once written, is undefined (C11 6.5p2), or
 * depends on the order if a function call stands between (6.5.2.2p10).  A write stays pending
 * until a sequence point: an assignment's own write is ordered behind the values of its
 * operands, but not behind their side effects (6.5.16p3).
 *
 * An operand may be the whole program (`return test(1) + test(2);`).  So what is in the log
 * already is not written again, and when the log is full, what lies between two marks or calls is
 * sorted and joined: it grows with the memory that is touched, and not with the time. */
#include "machine/private.h"

#include <stdlib.h>
#include <string.h>

#ifdef CUPEL_HOSTILE
enum { FIRST_ROOM = 4, SHORT = 1 };
#else
enum { FIRST_ROOM = 256, SHORT = 64 };
#endif
enum { LOG_LIMIT = 1 << 22, WORK_LIMIT = 1 << 28 };
/* In bits: bit-fields that share a byte are objects of their own.  Variables in slots lie above
 * every address. */
#define SLOT_SPACE ((uint64_t)1 << 62)

/* ---- joining ---------------------------------------------------------------------------- */

/* What tells accesses apart beside their place.  Those of one class are sorted by address, and do
 * not overlap, once they are joined. */
static unsigned class_of(const struct touch *t)
{
    return 8u * t->called + 4u * t->write + 2u * t->pending + t->is_volatile;
}

static int by_class_and_address(const void *x, const void *y)
{
    const struct touch *a = x, *b = y;
    if (class_of(a) != class_of(b))
        return class_of(a) < class_of(b) ? -1 : 1;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->unit != b->unit)
        return a->unit < b->unit ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* The n accesses at from, joined at to, which is not behind: how many are left. */
static size_t join(struct touch *to, struct touch *from, size_t n)
{
    size_t kept = 0;
    qsort(from, n, sizeof *from, by_class_and_address);
    for (size_t i = 0; i < n; i++) {
        struct touch *last = kept ? &to[kept - 1] : NULL;
        uint64_t end = from[i].address + from[i].size;
        if (!last || class_of(last) != class_of(&from[i]) ||
            last->address + last->size < from[i].address)
            to[kept++] = from[i];
        else if (last->address + last->size < end)
            last->size = end - last->address;
    }
    return kept;
}

/* Where the next part of the log begins: a mark, or the call of a frame.  Both are passed. */
static size_t next_bound(struct machine *m, size_t **mark, uint32_t *frame)
{
    const struct sequence *s = &m->seq;
    size_t at = s->count;
    if (*mark < s->marks + s->mark_count)
        at = **mark;
    if (*frame <= m->depth && m->frames[*frame].seq < at)
        at = m->frames[*frame].seq;
    return at;
}

/* All marks and calls that lay at old lie at new. */
static void move_bounds(struct machine *m, size_t **mark, uint32_t *frame, size_t old, size_t new)
{
    const struct sequence *s = &m->seq;
    for (; *mark < s->marks + s->mark_count && **mark == old; ++*mark)
        **mark = new;
    for (; *frame <= m->depth && m->frames[*frame].seq == old; ++*frame)
        m->frames[*frame].seq = new;
}

/* The first frame whose accesses can be of interest. */
static uint32_t first_frame(const struct machine *m)
{
    uint32_t frame = m->depth + 1;
    while (frame > 1 && m->frames[frame - 1].code->tracked &&
           m->frames[frame - 1].seq >= m->seq.marks[0] &&
           (frame > m->depth || m->frames[frame - 1].seq <= m->frames[frame].seq))
        frame--;
    return frame;
}

/* Needs: a mark.  Keeps: which part an access belongs to.  Breaks: indices into the log. */
static void join_all(struct machine *m)
{
    struct sequence *s = &m->seq;
    size_t *mark = s->marks, at = s->marks[0], kept = at;
    uint32_t frame = first_frame(m);
    move_bounds(m, &mark, &frame, at, at);
    while (at < s->count) {
        size_t end = next_bound(m, &mark, &frame);
        kept += join(s->log + kept, s->log + at, end - at);
        at = end;
        move_bounds(m, &mark, &frame, end, kept);
    }
    s->count = kept;
    s->done_behind = 0;
}

/* A sequence point: writes since then are done. */
static void settle(struct sequence *s, size_t from)
{
    for (size_t i = seq_skip_done(s, from); i < s->count; i = seq_skip_done(s, i + 1)) {
        s->log[i].pending = false;
        s->work++;
    }
}

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

static void make_room(struct machine *m)
{
    struct sequence *s = &m->seq;
    join_all(m);
    if (s->count < s->room / 2)
        return;
    if (s->room >= LOG_LIMIT) {
        s->given_up = true;
        s->count = 0;
        return;
    }
    s->room = s->room ? s->room * 2 : FIRST_ROOM;
    s->log = realloc(s->log, s->room * sizeof *s->log);
    if (!s->log)
        BUG("out of memory");
}

/* The first access of the part that the next one of the frame at this depth belongs to. */
static size_t part_begin(const struct machine *m, uint32_t depth)
{
    const struct sequence *s = &m->seq;
    const struct frame *f = &m->frames[depth];
    size_t mark = s->marks[s->mark_count - 1];
    return f->code->tracked && f->seq > mark && f->seq <= s->count ? f->seq : mark;
}

/* Is an access in the log already, from here on?  It is remembered where it will be otherwise. */
static bool is_known(struct sequence *s, const struct touch *t, size_t from, size_t next)
{
    uint64_t key = (t->address ^ t->size << 48) * 0x9e3779b97f4a7c15u >> 52;
    uint32_t *at = &s->latest[key % LENGTH(s->latest)];
    const struct touch *old = &s->log[*at];
    if (*at >= from && *at < next && old->address == t->address && old->size == t->size &&
        class_of(old) == class_of(t))
        return true;
    *at = (uint32_t)next;
    return false;
}

/* False: nothing is to be said of it any more, or it is in the log already. */
static bool add(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size,
                bool write, bool pending)
{
    struct sequence *s = &m->seq;
    if (s->mark_count == 0 || s->given_up)
        return false;
    bool compiled = pc->op > I_SEQ_MARK && pc->op < I_SEQ_MERGE;
    address *= 8;
    size *= 8;
    if (pc->op == I_SEQ_READ_S || pc->op == I_SEQ_WRITE_S) {
        address = SLOT_SPACE + ((uint64_t)m->depth << 36) + address * 16;
    } else if (compiled && pc->fact) {
        address += pc->fact >> 8;
        size = pc->fact & 0xff;
    }
    struct touch t = {address, size,    m->frames[m->depth].code->func->unit, pc->node, false,
                      write,   pending, compiled && pc->tag & TOUCH_VOLATILE};
    if (s->count == s->room)
        make_room(m);
    bool late = compiled && pc->tag & TOUCH_LATE;
    if (s->given_up || (!late && !pending && is_known(s, &t, part_begin(m, m->depth), s->count)))
        return false;
    s->log[s->count++] = t;
    return true;
}

void seq_pop(struct machine *m)
{
    m->seq.mark_count--;
}

void seq_settle(struct machine *m)
{
    struct sequence *s = &m->seq;
    settle(s, s->marks[--s->mark_count]);
}

/* The full expression is over. */
void seq_end(struct machine *m)
{
    struct sequence *s = &m->seq;
    seq_settle(m);
    if (s->mark_count == 0) {
        s->count = s->done_behind = 0;
        s->work = 0;
        s->given_up = false;
    }
}

void seq_return(struct machine *m)
{
    struct sequence *s = &m->seq;
    size_t since = m->frames[m->depth].seq, i = since;
    if (s->mark_count == 0 || s->given_up)
        return;
    size_t from = part_begin(m, m->depth - 1);
    while ((i = seq_skip_done(s, i)) < s->count) {
        struct touch t = s->log[i];
        t.called = true;
        t.pending = false;
        bool drop = t.address >= SLOT_SPACE || is_known(s, &t, from, i); /* the callee's own */
        s->log[i] = drop ? s->log[--s->count] : t;
        i += !drop;
        s->work++;
    }
    s->done_from = since;
    s->done_behind = s->count;
    s->done_promise = m->frames[m->depth].code->func->purity;
    s->given_up = s->work > WORK_LIMIT;
}

void seq_enclose(struct machine *m)
{
    struct sequence *s = &m->seq;
    size_t from = s->marks[--s->mark_count];
    for (size_t i = from; i < s->count; i++) {
        s->log[i].called = true;
        s->log[i].pending = false;
    }
}

/* ---- comparing -------------------------------------------------------------------------- */

static bool overlap(const struct touch *a, const struct touch *b)
{
    return (a->write || b->write) && a->address < b->address + b->size &&
           b->address < a->address + a->size;
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

/* Two operands of the node at pc; its place is theirs where nobody knows what they touched. */
static void note_conflict(struct machine *m, const struct insn *pc, struct machine_conflict found)
{
    uint32_t unit = m->frames[m->depth].code->func->unit;
    found.place = (struct machine_place){unit, m->units[unit].p->nodes[pc->node]};
    for (size_t i = 0; i < m->conflict_count; i++)
        if (m->conflicts[i].place.node == found.place.node &&
            m->conflicts[i].operand[0] == found.operand[0] &&
            m->conflicts[i].operand[1] == found.operand[1])
            return;
    if (m->conflict_count == m->conflict_room) {
        m->conflict_room = m->conflict_room ? m->conflict_room * 2 : 8;
        m->conflicts = realloc(m->conflicts, m->conflict_room * sizeof *m->conflicts);
        if (!m->conflicts)
            BUG("out of memory");
    }
    m->conflicts[m->conflict_count++] = found;
}

static void conflict(struct machine *m, const struct insn *pc, const struct touch *a,
                     const struct touch *b)
{
    if (a->called || b->called || pc->tag & TOUCH_INNER) {
        note_conflict(
            m, pc,
            (struct machine_conflict){.operand = {operand_of(m, pc, a), operand_of(m, pc, b)}});
        return;
    }
    const struct touch *w = a->write ? a : b;
    const char *what = w->address >= SLOT_SPACE ? "a variable"
                                                : machine_describe(m, w->address / 8);
    machine_undefined(m, UB_UNSEQUENCED, w->unit, m->units[w->unit].p->nodes[w->node],
                      "%s is written here and %s in another operand", what,
                      a->write && b->write ? "written" : "read");
}

/* An operand's accesses in the log. */
struct part {
    size_t begin, end;
};

/* The end of the accesses of one class that begin at i. */
static size_t class_end(const struct touch *log, size_t i, size_t end)
{
    unsigned class = class_of(&log[i]);
    while (i < end && class_of(&log[i]) == class)
        i++;
    return i;
}

/* Two classes of joined parts: the first two accesses that meet are as good as any others. */
static void compare_classes(struct machine *m, const struct insn *pc, size_t a, size_t a_end,
                            size_t b, size_t b_end)
{
    const struct touch *log = m->seq.log;
    if (!log[a].write && !log[b].write)
        return;
    while (a < a_end && b < b_end) {
        if (overlap(&log[a], &log[b])) {
            conflict(m, pc, &log[a], &log[b]);
            return;
        }
        if (log[a].address < log[b].address)
            a++;
        else
            b++;
    }
}

static void compare_joined(struct machine *m, const struct insn *pc, struct part a, struct part b)
{
    const struct touch *log = m->seq.log;
    for (size_t i = a.begin, i_end; i < a.end; i = i_end) {
        i_end = class_end(log, i, a.end);
        for (size_t k = b.begin, k_end; k < b.end && !m->ended; k = k_end) {
            k_end = class_end(log, k, b.end);
            compare_classes(m, pc, i, i_end, k, k_end);
        }
    }
}

static void compare(struct machine *m, const struct insn *pc, struct part a, struct part b)
{
    const struct touch *log = m->seq.log;
    m->seq.work += (a.end - a.begin) * (b.end - b.begin);
    for (size_t i = a.begin; i < a.end; i++)
        for (size_t k = b.begin; k < b.end; k++)
            if (overlap(&log[i], &log[k])) {
                conflict(m, pc, &log[i], &log[k]);
                if (m->ended)
                    return;
            }
}

/* The part of operand i of n, whose marks these are. */
static struct part part_of(const struct sequence *s, const size_t *marks, size_t n, size_t i)
{
    return (struct part){marks[i], i + 1 < n ? marks[i + 1] : s->count};
}

static void join_operands(struct sequence *s, size_t *marks, size_t n)
{
    size_t kept = marks[0];
    for (size_t i = 0; i < n; i++) {
        struct part p = part_of(s, marks, n, i);
        marks[i] = kept;
        kept += join(s->log + kept, s->log + p.begin, p.end - p.begin);
        s->work += 16 * (p.end - p.begin);
    }
    s->count = kept;
    s->done_behind = 0;
}

/* Do two of them have many? */
static bool are_long(const struct sequence *s, const size_t *marks, size_t n)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        struct part p = part_of(s, marks, n, i);
        found += p.end - p.begin > SHORT;
    }
    return found > 1;
}

static void compare_operands(struct machine *m, const struct insn *pc, size_t *marks, size_t n)
{
    struct sequence *s = &m->seq;
    bool joined = are_long(s, marks, n);
    if (joined)
        join_operands(s, marks, n);
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i && !m->ended; k++)
            (joined ? compare_joined : compare)(m, pc, part_of(s, marks, n, k),
                                                part_of(s, marks, n, i));
}

/* What they touch is not known any more, so other orders are to be tried. */
static void suspect_operands(struct machine *m, const struct insn *pc, size_t n)
{
    for (uint32_t i = 0; i + 1 < n; i++)
        note_conflict(m, pc, (struct machine_conflict){.operand = {i, i + 1}});
}

/* k: 2 two operands; 3 the same, but the first mark stays for the write that follows; 16 + n
 * a call with n operands, and then a sequence point.  tag: they are indeterminately sequenced, and
 * so never undefined (the items of an initialiser, C11 6.7.9p23). */
void seq_merge(struct machine *m, const struct insn *pc)
{
    struct sequence *s = &m->seq;
    size_t n = pc->k >= 16 ? (size_t)pc->k - 16 : 2;
    size_t *marks = s->marks + s->mark_count - n;
    if (s->given_up)
        suspect_operands(m, pc, n);
    else
        compare_operands(m, pc, marks, n);
    s->mark_count -= pc->k == 3 ? 1 : n;
    if (pc->k >= 16 && !s->given_up)
        settle(s, marks[0]);
    s->given_up = s->given_up || s->work > WORK_LIMIT;
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
    bool late = pc->op > I_SEQ_MARK && pc->op < I_SEQ_MERGE && pc->tag & TOUCH_LATE;
    if (add(m, pc, address, size, write, write) && late)
        compare_own(m, pc);
}

void seq_write(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size)
{
    bool inner = pc->tag & TOUCH_INNER;
    if (add(m, pc, address, size, true, !inner) && !inner)
        compare_own(m, pc);
}
