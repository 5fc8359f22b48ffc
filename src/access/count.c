/* Accesses to what no single instruction accesses: bit-fields, members beside them, packed ones,
 * what is wider than a register.  How they are made is the compiler's choice, but each needs an
 * instruction of its own, or more: a region of such bytes is read and written at least as often as
 * is expected, and so is each byte of a number; and no byte is written more often than there are
 * writes.  Claims nothing where an instruction that cannot be told touches the region. */
#include "access/private.h"

/* How often something is read, and written. */
struct tally {
    size_t wanted[2], made[2];
    const struct access *first[2]; /* of those wanted */
};

struct region {
    uint32_t watch;
    uint64_t begin, end;
    struct tally all, *bytes; /* of each byte */
    size_t bit_writes;        /* wanted, to bit-fields */
    unsigned what;            /* its bytes, or-ed */
};

/* Those that an access touches for certain: of a bit-field the first one. */
static uint64_t certain_size(const struct access_plan *plan, const struct access *x)
{
    uint8_t what = plan->bytes[x->watch][x->offset];
    return what & ACCESS_INTEGER && !(what & (ACCESS_BITS | ACCESS_MIXED)) ? x->size : 1;
}

static void add_wanted(struct tally *t, const struct access *x)
{
    if (!t->wanted[x->is_write]++)
        t->first[x->is_write] = x;
}

static void take_wanted(const struct access_plan *plan, struct region *r)
{
    for (size_t i = 0; i < plan->counted_count; i++) {
        const struct access *x = &plan->counted[i];
        if (x->watch != r->watch || x->offset < r->begin || x->offset >= r->end)
            continue;
        add_wanted(&r->all, x);
        r->bit_writes += x->is_write && plan->bytes[x->watch][x->offset] & ACCESS_BITS;
        for (uint64_t k = 0; k < certain_size(plan, x); k++)
            add_wanted(&r->bytes[x->offset - r->begin + k], x);
    }
}

/* False when nobody knows what the instruction does there. */
static bool take_instruction(const struct outcome_trace *trace, const struct sys_access *s,
                             struct region *r)
{
    enum { WIDEST = 64 };
    struct access_operand o = {.size = WIDEST};
    bool decoded = !s->foreign && access_decode(s->code, trace->narrow, &o);
    int64_t from = s->offset, to = from + (decoded ? o.size : WIDEST);
    if (to <= (int64_t)r->begin || from >= (int64_t)r->end)
        return true;
    r->all.made[0] += o.reads;
    r->all.made[1] += o.writes;
    for (uint64_t at = r->begin; at < r->end; at++)
        if ((int64_t)at >= from && (int64_t)at < to) {
            r->bytes[at - r->begin].made[0] += o.reads;
            r->bytes[at - r->begin].made[1] += o.writes;
        }
    return decoded;
}

static bool is_lost(const struct tally *t, struct access_judgement *out)
{
    for (unsigned w = 0; w < 2; w++)
        if (t->made[w] < t->wanted[w]) {
            out->kind = ACCESS_LOST;
            out->expected = t->first[w];
            return true;
        }
    return false;
}

/* Where all bit-fields are volatile, each write to them is known. */
static bool is_added(const struct access_plan *plan, const struct region *r, uint64_t i,
                     struct access_judgement *out)
{
    bool bits = plan->bytes[r->watch][r->begin + i] & ACCESS_BITS && !(r->what & ACCESS_MIXED);
    if (!bits || r->bytes[i].made[1] <= r->bit_writes || !r->all.first[1])
        return false;
    out->kind = ACCESS_ADDED;
    out->other = r->all.first[1];
    return true;
}

static bool judge_region(const struct access_plan *plan, const struct outcome_trace *trace,
                         struct region *r, struct access_judgement *out)
{
    take_wanted(plan, r);
    for (size_t i = 0; i < trace->count; i++)
        if (trace->accesses[i].watch == r->watch &&
            !take_instruction(trace, &trace->accesses[i], r))
            return false;
    bool wrong = false;
    for (uint64_t i = 0; i < r->end - r->begin && !wrong; i++)
        wrong = is_lost(&r->bytes[i], out) || is_added(plan, r, i, out);
    return wrong || is_lost(&r->all, out);
}

/* From `begin` on: the first region of an object, if there is one. */
static bool next_region(struct arena *a, const struct access_plan *plan, uint32_t watch,
                        uint64_t begin, struct region *r)
{
    const uint8_t *bytes = plan->bytes[watch];
    uint64_t size = plan->watches[watch].size;
    while (begin < size && !(bytes[begin] & ACCESS_COUNTED))
        begin++;
    *r = (struct region){.watch = watch, .begin = begin, .end = begin};
    for (; r->end < size && bytes[r->end] & ACCESS_COUNTED; r->end++)
        r->what |= bytes[r->end];
    /* the last number may begin there and end behind it */
    r->bytes = NEW_ARRAY(a, r->end - begin + 16, struct tally);
    return r->end > begin;
}

void access_count(struct arena *a, const struct access_plan *plan,
                  const struct outcome_trace *trace, struct access_judgement *out)
{
    enum { MOST_REGIONS = 1000 }; /* what has more is an array of records: enough was seen of it */
    size_t regions = 0;
    struct region r;
    if (!plan->counted_count || trace->cut)
        return;
    for (uint32_t i = 0; i < plan->watch_count; i++)
        for (uint64_t at = 0; trace->states[i] != SYS_UNCLEAR && regions < MOST_REGIONS &&
                              next_region(a, plan, i, at, &r);
             at = r.end, regions++)
            if (judge_region(plan, trace, &r, out)) {
                out->at = plan->count;
                return;
            }
}
