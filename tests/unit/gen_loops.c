/* Loops in the shapes that wrong code of gcc and clang was found to need: each occurs, and runs, in
 * at least one of a hundred programs.  The shapes are told by the tree alone, whoever wrote it. */
#include "gen/gen.h"
#include "machine/machine.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

enum { PROGRAMS = 100 };

/* ---- questions about a tree -------------------------------------------------------------- */

static const struct program *program; /* the one that is looked at */

static int64_t constant_of(const struct node *n)
{
    u128 value;
    return lang_constant(program, n, &value) ? (int64_t)value : -1;
}

static bool is_name(const struct node *n)
{
    return n->kind == NODE_NAME;
}

static bool names(const struct node *n, const struct decl *d)
{
    if (!n)
        return false;
    if (n->kind == NODE_NAME && n->u.decl == d)
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && names(n->kid[i], d))
            return true;
    return false;
}

static bool any_node(const struct node *n, bool (*is)(const struct node *))
{
    if (is(n))
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && any_node(n->kid[i], is))
            return true;
    return false;
}

static unsigned count_nodes(const struct node *n, bool (*is)(const struct node *))
{
    unsigned found = is(n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            found += count_nodes(n->kid[i], is);
    return found;
}

static bool is_loop(const struct node *n)
{
    return n->kind == NODE_FOR || n->kind == NODE_WHILE || n->kind == NODE_DO;
}

static const struct node *test_of(const struct node *n)
{
    return n->kid[n->kind == NODE_WHILE ? 0 : 1];
}

static const struct node *body_of(const struct node *n)
{
    return n->kid[n->kind == NODE_FOR ? 3 : n->kind == NODE_WHILE];
}

/* What the third part of a for writes, or what the condition of another loop steps. */
static const struct node *counter_of(const struct node *n)
{
    const struct node *s = n->kind == NODE_FOR ? n->kid[2] : test_of(n);
    while (s && (s->kind == NODE_CAST || s->kind == NODE_BINARY))
        s = s->kid[0];
    bool writes = s && (s->kind == NODE_ASSIGN || (s->kind == NODE_UNARY && s->op <= OP_PREDEC));
    return writes ? s->kid[0] : NULL;
}

static bool counts_in(const struct node *n, enum node_kind kind)
{
    return is_loop(n) && counter_of(n) && counter_of(n)->kind == kind;
}

static bool loop_counts_global(const struct node *n)
{
    return counts_in(n, NODE_NAME) && !counter_of(n)->u.decl->owner;
}

static bool loop_counts_static(const struct node *n)
{
    return counts_in(n, NODE_NAME) && counter_of(n)->u.decl->owner &&
           counter_of(n)->u.decl->is_static;
}

static bool loop_counts_member(const struct node *n)
{
    return counts_in(n, NODE_MEMBER);
}

static bool loop_counts_by_pointer(const struct node *n)
{
    return counts_in(n, NODE_UNARY) && counter_of(n)->op == OP_DEREF;
}

/* A local that the for statement does not declare, so that it is there after the loop. */
static bool loop_counts_on(const struct node *n)
{
    return n->kind == NODE_FOR && counts_in(n, NODE_NAME) && counter_of(n)->u.decl->owner &&
           (!n->kid[0] || n->kid[0]->kind != NODE_DECL);
}

static bool is_call(const struct node *n)
{
    return n->kind == NODE_CALL;
}

static bool loop_tests_call(const struct node *n)
{
    return is_loop(n) && test_of(n) && any_node(test_of(n), is_call);
}

static bool is_load(const struct node *n)
{
    return n->kind == NODE_INDEX || n->kind == NODE_MEMBER;
}

static bool loop_tests_load(const struct node *n)
{
    return is_loop(n) && test_of(n) && any_node(test_of(n), is_load);
}

static bool is_volatile_name(const struct node *n)
{
    return n->kind == NODE_NAME && n->type->quals & QUAL_VOLATILE;
}

static bool loop_tests_volatile(const struct node *n)
{
    return is_loop(n) && test_of(n) && any_node(test_of(n), is_volatile_name);
}

/* Its condition steps nothing and compares no counter with a constant. */
static bool loop_ends_by_value(const struct node *n)
{
    if (n->kind == NODE_FOR || !is_loop(n) || counter_of(n))
        return false;
    const struct node *t = test_of(n);
    while (t->kind == NODE_CAST)
        t = t->kid[0];
    return t->kind == NODE_NAME || (t->kind == NODE_BINARY && (t->op == OP_NE || t->op == OP_LT));
}

static bool is_element_store(const struct node *n)
{
    return n->kind == NODE_ASSIGN && n->kid[0]->kind == NODE_INDEX;
}

static bool loop_stores_several(const struct node *n)
{
    return is_loop(n) && !any_node(body_of(n), is_loop) &&
           count_nodes(body_of(n), is_element_store) >= 2;
}

static bool is_narrowing(const struct node *n)
{
    return n->kind == NODE_CAST && !(n->flags & NODE_IMPLICIT) && n->type->kind >= TYPE_CHAR &&
           n->type->kind <= TYPE_USHORT;
}

static bool is_shift(const struct node *n)
{
    return n->kind == NODE_BINARY && (n->op == OP_SHL || n->op == OP_SHR);
}

static bool loop_narrows(const struct node *n)
{
    return is_loop(n) && count_nodes(body_of(n), is_element_store) >= 1 &&
           any_node(body_of(n), is_narrowing) && any_node(body_of(n), is_shift);
}

static bool is_member_of_element(const struct node *n)
{
    return n->kind == NODE_MEMBER && n->kid[0]->kind == NODE_INDEX;
}

static bool loop_over_records(const struct node *n)
{
    return is_loop(n) && any_node(body_of(n), is_member_of_element);
}

static bool is_record_copy(const struct node *n)
{
    return n->kind == NODE_ASSIGN && n->op == OP_ASSIGN && n->type->kind == TYPE_STRUCT &&
           n->kid[0]->kind == NODE_INDEX;
}

static bool loop_copies_records(const struct node *n)
{
    return is_loop(n) && any_node(body_of(n), is_record_copy);
}

/* An inner loop that begins or ends where the outer one is. */
static bool loop_is_triangular(const struct node *n)
{
    if (n->kind != NODE_FOR || n->kid[3]->kind != NODE_FOR || !counter_of(n) ||
        counter_of(n)->kind != NODE_NAME)
        return false;
    const struct node *inner = n->kid[3];
    return names(inner->kid[1], counter_of(n)->u.decl) ||
           names(inner->kid[0], counter_of(n)->u.decl);
}

/* a[x][i + k] or a[i - k][k]: a subscript of both counters. */
static bool is_slanted(const struct node *n)
{
    const struct node *at = n->kind == NODE_INDEX ? n->kid[1] : NULL;
    while (at && at->kind == NODE_CAST)
        at = at->kid[0];
    return at && at->kind == NODE_BINARY && n->type->kind != TYPE_POINTER &&
           any_node(at->kid[0], is_name) && any_node(at->kid[1], is_name);
}

static bool loop_is_diagonal(const struct node *n)
{
    return n->kind == NODE_FOR && n->kid[3]->kind == NODE_FOR && any_node(n->kid[3], is_slanted);
}

static bool loop_stores_under_condition(const struct node *n)
{
    const struct node *body = is_loop(n) ? body_of(n) : NULL;
    return body && body->kind == NODE_IF && any_node(body, is_element_store);
}

/* a[3 * i] */
static bool is_strided(const struct node *n)
{
    const struct node *at = n->kind == NODE_INDEX ? n->kid[1] : NULL;
    while (at && (at->kind == NODE_CAST || (at->kind == NODE_BINARY && at->op == OP_ADD)))
        at = at->kid[0];
    return at && at->kind == NODE_BINARY && at->op == OP_MUL;
}

static bool loop_strides(const struct node *n)
{
    return is_loop(n) && any_node(body_of(n), is_strided);
}

/* a[i * s], where neither is a constant */
static bool is_strided_by_variable(const struct node *n)
{
    const struct node *at = n->kind == NODE_INDEX ? n->kid[1] : NULL;
    while (at && at->kind == NODE_CAST)
        at = at->kid[0];
    return at && at->kind == NODE_BINARY && at->op == OP_MUL && constant_of(at->kid[0]) < 0 &&
           constant_of(at->kid[1]) < 0;
}

static bool loop_strides_by_variable(const struct node *n)
{
    return is_loop(n) && any_node(body_of(n), is_strided_by_variable);
}

static bool is_gather(const struct node *n)
{
    return n->kind == NODE_INDEX && any_node(n->kid[1], is_load);
}

static bool loop_gathers(const struct node *n)
{
    return is_loop(n) && any_node(body_of(n), is_gather);
}

/* a[i] = ... a[i - d] ...: the distance, or 0. */
static int64_t distance(const struct node *n, const struct decl *array)
{
    const struct node *at = n->kind == NODE_INDEX ? n->kid[1] : NULL;
    const struct node *of = at ? n->kid[0] : NULL;
    while (of && of->kind == NODE_CAST)
        of = of->kid[0];
    while (at && at->kind == NODE_CAST)
        at = at->kid[0];
    if (at && at->kind == NODE_BINARY && at->op == OP_SUB && of->kind == NODE_NAME &&
        of->u.decl == array && constant_of(at->kid[1]) > 0)
        return constant_of(at->kid[1]);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && distance(n->kid[i], array))
            return distance(n->kid[i], array);
    return 0;
}

static bool is_carried(const struct node *n)
{
    const struct node *of = is_element_store(n) ? n->kid[0]->kid[0] : NULL;
    while (of && of->kind == NODE_CAST)
        of = of->kid[0];
    return of && of->kind == NODE_NAME && distance(n->kid[1], of->u.decl) >= 2;
}

static bool loop_carries(const struct node *n)
{
    return is_loop(n) && any_node(body_of(n), is_carried);
}

static bool loop_is_long(const struct node *n)
{
    const struct node *t = n->kind == NODE_FOR ? n->kid[1] : NULL;
    while (t && t->kind == NODE_CAST)
        t = t->kid[0];
    if (!t || t->kind != NODE_BINARY || t->op != OP_LT)
        return false;
    int64_t limit = constant_of(t->kid[1]);
    return limit >= 16 && limit <= 100 && any_node(body_of(n), is_element_store);
}

static bool copies_some(const struct node *n)
{
    const struct node *callee = n->kind == NODE_CALL ? n->kid[0] : NULL;
    if (!callee || callee->kind != NODE_CAST || callee->kid[0]->kind != NODE_NAME || n->count != 4)
        return false;
    uint16_t b = callee->kid[0]->u.decl->builtin;
    return (b == BUILTIN_memcpy || b == BUILTIN_memmove || b == BUILTIN_memset) &&
           constant_of(n->kid[3]) < 0;
}

/* s = s op e, by name or at an element: which operator, or -1. */
static int gathers_by(const struct node *n)
{
    if (n->kind != NODE_ASSIGN || !lang_is_integer(n->type))
        return -1;
    if (n->op != OP_ASSIGN)
        return n->op;
    const struct node *e = n->kid[1];
    while (e->kind == NODE_CAST)
        e = e->kid[0];
    return e->kind == NODE_BINARY && n->kid[0]->kind == NODE_NAME &&
                   names(e->kid[0], n->kid[0]->u.decl)
               ? e->op
               : -1;
}

static unsigned gathered(const struct node *n)
{
    unsigned found = 0;
    if (gathers_by(n) >= 0)
        found |= 1u << gathers_by(n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            found |= gathered(n->kid[i]);
    return found;
}

static bool is_store_under_condition(const struct node *n)
{
    return n->kind == NODE_IF && any_node(n, is_element_store);
}

/* i += 3 */
static bool is_long_step(const struct node *n)
{
    return n->kind == NODE_ASSIGN && n->op != OP_ASSIGN && constant_of(n->kid[1]) > 1;
}

static bool loop_gathers_and_stores(const struct node *n)
{
    return is_loop(n) && gathered(body_of(n)) && any_node(body_of(n), is_store_under_condition);
}

/* A counter that lives on, a stride, a store under a condition and a reduction. */
static bool loop_does_all(const struct node *n)
{
    return loop_gathers_and_stores(n) && loop_counts_on(n) &&
           (any_node(body_of(n), is_strided) ||
            (n->kind == NODE_FOR && n->kid[2] && is_long_step(n->kid[2])));
}

/* x = x < low ? low : x; and x = x > high ? high : x; */
static bool is_clamp(const struct node *n)
{
    if (n->kind != NODE_ASSIGN || n->kid[0]->kind != NODE_NAME)
        return false;
    const struct node *e = n->kid[1];
    while (e->kind == NODE_CAST)
        e = e->kid[0];
    return e->kind == NODE_COND && e->kid[1] && names(e->kid[0], n->kid[0]->u.decl) &&
           names(e->kid[2], n->kid[0]->u.decl);
}

static bool clamps_twice(const struct node *n)
{
    for (uint32_t i = 0; n->kind == NODE_BLOCK && i + 1 < n->count; i++)
        if (n->kid[i]->kind == NODE_EXPR_STMT && n->kid[i + 1]->kind == NODE_EXPR_STMT &&
            is_clamp(n->kid[i]->kid[0]) && is_clamp(n->kid[i + 1]->kid[0]))
            return true;
    return false;
}

static bool is_early_return(const struct node *n)
{
    return n->kind == NODE_IF && n->kid[1] && n->kid[1]->kind == NODE_RETURN && !n->kid[2];
}

static bool leaves_early(const struct node *n)
{
    unsigned found = 0;
    for (uint32_t i = 0; n->kind == NODE_BLOCK && i < n->count; i++)
        found += n->kid[i] && is_early_return(n->kid[i]);
    return found >= 3;
}

static int64_t sign_of(const struct node *n)
{
    while (n->kind == NODE_CAST)
        n = n->kid[0];
    int64_t v = constant_of(n);
    return n->kind == NODE_UNARY && n->op == OP_NEG ? -constant_of(n->kid[0]) : v;
}

/* a == b ? 0 : a < b ? -1 : 1 */
static bool is_three_way(const struct node *n)
{
    if (n->kind != NODE_COND || !n->kid[1] || constant_of(n->kid[1]) != 0)
        return false;
    const struct node *rest = n->kid[2];
    return rest->kind == NODE_COND && rest->kid[1] &&
           sign_of(rest->kid[1]) * sign_of(rest->kid[2]) == -1;
}

/* ---- the shapes -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool (*is)(const struct node *n);
} shapes[] = {
    {"a global counts", loop_counts_global},
    {"a static counts", loop_counts_static},
    {"a member counts", loop_counts_member},
    {"a counter behind a pointer", loop_counts_by_pointer},
    {"a counter that lives on", loop_counts_on},
    {"a call in the condition", loop_tests_call},
    {"a load in the condition", loop_tests_load},
    {"a volatile read in the condition", loop_tests_volatile},
    {"the end by a value", loop_ends_by_value},
    {"several stores", loop_stores_several},
    {"shifts and narrowing", loop_narrows},
    {"an array of structures", loop_over_records},
    {"structures are copied", loop_copies_records},
    {"a triangle", loop_is_triangular},
    {"a diagonal", loop_is_diagonal},
    {"a store under a condition", loop_stores_under_condition},
    {"a stride", loop_strides},
    {"a stride that is not known", loop_strides_by_variable},
    {"a gather", loop_gathers},
    {"carried over two turns or more", loop_carries},
    {"16 to 100 turns", loop_is_long},
    {"a copy of unknown length", copies_some},
    {"a clamp", clamps_twice},
    {"a reduction and a store under a condition", loop_gathers_and_stores},
    {"the same with a stride, and a counter that lives on", loop_does_all},
    {"a chain of early returns", leaves_early},
    {"a comparison in three ways", is_three_way},
};

struct seen {
    const struct machine *m;
    unsigned programs[LENGTH(shapes)];
    bool here[LENGTH(shapes)];
    unsigned by; /* the operators of live reductions */
};

static void look(struct seen *s, const struct node *n)
{
    if (machine_fact(s->m, 0, n).count > 0) {
        for (size_t i = 0; i < LENGTH(shapes); i++)
            s->here[i] = s->here[i] || shapes[i].is(n);
        if (is_loop(n))
            s->by |= gathered(body_of(n));
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            look(s, n->kid[i]);
}

static void look_at_program(struct seen *s, uint64_t seed)
{
    struct gen_options o = gen_options_default();
    o.seed = seed;
    struct generated g = gen_program(&o);
    struct machine_unit unit = {g.program, NULL, 0};
    struct machine_options options = {0};
    struct machine *m = machine_new(&unit, 1, &options);
    assert_int_equal(machine_run(m)->end, MACHINE_FINISHED);
    memset(s->here, 0, sizeof s->here);
    s->m = m;
    program = g.program;
    look(s, g.program->unit);
    for (size_t i = 0; i < LENGTH(shapes); i++)
        s->programs[i] += s->here[i];
    machine_free(m);
    gen_free(&g);
}

static void every_shape_runs_in_some_of_a_hundred_programs(void **state)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_XOR, OP_AND, OP_OR, OP_LAND, OP_LOR};
    struct seen s = {0};
    unsigned lacking = 0;
    (void)state;
    for (uint64_t seed = 0; seed < PROGRAMS; seed++)
        look_at_program(&s, seed);
    for (size_t i = 0; i < LENGTH(shapes); i++) {
        print_message("%3u of %d: %s\n", s.programs[i], PROGRAMS, shapes[i].name);
        lacking += s.programs[i] == 0;
    }
    for (size_t i = 0; i < LENGTH(ops); i++)
        if (!(s.by >> ops[i] & 1)) {
            print_error("no reduction by %s\n", lang_op_info[ops[i]].name);
            lacking++;
        }
    assert_int_equal(lacking, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_runs_in_some_of_a_hundred_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
