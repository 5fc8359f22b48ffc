/* Conditions: jumps instead of values, with a counter for each way. */
#include "machine/compile/private.h"

static const uint16_t jump_of[][2] = {
    /* comparison: jump, and jump with a constant */
    {I_LT_S, I_JLT_S}, {I_LE_S, I_JLE_S}, {I_GT_S, I_JGT_S}, {I_GE_S, I_JGE_S}, {I_LT_U, I_JLT_U},
    {I_LE_U, I_JLE_U}, {I_GT_U, I_JGT_U}, {I_GE_U, I_JGE_U}, {I_EQ, I_JEQ},     {I_NE, I_JNE},
};

uint32_t unique_edge(struct compiler *c, const struct node *n, bool sense)
{
    n = edited_node(c->u, n);
    if (n->kind == NODE_UNARY && n->op == OP_LNOT)
        return unique_edge(c, kid(c, n, 0), !sense);
    if (n->kind == NODE_BINARY && n->op == OP_LAND)
        return sense ? unique_edge(c, kid(c, n, 1), true) : 0;
    if (n->kind == NODE_BINARY && n->op == OP_LOR)
        return sense ? 0 : unique_edge(c, kid(c, n, 1), false);
    return c->u->branch[n->id] + sense;
}

/* The comparison that was emitted last becomes the jump itself. */
static bool fuse(struct compiler *c, struct opnd v, uint32_t pair, bool sense, struct spot *to)
{
    struct insn *i = &c->code->insn[c->code->count - 1];
    if (v.constant || i->dst != v.slot || c->code->count < 2)
        return false;
    for (size_t k = 0; k < LENGTH(jump_of); k++) {
        bool with_constant = i->op == jump_of[k][0] + 1;
        if (i->op != jump_of[k][0] && !with_constant)
            continue;
        i->op = (uint16_t)(jump_of[k][1] + with_constant);
        if (with_constant)
            i->u.wide = (uint64_t)i->k;
        i->dst = pair;
        i->align = sense;
        i->fact = 0;
        jump_to(c, to, c->code->count - 1);
        return true;
    }
    return false;
}

static void condition_constant(struct compiler *c, const struct node *n, bool truth, bool sense,
                               struct spot *to)
{
    uint32_t pair = counter_new(c, 2);
    c->u->branch[n->id] = pair;
    if (c->head)
        c->u->counter[n->id] = (REGION_PAIR | pair) + 1;
    c->head = false;
    emit(c, I_COUNT, 0, 0, 0, (int64_t)(pair + truth));
    if (truth == sense)
        emit_jump(c, to);
}

/* Is it true just when its slot is not zero? */
static bool is_testable(enum kind k)
{
    return (k >= KIND_I8 && k <= KIND_BOOL) || k == KIND_POINTER;
}

static void condition_plain(struct compiler *c, const struct node *n, bool sense, struct spot *to)
{
    uint32_t pair = counter_new(c, 2), region = c->region;
    if (c->head)
        c->region = REGION_PAIR | pair;
    c->head = false;
    if (c->tracking)
        emit(c, I_SEQ_MARK, 0, 0, 0, 0);
    uint32_t before = c->code->count;
    note_tested(c, n);
    struct opnd v = compile_value(c, n, NO_SLOT);
    n = edited_node(c->u, n);
    c->u->branch[n->id] = pair;
    c->node = n;
    if (!is_testable(kind_of(c->p, n->type)))
        v = compile_convert(c, NULL, v, n->type, lang_basic(c->p, TYPE_BOOL), NO_SLOT);
    if (c->tracking)
        emit(c, I_SEQ_SETTLE, 0, 0, 0, 0);
    c->region = region;
    bool comparison = n->kind == NODE_BINARY && op_is_comparison(n->op) &&
                      lang_is_integer(kid(c, n, 0)->type);
    if (comparison && c->code->count > before && fuse(c, v, pair, sense, to))
        return;
    struct insn *i = emit(c, I_JIF, pair, opnd_in_slot(c, v), 0, 0);
    if (v.constant) { /* the constant went into a slot behind i's place */
        i = &c->code->insn[c->code->count - 1];
    }
    i->align = sense;
    jump_to(c, to, c->code->count - 1);
}

static void condition_both(struct compiler *c, const struct node *n, bool sense, struct spot *to)
{
    bool is_and = n->op == OP_LAND;
    struct spot skip = {0};
    uint32_t region = c->region, known = (uint32_t)c->known.n;
    /* the left operand leaves early when it decides */
    compile_condition(c, kid(c, n, 0), !is_and, sense == is_and ? &skip : to);
    uint32_t edge = unique_edge(c, kid(c, n, 0), is_and);
    if (edge)
        c->region = edge;
    else
        region_count(c);
    compile_condition(c, kid(c, n, 1), sense, to);
    target_here(c, &skip);
    c->region = region;
    while (c->known.n > known)
        ((struct var *)c->known.at[--c->known.n])->known = false;
}

/* A number, converted or not: nothing in it is executed, so that nothing can be undefined. */
static bool is_number(const struct compiler *c, const struct node *n)
{
    while (n->kind == NODE_CAST && edited_node(c->u, n->kid[0]) == n->kid[0])
        n = n->kid[0];
    return n->kind == NODE_INT;
}

void compile_condition(struct compiler *c, const struct node *n, bool sense, struct spot *to)
{
    u128 bits;
    const struct node *as = edited_node(c->u, n);
    if (is_dropped(c->u, n)) {
        condition_constant(c, n, false, sense, to);
    } else if (as->kind == NODE_UNARY && as->op == OP_LNOT) {
        enter_node(c, n);
        compile_condition(c, kid(c, as, 0), !sense, to);
    } else if (as->kind == NODE_BINARY && (as->op == OP_LAND || as->op == OP_LOR)) {
        enter_node(c, n);
        condition_both(c, as, sense, to);
    } else if (lang_is_integer(as->type) && is_number(c, as) && lang_constant(c->p, as, &bits)) {
        enter_node(c, n);
        condition_constant(c, as, bits != 0, sense, to);
    } else {
        condition_plain(c, n, sense, to);
    }
}
