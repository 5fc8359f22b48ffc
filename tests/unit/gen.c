/* Unit tests of gen: repairs and guards are proved on all 4-bit values and tried at the limits of
 * the real types; programs of the same seed are the same; the language is covered. */
#include "gen/gen.h"
#include "gen/private.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static const uint8_t operators[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_REM, OP_SHL, OP_SHR};

/* Unsigned sums and products wrap: they never need a guard. */
static bool can_fault(const struct gen *g, enum op op, const struct type *t)
{
    return lang_int_signed(g->p, t) || (op != OP_ADD && op != OP_SUB && op != OP_MUL);
}

static struct gen *bare_gen(void)
{
    struct gen *g = calloc(1, sizeof *g);
    static struct gen_options o;
    o = gen_options_default();
    g->o = &o;
    g->p = lang_program_new(o.target);
    g->rng = rng_seed(1);
    g->constants = rng_seed(2);
    policy_draw(g);
    types_start(g);
    return g;
}

static void free_gen(struct gen *g)
{
    lang_program_free(g->p);
    arena_free(&g->arena);
    free(g);
}

/* ---- four bits -------------------------------------------------------------------------- */

enum { BITS = 4 };

/* The value of a 4-bit pattern, and back. */
static int number_of(unsigned bits, bool is_signed)
{
    bits &= 15;
    return is_signed && bits & 8 ? (int)bits - 16 : (int)bits;
}

/* a op b on 4 bits; *fault says whether C defines it. */
static int tiny_op(enum op op, int a, int b, bool is_signed, bool *fault)
{
    int least = is_signed ? -8 : 0, most = is_signed ? 7 : 15, r = 0;
    switch (op) {
    case OP_ADD:
        r = a + b;
        break;
    case OP_SUB:
        r = a - b;
        break;
    case OP_MUL:
        r = a * b;
        break;
    case OP_DIV:
    case OP_REM:
        if (b == 0 || (is_signed && a == least && b == -1)) {
            *fault = true;
            return 0;
        }
        r = op == OP_DIV ? a / b : a % b;
        break;
    case OP_SHL:
        if (b < 0 || b >= BITS || (is_signed && a < 0)) {
            *fault = true;
            return 0;
        }
        r = a << b;
        break;
    case OP_SHR:
        if (b < 0 || b >= BITS) {
            *fault = true;
            return 0;
        }
        r = a < 0 ? ~(~a >> b) : a >> b;
        break;
    case OP_XOR:
        r = a ^ b;
        break;
    case OP_AND:
        r = a & b;
        break;
    case OP_LT:
        return a < b;
    case OP_GT:
        return a > b;
    case OP_LE:
        return a <= b;
    case OP_GE:
        return a >= b;
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b;
    default:
        BUG("no 4-bit %d", (int)op);
    }
    if (is_signed && (r < least || r > most))
        *fault = true;
    return number_of((unsigned)r, is_signed);
}

struct tiny {
    const struct gen *g;
    const struct decl *a, *b;
    int va, vb;
    bool fault;
};

/* Evaluates a guard's tree as if int had 4 bits. */
static int tiny_eval(struct tiny *x, const struct node *n)
{
    bool is_signed = lang_int_signed(x->g->p, n->type);
    switch (n->kind) {
    case NODE_INT:
        return number_of((unsigned)n->u.value->bits, is_signed);
    case NODE_NAME:
        return n->u.decl == x->a ? x->va : x->vb;
    case NODE_CAST:
        if (n->op == CONV_LVALUE)
            return tiny_eval(x, n->kid[0]);
        return number_of((unsigned)tiny_eval(x, n->kid[0]), is_signed);
    case NODE_COND:
        return tiny_eval(x, n->kid[tiny_eval(x, n->kid[0]) ? 1 : 2]);
    case NODE_BINARY:
        if (n->op == OP_LAND)
            return tiny_eval(x, n->kid[0]) && tiny_eval(x, n->kid[1]);
        if (n->op == OP_LOR)
            return tiny_eval(x, n->kid[0]) || tiny_eval(x, n->kid[1]);
        {
            bool in = lang_int_signed(x->g->p, n->kid[0]->type);
            int a = tiny_eval(x, n->kid[0]), b = tiny_eval(x, n->kid[1]);
            return tiny_op((enum op)n->op, a, b, in, &x->fault);
        }
    default:
        BUG("no 4-bit %s", lang_node_info[n->kind].name);
    }
}

static void check_guard(struct gen *g, enum op op, enum gen_policy form, struct type *t)
{
    bool is_signed = lang_int_signed(g->p, t);
    struct decl *a = lang_decl_new(g->p, DECL_PARAM, "a", t);
    struct decl *b = lang_decl_new(g->p, DECL_PARAM, "b", t);
    struct node *tree = guard_tree(g, form, op, lang_rvalue(g->p, lang_name(g->p, a)),
                                   lang_rvalue(g->p, lang_name(g->p, b)), t);
    if (tree->kind == NODE_CALL) { /* the function's body, on its own parameters */
        struct fn *fn = about(g, tree->kid[0]->kid[0]->u.decl)->fn;
        a = fn->function->params[0];
        b = fn->function->params[1];
        tree = fn->function->body->kid[0]->kid[0];
    } else if (tree->kind == NODE_STMT_EXPR) { /* its value, on its own variables */
        struct node *block = tree->kid[0];
        a = block->kid[0]->kid[0]->u.declarator->decl;
        b = block->kid[1]->kid[0]->u.declarator->decl;
        tree = block->kid[2]->kid[0];
    }
    for (unsigned i = 0; i < 256; i++) {
        struct tiny x = {g,    a, b, number_of(i & 15, is_signed), number_of(i >> 4, is_signed),
                         false};
        bool unsafe = false;
        int want = tiny_op(op, x.va, x.vb, is_signed, &unsafe);
        int got = tiny_eval(&x, tree);
        if (x.fault || (!unsafe && got != want))
            print_error("%s %d %d: got %d, want %d\n", lang_op_info[op].name, x.va, x.vb, got,
                        want);
        assert_false(x.fault); /* defined for all values */
        if (!unsafe)
            assert_int_equal(got, want); /* and the identity where there is nothing to guard */
    }
}

static void guards_are_identities_and_defined_on_4_bits(void **state)
{
    (void)state;
    struct gen *g = bare_gen();
    g->width[TYPE_INT] = g->width[TYPE_UINT] = BITS;
    for (size_t i = 0; i < LENGTH(operators); i++)
        for (enum gen_policy form = GEN_guard_function; form <= GEN_guard_block; form++)
            for (int sign = 0; sign < 2; sign++) {
                struct type *t = lang_basic(g->p, sign ? TYPE_INT : TYPE_UINT);
                if (can_fault(g, operators[i], t))
                    check_guard(g, operators[i], form, t);
            }
    free_gen(g);
}

static enum value_fault tiny_fault(enum op op, int b)
{
    if ((op == OP_DIV || op == OP_REM) && b == 0)
        return VALUE_DIV_ZERO;
    return VALUE_OVERFLOW;
}

static void repairs_end_in_something_defined_on_4_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(operators); i++)
        for (unsigned pair = 0; pair < 512; pair++) {
            bool is_signed = pair >> 8;
            int a = number_of(pair & 15, is_signed), b = number_of(pair >> 4 & 15, is_signed);
            enum op op = operators[i];
            unsigned tried = 0;
            for (int steps = 0;; steps++) {
                bool fault = false;
                if ((op == OP_SHL || op == OP_SHR) && (b < 0 || b >= BITS))
                    b &= BITS - 1; /* another count */
                tiny_op(op, a, b, is_signed, &fault);
                if (!fault)
                    break;
                assert_true(steps < 8);
                tried |= 1u << op;
                op = repair_next(op, tiny_fault(op, b), tried);
            }
        }
}

/* ---- real widths ------------------------------------------------------------------------ */

static const uint8_t kinds[] = {TYPE_INT,   TYPE_UINT,   TYPE_LONG,   TYPE_ULONG,
                                TYPE_LLONG, TYPE_ULLONG, TYPE_INT128, TYPE_UINT128};

static u128 corner(struct gen *g, struct rng *r, struct type *t)
{
    u128 near = (u128)(i128)rng_between(r, -2, 2);
    u128 v;
    switch (rng_below(r, 5)) {
    case 0:
        v = int_least(g, t) + near;
        break;
    case 1:
        v = int_most(g, t) + near;
        break;
    case 2:
        v = (u128)rng_next(r) << 64 | rng_next(r);
        break;
    case 3:
        v = (u128)1 << rng_below(r, int_width(g, t));
        break;
    default:
        v = near;
    }
    return lang_wrap(v, int_width(g, t));
}

/* The guard's tree on literals, evaluated by gen and by lang's constant folder. */
static void guards_are_identities_at_the_limits(void **state)
{
    (void)state;
    struct gen *g = bare_gen();
    struct rng r = rng_seed(7);
    for (int round = 0; round < 4000; round++) {
        struct type *t = lang_basic(g->p, kinds[rng_below(&r, LENGTH(kinds))]);
        enum op op = operators[rng_below(&r, LENGTH(operators))];
        enum gen_policy form = GEN_guard_function + (enum gen_policy)rng_below(&r, 4);
        u128 a = corner(g, &r, t), b = corner(g, &r, t), want;
        if (!can_fault(g, op, t))
            continue;
        if ((op == OP_SHL || op == OP_SHR) && rng_below(&r, 2))
            b = rng_below(&r, int_width(g, t) + 2);
        enum value_fault fault = apply(g, op, t, a, b, t, &want);
        uint32_t guards = g->counts.guards;
        struct node *tree = guard_tree(g, form, op, lang_int(g->p, a, t), lang_int(g->p, b, t), t);
        struct val got = {0};
        eval(g, &tree, &got);
        assert_int_equal(g->counts.guards, guards); /* nothing in it had to be guarded again */
        if (fault == VALUE_OK)
            assert_true(got.bits == want);
    }
    free_gen(g);
}

/* A built operator on operands at the limits is repaired to something defined. */
static void repairs_end_at_the_limits(void **state)
{
    (void)state;
    struct gen *g = bare_gen();
    struct rng r = rng_seed(9);
    for (int round = 0; round < 4000; round++) {
        struct type *t = lang_basic(g->p, kinds[rng_below(&r, LENGTH(kinds))]);
        enum op op = operators[rng_below(&r, LENGTH(operators))];
        u128 a = corner(g, &r, t), b = corner(g, &r, t);
        struct node *n = lang_binary(g->p, op, lang_int(g->p, a, t), lang_int(g->p, b, t));
        u128 value = repair(g, n, t, a, b, t);
        struct val again = {0};
        uint32_t guards = g->counts.guards;
        eval(g, &n, &again);
        assert_int_equal(g->counts.guards, guards);
        assert_true(again.bits == value);
    }
    free_gen(g);
}

/* ---- programs --------------------------------------------------------------------------- */

static void program_text(uint64_t seed, struct text *out)
{
    struct gen_options o = gen_options_default();
    o.seed = seed;
    struct generated g = gen_program(&o);
    gen_print(&g, out);
    text_add(out, g.expect.s, g.expect.n);
    gen_free(&g);
}

static void the_same_seed_gives_the_same_program(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct text a = {0}, b = {0};
        program_text(seed, &a);
        program_text(seed, &b);
        assert_string_equal(text_str(&a), text_str(&b));
        text_free(&a);
        text_free(&b);
    }
}

/* A fixed fingerprint: the same under every compiler and sanitizer that builds cupel.  A change of
 * the generator changes it; then write down the new one. */
static void seeds_do_not_depend_on_the_host_compiler(void **state)
{
    (void)state;
    uint64_t sum = 0;
    for (uint64_t seed = 100; seed < 130; seed++) {
        struct text t = {0};
        program_text(seed, &t);
        sum = hash_pair(sum, hash_bytes(t.s, t.n));
        text_free(&t);
    }
    char *pinned = getenv("CUPEL_GEN_FINGERPRINT");
    print_message("fingerprint %016llx\n", (unsigned long long)sum);
    if (pinned)
        assert_true(strtoull(pinned, NULL, 16) == sum);
}

struct seen {
    uint32_t nodes[NODE_COUNT], ops[OP_COUNT], types[TYPE_COUNT], convs[CONV_COUNT];
};

static void look(struct seen *s, const struct node *n)
{
    s->nodes[n->kind]++;
    if (n->kind == NODE_UNARY || n->kind == NODE_BINARY || n->kind == NODE_ASSIGN)
        s->ops[n->op]++;
    if (n->kind == NODE_CAST)
        s->convs[n->op]++;
    if (n->type)
        s->types[n->type->canon->kind]++;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            look(s, n->kid[i]);
}

/* Rows that programs do not use, each for a reason that docs/gen.md gives. */
static bool is_left_out(enum node_kind k)
{
    static const uint8_t out[] = {
        NODE_OFFSETOF,       NODE_GENERIC,      NODE_TYPES_MATCH, NODE_CHOOSE,        NODE_ASM,
        NODE_VECTOR_CONVERT, NODE_DESIGNATED,   NODE_UNIT,        NODE_STATIC_ASSERT, NODE_PRAGMA,
        NODE_ATTRIBUTE,      NODE_LOCAL_LABELS, NODE_RECORD,      NODE_FIELD,         NODE_ENUM,
        NODE_ENUMERATOR,     NODE_LITERAL};
    return memchr(out, (int)k, sizeof out) != NULL;
}

static void missing(const char *what, const char *name)
{
    print_error("no %s %s\n", what, name);
    assert_true(false);
}

static void a_thousand_programs_use_the_whole_language(void **state)
{
    (void)state;
    struct seen s = {0};
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct gen_options o = gen_options_default();
        o.seed = seed;
        o.size = 60;
        struct generated g = gen_program(&o);
        look(&s, g.program->unit);
        gen_free(&g);
    }
    for (int k = 0; k < NODE_COUNT; k++)
        if (!is_left_out((enum node_kind)k) && s.nodes[k] == 0)
            missing("node", lang_node_info[k].name);
    for (int op = 0; op < OP_COUNT; op++)
        if (op != OP_REAL && op != OP_IMAG && s.ops[op] == 0)
            missing("operator", lang_op_info[op].name);
    for (int t = TYPE_BOOL; t <= TYPE_UINT128; t++)
        if (s.types[t] == 0)
            missing("type", lang_type_info[t].spelling);
}

static void policies_are_read_and_written(void **state)
{
    (void)state;
    struct gen_options o = gen_options_default();
    struct err e;
    assert_true(gen_policy_set(&o.policy, "op.add=3", &e));
    assert_false(gen_policy_set(&o.policy, "op.none=3", &e));
    assert_false(gen_policy_set(&o.policy, "op.add", &e));
    assert_false(gen_policy_set(&o.policy, "op.add=x", &e));
    assert_true(gen_policy_read(&o.policy, "# nothing\nop.sub=4 # four\n\nop.mul=0", &e));
    struct text line = {0};
    o.seed = 9;
    gen_seed_string(&o, &line);
    assert_string_equal(text_str(&line), "seed=9 size=150 op.add=3 op.sub=4 op.mul=0");
    struct gen_options again = gen_options_default();
    assert_true(gen_seed_parse(text_str(&line), &again, &e));
    assert_int_equal(again.seed, 9);
    assert_int_equal(again.policy.value[GEN_op_sub], 4);
    text_free(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guards_are_identities_and_defined_on_4_bits),
        cmocka_unit_test(repairs_end_in_something_defined_on_4_bits),
        cmocka_unit_test(guards_are_identities_at_the_limits),
        cmocka_unit_test(repairs_end_at_the_limits),
        cmocka_unit_test(the_same_seed_gives_the_same_program),
        cmocka_unit_test(seeds_do_not_depend_on_the_host_compiler),
        cmocka_unit_test(a_thousand_programs_use_the_whole_language),
        cmocka_unit_test(policies_are_read_and_written),
    };
    return cmocka_run_group_tests_name("gen", tests, NULL, NULL);
}
