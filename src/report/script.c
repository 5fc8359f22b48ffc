/* reproduce.sh: a shell script that shows a finding again with nothing but the compiler.  Its end
 * depends on the verdict: script_X for the column `script` of verdict.def. */
#include "report/report.h"

/* A word for the shell. */
static void put_word(struct text *out, const char *word)
{
    char *words[] = {(char *)word, NULL};
    str_join_command(out, words);
}

static void put_opening(const struct finding *f, struct text *out)
{
    struct arena a = {0};
    char **words = str_split_command(&a, f->claim.config, NULL);
    text_printf(out,
                "#!/bin/sh\n# %s: %s\n#\n# Exit status: 1 while the bug is there, 0 when it is "
                "gone, 2 when that cannot be seen.\n# CC=another-compiler ./reproduce.sh tries "
                "another one with the same flags.\n",
                verdict_info(f->claim.verdict)->name, f->claim.config);
    text_puts(out, "cd \"$(dirname \"$0\")\" || exit 2\ncc=${CC:-");
    put_word(out, words && words[0] ? words[0] : "cc");
    text_puts(out, "}\nset --");
    for (size_t i = 1; words && words[i]; i++) {
        text_putc(out, ' ');
        put_word(out, words[i]);
    }
    text_puts(out, "\ncommand -v \"$cc\" >/dev/null || { echo \"no $cc here\"; exit 2; }\n"
                   "tmp=$(mktemp -d) || exit 2\ntrap 'rm -rf \"$tmp\"' EXIT\n"
                   "gone() { echo \"gone: $1\"; exit 0; }\n"
                   "there() { echo \"still there: $1\"; exit 1; }\n");
    arena_free(&a);
}

static void put_compile(const struct finding *f, struct text *out)
{
    bool only = f->subject.compile_only;
    text_printf(out,
                "compile() { timeout %.0f \"$cc\" \"$@\" %sprogram.c -o \"$tmp/program\"%s"
                " 2>\"$tmp/err\"; }\n",
                4 * f->again.compile_timeout, only ? "-c " : "", only ? "" : " -lm");
}

/* ---- the ends ------------------------------------------------------------------------ */

typedef void script_fn(const struct finding *f, struct text *out);
#define VERDICT(id, name, subject, signature, shown, again, cost, script, worth, phrase) \
    static script_fn script_##script;
#include "judge/verdict.def"

static void script_RUN(const struct finding *f, struct text *out)
{
    text_printf(out,
                "compile \"$@\" || { head -3 \"$tmp/err\"; exit 2; }\n"
                "(ulimit -t %.0f; exec %s%s\"$tmp/program\" </dev/null) >\"$tmp/out\"\n"
                "status=$?\n"
                "[ $status -eq %d ] && cmp -s \"$tmp/out\" expected.txt && gone \"as expected\"\n"
                "there \"exit status $status, output: $(head -c 200 \"$tmp/out\" | tr -c "
                "'[:print:]' ' ')\"\n",
                f->again.run_timeout + 1, f->again.emulator, *f->again.emulator ? " " : "",
                f->subject.status);
}

static void script_FAULT(const struct finding *f, struct text *out)
{
    (void)f;
    text_puts(out, "compile \"$@\" && gone \"it compiles\"\n"
                   "status=$?\n[ $status -ne 124 ] || { echo \"it hangs now\"; exit 2; }\n"
                   "there \"exit status $status: $(grep -m1 -iE "
                   "'internal|error|assert|dump' \"$tmp/err\")\"\n");
}

static void script_HANG(const struct finding *f, struct text *out)
{
    (void)f;
    text_puts(out,
              "compile \"$@\"\n[ $? -ne 124 ] && gone \"it ends\"\nthere \"it does not end\"\n");
}

static void script_SLOW(const struct finding *f, struct text *out)
{
    double limit = f->claim.limit + 1;
    text_printf(out,
                "(ulimit -t %.0f; compile \"$@\") && gone \"it compiles in less than %.0f s\"\n"
                "there \"it takes more than %.0f s\"\n",
                limit, limit, limit);
}

static void script_LARGE(const struct finding *f, struct text *out)
{
    double limit = f->claim.limit > 0 ? f->claim.limit : 4e9;
    text_printf(out,
                "(ulimit -v %.0f; compile \"$@\") && gone \"it compiles with %.0f MB\"\n"
                "there \"it needs more than %.0f MB\"\n",
                limit / 1024, limit / 1e6, limit / 1e6);
}

/* $said is 1 when a sanitizer has reported something. */
static void put_sanitized_run(const struct finding *f, struct text *out)
{
    text_printf(out,
                "compile \"$@\" || { head -3 \"$tmp/err\"; exit 2; }\n"
                "(ulimit -t %.0f; exec \"$tmp/program\" </dev/null) >\"$tmp/out\" 2>\"$tmp/said\"\n"
                "said=0\ngrep -qE 'runtime error: |(Address|Memory)Sanitizer: ' \"$tmp/said\" && "
                "said=1\n",
                f->again.run_timeout + 1);
}

static void script_REPORT(const struct finding *f, struct text *out)
{
    put_sanitized_run(f, out);
    text_puts(out, "[ $said -eq 0 ] && gone \"it reports nothing\"\n"
                   "there \"it reports: $(head -1 \"$tmp/said\")\"\n");
}

static void script_SILENT(const struct finding *f, struct text *out)
{
    put_sanitized_run(f, out);
    text_puts(out, "[ $said -eq 1 ] && gone \"it is reported\"\nthere \"it reports nothing\"\n");
}

static void script_UNSTABLE(const struct finding *f, struct text *out)
{
    (void)f;
    text_puts(out, "for i in 1 2 3 4 5; do\n"
                   "    \"$cc\" \"$@\" -c program.c -o \"$tmp/o\" 2>\"$tmp/err\" || exit 2\n"
                   "    cksum <\"$tmp/o\"\ndone | sort -u >\"$tmp/sums\"\n"
                   "[ \"$(wc -l <\"$tmp/sums\")\" -eq 1 ] && gone \"five objects are the same\"\n"
                   "there \"five compilations give $(wc -l <\"$tmp/sums\") objects\"\n");
}

/* Accesses are seen by cupel only. */
static void script_VOLATILE(const struct finding *f, struct text *out)
{
    (void)f;
    text_puts(out, "cupel=${CUPEL:-cupel}\n"
                   "command -v \"$cupel\" >/dev/null || { echo \"no $cupel here, which alone sees"
                   " volatile accesses: try CUPEL=/where/it/is/cupel $0\"; exit 2; }\n"
                   "\"$cupel\" volatile program.c --cc \"$cc $*\" >\"$tmp/said\" 2>\"$tmp/err\"\n"
                   "case $? in\n"
                   "0) gone \"the accesses are those of the program\" ;;\n"
                   "1) there \"$(cat \"$tmp/said\")\" ;;\n"
                   "*) head -3 \"$tmp/err\" \"$tmp/said\"; exit 2 ;;\nesac\n");
}

/* Counts the instructions of main, or of the function that is given pointers; of a call that no
 * execution makes, looks for it. */
static void script_MISSED(const struct finding *f, struct text *out)
{
    text_printf(
        out,
        "\"$cc\" \"$@\" -S program.c -o \"$tmp/program.s\" 2>\"$tmp/err\" || exit 2\n"
        "call=$(sed -n 's|^/. no execution calls \\([a-z0-9]*\\).*|\\1|p' program.c)\n"
        "[ -z \"$call\" ] || ! grep -qw \"$call\" \"$tmp/program.s\" || there \"$call is called\"\n"
        "[ -z \"$call\" ] || gone \"$call is not called\"\n"
        "f=main\ngrep -q '^void compute(' program.c && f=compute\n"
        "n=$(sed -n \"/^$f:/,/\\.size[[:space:]]*$f/p\" \"$tmp/program.s\" |"
        " grep -c '^[[:space:]]\\{1,\\}[a-z]')\n"
        "[ \"$n\" -gt %.0f ] || gone \"$n instructions\"\n"
        "there \"$n instructions, where %.0f are enough\"\n",
        f->claim.limit, f->claim.limit);
}

static void script_LOST(const struct finding *f, struct text *out)
{
    (void)f;
    text_puts(out, "\"$cc\" \"$@\" -S program.c -o \"$tmp/program.s\" 2>\"$tmp/err\" || exit 2\n"
                   "call=$(sed -n 's|^/. the execution calls \\([a-z0-9]*\\).*|\\1|p' program.c)\n"
                   "grep -qw \"$call\" \"$tmp/program.s\" && gone \"$call is called\"\n"
                   "there \"$call is not called\"\n");
}

/* Compares the code of the program as it is with that which it gets with one flag more; of a
 * machine whose instructions objdump does not know, its bytes. */
static void put_compare(const char *flag, const char *words, struct text *out)
{
    text_printf(
        out,
        "for more in '' %s; do\n"
        "    \"$cc\" \"$@\" $more -c program.c -o \"$tmp/o$more\" 2>\"$tmp/err\" || exit 2\n"
        "    objdump -d \"$tmp/o$more\" >\"$tmp/all\" 2>/dev/null ||\n"
        "        objdump -s -j .text \"$tmp/o$more\" >\"$tmp/all\" || exit 2\n"
        "    tail -n +4 \"$tmp/all\" >\"$tmp/code$more\"\ndone\n"
        "cmp -s \"$tmp/code\" \"$tmp/code%s\" && gone \"the same code with %s\"\n"
        "there \"$(diff \"$tmp/code\" \"$tmp/code%s\" | grep -c '^[<>]') lines of code"
        " differ with %s\"\n",
        flag, flag, words, flag, words);
}

static void script_DEBUG(const struct finding *f, struct text *out)
{
    (void)f;
    put_compare("-g", "-g", out);
}

static void script_INITIAL(const struct finding *f, struct text *out)
{
    (void)f;
    put_compare("-DOTHER", "other initial values of volatile objects", out);
}

static script_fn *const ends[VERDICT_COUNT] = {
#define VERDICT(id, name, subject, signature, shown, again, cost, script, worth, phrase) \
    [VERDICT_##id] = script_##script,
#include "judge/verdict.def"
};

void report_script(const struct finding *f, struct text *out)
{
    if (f->claim.verdict == VERDICT_NONE)
        BUG("a finding of which only the key is known cannot be shown again");
    put_opening(f, out);
    put_compile(f, out);
    ends[f->claim.verdict](f, out);
}
