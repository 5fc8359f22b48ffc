/* Looks at a program through probes: the program with probes is executed by the machine and
 * compiled by the accused, and what they print is compared.  Takes a program and which probes it
 * gets, some of which may hand on what is right (struct healing); yields the first value that
 * differs. */
#include "triage/private.h"

#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

/* What the probes printed: of each, its values in the order in which it printed them. */
struct seen {
    size_t probe;
    const char *value;
};

struct trace {
    struct seen *at; /* in the order of time */
    size_t n, room;
};

static void read_trace(struct arena *a, const char *s, size_t size, struct trace *out)
{
    const char *end = s + size;
    *out = (struct trace){0};
    for (const char *p = s; p < end && (p = memchr(p, '\1', (size_t)(end - p)));) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        if (!stop)
            return; /* it was cut off here */
        char *line = arena_copy(a, p + 1, (size_t)(stop - p - 1)), *value;
        size_t probe = (size_t)strtoul(line, &value, 10);
        p = stop + 1;
        if (*value != ' ')
            continue;
        if (out->n == out->room) {
            out->room = out->room ? 2 * out->room : 256;
            out->at = arena_grow(a, out->at, out->n, out->room, sizeof *out->at);
        }
        out->at[out->n++] = (struct seen){probe, value + 1};
    }
}

/* Where two traces part. */
struct parting {
    size_t at;         /* in the order of what is right; its length: nowhere */
    size_t turn;       /* how often the probe had been right */
    const char *other; /* the value that the accused has there; NULL for none */
};

/* The order in which operands are evaluated does not matter, because each probe's values are
 * compared by themselves. */
static struct parting first_difference(struct arena *a, const struct trace *right,
                                       const struct trace *wrong, const struct probed *probed)
{
    size_t probes = probed->n;
    struct list *values = NEW_ARRAY(a, probes + 1, struct list);
    size_t *taken = NEW_ARRAY(a, probes + 1, size_t);
    for (size_t i = 0; i < wrong->n; i++)
        if (wrong->at[i].probe < probes)
            list_add(a, &values[wrong->at[i].probe], (char *)wrong->at[i].value);
    for (size_t i = 0; i < right->n; i++) {
        size_t probe = right->at[i].probe;
        if (probe >= probes || probed->at[probe].healed)
            continue;
        size_t k = taken[probe]++;
        const char *other = k < values[probe].n ? values[probe].at[k] : NULL;
        if (!other || strcmp(other, right->at[i].value) != 0)
            return (struct parting){i, k, other};
    }
    return (struct parting){right->n, 0, NULL};
}

/* ---- the machine ------------------------------------------------------------------------ */

static bool execute(struct search *s, struct program *program, struct program *functions,
                    struct trace *out, struct judge_expectation *expect)
{
    struct machine_unit units[] = {{.program = program}, {.program = functions}};
    struct machine_options o = {.trust_order = true};
    struct machine *m = machine_new(units, LENGTH(units), &o);
    const struct machine_result *r = machine_run(m);
    bool ok = r->end == MACHINE_FINISHED;
    if (ok) {
        expect->out = arena_copy(s->a, text_str(&r->output), r->output.n);
        expect->out_size = r->output.n;
        expect->status = r->status;
        read_trace(s->a, expect->out, expect->out_size, out);
    }
    machine_free(m);
    return ok;
}

static bool execute_text(struct search *s, const struct text *program, const struct text *functions,
                         struct trace *out, struct judge_expectation *expect)
{
    struct front_options o = {.target = s->job->claim->target, .file = "program.c"};
    struct unit x = front_parse(text_str(program), program->n, &o),
                y = front_parse(text_str(functions), functions->n, &o);
    bool ok = !x.error_count && !y.error_count && execute(s, x.program, y.program, out, expect);
    lang_program_free(x.program);
    lang_program_free(y.program);
    return ok;
}

/* ---- the accused ------------------------------------------------------------------------ */

/* What the accused makes of the two files, and the run; false when it cannot be had. */
static bool watch(struct search *s, const struct text *program, const struct text *functions,
                  struct trace *out, struct outcome_run *run)
{
    char *units[] = {arena_printf(s->a, "%s-probed.c", s->job->lab->dir),
                     arena_printf(s->a, "%s-probes.c", s->job->lab->dir), NULL};
    struct cc_case c = *s->job->claim->program;
    struct outcome o;
    c.units = units;
    c.known = NULL;
    if (s->out->compiles >= s->job->most)
        return false;
    s->out->compiles++;
    s->failed = !sys_write_file(units[0], text_str(program), program->n, s->e) ||
                !sys_write_file(units[1], text_str(functions), functions->n, s->e) ||
                !cc_try(s->job->lab, s->job->claim->config, &c, s->a, &o, s->e);
    if (s->failed || o.kind != OUTCOME_BUILT || o.run_count != 1)
        return false;
    read_trace(s->a, o.runs[0].out, o.runs[0].out_size, out);
    *run = o.runs[0];
    return true;
}

/* ---- looking ---------------------------------------------------------------------------- */

/* What the program itself printed. */
static struct text without_probes(const char *out, size_t size)
{
    struct text own = {0};
    const char *end = out + size;
    for (const char *p = out; p < end;) {
        const char *line = end - p > 1 && p[0] == '\n' && p[1] == '\1'
                               ? memchr(p + 1, '\n', (size_t)(end - p - 1))
                               : NULL;
        if (line)
            p = line + 1;
        else
            text_putc(&own, *p++);
    }
    return own;
}

/* Does it do what it must, whatever its probes saw? */
static bool is_well(const struct outcome_run *run, const struct judge_expectation *expect)
{
    if (run->end != SYS_EXITED || run->code != expect->status)
        return false;
    struct text is = without_probes(run->out, run->out_size),
                must = without_probes(expect->out, expect->out_size);
    bool well = is.n == must.n && memcmp(text_str(&is), text_str(&must), is.n) == 0;
    text_free(&is);
    text_free(&must);
    return well;
}

static void mark_healed(const struct density_of *which, struct probed *probed)
{
    for (size_t i = 0; i < which->healed.n; i++) {
        const struct healing *h = which->healed.at[i];
        probed->at[h->probe].healed = true;
    }
}

static struct sighted sight_at(struct arena *a, const struct trace *right,
                               const struct parting *part, const struct probed *probed)
{
    size_t probe = right->at[part->at].probe;
    struct sighted found = {.probe = probed->at[probe],
                            .turn = part->turn,
                            .expected = right->at[part->at].value,
                            .actual = part->other,
                            .healing = {.probe = probe, .see = probed->at[probe].see}};
    for (size_t i = 0; i < right->n; i++)
        if (right->at[i].probe == probe)
            list_add(a, &found.healing.values, (char *)right->at[i].value);
    return found;
}

enum sight look(struct search *s, struct program *p, const struct density_of *which,
                struct sighted *found)
{
    struct text program = {0}, functions = {0};
    struct trace right, wrong;
    struct probed probed;
    struct judge_expectation expect = {0};
    struct outcome_run run;
    enum sight sight = SIGHT_NONE;
    *found = (struct sighted){0};
    instrument(p, s->a, which, &program, &probed);
    mark_healed(which, &probed);
    see_put_functions(probed.used, &which->healed, &functions);
    if (probed.n && execute_text(s, &program, &functions, &right, &expect) && right.n &&
        watch(s, &program, &functions, &wrong, &run)) {
        struct parting part = first_difference(s->a, &right, &wrong, &probed);
        bool same = run.end == SYS_EXITED && run.out_size == expect.out_size &&
                    memcmp(run.out, expect.out, expect.out_size) == 0;
        sight = part.at < right.n           ? SIGHT_WRONG
                : !same                     ? SIGHT_ELSE
                : run.code == expect.status ? SIGHT_HIDDEN
                                            : SIGHT_STATUS;
        if (sight == SIGHT_WRONG)
            *found = sight_at(s->a, &right, &part, &probed);
        found->exits = run.end == SYS_EXITED;
        found->well = is_well(&run, &expect);
    }
    text_free(&program);
    text_free(&functions);
    return sight;
}
