/* Instructions, slots, jumps and counters: what compiling stands on. */
#include "machine/compile/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct insn *emit(struct compiler *c, enum opcode op, uint32_t dst, uint32_t a, uint32_t b,
                  int64_t k)
{
    struct code *code = c->code;
    if (code->count == code->room) {
        code->room = code->room ? code->room * 2 : 64;
        struct insn *more = NEW_ARRAY(&c->m->arena, code->room, struct insn);
        if (code->count)
            memcpy(more, code->insn, code->count * sizeof *more);
        code->insn = more;
    }
    struct insn *i = &code->insn[code->count++];
    *i = (struct insn){.op = (uint16_t)op, .dst = dst, .a = a, .b = b, .k = k};
    i->node = c->node ? c->node->id : 0;
    c->m->insn_count++;
    return i;
}

uint32_t slot_new(struct compiler *c, unsigned n)
{
    uint32_t slot = c->next;
    c->next += n;
    if (c->next > c->code->slots)
        c->code->slots = c->next;
    return slot;
}

uint32_t slot_reserved(struct compiler *c)
{
    if (c->code->objects_count == c->object_room)
        BUG("too few slots were reserved for '%s'", c->f->name);
    return c->code->objects_first + c->code->objects_count++;
}

struct opnd opnd_k(uint64_t k)
{
    return (struct opnd){true, NO_SLOT, k};
}

struct opnd opnd_slot(uint32_t slot)
{
    return (struct opnd){false, slot, 0};
}

uint32_t opnd_in_slot(struct compiler *c, struct opnd v)
{
    if (!v.constant)
        return v.slot;
    uint32_t slot = slot_new(c, 1);
    emit(c, I_SET_K, slot, 0, 0, (int64_t)v.k);
    return slot;
}

void emit_move(struct compiler *c, enum kind kind, uint32_t dst, struct opnd v)
{
    if (v.constant)
        emit(c, I_SET_K, dst, 0, 0, (int64_t)v.k);
    else if (v.slot != dst)
        emit(c, kind_is_pair(kind) ? I_MOVE2 : I_MOVE, dst, v.slot, 0, 0);
}

/* ---- jumps ------------------------------------------------------------------------------ */

/* k is added to pc before the next instruction is fetched. */
static void patch(struct compiler *c, uint32_t insn, uint32_t to)
{
    c->code->insn[insn].k = (int64_t)to - (int64_t)insn - 1;
}

void jump_to(struct compiler *c, struct spot *t, uint32_t insn)
{
    if (t->at)
        patch(c, insn, t->at);
    else
        list_add(&c->m->arena, &t->jumps, (void *)(uintptr_t)insn);
}

void emit_jump(struct compiler *c, struct spot *t)
{
    emit(c, t->at ? I_BACK : I_JUMP, 0, 0, 0, 0);
    jump_to(c, t, c->code->count - 1);
}

void target_here(struct compiler *c, struct spot *t)
{
    t->at = c->code->count;
    for (size_t i = 0; i < t->jumps.n; i++)
        patch(c, (uint32_t)(uintptr_t)t->jumps.at[i], t->at);
}

void emit_unsupported(struct compiler *c, const struct node *n, const char *fmt, ...)
{
    char text[300];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    const char *kept = arena_string(&c->m->arena, text);
    emit(c, I_UNSUPPORTED, 0, 0, 0, (int64_t)(uintptr_t)kept)->u.at = n;
}

/* To gcc a bit-field narrower than its type has a type of its own, to clang it has not. */
void check_selected(struct compiler *c, const struct node *n)
{
    while (n->kind == NODE_CAST && n->op == CONV_FUNCTION)
        n = n->kid[0];
    if (n->kind == NODE_GENERIC && n->u.generic->open)
        emit_unsupported(c, n, "_Generic by the type of a bit-field: compilers differ");
}

void emit_unspecified(struct compiler *c, const struct node *n, const char *words)
{
    emit(c, I_UNSPECIFIED, 0, 0, 0, (int64_t)(uintptr_t)words)->u.at = n;
}

void emit_fault(struct compiler *c, const struct node *n, enum ub ub)
{
    emit(c, I_FAIL, 0, 0, 0, (int64_t)ub)->node = n->id;
}

/* ---- counters and facts ----------------------------------------------------------------- */

/* When a function is compiled a second time, it asks for the same counters in the same order. */
uint32_t counter_new(struct compiler *c, unsigned n)
{
    struct machine *m = c->m;
    if (c->counters) {
        uint32_t old = c->counters;
        c->counters += n;
        return old;
    }
    if (m->count_count + n > m->count_room) {
        uint32_t room = m->count_room ? m->count_room * 2 : 1024;
        m->counts = realloc(m->counts, room * sizeof *m->counts);
        m->region_parent = realloc(m->region_parent, room * sizeof *m->region_parent);
        m->region_order = realloc(m->region_order, room * sizeof *m->region_order);
        if (!m->counts || !m->region_parent || !m->region_order)
            BUG("out of memory");
        m->count_room = room;
    }
    uint32_t first = m->count_count;
    for (unsigned i = 0; i < n; i++) {
        m->counts[first + i] = 0;
        m->region_parent[first + i] = c->region & ~(uint32_t)REGION_PAIR;
        m->region_order[first + i] = c->order;
    }
    m->count_count += n;
    return first;
}

/* From here on, execution is counted anew. */
void region_count(struct compiler *c)
{
    uint32_t counter = counter_new(c, 1);
    emit(c, I_COUNT, 0, 0, 0, (int64_t)counter);
    c->region = counter;
}

uint32_t fact_of(struct compiler *c, const struct node *n)
{
    struct machine *m = c->m;
    uint32_t *fact = &c->u->fact[n->id];
    if (*fact)
        return *fact;
    if (m->fact_count == m->fact_room) {
        m->fact_room = m->fact_room ? m->fact_room * 2 : 1024;
        m->facts = realloc(m->facts, m->fact_room * sizeof *m->facts);
        if (!m->facts)
            BUG("out of memory");
    }
    m->facts[m->fact_count] = (struct fact){INT64_MAX, INT64_MIN};
    return *fact = m->fact_count++;
}

void emit_no_value(struct compiler *c, const struct node *n, uint32_t from)
{
    for (uint32_t i = from; i < c->code->count; i++)
        if (c->code->insn[i].fact == c->u->fact[n->id])
            c->code->insn[i].fact = 0;
}

void emit_seq(struct compiler *c, const struct node *n, enum opcode op, int64_t k)
{
    if (!c->tracking)
        return;
    c->node = n;
    emit(c, op, 0, 0, 0, k);
}

/* The node to compile in place of n, after edits; notes where it is. */
const struct node *enter_node(struct compiler *c, const struct node *n)
{
    n = edited_node(c->u, n);
    c->node = n;
    c->u->counter[n->id] = c->region + 1;
    c->u->order[n->id] = ++c->order;
    c->m->node_compiled++;
    return n;
}
