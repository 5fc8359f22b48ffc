/* Unit tests of cc and judge: what compilers say, and who is believed. */
#include "cc/cc.h"
#include "judge/judge.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static struct arena arena;

static int free_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* ---- what compilers say -------------------------------------------------------------- */

static void check_failure(enum sys_end end, int code, const char *err, enum outcome_kind kind,
                          const char *message, const char *signature)
{
    struct sys_result r = {.end = end, .code = code};
    struct outcome out = {0};
    text_puts(&r.err, err);
    cc_classify_failure(&arena, &r, &out);
    text_free(&r.err);
    if (out.kind != kind)
        print_error("for: %s\n", err);
    assert_int_equal(out.kind, kind);
    if (message)
        assert_string_equal(out.message, message);
    assert_string_equal(out.signature, signature);
}

static void complaints_on_stdout_are_words(void **state)
{
    static const struct {
        const char *out, *err;
        enum outcome_kind kind;
        const char *message;
    } rows[] = {
        {"t.c:3:1: error: no\n", "", OUTCOME_REJECTED, "t.c:3:1: error: no"},
        {"t.c\ninternal compiler error: in f, at g.c:1\n", "", OUTCOME_ICE, NULL},
        {"t.c\n", "", OUTCOME_CRASHED, "exit status 1 without a word"},
        {"t.c:3:1: error: no\n", "t.c:4:1: error: yes\n", OUTCOME_REJECTED, "t.c:4:1: error: yes"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct sys_result r = {.end = SYS_EXITED, .code = 1};
        struct outcome out = {0};
        text_puts(&r.out, rows[i].out);
        text_puts(&r.err, rows[i].err);
        cc_classify_failure(&arena, &r, &out);
        text_free(&r.out);
        text_free(&r.err);
        assert_int_equal(out.kind, rows[i].kind);
        if (rows[i].message)
            assert_string_equal(out.message, rows[i].message);
    }
}

static void failures_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        int code;
        const char *err;
        enum outcome_kind kind;
        const char *message, *signature;
    } rows[] = {
        {1, "t.c: In function 'main':\nt.c:1:9: error: expected expression\n    1 | int x = ;\n",
         OUTCOME_REJECTED, "t.c:1:9: error: expected expression", ""},
        {1, "e.c, line 1: syntax error\nerror: /usr/bin/ccom terminated with status 1\n",
         OUTCOME_REJECTED, "e.c, line 1: syntax error", ""},
        {1, "t.c:1: int x = ;\n               ^ expected an expression\n", OUTCOME_REJECTED,
         "^ expected an expression", ""},
        {1, "t.c:1:1: error: static assertion failed: \"no\"\n", OUTCOME_REJECTED, NULL, ""},
        {1,
         "/usr/bin/ld: /tmp/ccU1.o: in function `main':\nl.c:(.text+0xa): undefined reference "
         "to `f'\ncollect2: error: ld returned 1 exit status\n",
         OUTCOME_LINK_FAILED, "undefined reference to `f'", ""},
        {1, "tcc: error: undefined symbol 'f'\n", OUTCOME_LINK_FAILED, NULL, ""},
        {1, "internal error at parse.c:1234\n", OUTCOME_ICE, "internal error at parse.c:1234",
         "internal error at parse.c:1234"},
        {1,
         "/tmp/ctm.K: Assembler messages:\n/tmp/ctm.K:12: Error: no such instruction: `bogus "
         "%eax'\n",
         OUTCOME_BAD_ASSEMBLY, "/tmp/ctm.K:12: Error: no such instruction: `bogus %eax'",
         "no such instruction: `bogus'"},
        {1, "t.s: Assembler messages:\nt.s:12: Error: symbol `L12 x' is in row 5\n",
         OUTCOME_BAD_ASSEMBLY, NULL, "symbol `L#' is in row #"},
        {4,
         "t.c:3:1: internal compiler error: in expand_expr_addr_expr_1, at expr.c:8000\n"
         "0x7f1 ???\n",
         OUTCOME_ICE, NULL, "in expand_expr_addr_expr_1, at expr.c:8000"},
        {1,
         "during GIMPLE pass: vect\nt.c: In function 'f':\nt.c:2:5: internal compiler error: "
         "Segmentation fault\n    2 | int\n0x7f12 crash_signal\n\t../../gcc/toplev.cc:322\n",
         OUTCOME_ICE, NULL, "Segmentation fault; GIMPLE pass: vect"},
        {4, "gcc: internal compiler error: Segmentation fault signal terminated program cc1\n",
         OUTCOME_ICE, NULL, "Segmentation fault signal terminated program cc1"},
        {1, "gcc: internal compiler error: CPU time limit exceeded signal terminated program cc1\n",
         OUTCOME_HANG, NULL, "hang"},
        {1, "cc1: out of memory allocating 65536 bytes after a total of 9 bytes\n",
         OUTCOME_OUT_OF_MEMORY, NULL, "out of memory"},
        {1, "gcc: fatal error: Killed signal terminated program cc1\n", OUTCOME_OUT_OF_MEMORY, NULL,
         "out of memory"},
        {1,
         "/tmp/cc.s: Fatal error: can't write 64 bytes to section .text of t.o: 'No space left "
         "on device'\n",
         OUTCOME_ENVIRONMENT, NULL, ""},
        {70,
         "fatal error: error in backend: Cannot select: 0x55d0: i32 = bitcast 0x66\nStack "
         "dump:\n0.\tProgram arguments: clang\n",
         OUTCOME_ICE, NULL, "error in backend: Cannot select: i# = bitcast"},
        {70,
         "fatal error: error in backend: Cannot select: 0x36b: ch = store<(store (s8) into `i8* "
         "getelementptr (<64 x i8>, <64 x i8>* @g0, i32 0, i32 2)`, align 2)> 0x36, "
         "Constant:i8<1>\n"
         "Stack dump:\n0.\tProgram arguments: clang\n",
         OUTCOME_ICE, NULL, "error in backend: Cannot select: ch = store"},
        {70,
         "fatal error: error in backend: unable to legalize instruction: %4:_(<4 x s8>) = G_SHL "
         "%1:_, %2:_ (in function: f)\nStack dump:\n0.\tProgram arguments: clang\n",
         OUTCOME_ICE, NULL,
         "error in backend: unable to legalize instruction: %#:_(<# x s#>) = G_SHL"},
        {70,
         "fatal error: error in backend: Segmented stacks do not support vararg functions.\nPLEASE "
         "submit a bug report\nStack dump:\n0.\tProgram arguments: clang\n",
         OUTCOME_REJECTED, NULL, ""},
        {70,
         "fatal error: error in backend: unable to allocate function return #1\nStack dump:\n"
         "0.\tProgram arguments: clang\n1.\tRunning pass 'SPARC DAG->DAG' on function '@f'\n",
         OUTCOME_ICE, NULL,
         "error in backend: unable to allocate function return ##; pass SPARC DAG->DAG"},
        {134,
         "clang: /build/llvm/lib/IR/Value.cpp:12: void llvm::f(): Assertion `X && \"msg\"' "
         "failed.\n"
         "PLEASE submit a bug report\nStack dump:\n",
         OUTCOME_ICE, NULL, "Assertion `X && \"msg\"' failed."},
        {139,
         "PLEASE submit a bug report to https://x\nStack dump:\n0.\tProgram arguments: clang\n"
         "1.\t<eof> parser at end of file\n2.\tOptimizer\n"
         "3.\tRunning pass \"function(loop-vectorize)\" on module \"t.c\"\n"
         "4.\tRunning pass \"loop-vectorize<no-x;y=1>\" on function \"main\"\n"
         " #0 0x00007f llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/a.so+0x1)\n"
         " #1 0x00007f llvm::BasicBlock::getTerminator() const (/lib/a.so+0x2)\n"
         " #1 0x00007f (/lib/a.so+0x2)\n"
         " #2 0x00007f llvm::VPlan::execute(llvm::VPTransformState*) (/lib/a.so+0x3)\n"
         " #3 0x00007f operator==(llvm::X, llvm::X) (/lib/a.so+0x4)\n",
         OUTCOME_ICE, NULL, "crash; pass loop-vectorize; llvm::VPlan::execute; operator=="},
        /* the C library and the C++ runtime only end it */
        {134,
         "*** buffer overflow detected ***: terminated\n"
         "PLEASE submit a bug report to https://x\nStack dump:\n0.\tProgram arguments: clang\n"
         " #0 0x00007f llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/a.so+0x1)\n"
         " #1 0x00007f __libc_message ./libio/../sysdeps/posix/libc_fatal.c:155:5\n"
         " #2 0x00007f __fortify_fail ./debug/fortify_fail.c:26:3\n"
         " #3 0x00007f some_helper (/lib/x86_64-linux-gnu/libc.so.6+0x8a)\n"
         " #4 0x00007f operator new(unsigned long) (/lib/a.so+0x4)\n"
         " #5 0x00007f std::terminate() (/lib/a.so+0x4)\n"
         " #6 0x00007f llvm::f(llvm::X) /build/llvm/lib/f.cpp:12:3\n"
         " #7 0x00007f llvm::g /build/llvm/lib/g.cpp:13:3\n",
         OUTCOME_ICE, NULL, "crash; llvm::f; llvm::g"},
        {139,
         "Stack dump:\n0.\tProgram arguments: clang-19 -c 0x12.c\n1.\tt.c:1:2: token 'pragma'\n"
         "Stack dump without symbol names (ensure you have llvm-symbolizer):\n"
         "0  libLLVM.so.19.1      0x00007f44792b73c6 llvm::sys::PrintStackTrace(int) + 54\n"
         "1  libc.so.6            0x00007f4477e5a050\n"
         "2  libclang-cpp.so.19.1 0x00007f4480c1a3fc clang::Sema<int>::Act(clang::X) + 92\n"
         "3  clang                0x00007f4480c1a3fc main + 92\n",
         OUTCOME_ICE, NULL, "crash; clang::Sema; main"},
        {1, "t.c, line 5: compiler error: Cannot generate code, node 0x55a0 op ASSIGN\n",
         OUTCOME_ICE, NULL, "Cannot generate code, node ADDR op ASSIGN"},
        {1, "t.c, line 8: compiler error: 0x5595) label 0 outside boundaries 449-459\n",
         OUTCOME_ICE, NULL, "ADDR) label # outside boundaries #-#"},
        {1,
         "major internal compiler error: /a/t.c, line 51\nerror: ccom terminated with status 1\n",
         OUTCOME_ICE, NULL, "major internal compiler error"},
        {1, "t.c, line 2: syntax error\ninternal compiler error: /a/t.c, line 4\n", OUTCOME_ICE,
         NULL, "internal compiler error"},
        {1, "t.c:1:10: fatal error: no.h: No such file or directory\ncompilation terminated.\n",
         OUTCOME_NO_HEADER, "t.c:1:10: fatal error: no.h: No such file or directory", ""},
        {1, "t.c:1:10: fatal error: 'no.h' file not found\n", OUTCOME_NO_HEADER, NULL, ""},
        {1, "In file included from t.c:1:\nt.c:1: error: include file 'no.h' not found\n",
         OUTCOME_NO_HEADER, NULL, ""},
        {1, "t.c:1: error: cannot find 'no.h'\nerror: cpp terminated with status 1\n",
         OUTCOME_NO_HEADER, NULL, ""},
        {1, "t.c:1: #include <no.h>\n ^ no.h: cannot open file: No such file or directory\n",
         OUTCOME_NO_HEADER, NULL, ""},
        {1, "t.c:1:1: error: 'no' was not found in this scope\n", OUTCOME_REJECTED, NULL, ""},
        {1,
         "clang: error: unable to execute command: Segmentation fault\n"
         "clang: error: linker command failed due to signal (use -v to see invocation)\n",
         OUTCOME_TOOL_CRASHED, NULL, ""},
        {1, "collect2: fatal error: ld terminated with signal 11 [Segmentation fault]\n",
         OUTCOME_TOOL_CRASHED, NULL, ""},
        {1, "gcc: internal compiler error: Segmentation fault signal terminated program as\n",
         OUTCOME_TOOL_CRASHED, NULL, ""},
        {1,
         "Stack dump:\n0.\tProgram arguments: ld.lld\n #1 0x00007f llvm::lto::f() (/a.so+0x2)\n"
         "clang: error: linker command failed due to signal (use -v to see invocation)\n",
         OUTCOME_ICE, NULL, "crash; llvm::lto::f"},
        {1, "gcc: internal compiler error: Segmentation fault signal terminated program cc1\n",
         OUTCOME_ICE, NULL, "Segmentation fault signal terminated program cc1"},
        {1, "", OUTCOME_CRASHED, NULL, "exit status 1 without a word"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        check_failure(SYS_EXITED, rows[i].code, rows[i].err, rows[i].kind, rows[i].message,
                      rows[i].signature);
    check_failure(SYS_SIGNALLED, SIGSEGV, "", OUTCOME_CRASHED, "SIGSEGV", "SIGSEGV");
    check_failure(SYS_SIGNALLED, SIGABRT, "tcc: /a/b/tccgen.c:99: f: died at 0x7fff12\n",
                  OUTCOME_CRASHED, NULL, "SIGABRT: tcc: tccgen.c:99: f: died at ADDR");
    check_failure(SYS_TIMEOUT, 0, "", OUTCOME_HANG, NULL, "hang");
    check_failure(SYS_NOT_STARTED, 0, "", OUTCOME_ENVIRONMENT, NULL, "");
}

static void floating_values_are_rounded_plainly(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"gcc -O2", "gcc -O2", "gcc"},
        {"gcc -m32 -O2", "gcc -m32 -O2 -msse2 -mfpmath=sse", "gcc -m32 -msse2 -mfpmath=sse"},
        {"/x/aarch64-linux-gnu-gcc -O2", "/x/aarch64-linux-gnu-gcc -O2 -ffp-contract=off",
         "/x/aarch64-linux-gnu-gcc -ffp-contract=off"},
        {"m68k-linux-gnu-gcc", "m68k-linux-gnu-gcc -m68040", "m68k-linux-gnu-gcc -m68040"},
        {"alpha-linux-gnu-gcc", "alpha-linux-gnu-gcc", "alpha-linux-gnu-gcc"},
        {"gcc -Ofast -mfma", "gcc -O3 -mfma -ffp-contract=off", "gcc -mfma -ffp-contract=off"},
        {"clang -ffast-math -O1", "clang -O1", "clang"},
        {"gcc -mfma -ffp-contract=fast", "gcc -mfma -ffp-contract=off",
         "gcc -mfma -ffp-contract=off"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *bare = strcmp(rows[i][0], "gcc -O2") == 0 ? "gcc" : rows[i][0];
        struct cc_config c = {.text = rows[i][0], .compiler = bare};
        c.argv = str_split_command(&arena, rows[i][0], NULL);
        cc_mean_plainly(&arena, &c);
        assert_string_equal(c.text, rows[i][1]);
        assert_string_equal(c.compiler, rows[i][2]);
    }
}

static void configurations_are_taken_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text, *compiler, *level;
        bool sanitized;
    } rows[] = {
        {"gcc -O2", "gcc", "-O2", false},
        {"gcc", "gcc", "", false},
        {"gcc -O1 -m32 -O3 -g", "gcc -m32 -g", "-O3", false},
        {"gcc -fsanitize=address -O1", "gcc -fsanitize=address", "-O1", true},
        {"gcc '-DX=\"a b\"' -Os", "gcc '-DX=\"a b\"'", "-Os", false},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct cc_config c;
        struct err e;
        assert_true(cc_config_parse(&arena, rows[i].text, "", &c, &e));
        assert_string_equal(c.compiler, rows[i].compiler);
        assert_string_equal(c.level, rows[i].level);
        assert_int_equal(c.sanitized, rows[i].sanitized);
    }
    struct cc_config c;
    struct err e;
    assert_false(cc_config_parse(&arena, "", "", &c, &e));
    assert_false(cc_config_parse(&arena, "gcc 'open", "", &c, &e));
    assert_false(cc_config_parse(&arena, "gcc", "no-such-emulator", &c, &e));
}

static void a_command_says_which_machine_it_is_for(void **state)
{
    (void)state;
    static const struct {
        const char *text, *machine;
        bool bare;
    } rows[] = {
        {"gcc", "gcc", true},
        {"gcc -O2", "gcc", false},
        {"/x/s390x-linux-gnu-gcc-12", "s390x-linux-gnu-gcc-12", true},
        {"clang --target=riscv64-linux-gnu", "riscv64-linux-gnu", true},
        {"clang -target arm-linux-gnueabihf", "arm-linux-gnueabihf", true},
        {"clang --target=a --target=b -g", "b", false},
        {"clang -target", "clang", false},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct cc_config c = {.argv = str_split_command(&arena, rows[i].text, NULL)};
        assert_string_equal(cc_config_machine(&c), rows[i].machine);
        assert_int_equal(cc_config_is_bare(&c), rows[i].bare);
    }
    struct cc_config c;
    struct err e;
    /* a machine that nothing here runs, or whose libraries are not here, is compiled for only */
    assert_true(cc_config_parse(&arena, "gcc --target=hexagon -O2", NULL, &c, &e));
    assert_null(c.emulator[0]);
    assert_true(cc_config_parse(&arena, "gcc --target=aarch64-no-such-place", NULL, &c, &e));
    assert_null(c.emulator[0]);
}

static void what_is_composed_runs_where_its_base_does(void **state)
{
    (void)state;
    const char *flags[] = {" -g", "", "-fPIC"};
    struct cc_config base;
    struct err e;
    assert_true(cc_config_parse(&arena, "gcc", "env -i", &base, &e));
    assert_true(cc_compose(&arena, &base, "-O2", flags, LENGTH(flags), &base, &e));
    assert_string_equal(base.text, "gcc -O2 -g -fPIC");
    assert_string_equal(base.emulator[0], "env");
    assert_string_equal(base.emulator[1], "-i");
}

static void machines_are_drawn_that_run_here(void **state)
{
    (void)state;
    struct cc at[] = {
        {.target = "x86_64-linux-gnu", .emulator = "", .runnable = true},
        {.target = "aarch64-linux-gnu", .emulator = "qemu-aarch64", .runnable = true},
        {.target = "riscv64-linux-gnu", .emulator = "qemu-riscv64", .runnable = true},
        {.target = "riscv64-linux-gnu", .emulator = "qemu-riscv64", .runnable = true},
        {.target = "s390x-linux-gnu", .emulator = "qemu-s390x", .runnable = false},
        {.target = "sh4-linux-gnu", .emulator = "qemu-sh4", .runnable = true},
    };
    struct cc_list found = {at, LENGTH(at)};
    bool first[LENGTH(at)] = {false};
    for (uint64_t seed = 0; seed < 64; seed++) {
        struct list triples = {0};
        cc_draw_machines(&arena, &found, rng_seed(seed), 5, &triples);
        assert_int_equal(triples.n, 2);
        assert_string_not_equal(triples.at[0], triples.at[1]);
        for (size_t i = 0; i < LENGTH(at); i++)
            first[i] |= strcmp(triples.at[0], at[i].target) == 0;
    }
    assert_true(first[1] && first[2] && !first[0] && !first[4] && !first[5]);
}

/* ---- who is believed ----------------------------------------------------------------- */

/* One outcome in shorthand: compiler, machine, what it printed; or a kind. */
struct shorthand {
    const char *compiler;
    uint32_t machine;
    const char *out; /* NULL: kind instead */
    enum outcome_kind kind;
    enum sys_end end;
    double seconds;
};

enum { MOST = 8 };
#define PRINTS(c, m, text)                             \
    {                                                  \
        .compiler = (c), .machine = (m), .out = (text) \
    }
#define TAKES(c, m, text, time)                                           \
    {                                                                     \
        .compiler = (c), .machine = (m), .out = (text), .seconds = (time) \
    }
#define CUT_OFF(c, m)                                                  \
    {                                                                  \
        .compiler = (c), .machine = (m), .out = "", .end = SYS_TIMEOUT \
    }
#define ENDS_AS(c, m, what)                                     \
    {                                                           \
        .compiler = (c), .machine = (m), .kind = OUTCOME_##what \
    }

/* What judge_rows is told that each row must do; NULL: nothing. */
static const struct judge_known *const *known_rows;

static struct judgement judge_rows(const struct shorthand *rows, size_t n,
                                   const struct text *expected, uint32_t expected_machine)
{
    static struct cc_config configs[MOST];
    static struct outcome outcomes[MOST];
    static struct outcome_run runs[MOST];
    struct judgement j;
    for (size_t i = 0; i < n; i++) {
        const char *out = rows[i].out;
        configs[i] = (struct cc_config){.text = rows[i].compiler, .compiler = rows[i].compiler};
        runs[i] = (struct outcome_run){.end = rows[i].end,
                                       .out = out,
                                       .out_size = out ? strlen(out) : 0,
                                       .seconds = rows[i].seconds};
        outcomes[i] = (struct outcome){.kind = out ? OUTCOME_BUILT : rows[i].kind,
                                       .machine = rows[i].machine,
                                       .runs = &runs[i],
                                       .run_count = out ? 1 : 0};
    }
    struct judge_case c = {.configs = configs,
                           .outcomes = outcomes,
                           .n = n,
                           .expected = expected,
                           .expected_machine = expected_machine,
                           .known = known_rows,
                           .run_timeout = 10};
    judge_outcomes(&arena, &c, &j);
    return j;
}

static void check_marks(const struct judgement *j, const char *wanted)
{
    static const char letters[] = "ADUNFRS";
    char got[MOST + 1] = "";
    for (size_t i = 0; wanted[i]; i++)
        got[i] = letters[j->marks[i]];
    assert_string_equal(got, wanted);
}

static void majority_counts_compilers_before_levels(void **state)
{
    (void)state;
    const struct shorthand rows[] = {PRINTS("gcc", 1, "x"), PRINTS("gcc", 1, "x"),
                                     PRINTS("gcc", 1, "x"), PRINTS("tcc", 1, "y"),
                                     PRINTS("clang", 1, "y")};
    struct judgement j = judge_rows(rows, 5, NULL, 0);
    check_marks(&j, "DDDAA");
    assert_true(judge_found_something(&j));
}

static void a_tie_is_nobodys_fault(void **state)
{
    (void)state;
    const struct shorthand rows[] = {PRINTS("gcc", 1, "x"), PRINTS("clang", 1, "y")};
    struct judgement j = judge_rows(rows, 2, NULL, 0);
    check_marks(&j, "UU");
    assert_true(judge_found_something(&j));
}

/* A compiler's levels share its vote: two that are split are no majority for either side, and the
 * largest of three is none either. */
static void half_of_the_votes_is_no_majority(void **state)
{
    (void)state;
    const struct shorthand split[] = {PRINTS("gcc", 1, "x"),   PRINTS("gcc", 1, "x"),
                                      PRINTS("gcc", 1, "y"),   PRINTS("clang", 1, "x"),
                                      PRINTS("clang", 1, "y"), PRINTS("clang", 1, "y")};
    struct judgement j = judge_rows(split, 6, NULL, 0);
    check_marks(&j, "UUUUUU");
    const struct shorthand three[] = {PRINTS("gcc", 1, "x"), PRINTS("gcc-11", 1, "x"),
                                      PRINTS("clang", 1, "y"), PRINTS("tcc", 1, "z")};
    j = judge_rows(three, 4, NULL, 0);
    check_marks(&j, "UUUU");
}

static void who_knows_decides_against_the_majority(void **state)
{
    (void)state;
    static const int status = 0;
    struct text out = {.s = "y", .n = 1};
    struct judge_known known = {&out, &status};
    const struct shorthand rows[] = {PRINTS("gcc", 1, "x"), PRINTS("clang", 1, "x"),
                                     PRINTS("tcc", 1, "y"), PRINTS("arm-gcc", 2, "x")};
    const struct judge_known *const all[] = {&known, &known, &known, NULL};
    known_rows = all;
    struct judgement j = judge_rows(rows, 4, NULL, 0);
    check_marks(&j, "DDAN");
    known_rows = NULL;
}

static void machines_are_not_compared(void **state)
{
    (void)state;
    const struct shorthand rows[] = {PRINTS("gcc", 1, "8"), PRINTS("clang", 1, "8"),
                                     PRINTS("gcc -m32", 2, "4")};
    struct judgement j = judge_rows(rows, 3, NULL, 0);
    check_marks(&j, "AAN"); /* nobody to compare the last with */
    assert_false(judge_found_something(&j));
    struct text expected = {.s = "8", .n = 1};
    j = judge_rows(rows, 3, &expected, 0);
    check_marks(&j, "AAD");
    j = judge_rows(rows, 3, &expected, 1);
    check_marks(&j, "AAN");
}

static void expectation_beats_the_majority(void **state)
{
    (void)state;
    const struct shorthand rows[] = {PRINTS("gcc", 1, "x"), PRINTS("clang", 1, "x"),
                                     PRINTS("tcc", 1, "y")};
    struct text expected = {.s = "y", .n = 1};
    struct judgement j = judge_rows(rows, 3, &expected, 0);
    check_marks(&j, "DDA");
}

static void faults_refusals_and_silence(void **state)
{
    (void)state;
    const struct shorthand rows[] = {PRINTS("gcc", 1, "x"), ENDS_AS("a", 1, ICE),
                                     ENDS_AS("b", 1, REJECTED), ENDS_AS("c", 1, ENVIRONMENT),
                                     ENDS_AS("d", 1, NOT_RUN)};
    struct judgement j = judge_rows(rows, 5, NULL, 0);
    check_marks(&j, "NFRSS");
    assert_true(j.no_answer);
    j = judge_rows(rows + 2, 2, NULL, 0);
    check_marks(&j, "RS");
    assert_false(judge_found_something(&j));
}

static void a_time_out_is_a_hang_only_beside_quick_runs(void **state)
{
    (void)state;
    const struct shorthand quick[] = {TAKES("gcc", 1, "x", 0.1), TAKES("clang", 1, "x", 1),
                                      CUT_OFF("tcc", 1)};
    struct judgement j = judge_rows(quick, 3, NULL, 0);
    check_marks(&j, "AAD");
    const struct shorthand slow[] = {TAKES("gcc", 1, "x", 0.1), TAKES("clang", 1, "x", 6),
                                     CUT_OFF("tcc", 1)};
    j = judge_rows(slow, 3, NULL, 0);
    check_marks(&j, "AAS");
    j = judge_rows(slow + 2, 1, NULL, 0);
    check_marks(&j, "S");
    struct text expected = {.s = "x", .n = 1};
    j = judge_rows(slow + 2, 1, &expected, 0);
    check_marks(&j, "D");
}

/* What is kept of a long output is compared, and the rest is not called compared. */
static void long_outputs_are_not_called_compared(void **state)
{
    (void)state;
    struct shorthand rows[] = {PRINTS("gcc", 1, "abcd"), PRINTS("clang", 1, "abc"),
                               PRINTS("tcc", 1, "abd")};
    for (size_t i = 0; i < 3; i++)
        rows[i].end = SYS_OUTPUT_LONG;
    struct judgement j = judge_rows(rows, 2, NULL, 0);
    check_marks(&j, "SS");
    assert_true(j.cut_short && !j.too_slow && !judge_found_something(&j));
    j = judge_rows(rows, 3, NULL, 0);
    check_marks(&j, "AAD");
    struct text expected = {.s = "abcde", .n = 5};
    j = judge_rows(rows, 3, &expected, 0);
    check_marks(&j, "SSD");
    rows[1].end = SYS_EXITED; /* it ends, the other does not */
    j = judge_rows(rows, 2, NULL, 0);
    check_marks(&j, "UU");
}

static void extremes_are_against_the_same_compiler(void **state)
{
    (void)state;
    struct cc_config configs[4];
    struct outcome outcomes[4];
    struct outcome_run run = {.out = ""};
    struct judgement j;
    for (size_t i = 0; i < 4; i++) {
        configs[i] = (struct cc_config){.compiler = "gcc"};
        outcomes[i] = (struct outcome){.kind = OUTCOME_BUILT,
                                       .runs = &run,
                                       .run_count = 1,
                                       .compile_cpu = i == 2 ? 5 : 0.3,
                                       .compile_memory = i == 3 ? 900000000 : 40000000};
    }
    struct judge_case c = {.configs = configs, .outcomes = outcomes, .n = 4, .run_timeout = 10};
    judge_outcomes(&arena, &c, &j);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(j.slow[i], i == 2);
        assert_int_equal(j.large[i], i == 3);
    }
}

/* ---- drawn configurations ------------------------------------------------------------- */

static bool has_word(const struct cc_config *c, const char *prefix)
{
    for (size_t i = 1; c->argv[i]; i++)
        if (str_has_prefix(c->argv[i], prefix))
            return true;
    return false;
}

/* Nothing in it changes what a program means, an architecture keeps its hands off the rounding, and
 * no option is given twice. */
static void check_draw(enum cc_class class, const struct cc_drawn *d)
{
    static const char *const wrong[] = {"-ffast-math",        "-funsafe-math",     "-ftrapv",
                                        "-fno-signed-zeros",  "-fshort-enums",     "-fpack-struct",
                                        "-ffp-contract=fast", "-freciprocal-math", "-Ofast",
                                        "-fno-trapping-math", "-fsingle-precision"};
    assert_true(has_word(&d->config, "-O"));
    for (size_t i = 0; i < LENGTH(wrong); i++)
        assert_false(has_word(&d->config, wrong[i]));
    bool runs = cc_class_runs(class);
    if (runs) /* here, and as an lp64 machine does */
        assert_false(has_word(&d->config, "--target=") || has_word(&d->config, "-m32"));
    if (runs && (has_word(&d->config, "-march=") || has_word(&d->config, "-mavx")))
        assert_true(has_word(&d->config, "-ffp-contract=off"));
    for (size_t i = 0; i < d->n; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(d->flags[i], d->flags[k]);
}

static void draws_keep_the_meaning_and_repeat(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        enum cc_family family;
    } rows[] = {{"gcc", CC_FAMILY_GCC}, {"clang-19", CC_FAMILY_CLANG}};
    struct cc_labs labs;
    struct err e;
    struct list never = {0};
    list_add(&arena, &never, "-flto*");
    assert_true(cc_labs_open(&labs, &(struct cc_lab_options){.count = 1}, &e));
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct cc_config base;
        struct cc_pool pool;
        size_t kinds[CC_FLAG_KINDS] = {0};
        assert_true(cc_config_parse(&arena, rows[i].command, "", &base, &e));
        assert_true(cc_pool_learn(&arena, &labs.at[0], &base, rows[i].family, &never, &pool, &e));
        for (size_t k = 0; k < pool.n; k++) {
            kinds[pool.at[k].kind]++;
            assert_false(str_has_prefix(pool.at[k].text, "-flto"));
        }
        assert_true(kinds[CC_FLAG_LEVEL] >= 5 && kinds[CC_FLAG_MODE] >= 5);
        assert_true(kinds[CC_FLAG_TOGGLE] >= 10 && kinds[CC_FLAG_VALUE] >= 20);
        assert_true(kinds[CC_FLAG_TARGET] >= 3 && kinds[CC_FLAG_NARROW] >= 1);
        assert_true(cc_pool_offers(&pool, CC_CLASS_NARROW));
        assert_false(cc_pool_offers(&(struct cc_pool){pool.at, 1}, CC_CLASS_NARROW));
        /* what is for one machine already gets no other */
        struct cc_config bound;
        struct cc_pool fewer;
        assert_true(cc_config_parse(&arena, arena_printf(&arena, "%s -m64", rows[i].command), "",
                                    &bound, &e));
        assert_true(cc_pool_learn(&arena, &labs.at[0], &bound, rows[i].family, &never, &fewer, &e));
        assert_false(cc_pool_offers(&fewer, CC_CLASS_NARROW));
        assert_false(cc_pool_offers(&fewer, CC_CLASS_TARGET));
        for (uint64_t seed = 0; seed < 1000; seed++) {
            struct cc_drawn once, again;
            enum cc_class class = (enum cc_class)(seed % CC_CLASS_COUNT);
            assert_true(cc_draw(&arena, &pool, &base, class, rng_seed(seed), &once, &e));
            assert_true(cc_draw(&arena, &pool, &base, class, rng_seed(seed), &again, &e));
            assert_string_equal(once.config.text, again.config.text);
            check_draw(class, &once);
        }
    }
    cc_labs_close(&labs);
}

/* What a compiler refuses is not in its pool; a family without flags has none. */
static void what_is_refused_is_not_drawn(void **state)
{
    (void)state;
    struct cc_labs labs;
    struct cc_config base;
    struct cc_pool pool;
    struct err e;
    assert_true(cc_labs_open(&labs, &(struct cc_lab_options){.count = 1}, &e));
    const char *picky = arena_printf(&arena, "%s/picky", labs.scratch.path);
    static const char script[] = "#!/bin/sh\nfor a; do case $a in -O3|-fPIC|-fira-region=all) echo "
                                 "\"error: no $a\" >&2; exit 1;; esac; done\nexec gcc \"$@\"\n";
    assert_true(sys_write_file(picky, script, sizeof script - 1, &e));
    assert_int_equal(chmod(picky, 0755), 0);
    assert_true(cc_config_parse(&arena, picky, "", &base, &e));
    assert_true(cc_pool_learn(&arena, &labs.at[0], &base, CC_FAMILY_GCC, NULL, &pool, &e));
    assert_true(pool.n > 50);
    for (size_t i = 0; i < pool.n; i++) {
        assert_string_not_equal(pool.at[i].text, "-O3");
        assert_string_not_equal(pool.at[i].text, "-fPIC");
        assert_string_not_equal(pool.at[i].text, "-fira-region=all");
    }
    assert_true(cc_pool_learn(&arena, &labs.at[0], &base, CC_FAMILY_TCC, NULL, &pool, &e));
    assert_int_equal(pool.n, 0);
    cc_labs_close(&labs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_are_told_apart),
        cmocka_unit_test(complaints_on_stdout_are_words),
        cmocka_unit_test(configurations_are_taken_apart),
        cmocka_unit_test(floating_values_are_rounded_plainly),
        cmocka_unit_test(majority_counts_compilers_before_levels),
        cmocka_unit_test(a_tie_is_nobodys_fault),
        cmocka_unit_test(half_of_the_votes_is_no_majority),
        cmocka_unit_test(who_knows_decides_against_the_majority),
        cmocka_unit_test(machines_are_not_compared),
        cmocka_unit_test(expectation_beats_the_majority),
        cmocka_unit_test(faults_refusals_and_silence),
        cmocka_unit_test(a_time_out_is_a_hang_only_beside_quick_runs),
        cmocka_unit_test(long_outputs_are_not_called_compared),
        cmocka_unit_test(extremes_are_against_the_same_compiler),
        cmocka_unit_test(a_command_says_which_machine_it_is_for),
        cmocka_unit_test(what_is_composed_runs_where_its_base_does),
        cmocka_unit_test(machines_are_drawn_that_run_here),
        cmocka_unit_test(draws_keep_the_meaning_and_repeat),
        cmocka_unit_test(what_is_refused_is_not_drawn),
    };
    return cmocka_run_group_tests_name("cc", tests, NULL, free_arena);
}
