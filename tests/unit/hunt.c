/* Unit tests of which findings are one bug, of what judge says of one outcome, and of hunt's
 * choices. */
#include "hunt/private.h"

#include "gen/gen.h"
#include "sys/sys.h"

#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static struct arena arena;
static char folder[200];

static int make_folder(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/cupel-unit-XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(folder) && setenv("XDG_CACHE_HOME", folder, 1) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    arena_free(&arena);
    return sys_remove_tree(folder, NULL) ? 0 : -1;
}

/* ---- bugs ---------------------------------------------------------------------------- */

static uint64_t add_row(struct store *s, const char *key)
{
    uint64_t id = 0;
    struct err e;
    assert_true(store_add_finding(s, key, &id, &e));
    return id;
}

static uint64_t same_as(struct store *s, uint64_t id)
{
    struct store_finding *rows;
    struct err e;
    size_t n;
    assert_true(store_findings(s, &arena, STORE_BRIEF, &rows, &n, &e));
    uint64_t root = bug_root(rows, n, id);
    return root == id ? 0 : root;
}

static void count_gain(void *context, const struct bug_change *change)
{
    *(int *)context += bug_gained(change);
}

static int standing(struct store *s)
{
    struct store_finding *rows;
    struct err e;
    size_t n;
    int stand = 0;
    assert_true(store_findings(s, &arena, STORE_BRIEF, &rows, &n, &e));
    for (size_t i = 0; i < n; i++)
        stand += !rows[i].same_as;
    return stand;
}

static void name_bug(struct store *s, uint64_t id, const char *bug)
{
    struct err e;
    int before = standing(s), gained = 0;
    assert_true(store_set_bug(s, id, bug, &e));
    assert_true(bug_settle(s, count_gain, &gained, &e));
    assert_int_equal(standing(s), before + gained);
}

/* One signature is one bug; what only a key held together is split by two; hands are held. */
static void bugs_are_merged_and_split(void **state)
{
    (void)state;
    struct err e;
    const char *dir = arena_printf(&arena, "%s/bugs", folder);
    assert_true(sys_make_dirs(dir, &e));
    assert_true(sys_write_file(arena_printf(&arena, "%s/cupel.conf", dir), "", 0, &e));
    struct store *s = store_open(arena_printf(&arena, "%s/cupel.db", dir), STORE_WRITE, NULL, &e);
    assert_non_null(s);
    uint64_t a = add_row(s, "a"), b = add_row(s, "b"), look = add_row(s, "a again"),
             c = add_row(s, "c");
    assert_true(store_merge(s, look, a, false, &e));
    assert_int_equal(same_as(s, look), a);
    name_bug(s, look, "X"); /* nobody knows a's yet */
    assert_int_equal(same_as(s, look), a);
    name_bug(s, a, "Y");
    assert_int_equal(same_as(s, look), 0);
    name_bug(s, b, "Y");
    assert_int_equal(same_as(s, b), a);
    assert_int_equal(store_find(s, "b"), b); /* its programs are known by its key as ever */
    assert_true(hunt_split(dir, b, &e));
    name_bug(s, c, "Y"); /* settles again: b stays alone, and c goes to a */
    assert_int_equal(same_as(s, b), 0);
    assert_int_equal(same_as(s, c), a);
    uint64_t d = add_row(s, "d"), f = add_row(s, "f"), g = add_row(s, "g");
    assert_true(store_merge(s, g, f, false, &e));
    name_bug(s, g, "Z");
    name_bug(s, d, "Z"); /* g goes from f to d, and is counted no second time */
    assert_int_equal(same_as(s, g), d);
    assert_int_equal(same_as(s, f), 0);
    assert_true(hunt_merge(dir, look, c, &e)); /* c's bug is a's */
    assert_int_equal(same_as(s, a), look);
    assert_int_equal(same_as(s, c), look);
    assert_false(hunt_merge(dir, c, look, &e));
    assert_false(hunt_merge(dir, a, 99, &e));
    assert_false(hunt_split(dir, look, &e));
    assert_non_null(strstr(e.msg, " 1 4"));
    store_close(s);
}

/* A store of the version before can be read as it is, and is upgraded when it is written. */
static void old_stores_are_upgraded(void **state)
{
    static const char back[] =
        "DROP INDEX finding_bug; DROP INDEX finding_open; DROP INDEX task_open;"
        "ALTER TABLE finding DROP COLUMN same_as; ALTER TABLE finding DROP COLUMN held;"
        "ALTER TABLE finding DROP COLUMN bug; ALTER TABLE finding DROP COLUMN brief;"
        "ALTER TABLE finding DROP COLUMN verdict; ALTER TABLE finding DROP COLUMN compiler;"
        "ALTER TABLE finding DROP COLUMN compiler_id; ALTER TABLE finding DROP COLUMN open;"
        "ALTER TABLE finding DROP COLUMN turns; ALTER TABLE finding DROP COLUMN deaths;"
        "ALTER TABLE finding DROP COLUMN owner; ALTER TABLE task DROP COLUMN kit;"
        "ALTER TABLE task DROP COLUMN owner; DROP TABLE tally; DROP TABLE node;"
        "DROP TABLE compiler; DROP TABLE has; DROP TABLE doubt; DROP TABLE errand;"
        "DROP TABLE seed; ALTER TABLE finding DROP COLUMN config;"
        "ALTER TABLE finding DROP COLUMN grade; ALTER TABLE finding DROP COLUMN strategy;"
        "ALTER TABLE finding DROP COLUMN what; ALTER TABLE finding DROP COLUMN lines;"
        "CREATE INDEX task_open ON task(state) WHERE state IN (0, 2); PRAGMA user_version = 2";
    (void)state;
    struct err e;
    struct store_finding *rows;
    size_t n;
    sqlite3 *db;
    const char *path = arena_printf(&arena, "%s/old.db", folder);
    struct store *s = store_open(path, STORE_WRITE, NULL, &e);
    add_row(s, "kept");
    store_close(s);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, back, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    s = store_open(path, STORE_READ, NULL, &e);
    assert_true(store_findings(s, &arena, STORE_BRIEF, &rows, &n, &e));
    assert_int_equal(n, 1);
    assert_int_equal(rows[0].same_as, 0);
    assert_string_equal(rows[0].bug, "");
    store_close(s);
    s = store_open(path, STORE_WRITE, NULL, &e);
    assert_true(store_set_bug(s, 1, "X", &e));
    assert_true(store_findings(s, &arena, STORE_BRIEF, &rows, &n, &e));
    assert_string_equal(rows[0].bug, "X");
    assert_string_equal(rows[0].key, "kept");
    store_close(s);
}

/* ---- verdicts ------------------------------------------------------------------------ */

static struct outcome ran(enum sys_end end, int code, const char *out)
{
    struct outcome_run *run = NEW(&arena, struct outcome_run);
    *run = (struct outcome_run){.end = end, .code = code, .out = out, .out_size = strlen(out)};
    return (struct outcome){
        .kind = OUTCOME_BUILT, .message = "", .signature = "", .runs = run, .run_count = 1};
}

static struct outcome ended(enum outcome_kind kind)
{
    return (struct outcome){.kind = kind, .message = "", .signature = ""};
}

static void one_outcome_gives_one_verdict(void **state)
{
    (void)state;
    struct judge_expectation known = {
        .runs = true, .valid = true, .out = "5\n", .out_size = 2, .status = 0};
    struct judge_expectation nothing = {.out = ""};
    const struct {
        struct outcome outcome;
        enum verdict known, nothing;
    } rows[] = {
        {ran(SYS_EXITED, 0, "5\n"), VERDICT_NONE, VERDICT_NONE},
        {ran(SYS_EXITED, 0, "6\n"), VERDICT_WRONG_CODE, VERDICT_NONE},
        {ran(SYS_EXITED, 1, "5\n"), VERDICT_WRONG_CODE, VERDICT_NONE},
        {ran(SYS_SIGNALLED, SIGSEGV, ""), VERDICT_PROGRAM_CRASH, VERDICT_NONE},
        {ran(SYS_TIMEOUT, 0, "5\n"), VERDICT_PROGRAM_HANG, VERDICT_NONE},
        {ran(SYS_OUTPUT_LONG, 0, "5\n"), VERDICT_WRONG_CODE, VERDICT_NONE},
        {ran(SYS_CANCELLED, 0, ""), VERDICT_NONE, VERDICT_NONE},
        {ended(OUTCOME_REJECTED), VERDICT_REJECTS_VALID, VERDICT_NONE},
        {ended(OUTCOME_ICE), VERDICT_COMPILER_CRASH, VERDICT_COMPILER_CRASH},
        {ended(OUTCOME_CRASHED), VERDICT_COMPILER_CRASH, VERDICT_COMPILER_CRASH},
        {ended(OUTCOME_BAD_ASSEMBLY), VERDICT_COMPILER_CRASH, VERDICT_COMPILER_CRASH},
        {ended(OUTCOME_HANG), VERDICT_COMPILER_HANG, VERDICT_COMPILER_HANG},
        {ended(OUTCOME_OUT_OF_MEMORY), VERDICT_LARGE_COMPILE, VERDICT_LARGE_COMPILE},
        {ended(OUTCOME_ENVIRONMENT), VERDICT_NONE, VERDICT_NONE},
        {ended(OUTCOME_NOT_RUN), VERDICT_NONE, VERDICT_NONE},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        assert_int_equal(judge_verdict(&rows[i].outcome, &known), rows[i].known);
        assert_int_equal(judge_verdict(&rows[i].outcome, &nothing), rows[i].nothing);
    }
    /* who calls abort is killed by it, and that is what the machine says */
    const struct judge_expectation aborts = {.runs = true, .out = "", .status = 134};
    struct outcome killed = ran(SYS_SIGNALLED, 6, ""), other = ran(SYS_SIGNALLED, 11, "");
    assert_int_equal(judge_verdict(&killed, &aborts), VERDICT_NONE);
    assert_int_equal(judge_verdict(&other, &aborts), VERDICT_PROGRAM_CRASH);
}

/* '+' holds, '-' broken, '?' absent, ' ' untried; in the order of rung.def. */
static void rungs_make_the_grade(void **state)
{
    (void)state;
    static const struct {
        enum verdict verdict;
        const char *rungs;
        enum grade grade;
    } rows[] = {
        {VERDICT_WRONG_CODE, "++++++++++", GRADE_CONFIRMED},
        {VERDICT_WRONG_CODE, "+++++???++", GRADE_CONFIRMED},
        {VERDICT_WRONG_CODE, "++++++++++ +", GRADE_CONFIRMED},
        {VERDICT_WRONG_CODE, "++++++++++ -", GRADE_OURS},
        {VERDICT_WRONG_CODE, "-         ", GRADE_CHANCE},
        {VERDICT_WRONG_CODE, "+-        ", GRADE_CHANCE},
        {VERDICT_WRONG_CODE, "++-       ", GRADE_OURS},
        {VERDICT_WRONG_CODE, "+++-      ", GRADE_OURS},
        {VERDICT_WRONG_CODE, "++++-     ", GRADE_OURS},
        {VERDICT_WRONG_CODE, "+++++++-  ", GRADE_OURS},
        {VERDICT_WRONG_CODE, "++++++++-+", GRADE_LIKELY},
        {VERDICT_WRONG_CODE, "+++++++++-", GRADE_LIKELY},
        {VERDICT_WRONG_CODE, "++++????++", GRADE_LIKELY},
        {VERDICT_WRONG_CODE, "+++?++++++", GRADE_LIKELY},
        {VERDICT_WRONG_CODE, "++?+++++++", GRADE_LIKELY},
        {VERDICT_WRONG_CODE, "++??????++", GRADE_SUSPECT},
        {VERDICT_COMPILER_CRASH, "++        ", GRADE_CONFIRMED},
        {VERDICT_COMPILER_CRASH, "+-        ", GRADE_CHANCE},
        {VERDICT_REJECTS_VALID, "++++      ", GRADE_CONFIRMED},
        {VERDICT_REJECTS_VALID, "+++-      ", GRADE_OURS},
        {VERDICT_REJECTS_VALID, "+++?      ", GRADE_LIKELY},
        {VERDICT_SANITIZER_REPORT, "++++      +", GRADE_CONFIRMED},
        {VERDICT_SANITIZER_REPORT, "++++      -", GRADE_OURS},
        {VERDICT_SANITIZER_SILENT, "++++      ?", GRADE_LIKELY},
        {VERDICT_SANITIZER_SILENT, "++-        ", GRADE_OURS},
    };
    assert_int_equal(RUNG_COUNT, 12);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct rung_result rungs[RUNG_COUNT] = {0};
        for (size_t k = 0; rows[i].rungs[k]; k++)
            rungs[k].state = rows[i].rungs[k] == '+'   ? RUNG_HOLDS
                             : rows[i].rungs[k] == '-' ? RUNG_BROKEN
                             : rows[i].rungs[k] == '?' ? RUNG_ABSENT
                                                       : RUNG_UNTRIED;
        if (judge_grade(rows[i].verdict, rungs) != rows[i].grade)
            print_error("row %zu\n", i);
        assert_int_equal(judge_grade(rows[i].verdict, rungs), rows[i].grade);
    }
}

/* ---- budget -------------------------------------------------------------------------- */

/* Ten thousand tasks: strategy 1 finds ten times as much as the others, and gets more than they,
 * and everybody gets something; when it dries up, another one takes its place. */
static void budget_follows_yield_and_starves_nobody(void **state)
{
    (void)state;
    enum { N = 4, TASKS = 10000 };
    struct store_arm s[N] = {{.name = "a", .prior = 6},
                             {.name = "b", .prior = 6},
                             {.name = "c", .prior = 6},
                             {.name = "d", .prior = 6}};
    const unsigned idle[N] = {0};
    for (int phase = 0; phase < 2; phase++) {
        size_t best = phase == 0 ? 1 : 3;
        double spent[N] = {0};
        struct rng r = rng_seed((uint64_t)phase);
        for (int i = 0; i < TASKS; i++) {
            size_t k = budget_next(s, idle, N);
            double cpu = 1 + (double)k; /* of different cost */
            bool found = rng_chance(&r, k == best ? 10 : 1);
            s[k].programs++;
            s[k].job_cpu += cpu;
            budget_note(s, N, k, cpu, found);
            spent[k] += cpu;
        }
        double total = spent[0] + spent[1] + spent[2] + spent[3];
        for (size_t k = 0; k < N; k++) {
            assert_true(spent[k] / total > 0.05);
            assert_true(k == best ? spent[k] / total > 0.3 : spent[k] < spent[best]);
        }
    }
}

/* What is expected to find little waits for its turn, though it was never tried. */
static void begins_with_what_is_expected_to_pay(void **state)
{
    (void)state;
    struct store_arm s[3] = {
        {.name = "a", .prior = 1}, {.name = "b", .prior = 60}, {.name = "c", .prior = 1}};
    const unsigned idle[3] = {0};
    size_t tried[3] = {0};
    for (int i = 0; i < 200; i++) {
        size_t k = budget_next(s, idle, 3);
        assert_true(i >= 40 || k == 1);
        tried[k]++;
        s[k].programs++;
        s[k].job_cpu += 0.1;
        budget_note(s, 3, k, 0.1, 0);
    }
    assert_true(tried[0] && tried[2]);
}

static void shares_sum_to_one(void **state)
{
    (void)state;
    struct store_arm s[3] = {{.recent_cpu = 100, .recent_findings = 5, .prior = 6},
                             {.recent_cpu = 1e6, .prior = 6},
                             {.recent_cpu = 0, .prior = 6}};
    double shares[3];
    budget_shares(s, 3, shares);
    assert_true(shares[0] + shares[1] + shares[2] > 0.999);
    assert_true(shares[0] + shares[1] + shares[2] < 1.001);
    assert_true(shares[1] > 0.066); /* of a fifteenth by right */
    /* what is under way counts */
    const unsigned busy[3] = {0, 0, 50};
    s[2].programs = 1;
    s[2].job_cpu = 1000;
    assert_int_equal(budget_next(s, busy, 3), 0);
}

/* ---- what was learnt on this machine ------------------------------------------------------- */

static void what_paid_is_expected_again(void **state)
{
    (void)state;
    struct store_arm was[2] = {{.name = "small", .prior = 10}, {.name = "large", .prior = 10}};
    struct store_arm is[2] = {{.name = "small", .prior = 10, .job_cpu = 600, .findings = 20},
                              {.name = "large", .prior = 10, .job_cpu = 600}};
    struct plan_config both[2] = {{.family = "gcc"}, {.family = "clang"}};
    struct plan plan = {.configs = both, .n = 2}, other = {.configs = both, .n = 1};
    struct choices before = {.axes[AXIS_STRATEGY] = {.at = was, .n = 2}};
    struct choices after = {.axes[AXIS_STRATEGY] = {.at = is, .n = 2}};
    yields_expect(&plan, &before);
    assert_true(was[0].prior == 10 && was[1].prior == 10); /* nothing is known yet */
    yields_learn(&plan, &before, &after);
    yields_expect(&other, &before);
    assert_true(was[0].prior == 10); /* nor of other compilers */
    yields_expect(&plan, &before);
    assert_true(was[0].prior > 50 && was[0].prior < 100);
    assert_true(was[1].prior > 4 && was[1].prior < 6);
}

static void answers_of_compilers_are_kept(void **state)
{
    (void)state;
    struct err e;
    struct conf conf = conf_default();
    struct cc_config program, script;
    struct known k;
    struct traits t = {.compiles = true,
                       .target = lang_target(TARGET_LP64),
                       .family = "gcc",
                       .version = "12",
                       .extra = " -w",
                       .features = 5,
                       .own_features = 7,
                       .known = true,
                       .cc_family = CC_FAMILY_GCC},
                  again;
    struct cc_flag flag = {CC_FLAG_VALUE, 3, "--param=x=", 1, 9};
    struct cc_pool pool = {&flag, 1}, same;
    char *path = arena_printf(&arena, "%s/gcc", folder);
    assert_true(sys_write_file(path, "#!/bin/sh\n", 10, &e) && chmod(path, 0755) == 0);
    assert_true(cc_config_parse(&arena, "gcc", "", &program, &e));
    assert_true(cc_config_parse(&arena, path, "", &script, &e));
    known_open(&arena, &k);
    const char *key = known_key(&k, &program, &conf);
    assert_non_null(key);
    assert_null(known_key(&k, &script, &conf)); /* may start anything */
    assert_false(known_find(&k, key, &again, &same));
    known_add(&k, key, &t, &pool);
    known_close(&k);
    known_open(&arena, &k);
    assert_true(known_find(&k, key, &again, &same));
    assert_true(again.target == t.target && again.known && again.cc_family == CC_FAMILY_GCC);
    assert_string_equal(again.extra, " -w");
    assert_true(again.features == 5 && again.own_features == 7 && again.compiles);
    assert_true(same.n == 1 && same.at[0].weight == 3 && same.at[0].high == 9);
    list_add(&arena, &conf.never, "-fwrapv");
    assert_string_not_equal(key, known_key(&k, &program, &conf));
    known_close(&k);
}

/* ---- cupel.conf ---------------------------------------------------------------------- */

static bool read_conf(const char *text, struct conf *c, struct err *e)
{
    char *path = arena_printf(&arena, "%s/cupel.conf", folder);
    return sys_write_file(path, text, strlen(text), e) && conf_read(&arena, path, c, e);
}

static void conf_is_read_back(void **state)
{
    (void)state;
    struct err e;
    struct conf c, again;
    struct text t = {0};
    assert_true(read_conf("# hello\n\nseed = 7\n cc=gcc-12 -O2 \ncc = ./x\nrun = qemu -L /x\n"
                          "timeout = 2s\ncompile-timeout = 1m\nwidth = 3\nmode = plain,small\n"
                          "mute = compiler-crash pcc*\n",
                          &c, &e));
    conf_write(&c, &t);
    assert_true(read_conf(t.s, &again, &e));
    text_free(&t);
    for (int i = 0; i < 2; i++) {
        const struct conf *k = i ? &again : &c;
        const struct hunt_command *first = k->commands.at[0], *second = k->commands.at[1];
        assert_int_equal(k->seed, 7);
        assert_int_equal(k->commands.n, 2);
        assert_string_equal(first->text, "gcc-12 -O2");
        assert_null(first->emulator);
        assert_string_equal(second->emulator, "qemu -L /x");
        assert_true(k->run_timeout == 2 && k->compile_timeout == 60);
        assert_int_equal(k->width, 3);
        assert_string_equal(k->modes, "plain,small");
        assert_true(conf_is_muted(k, "compiler-crash pcc: x"));
        assert_false(conf_is_muted(k, "compiler-crash gcc: x"));
    }
}

static void conf_names_the_bad_line(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"seed = 1\nwhat is this\n", ":2: 'what is this' is not key = value"},
        {"colour = red\n", ":1: unknown key 'colour'"},
        {"\nwidth = 0\n", ":2: width must be 1 or more"},
        {"run = qemu\n", ":1: run goes after the cc"},
        {"seed = x\n", ":1: "},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct err e = {""};
        struct conf c;
        assert_false(read_conf(rows[i][0], &c, &e));
        assert_non_null(strstr(e.msg, rows[i][1]));
    }
}

/* ---- findings ------------------------------------------------------------------------ */

/* A finding goes through its text and comes back as it was, whatever bytes it holds. */
static void findings_travel(void **state)
{
    (void)state;
    char bytes[256];
    struct finding f = {.id = 7, .count = 3, .first = 11, .last = 12}, back;
    for (int i = 0; i < 256; i++)
        bytes[i] = (char)i;
    f.claim = (struct finding_claim){.key = "k\xff",
                                     .verdict = VERDICT_PROGRAM_HANG,
                                     .config = "gcc -O2",
                                     .compiler = "gcc",
                                     .family = "gcc",
                                     .version = "12",
                                     .levels = "-O2 -O3",
                                     .signature = "s",
                                     .limit = 2.5};
    list_add(&arena, &f.claim.affected, "gcc-11 -O2");
    f.evidence.grade = GRADE_LIKELY;
    f.evidence.rungs[RUNG_VOTES] = (struct rung_result){RUNG_BROKEN, "no"};
    f.subject = (struct finding_subject){.strategy = "plain",
                                         .number = 5,
                                         .origin = "o",
                                         .target = "lp64",
                                         .program = {bytes, sizeof bytes},
                                         .expected = {"x", 1},
                                         .runs = true,
                                         .status = 9};
    f.seen = (struct finding_seen){.end = "SIGSEGV", .message = "m", .output = {"y\0z", 3}};
    f.again = (struct finding_again){"c", "qemu", 1, 30};
    assert_true(finding_from_text(&arena, finding_to_text(&arena, &f), &back));
    assert_int_equal(back.id, 7);
    assert_string_equal(back.claim.key, f.claim.key);
    assert_int_equal(back.claim.verdict, VERDICT_PROGRAM_HANG);
    assert_true(back.claim.limit == 2.5);
    assert_int_equal(back.claim.affected.n, 1);
    assert_int_equal(back.evidence.grade, GRADE_LIKELY);
    assert_int_equal(back.evidence.rungs[RUNG_VOTES].state, RUNG_BROKEN);
    assert_string_equal(back.evidence.rungs[RUNG_VOTES].note, "no");
    assert_int_equal(back.evidence.rungs[RUNG_MACHINE].state, RUNG_UNTRIED);
    assert_int_equal(back.subject.program.n, sizeof bytes);
    assert_memory_equal(back.subject.program.s, bytes, sizeof bytes);
    assert_int_equal(back.subject.status, 9);
    assert_true(back.subject.runs && !back.subject.valid);
    assert_memory_equal(back.seen.output.s, "y\0z", 4);
    assert_string_equal(back.again.emulator, "qemu");
    assert_false(finding_from_text(&arena, "17", &back));
}

/* What a task showed arrives whole, however many findings it has. */
static void messages_travel(void **state)
{
    (void)state;
    enum { MANY = 40 };
    struct finding *findings = NEW_ARRAY(&arena, MANY, struct finding);
    for (size_t i = 0; i < MANY; i++)
        findings[i].claim.key = arena_printf(&arena, "key %zu", i);
    struct message
        m = {.type = MESSAGE_DONE,
             .done = {.compiles = 6, .job_cpu = 0.5, .sick = "", .findings = findings, .n = MANY}},
        back;
    struct text bytes = {0};
    assert_true(message_encode(&m, &bytes.s, &bytes.n));
    assert_true(message_decode(&arena, &bytes, &back));
    assert_int_equal(back.type, MESSAGE_DONE);
    assert_int_equal(back.done.compiles, 6);
    assert_int_equal(back.done.n, MANY);
    assert_string_equal(back.done.findings[MANY - 1].claim.key, "key 39");
    text_free(&bytes);
    text_puts(&bytes, "{\"type\": \"task\", \"strategy\": \"no such one\"}");
    assert_false(message_decode(&arena, &bytes, &back));
    text_clear(&bytes);
    text_puts(&bytes, "junk");
    assert_false(message_decode(&arena, &bytes, &back));
    text_free(&bytes);
}

/* ---- findings over time -------------------------------------------------------------- */

/* ---- what is known ------------------------------------------------------------------- */

/* Prints 2 for 1, unless the counter "here" is off. */
static const char wrong_compiler[] =
    "#!/bin/sh\n"
    "case \" $* \" in *' -fdbg-cnt=here:0 '*) is=1;; *) is=2;; esac\n"
    "for a; do shift; case $a in -fdbg-cnt=*) ;; *) set -- \"$@\" \"$a\";; esac; done\n"
    "exec gcc -DIS=$is \"$@\"\n";
static const char one[] = "int printf(const char *, ...);\n"
                          "int main(void)\n{\n    printf(\"%d\\n\", IS);\n    return 0;\n}\n";

static void put_file(const char *path, const char *text, mode_t mode)
{
    struct err e;
    assert_true(sys_write_file(path, text, strlen(text), &e));
    assert_int_equal(chmod(path, mode), 0);
}

/* A culprit that was to blame once is tried first, and what it does not explain has no key yet. */
static void culprits_are_recognised(void **state)
{
    (void)state;
    static char *none[] = {NULL};
    struct worker w = {.labs.scratch.lock_fd = -1};
    struct cc_flag level = {.kind = CC_FLAG_LEVEL, .weight = 1, .text = "-O1"};
    struct plan_config config = {
        .pool = {&level, 1}, .family = "gcc", .target = lang_target(TARGET_LP64)};
    struct claim c = {.verdict = VERDICT_WRONG_CODE, .signature = "", .culprit = "", .levels = ""};
    struct claim there = c, here = c, crash = c;
    struct err e;
    assert_true(cc_labs_open(&w.labs, &(struct cc_lab_options){.count = 1}, &e));
    const char *cc = arena_printf(&arena, "%s/cc", w.labs.scratch.path);
    char *units[] = {arena_printf(&arena, "%s/one.c", w.labs.scratch.path), NULL};
    put_file(cc, wrong_compiler, 0755);
    put_file(units[0], one, 0644);
    assert_true(cc_config_parse(&arena, cc, "", &config.cc, &e));
    w.plan = (struct plan){.configs = &config, .n = 1};
    struct test t = {
        .w = &w,
        .program = {.units = units,
                    .inputs = none,
                    .args = none,
                    .compile_timeout = 20,
                    .run_timeout = 10,
                    .compile_memory = (uint64_t)4 << 30,
                    .run_memory = (uint64_t)1 << 30},
        .subject.expectation = {.runs = true, .valid = true, .out = "1\n", .out_size = 2}};
    c.pick.drawn.level = "-O1";
    assert_true(recognise_claim(&t, &c, &e));
    assert_null(c.key); /* nothing was learnt */
    there.culprit = "dbg-cnt there";
    here.culprit = "dbg-cnt here";
    recognise_learn(&t, &there);
    assert_true(recognise_claim(&t, &c, &e));
    assert_null(c.key);
    recognise_learn(&t, &here);
    recognise_learn(&t, &here);
    assert_int_equal(w.culprits.n, 2);
    assert_true(recognise_claim(&t, &c, &e));
    assert_string_equal(c.key, "wrong-code gcc: dbg-cnt here");
    crash.verdict = VERDICT_COMPILER_CRASH;
    crash.signature = "in f, at g.c:1";
    assert_true(recognise_claim(&t, &crash, &e));
    assert_string_equal(crash.key, "compiler-crash gcc: in f, at g.c:1");
    cc_labs_close(&w.labs);
    arena_free(&w.arena);
    arena_free(&w.plan_arena);
}

/* Exclusive or, and and, done as or. */
static const char two_faults[] = "#!/bin/sh\n"
                                 "source=''\n"
                                 "for w; do shift; case $w in *.c) source=$w ;;\n"
                                 "    *) set -- \"$@\" \"$w\" ;; esac; done\n"
                                 "[ -n \"$source\" ] || exec gcc \"$@\"\n"
                                 "sed 's/ [&^] / | /g' \"$source\" | gcc -w \"$@\" -x c -\n";
static const char exclusive[] = "int printf(const char *, ...);\n"
                                "volatile int a = 6, b = 3, d = 1;\n"
                                "int main(void)\n{\n    int c = a ^ b;\n    c = c + d;\n"
                                "    printf(\"%d\\n\", c);\n    return 0;\n}\n";
static const char both[] = "int a = 6;\nint main(void)\n{\n    return a & 3;\n}\n";

/* A finding whose reduced program shows another fault than its original is made small again, and
 * shows its own. */
static void what_slid_is_reduced_again(void **state)
{
    (void)state;
    struct worker w = {.labs.scratch.lock_fd = -1};
    struct err e;
    assert_true(cc_labs_open(&w.labs, &(struct cc_lab_options){.count = 1}, &e));
    const char *cc = arena_printf(&arena, "%s/cc", w.labs.scratch.path);
    w.compilers = NEW(&arena, struct cc_list); /* no matrix */
    put_file(cc, two_faults, 0755);
    struct finding f = {
        .claim = {.verdict = VERDICT_WRONG_CODE,
                  .config = cc,
                  .compiler = cc,
                  .family = "cc",
                  .version = "",
                  .levels = "",
                  .signature = "",
                  .key = ""},
        .subject = {.program = {exclusive, strlen(exclusive)},
                    .expected = {"6\n", 2},
                    .target = "lp64",
                    .undefined = "",
                    .runs = true,
                    .valid = true},
        .again = {.emulator = "", .compile_timeout = 20, .run_timeout = 2},
        .reduced = {.program = {both, strlen(both)}, .status = 2, .complete = true, .why = ""},
        .blame = {.pass = "int ^", .detail = "", .wrong = ""}};
    assert_true(name_finding(&w, &f, &e));
    assert_true(f.reduced.slid);
    assert_false(f.reduced.complete || f.named);
    assert_true(
        shrink_finding(&w, &f, &(struct slice){.cpu = 1}, &e)); /* a slice is enough to see it */
    assert_string_equal(f.reduced.why, "");
    assert_non_null(strstr(f.reduced.program.s, " ^ "));
    assert_true(f.reduced.program.n <= strlen(exclusive));
    assert_true(name_finding(&w, &f, &e));
    assert_true(f.named && f.reduced.slid);
    assert_non_null(strstr(f.bug, "int ^"));
    cc_labs_close(&w.labs);
    arena_free(&w.arena);
    arena_free(&w.plan_arena);
}

static void history_keeps_every_finding(void **state)
{
    (void)state;
    struct hunt_history h = {0};
    unsigned sum = 0;
    history_count(&h, 1, 2);
    history_count(&h, 59, 1);
    assert_int_equal(h.n, HUNT_SLOTS);
    assert_int_equal(h.found[0], 2);
    assert_int_equal(h.found[HUNT_SLOTS - 1], 1);
    history_count(&h, 61, 3); /* neighbours become one */
    assert_int_equal(h.n, HUNT_SLOTS / 2 + 1);
    assert_int_equal(h.found[HUNT_SLOTS / 2 - 1], 1);
    assert_int_equal(h.found[HUNT_SLOTS / 2], 3);
    history_count(&h, 86400 * 7, 1);
    for (size_t i = 0; i < h.n; i++)
        sum += h.found[i];
    assert_int_equal(sum, 7);
    assert_true(h.n > HUNT_SLOTS / 2);
}

/* ---- planted ------------------------------------------------------------------------- */

#define STRATEGY(id, name, maker, ...) make_fn make_##maker;
#include "hunt/strategy.def"

/* Sanitizers need not report what is in a call that the compiler may drop: a hunt had called one
 * silent for a statement in a function that is declared const. */
static void nothing_is_planted_where_calls_may_go(void **state)
{
    const struct lane here = {.target = lang_target(TARGET_LP64),
                              .features = gen_options_default().features};
    unsigned planted = 0, promised = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        struct order o = {.size = 12, .seed = seed, .lane = &here, .profile = "calls"};
        struct subject s = {0};
        assert_true(make_PLANTED(&o, &s, NULL));
        const char *code = text_str(&s.code), *at = strstr(code, "{ plant_");
        const char *main = strstr(code, "\nint main(void)\n{");
        if (!s.skipped && at &&
            (strstr(code, "__attribute__((const))") || strstr(code, "__attribute__((pure))"))) {
            assert_non_null(main);
            assert_true(at > main);
            promised++;
        }
        planted += !s.skipped;
        subject_free(&s);
    }
    assert_true(planted > 20);
    assert_true(promised > 2);
}

/* A sanitizer is not blamed for what it does not promise to see: frames that were left by longjmp,
 * scopes beside a computed goto, functions that ask not to be looked at. */
static void what_is_planted_must_be_seen(void **state)
{
    static const char plain[] = "int main(void) { int x = 1; x++; return 0; }",
                      jumps[] = "int setjmp(void *); void longjmp(void *, int); long b[32];\n"
                                "int main(void) { if (!setjmp(b)) longjmp(b, 1); return 0; }",
                      computed[] = "int main(void) { void *p = &&x; goto *p; x: return 0; }",
                      hidden[] = "__attribute__((no_sanitize(\"address\"))) int main(void)\n"
                                 "{ int x = 1; x++; return 0; }";
    static const struct {
        const char *text;
        enum lost lost;
        bool somewhere;
    } rows[] = {{plain, LOST_NOWHERE, true},         {plain, LOST_AFTER_JUMP, true},
                {plain, LOST_BESIDE_GOTO, true},     {jumps, LOST_NOWHERE, true},
                {jumps, LOST_AFTER_JUMP, false},     {jumps, LOST_BESIDE_GOTO, true},
                {computed, LOST_NOWHERE, true},      {computed, LOST_AFTER_JUMP, true},
                {computed, LOST_BESIDE_GOTO, false}, {hidden, LOST_NOWHERE, false}};
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct text code = {0};
        struct rng r = rng_seed(7);
        text_puts(&code, rows[i].text);
        bool somewhere = planted_place(&code, lang_target(TARGET_LP64), rows[i].lost, &r) > 0;
        if (somewhere != rows[i].somewhere)
            print_error("row %zu\n", i);
        assert_int_equal(somewhere, rows[i].somewhere);
        text_free(&code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_planted_must_be_seen),
        cmocka_unit_test(bugs_are_merged_and_split),
        cmocka_unit_test(old_stores_are_upgraded),
        cmocka_unit_test(one_outcome_gives_one_verdict),
        cmocka_unit_test(rungs_make_the_grade),
        cmocka_unit_test(budget_follows_yield_and_starves_nobody),
        cmocka_unit_test(begins_with_what_is_expected_to_pay),
        cmocka_unit_test(shares_sum_to_one),
        cmocka_unit_test(what_paid_is_expected_again),
        cmocka_unit_test(answers_of_compilers_are_kept),
        cmocka_unit_test(conf_is_read_back),
        cmocka_unit_test(conf_names_the_bad_line),
        cmocka_unit_test(findings_travel),
        cmocka_unit_test(messages_travel),
        cmocka_unit_test(culprits_are_recognised),
        cmocka_unit_test(what_slid_is_reduced_again),
        cmocka_unit_test(history_keeps_every_finding),
        cmocka_unit_test(nothing_is_planted_where_calls_may_go),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
