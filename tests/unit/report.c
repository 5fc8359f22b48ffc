/* Unit tests of report: what leaves cupel is escaped, and links hold what they should. */
#include "report/private.h"
#include "sys/sys.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static struct finding finding_of(const char *config, const char *family, const char *version,
                                 const char *program)
{
    return (struct finding){
        .id = 7,
        .claim = {.verdict = VERDICT_WRONG_CODE,
                  .config = config,
                  .compiler = config,
                  .family = family,
                  .version = version,
                  .levels = "-O3",
                  .signature = "",
                  .key = ""},
        .subject = {.program = {program, strlen(program)}, .origin = "cupel gen --seed 1"},
        .seen = {.end = "exit status 0", .message = ""},
        .again = {.command = config, .emulator = ""},
        .reduced = {.program = {program, strlen(program)}, .why = "", .lines = 1},
        .blame = {.pass = "", .detail = ""}};
}

/* RFC 4648's url-safe digits, back to bytes. */
static size_t decode(const char *s, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned bits = 0, have = 0;
    size_t n = 0;
    for (; *s && *s != '='; s++) {
        const char *at = strchr(digits, *s);
        assert_non_null(at);
        bits = bits << 6 | (unsigned)(at - digits);
        have += 6;
        if (have >= 8) {
            have -= 8;
            out[n++] = (char)(bits >> have & 255);
        }
    }
    out[n] = '\0';
    return n;
}

static void links_hold_program_and_flags(void **state)
{
    static const char start[] = "https://godbolt.org/clientstate/";
    static const struct {
        const char *config, *family, *version, *id, *name, *flags;
    } rows[] = {
        {"gcc-12 -O3 -mavx2", "gcc", "gcc-12 (Debian 12.2.0-14) 12.2.0", "cg122", "gcc 12.2",
         "-O3 -mavx2"},
        {"gcc-11 -O1", "gcc", "gcc-11 (Debian 11.3.0-12) 11.3.0", "cg113", "gcc 11.3", "-O1"},
        {"clang-19 -O2", "clang", "Debian clang version 19.1.7 (3)", "cclang1910", "clang 19.1.0",
         "-O2"},
        /* releases that it does not have are near ones that it has; the newest are its trunk */
        {"clang-13 -O2", "clang", "Debian clang version 13.0.1-11+b2", "cclang1301", "clang 13.0.1",
         "-O2"},
        {"clang-14 -O2", "clang", "Debian clang version 14.0.6", "cclang1400", "clang 14.0.0",
         "-O2"},
        {"clang-16 -O2", "clang", "Debian clang version 16.0.6 (15~deb12u1)", "cclang1600",
         "clang 16.0.0", "-O2"},
        {"clang-22 -O2", "clang", "Debian clang version 22.1.8", "cclang2210", "clang 22.1.0",
         "-O2"},
        {"clang-99 -O2", "clang", "clang version 99.1.0", "cclang_trunk",
         "clang's trunk, not this release", "-O2"},
    };
    const char *program = "int main(void) { return '\"' > 1 ? 0 : 1; } /* ~ \177 */\n";
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct finding f = finding_of(rows[i].config, rows[i].family, rows[i].version, program);
        struct text link = {0};
        char bytes[2000];
        assert_true(report_explorer_link(&f, &f.subject.program, &link));
        const char *url = strstr(text_str(&link), ": ");
        assert_true(str_has_prefix(text_str(&link), rows[i].name));
        assert_true(url && str_has_prefix(url + 2, start));
        decode(url + 2 + sizeof start - 1, bytes);
        json_t *j = json_loads(bytes, 0, NULL);
        json_t *session = json_array_get(json_object_get(j, "sessions"), 0);
        json_t *compiler = json_array_get(json_object_get(session, "compilers"), 0);
        assert_string_equal(json_string_value(json_object_get(session, "source")), program);
        assert_string_equal(json_string_value(json_object_get(compiler, "id")), rows[i].id);
        assert_string_equal(json_string_value(json_object_get(compiler, "options")), rows[i].flags);
        json_decref(j);
        text_free(&link);
    }
    struct finding f = finding_of("tcc", "tcc", "tcc version 0.9.27", program);
    struct text none = {0};
    assert_false(report_explorer_link(&f, &f.subject.program, &none));
    assert_int_equal(none.n, 0);
}

static void pages_are_escaped(void **state)
{
    (void)state;
    struct finding f = finding_of("./<img src=x onerror=alert(1)> -O2", "gcc", "\"'&",
                                  "\"</pre><script>");
    struct report_subject s = {.finding = &f};
    const char *const kinds[] = {"<b>"};
    double part = 1;
    struct report_bar bar = {"<b>", 1, &part, "<b>"};
    struct report_chart chart = {"<i>", "", &bar, 1, kinds, 1};
    struct text page = {0};
    report_html(&(struct report_campaign){"<u>", "</body>", &s, 1, &chart, 1}, &page);
    static const char *const never[] = {"<img", "<script", "<b>&",         "<b><",
                                        "<i>",  "<u>",     "</pre><script"};
    for (size_t i = 0; i < LENGTH(never); i++)
        assert_null(strstr(text_str(&page), never[i]));
    assert_non_null(strstr(text_str(&page), "&lt;img src=x"));
    assert_ptr_equal(strstr(text_str(&page), "</body>"), strrchr(text_str(&page), 'b') - 2);
    text_free(&page);
}

/* The code as it is wrong beside the code as it is right, on request; and what the reduced program
 * printed. */
static void both_sides_are_shown(void **state)
{
    (void)state;
    struct finding f = finding_of("gcc-12 -O3", "gcc", "gcc-12 (Debian 12.2.0-14) 12.2.0",
                                  "int x;");
    struct report_subject s = {
        .finding = &f,
        .assembly = {{"gcc-12 -O3", "main: <nop>\n"}, {"gcc-12 -O3 -fno-x", "main: ret\n"}}};
    struct text page = {0}, out = {0};
    f.reduced.expected = (struct bytes){"right\n", 6};
    f.reduced.seen = (struct finding_seen){
        .end = "exit status 0", .message = "", .output = {"wrong\n", 6}};
    report_html(&(struct report_campaign){"t", "s", &s, 1, NULL, 0}, &page);
    static const char *const wanted[] = {"Output of the reduced program",
                                         "right\n",
                                         "wrong\n",
                                         "class=assembly",
                                         "main: &lt;nop&gt;",
                                         "main: ret",
                                         "gcc-12 -O3 -fno-x"};
    for (size_t i = 0; i < LENGTH(wanted); i++)
        assert_non_null(strstr(text_str(&page), wanted[i]));
    report_for_tracker(TRACKER_GCC, &s, &out);
    assert_non_null(strstr(text_str(&out), "\nActual: exit status 0\nwrong\n"));
    text_free(&page);
    text_free(&out);
}

static void regressions_are_in_the_title(void **state)
{
    (void)state;
    struct finding f = finding_of("gcc-12 -O3", "gcc", "gcc-12 (Debian 12.2.0-14) 12.2.0",
                                  "int x;");
    struct triage_result t = {
        .blame = {.pass = "tree-vrp", .detail = "", .switches = ""},
        .matrix = {.last_good = "gcc-11", .first_bad = "gcc-12", .fixed_in = ""},
        .first = {.what = ""},
        .function = {.name = ""},
        .signature = ""};
    struct report_subject s = {.finding = &f, .triage = &t};
    struct text out = {0};
    struct triage_row rows[] = {
        {.compiler = "gcc-11", .version = "11.3.0", .told = true},
        {.compiler = "gcc-12", .version = "12.2.0", .told = true, .shown = true},
        {.compiler = "gcc-13", .version = "13.1.0", .told = true, .shown = true},
        {.compiler = "clang-19", .version = "19.1.7", .told = true, .other = true}};
    report_for_tracker(TRACKER_GCC, &s, &out);
    assert_true(str_has_prefix(text_str(&out), "Title: [12 Regression] wrong code at -O3\n"));
    text_clear(&out);
    t.matrix.rows = rows;
    t.matrix.n = LENGTH(rows);
    report_for_tracker(TRACKER_GCC, &s, &out);
    assert_true(str_has_prefix(text_str(&out),
                               "Title: [12/13 Regression] wrong code at -O3\n"
                               "Kind: the compiled program does something else\n"
                               "Keywords: wrong-code\n"
                               "Known to work: 11.3.0\nKnown to fail: 12.2.0, 13.1.0\n\n"));
    assert_non_null(strstr(text_str(&out), "distribution's build"));
    text_clear(&out);
    report_for_tracker(TRACKER_LLVM, &s, &out);
    assert_true(
        str_has_prefix(text_str(&out), "Title: [tree-vrp] Miscompile at -O3 since gcc-12\n"));
    assert_non_null(strstr(text_str(&out), "\nKeywords: miscompilation\n\n"));
    assert_non_null(strstr(text_str(&out), "```c\nint x;\n```\n"));
    text_free(&out);
}

/* A level is no pass; a crash is known by its stage and its first frame. */
static void crashes_are_in_the_title(void **state)
{
    (void)state;
    struct finding f = finding_of("clang-19 -O2", "clang", "Debian clang version 19.1.7", "int x;");
    struct triage_result t = {
        .blame = {.pass = "-O0", .detail = "", .switches = "", .method = METHOD_LEVEL},
        .matrix = {.last_good = "", .first_bad = "clang-13", .fixed_in = ""},
        .first = {.what = ""},
        .function = {.name = ""},
        .signature = ""};
    struct report_subject s = {.finding = &f, .triage = &t};
    struct text out = {0};
    report_for_tracker(TRACKER_LLVM, &s, &out);
    assert_true(str_has_prefix(text_str(&out), "Title: [clang] Miscompile at -O2\n"));
    text_clear(&out);
    f.claim.verdict = VERDICT_COMPILER_CRASH;
    f.claim.signature = "crash; clang::Sema::f; clang::Parser::g";
    t.stage = STAGE_FRONT;
    report_for_tracker(TRACKER_LLVM, &s, &out);
    assert_true(
        str_has_prefix(text_str(&out), "Title: [front end] Crash at -O2: clang::Sema::f\n"));
    text_free(&out);
}

/* The lowest level that shows it, not the one at which it was found; and whom the tracker is for.
 */
static void lowest_level_is_in_the_title(void **state)
{
    (void)state;
    struct finding f = finding_of("gcc-12 -O3 -mavx2", "gcc", "gcc-12 (GCC) 12.2.0", "int x;");
    f.claim.compiler = "gcc-12";
    struct triage_cell cells[] = {
        {.level = "-O0", .config = "gcc-12 -mavx2 -O0", .state = TRIAGE_GONE},
        {.level = "-O3", .config = "gcc-12 -m32", .state = TRIAGE_SHOWN, .narrow = true},
        {.level = "-O1", .config = "gcc-12 -mavx2 -O1", .state = TRIAGE_SHOWN},
        {.level = "-O3", .config = "gcc-12 -mavx2 -O3", .state = TRIAGE_SHOWN}};
    struct triage_row rows[] = {
        {.compiler = "gcc-11", .version = "", .n = 1, .cells = cells + 3},
        {.compiler = "gcc-12", .version = "", .n = LENGTH(cells), .cells = cells}};
    struct triage_result t = {
        .blame = {.pass = "", .detail = "", .switches = ""},
        .matrix = {rows, LENGTH(rows), .last_good = "", .first_bad = "gcc-12", .fixed_in = ""},
        .first = {.what = ""},
        .function = {.name = ""},
        .signature = ""};
    struct report_subject s = {.finding = &f, .triage = &t};
    struct text out = {0};
    report_for_tracker(TRACKER_GCC, &s, &out);
    assert_true(str_has_prefix(text_str(&out), "Title: wrong code at -O1 -mavx2\n"));
    assert_non_null(strstr(text_str(&out), "$ gcc-12 -O3 -mavx2 t.c -o t && ./t\n"));
    text_free(&out);
    assert_true(report_is_meant(TRACKER_GCC, &f) && report_is_meant(TRACKER_TEXT, &f));
    assert_false(report_is_meant(TRACKER_LLVM, &f));
}

/* The program is called as in the command, not as it lay in a scratch folder. */
static void programs_have_the_name_of_the_command(void **state)
{
    static const char *const rows[][2] = {
        {"/tmp/cupel-0/X/reduced.c:3:15: internal compiler error: in f, at gimplify.c:14924",
         "t.c:3:15: internal compiler error: in f, at gimplify.c:14924"},
        {"/tmp/x/a.c:1: error: see /src/gcc/gimplify.c:2",
         "t.c:1: error: see /src/gcc/gimplify.c:2"},
        {"error in '/tmp/x/program.c'", "error in 't.c'"},
        {"crash; llvm::f", "crash; llvm::f"},
        {"", ""}};
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct text out = {0};
        report_put_said(rows[i][0], "t.c", &out);
        assert_string_equal(text_str(&out), rows[i][1]);
        text_free(&out);
    }
}

/* Of a compiler without passes: what goes wrong first is in the title. */
static void what_goes_wrong_is_in_the_title(void **state)
{
    (void)state;
    struct finding f = finding_of("tcc", "tcc", "0.9.27", "int x;");
    struct triage_result t = {
        .blame = {.pass = "-O0", .detail = "", .switches = "", .method = METHOD_LEVEL},
        .matrix = {.last_good = "", .first_bad = "", .fixed_in = ""},
        .first = {.what = "", .shape = "signed <"},
        .function = {.name = ""},
        .features = "",
        .signature = ""};
    struct report_subject s = {.finding = &f, .triage = &t};
    struct text out = {0};
    f.reduced.complete = true;
    report_for_tracker(TRACKER_TEXT, &s, &out);
    assert_true(str_has_prefix(text_str(&out), "Title: tcc: wrong code: signed <\n"));
    assert_non_null(strstr(text_str(&out), "as tried with the original; this reduction of it: "));
    text_free(&out);
}

/* "Also with" does not repeat what the command says. */
static void others_are_affected_too(void **state)
{
    static const char *const configs[] = {"gcc-12 -O3 -mavx2", "gcc-12 -O2", "gcc-11 -O3"};
    struct arena a = {0};
    struct finding f = finding_of("gcc-12 -O2", "gcc", "12", "");
    struct text out = {0};
    (void)state;
    list_add(&a, &f.claim.affected, (char *)configs[1]);
    report_text(&f, &out);
    assert_null(strstr(text_str(&out), "Also with"));
    text_clear(&out);
    list_add(&a, &f.claim.affected, (char *)configs[0]);
    list_add(&a, &f.claim.affected, (char *)configs[2]);
    report_text(&f, &out);
    assert_non_null(strstr(text_str(&out), "\nAlso with: gcc-12 -O3 -mavx2, gcc-11 -O3\n"));
    text_free(&out);
    arena_free(&a);
}

static void what_is_wrong_is_never_how_a_good_run_ended(void **state)
{
    static const struct {
        enum verdict verdict;
        const char *end, *what;
    } rows[] = {
        {VERDICT_WRONG_CODE, "exit status 0", "another output"},
        {VERDICT_PROGRAM_CRASH, "signal 11", "signal 11"},
        {VERDICT_DEBUG_CODE, "compiled and ran", "-g changes the code that is made"},
        {VERDICT_SLOW_COMPILE, "compiled", "compile time is out of line"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct finding f = finding_of("gcc-12 -O3", "gcc", "12", "");
        struct text what = {0};
        f.claim.verdict = rows[i].verdict;
        f.seen.end = rows[i].end;
        finding_put_what(&f, &what);
        assert_string_equal(text_str(&what), rows[i].what);
        text_free(&what);
    }
}

/* Where the output of the program does not say what is wrong, the report does, and how to see it.
 */
static void reports_say_what_is_wrong(void **state)
{
    static const struct {
        enum verdict verdict;
        const char *title, *show;
    } rows[] = {
        {VERDICT_DEBUG_CODE, "Title: [clang] code differs with -g at -O2\n",
         "$ clang-19 -O2 -c t.c -o t.o && clang-19 -O2 -g -c t.c -o g.o && objdump -d t.o g.o\n"
         "```\n\nExpected: the same code with -g\nActual: other code\n"},
        {VERDICT_VOLATILE_ADDED, "Title: [clang] wrong volatile accesses at -O2\n",
         "$ clang-19 -O2 -S t.c\n```\n\nExpected: the accesses that the program makes\n"
         "Actual: a was read\n"},
        {VERDICT_SANITIZER_SILENT, "Title: [clang] false negative of a sanitizer at -O2\n",
         "$ clang-19 -O2 t.c -o t && ./t\n```\n\nExpected: a report of: misaligned\n"
         "Actual: none\n"},
        {VERDICT_WRONG_CODE, "Title: [clang] Miscompile at -O2\n",
         "$ clang-19 -O2 t.c -o t && ./t\n```\n\nExpected: exit status 0\n"
         "Actual: exit status 0: a was read\n"},
        {VERDICT_REJECTS_VALID, "Title: [clang] valid code rejected at -O2\n",
         "$ clang-19 -O2 -c t.c -o t.o\n```\nActual: exit status 0: a was read\n"}};
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct finding f = finding_of("clang-19 -O2", "clang", "Debian clang version 19.1.7",
                                      "int x;");
        struct report_subject s = {.finding = &f};
        struct text out = {0};
        f.claim.verdict = rows[i].verdict;
        f.subject.undefined = rows[i].verdict == VERDICT_SANITIZER_SILENT ? "misaligned" : "";
        f.reduced.seen = (struct finding_seen){.end = "exit status 0", .message = "a was read"};
        report_for_tracker(TRACKER_LLVM, &s, &out);
        assert_true(str_has_prefix(text_str(&out), rows[i].title));
        assert_non_null(strstr(text_str(&out), rows[i].show));
        text_free(&out);
    }
}

/* Who does better comes first; an older version that did makes it a regression. */
static void missed_optimisations_lead_with_the_better(void **state)
{
    static const struct {
        const char *better, *title;
    } rows[] = {{"gcc-11 -O3", "Title: [12 Regression] missed optimization at -O3"},
                {"gcc-13 -O3", "Title: missed optimization at -O3"},
                {"clang-19 -O3", "Title: missed optimization at -O3"},
                {"", "Title: missed optimization at -O3"}};
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct finding f = finding_of("gcc-12 -O3", "gcc", "gcc-12 (Debian 12.2.0-14) 12.2.0",
                                      "int x;");
        struct report_subject s = {.finding = &f};
        struct text out = {0};
        f.claim.compiler = "gcc-12";
        f.claim.verdict = VERDICT_MISSED;
        f.seen.message = "better: somebody: 4 instructions, not 16; not seen: x is 0";
        f.missed = (struct finding_missed){"x is 0", "nop", "", rows[i].better, ""};
        report_for_tracker(TRACKER_GCC, &s, &out);
        assert_true(str_has_prefix(text_str(&out), rows[i].title));
        const char *lead = strstr(text_str(&out), "\n\nbetter: somebody: 4 instructions");
        assert_non_null(lead);
        assert_true(lead < strstr(text_str(&out), "int x;"));
        text_free(&out);
    }
}

static void write_to(const char *folder, const char *name, const char *text, mode_t mode)
{
    char path[100];
    struct err e;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(sys_write_file(path, text, strlen(text), &e));
    assert_int_equal(chmod(path, mode), 0);
}

/* What objdump cannot take apart is compared as it is. */
static void code_of_other_machines_is_compared(void **state)
{
    static const char *const machines[] = {"x86_64", "riscv64", "s390x"};
    char folder[] = "/tmp/report-XXXXXX", command[200];
    (void)state;
    assert_non_null(mkdtemp(folder));
    write_to(
        folder, "program.c",
        "#ifdef G\nint f(int x) { return 3 * x; }\n#else\nint f(int x) { return x; }\n#endif\n",
        0644);
    write_to(folder, "same", "#!/bin/sh\nexec clang-19 \"$@\"\n", 0755);
    write_to(folder, "other",
             "#!/bin/sh\ncase \" $* \" in *' -g '*) exec clang-19 -DG \"$@\" ;; esac\n"
             "exec clang-19 \"$@\"\n",
             0755);
    for (size_t i = 0; i < LENGTH(machines); i++) {
        char config[80];
        snprintf(config, sizeof config, "clang-19 --target=%s-linux-gnu -O1", machines[i]);
        struct finding f = finding_of(config, "clang", "19", "");
        struct text script = {0};
        f.claim.verdict = VERDICT_DEBUG_CODE;
        report_script(&f, &script);
        write_to(folder, "reproduce.sh", text_str(&script), 0755);
        snprintf(command, sizeof command, "CC=%s/same %s/reproduce.sh >%s/said", folder, folder,
                 folder);
        assert_int_equal(system(command), 0);
        snprintf(command, sizeof command, "CC=%s/other %s/reproduce.sh >%s/said", folder, folder,
                 folder);
        assert_int_equal(system(command), 1 << 8);
        text_free(&script);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_are_affected_too),
        cmocka_unit_test(links_hold_program_and_flags),
        cmocka_unit_test(what_is_wrong_is_never_how_a_good_run_ended),
        cmocka_unit_test(pages_are_escaped),
        cmocka_unit_test(both_sides_are_shown),
        cmocka_unit_test(regressions_are_in_the_title),
        cmocka_unit_test(crashes_are_in_the_title),
        cmocka_unit_test(what_goes_wrong_is_in_the_title),
        cmocka_unit_test(lowest_level_is_in_the_title),
        cmocka_unit_test(programs_have_the_name_of_the_command),
        cmocka_unit_test(reports_say_what_is_wrong),
        cmocka_unit_test(missed_optimisations_lead_with_the_better),
        cmocka_unit_test(code_of_other_machines_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
