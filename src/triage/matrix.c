/* Who else: every version of the accused's family at every level, the other word size, and the
 * other families once, which have it only if their program does the very same.  A version is bad
 * when any of its levels shows the bug. */
#include "triage/private.h"

#include <stdlib.h>
#include <string.h>

static const char *const levels[] = {"-O0", "-O1", "-Os", "-O2", "-O3"};

const char *triage_state_name(enum triage_state s)
{
    static const char *const names[TRIAGE_STATES] = {"untried", "shown", "gone", "other"};
    return names[s];
}

/* ---- versions ------------------------------------------------------------------------- */

int triage_compare_versions(const char *x, const char *y)
{
    while (*x || *y) {
        char *after_x, *after_y;
        long a = strtol(x, &after_x, 10), b = strtol(y, &after_y, 10);
        if (a != b)
            return a < b ? -1 : 1;
        if (after_x == x || after_y == y)
            return strcmp(x, y);
        x = after_x + (*after_x == '.');
        y = after_y + (*after_y == '.');
    }
    return 0;
}

static int by_version(const void *x, const void *y)
{
    const struct triage_row *a = x, *b = y;
    int order = triage_compare_versions(a->version, b->version);
    return order ? order : strcmp(a->compiler, b->compiler);
}

/* The first that one of its levels gave. */
static const char *crash_of(const struct triage_row *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (*r->cells[i].crash)
            return r->cells[i].crash;
    return "";
}

/* First bad, last good before it, first good after the last bad one. */
static void date_bug(struct triage_matrix *m)
{
    m->last_good = m->first_bad = m->fixed_in = m->crash = "";
    for (size_t i = 0; i < m->n; i++) {
        const struct triage_row *r = &m->rows[i];
        if (r->other || !r->told)
            continue;
        if (r->shown) {
            if (!*m->first_bad) {
                m->first_bad = r->compiler;
                m->crash = crash_of(r);
            }
            m->fixed_in = "";
        } else if (!*m->first_bad) {
            m->last_good = r->compiler;
        } else if (!*m->fixed_in) {
            m->fixed_in = r->compiler;
        }
    }
}

/* ---- one cell ------------------------------------------------------------------------- */

/* The claim's flags behind another compiler, or none of them for another family. */
static struct cc_config put_compiler(struct arena *a, const struct cc_config *config,
                                     const char *name, bool bare)
{
    struct cc_config out = *config;
    struct list words = {0};
    list_add(a, &words, (char *)name);
    for (size_t i = 1; !bare && config->argv[i]; i++)
        list_add(a, &words, config->argv[i]);
    list_add(a, &words, NULL);
    out.argv = (char **)words.at;
    return out;
}

static bool fill_cell(struct search *s, const struct cc_config *config,
                      const struct judge_expectation *expect, struct triage_cell *cell)
{
    struct triage_job job = *s->job;
    struct judge_claim claim = *job.claim;
    struct search one = *s;
    claim.config = config;
    claim.expect = expect;
    job.claim = &claim;
    one.job = &job;
    *cell = (struct triage_cell){.level = config->level, .config = config->text};
    enum answer answer = search_like(&one, &cell->crash);
    s->failed = one.failed;
    cell->state = answer == ANSWER_SHOWN   ? TRIAGE_SHOWN
                  : answer == ANSWER_GONE  ? TRIAGE_GONE
                  : answer == ANSWER_OTHER ? TRIAGE_OTHER
                                           : TRIAGE_UNTRIED;
    return !s->failed;
}

static void sum_up(struct triage_row *r)
{
    for (size_t i = 0; i < r->n; i++) {
        r->shown |= r->cells[i].state == TRIAGE_SHOWN;
        r->told |= r->cells[i].state == TRIAGE_SHOWN || r->cells[i].state == TRIAGE_GONE;
    }
}

/* The flags say which machine it is for: then there is no other word size to try. */
static bool names_machine(const struct cc_config *config)
{
    static const char *const words[] = {"--target", "-target", "-m32", "-m64", "-mx32", "-m16"};
    for (size_t i = 1; config->argv[i]; i++)
        for (size_t k = 0; k < LENGTH(words); k++)
            if (str_has_prefix(config->argv[i], words[k]))
                return true;
    return false;
}

static bool fill_row(struct search *s, const struct triage_question *q, const struct cc *cc,
                     struct triage_row *r)
{
    const struct cc_config *own = s->job->claim->config;
    struct cc_config base = put_compiler(s->a, own, cc->name, r->other);
    static char *const narrow[] = {"-m32", NULL};
    r->cells = NEW_ARRAY(s->a, LENGTH(levels) + 1, struct triage_cell);
    for (size_t i = 0; i < LENGTH(levels) && !s->failed; i++) {
        if (r->other && strcmp(levels[i], "-O2") != 0)
            continue;
        struct cc_config at = cc_config_at(s->a, &base, levels[i]);
        fill_cell(s, &at, s->job->claim->expect, &r->cells[r->n++]);
    }
    if (q->expect_32 && !r->other && !s->failed && cc->features & 1u << CC_FEATURE_M32 &&
        !names_machine(own)) {
        struct cc_config at = cc_config_with(s->a, &base, narrow);
        fill_cell(s, &at, q->expect_32, &r->cells[r->n]);
        r->cells[r->n++].narrow = true;
    }
    sum_up(r);
    return !s->failed;
}

/* ---- all of it ------------------------------------------------------------------------ */

/* What the accused's program does; NULL for what is not about programs that run, or cannot be had.
 */
static const struct outcome_run *run_accused(struct search *s)
{
    const struct judge_claim *c = s->job->claim;
    struct outcome o;
    if (verdict_info(c->verdict)->subject != SUBJECT_RUN)
        return NULL;
    s->out->compiles++;
    s->failed = !cc_try(s->job->lab, c->config, c->program, s->a, &o, s->e);
    if (s->failed || o.run_count != 1)
        return NULL;
    struct outcome_run *run = NEW(s->a, struct outcome_run);
    *run = o.runs[0];
    return run;
}

static struct triage_row *add_row(struct search *s, const struct triage_question *q,
                                  const struct cc *cc, bool other, struct triage_matrix *out)
{
    struct triage_row *r = &out->rows[out->n++];
    struct search one = *s;
    *r = (struct triage_row){.compiler = cc->name, .version = cc->version, .other = other};
    if (!other)
        one.same = NULL;
    fill_row(&one, q, cc, r);
    s->failed = one.failed;
    return r;
}

/* Does it make programs for the machine of the accused's?  For this one everybody does that needs
 * no emulator; for one that a word names, the family that takes the word; else who is named after
 * it. */
static bool is_for_machine(const struct cc *cc, const struct cc_config *accused,
                           enum cc_family family)
{
    if (!cc->runnable)
        return false;
    if (!accused->emulator || !accused->emulator[0])
        return !*cc->emulator;
    if (names_machine(accused))
        return !*cc->emulator && cc->family == family;
    return *cc->emulator && str_has_prefix(cc_config_machine(accused), cc->target);
}

static void add_rows(struct search *s, const struct triage_question *q, struct triage_matrix *out)
{
    const struct cc_config *config = s->job->claim->config;
    const char *accused = config->argv[0];
    enum cc_family family = CC_FAMILY_COUNT;
    bool there = false;
    cc_family_of(accused, &family);
    for (size_t i = 0; i < q->compilers->n && !s->failed; i++) {
        const struct cc *cc = &q->compilers->at[i];
        if (!is_for_machine(cc, config, family))
            continue;
        there |= strcmp(cc->name, accused) == 0;
        add_row(s, q, cc, cc->family != family, out);
    }
    /* a wrapper, or a compiler that nobody knows */
    struct cc unknown = {.name = accused, .version = "", .emulator = ""};
    if (!there && !s->failed && (!config->emulator || !config->emulator[0]))
        add_row(s, q, &unknown, false, out);
}

bool triage_find_matrix(const struct triage_job *job, const struct triage_question *q,
                        struct arena *a, struct triage_matrix *out, struct err *e)
{
    struct triage_job bounded = *job;
    struct triage_blame cost = {.pass = ""};
    struct search s = {.job = &bounded, .a = a, .e = e, .out = &cost};
    bounded.most = job->most ? job->most : TRIAGE_CELLS;
    *out = (struct triage_matrix){.rows = NEW_ARRAY(a, q->compilers->n + 1, struct triage_row)};
    s.same = run_accused(&s);
    if (!s.failed)
        add_rows(&s, q, out);
    qsort(out->rows, out->n, sizeof *out->rows, by_version);
    date_bug(out);
    out->compiles = cost.compiles;
    return !s.failed;
}
