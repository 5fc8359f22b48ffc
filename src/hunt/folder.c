/* A finding as a folder that people and scripts can use without cupel. */
#include "hunt/private.h"

#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- JSON ---------------------------------------------------------------------------- */

json_t *json_of_bytes(const char *bytes, size_t n)
{
    struct text t = {0};
    text_add_latin1(&t, bytes, n);
    json_t *j = json_stringn(text_str(&t), t.n);
    text_free(&t);
    return j;
}

void bytes_of_json(const json_t *j, struct text *out)
{
    if (json_is_string(j))
        text_add_from_latin1(out, json_string_value(j), json_string_length(j));
}

const char *json_text(const json_t *j, const char *key)
{
    const char *s = json_string_value(json_object_get(j, key));
    return s ? s : "";
}

/* ---- reproduce.sh -------------------------------------------------------------------- */

/* A word for the shell. */
static void put_word(struct text *out, const char *word)
{
    char *words[] = {(char *)word, NULL};
    str_join_command(out, words);
}

static void put_opening(const json_t *f, uint64_t id, struct text *out)
{
    struct arena a = {0};
    char **words = str_split_command(&a, json_text(f, "config"), NULL);
    text_printf(out,
                "#!/bin/sh\n# %s: %s\n#\n# Exit status: 1 while the bug is there, 0 when it is "
                "gone, 2 when that cannot be seen.\n# CC=another-compiler ./reproduce.sh tries "
                "another one with the same flags.\n",
                json_text(f, "verdict"), json_text(f, "config"));
    (void)id;
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

static void put_compile(const json_t *f, struct text *out)
{
    bool only = json_is_true(json_object_get(f, "compile_only"));
    text_printf(out,
                "compile() { timeout %.0f \"$cc\" \"$@\" %sprogram.c -o \"$tmp/program\"%s"
                " 2>\"$tmp/err\"; }\n",
                4 * json_real_value(json_object_get(f, "compile_timeout")), only ? "-c " : "",
                only ? "" : " -lm");
}

typedef void end_fn(const json_t *f, struct text *out);

static void end_run(const json_t *f, struct text *out)
{
    text_printf(out,
                "compile \"$@\" || { head -3 \"$tmp/err\"; exit 2; }\n"
                "(ulimit -t %.0f; exec %s%s\"$tmp/program\" </dev/null) >\"$tmp/out\"\n"
                "status=$?\n"
                "[ $status -eq %d ] && cmp -s \"$tmp/out\" expected.txt && gone \"as expected\"\n"
                "there \"exit status $status, output: $(head -c 200 \"$tmp/out\" | tr -c "
                "'[:print:]' ' ')\"\n",
                json_real_value(json_object_get(f, "run_timeout")) + 1, json_text(f, "emulator"),
                *json_text(f, "emulator") ? " " : "",
                (int)json_integer_value(json_object_get(f, "status")));
}

static void end_fault(const json_t *f, struct text *out)
{
    (void)f;
    text_puts(out, "compile \"$@\" && gone \"it compiles\"\n"
                   "status=$?\n[ $status -ne 124 ] || { echo \"it hangs now\"; exit 2; }\n"
                   "there \"exit status $status: $(grep -m1 -iE "
                   "'internal|error|assert|dump' \"$tmp/err\")\"\n");
}

static void end_hang(const json_t *f, struct text *out)
{
    (void)f;
    text_puts(out,
              "compile \"$@\"\n[ $? -ne 124 ] && gone \"it ends\"\nthere \"it does not end\"\n");
}

static void end_slow(const json_t *f, struct text *out)
{
    double limit = json_real_value(json_object_get(f, "limit"));
    text_printf(out,
                "(ulimit -t %.0f; compile \"$@\") && gone \"it compiles in less than %.0f s\"\n"
                "there \"it takes more than %.0f s\"\n",
                limit + 1, limit + 1, limit + 1);
}

static void end_large(const json_t *f, struct text *out)
{
    double limit = json_real_value(json_object_get(f, "limit"));
    limit = limit > 0 ? limit : 4e9;
    text_printf(out,
                "(ulimit -v %.0f; compile \"$@\") && gone \"it compiles with %.0f MB\"\n"
                "there \"it needs more than %.0f MB\"\n",
                limit / 1024, limit / 1e6, limit / 1e6);
}

static void end_unstable(const json_t *f, struct text *out)
{
    (void)f;
    text_puts(out, "for i in 1 2 3 4 5; do\n"
                   "    \"$cc\" \"$@\" -c program.c -o \"$tmp/o\" 2>\"$tmp/err\" || exit 2\n"
                   "    cksum <\"$tmp/o\"\ndone | sort -u >\"$tmp/sums\"\n"
                   "[ \"$(wc -l <\"$tmp/sums\")\" -eq 1 ] && gone \"five objects are the same\"\n"
                   "there \"five compilations give $(wc -l <\"$tmp/sums\") objects\"\n");
}

static end_fn *const ends[VERDICT_COUNT] = {
    [VERDICT_WRONG_CODE] = end_run,         [VERDICT_PROGRAM_CRASH] = end_run,
    [VERDICT_PROGRAM_HANG] = end_run,       [VERDICT_COMPILER_CRASH] = end_fault,
    [VERDICT_COMPILER_HANG] = end_hang,     [VERDICT_SLOW_COMPILE] = end_slow,
    [VERDICT_LARGE_COMPILE] = end_large,    [VERDICT_REJECTS_VALID] = end_fault,
    [VERDICT_UNSTABLE_CODE] = end_unstable,
};

static void put_script(const json_t *f, uint64_t id, struct text *out)
{
    enum verdict v = verdict_named(json_text(f, "verdict"));
    put_opening(f, id, out);
    put_compile(f, out);
    ends[v == VERDICT_NONE ? VERDICT_WRONG_CODE : v](f, out);
}

/* ---- report.txt ---------------------------------------------------------------------- */

static void put_evidence(const json_t *f, struct text *out)
{
    size_t i;
    json_t *rung;
    text_printf(out, "\nEvidence (%s):\n", json_text(f, "grade"));
    json_array_foreach(json_object_get(f, "evidence"), i, rung)
    {
        const char *note = json_text(rung, "note");
        text_printf(out, "  %-8s %s%s%s\n", json_text(rung, "state"), json_text(rung, "rung"),
                    *note ? ": " : "", note);
    }
}

static void put_report(const json_t *f, uint64_t id, struct text *out)
{
    const json_t *actual = json_object_get(f, "actual"), *affected = json_object_get(f, "affected");
    enum verdict v = verdict_named(json_text(f, "verdict"));
    size_t i;
    json_t *config;
    text_printf(out, "Finding %llu: %s: %s\n\n", (unsigned long long)id, json_text(f, "verdict"),
                verdict_info(v)->phrase);
    text_printf(out, "Compiler:  %s\nCommand:   %s\nVersion:   %s\nLevels:    %s\n",
                json_text(f, "compiler"), json_text(f, "command"), json_text(f, "version"),
                *json_text(f, "levels") ? json_text(f, "levels") : "(none given)");
    if (*json_text(f, "signature"))
        text_printf(out, "Signature: %s\n", json_text(f, "signature"));
    text_printf(out, "Program:   program.c, from: %s\n", json_text(f, "seed"));
    if (json_object_get(f, "original"))
        text_puts(out, "Made from: original.c; what was changed: variant.diff\n");
    if (verdict_info(v)->subject == SUBJECT_RUN)
        text_printf(out, "Expected:  exit status %d and expected.txt\n",
                    (int)json_integer_value(json_object_get(f, "status")));
    text_printf(out, "Happens:   %s%s%s\n", json_text(actual, "end"),
                *json_text(actual, "message") ? ": " : "", json_text(actual, "message"));
    if (json_array_size(affected)) {
        text_puts(out, "Also with: ");
        json_array_foreach(affected, i, config)
            text_printf(out, "%s%s", i ? ", " : "", json_string_value(config));
        text_putc(out, '\n');
    }
    put_evidence(f, out);
    text_puts(out, "\nShow it again: ./reproduce.sh\n");
}

/* ---- files --------------------------------------------------------------------------- */

static bool write_text(const char *folder, const char *name, struct text *t, struct err *e)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    bool ok = sys_write_file(path, text_str(t), t->n, e);
    if (ok && str_has_suffix(name, ".sh"))
        chmod(path, 0755);
    text_clear(t);
    return ok;
}

/* Of a variant: what it was made from, and what was changed. */
static bool write_original(const char *folder, const json_t *f, struct err *e)
{
    struct text before = {0}, after = {0}, diff = {0};
    bytes_of_json(json_object_get(f, "original"), &before);
    bytes_of_json(json_object_get(f, "program"), &after);
    bool ok = true;
    if (before.n) {
        text_diff(&before, &after, "original.c", "program.c", &diff);
        ok = write_text(folder, "original.c", &before, e) &&
             write_text(folder, "variant.diff", &diff, e);
    }
    text_free(&before);
    text_free(&after);
    text_free(&diff);
    return ok;
}

static bool write_all(const char *folder, const json_t *f, uint64_t id, struct err *e)
{
    struct text t = {0};
    const json_t *actual = json_object_get(f, "actual");
    bool ok = sys_make_dirs(folder, e);
    bytes_of_json(json_object_get(f, "program"), &t);
    ok = ok && write_text(folder, "program.c", &t, e);
    if (ok && json_is_true(json_object_get(f, "runs"))) {
        bytes_of_json(json_object_get(f, "expected"), &t);
        ok = write_text(folder, "expected.txt", &t, e);
        bytes_of_json(json_object_get(actual, "output"), &t);
        ok = ok && write_text(folder, "actual.txt", &t, e);
    }
    ok = ok && write_original(folder, f, e);
    put_script(f, id, &t);
    ok = ok && write_text(folder, "reproduce.sh", &t, e);
    put_report(f, id, &t);
    ok = ok && write_text(folder, "report.txt", &t, e);
    char *json = json_dumps(f, JSON_INDENT(2));
    text_puts(&t, json ? json : "{}");
    text_putc(&t, '\n');
    free(json);
    ok = ok && write_text(folder, "finding.json", &t, e);
    text_free(&t);
    return ok;
}

bool folder_write(const char *dir, uint64_t id, const json_t *finding, struct err *e)
{
    char path[600];
    snprintf(path, sizeof path, "%s/findings/%llu", dir, (unsigned long long)id);
    return sys_remove_tree(path, e) && write_all(path, finding, id, e);
}

bool folder_write_doubt(const char *dir, const json_t *finding, struct err *e)
{
    char path[600];
    snprintf(path, sizeof path, "%s/doubts/%s-%lld", dir, json_text(finding, "strategy"),
             (long long)json_integer_value(json_object_get(finding, "number")));
    return write_all(path, finding, 0, e);
}

bool folder_is_there(const char *dir, uint64_t id)
{
    char path[600];
    snprintf(path, sizeof path, "%s/findings/%llu/reproduce.sh", dir, (unsigned long long)id);
    return access(path, R_OK) == 0;
}
