/* Integers of up to 64 bits, the short way: nearly all that is executed.  What is not one of a few
 * plain things is left to run_eval; what would be undefined is guarded as there. */
#include "gen/run/run.h"

static bool is_word(const struct gen *g, const struct type *t)
{
    return t->class == CLASS_INT && gen_int_width(g, t) <= 64;
}

/* x, where it is a variable that holds something; false: the long way. */
static bool read_name(struct gen *g, const struct node *name, uint64_t *v)
{
    if (name->kind != NODE_NAME || !is_word(g, name->type))
        return false;
    struct spot s = {gen_about(g, name->u.decl)->object, 0, name->type, NULL};
    return s.object && run_mem_word(g, &s, v);
}

bool run_is_word_binary(const struct gen *g, const struct node *n)
{
    return n->op != OP_LAND && n->op != OP_LOR && n->op != OP_COMMA &&
           is_word(g, n->kid[0]->type) && is_word(g, n->kid[1]->type);
}

uint64_t run_eval_word_binary(struct gen *g, struct node **slot)
{
    struct node *n = *slot;
    uint64_t a = run_eval_word(g, &n->kid[0]), b = run_eval_word(g, &n->kid[1]);
    u128 r;
    if (run_apply(g, (enum op)n->op, n->kid[0]->type, a, b, n->kid[1]->type, &r) == VALUE_OK)
        return (uint64_t)r;
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
    uint64_t word;
    if (n->kind == NODE_INT && !(n->flags & NODE_HOLE))
        return (uint64_t)n->u.value->bits;
    if (n->kind == NODE_BINARY && run_is_word_binary(g, n))
        return run_eval_word_binary(g, slot);
    if (n->kind == NODE_CAST && n->op == CONV_LVALUE && read_name(g, n->kid[0], &word))
        return word;
    if (n->kind == NODE_CAST && n->op == CONV_INT && is_word(g, n->kid[0]->type)) {
        word = run_eval_word(g, &n->kid[0]);
        return (uint64_t)run_convert(g, n->kid[0]->type, n->type, word);
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
