/* cupel relax: a program without the checks that its execution did not need, and with what careful
 * generators avoid. */
#include "cmd/cmd.h"
#include "cmd/cflags.h"

#include "cc/cc.h"
#include "emi/emi.h"
#include "front/front.h"
#include "judge/judge.h"
#include "machine/machine.h"
#include "sys/sys.h"
#include "vary/vary.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *output, *expect, *input, *args, *relax, *again, *form, *mode, *cpp, *facts,
        *validate;
    uint64_t seed;
    double validate_timeout;
    bool json, keep_checks, whole, near_;
};

/* Everything that one `cupel relax` works on. */
struct session {
    const struct options *o;
    struct arena *a;
    struct emi_program from;
    struct emi_subject subject;
    struct relax_plan plan;
    enum relax_mode mode;
    struct machine_options run;
    struct text input, code;
    struct relax_result result;
    bool confirmed;      /* the last text that was looked at */
    char lost[480];      /* why another one was not */
    bool by_facts;       /* the machine could not run it */
    char why[480];       /* not */
    struct cc_labs labs; /* open when something had to be compiled, or kept on the way */
    size_t mended;
    unsigned validators; /* to be asked about the result */
    struct validation validations[VALIDATOR_COUNT];
};

/* ---- what to do --------------------------------------------------------------------------- */

/* A list of one, as the lower stages take it. */
static char *const *list_of(struct arena *a, const char *word)
{
    char **words = NEW_ARRAY(a, 2, char *);
    words[0] = arena_string(a, word);
    return words;
}

static bool read_form(const char *name, enum relax_form *form, struct err *e)
{
    static const char *const names[] = {[RELAX_FUNCTIONS] = "functions",
                                        [RELAX_MACROS] = "macros",
                                        [RELAX_MIXED] = "mixed",
                                        [RELAX_AS_WRITTEN] = "as-written"};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (strcmp(name, names[i]) == 0) {
            *form = (enum relax_form)i;
            return true;
        }
    return fail(e, "--form is functions, macros, mixed or as-written, not '%s'", name);
}

static bool read_mode(struct session *s, struct err *e)
{
    const char *name = s->o->mode ? s->o->mode : "miscompile";
    s->mode = strcmp(name, "crash") == 0 ? RELAX_CRASH : RELAX_MISCOMPILE;
    return s->mode == RELAX_CRASH || strcmp(name, "miscompile") == 0 ||
           fail(e, "--mode is miscompile or crash, not '%s'", name);
}

static bool read_plan(struct session *s, struct err *e)
{
    const struct options *o = s->o;
    unsigned enabled = 0;
    if (!read_mode(s, e))
        return false;
    if (o->again && !relax_plan_parse(o->again, &s->plan, e))
        return false;
    if (!o->again) {
        if (o->relax && !relax_names_parse(o->relax, &enabled, e))
            return false;
        s->plan = relax_plan_draw(o->seed, s->mode, enabled);
        if (!o->relax) {
            s->plan.form = RELAX_AS_WRITTEN;
            s->plan.others = 100;
        }
    }
    s->plan.keep_checks = o->keep_checks;
    return !o->form || read_form(o->form, &s->plan.form, e);
}

static bool read_validators(struct session *s, struct err *e)
{
    const char *names = s->o->validate;
    if (!names)
        return true;
    if (strcmp(names, "needed") == 0) {
        s->validators = relax_validators(&s->result);
        return true;
    }
    return judge_validators_parse(names, &s->validators, e) ||
           fail(e, "--validate: %s; or needed, by what was relaxed", e->msg);
}

static bool read_words(struct session *s, const char *words, struct err *e)
{
    static char *none[] = {NULL};
    s->from.args = none;
    if (words && !(s->from.args = str_split_command(s->a, words, e)))
        return fail(e, "--args: %s", e->msg);
    if (s->o->input) {
        s->from.inputs = list_of(s->a, s->o->input);
        return sys_read_file(s->o->input, SYS_READ_ALL, &s->input, e);
    }
    return true;
}

/* ---- relaxing ----------------------------------------------------------------------------- */

/* Does the text that was read do what the result says? */
static bool behaves(const struct session *s, const struct program *p, const struct relax_result *r,
                    struct err *e)
{
    struct machine_unit unit = {.program = (struct program *)p};
    struct machine_execution x = machine_execute(&unit, 1, &s->run);
    struct text why = {0};
    machine_explain(x.why, &why);
    bool ok = x.defined || fail(e, "%s", text_str(&why));
    ok = ok && (x.run->status == r->status ||
                fail(e, "its status is %d and not %d", x.run->status, r->status));
    ok = ok && (strcmp(text_str(&x.run->output), text_str(&r->output)) == 0 ||
                fail(e, "it prints something else"));
    text_free(&why);
    machine_execution_free(&x);
    return ok;
}

/* What was written is read again and executed: what is told of it is what it is. */
static bool confirm(struct session *s, const struct relax_result *r, struct err *e)
{
    struct front_source source = {.path = s->from.files[0], .flags = s->from.flags};
    struct front_options fo = front_options_of(&source);
    text_clear(&s->code);
    lang_splicer_write(s->subject.units[0].splicer, r->edits, r->count, &s->code);
    struct unit u = front_parse(text_str(&s->code), s->code.n, &fo);
    bool ok = u.error_count == 0 || fail(e, "it cannot be read: line %u: %s",
                                         u.errors[0].place.line, u.errors[0].message);
    if (ok && s->mode != RELAX_CRASH && !s->by_facts)
        ok = behaves(s, u.program, r, e);
    lang_program_free(u.program);
    return ok;
}

static bool confirm_for_relax(void *session, const struct relax_result *so_far)
{
    struct session *s = session;
    struct err e;
    s->confirmed = confirm(s, so_far, &e);
    if (!s->confirmed && !*s->lost)
        snprintf(s->lost, sizeof s->lost, "%s", e.msg);
    return s->confirmed;
}

/* The result as text, confirmed; what had to be left out for that is our mistake, and said. */
static bool write_result(struct session *s, struct err *e)
{
    if (!s->confirmed && !confirm(s, &s->result, e))
        return fail(e, "what was written does something else: %s: this is a mistake of cupel",
                    e->msg);
    if (*s->lost)
        log_note("some changes are left out, for as text the program did something else: %s: this "
                 "is a mistake of cupel",
                 s->lost);
    return true;
}

static bool relax_by_machine(struct session *s, struct err *e)
{
    struct emi_subject *subject = &s->subject;
    s->run = (struct machine_options){.stop = sys_cancelled,
                                      .input = text_str(&s->input),
                                      .input_size = s->input.n,
                                      .args = s->from.args,
                                      .name = "program"};
    struct relax_request request = {.vary = subject->units[0].vary,
                                    .run = &s->run,
                                    .output = &subject->expected[0],
                                    .status = subject->status[0],
                                    .steps = subject->steps,
                                    .plan = s->plan,
                                    .crash = s->mode == RELAX_CRASH,
                                    .confirm = confirm_for_relax,
                                    .context = s};
    relax_program(s->a, &request, &s->result);
    return write_result(s, e);
}

/* ---- by the way of another text ------------------------------------------------------------ */

/* The program with these edits becomes the one that is worked on. */
static bool go_on_with(struct session *s, const struct edit *edits, size_t n,
                       enum emi_source source, struct err *e)
{
    struct text text = {0};
    const char *path = arena_printf(s->a, "%s/program.i", s->labs.scratch.path);
    lang_splice(s->subject.units[0].program, edits, n, &text);
    bool ok = sys_write_file(path, text_str(&text), text.n, e);
    text_free(&text);
    emi_subject_close(&s->subject);
    s->from.files = list_of(s->a, path);
    return ok && emi_subject_open(&s->subject, &s->from, source, &s->labs.at[0], e);
}

static bool open_labs(struct session *s, struct err *e)
{
    return s->labs.at || cc_labs_open(&s->labs, &(struct cc_lab_options){.count = 1}, e);
}

/* Csmith's macros are undefined by the letter; then they are read as all compilers read them. */
static bool mend(struct session *s, struct err *e)
{
    struct err why = *e;
    struct edit *edits = relax_mend(s->a, s->subject.units[0].program, &s->mended);
    if (!s->mended || !open_labs(s, e)) {
        *e = why;
        return false;
    }
    const char *file = s->from.files[0];
    return go_on_with(s, edits, s->mended, EMI_AUTO, e) ||
           (s->subject.refusal == EMI_UNDEFINED &&
            fail(e, "%s is undefined, apart from its wrappers' own checks: see cupel check", file));
}

/* Counts of lines do not say which way a check went. */
static bool read_source(const char *name, enum emi_source *source, struct err *e)
{
    bool known = emi_source_parse(name, source, e);
    return (known && *source != EMI_GCOV && *source != EMI_CLANG) ||
           fail(e, "--facts is auto, machine or probes, not '%s'", name);
}

static bool open_program(struct session *s, struct err *e)
{
    enum emi_source source = EMI_AUTO;
    if (s->o->facts && !read_source(s->o->facts, &source, e))
        return false;
    if (!open_labs(s, e))
        return false;
    if (emi_subject_open(&s->subject, &s->from, source, &s->labs.at[0], e))
        return true;
    bool read = s->subject.unit_count && s->subject.units[0].program;
    return read && mend(s, e);
}

static bool relax_by_probes(struct session *s, struct err *e)
{
    size_t n;
    struct edit *edits = relax_expand(s->a, s->subject.units[0].vary, &n);
    s->by_facts = true;
    snprintf(s->why, sizeof s->why, "%s", s->subject.why);
    if (n && !go_on_with(s, edits, n, s->subject.source, e))
        return false;
    relax_by_facts(s->a, s->subject.units[0].vary, &s->plan, &s->result);
    return write_result(s, e);
}

static bool relax(struct session *s, struct err *e)
{
    return s->subject.source == EMI_MACHINE ? relax_by_machine(s, e) : relax_by_probes(s, e);
}

/* ---- validating ---------------------------------------------------------------------------- */

static bool validate(struct session *s, struct err *e)
{
    const char *path = arena_printf(s->a, "%s/relaxed.c", s->labs.scratch.path);
    char *units[] = {(char *)path, NULL}, *none[] = {NULL};
    struct cc_case program = {.units = units,
                              .inputs = s->from.inputs ? s->from.inputs : none,
                              .args = s->from.args,
                              .compile_timeout = CC_COMPILE_SECONDS,
                              .run_timeout = CC_RUN_SECONDS,
                              .compile_memory = (uint64_t)4 << 30,
                              .run_memory = 0};
    struct judge_validate what = {&program, s->validators, true, s->o->validate_timeout};
    return !s->validators || (sys_write_file(path, text_str(&s->code), s->code.n, e) &&
                              judge_validate(&s->labs.at[0], &what, s->a, s->validations, e));
}

/* ---- telling ------------------------------------------------------------------------------ */

/* why: who wanted others to stay, or nothing. */
static void put_share(struct text *out, const char *what, struct relax_share share, const char *why)
{
    if (share.all)
        text_printf(out, "%s: %u of %u removed (%u%%)%s\n", what, share.removed, share.all,
                    (share.removed * 100 + share.all / 2) / share.all, why);
}

static void put_relaxations(const struct session *s, struct text *out)
{
    const struct relax_result *r = &s->result;
    unsigned offered = 0, made = 0;
    for (unsigned i = 0; i < RELAXATION_COUNT; i++) {
        offered += r->offered[i];
        made += r->made[i];
        if (r->offered[i])
            text_printf(out, "%s: %u of %u changes kept\n", relaxation_info[i].name, r->made[i],
                        r->offered[i]);
    }
    if (offered)
        text_printf(out, "relaxations: %u of %u kept; %s\n", made, offered,
                    s->mode == RELAX_CRASH ? "not executed"
                    : r->at_once           ? "defined at once"
                                           : "defined without the others");
}

static void put_near(const struct session *s, struct text *out)
{
    const struct list *l = &s->result.near_;
    for (size_t i = 0; i < l->n; i++) {
        const struct relax_near *near_ = l->at[i];
        struct place at = lang_place(s->subject.units[0].program, near_->node->begin);
        text_printf(out, "%s:%u:%u: %s came within one of firing, and is gone\n", at.file, at.line,
                    at.column, near_->name);
    }
}

static void put_validations(const struct session *s, struct text *out)
{
    for (unsigned i = 0; i < VALIDATOR_COUNT; i++)
        if (s->validators >> i & 1)
            text_printf(out, "%s: %s%s%s (%.1f s)\n", validator_name((enum validator)i),
                        validation_state_name(s->validations[i].state),
                        *s->validations[i].said ? ": " : "", s->validations[i].said,
                        s->validations[i].seconds);
}

static void put_summary(const struct session *s, struct text *out)
{
    const struct relax_counts *c = &s->result.counts;
    if (s->o->relax || s->o->again) { /* else it would not say that all other checks go */
        text_puts(out, "seed: ");
        relax_plan_print(&s->plan, out);
        text_putc(out, '\n');
    }
    put_relaxations(s, out);
    const char *kept = s->o->keep_checks ? ": --keep-checks" : "";
    put_share(out, "wrappers that ran, with a check", c->ran, kept);
    put_share(out, "wrappers that never ran, with a check", c->dead, kept);
    put_share(out, "wrappers without a check", c->plain, kept);
    put_share(out, "other checks that were not needed", c->other,
              s->plan.others == 0    ? ": the seed drops none of these"
              : s->plan.others < 100 ? ": the seed drops half of these"
                                     : "");
    put_share(out, "of those that ran, one off from firing", c->near_, kept);
    text_printf(out, "%u needed; %u stricter than needed; %u removals taken back; %u executions\n",
                c->needed, c->strict, c->guilty, c->runs);
    put_validations(s, out);
    if (s->by_facts)
        text_printf(out, "not executed by the machine: %s\n", *s->why ? s->why : "--facts");
    if (s->mended)
        text_printf(out, "%zu checks were undefined themselves, and are written otherwise\n",
                    s->mended);
}

static json_t *share_json(struct relax_share share)
{
    return json_pack("{s:i, s:i}", "all", (int)share.all, "removed", (int)share.removed);
}

static json_t *summary_json(const struct session *s)
{
    const struct relax_result *r = &s->result;
    struct text seed = {0};
    json_t *made = json_object(), *near_ = json_array(), *validations = json_object();
    for (unsigned i = 0; i < VALIDATOR_COUNT; i++)
        if (s->validators >> i & 1)
            json_object_set_new(validations, validator_name((enum validator)i),
                                json_string(validation_state_name(s->validations[i].state)));
    relax_plan_print(&s->plan, &seed);
    for (unsigned i = 0; i < RELAXATION_COUNT; i++)
        json_object_set_new(
            made, relaxation_info[i].name,
            json_pack("{s:i, s:i}", "offered", (int)r->offered[i], "made", (int)r->made[i]));
    for (size_t i = 0; i < r->near_.n; i++) {
        const struct relax_near *n = r->near_.at[i];
        struct place at = lang_place(s->subject.units[0].program, n->node->begin);
        json_array_append_new(near_, json_pack("{s:s, s:i, s:i}", "name", n->name, "line",
                                               (int)at.line, "column", (int)at.column));
    }
    json_t *all = json_pack(
        "{s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:i, s:i, s:o, s:s, s:i, s:b, s:o}",
        "seed", text_str(&seed), "relaxations", made, "defined_at_once", r->at_once, "ran",
        share_json(r->counts.ran), "dead", share_json(r->counts.dead), "plain",
        share_json(r->counts.plain), "other", share_json(r->counts.other), "near_shares",
        share_json(r->counts.near_), "needed", (int)r->counts.needed, "strict",
        (int)r->counts.strict, "guilty", (int)r->counts.guilty, "executions", (int)r->counts.runs,
        "near", near_, "output", text_str(&r->output), "status", r->status, "machine", !s->by_facts,
        "validations", validations);
    text_free(&seed);
    return all;
}

/* The program goes where it is wanted, and what there is to say elsewhere. */
static bool tell(const struct session *s, struct err *e)
{
    const struct options *o = s->o;
    struct text out = {0};
    bool to_stdout = !o->output || strcmp(o->output, "-") == 0;
    if (o->json) {
        json_t *json = summary_json(s);
        record_set_version(json);
        char *dump = json_dumps(json, JSON_INDENT(2));
        text_puts(&out, dump ? dump : "");
        text_putc(&out, '\n');
        free(dump);
        json_decref(json);
    } else {
        if (o->near_)
            put_near(s, &out);
        put_summary(s, &out);
    }
    bool ok = to_stdout ? o->json || cmd_output(&s->code) || fail(e, "cannot write to stdout")
                        : sys_write_file(o->output, text_str(&s->code), s->code.n, e);
    if (ok && o->expect && (s->by_facts || s->mode == RELAX_CRASH))
        log_note("%s is not written: only the machine knows what a program prints", o->expect);
    else if (ok && o->expect)
        ok = sys_write_file(o->expect, text_str(&s->result.output), s->result.output.n, e);
    if (ok && to_stdout && !o->json)
        fputs(text_str(&out), stderr);
    else if (ok)
        ok = cmd_output(&out) || fail(e, "cannot write to stdout");
    text_free(&out);
    return ok;
}

static int run_session(const struct options *o, struct arena *a, const char *file,
                       const struct cflags *own)
{
    struct session s = {.o = o, .a = a};
    struct err e;
    s.from = (struct emi_program){.files = list_of(a, file),
                                  .cc = o->cpp,
                                  .flags = (char **)own->flags.at,
                                  .libraries = (char **)own->libraries.at,
                                  .whole = o->whole,
                                  .compile_timeout = CC_COMPILE_SECONDS,
                                  .run_timeout = CC_RUN_SECONDS,
                                  .run_memory = (uint64_t)1 << 30};
    bool ok = read_plan(&s, &e) && read_words(&s, o->args, &e);
    s.from.unexecuted = s.mode == RELAX_CRASH;
    s.labs.scratch.lock_fd = -1;
    ok = ok && open_program(&s, &e) && relax(&s, &e) && read_validators(&s, &e) &&
         validate(&s, &e) && tell(&s, &e);
    if (s.subject.unit_count)
        emi_subject_close(&s.subject);
    cc_labs_close(&s.labs);
    text_free(&s.input);
    text_free(&s.code);
    text_free(&s.result.output);
    return ok ? EXIT_NOTHING_FOUND : sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
}

static const char description[] =
    "Runs a program once and writes it without the checks that this run did not need: safe-math\n"
    "wrappers, guards, clamps.  With --relax also with what careful generators avoid.  The result\n"
    "is executed again: it is defined.\n\n"
    "  cupel relax t.c -o r.c\n"
    "  cupel relax t.c -o r.c -I/usr/include/csmith --form macros --near\n"
    "  cupel relax t.c -o r.c --relax all --seed 7 --expect r.out\n"
    "  cupel relax t.c -o r.c --again '7, 2, 0.8, 0, 0, 0, 0.25, 0, 0'\n\n"
    "Exit status: 0 done, 2 could not do it.\n";

int cmd_relax(int argc, char **argv)
{
    struct options o = {0};
    struct arena a = {0};
    struct cflags own = {0};
    struct list words = {0};
    const struct option_row rows[] = {
        {"-o", "FILE", OPTION_STRING, &o.output, "where the program goes (default: stdout)"},
        {"--expect", "FILE", OPTION_STRING, &o.expect, "what it prints, by the machine"},
        {"--relax", "NAMES", OPTION_STRING, &o.relax,
         "all, or null,dangling,init,goto,bounds,parameter,conflict"},
        {"--seed", "N", OPTION_SEED, &o.seed, "draws relaxations and form (default: 0)"},
        {"--again", "SEED", OPTION_STRING, &o.again, "as a summary printed it: all of the above"},
        {"--form", "NAME", OPTION_STRING, &o.form,
         "wrappers that stay: functions, macros, mixed, as-written"},
        {"--mode", "NAME", OPTION_STRING, &o.mode,
         "miscompile, or crash: nothing is executed, anything goes"},
        {"--keep-checks", NULL, OPTION_FLAG, &o.keep_checks, "relaxations and form only"},
        {"--near", NULL, OPTION_FLAG, &o.near_, "list the removed checks that almost fired"},
        {"--validate", "WHO", OPTION_STRING, &o.validate,
         "ask sanitizers and Frama-C too: needed (by what was relaxed), all, or "
         "asan,msan,ubsan,frama-c"},
        {"--validate-timeout", "TIME", OPTION_DURATION, &o.validate_timeout,
         "CPU time for each of them (sanitizers 10m, Frama-C 5m)"},
        {"--input", "FILE", OPTION_STRING, &o.input, "the program's standard input"},
        {"--args", "WORDS", OPTION_STRING, &o.args, "its arguments, quoted as for a shell"},
        {"--facts", "SOURCE", OPTION_STRING, &o.facts,
         "auto, machine, or probes: what the program itself reports when compiled"},
        {"--cpp", "COMMAND", OPTION_STRING, &o.cpp, "the compiler that preprocesses (gcc)"},
        {"--whole", NULL, OPTION_FLAG, &o.whole, "keep all that headers declare"},
        {"--json", NULL, OPTION_FLAG, &o.json, "print JSON, for scripts"},
    };
    struct usage u = {.synopsis = "cupel relax FILE.c [-o R.c] [-I ...] [-D ...] [options]",
                      .description = description,
                      .rows = rows,
                      .count = LENGTH(rows),
                      .arena = &a};
    cmd_take_cflags(&u, &argc, argv, &own);
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (parsed == PARSED && words.n != 1)
        cmd_fail("one file is needed: see cupel relax --help");
    else if (parsed == PARSED)
        status = run_session(&o, &a, words.at[0], &own);
    arena_free(&a);
    return status;
}
