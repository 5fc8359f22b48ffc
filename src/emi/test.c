/* Variants through every configuration.  What counts is the original under the same compiler and
 * flags: a variant must behave as it does, and cost the compiler about as much.  Takes a subject
 * and configurations, marks what looks otherwise; confirm.c decides. */
#include "emi/private.h"
#include "emi/session.h"

#include "sys/sys.h"

#include <stdio.h>
#include <string.h>

/* ---- texts ------------------------------------------------------------------------------ */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The name of a unit's file in a variant's folder: its own, unless another one has it. */
static char *unit_name(const struct emi_subject *s, struct arena *a, size_t unit)
{
    const char *name = base_name(s->units[unit].file);
    for (size_t i = 0; i < unit; i++)
        if (strcmp(base_name(s->units[i].file), name) == 0)
            return arena_printf(a, "%zu-%s", unit, name);
    return arena_string(a, name);
}

char *session_variant_path(const struct session *s, struct arena *a, const char *dir,
                           size_t variant)
{
    const char *suffix = s->t->subject->unit_count == 1 ? ".c" : "";
    return arena_printf(a, "%s/variant-%03zu%s", dir, variant, suffix);
}

char **session_variant_files(const struct session *s, struct arena *a, const char *dir,
                             size_t variant)
{
    struct list files = {0};
    char *path = session_variant_path(s, a, dir, variant);
    if (s->t->subject->unit_count == 1)
        list_add(a, &files, path);
    else
        for (size_t i = 0; i < s->t->subject->unit_count; i++)
            list_add(a, &files, arena_printf(a, "%s/%s", path, unit_name(s->t->subject, a, i)));
    list_add(a, &files, NULL);
    return (char **)files.at;
}

bool session_read_variant(struct session *s, struct arena *a, size_t variant, struct text *texts,
                          struct err *e)
{
    char **files = session_variant_files(s, a, s->dir, variant);
    for (size_t i = 0; files[i]; i++)
        if (!sys_read_file(files[i], SYS_READ_ALL, &texts[i], e))
            return false;
    return true;
}

struct text *session_original(const struct session *s, struct arena *a)
{
    const struct emi_subject *subject = s->t->subject;
    struct text *texts = NEW_ARRAY(a, subject->unit_count, struct text);
    for (size_t i = 0; i < subject->unit_count; i++)
        texts[i] = (struct text){.s = (char *)subject->units[i].program->text,
                                 .n = subject->units[i].program->text_size};
    return texts;
}

bool session_try(struct session *s, unsigned worker, const struct cc_config *config,
                 const struct text *texts, struct cc_case *c, struct arena *a, struct outcome *out,
                 struct err *e)
{
    struct list units = {0};
    for (size_t i = 0; i < s->t->subject->unit_count; i++) {
        char *file = arena_printf(a, "%s/program%zu.c", s->folders[worker], i);
        if (!sys_write_file(file, text_str(&texts[i]), texts[i].n, e))
            return false;
        list_add(a, &units, file);
    }
    list_add(a, &units, NULL);
    c->units = (char **)units.at;
    return cc_try(&s->t->labs->at[worker], config, c, a, out, e);
}

/* ---- one trial -------------------------------------------------------------------------- */

static void note_failure(struct session *s, const struct err *e)
{
    pthread_mutex_lock(&s->lock);
    s->error = *e;
    pthread_mutex_unlock(&s->lock);
    s->failed = true;
}

static void show_progress(struct session *s, const char *what, size_t total)
{
    size_t done = atomic_fetch_add(&s->done, 1) + 1;
    if (s->t->progress)
        s->t->progress(s->t->context, what, done, total);
}

static bool never_known(void *context, uint64_t objects)
{
    (void)context;
    (void)objects;
    return false;
}

static void try_original(void *context, size_t item, unsigned worker)
{
    struct session *s = context;
    struct cc_case c = s->program;
    struct arena *a = &s->arenas[worker];
    struct err e;
    c.known = never_known;
    if (!session_try(s, worker, &s->t->configs[item], session_original(s, a), &c, a,
                     &s->out->originals[item], &e))
        note_failure(s, &e);
    show_progress(s, "original", s->t->config_count);
}

struct known_question {
    struct session *s;
    size_t config;
};

static bool is_known(void *context, uint64_t objects)
{
    const struct known_question *q = context;
    struct seen *seen = &q->s->seen[q->config];
    bool found = false;
    pthread_mutex_lock(&q->s->lock);
    for (size_t i = 0; i < seen->n && !found; i++)
        found = seen->at[i] == objects;
    pthread_mutex_unlock(&q->s->lock);
    return found;
}

static void remember(struct session *s, size_t config, uint64_t objects)
{
    struct seen *seen = &s->seen[config];
    if (!objects)
        return;
    pthread_mutex_lock(&s->lock);
    if (seen->n == seen->room) {
        seen->room = seen->room ? seen->room * 2 : 16;
        seen->at = arena_grow(s->a, seen->at, seen->n, seen->room, sizeof *seen->at);
    }
    seen->at[seen->n++] = objects;
    pthread_mutex_unlock(&s->lock);
}

static void mark_trial(struct session *s, size_t config, const struct outcome *is,
                       struct trial *trial)
{
    const struct outcome *was = &s->out->originals[config];
    trial->changed = is->objects && is->objects != was->objects;
    trial->cpu = is->compile_cpu;
    trial->memory = is->compile_memory;
    if (is->known)
        trial->mark = TRIAL_KNOWN;
    else if (session_same_behaviour(s, was, is) || session_is_silent(s, was, is))
        trial->mark = TRIAL_SAME;
    else
        trial->mark = TRIAL_SUSPECT;
    if (!is->known)
        remember(s, config, is->objects);
}

static void try_variant(void *context, size_t item, unsigned worker)
{
    struct session *s = context;
    size_t config = item / s->t->variants, variant = item % s->t->variants;
    if (!s->out->usable[config])
        return;
    struct arena a = {0};
    size_t units = s->t->subject->unit_count;
    struct text *texts = NEW_ARRAY(&a, units, struct text);
    struct outcome outcome = {0};
    struct known_question question = {s, config};
    struct cc_case c = s->program;
    struct err e;
    c.known = is_known;
    c.known_context = &question;
    if (!session_read_variant(s, &a, variant, texts, &e) ||
        !session_try(s, worker, &s->t->configs[config], texts, &c, &a, &outcome, &e))
        note_failure(s, &e);
    else
        mark_trial(s, config, &outcome, &s->trials[item]);
    for (size_t i = 0; i < units; i++)
        text_free(&texts[i]);
    arena_free(&a);
    show_progress(s, "variants", s->t->config_count * s->t->variants);
}

/* ---- variants on disk ------------------------------------------------------------------- */

static bool write_files(struct session *s, size_t variant, const struct text *texts, struct err *e)
{
    char **files = session_variant_files(s, s->a, s->dir, variant);
    if (s->t->subject->unit_count > 1 &&
        !sys_make_dirs(session_variant_path(s, s->a, s->dir, variant), e))
        return false;
    for (size_t i = 0; files[i]; i++)
        if (!sys_write_file(files[i], text_str(&texts[i]), texts[i].n, e))
            return false;
    return true;
}

static bool write_variants(struct session *s, struct err *e)
{
    const struct emi_test *t = s->t;
    struct text *texts = NEW_ARRAY(s->a, t->subject->unit_count, struct text);
    bool ok = sys_make_dirs(s->dir, e);
    for (size_t i = 0; ok && i < t->variants; i++) {
        uint32_t made[MUTATION_COUNT] = {0}, any = 0;
        for (size_t k = 0; k < t->subject->unit_count; k++)
            text_clear(&texts[k]);
        emi_variant_texts(t->subject, emi_variant_seed(t->seed, i), &t->vary, texts, made);
        for (unsigned m = 0; m < MUTATION_COUNT; m++) {
            s->out->made[m] += made[m];
            any |= made[m];
        }
        s->out->empty += !any;
        s->out->variants++;
        ok = write_files(s, i, texts, e);
        if (sys_cancelled())
            ok = fail(e, "interrupted");
    }
    for (size_t k = 0; k < t->subject->unit_count; k++)
        text_free(&texts[k]);
    return ok;
}

/* ---- all of it -------------------------------------------------------------------------- */

/* What ran is known for one data model: another machine may rightly run something else.  What is
 * not this machine's was found to be of the model by running it. */
static bool is_of_facts(const struct session *s, const struct outcome *o)
{
    const struct target *t = s->t->subject->units[0].program->target;
    if (t == lang_target(TARGET_LP64))
        return o->machine == cc_host_machine();
    return t != lang_target(TARGET_ILP32) || o->machine == cc_host_machine_32();
}

/* In words; "" when every run ended. */
static const char *how_it_was_cut(const struct outcome *o)
{
    for (size_t i = 0; i < o->run_count; i++)
        if (o->runs[i].end != SYS_EXITED && o->runs[i].end != SYS_SIGNALLED)
            return o->runs[i].words;
    return "";
}

/* A configuration whose original does not build, or does not end, tells nothing. */
static void find_usable(struct session *s)
{
    for (size_t i = 0; i < s->t->config_count; i++) {
        const struct outcome *o = &s->out->originals[i];
        bool built = o->kind == OUTCOME_BUILT;
        s->out->usable[i] = built && outcome_ends(o) && is_of_facts(s, o);
        s->out->foreign[i] = built && !is_of_facts(s, o);
        s->out->originals[i].message = built ? how_it_was_cut(o) : o->message;
        if (s->out->usable[i])
            remember(s, i, o->objects);
    }
}

static bool does_as_expected(const struct session *s, const struct outcome *o)
{
    const struct emi_subject *subject = s->t->subject;
    return o->kind == OUTCOME_BUILT && session_does(s, o, subject->expected, subject->status);
}

/* The same compiler without optimisation, and those that have nothing to do with it. */
static bool find_witness(struct session *s, size_t config, bool *found, struct err *e)
{
    const struct cc_config *own = &s->t->configs[config];
    struct cc_config plain = cc_config_at(s->a, own, "-O0");
    struct list witnesses = {0};
    struct cc_case c = s->program;
    c.known = never_known;
    list_add(s->a, &witnesses, &plain);
    emi_second_opinions(s->a, own, s->t->configs, s->t->config_count, &witnesses);
    for (size_t i = 0; i < witnesses.n && !*found; i++) {
        struct outcome o;
        if (!session_try(s, 0, witnesses.at[i], session_original(s, s->a), &c, s->a, &o, e))
            return false;
        *found = does_as_expected(s, &o);
    }
    return true;
}

/* The machine has a world of its own: what it says of files, of devices, of who runs a program need
 * not be so here.  What no compiled program does is no fact, and accuses nobody. */
static bool find_unborne(struct session *s, struct err *e)
{
    bool found = !s->t->subject->expected;
    for (size_t i = 0; i < s->t->config_count; i++)
        found |= s->out->usable[i] && does_as_expected(s, &s->out->originals[i]);
    for (size_t i = 0; i < s->t->config_count && !found; i++)
        if (s->out->usable[i] && !find_witness(s, i, &found, e))
            return false;
    for (size_t i = 0; i < s->t->config_count && !found; i++) {
        s->out->strayed[i] = s->out->usable[i];
        s->out->usable[i] = false;
    }
    return true;
}

/* Facts that are not the machine's are of what one compiler made of the program.  Where another
 * one's does something else, for C or the machine does not say which is right, other code may have
 * run, and nothing is known of it.  What is not the same twice is looked at later. */
static bool find_strayed(struct session *s, struct err *e)
{
    const struct emi_subject *subject = s->t->subject;
    const struct text *texts = session_original(s, s->a);
    struct cc_config seen_by;
    struct outcome once, twice;
    struct cc_case c = s->program;
    c.known = never_known;
    if (sys_cancelled())
        return true;
    if (subject->source == EMI_MACHINE)
        return find_unborne(s, e);
    if (!emi_facts_config(subject, s->a, &seen_by, e) ||
        !session_try(s, 0, &seen_by, texts, &c, s->a, &once, e) ||
        !session_try(s, 0, &seen_by, texts, &c, s->a, &twice, e))
        return false;
    if (once.kind != OUTCOME_BUILT || !session_same_behaviour(s, &once, &twice))
        return true;
    bool void_facts = subject->seen && !session_does(s, &once, subject->seen, subject->seen_status);
    for (size_t i = 0; i < s->t->config_count; i++) {
        bool same = session_same_behaviour(s, &once, &s->out->originals[i]);
        s->out->strayed[i] = s->out->usable[i] && (void_facts || !same);
        s->out->usable[i] &= !s->out->strayed[i];
    }
    return true;
}

static bool is_optimised(const struct cc_config *c)
{
    return *c->level && strcmp(c->level, "-O0") != 0;
}

static void count(struct session *s)
{
    struct emi_report *r = s->out;
    if (r->unsteady == s->t->subject->run_count)
        return; /* nothing was compared */
    for (size_t config = 0; config < s->t->config_count; config++)
        for (size_t variant = 0; r->usable[config] && variant < s->t->variants; variant++) {
            const struct trial *trial = &s->trials[config * s->t->variants + variant];
            r->trials++;
            r->skipped += trial->mark == TRIAL_KNOWN;
            if (!is_optimised(&s->t->configs[config]))
                continue;
            r->optimised++;
            r->changed += trial->changed;
        }
}

static bool run(struct session *s, struct err *e)
{
    const struct emi_test *t = s->t;
    sys_parallel(t->config_count, t->labs->n, try_original, s);
    if (s->failed)
        return fail(e, "%s", s->error.msg);
    find_usable(s);
    if (!find_strayed(s, e))
        return false;
    s->done = 0;
    if (!sys_cancelled())
        sys_parallel(t->config_count * t->variants, t->labs->n, try_variant, s);
    if (s->failed)
        return fail(e, "%s", s->error.msg);
    if (sys_cancelled())
        return fail(e, "interrupted");
    bool ok = session_confirm(s, e);
    count(s);
    return ok;
}

static void prepare(struct session *s)
{
    const struct emi_test *t = s->t;
    const struct emi_program *from = &t->subject->from;
    static char *const nothing[] = {NULL};
    s->program = (struct cc_case){.inputs = from->inputs ? from->inputs : nothing,
                                  .args = from->args ? from->args : nothing,
                                  .libraries = from->libraries,
                                  .compile_timeout = from->compile_timeout,
                                  .run_timeout = from->run_timeout,
                                  .compile_memory = (uint64_t)4 << 30,
                                  .run_memory = from->run_memory};
    s->out->originals = NEW_ARRAY(s->a, t->config_count, struct outcome);
    s->out->usable = NEW_ARRAY(s->a, t->config_count, bool);
    s->out->foreign = NEW_ARRAY(s->a, t->config_count, bool);
    s->out->strayed = NEW_ARRAY(s->a, t->config_count, bool);
    s->plain = NEW_ARRAY(s->a, t->config_count, struct outcome);
    s->plain_done = NEW_ARRAY(s->a, t->config_count, bool);
    s->unsteady = NEW_ARRAY(s->a, t->subject->run_count, bool);
    for (size_t i = 0; t->subject->shifting && i < t->subject->run_count; i++) {
        s->unsteady[i] = t->subject->shifting[i]; /* what the machine knows need not be shown */
        s->out->unsteady += s->unsteady[i];
    }
    s->seen = NEW_ARRAY(s->a, t->config_count, struct seen);
    s->trials = NEW_ARRAY(s->a, t->config_count * t->variants + 1, struct trial);
}

static bool make_folders(struct session *s, struct err *e)
{
    unsigned n = s->t->labs->n;
    s->folders = NEW_ARRAY(s->a, n, char *);
    s->arenas = NEW_ARRAY(s->a, n, struct arena);
    for (unsigned i = 0; i < n; i++) {
        s->folders[i] = arena_printf(s->a, "%s/emi%u", s->t->labs->scratch.path, i);
        if (!sys_make_dirs(s->folders[i], e))
            return false;
    }
    return true;
}

bool emi_test(struct arena *a, const struct emi_test *t, struct emi_report *out, struct err *e)
{
    struct session s = {
        .t = t, .out = out, .a = a, .start = sys_now(), .lock = PTHREAD_MUTEX_INITIALIZER};
    *out = (struct emi_report){0};
    s.dir = t->output ? t->output : arena_printf(a, "%s/variants", t->labs->scratch.path);
    if (!write_variants(&s, e))
        return false;
    if (t->no_test)
        return true;
    prepare(&s);
    bool ok = make_folders(&s, e) && run(&s, e);
    for (size_t i = 0; i < t->config_count; i++) { /* what outlives the workers' arenas */
        struct outcome *o = &out->originals[i];
        o->message = arena_string(a, o->message ? o->message : "");
        o->signature = o->why_linked = "";
        o->runs = NULL;
        o->run_count = 0;
    }
    for (unsigned i = 0; s.arenas && i < t->labs->n; i++)
        arena_free(&s.arenas[i]);
    return ok;
}
