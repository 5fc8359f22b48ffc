/* cupel test: one program through every configuration. */
#include "cmd/cmd.h"

#include "cc/cc.h"
#include "cmd/cflags.h"
#include "cmd/oracle.h"
#include "cmd/loose.h"
#include "cmd/steady.h"
#include "cmd/view/view.h"
#include "front/front.h"
#include "judge/judge.h"
#include "sys/sys.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    struct list units, configs, inputs, args, expects;
    struct cflags own;
    uint64_t jobs, memory;
    double timeout, compile_timeout;
    bool json, keep, quiet, all, plain, trust;
    const char *output;
};

/* Everything that one `cupel test` works on. */
struct session {
    const struct options *o;
    struct arena *a;
    struct cc_labs labs;
    struct cc_case program;
    struct cc_config *configs;
    struct outcome *outcomes;
    size_t n;
    struct text *expected; /* per input; NULL when nothing is expected */
    struct judgement judgement;
    const char **licence; /* per configuration; NULL until looked for */
    bool *filled;         /* per configuration: shown on a stack that is filled, and only so */
    struct questions questions; /* and what the abstract machine answered */
    struct steady steady;       /* and whether it does the same each time */
    double start;

    /* while workers are busy */
    bool *waiting; /* configurations that nobody has taken yet */
    size_t todo;   /* how many there were */
    bool confirm;
    struct progress progress;
    atomic_size_t done;
    struct worker *workers; /* one per lab */
    pthread_mutex_t lock;   /* of waiting, the workers' compilers, and error */
    struct err error;
    atomic_bool failed;
};

struct worker {
    struct arena arena;
    const char *compiler; /* that it is busy with: its runner has that one ready */
};

/* ---- what to test -------------------------------------------------------------------- */

/* stdin becomes a file in the scratch folder. */
static bool save_stdin(struct session *s, char **unit, struct err *e)
{
    struct text t = {0};
    *unit = arena_printf(s->a, "%s/stdin.c", s->labs.scratch.path);
    bool ok = sys_read_file("-", (uint64_t)1 << 30, &t, e) &&
              sys_write_file(*unit, text_str(&t), t.n, e);
    text_free(&t);
    return ok;
}

static bool check_readable(const char *path, struct err *e)
{
    struct text t = {0};
    bool ok = sys_read_file(path, SYS_READ_ALL, &t, e);
    text_free(&t);
    return ok;
}

static bool read_program(struct session *s, struct err *e)
{
    const struct options *o = s->o;
    struct list args = {0};
    char **units = (char **)o->units.at;
    for (size_t i = 0; i < o->units.n; i++)
        if (strcmp(units[i], "-") == 0 ? !save_stdin(s, &units[i], e)
                                       : !check_readable(units[i], e))
            return false;
    for (size_t i = 0; i < o->inputs.n; i++)
        if (!check_readable(o->inputs.at[i], e))
            return false;
    for (size_t i = 0; i < o->args.n; i++) {
        char **words = str_split_command(s->a, o->args.at[i], e);
        if (!words)
            return false;
        for (; *words; words++)
            list_add(s->a, &args, *words);
    }
    list_add(s->a, &args, NULL);
    s->program = (struct cc_case){.units = units,
                                  .inputs = (char **)o->inputs.at,
                                  .args = (char **)args.at,
                                  .libraries = (char **)o->own.libraries.at,
                                  .compile_timeout = o->compile_timeout,
                                  .run_timeout = o->timeout,
                                  .compile_memory = (uint64_t)4 << 30,
                                  .run_memory = o->memory,
                                  .plain = o->plain};
    return true;
}

static bool read_expected(struct session *s, struct err *e)
{
    const struct options *o = s->o;
    size_t runs = o->inputs.n ? o->inputs.n : 1;
    if (o->expects.n == 0)
        return true;
    if (o->expects.n != runs)
        return fail(e, "%zu --expect for %zu inputs: give one for each, in the same order",
                    o->expects.n, runs);
    s->expected = NEW_ARRAY(s->a, runs, struct text);
    for (size_t i = 0; i < runs; i++)
        if (!sys_read_file(o->expects.at[i], SYS_READ_ALL, &s->expected[i], e))
            return false;
    return true;
}

static void show_probing(void *context, size_t done, size_t total)
{
    progress_show(context, "looking at compilers: %zu of %zu", done, total);
}

/* Seconds are a guess: half of one for each configuration, shared by the workers. */
static void say_how_many(struct session *s, const struct cc_list *found)
{
    struct cc_config *all;
    size_t n = 0;
    double seconds = 0.5 * (double)s->n / s->labs.n;
    if (cc_default_configs(s->a, found, &all, &n, NULL) && n > s->n)
        log_note("%zu configurations, the newest of each family, about %.0f s; all %zu with --all",
                 s->n, seconds + 1, n);
}

/* What --cc and --run say; what discovery finds when there is none. */
static bool read_configs(struct session *s, struct err *e)
{
    const struct list *l = &s->o->configs;
    if (l->n == 0) {
        struct cc_list found;
        struct cc_discovery how = {.progress = show_probing, .context = &s->progress};
        if (!cc_discover(s->a, &s->labs, &how, &found, e) ||
            !(s->o->all ? cc_default_configs : cc_quick_configs)(s->a, &found, &s->configs, &s->n,
                                                                 e))
            return false;
        if (!s->o->quiet)
            say_how_many(s, &found);
        for (size_t i = 0; i < s->n; i++)
            cc_mean_plainly(s->a, &s->configs[i]);
        return s->n || fail(e, "no C compiler on PATH: install one, or name it with --cc");
    }
    return cmd_read_configs(s->a, l, &s->configs, &s->n, e);
}

/* ---- testing ------------------------------------------------------------------------- */

static char *keep_folder(struct session *s, struct arena *a, const struct cc_config *config)
{
    char *name = arena_string(a, config->text);
    for (char *p = name; *p; p++)
        if (*p == '/' || *p == ' ')
            *p = *p == ' ' ? '_' : '+';
    return arena_printf(a, "%s/%s", s->o->output, name);
}

static bool is_busy_with(const struct session *s, const char *compiler)
{
    for (unsigned i = 0; i < s->labs.n; i++)
        if (s->workers[i].compiler && strcmp(s->workers[i].compiler, compiler) == 0)
            return true;
    return false;
}

/* The next configuration for a worker: of the compiler that it has at hand, else of one that no
 * other worker is busy with, else any. */
static size_t take_config(struct session *s, struct worker *w)
{
    size_t best = s->n;
    int best_rank = 0;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->n; i++) {
        const char *compiler = s->configs[i].argv[0];
        if (!s->waiting[i])
            continue;
        int rank = w->compiler && strcmp(w->compiler, compiler) == 0 ? 3
                   : !is_busy_with(s, compiler)                      ? 2
                                                                     : 1;
        if (rank > best_rank) {
            best_rank = rank;
            best = i;
        }
    }
    if (best == s->n)
        BUG("more items than configurations");
    s->waiting[best] = false;
    w->compiler = s->configs[best].argv[0];
    pthread_mutex_unlock(&s->lock);
    return best;
}

static void try_one(void *context, size_t item, unsigned worker)
{
    (void)item;
    struct session *s = context;
    struct arena *a = &s->workers[worker].arena;
    size_t i = take_config(s, &s->workers[worker]);
    struct cc_case program = s->program;
    struct err e;
    program.plain |= s->confirm;
    if (s->o->keep)
        program.keep_dir = keep_folder(s, a, &s->configs[i]);
    if (!cc_try(&s->labs.at[worker], &s->configs[i], &program, a, &s->outcomes[i], &e)) {
        pthread_mutex_lock(&s->lock);
        s->error = e;
        pthread_mutex_unlock(&s->lock);
        s->failed = true;
    }
    size_t done = atomic_fetch_add(&s->done, 1) + 1;
    progress_show(&s->progress, "%s %zu of %zu: %s", s->confirm ? "confirmed" : "tested", done,
                  s->todo, s->configs[i].text);
}

/* All configurations that are marked as waiting. */
static bool try_all(struct session *s, struct err *e)
{
    s->done = s->todo = 0;
    for (size_t i = 0; i < s->n; i++)
        s->todo += s->waiting[i];
    sys_parallel(s->todo, s->labs.n, try_one, s);
    if (s->failed)
        return fail(e, "%s", s->error.msg);
    return !sys_cancelled() || fail(e, "interrupted");
}

/* An expectation is for everything that was asked for by name; of what discovery found, for
 * this machine only. */
static struct judge_case case_of(const struct session *s)
{
    return (struct judge_case){.configs = s->configs,
                               .outcomes = s->outcomes,
                               .n = s->n,
                               .expected = s->expected,
                               .expected_machine = s->o->configs.n ? 0 : cc_host_machine(),
                               .known = s->questions.known,
                               .licence = s->licence,
                               .run_timeout = s->o->timeout};
}

static void judge(struct session *s)
{
    struct judge_case c = case_of(s);
    judge_outcomes(s->a, &c, &s->judgement);
}

static bool is_suspect(const struct session *s, size_t i)
{
    enum judge_mark mark = s->judgement.marks[i];
    return mark == MARK_DIFFERS || mark == MARK_UNCLEAR || mark == MARK_FAULT;
}

/* Leaves out what headers declare in vain: one compiler's are not always another's to read. */
static void leave_out_unused(const struct front_source *source, struct text *text)
{
    struct front_options options = front_options_of(source);
    struct unit u = front_parse(text_str(text), text->n, &options);
    if (!u.error_count) {
        size_t n;
        const struct edit *edits = lang_minimal(u.program, &n);
        struct text shorter = {0};
        lang_splice(u.program, edits, n, &shorter);
        text_free(text);
        *text = shorter;
    }
    lang_program_free(u.program);
}

/* Is it a compiler that we know, and not a script under its name? */
static bool is_what_it_says(struct arena *a, const char *command)
{
    enum cc_family family;
    const char *found = sys_find_program(a, command);
    return cc_family_of(command, &family) && found && sys_is_binary(found);
}

/* The units as configuration k's preprocessor leaves them, with its own headers or with those for
 * everybody; NULL ends, and is all when it fails.  One that may be a script is not asked: it is
 * what is in question. */
static char **preprocessed_units(struct session *s, size_t k, bool portable)
{
    struct list units = {0}, flags = {0};
    bool ok = true;
    for (size_t i = 1; s->configs[k].argv[i]; i++)
        list_add(s->a, &flags, s->configs[k].argv[i]);
    for (size_t i = 0; portable && front_portable_flags[i]; i++)
        list_add(s->a, &flags, (char *)front_portable_flags[i]);
    list_add(s->a, &flags, NULL);
    for (size_t i = 0; ok && s->program.units[i]; i++) {
        struct text text = {0};
        struct front_source source = {.path = s->program.units[i],
                                      .cc = s->configs[k].argv[0],
                                      .flags = (char **)flags.at,
                                      .inside = !is_what_it_says(s->a, s->configs[k].argv[0])};
        char *path = arena_printf(s->a, "%s/other%zu.c", s->labs.scratch.path, i);
        ok = front_preprocess(&source, &text, NULL);
        if (ok)
            leave_out_unused(&source, &text);
        ok = ok && sys_write_file(path, text_str(&text), text.n, NULL);
        list_add(s->a, &units, ok ? path : NULL);
        text_free(&text);
    }
    list_add(s->a, &units, NULL);
    return (char **)units.at;
}

/* Notes the word as what makes the difference, when this is as configuration k behaves. */
static bool try_other_text(struct session *s, size_t i, size_t k, const struct cc_config *config,
                           char **units, const char *word, struct err *e)
{
    struct outcome o;
    struct cc_case c = s->program;
    c.units = units;
    if (!units[0] || s->licence[i])
        return true;
    enum { TIMES = 5 }; /* a program that tosses a coin does the same now and then */
    bool same = true;
    for (int t = 0; same && t < TIMES; t++) {
        if (!cc_try(&s->labs.at[0], config, &c, s->a, &o, e))
            return false;
        same = o.kind == OUTCOME_BUILT && judge_same_behaviour(&o, &s->outcomes[k]);
    }
    if (same)
        s->licence[i] = word;
    return true;
}

/* Does configuration i behave as k does once it is given the same text?  -D, -std= and macros that
 * compilers define themselves make another program of it: then nobody is wrong. */
static bool find_other_text(struct session *s, size_t i, size_t k, struct err *e)
{
    const char *word, *own = "its own preprocessor";
    struct cc_config same = cmd_with_text_of(s->a, &s->configs[i], &s->configs[k], &word);
    if (word)
        return try_other_text(s, i, k, &same, (char **)s->program.units, word, e);
    cc_for_preprocessed(s->a, &same);
    return try_other_text(s, i, k, &same, preprocessed_units(s, k, false), own, e) &&
           try_other_text(s, i, k, &same, preprocessed_units(s, k, true), own, e);
}

/* Where behaviours differ: is that the program's own doing? */
static bool ask_whether_steady(struct session *s, bool last, struct err *e)
{
    const struct judgement *j = &s->judgement;
    s->steady.labs = &s->labs;
    s->steady.program = &s->program;
    s->steady.configs = s->configs;
    s->steady.outcomes = s->outcomes;
    s->steady.n = s->n;
    s->steady.judgement = j;
    s->steady.start = s->start;
    return !(j->counts[MARK_DIFFERS] || j->counts[MARK_UNCLEAR]) || s->steady.varies ||
           steady_ask(s->a, &s->steady, last, e);
}

/* Where votes alone would decide: do they follow from where things lie? */
static bool ask_elsewhere(struct session *s, struct err *e)
{
    const struct judgement *j = &s->judgement;
    bool votes = s->questions.silence && !s->questions.undefined && !s->expected;
    return s->steady.varies || !votes || !(j->counts[MARK_DIFFERS] || j->counts[MARK_UNCLEAR]) ||
           steady_ask_elsewhere(s->a, &s->steady, e);
}

/* Suspects by votes alone, against the first who is for the same machine and disagrees. */
static bool find_other_texts(struct session *s, struct err *e)
{
    bool any = false;
    for (size_t i = 0; i < s->n; i++) {
        size_t k = 0;
        enum judge_mark mark = s->judgement.marks[i];
        bool known = s->expected || (s->questions.known && s->questions.known[i]);
        if (known || (mark != MARK_DIFFERS && mark != MARK_UNCLEAR))
            continue;
        while (k < s->n &&
               (s->outcomes[k].machine != s->outcomes[i].machine || s->judgement.group_of[k] < 0 ||
                s->judgement.group_of[k] == s->judgement.group_of[i]))
            k++;
        if (k < s->n && !find_other_text(s, i, k, e))
            return false;
        any |= s->licence[i] != NULL;
    }
    if (any)
        judge(s);
    return true;
}

/* Where compilers do not agree, or there is nobody to agree with, the abstract machine is asked. */
static bool consult(struct session *s, struct err *e)
{
    s->questions = (struct questions){.lab = &s->labs.at[0],
                                      .program = &s->program,
                                      .configs = s->configs,
                                      .outcomes = s->outcomes,
                                      .n = s->n,
                                      .marks = s->judgement.marks};
    if (!s->expected && !questions_settle(s->a, &s->questions, e))
        return false;
    judge(s);
    return !sys_cancelled() || fail(e, "interrupted");
}

/* ---- again, the plain way --------------------------------------------------------------- */

/* The units of configuration i's program, which fills its stack before main; NULL ends, and is all
 * when nobody's preprocessor can be asked. */
static char **filled_units(struct session *s, size_t i)
{
    char **units = (char *[]){NULL};
    struct list filled = {0};
    const struct questions *q = &s->questions;
    for (size_t k = 0; k < s->n && !units[0]; k++)
        if (q->targets[k] == q->targets[i] && strcmp(q->texts[k], q->texts[i]) == 0)
            units = preprocessed_units(s, k, false);
    for (; *units; units++) {
        struct text text = {0}, other = {0};
        char *path = arena_printf(s->a, "%s-filled.c", *units);
        if (sys_read_file(*units, SYS_READ_ALL, &text, NULL) &&
            judge_fill_stack(text_str(&text), text.n, q->targets[i], &other) &&
            sys_write_file(path, other.s, other.n, NULL))
            list_add(s->a, &filled, path);
        else
            list_add(s->a, &filled, *units);
        text_free(&text);
        text_free(&other);
    }
    list_add(s->a, &filled, NULL);
    return (char **)filled.at;
}

/* Of a program that the loader alone shows to do otherwise than it must: the loader fills the
 * stack. Does it do so too when it is linked, and fills its stack itself?  Then it reads what
 * nobody wrote. */
static bool try_filled(struct session *s, size_t i, const struct outcome *loaded, struct err *e)
{
    const struct judge_known *known = s->questions.known ? s->questions.known[i] : NULL;
    struct cc_case c = s->program;
    struct outcome o;
    if (!known || !loaded->loaded || judge_is_as_known(loaded, known) ||
        s->outcomes[i].kind != OUTCOME_BUILT || !judge_is_as_known(&s->outcomes[i], known))
        return true;
    c.units = filled_units(s, i);
    c.plain = true;
    if (!c.units[0])
        return true;
    struct cc_config config = s->configs[i];
    cc_for_preprocessed(s->a, &config);
    if (!cc_try(&s->labs.at[0], &config, &c, s->a, &o, e))
        return false;
    s->filled[i] = o.kind == OUTCOME_BUILT && !judge_is_as_known(&o, known);
    if (s->filled[i])
        s->outcomes[i] = o;
    return true;
}

/* Does the configurations that are marked as waiting again, the plain way, and counts those whose
 * program behaves otherwise than before. */
static bool try_again(struct session *s, size_t *changed, struct err *e)
{
    bool *again = NEW_ARRAY(s->a, s->n, bool);
    struct outcome *before = NEW_ARRAY(s->a, s->n, struct outcome);
    memcpy(again, s->waiting, s->n * sizeof *again);
    memcpy(before, s->outcomes, s->n * sizeof *before);
    s->confirm = true;
    if (!try_all(s, e))
        return false;
    *changed = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct outcome *was = &before[i], *is = &s->outcomes[i];
        if (again[i] && !try_filled(s, i, was, e))
            return false;
        if (again[i] && !s->filled[i] && was->kind == OUTCOME_BUILT && is->kind == OUTCOME_BUILT)
            *changed += !judge_same_behaviour(was, is);
    }
    judge(s);
    return true;
}

/* Marks what is to be done again: suspects, or all that built the program. */
static size_t mark_again(struct session *s, bool suspects)
{
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++) {
        enum outcome_kind kind = s->outcomes[i].kind;
        s->waiting[i] = suspects ? is_suspect(s, i) && kind != OUTCOME_HANG
                                 : kind == OUTCOME_BUILT && !s->filled[i];
        count += s->waiting[i];
    }
    return count;
}

/* Is a suspect linked by its driver, and were others loaded?  A program may see which. */
static bool is_way_in_question(const struct session *s)
{
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->n && is_suspect(s, i); k++)
            if (s->outcomes[i].kind == OUTCOME_BUILT && !s->outcomes[i].loaded &&
                s->outcomes[k].kind == OUTCOME_BUILT && s->outcomes[k].loaded)
                return true;
    return false;
}

/* What looks like a finding is done again the plain way, with the driver and its linker, and
 * only what that shows is believed.  When that behaves otherwise than before, or was done so and
 * others were not, everybody is asked again, twice: where most change each time, it is the program
 * that does. */
static bool confirm_findings(struct session *s, bool *repeatable, struct err *e)
{
    enum { TURNS = 3 };
    size_t changed = 0;
    bool other_way = is_way_in_question(s);
    *repeatable = true;
    for (int turn = 0; turn < TURNS; turn++) {
        size_t asked = mark_again(s, turn == 0);
        if (!asked)
            return true;
        if (!try_again(s, &changed, e))
            return false;
        if (turn ? changed <= asked / 2 : !changed && !other_way)
            return true;
    }
    *repeatable = s->n < 2 && !(s->questions.known && s->questions.known[0]);
    return true;
}

/* Where two of them define by their flags what C does not, and the same, one of them is wrong,
 * though the program be undefined for all others. */
static bool is_wrong_by_its_flags(const struct session *s)
{
    const int *group = s->judgement.group_of;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->n && is_suspect(s, i); k++)
            if (oracle_defines_more(&s->configs[i]) && group[i] >= 0 && group[k] >= 0 &&
                group[i] != group[k] && s->outcomes[i].machine == s->outcomes[k].machine &&
                oracle_defines_as_much(&s->configs[i], &s->configs[k]))
                return true;
    return false;
}

/* Programs that behave otherwise are only worth something when the source says what they must do.
 */
static void find_excuse(struct session *s, bool repeatable)
{
    struct judgement *j = &s->judgement;
    if (!j->counts[MARK_DIFFERS] && !j->counts[MARK_UNCLEAR])
        return;
    if (is_wrong_by_its_flags(s))
        return;
    if (s->questions.undefined)
        j->excuse = s->questions.undefined;
    else if (s->steady.moves)
        j->excuse = "it does something else when it lies elsewhere in memory";
    else if (!repeatable)
        j->excuse = "it does something else each time it is run";
}

/* Does the program behave otherwise when it is compiled so?  Then the word lets it; unless it does
 * not do again what it did, in this folder and at this time, and so varies by itself. */
static bool try_otherwise(struct session *s, size_t i, const struct cc_config *plain,
                          const char *word, const char **licence, struct err *e)
{
    struct outcome o;
    if (!word || *licence)
        return true;
    if (!cc_try(&s->labs.at[0], plain, &s->program, s->a, &o, e))
        return false;
    if (o.kind != OUTCOME_BUILT || judge_same_behaviour(&o, &s->outcomes[i]))
        return true;
    if (!cc_try(&s->labs.at[0], &s->configs[i], &s->program, s->a, &o, e))
        return false;
    if (judge_same_behaviour(&o, &s->outcomes[i]))
        *licence = word;
    else
        s->steady.varies = true;
    return true;
}

/* Flags may let a program rightly behave otherwise: a suspect whose flags do is tried without them,
 * and when that behaves otherwise than with them, it is the flags that make the difference. */
static bool find_licences(struct session *s, struct err *e)
{
    const char **licence = NEW_ARRAY(s->a, s->n, const char *);
    bool any = false;
    for (size_t i = 0; i < s->n; i++)
        any |= is_suspect(s, i);
    for (size_t i = 0; any && i < s->n; i++) {
        struct cc_config plain = s->configs[i], order = plain, once = plain, freely = plain;
        char *const *units = s->program.units;
        const struct {
            const struct cc_config *config;
            const char *word;
        } tries[] = {
            {&plain, cc_mean_plainly(s->a, &plain)},
            {&order, cc_ignore_hints(s->a, &order, units)},
            {&once, cc_round_each(s->a, &once, units)},
            {&freely, cc_alias_freely(s->a, &freely, units)},
        };
        for (size_t k = 0; k < LENGTH(tries) && s->outcomes[i].kind == OUTCOME_BUILT; k++)
            if (!s->steady.varies &&
                !try_otherwise(s, i, tries[k].config, tries[k].word, &licence[i], e))
                return false;
    }
    if (s->steady.varies)
        return true;
    s->licence = licence;
    if (any)
        judge(s);
    return true;
}

/* ---- telling ------------------------------------------------------------------------- */

/* When nobody compiled it, the program is at fault, or our machine. */
static int explain_failure(const struct session *s)
{
    const struct judgement *j = &s->judgement;
    for (size_t i = 0; i < s->n; i++)
        if (s->outcomes[i].kind == OUTCOME_ENVIRONMENT)
            return cmd_fail("%s: %s", s->configs[i].text, s->outcomes[i].message);
        else if (s->outcomes[i].kind == OUTCOME_BAD_FLAGS)
            return cmd_fail("%s %s: %s", s->configs[i].text,
                            outcome_info(OUTCOME_BAD_FLAGS)->phrase, s->outcomes[i].message);
    size_t refused = j->counts[MARK_REFUSED];
    for (size_t i = 0; i < s->n; i++)
        refused += s->outcomes[i].kind == OUTCOME_NO_HEADER;
    if (refused == s->n)
        return cmd_fail("no compiler accepts %s: %s says: %s", s->program.units[0],
                        s->configs[0].text, s->outcomes[0].message);
    if (j->too_slow)
        return cmd_fail("%s does not end within %g s: give it more with --timeout",
                        s->program.units[0], s->o->timeout);
    if (j->cut_short)
        return cmd_fail("not everything was compared: %s prints more than is kept, or takes more "
                        "memory or processes than it may",
                        s->program.units[0]);
    for (size_t i = 0; i < s->n; i++)
        if (outcome_info(s->outcomes[i].kind)->weight == WEIGHT_NONE)
            return cmd_fail("%s: %s: %s", s->configs[i].text,
                            outcome_info(s->outcomes[i].kind)->phrase, s->outcomes[i].message);
    return cmd_fail("nothing was compared");
}

static int explain_lonely(const struct session *s)
{
    size_t i = 0;
    while (s->judgement.marks[i] != MARK_ALONE)
        i++;
    if (s->licence && s->licence[i])
        return cmd_fail("not everything was compared: %s lets the program of %s behave otherwise",
                        s->licence[i], s->configs[i].text);
    const char *why = s->questions.silence ? s->questions.silence : s->questions.undefined;
    return cmd_fail("nothing to compare the program of %s with: no other compiler is for the same "
                    "machine%s%s: give another --cc, or --expect",
                    s->configs[i].text, why ? ", and cupel check cannot tell: " : "",
                    why ? why : "");
}

static int status_of(const struct session *s)
{
    const struct judgement *j = &s->judgement;
    if (judge_found_something(j))
        return EXIT_FOUND;
    if (j->excuse)
        return cmd_fail("%s says nothing about its compilers: %s", s->program.units[0], j->excuse);
    if (!j->built || j->no_answer || j->too_slow || j->cut_short)
        return explain_failure(s);
    if (j->counts[MARK_ALONE])
        return explain_lonely(s);
    return j->counts[MARK_AGREES] ? EXIT_NOTHING_FOUND : cmd_fail("nothing was compared");
}

static int report(struct session *s)
{
    struct judge_case c = case_of(s);
    struct matrix m = {.c = &c,
                       .j = &s->judgement,
                       .program = &s->program,
                       .filled = s->filled,
                       .seconds = sys_now() - s->start};
    struct text out = {0};
    if (s->o->json)
        matrix_render_json(s->a, &m, &out);
    else
        matrix_render_text(s->a, &m, &out);
    int status = cmd_output(&out) ? status_of(s) : cmd_fail("cannot write to stdout");
    text_free(&out);
    log_debug("cpu: %.3f s in compilers and programs, %.3f s in cupel", sys_children_cpu(),
              sys_own_cpu());
    return status;
}

static bool prepare(struct session *s, struct err *e)
{
    unsigned jobs = (unsigned)s->o->jobs;
    if (s->o->configs.n) {
        /* configurations first: their folders go into the sandbox */
        if (!read_configs(s, e))
            return false;
        cmd_apply_cflags(s->a, &s->o->own, s->configs, s->n);
        jobs = s->n < jobs ? (unsigned)s->n : jobs;
    }
    struct cc_lab_options labs = {.count = jobs,
                                  .readable = cc_readable(s->a, s->configs, s->n),
                                  .trust_compilers = s->o->trust};
    if (!cc_labs_open(&s->labs, &labs, e))
        return false;
    if (!read_program(s, e) || !read_expected(s, e))
        return false;
    if (!s->o->configs.n) {
        if (!read_configs(s, e))
            return false;
        cmd_apply_cflags(s->a, &s->o->own, s->configs, s->n);
    }
    s->workers = NEW_ARRAY(s->a, s->labs.n, struct worker);
    s->outcomes = NEW_ARRAY(s->a, s->n, struct outcome);
    s->waiting = NEW_ARRAY(s->a, s->n, bool);
    s->filled = NEW_ARRAY(s->a, s->n, bool);
    memset(s->waiting, true, s->n * sizeof *s->waiting);
    return true;
}

/* A refusal may be about the flags, not about the program. */
static bool look_at_flags(struct session *s, struct err *e)
{
    for (size_t i = 0; i < s->n; i++)
        if (!cc_look_at_flags(&s->labs.at[0], &s->configs[i], s->a, &s->outcomes[i], e))
            return false;
    return true;
}

/* Where some link the program and others do not: does it lack a definition?  Then it is up to an
 * optimiser whether that is missed. */
static void note_loose_ends(struct session *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct outcome *o = &s->outcomes[i];
        struct front_source how = {.cc = s->configs[i].argv[0], .flags = s->configs[i].argv + 1};
        const char *name = o->kind == OUTCOME_LINK_FAILED ? loose_missing(s->a, o->message) : NULL;
        char **units = name && s->judgement.built ? preprocessed_units(s, i, false) : NULL;
        if (units && units[0] && loose_is_end(units, &how, name)) {
            o->kind = OUTCOME_LOOSE_END;
            o->message = arena_printf(s->a, "'%s' is declared, and not defined", name);
        }
    }
    judge(s);
}

/* What a sanitizer reports, and not what the program says by itself. */
static const char *sanitizer_words(const struct validation *v)
{
    static const char *const marks[] = {
        "AddressSanitizer: ", "MemorySanitizer: ", "UndefinedBehaviorSanitizer: "};
    for (size_t i = 0; v->state == VALIDATION_UNDEFINED && i < LENGTH(marks); i++) {
        const char *at = strstr(v->said, marks[i]);
        if (at)
            return at;
    }
    return NULL;
}

/* Programs that only votes can judge may be undefined: sanitizers see most of that. */
static bool ask_sanitizers(struct session *s, struct err *e)
{
    const struct judgement *j = &s->judgement;
    struct validation said[VALIDATOR_COUNT];
    /* all: to some of them whatever a program says to stderr is a report */
    struct judge_validate what = {
        .program = &s->program, .all = true, .most = s->program.run_timeout};
    if (s->expected || !s->questions.silence || s->questions.undefined ||
        !(j->counts[MARK_DIFFERS] || j->counts[MARK_UNCLEAR]))
        return true;
    if (!judge_validators_parse("asan,msan,ubsan", &what.validators, e) ||
        !judge_validate(&s->labs.at[0], &what, s->a, said, e))
        return false;
    for (size_t i = 0; i < VALIDATOR_COUNT; i++) {
        const char *words = sanitizer_words(&said[i]);
        if (words)
            s->questions.undefined = arena_printf(s->a, "undefined: %s", words);
    }
    const char *race;
    if (!judge_find_race(&s->labs.at[0], &s->program, what.most, s->a, &race, e))
        return false;
    if (race)
        s->questions.undefined = arena_printf(s->a, "undefined: %s", race);
    return true;
}

/* What differs, and why: the program, its flags, its text, or a compiler. */
static bool find_reasons(struct session *s, struct err *e)
{
    bool repeatable = true;
    judge(s);
    note_loose_ends(s);
    if (!ask_whether_steady(s, false, e) || (!s->steady.varies && !find_licences(s, e)) ||
        !consult(s, e) || !ask_whether_steady(s, true, e) || !ask_elsewhere(s, e))
        return false;
    if (!s->steady.varies && (!find_other_texts(s, e) || !confirm_findings(s, &repeatable, e)))
        return false;
    if (!s->steady.varies && !ask_sanitizers(s, e))
        return false;
    find_excuse(s, repeatable && !s->steady.varies);
    return true;
}

static int run_session(struct session *s)
{
    struct err e;
    int status = EXIT_CANNOT;
    progress_start(&s->progress, s->o->quiet);
    bool ok = prepare(s, &e) && try_all(s, &e) && look_at_flags(s, &e);
    if (ok)
        ok = find_reasons(s, &e);
    progress_end(&s->progress);
    if (ok)
        status = report(s);
    else if (!sys_cancelled())
        cmd_fail("%s", e.msg);
    for (unsigned i = 0; s->workers && i < s->labs.n; i++)
        arena_free(&s->workers[i].arena);
    for (size_t i = 0; s->expected && i < s->o->expects.n; i++)
        text_free(&s->expected[i]);
    cc_labs_close(&s->labs);
    return status;
}

static const char description[] =
    "Compiles and runs the program under every configuration (or those given by --cc), in a\n"
    "sandbox with limits, and shows a matrix: equal letters mean equal output and exit status.\n"
    "Where they differ, the program is executed exactly, as by cupel check, and that decides who "
    "is\n"
    "right; where it cannot be, the majority of compilers for the same machine is; compilers for\n"
    "different machines are not compared.  '!' marks who is wrong, '?' that there is no majority,\n"
    "'-' that there is nobody to compare with, '~' a run that was cut off, '*' compile time or\n"
    "memory far above the same compiler's other levels.\n\n"
    "  cupel test t.c\n"
    "  cupel test t.c --expect t.out --cc 'gcc-12 -O2' --cc tcc\n"
    "  cupel test main.c util.c -Iinclude -DN=3 -lz --cc 'clang-19 -O3' --input data.txt --args "
    "'-n 5'\n"
    "  cupel test t.c --cc 'aarch64-linux-gnu-gcc-12 -O2' --run 'qemu-aarch64 -L "
    "/usr/aarch64-linux-gnu'\n\n"
    "Where the program is undefined, or does something else each time, compilers cannot be "
    "blamed.\n"
    "\n"
    "Exit status: 0 all that ran was compared and agrees, 1 somebody is wrong, crashes or rejects\n"
    "it, 2 no answer.\n";

int cmd_test(int argc, char **argv)
{
    struct options o = {.jobs = sys_cpu_count(),
                        .timeout = CC_RUN_SECONDS,
                        .compile_timeout = CC_COMPILE_SECONDS,
                        .memory = (uint64_t)1 << 30,
                        .output = "cupel-test"};
    struct arena a = {0};
    bool verbose = false;
    const struct option_row rows[] = {
        {"--cc", "COMMAND", OPTION_TAGGED, &o.configs, "test this compiler command; repeatable"},
        {"--run", "COMMAND", OPTION_TAGGED, &o.configs, "put this before the last --cc's programs"},
        {"--input", "FILE", OPTION_STRINGS, &o.inputs, "run with this as stdin; one run for each"},
        {"--args", "WORDS", OPTION_STRINGS, &o.args, "arguments of the program"},
        {"--expect", "FILE", OPTION_STRINGS, &o.expects, "what it must print; one for each input"},
        {"--jobs", "N", OPTION_COUNT, &o.jobs, "how many at a time (default: all cores)"},
        {"--timeout", "TIME", OPTION_DURATION, &o.timeout, "CPU time of one run (default 10s)"},
        {"--compile-timeout", "TIME", OPTION_DURATION, &o.compile_timeout,
         "CPU time of one compilation (default 60s)"},
        {"--memory", "SIZE", OPTION_SIZE, &o.memory, "memory of one run (default 1G)"},
        {"--all", NULL, OPTION_FLAG, &o.all,
         "every compiler and level, not only -O0 to -O3 of the newest of each family"},
        {"--plain", NULL, OPTION_FLAG, &o.plain, "always use the compiler's own linker (slower)"},
        {"--trust-compilers", NULL, OPTION_FLAG, &o.trust, CMD_TRUST_HELP},
        {"--keep", NULL, OPTION_FLAG, &o.keep, "keep objects, executables and outputs"},
        {"-o", "DIR", OPTION_STRING, &o.output, "where --keep keeps them (default cupel-test)"},
        {"--json", NULL, OPTION_FLAG, &o.json, "print JSON, for scripts"},
        {"--quiet", NULL, OPTION_FLAG, &o.quiet, "no progress"},
        {"--verbose", NULL, OPTION_FLAG, &verbose, "say more about what is going on"},
    };
    struct usage u = {
        .synopsis =
            "cupel test FILE.c [MORE.c ...] [-I ...] [-D ...] [-std=...] [-l ...] [options]",
        .description = description,
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a};
    cmd_take_cflags(&u, &argc, argv, &o.own);
    enum parsed parsed = cmd_parse(&u, argc, argv, &o.units);
    list_add(&a, &o.inputs, NULL);
    o.inputs.n--;
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (verbose)
        log_set_level(LOG_DEBUG);
    if (parsed == PARSED && o.units.n == 0)
        cmd_fail("no file to test: see cupel test --help");
    else if (parsed == PARSED && (o.jobs == 0 || o.jobs > 256))
        cmd_fail("--jobs must be from 1 to 256");
    else if (parsed == PARSED && (o.timeout <= 0 || o.compile_timeout <= 0))
        cmd_fail("a time-out must be longer than 0");
    else if (parsed == PARSED) {
        struct session s = {
            .o = &o, .a = &a, .start = sys_now(), .lock = PTHREAD_MUTEX_INITIALIZER};
        s.labs.scratch.lock_fd = -1;
        status = run_session(&s);
    }
    arena_free(&a);
    return status;
}
