/* cupel volatile: does a compiled program access its volatile objects as the program says? */
#include "cmd/cmd.h"
#include "cmd/cflags.h"

#include "front/front.h"
#include "judge/judge.h"
#include "sys/sys.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct list configs;
    double run_timeout, compile_timeout;
    bool json, trust;
    struct cflags cflags;
};

/* What one configuration did. */
struct row {
    struct cc_config config;
    struct access_plan plan; /* of the program as its preprocessor and target have it */
    struct outcome outcome;
    struct access_judgement accesses;
    const char *code; /* of what is wrong; "" or NULL for none */
};

struct session {
    struct arena *a;
    const struct options *o;
    struct cc_labs labs;
    struct row *rows;
    size_t n;
};

/* ---- finding out -------------------------------------------------------------------------- */

static bool read_program(struct session *s, size_t number, const char *path, struct err *e)
{
    struct front_source source = {
        .path = path, .cc = s->o->configs.at[number], .flags = (char **)s->o->cflags.flags.at};
    struct front_options fo = front_options_of(&source);
    struct text text = {0};
    bool ok = front_preprocess_anyhow(&source, &text, e);
    if (ok)
        judge_expect_accesses(s->a, &text, fo.target, &s->rows[number].plan);
    text_free(&text);
    return ok;
}

static bool read_programs(struct session *s, const char *path, struct err *e)
{
    for (size_t i = 0; i < s->n; i++)
        if (!read_program(s, i, path, e))
            return false;
    return true;
}

static bool parse_configs(struct session *s, struct err *e)
{
    s->n = s->o->configs.n;
    s->rows = NEW_ARRAY(s->a, s->n, struct row);
    for (size_t i = 0; i < s->n; i++) {
        if (!cc_config_parse(s->a, s->o->configs.at[i], NULL, &s->rows[i].config, e))
            return false;
        cmd_apply_cflags(s->a, &s->o->cflags, &s->rows[i].config, 1);
    }
    return true;
}

static bool try_all(struct session *s, char *path, struct err *e)
{
    static char *const none[] = {NULL};
    struct cc_case program = {.units = (char *[]){path, NULL},
                              .inputs = none,
                              .args = none,
                              .compile_timeout = s->o->compile_timeout,
                              .run_timeout = s->o->run_timeout,
                              .compile_memory = (uint64_t)4 << 30,
                              .run_memory = (uint64_t)1 << 30};
    struct cc_lab_options labs = {.count = 1, .trust_compilers = s->o->trust};
    bool ok = cc_labs_open(&s->labs, &labs, e);
    for (size_t i = 0; ok && i < s->n; i++) {
        struct row *r = &s->rows[i];
        ok = r->plan.why || judge_try_accesses(&s->labs.at[0], &r->config, &program, &r->plan, s->a,
                                               &r->outcome, &r->accesses, e);
        bool wrong = ok && !r->plan.why && judge_access_verdict(&r->accesses) != VERDICT_NONE;
        if (wrong)
            ok = judge_find_access_code(&s->labs.at[0], &r->config, &program, &r->plan,
                                        &r->accesses, s->a, &r->code, e);
        ok = ok && (!sys_cancelled() || fail(e, "interrupted"));
    }
    cc_labs_close(&s->labs);
    return ok;
}

/* ---- telling ------------------------------------------------------------------------------ */

/* What the loader does not load can be stepped through, but for sanitizers and other machines;
 * where it was not, that is why nothing was observed. */
static const char *why_unstepped(const struct row *r)
{
    const struct outcome *o = &r->outcome;
    bool loads = !o->why_linked || !*o->why_linked;
    if (loads || o->trace || r->config.emulator[0] || r->config.sanitized)
        return NULL;
    return r->plan.why_unstepped ? r->plan.why_unstepped : o->why_unstepped;
}

/* Why a configuration says nothing; NULL when it does. */
static const char *why_silent(struct session *s, const struct row *r)
{
    if (r->plan.why)
        return r->plan.why;
    if (r->outcome.kind != OUTCOME_BUILT)
        return *r->outcome.message ? r->outcome.message : outcome_info(r->outcome.kind)->phrase;
    const char *unstepped = r->accesses.why ? why_unstepped(r) : NULL;
    if (unstepped)
        return arena_printf(s->a, "not stepped through: %s; and not loaded: %s", unstepped,
                            r->outcome.why_linked);
    return r->accesses.why;
}

static const char *words_of(struct session *s, const struct row *r)
{
    const char *why = why_silent(s, r), *gaps = access_describe_gaps(s->a, &r->plan);
    bool more = *gaps || r->accesses.skipped;
    if (why)
        return arena_printf(s->a, "not observed: %s", why);
    if (r->accesses.kind == ACCESS_FINE)
        return arena_printf(s->a, "%zu of %zu accesses compared, as the program says%s%s%s",
                            r->accesses.compared, r->plan.count, more ? "; not compared: " : "",
                            gaps,
                            !r->accesses.skipped ? ""
                            : *gaps              ? "; automatic objects: not stepped through"
                                                 : "automatic objects: not stepped through");
    return arena_printf(s->a, "%s: %s", verdict_info(judge_access_verdict(&r->accesses))->name,
                        judge_explain_accesses(s->a, &r->plan, &r->accesses));
}

static json_t *row_json(struct session *s, const struct row *r)
{
    const char *why = why_silent(s, r);
    bool wrong = !why && r->accesses.kind != ACCESS_FINE;
    json_t *j = json_pack("{s:s, s:s, s:I}", "config", r->config.text, "verdict",
                          why     ? "not-observed"
                          : wrong ? verdict_info(judge_access_verdict(&r->accesses))->name
                                  : "none",
                          "compared", (json_int_t)r->accesses.compared);
    if (why)
        json_object_set_new(j, "why", json_string(why));
    if (wrong)
        json_object_set_new(j, "difference",
                            json_string(judge_explain_accesses(s->a, &r->plan, &r->accesses)));
    if (wrong)
        json_object_set_new(j, "code", json_string(r->code ? r->code : ""));
    return j;
}

/* What is not compared, by why. */
static json_t *gaps_json(const struct access_plan *plan)
{
    json_t *list = json_array();
    for (size_t i = 0; i < ACCESS_GAP_COUNT; i++)
        if (plan->gaps[i])
            json_array_append_new(list, json_pack("{s:s, s:I}", "why",
                                                  access_gap_phrase((enum access_gap)i), "accesses",
                                                  (json_int_t)plan->gaps[i]));
    return list;
}

/* After all that is said: the code of those that are wrong. */
static void put_codes(const struct session *s, struct text *out)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->rows[i].code && *s->rows[i].code)
            text_printf(out, "\n%s, its code (-S -g1):\n%s", s->rows[i].config.text,
                        s->rows[i].code);
}

static bool tell(struct session *s)
{
    struct text out = {0};
    json_t *rows = json_array();
    for (size_t i = 0; i < s->n; i++) {
        text_printf(&out, "%s: %s\n", s->rows[i].config.text, words_of(s, &s->rows[i]));
        json_array_append_new(rows, row_json(s, &s->rows[i]));
    }
    put_codes(s, &out);
    if (s->o->json) {
        const struct access_plan *first = &s->rows[0].plan;
        json_t *top = json_pack("{s:I, s:I, s:o, s:o}", "objects",
                                (json_int_t)(first->watch_count + first->local_count), "expected",
                                (json_int_t)first->count, "uncompared", gaps_json(first), "configs",
                                rows);
        record_set_version(top);
        char *text = json_dumps(top, JSON_INDENT(2));
        text_clear(&out);
        text_printf(&out, "%s\n", text);
        free(text);
        json_decref(top);
    } else {
        json_decref(rows);
    }
    bool ok = cmd_output(&out);
    text_free(&out);
    return ok;
}

static int status_of(struct session *s)
{
    int status = EXIT_NOTHING_FOUND;
    for (size_t i = 0; i < s->n; i++)
        if (!why_silent(s, &s->rows[i]) && s->rows[i].accesses.kind != ACCESS_FINE)
            return EXIT_FOUND;
        else if (why_silent(s, &s->rows[i]))
            status = EXIT_CANNOT;
    return status;
}

/* Is there something to compare for anybody? */
static bool has_plan(const struct session *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (!s->rows[i].plan.why)
            return true;
    return false;
}

static int run(struct arena *a, const struct options *o, char *path)
{
    struct session s = {.a = a, .o = o, .labs.scratch.lock_fd = -1};
    struct err e;
    if (!parse_configs(&s, &e) || !read_programs(&s, path, &e))
        return cmd_fail("%s", e.msg);
    if (!o->json && !has_plan(&s))
        return cmd_fail("%s: nothing to compare: %s", path, s.rows[0].plan.why);
    if (!try_all(&s, path, &e))
        return sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
    return tell(&s) ? status_of(&s) : cmd_fail("cannot write to stdout");
}

int cmd_volatile(int argc, char **argv)
{
    struct options o = {.run_timeout = CC_RUN_SECONDS, .compile_timeout = CC_COMPILE_SECONDS};
    struct arena a = {0};
    struct list words = {0};
    const struct option_row rows[] = {
        {"--cc", "COMMAND", OPTION_STRINGS, &o.configs, "test this: 'gcc-12 -O3'; any number"},
        {"--timeout", "TIME", OPTION_DURATION, &o.run_timeout, "CPU time of one run (10s)"},
        {"--compile-timeout", "TIME", OPTION_DURATION, &o.compile_timeout,
         "CPU time of one compilation (60s)"},
        {"--trust-compilers", NULL, OPTION_FLAG, &o.trust, CMD_TRUST_HELP},
        {"--json", NULL, OPTION_FLAG, &o.json, "print JSON, for scripts"},
    };
    struct usage u = {
        .synopsis = "cupel volatile FILE.c --cc COMMAND [--cc COMMAND ...] [options]",
        .description =
            "Compares each access of a compiled program to its volatile objects (which object\n"
            "and bytes, read or written, value, order) with those that the program must make:\n"
            "lost, added, reordered, split, narrowed and widened ones, and other values.\n"
            "Objects of static storage, and automatic ones of programs that do not execute\n"
            "much; on x86-64, and with -m32.  Accesses to bit-fields and the like are counted\n"
            "only.  What C leaves open is not claimed, and how many accesses are not compared,\n"
            "and why, is said.\n"
            "Compiler flags such as -I, -D, -std= are given to every compiler.  Each compiler\n"
            "also preprocesses the file, for what must be accessed; where one cannot, gcc does.\n"
            "Exit status: 0 all as it must be, 1 a compiler is wrong, 2 it could not be\n"
            "observed.\n\n"
            "  cupel volatile t.c --cc 'gcc-12 -O2' --cc 'clang-19 -Os'\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a};
    cmd_take_cflags(&u, &argc, argv, &o.cflags);
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (parsed == PARSED && (words.n != 1 || !o.configs.n))
        cmd_fail("what is it about? cupel volatile FILE.c --cc 'gcc -O2'");
    else if (parsed == PARSED)
        status = cmd_end(run(&a, &o, words.at[0]));
    arena_free(&a);
    return status;
}
