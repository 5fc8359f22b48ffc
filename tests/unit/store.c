/* Unit tests of store: the same on SQLite and, when $CUPEL_TEST_DATABASE is the address of an empty
 * one, on PostgreSQL (tests/cli/cluster.bats starts one). */
#include "store/store.h"

#include "sys/sys.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static struct arena arena;
static char folder[200];
static const char *database; /* NULL: SQLite */
static unsigned campaigns;

static int make_folder(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/cupel-unit-XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    arena_free(&arena);
    return sys_remove_tree(folder, NULL) ? 0 : -1;
}

/* A place that nobody has used: a file, or a schema of the database. */
static const char *new_place(void)
{
    const char *place = arena_printf(&arena, "%s/%u.db", folder, ++campaigns);
    if (!database)
        return place;
    /* libpq reads the option from the address */
    return arena_printf(&arena, "%s%soptions=-csearch_path%%3Dunit%u", database,
                        strchr(database, '?') ? "&" : "?", campaigns);
}

static struct store *open_store(const char *place)
{
    struct err e = {""};
    struct store *s = store_open(place, STORE_WRITE, NULL, &e);
    if (!s)
        print_error("%s\n", e.msg);
    assert_non_null(s);
    return s;
}

static const struct store_node one = {.id = "", .host = "h1", .version = "1", .kit = ""};
static const struct store_node node_a = {.id = "a", .host = "h1", .version = "1", .kit = "k"},
                               node_b = {.id = "b", .host = "h2", .version = "1", .kit = "k"},
                               node_c = {.id = "c", .host = "h3", .version = "1", .kit = "other"};

/* Of a finding that can become smaller. */
static struct store_content content_of(const char *verdict, const char *compiler_id)
{
    return (struct store_content){.detail = arena_printf(&arena, "{\"verdict\": \"%s\"}", verdict),
                                  .brief = "{}",
                                  .line = {.verdict = verdict,
                                           .compiler = "gcc",
                                           .config = "",
                                           .grade = "",
                                           .strategy = "",
                                           .what = ""},
                                  .compiler_id = compiler_id,
                                  .open = true};
}

/* ---- tasks --------------------------------------------------------------------------- */

static struct store_again all_of(const char *const *strategy)
{
    return (struct store_again){strategy, 1, 9, 1};
}

/* Leases survive the death of their holder, and nothing is leased twice. */
static void leases_are_found_again(void **state)
{
    (void)state;
    struct err e;
    static const char *const plain = "plain", *const small = "small";
    struct store_task t[3] = {{.strategy = "plain", .profile = "loops", .class = "arch"},
                              {.strategy = "plain", .profile = "loops", .class = "arch"},
                              {.strategy = "plain", .profile = "loops", .class = "arch"}};
    struct store_task again;
    struct store_tally tally;
    struct store_again want = all_of(&plain), other = all_of(&small);
    bool mine;
    size_t n = 3;
    const char *place = new_place();
    struct store *s = open_store(place);
    assert_true(store_lease(s, &one, t, &n, 0, &e));
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(t[i].number, i);
    assert_true(store_finish(s, &one, &t[2], &mine, &e));
    assert_true(mine);
    assert_true(store_finish(s, &one, &t[2], &mine, &e));
    assert_false(mine); /* once */
    store_close(s);     /* killed */

    s = open_store(place);
    assert_true(store_lease_again(s, &arena, &one, &want, &again, &n, &e));
    assert_int_equal(n, 0); /* the old ones are still leased */
    assert_true(store_give_back_all(s, &e));
    for (uint64_t i = 0; i < 2; i++) {
        assert_true(store_lease_again(s, &arena, &one, &want, &again, &n, &e));
        assert_int_equal(n, 1);
        assert_int_equal(again.number, i);
        assert_int_equal(again.deaths, 0); /* nobody died of it */
        assert_string_equal(again.profile, "loops");
        assert_string_equal(again.class, "arch");
    }
    assert_true(store_lease_again(s, &arena, &one, &want, &again, &n, &e));
    assert_int_equal(n, 0);
    assert_true(store_lease_again(s, &arena, &one, &other, &again, &n, &e));
    assert_int_equal(n, 0);
    assert_true(store_give_back(s, &one, &t[0], &e));
    assert_true(store_give_up(s, &one, &t[1], &mine, &e));
    assert_true(store_count_tasks(s, &tally, &e));
    assert_int_equal(tally.done, 1);
    assert_int_equal(tally.leased, 0);
    assert_int_equal(tally.waiting, 1);
    assert_int_equal(tally.lost, 1);
    want.most_deaths = 0;
    assert_true(store_lease_again(s, &arena, &one, &want, &again, &n, &e));
    assert_int_equal(n, 0); /* it has cost a worker */
    store_close(s);
}

/* Two results of one task, brought at once, are one. */
static void a_task_ends_once(void **state)
{
    (void)state;
    struct err e;
    struct store_task t[3] = {{.strategy = "plain", .profile = "", .class = ""},
                              {.strategy = "plain", .profile = "", .class = ""}};
    bool mine[3];
    size_t n = 2;
    struct store *s = open_store(new_place());
    assert_true(store_lease(s, &one, t, &n, 0, &e));
    t[2] = t[0];
    assert_true(store_finish_all(s, &one, t, 3, mine, &e));
    assert_true(mine[0]);
    assert_true(mine[1]);
    assert_false(mine[2]);
    store_close(s);
}

/* A campaign that is to have ten tasks has ten, whatever is asked for. */
static void there_are_as_many_tasks_as_there_may_be(void **state)
{
    (void)state;
    struct err e;
    struct store_task t[8];
    struct store_tally tally;
    struct store *s = open_store(new_place());
    for (size_t i = 0; i < LENGTH(t); i++)
        t[i] = (struct store_task){
            .strategy = i % 2 ? "small" : "plain", .profile = "", .class = ""};
    size_t n = 8;
    assert_true(store_lease(s, &one, t, &n, 10, &e));
    assert_int_equal(n, 8);
    assert_int_equal(t[7].number, 3);
    assert_true(store_lease(s, &one, t, &n, 10, &e));
    assert_int_equal(n, 2);
    assert_true(store_lease(s, &one, t, &n, 10, &e));
    assert_int_equal(n, 0);
    assert_true(store_count_tasks(s, &tally, &e));
    assert_int_equal(tally.leased, 10);
    assert_int_equal(tally.done, 0);
    store_close(s);
}

/* What a silent node had is another's; what it brings later is not counted. */
static void silent_nodes_lose_their_leases(void **state)
{
    (void)state;
    struct err e;
    static const char *const plain = "plain";
    struct store_task t[2] = {{.strategy = "plain", .profile = "", .class = ""},
                              {.strategy = "plain", .profile = "", .class = ""}};
    struct store_task again[2];
    struct store_again want = {&plain, 1, 9, 2};
    bool mine, known;
    uint64_t gone;
    size_t n = 2;
    struct store *s = open_store(new_place());
    assert_true(store_join(s, &node_a, NULL, 0, &e));
    assert_true(store_join(s, &node_b, NULL, 0, &e));
    assert_true(store_join(s, &node_c, NULL, 0, &e));
    assert_true(store_lease(s, &node_a, t, &n, 0, &e));
    assert_true(store_give_up_silent(s, 60, &gone, &e));
    assert_int_equal(gone, 0);
    assert_true(store_lease_again(s, &arena, &node_b, &want, again, &n, &e));
    assert_int_equal(n, 0);
    assert_true(store_leave(s, "a", &e));
    assert_true(store_lease_again(s, &arena, &node_c, &want, again, &n, &e));
    assert_int_equal(n, 0); /* they are of another kit, which b has too */
    assert_true(store_lease_again(s, &arena, &node_b, &want, again, &n, &e));
    assert_int_equal(n, 2);
    assert_true(store_beat(s, &node_a, &known, &e));
    assert_false(known);
    assert_true(store_finish(s, &node_a, &t[0], &mine, &e));
    assert_false(mine);
    bool all[2] = {true, true};
    assert_true(store_finish_all(s, &node_a, t, 2, all, &e));
    assert_false(all[0] || all[1]);
    assert_true(store_finish(s, &node_b, &t[0], &mine, &e));
    assert_true(mine);
    /* after a broken connection b knows of one only */
    struct store_holding h = {.tasks = again, .task_count = 0};
    assert_true(store_keep_only(s, &node_b, &h, &e));
    assert_true(store_leave(s, "b", &e));
    assert_true(store_lease_again(s, &arena, &node_c, &want, again, &n, &e));
    assert_int_equal(n, 1); /* nobody with that kit is left */
    assert_true(store_give_up_silent(s, -5, &gone, &e));
    assert_int_equal(gone, 1);
    store_close(s);
}

/* ---- findings ------------------------------------------------------------------------ */

static void transactions_are_whole(void **state)
{
    (void)state;
    struct err e;
    uint64_t id, other;
    struct store_finding *all;
    size_t n;
    const char *place = new_place();
    struct store *s = open_store(place);
    int64_t now = store_now(s);
    assert_true(store_begin(s, &e));
    assert_true(store_add_finding(s, "wrong-code gcc -O2", &id, &e));
    store_undo(s);
    assert_int_equal(store_find(s, "wrong-code gcc -O2"), 0);
    assert_true(store_begin(s, &e));
    assert_true(store_add_finding(s, "wrong-code gcc -O2", &id, &e));
    struct store_content c = content_of("wrong-code", "");
    assert_true(store_set_content(s, id, &c, &e));
    assert_true(store_commit(s, &e));
    assert_true(store_count_again(s, id, &e));
    assert_int_equal(store_find(s, "wrong-code gcc -O2"), id);
    assert_true(store_add_finding(s, "wrong-code gcc -O2", &other, &e));
    assert_int_equal(other, 0); /* once */
    assert_true(store_findings(s, &arena, STORE_WHOLE, &all, &n, &e));
    assert_int_equal(n, 1);
    assert_string_equal(all[0].detail, c.detail);
    assert_int_equal(all[0].count, 2);
    assert_in_range(all[0].first, now, now + 60);
    assert_in_range(all[0].last, all[0].first, now + 60);
    assert_true(store_findings(s, &arena, STORE_BRIEF, &all, &n, &e));
    assert_string_equal(all[0].detail, "{}");
    assert_true(store_set(s, "seed", "17", &e));
    assert_string_equal(store_set_first(s, &arena, "seed", "18", &e), "17");
    store_close(s);
    s = open_store(place);
    assert_string_equal(store_get(s, &arena, "seed"), "17");
    assert_null(store_get(s, &arena, "nothing"));
    store_close(s);
}

/* Whatever bytes a compiler printed come back as they were. */
static void any_bytes_are_kept(void **state)
{
    (void)state;
    char bytes[256];
    struct err e;
    uint64_t id, n;
    struct store_sighting *rows;
    size_t count;
    for (int i = 0; i < 255; i++)
        bytes[i] = (char)(i + 1);
    bytes[255] = 0;
    struct store *s = open_store(new_place());
    assert_true(store_add_finding(s, bytes, &id, &e));
    assert_int_equal(store_find(s, bytes), id);
    char *big = arena_alloc(&arena, 3000001);
    memset(big, 'x', 3000000);
    struct store_sighting o = {id, "plain", 7, bytes, bytes, big};
    assert_true(store_add_sighting(s, &o, &e));
    assert_true(store_count_sightings(s, id, &n, &e));
    assert_int_equal(n, 1);
    assert_true(store_sightings(s, &arena, id, &rows, &count, &e));
    assert_int_equal(count, 1);
    assert_string_equal(rows[0].config, bytes);
    assert_string_equal(rows[0].program, big);
    store_close(s);
}

/* Open findings go round; a node gets those whose compiler it has. */
static void findings_are_leased_where_their_compiler_is(void **state)
{
    (void)state;
    struct err e;
    uint64_t first, second, got, n;
    const struct store_compiler gcc = {
        .id = "g", .name = "gcc", .version = "", .target = "", .hash = ""};
    struct store *s = open_store(new_place());
    struct store_content c = content_of("wrong-code", "g");
    assert_true(store_join(s, &node_a, &gcc, 1, &e));
    assert_true(store_join(s, &node_b, NULL, 0, &e));
    assert_true(store_add_finding(s, "1", &first, &e) && store_set_content(s, first, &c, &e));
    assert_true(store_add_finding(s, "2", &second, &e) && store_set_content(s, second, &c, &e));
    assert_true(store_count_open(s, &n, &e));
    assert_int_equal(n, 2);
    assert_true(store_lease_finding(s, &node_b, &got, &e));
    assert_int_equal(got, 0);
    assert_true(store_lease_finding(s, &node_a, &got, &e));
    assert_int_equal(got, first);
    if (database) {
        assert_true(store_return_finding(s, &node_a, first, false, &e));
        assert_true(store_lease_finding(s, &node_a, &got, &e));
        assert_int_equal(got, second);
    }
    c.open = false;
    assert_true(store_set_content(s, second, &c, &e));
    assert_true(store_count_open(s, &n, &e));
    assert_int_equal(n, 1);
    store_close(s);
}

/* An errand goes to a node that has the compiler, once; whoever asked gets the answer, or learns
 * that there will be none. */
static void errands_go_where_the_compiler_is(void **state)
{
    (void)state;
    struct err e;
    const struct store_compiler g = {"g", "gcc", "12", "lp64", "1", ""};
    const struct store_errand wanted = {
        .finding = 7, .kind = "recheck", .command = "", .compiler_id = "g"};
    struct store_errand got;
    struct store_reply reply;
    uint64_t id, other;
    struct store *s = open_store(new_place());
    assert_true(store_join(s, &node_b, NULL, 0, &e));
    assert_true(store_ask_errand(s, &wanted, &id, &e));
    assert_true(store_lease_errand(s, &arena, &node_b, &got, &e));
    assert_int_equal(got.id, 0); /* it lacks the compiler */
    assert_true(store_read_reply(s, &arena, id, 60, &reply, &e));
    assert_true(reply.hopeless);
    assert_true(store_join(s, &node_a, &g, 1, &e));
    assert_true(store_read_reply(s, &arena, id, 60, &reply, &e));
    assert_false(reply.hopeless);
    assert_true(store_lease_errand(s, &arena, &node_a, &got, &e));
    assert_int_equal(got.id, id);
    assert_int_equal(got.finding, 7);
    assert_string_equal(got.kind, "recheck");
    assert_true(store_lease_errand(s, &arena, &node_a, &got, &e));
    assert_int_equal(got.id, 0); /* once */
    /* its node dies, and comes back: what it had is there for whoever has the compiler */
    assert_true(store_leave(s, "a", &e));
    assert_true(store_answer_errand(s, &node_a, id, "late", &e));
    assert_true(store_read_reply(s, &arena, id, 60, &reply, &e));
    assert_string_equal(reply.answer, "");
    assert_true(store_join(s, &node_a, &g, 1, &e));
    for (int deaths = 0; deaths < 3; deaths++) {
        assert_true(store_lease_errand(s, &arena, &node_a, &got, &e));
        assert_int_equal(got.id, id);
        assert_true(store_return_errand(s, &node_a, id, &e));
    }
    assert_true(store_lease_errand(s, &arena, &node_a, &got, &e));
    assert_int_equal(got.id, 0); /* it has cost three workers */
    assert_true(store_read_reply(s, &arena, id, 60, &reply, &e));
    assert_true(reply.hopeless);
    assert_true(store_ask_errand(s, &wanted, &other, &e));
    assert_true(store_lease_errand(s, &arena, &node_a, &got, &e));
    assert_true(store_answer_errand(s, &node_a, other, "so", &e));
    assert_true(store_read_reply(s, &arena, other, 60, &reply, &e));
    assert_string_equal(reply.answer, "so");
    assert_true(store_drop_errand(s, other, &e));
    assert_true(store_read_reply(s, &arena, other, 60, &reply, &e));
    assert_string_equal(reply.answer, "");
    store_close(s);
}

/* People's programs are kept as they are; new ones take the place of the old. */
static void seeds_are_kept(void **state)
{
    (void)state;
    struct err e;
    const struct store_seed first[] = {{"b.c", "int b;\n"}, {"sub/a.h", "\xff\xe4 text"}},
                            second[] = {{"c.c", "int c;\n"}};
    struct store_seed *got;
    size_t n;
    struct store *s = open_store(new_place());
    assert_true(store_set_seeds(s, first, 2, &e));
    assert_true(store_seeds(s, &arena, &got, &n, &e));
    assert_int_equal(n, 2);
    assert_string_equal(got[1].path, "sub/a.h");
    assert_string_equal(got[1].content, "\xff\xe4 text");
    assert_true(store_set_seeds(s, second, 1, &e));
    assert_true(store_seeds(s, &arena, &got, &n, &e));
    assert_int_equal(n, 1);
    assert_string_equal(got[0].content, "int c;\n");
    store_close(s);
}

static void arms_are_added_to(void **state)
{
    (void)state;
    struct err e;
    struct store_arm zero = {.name = "plain"},
                     some = {.name = "plain", .programs = 3, .job_cpu = 1.5},
                     more = {.name = "plain", .programs = 5, .job_cpu = 2}, *all;
    struct store_sum *sums;
    size_t n;
    struct store *s = open_store(new_place());
    assert_true(store_begin(s, &e));
    assert_true(store_add_to_arms(s, &zero, &some, 1, &e));
    assert_true(store_add_to_arms(s, &some, &more, 1, &e));
    assert_true(store_add_to_arms(s, &zero, &some, 1, &e)); /* somebody else's */
    assert_true(store_add_to_tallies(s, &(struct store_sum){"plain", "it's $1", 1.25}, 1, &e));
    assert_true(store_add_to_tallies(s, &(struct store_sum){"plain", "it's $1", 1.25}, 1, &e));
    assert_true(store_commit(s, &e));
    assert_true(store_begin(s, &e));
    assert_true(store_add_to_arms(s, &zero, &some, 1, &e));
    store_undo(s);
    assert_true(store_arms(s, &arena, &all, &n, &e));
    assert_int_equal(n, 1);
    assert_int_equal(all[0].programs, 8);
    assert_true(all[0].job_cpu == 3.5);
    assert_true(store_tallies(s, &arena, &sums, &n, &e));
    assert_int_equal(n, 1);
    assert_true(sums[0].amount == 2.5);
    store_close(s);
}

static void findings_are_counted(void **state)
{
    (void)state;
    struct err e;
    uint64_t id, spans[4];
    int64_t begin, end;
    struct store_count *counts;
    struct store_finding *newest;
    size_t n;
    struct store *s = open_store(new_place());
    for (int i = 0; i < 5; i++) {
        struct store_content c = content_of(i ? "crash" : "hang", "");
        assert_true(store_add_finding(s, arena_printf(&arena, "%d", i), &id, &e));
        assert_true(store_set_content(s, id, &c, &e));
    }
    assert_true(store_merge(s, id, 1, false, &e));
    assert_true(store_count_by(s, &arena, STORE_BY_VERDICT, &counts, &n, &e));
    assert_int_equal(n, 2);
    assert_string_equal(counts[0].name, "crash");
    assert_int_equal(counts[0].n, 3);
    assert_true(store_count_over_time(s, spans, LENGTH(spans), &begin, &end, &e));
    assert_int_equal(spans[0] + spans[1] + spans[2] + spans[3], 4);
    assert_true(store_newest(s, &arena, 2, &newest, &n, &e));
    assert_int_equal(n, 2);
    store_close(s);
}

/* ---- the whole ----------------------------------------------------------------------- */

static void copies_are_equal(void **state)
{
    (void)state;
    struct err e;
    uint64_t id;
    struct store_task t[2] = {{.strategy = "plain", .profile = "p", .class = "c"},
                              {.strategy = "plain", .profile = "p", .class = "c"}};
    struct store_tally tally;
    struct store_finding *rows;
    size_t n = 2;
    bool mine;
    struct store *from = open_store(new_place()), *to = open_store(new_place());
    assert_true(store_set(from, "seed", "17", &e));
    assert_true(store_lease(from, &one, t, &n, 0, &e));
    assert_true(store_finish(from, &one, &t[0], &mine, &e));
    for (int i = 0; i < 450; i++)
        assert_true(store_add_finding(from, arena_printf(&arena, "%d", i), &id, &e));
    assert_true(store_copy(from, to, &e));
    assert_string_equal(store_get(to, &arena, "seed"), "17");
    assert_true(store_count_tasks(to, &tally, &e));
    assert_int_equal(tally.done, 1);
    assert_int_equal(tally.waiting, 1); /* whoever had it is not there */
    assert_true(store_findings(to, &arena, STORE_WHOLE, &rows, &n, &e));
    assert_int_equal(n, 450);
    assert_true(store_add_finding(to, "new", &id, &e));
    assert_int_equal(id, 451);
    assert_false(store_copy(from, to, &e));
    assert_non_null(strstr(e.msg, "holds a campaign already"));
    store_close(from);
    store_close(to);
}

static void newer_stores_are_refused(void **state)
{
    (void)state;
    struct err e;
    enum store_trouble trouble;
    const char *place = new_place();
    struct store *s = open_store(place);
    if (database) {
        assert_true(store_set(s, "schema", "99", &e));
        assert_false(store_check_version(s, &e));
        assert_non_null(strstr(e.msg, "newer version of cupel"));
        store_close(s);
        assert_null(store_open(place, STORE_READ, &trouble, &e));
        assert_non_null(strstr(e.msg, "newer version of cupel"));
        return;
    }
    assert_true(store_check_version(s, &e));
    store_close(s);
}

static void damage_is_said(void **state)
{
    (void)state;
    struct err e;
    char *path = arena_printf(&arena, "%s/bad.db", folder);
    static const char junk[] = "this is no database, but long enough to look at";
    assert_true(sys_write_file(path, junk, sizeof junk, &e));
    enum store_trouble trouble;
    assert_null(store_open(path, STORE_WRITE, &trouble, &e));
    assert_int_equal(trouble, STORE_DAMAGED);
    assert_non_null(strstr(e.msg, "damaged"));
    assert_null(store_open("/nonexistent/cupel.db", STORE_READ, &trouble, &e));
    assert_int_equal(trouble, STORE_UNUSABLE);
    assert_non_null(strstr(e.msg, "cannot read"));
    assert_null(store_open("postgresql://u:secret@/x?host=/nonexistent", STORE_READ, &trouble, &e));
    assert_int_equal(trouble, STORE_AWAY);
    assert_null(strstr(e.msg, "secret"));
}

static void passwords_are_not_told(void **state)
{
    static const struct {
        const char *where, *name;
    } rows[] = {
        {"a:b@c", "a:b@c"},
        {"postgresql:///x", "postgresql:///x"},
        {"postgresql://u:secret@h/x", "postgresql://u@h/x"},
        {"postgres://u@h:5432/x", "postgres://u@h:5432/x"},
        {"postgresql://h/x?password=secret&sslmode=require",
         "postgresql://h/x?password=...&sslmode=require"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++)
        assert_string_equal(store_public_name(&arena, rows[i].where), rows[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leases_are_found_again),
        cmocka_unit_test(a_task_ends_once),
        cmocka_unit_test(there_are_as_many_tasks_as_there_may_be),
        cmocka_unit_test(silent_nodes_lose_their_leases),
        cmocka_unit_test(transactions_are_whole),
        cmocka_unit_test(any_bytes_are_kept),
        cmocka_unit_test(findings_are_leased_where_their_compiler_is),
        cmocka_unit_test(errands_go_where_the_compiler_is),
        cmocka_unit_test(seeds_are_kept),
        cmocka_unit_test(arms_are_added_to),
        cmocka_unit_test(findings_are_counted),
        cmocka_unit_test(copies_are_equal),
        cmocka_unit_test(newer_stores_are_refused),
        cmocka_unit_test(damage_is_said),
        cmocka_unit_test(passwords_are_not_told),
    };
    database = getenv("CUPEL_TEST_DATABASE");
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
