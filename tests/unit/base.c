/* Unit tests of base: tables of rows. */
#include "base/base.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static void arena_gives_zeroed_disjoint_memory(void **state)
{
    (void)state;
    struct arena a = {0};
    assert_non_null(arena_alloc(&a, 0)); /* nothing, of an empty one: it went round for ever */
    for (size_t round = 0; round < 3; round++) {
        char *previous = NULL;
        for (size_t size = 1; size < 40000; size = size * 3 + 1) {
            char *p = arena_alloc(&a, size);
            assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
            for (size_t i = 0; i < size; i++)
                assert_int_equal(p[i], 0);
            memset(p, 0x5a, size);
            if (previous)
                assert_int_equal(previous[0], 0x5a);
            previous = p;
        }
        arena_reset(&a);
        assert_int_equal(a.total, 0);
    }
    arena_free(&a);
}

static void text_grows_and_keeps_nuls(void **state)
{
    (void)state;
    struct text t = {0};
    assert_string_equal(text_str(&t), "");
    for (int i = 0; i < 1000; i++)
        text_printf(&t, "%d,", i);
    text_add(&t, "\0x", 2);
    assert_int_equal(t.n, 10 * 2 + 90 * 3 + 900 * 4 + 2);
    assert_memory_equal(t.s + t.n - 6, "999,\0x", 6);
    text_free(&t);
}

static void map_keeps_insertion_order(void **state)
{
    (void)state;
    struct arena a = {0};
    struct map m = {0};
    static int values[1000];
    char key[16];
    assert_null(map_get(&m, "absent"));
    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "k%d", i * 7919 % 1000);
        map_set(&a, &m, key, &values[i]);
    }
    map_set(&a, &m, "k0", &values[1]);
    assert_int_equal(m.n, 1000);
    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "k%d", i * 7919 % 1000);
        assert_string_equal(m.entries[i].key, key);
        assert_ptr_equal(map_get(&m, key), &values[i ? i : 1]);
    }
    arena_free(&a);
}

/* These numbers are the contract: the same seed gives the same bytes on every machine, so a
 * change here breaks every seed that was ever printed. */
static void rng_is_the_same_everywhere(void **state)
{
    (void)state;
    struct rng r = rng_seed(7);
    assert_true(rng_next(&r) == UINT64_C(0xb8b4c2977eabce45));
    assert_true(rng_next(&r) == UINT64_C(0xa65305fd338ec8fe));
    struct rng f = rng_fork(&r, "stmt.loop");
    assert_true(rng_next(&f) == UINT64_C(0x01beb697363feb39));
    struct rng g = rng_fork_at(&r, "stmt.loop", 3);
    assert_true(rng_next(&g) == UINT64_C(0x5c5d3a8bb0b072ef));
    assert_true(hash_string("cupel") == UINT64_C(0x134f6fc8e6064f37));
}

static void forks_ignore_what_was_drawn(void **state)
{
    (void)state;
    struct rng a = rng_seed(1), b = rng_seed(1);
    rng_next(&b);
    struct rng fa = rng_fork(&a, "x"), fb = rng_fork(&b, "x"), fy = rng_fork(&a, "y");
    uint64_t first = rng_next(&fa);
    assert_true(first == rng_next(&fb));
    assert_true(first != rng_next(&fy));
}

static void rng_ranges_are_kept_and_reached(void **state)
{
    (void)state;
    struct rng r = rng_seed(3);
    int seen[6] = {0};
    for (int i = 0; i < 6000; i++)
        seen[rng_between(&r, -2, 3) + 2]++;
    for (int i = 0; i < 6; i++)
        assert_in_range(seen[i], 850, 1150);
    static const unsigned weights[] = {0, 1, 3, 0};
    int drawn[4] = {0};
    for (int i = 0; i < 4000; i++)
        drawn[rng_weighted(&r, weights, 4)]++;
    assert_int_equal(drawn[0] + drawn[3], 0);
    assert_in_range(drawn[1], 850, 1150);
    rng_between(&r, INT64_MIN, INT64_MAX);
}

static void commands_split_and_join_back(void **state)
{
    (void)state;
    static const struct {
        const char *in;
        const char *words; /* joined by | */
        const char *out;
    } rows[] = {
        {"gcc-12 -O2", "gcc-12|-O2", "gcc-12 -O2"},
        {"  a\tb  ", "a|b", "a b"},
        {"cc '-DX=\"a b\"' x", "cc|-DX=\"a b\"|x", "cc '-DX=\"a b\"' x"},
        {"\"a \\\" b\" c\\ d", "a \" b|c d", "'a \" b' 'c d'"},
        {"'' it\"'\"s", "|it's", "'' 'it'\\''s'"},
        {"", "", ""},
    };
    struct arena a = {0};
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct err e;
        char **words = str_split_command(&a, rows[i].in, &e);
        assert_non_null(words);
        struct text joined = {0}, shell = {0};
        for (size_t k = 0; words[k]; k++)
            text_printf(&joined, "%s%s", k ? "|" : "", words[k]);
        assert_string_equal(text_str(&joined), rows[i].words);
        str_join_command(&shell, words);
        assert_string_equal(text_str(&shell), rows[i].out);
        text_free(&joined);
        text_free(&shell);
    }
    struct err e;
    assert_null(str_split_command(&a, "cc 'open", &e));
    assert_string_equal(e.msg, "a quote is left open in: cc 'open");
    arena_free(&a);
}

static void numbers_are_read_strictly(void **state)
{
    (void)state;
    struct err e;
    double s;
    uint64_t v;
    assert_true(str_parse_duration("1.5m", &s, &e) && s == 90);
    assert_true(str_parse_duration("250ms", &s, &e) && s == 0.25);
    assert_true(str_parse_size("64M", &v, &e) && v == 64u << 20);
    assert_true(str_parse_uint("18446744073709551615", UINT64_MAX, &v, &e) && v == UINT64_MAX);
    static const char *const bad_times[] = {"", "s", "-1", "1x", "inf", "nan", "1 s", "1mm"};
    for (size_t i = 0; i < LENGTH(bad_times); i++)
        assert_false(str_parse_duration(bad_times[i], &s, &e));
    static const char *const bad_sizes[] = {"", "K", "1KB", "-1", "99999999999T", "1 M"};
    for (size_t i = 0; i < LENGTH(bad_sizes); i++)
        assert_false(str_parse_size(bad_sizes[i], &v, &e));
    static const char *const bad_numbers[] = {"", "-1", "+1", "1.0", "18446744073709551616", "8x"};
    for (size_t i = 0; i < LENGTH(bad_numbers); i++)
        assert_false(str_parse_uint(bad_numbers[i], UINT64_MAX, &v, &e));
    assert_false(str_parse_uint("65", 64, &v, &e));
}

static void fail_keeps_its_own_message_as_argument(void **state)
{
    (void)state;
    struct err e;
    fail(&e, "inner");
    assert_false(fail(&e, "outer: %s", e.msg));
    assert_string_equal(e.msg, "outer: inner");
}

/* Before, after, and the diff; NULL when there is none. */
static void diffs_are_unified(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"a\nb\n", "a\nb\n", NULL},
        {"", "", NULL},
        {"a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
        {"a\n", "a\nb\n", "@@ -1,1 +1,2 @@\n a\n+b\n"},
        {"1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\n6\n7\n8\n",
         "@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n"},
        {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n",
         "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct text a = {0}, b = {0}, out = {0};
        text_puts(&a, rows[i][0]);
        text_puts(&b, rows[i][1]);
        assert_int_equal(text_diff(&a, &b, "old", "new", &out), rows[i][2] != NULL);
        if (rows[i][2]) {
            assert_memory_equal(out.s, "--- old\n+++ new\n", 16);
            assert_string_equal(out.s + 16, rows[i][2]);
        }
        text_free(&a);
        text_free(&b);
        text_free(&out);
    }
}

/* As wide as they need; tabs are spaces; nothing stands behind the last one of a line. */
static void texts_stand_beside_each_other(void **state)
{
    struct text out = {0};
    struct text_column columns[] = {{"a", "one\n\ttwo\n"}, {"title", "1\n2\n\n4"}, {"c", "x\n"}};
    (void)state;
    text_columns(&out, columns, 3);
    assert_string_equal(text_str(&out), "a             title   c\n"
                                        "one           1       x\n"
                                        "        two   2\n"
                                        "\n"
                                        "              4\n");
    text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_gives_zeroed_disjoint_memory),
        cmocka_unit_test(text_grows_and_keeps_nuls),
        cmocka_unit_test(map_keeps_insertion_order),
        cmocka_unit_test(rng_is_the_same_everywhere),
        cmocka_unit_test(forks_ignore_what_was_drawn),
        cmocka_unit_test(rng_ranges_are_kept_and_reached),
        cmocka_unit_test(commands_split_and_join_back),
        cmocka_unit_test(numbers_are_read_strictly),
        cmocka_unit_test(fail_keeps_its_own_message_as_argument),
        cmocka_unit_test(diffs_are_unified),
        cmocka_unit_test(texts_stand_beside_each_other),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
