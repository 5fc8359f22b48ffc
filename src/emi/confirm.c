/* From suspicion to finding.  What looks like one is done again the plain way, original and
 * variant, with the compiler's own driver and linker.  Then every other reason is looked for: the
 * original does something else each time, the facts do not hold in another run, or nobody else
 * takes the variant for C. */
#include "emi/session.h"

#include "judge/judge.h"
#include "sys/sys.h"

#include <string.h>

enum { CONFIRMED_PER_CONFIG = 8, REPEATS = 4, RUNS = 8 };
#define OTHER_TIME 1.2 /* seconds after which time(NULL) is another one */
/* below these nobody waits, or runs out of memory; judge has the same for levels of one compiler */
#define SLOW_SECONDS 1.0
#define LARGE_BYTES  512e6

static void add_finding(struct session *s, const struct emi_finding *f)
{
    struct emi_report *r = s->out;
    struct emi_finding *grown = arena_grow(s->a, r->findings, r->finding_count,
                                           r->finding_count + 1, sizeof *grown);
    grown[r->finding_count++] = *f;
    r->findings = grown;
}

/* flags: which the files are read with, when they are not preprocessed; NULL: none. */
static const char *command_for(struct session *s, size_t config, char *const *files,
                               char *const *flags)
{
    struct cc_case c = s->program;
    struct cc_config config_of_files = s->t->configs[config];
    if (flags)
        config_of_files = cc_config_with(s->a, &config_of_files, flags);
    c.units = files;
    return arena_printf(s->a, "%s && ./t", cc_plain_command(s->a, &config_of_files, &c, "./t"));
}

/* As the driver builds it; each input more than once, for what comes out otherwise one time in ten.
 */
static bool try_plainly(struct session *s, size_t config, const struct text *texts,
                        struct outcome *out, struct err *e)
{
    struct cc_case c = s->program;
    c.plain = true;
    c.again = RUNS;
    return session_try(s, 0, &s->t->configs[config], texts, &c, s->a, out, e);
}

/* The loader fills the stack.  What only that shows reads what nobody wrote: a mistake of the
 * compiler's where the machine vouches for the program, and of nobody's otherwise. */
static bool may_fill(const struct session *s, size_t config)
{
    return s->t->subject->source == EMI_MACHINE && s->out->originals[config].loaded;
}

/* ---- is the original steady? ------------------------------------------------------------ */

/* Inputs on which the two differ are not compared any more. */
static void note_unsteady(struct session *s, const struct outcome *x, const struct outcome *y)
{
    if (x->kind != OUTCOME_BUILT || y->kind != OUTCOME_BUILT)
        return;
    for (size_t i = 0; i < x->run_count && i < y->run_count; i++) {
        struct outcome p = {.runs = &x->runs[i], .run_count = 1};
        struct outcome q = {.runs = &y->runs[i], .run_count = 1};
        bool varies = x->runs[i].varies || y->runs[i].varies;
        if (!s->unsteady[i] && (varies || !judge_same_behaviour(&p, &q))) {
            s->unsteady[i] = true;
            s->out->unsteady++;
        }
    }
}

static bool try_moved(struct session *s, size_t config, struct outcome *out, struct err *e)
{
    const struct emi_subject *subject = s->t->subject;
    struct text *texts = NEW_ARRAY(s->a, subject->unit_count, struct text);
    for (size_t i = 0; i < subject->unit_count; i++)
        emi_moved_text(subject->units[i].program, s->t->configs[config].argv[0], (unsigned)i + 1,
                       &texts[i]);
    bool ok = try_plainly(s, config, texts, out, e);
    for (size_t i = 0; i < subject->unit_count; i++)
        text_free(&texts[i]);
    return ok;
}

/* Another time, another process, other addresses; and where the machine does not vouch for the
 * program, other code and other frames as well. */
static bool try_repeatedly(struct session *s, size_t config, struct err *e)
{
    struct outcome again;
    const struct text *texts = session_original(s, s->a);
    double waited = sys_now() - s->start;
    if (waited < OTHER_TIME)
        sys_peers_wait(NULL, 0, OTHER_TIME - waited);
    if (!try_plainly(s, config, texts, &s->plain[config], e))
        return false;
    if (!may_fill(s, config)) /* else that may be what differs */
        note_unsteady(s, &s->out->originals[config], &s->plain[config]);
    for (int i = 0; i < REPEATS; i++) {
        if (!try_plainly(s, config, texts, &again, e))
            return false;
        note_unsteady(s, &s->plain[config], &again);
    }
    if (s->t->subject->source != EMI_MACHINE) {
        if (!try_moved(s, config, &again, e))
            return false;
        note_unsteady(s, &s->plain[config], &again);
    }
    return true;
}

/* The original as the driver builds it; by then it is known which inputs can be compared. */
static bool plain_original(struct session *s, size_t config, struct err *e)
{
    if (s->plain_done[config])
        return true;
    s->plain_done[config] = true;
    return try_repeatedly(s, config, e);
}

/* ---- on a stack that is filled ----------------------------------------------------------- */

/* These texts, with another beginning; to be freed. */
static struct text *fill(struct session *s, const struct text *texts)
{
    const struct emi_subject *subject = s->t->subject;
    struct text *filled = NEW_ARRAY(s->a, subject->unit_count, struct text);
    for (size_t i = 0; i < subject->unit_count; i++)
        if (!judge_fill_stack(text_str(&texts[i]), texts[i].n, subject->units[i].program->target,
                              &filled[i]))
            text_add(&filled[i], text_str(&texts[i]), texts[i].n);
    return filled;
}

/* Where such texts are left for people to look at. */
static const char *filled_dir(struct session *s)
{
    return arena_printf(s->a, "%s/filled", s->t->output ? s->t->output : ".");
}

static bool write_filled(struct session *s, char *const *files, const struct text *texts,
                         struct err *e)
{
    for (size_t i = 0; s->t->output && files[i]; i++) {
        char *slash = strrchr(files[i], '/');
        if (!sys_make_dirs(arena_copy(s->a, files[i], (size_t)(slash - files[i])), e) ||
            !sys_write_file(files[i], text_str(&texts[i]), texts[i].n, e))
            return false;
    }
    return true;
}

static void free_texts(const struct session *s, struct text *texts)
{
    for (size_t i = 0; i < s->t->subject->unit_count; i++)
        text_free(&texts[i]);
}

/* ---- what flags let it do ----------------------------------------------------------------- */

/* Does it do something else when it is compiled so? */
static bool changes_with(struct session *s, const struct cc_config *config,
                         const struct text *texts, const struct outcome *now, bool *changes,
                         struct err *e)
{
    struct cc_case c = s->program;
    struct outcome o;
    c.plain = true;
    if (!session_try(s, 0, config, texts, &c, s->a, &o, e))
        return false;
    *changes = o.kind == OUTCOME_BUILT && !session_same_behaviour(s, now, &o);
    return true;
}

/* Is this, or what the original does, what a licence of the compiler's makes?
 * Aliasing: the machine does not judge all that types may reach in allocated memory, and where it
 * did not run the program nobody judged any. Rounding and order: a script may start clang, whose
 * flags are known only when its name is. */
static bool is_excused(struct session *s, size_t config, const struct text *texts,
                       const struct outcome *now, bool *is, struct err *e)
{
    const struct emi_subject *subject = s->t->subject;
    struct cc_config freely = s->t->configs[config], once = freely, order = freely;
    char *const *files = subject->from.files;
    const struct {
        const struct cc_config *config;
        const char *word;
        size_t *count;
    } tries[] = {
        {&freely, cc_alias_freely(s->a, &freely, subject->source == EMI_MACHINE ? files : NULL),
         &s->out->aliasing},
        {&once, cc_round_each(s->a, &once, files), &s->out->rounding},
        {&order, cc_ignore_hints(s->a, &order, files), &s->out->rounding},
    };
    *is = false;
    for (size_t i = 0; i < LENGTH(tries) && now->kind == OUTCOME_BUILT && !*is; i++) {
        if (tries[i].word && (!changes_with(s, tries[i].config, texts, now, is, e) ||
                              (!*is && !changes_with(s, tries[i].config, session_original(s, s->a),
                                                     &s->plain[config], is, e))))
            return false;
        *tries[i].count += *is;
    }
    return true;
}

/* ---- the original against the machine --------------------------------------------------- */

static bool is_as_expected(const struct session *s, const struct outcome *o)
{
    const struct emi_subject *subject = s->t->subject;
    return session_does(s, o, subject->expected, subject->status);
}

/* What the machine knows, as if somebody had compiled it. */
static struct outcome machine_outcome(struct session *s)
{
    const struct emi_subject *subject = s->t->subject;
    struct outcome_run *must = NEW_ARRAY(s->a, subject->run_count, struct outcome_run);
    for (size_t i = 0; i < subject->run_count; i++)
        must[i] = (struct outcome_run){
            .code = subject->status[i],
            .out = text_str(&subject->expected[i]),
            .out_size = subject->expected[i].n,
            .words = arena_printf(s->a, "exit status %d", subject->status[i])};
    return (struct outcome){.kind = OUTCOME_BUILT, .runs = must, .run_count = subject->run_count};
}

/* The original does otherwise than the machine says. */
static void add_original(struct session *s, size_t config, const struct outcome *now,
                         char *const *files)
{
    struct outcome wanted = machine_outcome(s);
    add_finding(s, &(struct emi_finding){
                       .variant = EMI_ORIGINAL,
                       .config = config,
                       .file = files[0],
                       .kind = "other behaviour than the machine's",
                       .was = outcome_describe(s->a, &wanted, now),
                       .is = outcome_describe(s->a, now, &wanted),
                       .diff = "",
                       .command = command_for(s, config, files, s->t->flags),
                   });
}

static bool is_wrong(const struct session *s, const struct outcome *o)
{
    return o->kind == OUTCOME_BUILT && outcome_ends(o) && !is_as_expected(s, o);
}

/* The same on a stack that is filled. */
static bool check_filled_original(struct session *s, size_t config, bool *wrong, struct err *e)
{
    const struct emi_subject *subject = s->t->subject;
    struct list files = {0};
    struct outcome now;
    struct text *filled = fill(s, session_original(s, s->a));
    for (size_t i = 0; i < subject->unit_count; i++)
        list_add(s->a, &files, arena_printf(s->a, "%s/original%zu.c", filled_dir(s), i));
    list_add(s->a, &files, NULL);
    bool ok = try_plainly(s, config, filled, &now, e);
    *wrong = ok && is_wrong(s, &now);
    if (*wrong && (ok = write_filled(s, (char **)files.at, filled, e)))
        add_original(s, config, &now, (char **)files.at);
    free_texts(s, filled);
    return ok;
}

/* The machine knows what the original must do: is that what it does? */
static bool check_original(struct session *s, size_t config, struct err *e)
{
    struct emi_subject *subject = s->t->subject;
    const struct outcome *o = &s->out->originals[config];
    bool wrong = false, excused;
    if (!subject->expected || !s->out->usable[config] || is_as_expected(s, o))
        return true;
    if (!plain_original(s, config, e))
        return false;
    if (is_wrong(s, &s->plain[config])) {
        if (!is_excused(s, config, session_original(s, s->a), &s->plain[config], &excused, e))
            return false;
        if (!excused)
            add_original(s, config, &s->plain[config], subject->from.files);
        return true;
    }
    if (may_fill(s, config) && !check_filled_original(s, config, &wrong, e))
        return false;
    s->out->unstable += !wrong && s->out->unsteady < subject->run_count;
    return true;
}

/* ---- a variant -------------------------------------------------------------------------- */

static const char *kind_of(const struct outcome *o)
{
    return o->kind == OUTCOME_BUILT ? "other behaviour" : outcome_info(o->kind)->phrase;
}

static void add_variant(struct session *s, size_t config, size_t variant, const char *dir,
                        const struct text *texts, struct emi_finding f)
{
    const struct emi_subject *subject = s->t->subject;
    char **files = session_variant_files(s, s->a, dir, variant);
    struct text diff = {0};
    for (size_t i = 0; i < subject->unit_count; i++)
        emi_source_diff(subject->units[i].program, subject->units[i].file, &texts[i], files[i],
                        &diff);
    f.variant = (long)variant;
    f.config = config;
    f.file = s->t->output ? session_variant_path(s, s->a, dir, variant) : NULL;
    f.diff = arena_string(s->a, text_str(&diff));
    f.command = command_for(s, config, files, NULL);
    add_finding(s, &f);
    text_free(&diff);
}

/* Does a compiler that has nothing to do with this one accept the same text? */
static bool is_accepted_elsewhere(struct session *s, size_t config, const struct text *texts,
                                  bool *accepted, struct err *e)
{
    struct list others = {0};
    struct cc_case c = s->program;
    const struct cc_config *own = &s->t->configs[config];
    emi_second_opinions(s->a, own, s->t->configs, s->t->config_count, &others);
    *accepted = false;
    c.plain = true;
    for (size_t i = 0; i < others.n && !*accepted; i++) {
        struct outcome o;
        if (!session_try(s, 0, others.at[i], texts, &c, s->a, &o, e))
            return false;
        *accepted = o.kind == OUTCOME_BUILT;
    }
    return true;
}

static bool varies(const struct session *s, const struct outcome *o)
{
    for (size_t i = 0; i < o->run_count; i++)
        if (o->runs[i].varies && !s->unsteady[i])
            return true;
    return false;
}

/* The variant again and again: does it do the same each time? */
static bool is_repeatable(struct session *s, size_t config, const struct text *texts,
                          const struct outcome *first, bool *same, struct err *e)
{
    struct outcome again;
    *same = !varies(s, first);
    for (int i = 0; *same && i < REPEATS; i++) {
        if (!try_plainly(s, config, texts, &again, e))
            return false;
        *same = session_same_behaviour(s, first, &again) && !varies(s, &again);
    }
    return true;
}

/* Does the variant behave otherwise, and so each time? */
static bool is_otherwise(struct session *s, size_t config, const struct text *texts,
                         const struct outcome *was, struct outcome *now, bool *otherwise,
                         struct err *e)
{
    bool same = true;
    if (!try_plainly(s, config, texts, now, e) ||
        (now->kind == OUTCOME_BUILT && !is_repeatable(s, config, texts, now, &same, e)))
        return false;
    *otherwise = was->kind == OUTCOME_BUILT && !session_same_behaviour(s, was, now) && same &&
                 !session_is_silent(s, was, now);
    return true;
}

/* Still otherwise, wherever its strings lie?  What a variant drops moves the strings behind it;
 * code that runs where they lie now may have run in no build with probes, which had them elsewhere.
 * The machine needs no such question: it knows what follows from addresses. */
static bool is_otherwise_elsewhere(struct session *s, size_t config, const struct text *texts,
                                   const struct outcome *was, bool *otherwise, struct err *e)
{
    size_t units = s->t->subject->unit_count;
    struct cc_case c = s->program;
    c.plain = true;
    *otherwise = true;
    if (s->t->subject->source == EMI_MACHINE)
        return true;
    for (unsigned layout = 1; *otherwise && layout <= EMI_LAYOUTS; layout++) {
        struct text *moved = NEW_ARRAY(s->a, units, struct text);
        struct outcome now;
        for (size_t i = 0; i < units; i++) {
            emi_move_things(&moved[i], s->t->configs[config].argv[0], layout, i);
            text_add(&moved[i], text_str(&texts[i]), texts[i].n);
        }
        bool ok = session_try(s, 0, &s->t->configs[config], moved, &c, s->a, &now, e);
        free_texts(s, moved);
        if (!ok)
            return false;
        *otherwise = !session_same_behaviour(s, was, &now);
    }
    return true;
}

static struct emi_finding describe(struct session *s, const struct outcome *was,
                                   const struct outcome *now)
{
    return (struct emi_finding){.kind = kind_of(now),
                                .was = outcome_describe(s->a, was, now),
                                .is = outcome_describe(s->a, now, was)};
}

/* On a stack that is filled the original does what it did, and the variant something else? */
static bool weigh_filled(struct session *s, size_t config, size_t variant, const struct text *texts,
                         struct err *e)
{
    const struct outcome *plain = &s->plain[config];
    struct outcome was, now;
    struct text *original = fill(s, session_original(s, s->a)), *filled = fill(s, texts);
    bool otherwise = false;
    bool ok = try_plainly(s, config, original, &was, e);
    if (ok && session_same_behaviour(s, plain, &was) && !varies(s, &was))
        ok = is_otherwise(s, config, filled, &was, &now, &otherwise, e);
    otherwise = otherwise && now.kind == OUTCOME_BUILT;
    if (ok && otherwise)
        ok = write_filled(s, session_variant_files(s, s->a, filled_dir(s), variant), filled, e);
    if (ok && otherwise)
        add_variant(s, config, variant, filled_dir(s), filled, describe(s, &was, &now));
    else
        s->out->unstable++;
    free_texts(s, original);
    free_texts(s, filled);
    return ok;
}

/* Behaves otherwise, again; and the reason is the compiler. */
static bool weigh(struct session *s, size_t config, size_t variant, const struct text *texts,
                  struct err *e)
{
    struct outcome now;
    const struct outcome *was = &s->plain[config];
    const char *dir = s->t->output ? s->t->output : ".";
    bool accepted = true, excused, otherwise;
    if (!is_otherwise(s, config, texts, was, &now, &otherwise, e))
        return false;
    if (!otherwise && may_fill(s, config))
        return weigh_filled(s, config, variant, texts, e);
    if (otherwise && now.kind == OUTCOME_BUILT &&
        !is_otherwise_elsewhere(s, config, texts, was, &otherwise, e))
        return false;
    if (!otherwise) {
        s->out->unstable++;
        return true;
    }
    if ((outcome_info(now.kind)->weight == WEIGHT_REFUSED &&
         !is_accepted_elsewhere(s, config, texts, &accepted, e)) ||
        !is_excused(s, config, texts, &now, &excused, e))
        return false;
    if (excused)
        return true;
    if (accepted)
        add_variant(s, config, variant, dir, texts, describe(s, was, &now));
    else
        s->out->refused++;
    return true;
}

/* ---- compile time and memory ------------------------------------------------------------ */

/* Far above the original's, under the same configuration. */
static enum verdict cost_verdict(double cpu, double memory, const struct outcome *original)
{
    double seconds[] = {original->compile_cpu, original->compile_cpu};
    double bytes[] = {(double)original->compile_memory, (double)original->compile_memory};
    if (judge_is_out_of_line(cpu, seconds, LENGTH(seconds), SLOW_SECONDS))
        return VERDICT_SLOW_COMPILE;
    if (judge_is_out_of_line(memory, bytes, LENGTH(bytes), LARGE_BYTES))
        return VERDICT_LARGE_COMPILE;
    return VERDICT_NONE;
}

static char *describe_cost(struct arena *a, const struct outcome *o)
{
    return arena_printf(a, "compiled in %.2f s with %.0f MB", o->compile_cpu,
                        (double)o->compile_memory / 1e6);
}

static bool weigh_cost(struct session *s, size_t config, size_t variant, const struct text *texts,
                       struct err *e)
{
    struct outcome now;
    const struct outcome *was = &s->plain[config];
    if (!try_plainly(s, config, texts, &now, e))
        return false;
    enum verdict verdict = cost_verdict(now.compile_cpu, (double)now.compile_memory, was);
    if (was->kind != OUTCOME_BUILT || now.kind != OUTCOME_BUILT || verdict == VERDICT_NONE)
        s->out->unstable++;
    else
        add_variant(s, config, variant, s->t->output ? s->t->output : ".", texts,
                    (struct emi_finding){.kind = verdict_info(verdict)->phrase,
                                         .was = describe_cost(s->a, was),
                                         .is = describe_cost(s->a, &now)});
    return true;
}

/* ---- all of it -------------------------------------------------------------------------- */

typedef bool weigh_fn(struct session *s, size_t config, size_t variant, const struct text *texts,
                      struct err *e);

/* NULL when there is nothing to do again. */
static weigh_fn *how_to_weigh(const struct session *s, size_t config, size_t variant)
{
    const struct trial *trial = &s->trials[config * s->t->variants + variant];
    if (trial->mark == TRIAL_SUSPECT)
        return weigh;
    if (!s->out->usable[config] || trial->mark == TRIAL_NONE)
        return NULL;
    enum verdict verdict = cost_verdict(trial->cpu, (double)trial->memory,
                                        &s->out->originals[config]);
    return verdict == VERDICT_NONE ? NULL : weigh_cost;
}

static bool confirm(struct session *s, size_t config, size_t variant, weigh_fn *how, struct err *e)
{
    size_t units = s->t->subject->unit_count;
    struct text *texts = NEW_ARRAY(s->a, units, struct text);
    if (!plain_original(s, config, e))
        return false;
    bool nothing_left = s->out->unsteady == s->t->subject->run_count;
    bool ok = (nothing_left && how == weigh) || (session_read_variant(s, s->a, variant, texts, e) &&
                                                 how(s, config, variant, texts, e));
    for (size_t i = 0; i < units; i++)
        text_free(&texts[i]);
    return ok;
}

/* What the machine ran, it ran exactly.  Facts of real runs may depend on addresses, time or
 * chance: if another run shows more of them, no compiler is to blame. */
static bool doubt(struct session *s, struct err *e)
{
    bool hold = true;
    struct emi_report *r = s->out;
    if (!r->finding_count || s->t->subject->source == EMI_MACHINE)
        return true;
    if (!emi_facts_hold(s->t->subject, &s->t->labs->at[0], &hold, e))
        return false;
    if (!hold) {
        r->shifting = r->finding_count;
        r->finding_count = 0;
    }
    return true;
}

bool session_confirm(struct session *s, struct err *e)
{
    for (size_t config = 0; config < s->t->config_count; config++) {
        unsigned left = CONFIRMED_PER_CONFIG;
        if (!check_original(s, config, e))
            return false;
        for (size_t variant = 0; variant < s->t->variants && left; variant++) {
            weigh_fn *how = how_to_weigh(s, config, variant);
            if (!how)
                continue;
            left--;
            if (!confirm(s, config, variant, how, e))
                return false;
        }
    }
    return doubt(s, e);
}
