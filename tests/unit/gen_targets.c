/* Generator and machine agree for every data model: what a program of a target prints is known,
 * whatever the width of its int, the order of its bytes and the sign of its char.  The machine
 * reads the printed text, so that the type of every constant is the one that the generator meant.
 *
 *   gen_targets [COUNT]     programs per target and kind (default 25) */
#include "front/front.h"
#include "gen/gen.h"
#include "machine/machine.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static uint64_t count = 25;

/* As drawn, and a lot of what knows the widths of types. */
static const char *const kinds[][5] = {
    {"share.varargs=30"},
    {"stmt.idiom=90", "expr.builtin=30", "expr.call=60", "share.helper=80", "share.varargs=60"},
    {"stmt.text=60", "stmt.library=30", "stmt.form=60", "stmt.kernel=30", "stmt.storage=30"},
    {"stmt.storage=90", "storage.nested=100", "stmt.idiom=90", "idiom.complex=100"},
};

struct trial {
    const struct target *target;
    size_t kind;
    uint64_t seed;
};

static void check(const struct trial *t, bool holds, const char *what)
{
    if (!holds)
        print_error("%s, kind %zu, seed %llu: %s\n", t->target->name, t->kind,
                    (unsigned long long)t->seed, what);
    assert_true(holds);
}

static struct generated program_of(const struct trial *t)
{
    struct gen_options o = gen_options_default();
    struct err e = {0};
    o.seed = t->seed;
    o.size = 30;
    o.target = t->target;
    o.features &= ~(UINT64_C(1) << GEN_HAS_MACRO);
    o.features |= UINT64_C(1) << GEN_HAS_NESTED;
    for (size_t i = 0; i < LENGTH(kinds[t->kind]) && kinds[t->kind][i]; i++)
        check(t, gen_policy_set(&o.policy, kinds[t->kind][i], &e), e.msg);
    return gen_program(&o);
}

static void agree(const struct trial *t)
{
    struct generated g = program_of(t);
    struct text text = {0};
    gen_print(&g, &text);
    struct front_options options = {.target = t->target};
    struct unit u = front_parse(text_str(&text), text.n, &options);
    check(t, u.error_count == 0, u.error_count ? u.errors[0].message : "");
    struct machine_unit unit = {u.program, NULL, 0};
    struct machine *m = machine_new(&unit, 1, &(struct machine_options){0});
    const struct machine_result *r = machine_run(m);
    check(t, r->end == MACHINE_FINISHED, r->detail);
    check(t, strcmp(text_str(&r->output), text_str(&g.expect)) == 0, "another output");
    machine_free(m);
    lang_program_free(u.program);
    text_free(&text);
    gen_free(&g);
}

static void generator_and_machine_agree_on_every_target(void **state)
{
    (void)state;
    for (int target = 0; target < TARGET_COUNT; target++)
        for (size_t kind = 0; kind < LENGTH(kinds); kind++)
            for (uint64_t seed = 0; seed < count; seed++)
                agree(&(struct trial){lang_target((enum target_id)target), kind,
                                      1000 * (uint64_t)target + seed});
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generator_and_machine_agree_on_every_target),
    };
    if (argc > 1)
        count = strtoull(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
