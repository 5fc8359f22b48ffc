/* Variants through every configuration.  What counts is the original under the same compiler and
 * flags: a variant must behave as it does.  What looks like a finding is done again the plain way,
 * original and variant, with the compiler's own driver and linker. */
#include "emi/private.h"

#include "sys/sys.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { CONFIRMED_PER_CONFIG = 8, SHOWN = 60 };

/* Objects of one configuration whose behaviour is known. */
struct seen {
    uint64_t *at;
    size_t n, room;
};

enum mark { MARK_NONE, MARK_SAME, MARK_CHANGED, MARK_KNOWN, MARK_SUSPECT };

struct session {
    const struct emi_test *t;
    struct emi_report *out;
    struct arena *a;
    struct cc_case program; /* but for its unit */
    const char *dir;        /* of the variants */
    char **folders;         /* per worker: where the file that is compiled lies */
    struct arena *arenas;   /* per worker */
    struct seen *seen;      /* per configuration */
    uint8_t *marks;         /* enum mark, by configuration and variant */
    uint8_t *changed;       /* bool, likewise: other code than the original's */
    struct outcome *plain;  /* per configuration: the original, the plain way */
    bool *plain_done;
    pthread_mutex_t lock;
    atomic_size_t done;
    atomic_bool failed;
    struct err error;
};

/* ---- behaviour -------------------------------------------------------------------------- */

static bool same_run(const struct outcome_run *a, const struct outcome_run *b)
{
    return a->end == b->end && a->code == b->code && a->out_size == b->out_size &&
           memcmp(a->out, b->out, a->out_size) == 0;
}

/* Does the linker miss something that the program only declares, or that is inline?  Then nothing
 * but the optimiser's pleasure kept it from being asked for in the original. */
static bool misses_by_right(const struct session *s, const struct outcome *is)
{
    const struct list *decls = &s->t->subject->program->decls;
    if (is->kind != OUTCOME_LINK_FAILED)
        return false;
    for (size_t i = 0; i < decls->n; i++) {
        const struct decl *d = decls->at[i];
        const char *name = d->asm_name ? d->asm_name : d->name;
        size_t n = name ? strlen(name) : 0;
        if (!n || (d->kind != DECL_FUNC && d->kind != DECL_VAR) || vary_is_defined(d))
            continue;
        for (const char *at = is->message; (at = strstr(at, name)); at += n)
            if (at > is->message && (at[-1] == '`' || at[-1] == '\'') && at[n] == '\'')
                return true;
    }
    return false;
}

/* Says nothing: our machine failed, or it was slow before and is too slow now. */
static bool is_silent(const struct session *s, const struct outcome *was, const struct outcome *is)
{
    if (outcome_info(is->kind)->weight == WEIGHT_NONE || misses_by_right(s, is))
        return true;
    for (size_t i = 0; i < is->run_count && i < was->run_count; i++)
        if (is->runs[i].end == SYS_TIMEOUT &&
            was->runs[i].seconds > s->t->subject->from.run_timeout / 8)
            return true;
    return false;
}

static bool same_behaviour(const struct outcome *a, const struct outcome *b)
{
    if (a->kind != b->kind || a->run_count != b->run_count)
        return false;
    for (size_t i = 0; i < a->run_count; i++)
        if (!same_run(&a->runs[i], &b->runs[i]))
            return false;
    return true;
}

static bool ends(const struct outcome *o)
{
    for (size_t i = 0; i < o->run_count; i++)
        if (o->runs[i].end != SYS_EXITED && o->runs[i].end != SYS_SIGNALLED)
            return false;
    return o->run_count > 0;
}

static char *describe(struct arena *a, const struct outcome *o, const struct outcome *other)
{
    size_t i = 0;
    if (o->kind != OUTCOME_BUILT)
        return arena_printf(a, "%s: %s", outcome_info(o->kind)->phrase, o->message);
    while (i + 1 < o->run_count && i < other->run_count && same_run(&o->runs[i], &other->runs[i]))
        i++;
    const struct outcome_run *r = &o->runs[i];
    struct text t = {0};
    if (o->run_count > 1)
        text_printf(&t, "input %zu: ", i + 1);
    text_printf(&t, "%s, %zu bytes \"", r->words, r->out_size);
    for (size_t k = 0; k < r->out_size && k < SHOWN; k++) {
        unsigned char c = (unsigned char)r->out[k];
        if (c == '\n')
            text_puts(&t, "\\n");
        else if (c < ' ' || c > '~')
            text_printf(&t, "\\x%02x", c);
        else
            text_putc(&t, (char)c);
    }
    text_puts(&t, r->out_size > SHOWN ? "...\"" : "\"");
    char *copy = arena_string(a, t.s);
    text_free(&t);
    return copy;
}

static const char *kind_of(const struct outcome *o)
{
    return o->kind == OUTCOME_BUILT ? "other behaviour" : outcome_info(o->kind)->phrase;
}

/* ---- one trial -------------------------------------------------------------------------- */

static void note_failure(struct session *s, const struct err *e)
{
    pthread_mutex_lock(&s->lock);
    s->error = *e;
    pthread_mutex_unlock(&s->lock);
    s->failed = true;
}

/* Every text is compiled under the same name, so that equal code gives equal objects. */
static bool try_text(struct session *s, unsigned worker, size_t config, const struct text *text,
                     struct cc_case *c, struct arena *a, struct outcome *out, struct err *e)
{
    char *unit = arena_printf(a, "%s/program.c", s->folders[worker]);
    char *units[] = {unit, NULL};
    c->units = units;
    return sys_write_file(unit, text_str(text), text->n, e) &&
           cc_try(&s->t->labs->at[worker], &s->t->configs[config], c, a, out, e);
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
    const struct program *p = s->t->subject->program;
    struct text text = {.s = (char *)p->text, .n = p->text_size};
    struct err e;
    c.known = never_known;
    if (!try_text(s, worker, item, &text, &c, &s->arenas[worker], &s->out->originals[item], &e))
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
    pthread_mutex_lock(&s->lock);
    if (seen->n == seen->room) {
        seen->room = seen->room ? seen->room * 2 : 16;
        seen->at = arena_grow(s->a, seen->at, seen->n, seen->room, sizeof *seen->at);
    }
    seen->at[seen->n++] = objects;
    pthread_mutex_unlock(&s->lock);
}

static char *variant_path(struct arena *a, const char *dir, size_t variant)
{
    return arena_printf(a, "%s/variant-%03zu.c", dir, variant);
}

static bool read_variant(struct session *s, struct arena *a, size_t variant, struct text *text,
                         struct err *e)
{
    return sys_read_file(variant_path(a, s->dir, variant), SYS_READ_ALL, text, e);
}

static void try_variant(void *context, size_t item, unsigned worker)
{
    struct session *s = context;
    size_t config = item / s->t->variants, variant = item % s->t->variants;
    if (!s->out->usable[config])
        return;
    struct arena a = {0};
    struct text text = {0};
    struct outcome outcome = {0};
    const struct outcome *was = &s->out->originals[config];
    struct known_question question = {s, config};
    struct cc_case c = s->program;
    struct err e;
    c.known = is_known;
    c.known_context = &question;
    if (!read_variant(s, &a, variant, &text, &e) ||
        !try_text(s, worker, config, &text, &c, &a, &outcome, &e)) {
        note_failure(s, &e);
    } else if (outcome.known) {
        s->marks[item] = MARK_KNOWN;
    } else if (same_behaviour(was, &outcome) || is_silent(s, was, &outcome)) {
        s->marks[item] = MARK_SAME;
        remember(s, config, outcome.objects);
    } else {
        s->marks[item] = MARK_SUSPECT;
        if (outcome.objects)
            remember(s, config, outcome.objects);
    }
    s->changed[item] = outcome.objects && outcome.objects != was->objects;
    text_free(&text);
    arena_free(&a);
    show_progress(s, "variants", s->t->config_count * s->t->variants);
}

/* ---- findings --------------------------------------------------------------------------- */

static void add_finding(struct session *s, const struct emi_finding *f)
{
    struct emi_report *r = s->out;
    struct emi_finding *grown = arena_grow(s->a, r->findings, r->finding_count,
                                           r->finding_count + 1, sizeof *grown);
    grown[r->finding_count++] = *f;
    r->findings = grown;
}

static bool plain_original(struct session *s, size_t config, struct err *e)
{
    const struct program *p = s->t->subject->program;
    struct text text = {.s = (char *)p->text, .n = p->text_size};
    struct cc_case c = s->program;
    if (s->plain_done[config])
        return true;
    s->plain_done[config] = true;
    c.plain = true;
    return try_text(s, 0, config, &text, &c, s->a, &s->plain[config], e);
}

static bool is_as_expected(const struct emi_subject *s, const struct outcome *o)
{
    for (size_t i = 0; i < o->run_count && i < s->run_count; i++) {
        const struct outcome_run *r = &o->runs[i];
        int status = r->end == SYS_SIGNALLED ? 128 + r->code : r->code;
        if (status != s->status[i] || r->out_size != s->expected[i].n ||
            memcmp(r->out, text_str(&s->expected[i]), r->out_size) != 0)
            return false;
    }
    return true;
}

/* The machine knows what the original must do: is that what it does? */
static bool check_original(struct session *s, size_t config, struct err *e)
{
    struct emi_subject *subject = s->t->subject;
    const struct outcome *o = &s->out->originals[config];
    if (!subject->expected || !s->out->usable[config] || is_as_expected(subject, o))
        return true;
    if (!plain_original(s, config, e))
        return false;
    const struct outcome *now = &s->plain[config];
    if (now->kind != OUTCOME_BUILT || !ends(now) || is_as_expected(subject, now)) {
        s->out->unstable++;
        return true;
    }
    char *unit[] = {(char *)subject->from.file, NULL};
    struct cc_case c = s->program;
    struct outcome_run *must = NEW_ARRAY(s->a, subject->run_count, struct outcome_run);
    for (size_t i = 0; i < subject->run_count; i++)
        must[i] = (struct outcome_run){
            .code = subject->status[i],
            .out = text_str(&subject->expected[i]),
            .out_size = subject->expected[i].n,
            .words = arena_printf(s->a, "exit status %d", subject->status[i])};
    struct outcome wanted = {.kind = OUTCOME_BUILT, .runs = must, .run_count = subject->run_count};
    c.units = unit;
    add_finding(
        s, &(struct emi_finding){
               .variant = EMI_ORIGINAL,
               .config = config,
               .file = subject->from.file,
               .kind = "other behaviour than the machine's",
               .was = describe(s->a, &wanted, now),
               .is = describe(s->a, now, &wanted),
               .diff = "",
               .command = arena_printf(s->a, "%s && ./t",
                                       cc_plain_command(s->a, &s->t->configs[config], &c, "./t")),
           });
    return true;
}

static bool confirm(struct session *s, size_t config, size_t variant, struct err *e)
{
    struct text text = {0}, diff = {0};
    struct cc_case c = s->program;
    struct outcome now;
    c.plain = true;
    bool ok = plain_original(s, config, e) && read_variant(s, s->a, variant, &text, e) &&
              try_text(s, 0, config, &text, &c, s->a, &now, e);
    const struct outcome *was = &s->plain[config];
    if (ok &&
        (was->kind != OUTCOME_BUILT || same_behaviour(was, &now) || is_silent(s, was, &now))) {
        s->out->unstable++;
    } else if (ok) {
        char *name = variant_path(s->a, s->t->output ? s->t->output : ".", variant);
        emi_source_diff(s->t->subject, &text, name, &diff);
        char *unit[] = {name, NULL};
        c.units = unit;
        add_finding(s, &(struct emi_finding){
                           .variant = (long)variant,
                           .config = config,
                           .file = s->t->output ? name : NULL,
                           .kind = kind_of(&now),
                           .was = describe(s->a, was, &now),
                           .is = describe(s->a, &now, was),
                           .diff = arena_string(s->a, text_str(&diff)),
                           .command = arena_printf(
                               s->a, "%s && ./t",
                               cc_plain_command(s->a, &s->t->configs[config], &c, "./t")),
                       });
    }
    text_free(&text);
    text_free(&diff);
    return ok;
}

static bool confirm_all(struct session *s, struct err *e)
{
    for (size_t config = 0; config < s->t->config_count; config++) {
        unsigned left = CONFIRMED_PER_CONFIG;
        if (!check_original(s, config, e))
            return false;
        for (size_t variant = 0; variant < s->t->variants && left; variant++) {
            if (s->marks[config * s->t->variants + variant] != MARK_SUSPECT)
                continue;
            left--;
            if (!confirm(s, config, variant, e))
                return false;
        }
    }
    return true;
}

/* ---- all of it -------------------------------------------------------------------------- */

static bool write_variants(struct session *s, struct err *e)
{
    struct text text = {0};
    const struct emi_test *t = s->t;
    bool ok = sys_make_dirs(s->dir, e);
    for (size_t i = 0; ok && i < t->variants; i++) {
        uint32_t made[MUTATION_COUNT] = {0}, any = 0;
        text_clear(&text);
        emi_variant_text(t->subject, emi_variant_seed(t->seed, i), &t->vary, &text, made);
        for (unsigned m = 0; m < MUTATION_COUNT; m++) {
            s->out->made[m] += made[m];
            any |= made[m];
        }
        s->out->empty += !any;
        s->out->variants++;
        ok = sys_write_file(variant_path(s->a, s->dir, i), text_str(&text), text.n, e);
        if (sys_cancelled())
            ok = fail(e, "interrupted");
    }
    text_free(&text);
    return ok;
}

/* What ran is known for one data model: another machine may rightly run something else. */
static bool is_of_facts(const struct session *s, const struct outcome *o)
{
    bool wide = s->t->subject->program->target == lang_target(TARGET_LP64);
    return o->machine == (wide ? cc_host_machine() : cc_host_machine_32());
}

/* A configuration whose original does not build, or does not end, tells nothing. */
static void find_usable(struct session *s)
{
    for (size_t i = 0; i < s->t->config_count; i++) {
        const struct outcome *o = &s->out->originals[i];
        bool built = o->kind == OUTCOME_BUILT;
        s->out->usable[i] = built && ends(o) && is_of_facts(s, o);
        s->out->foreign[i] = built && !is_of_facts(s, o);
        if (s->out->usable[i])
            remember(s, i, o->objects);
    }
}

static bool is_optimised(const struct cc_config *c)
{
    return *c->level && strcmp(c->level, "-O0") != 0;
}

static void count(struct session *s)
{
    struct emi_report *r = s->out;
    for (size_t config = 0; config < s->t->config_count; config++)
        for (size_t variant = 0; r->usable[config] && variant < s->t->variants; variant++) {
            size_t item = config * s->t->variants + variant;
            r->trials++;
            r->skipped += s->marks[item] == MARK_KNOWN;
            if (!is_optimised(&s->t->configs[config]))
                continue;
            r->optimised++;
            r->changed += s->changed[item];
        }
}

static bool run(struct session *s, struct err *e)
{
    const struct emi_test *t = s->t;
    sys_parallel(t->config_count, t->labs->n, try_original, s);
    if (s->failed)
        return fail(e, "%s", s->error.msg);
    find_usable(s);
    s->done = 0;
    if (!sys_cancelled())
        sys_parallel(t->config_count * t->variants, t->labs->n, try_variant, s);
    if (s->failed)
        return fail(e, "%s", s->error.msg);
    if (sys_cancelled())
        return fail(e, "interrupted");
    count(s);
    return confirm_all(s, e);
}

static void prepare(struct session *s)
{
    const struct emi_test *t = s->t;
    const struct emi_program *from = &t->subject->from;
    static char *const nothing[] = {NULL};
    s->program = (struct cc_case){.inputs = from->inputs ? from->inputs : nothing,
                                  .args = from->args ? from->args : nothing,
                                  .compile_timeout = from->compile_timeout,
                                  .run_timeout = from->run_timeout,
                                  .compile_memory = (uint64_t)4 << 30,
                                  .run_memory = from->run_memory};
    s->out->originals = NEW_ARRAY(s->a, t->config_count, struct outcome);
    s->out->usable = NEW_ARRAY(s->a, t->config_count, bool);
    s->out->foreign = NEW_ARRAY(s->a, t->config_count, bool);
    s->plain = NEW_ARRAY(s->a, t->config_count, struct outcome);
    s->plain_done = NEW_ARRAY(s->a, t->config_count, bool);
    s->seen = NEW_ARRAY(s->a, t->config_count, struct seen);
    s->marks = NEW_ARRAY(s->a, t->config_count * t->variants + 1, uint8_t);
    s->changed = NEW_ARRAY(s->a, t->config_count * t->variants + 1, uint8_t);
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
    struct session s = {.t = t, .out = out, .a = a, .lock = PTHREAD_MUTEX_INITIALIZER};
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
