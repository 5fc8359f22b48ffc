/* cupel reduce: the smallest program that shows the same. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "cmd/cflags.h"
#include "cmd/view/view.h"
#include "front/front.h"
#include "hunt/hunt.h"
#include "keep/keep.h"
#include "reduce/reduce.h"
#include "sys/sys.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct options {
    struct keep_options keep;
    const char *out, *args, *emit_script;
    double cpu, timeout;
    uint64_t jobs;
    bool json, quiet, verbose, no_evidence, fresh, dense;
    struct campaign_files files; /* of a finding that is reduced */
    const char *dir;             /* of its campaign, which is told; NULL: it is not */
    uint64_t id;
};

/* A reduction that is under way. */
struct job {
    struct options *o;
    struct arena arena;
    struct list paths; /* char *: of the units */
    struct text *units;
    struct reduce_options reduce;
    struct reduce_report report;
    struct keep *keep;
    struct progress progress;
    double start;
    const char *state; /* file that says what -o is the beginning of */
    struct text input;
};

/* ---- reading ---------------------------------------------------------------------------- */

/* As the compiler preprocesses it; as gcc does when that one cannot; else as it is. */
static bool read_unit(struct job *j, const char *path, const struct list *flags, struct text *out,
                      struct err *e)
{
    struct front_source s = {.path = path, .cc = j->o->keep.cc, .flags = (char **)flags->at};
    struct front_options fo = front_options_of(&s);
    struct err why;
    j->reduce.target = fo.target;
    if (front_preprocess_anyhow(&s, out, &why))
        return true;
    text_clear(out);
    if (!sys_read_file(path, SYS_READ_ALL, out, e))
        return false;
    log_note("%s: taken as it is (-I and -D as the compiler gets them may help)", why.msg);
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What the unit's file is called: a script asks for it by its own name, a compiler goes by the
 * suffix, and takes what has none that it knows for the linker's. */
static char *name_of(struct job *j, const char *path)
{
    static const char *const known[] = {".c", ".cc", ".cpp", ".cxx", ".C"};
    const char *name = strcmp(path, "-") == 0 ? "stdin.c" : base_name(path);
    bool stays = j->o->keep.script != NULL;
    for (size_t i = 0; i < LENGTH(known); i++)
        stays = stays || str_has_suffix(name, known[i]);
    size_t stem = strlen(name) - (str_has_suffix(name, ".i") ? 2 : 0);
    return stays ? arena_string(&j->arena, name)
                 : arena_printf(&j->arena, "%.*s.c", (int)stem, name);
}

static bool read_units(struct job *j, const struct list *flags, struct err *e)
{
    size_t n = j->paths.n;
    char **names = NEW_ARRAY(&j->arena, n + 1, char *);
    j->units = NEW_ARRAY(&j->arena, n, struct text);
    for (size_t i = 0; i < n; i++) {
        const char *path = j->paths.at[i];
        if (!read_unit(j, path, flags, &j->units[i], e))
            return false;
        names[i] = name_of(j, path);
    }
    j->o->keep.names = names;
    j->o->keep.count = n;
    if (j->o->keep.input && !sys_read_file(j->o->keep.input, SYS_READ_ALL, &j->input, e))
        return false;
    j->reduce.input = text_str(&j->input);
    j->reduce.input_size = j->input.n;
    j->reduce.args = j->o->keep.args;
    return true;
}

/* ---- output ----------------------------------------------------------------------------- */

/* Where a unit goes: -o itself, or a file in that folder when there are several. */
static const char *place_of(const struct job *j, struct arena *a, size_t unit)
{
    if (j->o->keep.count == 1)
        return j->o->out;
    return arena_printf(a, "%s/%s", j->o->out, j->o->keep.names[unit]);
}

static bool write_units(const struct job *j, const struct text *units, struct err *e)
{
    struct arena a = {0};
    bool ok = j->o->keep.count == 1 || sys_make_dirs(j->o->out, e);
    for (size_t i = 0; ok && i < j->o->keep.count; i++)
        ok = strcmp(j->o->out, "-") == 0
                 ? cmd_output(&units[i]) || fail(e, "cannot write to stdout")
                 : sys_write_file(place_of(j, &a, i), text_str(&units[i]), units[i].n, e);
    arena_free(&a);
    return ok;
}

/* ---- going on ----------------------------------------------------------------------------*/

static uint64_t key_of(const struct job *j)
{
    uint64_t key = keep_key(j->keep);
    for (size_t i = 0; i < j->o->keep.count; i++)
        key = hash_pair(key, hash_bytes(text_str(&j->units[i]), j->units[i].n));
    return key;
}

/* What an interrupted run left, when it was the same question about the same program. */
static void take_up(struct job *j, uint64_t key)
{
    struct text state = {0}, *units = NEW_ARRAY(&j->arena, j->o->keep.count, struct text);
    const char *want = arena_printf(&j->arena, "%016llx\n", (unsigned long long)key);
    bool found = !j->o->fresh && j->state && sys_read_file(j->state, 4096, &state, NULL) &&
                 strcmp(text_str(&state), want) == 0,
         holds = false;
    struct err e;
    for (size_t i = 0; found && i < j->o->keep.count; i++)
        found = sys_read_file(place_of(j, &j->arena, i), SYS_READ_ALL, &units[i], NULL);
    if (found && reduce_check(&j->reduce, units, j->o->keep.count, &holds, &e) && holds) {
        for (size_t i = 0; i < j->o->keep.count; i++) {
            text_free(&j->units[i]);
            j->units[i] = units[i];
            units[i] = (struct text){0};
        }
        log_note("goes on from %s", j->o->out);
    }
    for (size_t i = 0; i < j->o->keep.count; i++)
        text_free(&units[i]);
    text_free(&state);
    if (j->state)
        sys_write_file(j->state, want, strlen(want), NULL);
}

/* ---- watching --------------------------------------------------------------------------- */

static void show(void *context, const struct reduce_progress *p)
{
    struct job *j = context;
    double seconds = sys_now() - j->start;
    size_t gone = p->first.bytes > p->now.bytes ? p->first.bytes - p->now.bytes : 0;
    progress_show(&j->progress,
                  "%zu lines, %zu bytes (-%.1f%%), %zu tries, %.0f/s, %zu ruled out, %s",
                  p->now.lines, p->now.bytes,
                  p->first.bytes ? 100.0 * (double)gone / (double)p->first.bytes : 0, p->tries,
                  seconds > 0 ? (double)p->tries / seconds : 0, p->rejected, p->pass);
}

static void save(void *context, const struct text *units, size_t count)
{
    struct job *j = context;
    (void)count;
    if (j->state)
        write_units(j, units, NULL);
}

/* ---- telling ---------------------------------------------------------------------------- */

static void put_table(const struct reduce_report *r, struct text *out)
{
    text_printf(out, "%-15s %6s %7s %6s %8s %9s\n", "pass", "hints", "tries", "kept", "tokens",
                "bytes");
    for (size_t i = 0; i < r->pass_count; i++) {
        const struct reduce_pass_report *p = &r->passes[i];
        if (p->kept)
            text_printf(out, "%-15s %6zu %7zu %6zu %8zu %9zu\n", p->name, p->hints, p->tries,
                        p->kept, p->tokens, p->bytes);
    }
}

static void put_summary(const struct job *j, struct text *out)
{
    const struct reduce_report *r = &j->report;
    text_printf(out,
                "%s: %zu lines, %zu tokens, %zu bytes; were %zu, %zu, %zu\n"
                "%zu candidates tried, %zu ruled out before; %.1f s CPU, %.1f s%s\n",
                keep_phrase(j->keep), r->last.lines, r->last.tokens, r->last.bytes, r->first.lines,
                r->first.tokens, r->first.bytes, r->tries, r->rejected, r->cpu, r->wall,
                r->complete ? "" : "; not finished: the same command goes on");
}

static json_t *size_json(const struct reduce_size *s)
{
    return json_pack("{s:I, s:I, s:I}", "lines", (json_int_t)s->lines, "tokens",
                     (json_int_t)s->tokens, "bytes", (json_int_t)s->bytes);
}

static json_t *report_json(const struct job *j, const struct evidence *evidence)
{
    const struct reduce_report *r = &j->report;
    json_t *passes = json_array();
    for (size_t i = 0; i < r->pass_count; i++) {
        const struct reduce_pass_report *p = &r->passes[i];
        json_array_append_new(passes,
                              json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "pass", p->name, "hints",
                                        (json_int_t)p->hints, "tries", (json_int_t)p->tries, "kept",
                                        (json_int_t)p->kept, "tokens", (json_int_t)p->tokens,
                                        "bytes", (json_int_t)p->bytes));
    }
    enum verdict v = keep_verdict(j->keep);
    json_t *top = json_pack("{s:s, s:s, s:o, s:o, s:I, s:I, s:f, s:f, s:b, s:o}", "verdict",
                            verdict_info(v)->name, "what", keep_phrase(j->keep), "first",
                            size_json(&r->first), "last", size_json(&r->last), "tries",
                            (json_int_t)r->tries, "rejected", (json_int_t)r->rejected, "cpu",
                            r->cpu, "wall", r->wall, "complete", r->complete, "passes", passes);
    if (evidence)
        json_object_set_new(top, "grade", json_string(grade_name(evidence->grade)));
    return top;
}

static void put_evidence(const struct evidence *evidence, struct text *out)
{
    text_printf(out, "evidence: %s\n", grade_name(evidence->grade));
    for (size_t i = 0; i < RUNG_COUNT; i++)
        if (evidence->rungs[i].state == RUNG_BROKEN)
            text_printf(out, "  %s: %s\n", rung_name((enum rung)i), evidence->rungs[i].note);
}

static int tell(struct job *j, const struct evidence *evidence)
{
    struct text out = {0};
    bool ok = true;
    if (j->o->json)
        ok = campaign_print_json(report_json(j, evidence));
    if (!j->o->quiet) {
        put_table(&j->report, &out);
        put_summary(j, &out);
        if (evidence)
            put_evidence(evidence, &out);
        fputs(text_str(&out), stderr);
    }
    text_free(&out);
    return ok ? EXIT_NOTHING_FOUND : cmd_fail("cannot write to stdout");
}

/* ---- reducing --------------------------------------------------------------------------- */

static bool pack(struct job *j, struct err *e)
{
    if (!reduce_pack(&j->reduce, &j->report.expect, j->units, j->o->keep.count, e))
        return false;
    j->report.last = reduce_measure(j->units, j->o->keep.count);
    return write_units(j, j->units, e);
}

/* list, show, report and triage go by what the campaign knows. */
static bool tell_campaign(struct job *j, const struct evidence *evidence, struct err *e)
{
    const struct reduce_report *r = &j->report;
    struct finding_reduced reduced = {.program = {text_str(&j->units[0]), j->units[0].n},
                                      .expected = {"", 0},
                                      .status = r->expect.status,
                                      .lines = r->last.lines,
                                      .bytes = r->last.bytes,
                                      .tries = r->tries,
                                      .cpu = r->cpu,
                                      .complete = r->complete,
                                      .why = "",
                                      .grade = evidence ? evidence->grade : GRADE_SUSPECT};
    if (r->expect.known)
        reduced.expected = (struct bytes){r->expect.out, r->expect.out_size};
    return !j->o->dir || hunt_keep_reduced(j->o->dir, j->o->id, &reduced, e);
}

static struct text *copy_units(struct job *j)
{
    struct text *copy = NEW_ARRAY(&j->arena, j->o->keep.count, struct text);
    for (size_t i = 0; i < j->o->keep.count; i++)
        text_add(&copy[i], text_str(&j->units[i]), j->units[i].n);
    return copy;
}

static void exchange_units(struct job *j, struct text *units)
{
    for (size_t i = 0; i < j->o->keep.count; i++) {
        struct text other = j->units[i];
        j->units[i] = units[i];
        units[i] = other;
    }
}

static bool shrink(struct job *j, struct err *e)
{
    progress_start(&j->progress, j->o->quiet);
    j->start = sys_now();
    bool ok = reduce_run(&j->reduce, j->units, j->o->keep.count, &j->report, e);
    progress_end(&j->progress);
    return ok && write_units(j, j->units, e);
}

/* The reduction, whose result holds in the end.  A compiler that takes long may do so for less and
 * less time, until the result is nothing; it is then done once more, with more patience. */
static bool reduce_and_settle(struct job *j, struct err *e)
{
    struct text *first = copy_units(j);
    bool ok = shrink(j, e), settles = true;
    if (ok && j->report.complete)
        settles = keep_settle(j->keep, &j->reduce, j->units, e);
    if (!settles && keep_wait_longer(j->keep)) {
        log_note("the compiler does end: once more, and each candidate is given the whole time");
        exchange_units(j, first);
        reduce_report_free(&j->report);
        ok = shrink(j, e);
        settles = !ok || !j->report.complete || keep_settle(j->keep, &j->reduce, j->units, e);
    }
    for (size_t i = 0; i < j->o->keep.count; i++)
        text_free(&first[i]);
    if (!settles) {
        struct err why = *e;
        fail(e, "the result in %s is not to be trusted: %s", j->o->out, why.msg);
    }
    return ok && settles;
}

static int finish(struct job *j)
{
    struct evidence evidence;
    struct err e;
    bool climbed = false;
    if (j->report.complete && j->o->dense && !pack(j, &e))
        return cmd_fail("%s", e.msg);
    if (j->report.complete && j->state)
        sys_remove_tree(j->state, NULL);
    if (j->report.complete && keep_verdict(j->keep) != VERDICT_NONE && !j->o->no_evidence)
        climbed = keep_gather(j->keep, j->units, &j->report.expect, &j->arena, &evidence, &e);
    if (!tell_campaign(j, climbed ? &evidence : NULL, &e))
        return cmd_fail("%s", e.msg);
    return tell(j, climbed ? &evidence : NULL);
}

/* The question for others, and the program as it is asked about. */
static int emit_script(struct job *j)
{
    struct text script = {0};
    struct err e;
    bool ok = keep_write_script(j->keep, &script, &e) &&
              sys_write_file(j->o->emit_script, text_str(&script), script.n, &e) &&
              write_units(j, j->units, &e);
    text_free(&script);
    if (ok && chmod(j->o->emit_script, 0755) != 0)
        ok = fail_errno(&e, "chmod %s", j->o->emit_script);
    return ok ? EXIT_NOTHING_FOUND : cmd_fail("%s", e.msg);
}

static int reduce(struct job *j)
{
    struct err e;
    struct options *o = j->o;
    j->keep = keep_open(&o->keep, &e);
    if (!j->keep)
        return cmd_fail("%s", e.msg);
    j->reduce.jobs = o->keep.jobs;
    j->reduce.cpu = o->cpu;
    j->reduce.progress = show;
    j->reduce.better = save;
    j->reduce.context = j;
    if (!keep_decide(j->keep, &j->reduce, j->units, &e))
        return sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
    if (o->emit_script)
        return emit_script(j);
    j->state = strcmp(o->out, "-") == 0 ? NULL : arena_printf(&j->arena, "%s.state", o->out);
    take_up(j, key_of(j));
    /* now, and not only after hours, it is seen that it cannot be written */
    if (j->state && !write_units(j, j->units, &e)) {
        sys_remove_tree(j->state, NULL);
        return cmd_fail("%s", e.msg);
    }
    int status = reduce_and_settle(j, &e) ? finish(j) : cmd_fail("%s", e.msg);
    reduce_report_free(&j->report);
    return status;
}

static int run(struct options *o, const struct list *words, const struct list *flags)
{
    struct job j = {.o = o, .paths = *words};
    struct err e;
    int status = EXIT_CANNOT;
    if (!read_units(&j, flags, &e))
        cmd_fail("%s", e.msg);
    else
        status = reduce(&j);
    keep_close(j.keep);
    for (size_t i = 0; j.units && i < words->n; i++)
        text_free(&j.units[i]);
    text_free(&j.input);
    arena_free(&j.arena);
    return status;
}

/* DIR N: the finding's program and compiler; the result goes beside the original. */
static bool take_finding(struct options *o, struct arena *a, struct list *words)
{
    struct finding f;
    struct err e;
    uint64_t id;
    const char *dir = words->at[0];
    if (!str_parse_uint(words->at[1], INT64_MAX, &id, &e) || !hunt_finding(a, dir, id, &f, &e))
        return cmd_fail("%s", e.msg) == 0;
    if (!campaign_open_files(a, dir, &f, &o->files, &e))
        return cmd_fail("%s", e.msg) == 0;
    const char *folder = o->files.path;
    if (!o->keep.cc && !o->keep.script && !o->out) {
        o->dir = dir;
        o->id = id;
    }
    o->keep.cc = o->keep.cc ? o->keep.cc : f.claim.config;
    if (!o->keep.emulator && *f.again.emulator)
        o->keep.emulator = f.again.emulator;
    if (!o->out)
        o->out = hunt_is_shared(dir) ? arena_printf(a, "finding-%llu.c", (unsigned long long)id)
                                     : arena_printf(a, "%s/reduced.c", folder);
    *words = (struct list){0};
    list_add(a, words, arena_printf(a, "%s/program.c", folder));
    return true;
}

static bool is_number(const char *s)
{
    return *s && strspn(s, "0123456789") == strlen(s);
}

/* small.c for t.c: t.reduced.c in the current folder. */
static const char *default_output(struct arena *a, const struct list *words)
{
    const char *name = base_name(words->at[0]);
    size_t n = strlen(name);
    if (words->n > 1)
        return "reduced";
    if (n > 2 && name[n - 2] == '.')
        n -= 2;
    return arena_printf(a, "%.*s.reduced.c", (int)n, name);
}

static bool complete_options(struct options *o, struct arena *a, struct list *words)
{
    static const double run_timeout = 2;
    struct err e;
    o->keep.run_timeout = o->timeout > 0 ? o->timeout : run_timeout;
    o->keep.script_timeout = o->timeout;
    if (words->n == 2 && is_number(words->at[1]) && !take_finding(o, a, words))
        return false;
    if (words->n == 0)
        return cmd_fail("a file is needed: see cupel reduce --help") == 0;
    if (!o->keep.cc && !o->keep.script)
        return cmd_fail("what is it to keep? --cc 'gcc -O2', or --script FILE") == 0;
    if (o->keep.script && (o->keep.against || o->emit_script))
        return cmd_fail("--script decides alone: leave --against and --emit-script out") == 0;
    if (o->jobs == 0 || o->jobs > 256)
        return cmd_fail("--jobs must be from 1 to 256") == 0;
    if (o->args && !(o->keep.args = str_split_command(a, o->args, &e)))
        return cmd_fail("--args: %s", e.msg) == 0;
    o->keep.jobs = (unsigned)o->jobs;
    log_set_level(o->verbose ? LOG_DEBUG : LOG_NOTE);
    if (!o->out)
        o->out = default_output(a, words);
    return sys_catch_signals(&e) || cmd_fail("%s", e.msg) == 0;
}

int cmd_reduce(int argc, char **argv)
{
    struct options o = {
        .keep = {.compile_timeout = 10}, .jobs = sys_cpu_count(), .files.scratch.lock_fd = -1};
    struct arena a = {0};
    struct list words = {0};
    struct cflags flags = {0};
    const struct option_row rows[] = {
        {"--cc", "COMMAND", OPTION_STRING, &o.keep.cc,
         "the compiler that does wrong: 'gcc-12 -O3'"},
        {"--against", "COMMAND", OPTION_STRING, &o.keep.against,
         "one that does right: the difference is kept"},
        {"--script", "FILE", OPTION_STRING, &o.keep.script,
         "keep what this finds interesting: exit status 0, the files being in its folder"},
        {"-o", "FILE", OPTION_STRING, &o.out, "the result (NAME.reduced.c; a folder for several)"},
        {"--defined", NULL, OPTION_FLAG, &o.keep.defined,
         "with --script: the program must stay defined"},
        {"--slide", NULL, OPTION_FLAG, &o.keep.slide,
         "another bug with the same verdict will do: faster, sometimes smaller"},
        {"--run", "COMMAND", OPTION_STRING, &o.keep.emulator, "put this before its programs"},
        {"--input", "FILE", OPTION_STRING, &o.keep.input, "the program's standard input"},
        {"--args", "WORDS", OPTION_STRING, &o.args, "its arguments, quoted as for a shell"},
        {"--timeout", "TIME", OPTION_DURATION, &o.timeout,
         "for a run of the program (2s), or of the script (ten times what it takes first)"},
        {"--compile-timeout", "TIME", OPTION_DURATION, &o.keep.compile_timeout,
         "for a compilation: longer is a hang (10s)"},
        {"--jobs", "N", OPTION_COUNT, &o.jobs, "how many at a time (default: all cores)"},
        {"--cpu", "TIME", OPTION_DURATION, &o.cpu, "stop after so much CPU time"},
        {"--fresh", NULL, OPTION_FLAG, &o.fresh, "do not go on from an interrupted run"},
        {"--dense", NULL, OPTION_FLAG, &o.dense,
         "no blanks and line breaks but those that C needs"},
        {"--no-evidence", NULL, OPTION_FLAG, &o.no_evidence, "leave the checks at the end out"},
        {"--emit-script", "FILE", OPTION_STRING, &o.emit_script,
         "the same question as a script for creduce and cvise, the program in -o"},
        {"--json", NULL, OPTION_FLAG, &o.json, "print a report as JSON, for scripts"},
        {"--quiet", NULL, OPTION_FLAG, &o.quiet, "no progress, no table"},
        {"--verbose", NULL, OPTION_FLAG, &o.verbose, "every candidate, on stderr"},
    };
    struct usage u = {
        .synopsis = "cupel reduce FILE.c [MORE.c ...] [-I ...] [-D ...] --cc COMMAND [options]",
        .description =
            "Makes the program small while the compiler does the same wrong with it: wrong\n"
            "code, a crash, a hang, a rejection ...  It stays defined all the way.  Ctrl-C\n"
            "leaves the best so far in -o, and the same command goes on from there.\n\n"
            "  cupel reduce t.c --cc 'gcc-12 -O3' -o small.c\n"
            "  cupel reduce t.c --cc 'gcc-12 -O3' --against 'gcc-12 -O0'\n"
            "  cupel reduce t.c --script ./interesting.sh\n"
            "  cupel reduce DIR N                 a finding of a hunt, to its reduced.c; of a\n"
            "                                     database to finding-N.c\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a};
    int status = EXIT_CANNOT;
    cmd_take_cflags(&u, &argc, argv, &flags);
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    if (parsed == PARSED_HELP)
        status = EXIT_NOTHING_FOUND;
    else if (parsed == PARSED && complete_options(&o, &a, &words))
        status = run(&o, &words, &flags.flags);
    campaign_close_files(&o.files);
    status = cmd_end(status);
    arena_free(&a);
    return status;
}
