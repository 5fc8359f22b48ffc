/* The same question as a shell script, for reducers that know nothing of verdicts: it looks at the
 * files in the current folder and exits 0 while they are interesting.  What runs is guarded by
 * sanitizers, after the comparison, as the reducers' manuals advise. */
#include "keep/private.h"

#include <string.h>

static void put_command(const struct keep *k, const struct cc_config *config, const char *more,
                        const char *made, struct text *out)
{
    str_join_command(out, config->argv);
    text_puts(out, more);
    for (size_t i = 0; i < k->o.count; i++) {
        text_putc(out, ' ');
        str_join_command(out, (char *[]){(char *)k->o.names[i], NULL});
    }
    text_printf(out, " -o %s", made);
}

static void put_run(const struct keep *k, const char *program, const char *output, struct text *out)
{
    text_printf(out, "timeout %g ", k->o.run_timeout);
    for (char *const *word = k->config.emulator; *word; word++)
        text_printf(out, "%s ", *word);
    text_printf(out, "%s", program);
    if (k->o.args && k->o.args[0]) {
        text_putc(out, ' ');
        str_join_command(out, k->o.args);
    }
    text_printf(out, " <%s >%s 2>%s.err\n", k->o.input ? k->o.input : "/dev/null", output, output);
    text_printf(out, "echo \"status $?\" >>%s\n", output);
}

/* The program does one thing here and another one there. */
static void put_difference(const struct keep *k, struct text *out)
{
    put_command(k, &k->reference, " -w", "./right -lm 2>/dev/null || exit 1\n", out);
    put_run(k, "./right", "right.out", out);
    put_command(k, &k->config, " -w", "./wrong -lm 2>/dev/null || exit 1\n", out);
    put_run(k, "./wrong", "wrong.out", out);
    const char *right = k->verdict == VERDICT_PROGRAM_CRASH  ? "grep -q '^status 1[3-4]' wrong.out"
                        : k->verdict == VERDICT_PROGRAM_HANG ? "grep -q '^status 124' wrong.out"
                                                             : "! cmp -s right.out wrong.out";
    text_printf(out, "%s || exit 1\ngrep -q '^status 1[2-9][0-9]' right.out && exit 1\n", right);
}

static void put_guards(const struct keep *k, struct text *out)
{
    const struct cc_config *all[] = {k->tools.gcc_san, k->tools.clang_san, k->tools.clang_msan};
    for (size_t i = 0; i < LENGTH(all); i++) {
        if (!all[i])
            continue;
        put_command(k, all[i], " -w", "./checked -lm 2>/dev/null || exit 1\n", out);
        put_run(k, "./checked", "checked.out", out);
        text_puts(out,
                  "[ -s checked.out.err ] && exit 1\ncmp -s right.out checked.out || exit 1\n");
    }
}

/* The longest part of the signature that the compiler itself wrote, in one piece; NULL when there
 * is none: addresses and numbers, and what was joined from several lines, are left out. */
static const char *literal_part(const struct keep *k, struct arena *a)
{
    static const char *const seams[] = {"ADDR", "#", "; ", " at "};
    const char *best = "", *at = k->signature;
    size_t most = 0;
    if (strstr(at, "without a word")) /* so we say; the compiler wrote nothing */
        return NULL;
    while (*at) {
        size_t n = strlen(at), skip = 0;
        for (size_t i = 0; i < LENGTH(seams); i++) {
            const char *seam = strstr(at, seams[i]);
            if (seam && (size_t)(seam - at) < n) {
                n = (size_t)(seam - at);
                skip = strlen(seams[i]);
            }
        }
        if (n > most) {
            best = at;
            most = n;
        }
        at += n + skip;
    }
    const char *part = arena_copy(a, best, most);
    return most > 3 && strstr(k->message, part) ? part : NULL;
}

static void put_crash(struct keep *k, struct text *out)
{
    const char *part = literal_part(k, &k->arena);
    if (!part) {
        text_puts(
            out, "[ $status -ge 124 ] || { [ $status != 0 ] && ! grep -q error log; } || exit 1\n");
        return;
    }
    text_puts(out, "[ $status != 0 ] && grep -qF -- ");
    str_join_command(out, (char *[]){(char *)part, NULL});
    text_puts(out, " log || exit 1\n");
}

/* How the compiler fails, as far as a shell sees it. */
static void put_failure(struct keep *k, struct text *out)
{
    bool endless = k->verdict == VERDICT_COMPILER_HANG || k->verdict == VERDICT_SLOW_COMPILE;
    double seconds = k->verdict == VERDICT_SLOW_COMPILE ? k->limit : k->o.compile_timeout;
    text_printf(out, "timeout %g ", seconds);
    put_command(k, &k->config, " -c", "made.o >log 2>&1\nstatus=$?\n", out);
    if (endless)
        text_puts(out, "[ $status = 124 ] || exit 1\n");
    else if (k->verdict == VERDICT_COMPILER_CRASH)
        put_crash(k, out);
    else
        text_puts(out, "[ $status != 0 ] && grep -q error log || exit 1\n");
}

/* The reference takes it, and so it is C: without functions and types that are not declared. */
static void put_reference(const struct keep *k, struct text *out)
{
    struct text flags = {0};
    bool warns = keep_is_gcc_or_clang(&k->reference);
    if (warns)
        text_puts(&flags, " -Werror=implicit-int -Werror=implicit-function-declaration");
    text_puts(&flags, warns && k->check_only ? " -fsyntax-only" : " -c");
    put_command(k, &k->reference, text_str(&flags), "right.o >/dev/null 2>&1 || exit 1\n", out);
    text_free(&flags);
}

bool keep_write_script(struct keep *k, struct text *out, struct err *e)
{
    bool runs = verdict_info(k->verdict)->subject == SUBJECT_RUN;
    if (runs && !k->has_reference)
        return fail(e, "no compiler is right about it, so a script has nothing to compare with: "
                       "name one with --against");
    if (k->verdict == VERDICT_UNSTABLE_CODE || k->verdict == VERDICT_LARGE_COMPILE ||
        k->verdict == VERDICT_DEBUG_CODE || judge_is_about_volatiles(k->verdict))
        return fail(e, "a verdict that a plain script cannot see: %s",
                    verdict_info(k->verdict)->name);
    keep_find_tools(k);
    text_printf(out, "#!/bin/sh\n# Exits 0 while the files here show: %s\n", k->phrase);
    if (runs) {
        put_difference(k, out);
        put_guards(k, out);
    } else {
        put_failure(k, out);
        if (k->has_reference)
            put_reference(k, out);
    }
    text_puts(out, "exit 0\n");
    return true;
}
