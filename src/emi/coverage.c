/* What runs in a program that the machine does not run: compiled with marks in it, and run in the
 * sandbox.  There the program, and gcov or llvm-cov behind it, work in one folder that is emptied
 * afterwards; what they print is what we read. */
#include "emi/private.h"

#include "sys/sys.h"

#include <jansson.h>
#include <limits.h>
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
    if (ok && (r.end != SYS_EXITED || r.code != 0)) {
        /* what is wrong, not the linker's first line */
        struct outcome why = {0};
        cc_classify_failure(&a, &r, &why);
        ok = fail(e, "%s does not compile it for coverage: %s", argv[0],
                  why.message && *why.message ? why.message : sys_describe_end(&a, &r));
    }
    sys_result_free(&r);
    arena_free(&a);
    return ok;
}

/* In a script: the program with its arguments, as trials run it: by the name of "program", with
 * stdout and stderr as pipes and nothing else open.  cupel.status and cupel.out have what it did.
 * It is the program that its CPU time ends, by SIGXCPU; the shell goes on and tells us. */
#define RUN_PROGRAM                                                                \
    "{ { { (exec -a program \"$0\" \"$@\") 3>&- 4>&-; echo $? >&3; } 2>&4 | "      \
    "{ head -c 4000000 >cupel.out; cat >/dev/null; }; } 4>&1 | cat >/dev/null; } " \
    "3>cupel.status; [ \"$(cat cupel.status)\" != 152 ] || exit 152; "
enum { OUT_OF_TIME = 152, MOST_OUTPUT = 4000000 };

/* How a program is looked at. */
struct how {
    const char *script;
    uint64_t memory; /* 0: no limit */
};

/* Runs the script, with the program as $0 and its arguments behind; out is what it prints. */
static bool run_script(const struct emi_subject *s, struct cc_lab *lab, struct how how,
                       const char *input, struct text *out, struct err *e)
{
    struct arena a = {0};
    struct list argv = {0};
    struct sys_result r = {0};
    list_add(&a, &argv, "/bin/bash"); /* sh cannot give a program another name */
    list_add(&a, &argv, "-c");
    list_add(&a, &argv, (char *)how.script);
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
        .limits = {.wall = 2 * s->from.run_timeout + 1,
                   .cpu = s->from.run_timeout,
                   .memory = how.memory,
                   .output = (uint64_t)64 << 20,
                   .processes = 64},
    };
    bool ok = sys_run(lab->runner, &job, &r, e);
    if (ok && (r.end == SYS_TIMEOUT || (r.end == SYS_EXITED && r.code == OUT_OF_TIME)))
        ok = fail(e, "%s does not end within %g s: give it more with --timeout", s->from.files[0],
                  s->from.run_timeout);
    else if (ok && (r.end != SYS_EXITED || r.code != 0))
        ok = fail(e, "%s: no coverage: %s: %s", s->from.files[0], sys_describe_end(&a, &r),
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

bool emi_facts_config(const struct emi_subject *s, struct arena *a, struct cc_config *out,
                      struct err *e)
{
    const char *cc = compiler_of(s, s->source == EMI_CLANG ? "clang" : "gcc");
    if (!cc_config_parse(a, arena_printf(a, "%s -O0", cc), NULL, out, e))
        return false;
    const char *left_out;
    *out = cc_config_with(a, out, cc_words_for_preprocessed(a, s->from.flags, &left_out));
    return true;
}

static void add_words(struct arena *a, struct list *l, char *const *words)
{
    for (; words && *words; words++)
        list_add(a, l, *words);
}

/* Compiles a text for each unit, as lab/program0.c and so on, into lab/program. */
static bool build(const struct emi_subject *s, struct cc_lab *lab, const struct text *texts,
                  const char *compiler, const char *flags, struct err *e)
{
    struct arena a = {0};
    struct list words = {0};
    const char *left_out;
    char **start = str_split_command(&a, arena_printf(&a, "%s -w -O0 %s", compiler, flags), e);
    bool ok = start != NULL;
    if (ok && start[0][0] != '/' && strchr(start[0], '/')) /* it is started in another folder */
        start[0] = arena_printf(&a, "%s/%s", sys_real_path(&a, "."), start[0]);
    add_words(&a, &words, start);
    add_words(&a, &words, cc_words_for_preprocessed(&a, s->from.flags, &left_out));
    for (size_t i = 0; ok && i < s->unit_count; i++) {
        char *name = arena_printf(&a, "program%zu.c", i);
        list_add(&a, &words, name);
        ok = sys_write_file(arena_printf(&a, "%s/%s", lab->dir, name), text_str(&texts[i]),
                            texts[i].n, e);
    }
    add_words(&a, &words, (char *[]){"-o", "program", NULL});
    add_words(&a, &words, s->from.libraries);
    add_words(&a, &words, (char *[]){"-lm", NULL});
    list_add(&a, &words, NULL);
    ok = ok && compile(s, lab, (char **)words.at, e);
    arena_free(&a);
    return ok;
}

static void free_texts(struct text *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        text_free(&texts[i]);
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

/* What assembly puts there comes before the unit's own strings, whatever the level; the linker
 * keeps one of what all units put there, so each string moves by just that. */
static void move_strings(struct text *out, unsigned layout)
{
    text_printf(out,
                "__asm__(\".pushsection .rodata.str1.1,\\\"aMS\\\",%%progbits,1\\n"
                ".fill %u,1,1\\n.byte 0\\n.popsection\");\n",
                (layout - 1) % (2 * EMI_LAYOUTS));
}

void emi_move_things(struct text *out, const char *cc, unsigned layout, uint64_t unit)
{
    unsigned size = (unsigned)(hash_pair(layout, unit) % 61) + 1;
    if (emi_reads_gnu(cc))
        move_strings(out, layout);
    text_printf(out,
                "static const char *const cupel_word __attribute__((used)) = \"%.*s\";\n"
                "static const char cupel_constant[%u] __attribute__((used)) = {1};\n"
                "static char cupel_variable[%u] __attribute__((used)) = {1};\n"
                "static char cupel_zeros[%u] __attribute__((used));\n",
                (int)size,
                "cupel's cupel's cupel's cupel's cupel's cupel's cupel's cupel's cupel's", size,
                size, size);
}

/* The script makes a file of zeros for each unit, which the program marks, and prints them all. */
static char *probe_script(const struct emi_subject *s, struct arena *a,
                          const struct vary_probes *probes)
{
    struct text t = {0};
    for (size_t i = 0; i < s->unit_count; i++)
        text_printf(&t, "head -c %u /dev/zero >cupel.hits%zu; ", probes[i].count + 1, i);
    text_puts(&t, RUN_PROGRAM "cat cupel.status; wc -c <cupel.out; cat cupel.out");
    for (size_t i = 0; i < s->unit_count; i++)
        text_printf(&t, " cupel.hits%zu", i);
    char *script = arena_string(a, text_str(&t));
    text_free(&t);
    return script;
}

/* "STATUS\nSIZE\n" and so many bytes of output, which run it was: past them, or 0. */
static size_t take_behaviour(struct emi_subject *s, size_t run, const struct text *said)
{
    char *end;
    long status = strtol(text_str(said), &end, 10);
    unsigned long size = *end == '\n' ? strtoul(end + 1, &end, 10) : ULONG_MAX;
    size_t at = (size_t)(end + 1 - text_str(said));
    if (*end != '\n' || at > said->n || size > said->n - at)
        return 0;
    text_clear(&s->seen[run]);
    text_add(&s->seen[run], text_str(said) + at, size);
    s->seen_status[run] = size < MOST_OUTPUT ? (int)status : -1;
    return at + size;
}

static bool add_hits(struct emi_subject *s, const struct vary_probes *probes, size_t at,
                     const struct text *hits, struct err *e)
{
    for (size_t i = 0; i < s->unit_count; i++) {
        const uint8_t *own = (const uint8_t *)text_str(hits) + at;
        at += probes[i].count + 1;
        if (at > hits->n || !own[probes[i].count])
            return fail(e, "%s: its probes did not come to life", s->units[i].file);
        vary_facts_add_probes(s->units[i].facts, probes[i].probes, probes[i].count, own);
    }
    return true;
}

static bool run_probed(const struct emi_subject *s, struct cc_lab *lab, struct how how, size_t run,
                       struct text *hits, struct err *e)
{
    text_clear(hits);
    return run_script(s, lab, how, s->from.inputs ? s->from.inputs[run] : NULL, hits, e);
}

/* Did the probes of the first unit begin? */
static bool is_alive(struct emi_subject *s, const struct vary_probes *probes, size_t run,
                     const struct text *hits)
{
    size_t end = take_behaviour(s, run, hits) + probes[0].count;
    return end < hits->n && text_str(hits)[end];
}

static bool run_probes(struct emi_subject *s, struct cc_lab *lab, const struct vary_probes *probes,
                       struct err *e)
{
    struct arena a = {0};
    struct text hits = {0};
    bool ok = true;
    struct how how = {probe_script(s, &a, probes), s->from.run_memory};
    if (!s->seen) {
        s->seen = NEW_ARRAY(&s->arena, s->run_count, struct text);
        s->seen_status = NEW_ARRAY(&s->arena, s->run_count, int);
    }
    for (size_t i = 0; ok && i < s->run_count; i++) {
        ok = run_probed(s, lab, how, i, &hits, e);
        if (ok && !is_alive(s, probes, i, &hits)) { /* a sanitizer in secret wants terabytes */
            how.memory = 0;
            ok = run_probed(s, lab, how, i, &hits, e);
        }
        ok = ok && add_hits(s, probes, take_behaviour(s, i, &hits), &hits, e);
    }
    text_free(&hits);
    arena_free(&a);
    return ok;
}

/* What __builtin_constant_p and its like say, and which way a program goes by that, depends on how
 * hard the compiler looks. */
static bool asks_compiler(const struct emi_subject *s)
{
    for (size_t i = 0; i < s->unit_count; i++)
        for (size_t k = 0; k < s->units[i].program->decls.n; k++) {
            const struct decl *d = s->units[i].program->decls.at[k];
            if (d->used && (d->builtin == BUILTIN_constant_p || d->builtin == BUILTIN_object_size ||
                            d->builtin == BUILTIN_dynamic_object_size))
                return true;
        }
    return false;
}

static bool cover_probes(struct emi_subject *s, struct cc_lab *lab, struct err *e)
{
    struct arena a = {0};
    struct text *texts = NEW_ARRAY(&a, s->unit_count, struct text);
    struct vary_probes *probes = NEW_ARRAY(&a, s->unit_count, struct vary_probes);
    const char *cc = compiler_of(s, "gcc");
    for (size_t i = 0; i < s->unit_count; i++) {
        struct program *p = s->units[i].program;
        uint32_t mark = lang_mark(p);
        probes[i] = vary_probes(p, "cupel_hits");
        emi_probe_prologue(&texts[i], arena_printf(&a, "cupel.hits%zu", i), probes[i].count);
        if (s->layout)
            emi_move_things(&texts[i], cc, s->layout, i);
        lang_splice(p, probes[i].edits, probes[i].edit_count, &texts[i]);
        lang_release(p, mark);
    }
    bool ok = build(s, lab, texts, cc, "", e) && run_probes(s, lab, probes, e);
    if (ok && (s->layout || asks_compiler(s)))
        ok = build(s, lab, texts, cc, "-O2", e) && run_probes(s, lab, probes, e);
    free_texts(texts, s->unit_count);
    arena_free(&a);
    return ok;
}

void emi_moved_text(struct program *p, const char *cc, unsigned layout, struct text *out)
{
    uint32_t mark = lang_mark(p);
    struct vary_probes probes = vary_probes(p, "cupel_hits");
    text_printf(out, "static unsigned char cupel_hits[%u];\n", probes.count + 1);
    emi_move_things(out, cc, layout, 0);
    lang_splice(p, probes.edits, probes.edit_count, out);
    lang_release(p, mark);
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

/* Of one unit. */
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

/* The unit that a path like /tmp/x/program3.c is the text of; NULL when it is none. */
static struct line_counts *counts_of(struct line_counts *c, size_t units, const char *path,
                                     size_t size)
{
    static const char stem[] = "program";
    const char *name = path + size;
    while (name > path && name[-1] != '/')
        name--;
    char *end = NULL;
    if (!str_has_prefix(name, stem))
        return NULL;
    unsigned long unit = strtoul(name + strlen(stem), &end, 10);
    return end != name + strlen(stem) && end + 2 == path + size && unit < units ? &c[unit] : NULL;
}

static void read_gcov_file(const json_t *file, struct line_counts *c, size_t units)
{
    const char *name = json_string_value(json_object_get(file, "file"));
    struct line_counts *own = name ? counts_of(c, units, name, strlen(name)) : NULL;
    json_t *line;
    size_t i;
    if (own)
        json_array_foreach(json_object_get(file, "lines"), i, line)
            count_line(own, (uint64_t)json_integer_value(json_object_get(line, "line_number")),
                       json_integer_value(json_object_get(line, "count")));
}

/* gcov --json-format, once for each unit: {"files": [{"file": f, "lines": [{"line_number": n,
 * "count": c}]}]} */
static bool read_gcov(const struct text *json, struct line_counts *c, size_t units, struct err *e)
{
    const char *at = text_str(json), *end = at + json->n;
    while (at < end && *at != '{')
        at++;
    while (at < end) {
        json_error_t problem;
        json_t *file, *top = json_loadb(at, (size_t)(end - at), JSON_DISABLE_EOF_CHECK, &problem);
        size_t i;
        if (!top)
            return fail(e, "gcov's JSON: %s", problem.text);
        json_array_foreach(json_object_get(top, "files"), i, file) read_gcov_file(file, c, units);
        json_decref(top);
        at += problem.position;
        while (at < end && *at != '{')
            at++;
    }
    return true;
}

/* llvm-cov export --format=lcov: lines of SF:path, and behind it of DA:number,count */
static bool read_lcov(const struct text *lcov, struct line_counts *c, size_t units, struct err *e)
{
    struct line_counts *own = NULL;
    bool any = false;
    const char *end;
    for (const char *at = text_str(lcov); *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, "\n");
        if (str_has_prefix(at, "SF:"))
            own = counts_of(c, units, at + 3, (size_t)(end - at - 3));
        if (!own || !str_has_prefix(at, "DA:"))
            continue;
        char *comma;
        unsigned long line = strtoul(at + 3, &comma, 10);
        if (*comma != ',')
            continue;
        count_line(own, line, (int64_t)strtoull(comma + 1, NULL, 10));
        any = true;
    }
    return any || fail(e, "llvm-cov says nothing");
}

struct line_tool {
    const char *compiler, *flags;
    const char *script; /* see run_script */
    bool (*read)(const struct text *said, struct line_counts *c, size_t units, struct err *e);
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

static bool saw_anything(const struct line_counts *c, size_t units)
{
    for (size_t unit = 0; unit < units; unit++)
        for (uint32_t i = 0; i < c[unit].n; i++)
            if (c[unit].at[i] > 0)
                return true;
    return false;
}

static struct line_counts no_counts(struct arena *a, const struct text *text)
{
    struct line_counts c = {0};
    for (size_t i = 0; i < text->n; i++)
        c.n += text->s[i] == '\n';
    c.at = NEW_ARRAY(a, c.n + 1, int64_t);
    memset(c.at, 0xff, c.n * sizeof *c.at);
    return c;
}

static bool cover_lines(struct emi_subject *s, struct cc_lab *lab, const struct line_tool *tool,
                        struct err *e)
{
    struct text said = {0};
    struct arena a = {0};
    struct text *texts = NEW_ARRAY(&a, s->unit_count, struct text);
    struct line_counts *counts = NEW_ARRAY(&a, s->unit_count, struct line_counts);
    for (size_t i = 0; i < s->unit_count; i++) {
        without_markers(s->units[i].program, &texts[i]);
        counts[i] = no_counts(&a, &texts[i]);
    }
    bool ok = build(s, lab, texts, tool->compiler, tool->flags, e);
    for (size_t i = 0; ok && i < s->run_count; i++) {
        text_clear(&said);
        ok = run_script(s, lab, (struct how){tool->script, 0},
                        s->from.inputs ? s->from.inputs[i] : NULL, &said, e) &&
             tool->read(&said, counts, s->unit_count, e);
        if (ok && !saw_anything(counts, s->unit_count))
            ok = fail(e,
                      "%s: the run left no coverage: a program that aborts leaves none, use "
                      "--facts probes",
                      s->from.files[0]);
    }
    for (size_t i = 0; ok && i < s->unit_count; i++)
        vary_facts_add_lines(s->units[i].facts, s->units[i].program, counts[i].at, counts[i].n);
    free_texts(texts, s->unit_count);
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
        "d=${0%%/*}; export GCOV_PREFIX=. GCOV_PREFIX_STRIP=99; cp \"$d\"/*.gcno .; " RUN_PROGRAM
        "set -- *.gcda; [ -f \"$1\" ] || exit 3; "
        "for f; do %s --json-format --stdout \"$f\"; done",
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
        "export LLVM_PROFILE_FILE=p.raw; p=$0; " RUN_PROGRAM "[ -f p.raw ] || "
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
    struct arena a = {0};
    bool ok = true;
    *hold = true;
    again.units = NEW_ARRAY(&a, s->unit_count, struct emi_unit);
    memcpy(again.units, s->units, s->unit_count * sizeof *again.units);
    for (again.layout = 1; ok && *hold && again.layout <= 3; again.layout++) {
        for (size_t i = 0; i < s->unit_count; i++)
            again.units[i].facts = vary_facts_new(s->units[i].program);
        ok = emi_coverage(&again, s->source, lab, e);
        for (size_t i = 0; i < s->unit_count; i++) {
            *hold = *hold && ok && !adds_to(s->units[i].facts, again.units[i].facts);
            vary_facts_free(again.units[i].facts);
        }
    }
    arena_free(&a);
    return ok;
}
