/* What runs in a program that the machine does not run: compiled with marks in it, and run in the
 * sandbox.  There the program, and gcov or llvm-cov behind it, work in one folder that is emptied
 * afterwards; what they print is what we read. */
#include "emi/private.h"

#include "sys/sys.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- jobs ------------------------------------------------------------------------------- */

static bool compile(const struct emi_subject *s, struct cc_lab *lab, char **argv, struct err *e)
{
    struct arena a = {0};
    struct sys_result r = {0};
    struct sys_job job = {
        .action = SYS_EXEC,
        .argv = argv,
        .env = sys_tool_env(&a, lab->dir),
        .dir = lab->dir,
        .rights = SYS_COMPILER,
        .drain_outputs = true,
        .limits = {.wall = 2 * s->from.compile_timeout + 1,
                   .cpu = s->from.compile_timeout,
                   .output = 1 << 16},
    };
    bool ok = sys_run(lab->runner, &job, &r, e);
    if (ok && (r.end != SYS_EXITED || r.code != 0))
        ok = fail(e, "%s does not compile it for coverage: %s", argv[0],
                  *text_str(&r.err) ? str_first_line(&a, text_str(&r.err))
                                    : sys_describe_end(&a, &r));
    sys_result_free(&r);
    arena_free(&a);
    return ok;
}

/* Runs the script, with the program as $0 and its arguments behind; out is what it prints. */
static bool run_script(const struct emi_subject *s, struct cc_lab *lab, const char *script,
                       const char *input, struct text *out, struct err *e)
{
    struct arena a = {0};
    struct list argv = {0};
    struct sys_result r = {0};
    list_add(&a, &argv, "/bin/sh");
    list_add(&a, &argv, "-c");
    list_add(&a, &argv, (char *)script);
    list_add(&a, &argv, arena_printf(&a, "%s/program", lab->dir));
    for (char *const *arg = s->from.args; arg && *arg; arg++)
        list_add(&a, &argv, *arg);
    list_add(&a, &argv, NULL);
    struct sys_job job = {
        .action = SYS_EXEC,
        .argv = (char **)argv.at,
        .env = sys_program_env(&a),
        .input = input,
        .rights = SYS_PROGRAM,
        .limits = {.wall = 4 * s->from.run_timeout + 10,
                   .cpu = 2 * s->from.run_timeout + 5,
                   .output = (uint64_t)64 << 20,
                   .processes = 64},
    };
    bool ok = sys_run(lab->runner, &job, &r, e);
    if (ok && (r.end != SYS_EXITED || r.code != 0))
        ok = fail(e, "%s: no coverage: %s: %s", s->from.file, sys_describe_end(&a, &r),
                  str_first_line(&a, text_str(&r.err)));
    else if (ok)
        text_add(out, text_str(&r.out), r.out.n);
    sys_result_free(&r);
    arena_free(&a);
    return ok;
}

static const char *compiler_of(const struct emi_subject *s, const char *otherwise)
{
    return s->from.cc ? s->from.cc : otherwise;
}

/* Compiles text as lab/program.c into lab/program. */
static bool build(const struct emi_subject *s, struct cc_lab *lab, const struct text *text,
                  const char *compiler, const char *flags, struct err *e)
{
    struct arena a = {0};
    char *file = arena_printf(&a, "%s/program.c", lab->dir);
    char **argv = str_split_command(
        &a, arena_printf(&a, "%s -w -O0 %s program.c -o program -lm", compiler, flags), e);
    bool ok = argv && sys_write_file(file, text_str(text), text->n, e) && compile(s, lab, argv, e);
    arena_free(&a);
    return ok;
}

/* ---- probes ----------------------------------------------------------------------------- */

void emi_probe_prologue(struct text *out, const char *path, uint32_t count)
{
    text_printf(out,
                "static unsigned char cupel_store[%u], *cupel_hits = cupel_store;\n"
                "extern int cupel_open(const char *, int, ...) __asm__(\"open\");\n"
                "extern int cupel_close(int) __asm__(\"close\");\n"
                "extern void *cupel_mmap(void *, unsigned long, int, int, int, long)"
                " __asm__(\"mmap\");\n"
                "extern void cupel_abort(void) __asm__(\"abort\");\n"
                "__attribute__((constructor(101))) static void cupel_start(void)\n"
                "{\n"
                "    unsigned i;\n"
                "    int fd = cupel_open(\"%s\", 2);\n"
                "    void *hits = fd < 0 ? 0 : cupel_mmap(0, %u, 3, 1, fd, 0);\n"
                "    if (!hits || hits == (void *)-1)\n"
                "        cupel_abort();\n"
                "    cupel_close(fd);\n"
                "    cupel_hits = hits;\n"
                "    for (i = 0; i < %u; i++)\n"
                "        if (cupel_store[i])\n"
                "            cupel_hits[i] = 1;\n"
                "    cupel_hits[%u] = 1;\n"
                "}\n",
                count + 1, path, count + 1, count, count);
}

void emi_probe_padding(struct text *out, uint64_t seed)
{
    unsigned size = (unsigned)(seed % 61) + 1;
    text_printf(out,
                "static const char *const cupel_word __attribute__((used)) = \"%.*s\";\n"
                "static const char cupel_constant[%u] __attribute__((used)) = {1};\n"
                "static char cupel_variable[%u] __attribute__((used)) = {1};\n"
                "static char cupel_zeros[%u] __attribute__((used));\n",
                (int)size,
                "cupel's cupel's cupel's cupel's cupel's cupel's cupel's cupel's cupel's", size,
                size, size);
}

static bool run_probes(struct emi_subject *s, struct cc_lab *lab, const struct vary_probes *probes,
                       struct err *e)
{
    struct arena a = {0};
    struct text hits = {0};
    bool ok = true;
    const char *script = arena_printf(
        &a, "head -c %u /dev/zero >cupel.hits; \"$0\" \"$@\" >/dev/null 2>&1; cat cupel.hits",
        probes->count + 1);
    for (size_t i = 0; ok && i < s->run_count; i++) {
        text_clear(&hits);
        ok = run_script(s, lab, script, s->from.inputs ? s->from.inputs[i] : NULL, &hits, e);
        if (ok && (hits.n != probes->count + 1 || !hits.s[probes->count]))
            ok = fail(e, "%s: its probes did not come to life", s->from.file);
        if (ok)
            vary_facts_add_probes(s->facts, probes->probes, probes->count,
                                  (const uint8_t *)text_str(&hits));
    }
    text_free(&hits);
    arena_free(&a);
    return ok;
}

static bool cover_probes(struct emi_subject *s, struct cc_lab *lab, struct err *e)
{
    struct text text = {0};
    uint32_t mark = lang_mark(s->program);
    struct vary_probes probes = vary_probes(s->program, "cupel_hits");
    emi_probe_prologue(&text, "cupel.hits", probes.count);
    if (s->layout)
        emi_probe_padding(&text, hash_pair(s->layout, 0));
    lang_splice(s->program, probes.edits, probes.edit_count, &text);
    lang_release(s->program, mark);
    bool ok = build(s, lab, &text, compiler_of(s, "gcc"), "", e) && run_probes(s, lab, &probes, e);
    text_free(&text);
    return ok;
}

/* ---- lines ------------------------------------------------------------------------------ */

/* The text with its line markers emptied, so that line n is line n of the text. */
static void without_markers(const struct program *p, struct text *out)
{
    const char *line = p->text, *stop = p->text + p->text_size;
    while (line < stop) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        end = end ? end : stop;
        if (!(end - line > 2 && line[0] == '#' && line[1] == ' ' && line[2] >= '0' &&
              line[2] <= '9'))
            text_add(out, line, (size_t)(end - line));
        text_putc(out, '\n');
        line = end + 1;
    }
}

struct line_counts {
    int64_t *at; /* -1: nothing there */
    uint32_t n;
};

static void count_line(struct line_counts *c, uint64_t line, int64_t count)
{
    if (line == 0 || line > c->n)
        return;
    int64_t *at = &c->at[line - 1];
    *at = *at < 0 ? count : *at + count;
}

/* gcov --json-format: {"files": [{"lines": [{"line_number": n, "count": c}]}]} */
static bool read_gcov(const struct text *json, struct line_counts *c, struct err *e)
{
    json_error_t problem;
    json_t *top = json_loadb(text_str(json), json->n, JSON_DISABLE_EOF_CHECK, &problem), *file;
    size_t i;
    if (!top)
        return fail(e, "gcov's JSON: %s", problem.text);
    json_array_foreach(json_object_get(top, "files"), i, file)
    {
        json_t *line;
        size_t k;
        json_array_foreach(json_object_get(file, "lines"), k, line)
            count_line(c, (uint64_t)json_integer_value(json_object_get(line, "line_number")),
                       json_integer_value(json_object_get(line, "count")));
    }
    json_decref(top);
    return true;
}

/* llvm-cov export --format=lcov: lines of DA:number,count */
static bool read_lcov(const struct text *lcov, struct line_counts *c, struct err *e)
{
    bool any = false;
    for (const char *at = text_str(lcov); (at = strstr(at, "DA:")); at += 3) {
        char *comma;
        unsigned long line = strtoul(at + 3, &comma, 10);
        if (*comma == ',' && (at == text_str(lcov) || at[-1] == '\n')) {
            count_line(c, line, (int64_t)strtoull(comma + 1, NULL, 10));
            any = true;
        }
    }
    return any || fail(e, "llvm-cov says nothing");
}

struct line_tool {
    const char *compiler, *flags;
    const char *script; /* see run_script */
    bool (*read)(const struct text *said, struct line_counts *c, struct err *e);
};

/* gcc-12 has gcov-12 */
static char *tool_named(struct arena *a, const char *compiler, const char *word, const char *tool)
{
    const char *slash = strrchr(compiler, '/'), *name = slash ? slash + 1 : compiler;
    const char *at = strstr(name, word);
    char *found = at ? arena_printf(a, "%.*s%s%s", (int)(at - compiler), compiler, tool,
                                    at + strlen(word))
                     : NULL;
    return found && sys_find_program(a, found) ? found : arena_string(a, tool);
}

static bool saw_anything(const struct line_counts *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->at[i] > 0)
            return true;
    return false;
}

static bool cover_lines(struct emi_subject *s, struct cc_lab *lab, const struct line_tool *tool,
                        struct err *e)
{
    struct text text = {0}, said = {0};
    struct arena a = {0};
    struct line_counts counts = {0};
    without_markers(s->program, &text);
    for (size_t i = 0; i < text.n; i++)
        counts.n += text.s[i] == '\n';
    counts.at = NEW_ARRAY(&a, counts.n + 1, int64_t);
    memset(counts.at, 0xff, counts.n * sizeof *counts.at);
    bool ok = build(s, lab, &text, tool->compiler, tool->flags, e);
    for (size_t i = 0; ok && i < s->run_count; i++) {
        text_clear(&said);
        ok = run_script(s, lab, tool->script, s->from.inputs ? s->from.inputs[i] : NULL, &said,
                        e) &&
             tool->read(&said, &counts, e);
        if (ok && !saw_anything(&counts))
            ok = fail(e,
                      "%s: the run left no coverage: a program that aborts leaves none, use "
                      "--facts probes",
                      s->from.file);
    }
    if (ok)
        vary_facts_add_lines(s->facts, s->program, counts.at, counts.n);
    text_free(&text);
    text_free(&said);
    arena_free(&a);
    return ok;
}

static bool cover_gcov(struct emi_subject *s, struct cc_lab *lab, struct err *e)
{
    struct arena a = {0};
    const char *compiler = compiler_of(s, "gcc");
    const char *script = arena_printf(
        &a,
        "d=${0%%/*}; export GCOV_PREFIX=. GCOV_PREFIX_STRIP=99; cp \"$d\"/*.gcno .; "
        "\"$0\" \"$@\" >/dev/null 2>&1; set -- *.gcda; [ -f \"$1\" ] || exit 3; "
        "%s --json-format --stdout \"$1\"",
        tool_named(&a, compiler, "gcc", "gcov"));
    struct line_tool tool = {compiler, "--coverage", script, read_gcov};
    bool ok = cover_lines(s, lab, &tool, e);
    arena_free(&a);
    return ok;
}

static bool cover_clang(struct emi_subject *s, struct cc_lab *lab, struct err *e)
{
    struct arena a = {0};
    const char *compiler = compiler_of(s, "clang");
    const char *script = arena_printf(
        &a,
        "export LLVM_PROFILE_FILE=p.raw; p=$0; \"$0\" \"$@\" >/dev/null 2>&1; [ -f p.raw ] || "
        "exit 3; %s merge p.raw -o p.data && %s export -format=lcov -instr-profile p.data \"$p\"",
        tool_named(&a, compiler, "clang", "llvm-profdata"),
        tool_named(&a, compiler, "clang", "llvm-cov"));
    struct line_tool tool = {compiler, "-fprofile-instr-generate -fcoverage-mapping", script,
                             read_lcov};
    bool ok = cover_lines(s, lab, &tool, e);
    arena_free(&a);
    return ok;
}

bool emi_coverage(struct emi_subject *s, enum emi_source how, struct cc_lab *lab, struct err *e)
{
    bool ok = false;
    switch (how) {
    case EMI_PROBES:
        ok = cover_probes(s, lab, e);
        break;
    case EMI_GCOV:
        ok = cover_gcov(s, lab, e);
        break;
    case EMI_CLANG:
        ok = cover_clang(s, lab, e);
        break;
    default:
        BUG("no coverage by %s", emi_source_name(how));
    }
    sys_empty_folder(lab->dir);
    return ok;
}

static bool adds_to(const struct vary_facts *old, const struct vary_facts *more)
{
    for (uint32_t i = 0; i < old->node_count; i++)
        if (more->flags[i] & ~old->flags[i] & (VARY_RAN | VARY_TAKEN | VARY_UNTAKEN))
            return true;
    return false;
}

bool emi_facts_hold(const struct emi_subject *s, struct cc_lab *lab, bool *hold, struct err *e)
{
    struct emi_subject again = *s;
    bool ok = true;
    *hold = true;
    for (again.layout = 1; ok && *hold && again.layout <= 3; again.layout++) {
        again.facts = vary_facts_new(s->program);
        ok = emi_coverage(&again, s->source, lab, e);
        *hold = ok && !adds_to(s->facts, again.facts);
        vary_facts_free(again.facts);
    }
    return ok;
}
