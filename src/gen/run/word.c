/* Integers of up to 64 bits, the short way: nearly all that is executed.  What is not one of a few
 * plain things is left to run_eval; what would be undefined is guarded as there. */
#include "gen/run/run.h"

static bool is_word(const struct gen *g, const struct type *t)
{
    return t->class == CLASS_INT && gen_int_width(g, t) <= 64;
}

/* What an lvalue holds. */
static uint64_t read_word(struct gen *g, struct node *n)
{
    struct spot s;
    uint64_t word;
    run_eval_spot(g, &n->kid[0], &s);
    if (!s.field && run_mem_word(g, &s, &word))
        return word;
    struct val v = {0};
    run_read(g, &s, &v);
    return (uint64_t)v.bits;
}

static uint64_t cast_word(struct gen *g, struct node *n)
{
    uint64_t word = run_eval_word(g, &n->kid[0]);
    return run_convert_word(g, n->kid[0]->type, n->type, word);
}

bool run_is_word_binary(const struct gen *g, const struct node *n)
{
    return n->op != OP_LAND && n->op != OP_LOR && n->op != OP_COMMA &&
           is_word(g, n->kid[0]->type) && is_word(g, n->kid[1]->type);
}

static enum value_fault apply(const struct gen *g, const struct node *n, uint64_t a, uint64_t b,
                              uint64_t *r)
{
    const struct type *t = n->kid[0]->type;
    struct word_type word = {gen_int_width(g, t), gen_int_signed(g, t)};
    enum value_fault fault = run_apply_word((enum op)n->op, &word, a, b, r);
    if (fault != VALUE_UNSUPPORTED)
        return fault;
    u128 wide = 0;
    fault = run_apply(g, (enum op)n->op, t, a, b, n->kid[1]->type, &wide);
    *r = (uint64_t)wide;
    return fault;
}

uint64_t run_eval_word_binary(struct gen *g, struct node **slot)
{
    struct node *n = *slot;
    uint64_t a = run_eval_word(g, &n->kid[0]), b = run_eval_word(g, &n->kid[1]), r;
    if (apply(g, n, a, b, &r) == VALUE_OK)
        return r;
    if (*slot != n)
        BUG("an operand's call has come by and left a guard here");
    struct run_fault f = {.kind = RUN_FAULT_binary, .a = a, .b = b};
    struct val v = {0};
    g->hooks->guard(g, slot, &f, &v);
    return (uint64_t)v.bits;
}

uint64_t run_eval_word(struct gen *g, struct node **slot)
{
    struct node *n = *slot;
    switch (n->kind) {
    case NODE_INT:
        if (!(n->flags & NODE_HOLE))
            return (uint64_t)n->u.value->bits;
        break;
    case NODE_BINARY:
        if (run_is_word_binary(g, n))
            return run_eval_word_binary(g, slot);
        break;
    case NODE_CAST:
        if (n->op == CONV_LVALUE)
            return read_word(g, n);
        if (n->op == CONV_INT && is_word(g, n->kid[0]->type))
            return cast_word(g, n);
        break;
    case NODE_COND:
        if (n->kid[1])
            return run_eval_word(g, &n->kid[run_eval_truth(g, &n->kid[0]) ? 1 : 2]);
        break;
    default:
        break;
    }
    struct val v = {0};
    run_eval(g, slot, &v);
    return (uint64_t)v.bits;
}

bool run_eval_truth(struct gen *g, struct node **slot)
{
    if (is_word(g, (*slot)->type))
        return run_eval_word(g, slot) != 0;
    struct val v = {0};
    run_eval(g, slot, &v);
    return run_is_true(g, (*slot)->type, &v);
}

u128 run_eval_integer(struct gen *g, struct node **slot)
{
    if (is_word(g, (*slot)->type))
        return run_eval_word(g, slot);
    struct val v = {0};
    run_eval(g, slot, &v);
    return v.bits;
}
