/* The first value that goes wrong: the program with probes is executed by the machine and compiled
 * by the accused; the first value that the machine sees and the accused does not is where it
 * begins. Probes disturb optimisers: where the bug hides from many, fewer are tried. */
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

/* Where the two part, in the order of `right`; the order in which operands are evaluated does not
 * matter, because each probe's values are compared by themselves.  right->n: nowhere.  *other is
 * the value that the accused has there, NULL for none. */
static size_t first_difference(struct arena *a, const struct trace *right,
                               const struct trace *wrong, size_t probes, const char **other)
{
    struct list *values = NEW_ARRAY(a, probes + 1, struct list);
    size_t *taken = NEW_ARRAY(a, probes + 1, size_t);
    for (size_t i = 0; i < wrong->n; i++)
        if (wrong->at[i].probe < probes)
            list_add(a, &values[wrong->at[i].probe], (char *)wrong->at[i].value);
    for (size_t i = 0; i < right->n; i++) {
        size_t probe = right->at[i].probe;
        if (probe >= probes)
            continue;
        size_t k = taken[probe]++;
        *other = k < values[probe].n ? values[probe].at[k] : NULL;
        if (!*other || strcmp(*other, right->at[i].value) != 0)
            return i;
    }
    return right->n;
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

/* What the accused makes of the two files; false when it cannot be had.  *ended: it got to its end,
 * and was not killed on the way. */
static bool watch(struct search *s, const struct text *program, const struct text *functions,
                  struct trace *out, bool *ended)
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
    *ended = o.runs[0].end == SYS_EXITED;
    return true;
}

/* ---- telling ---------------------------------------------------------------------------- */

static const char *source_of(struct arena *a, const struct program *p, const struct node *n)
{
    enum { MOST = 70 };
    struct text out = {0};
    bool blank = false;
    for (uint32_t i = n->begin; i < n->end && out.n < MOST; i++) {
        bool space = strchr(" \t\n\r", p->text[i]) != NULL;
        if (!space && blank && out.n)
            text_putc(&out, ' ');
        if (!space)
            text_putc(&out, p->text[i]);
        blank = space;
    }
    if (out.n >= MOST)
        text_puts(&out, "...");
    const char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}

static const char *const what_is_seen[] = {[DENSITY_STORES] = "expression",
                                           [DENSITY_EXPRESSIONS] = "expression",
                                           [DENSITY_STATEMENTS] = "statement",
                                           [DENSITY_OBJECTS] = "objects after the statement",
                                           [DENSITY_LITERALS] = "constant"};

static void tell(struct search *s, const struct program *p, const struct probe *probe,
                 enum density density, struct triage_first *out)
{
    struct text shape = {0};
    if (out->missed)
        text_puts(&shape, shape_control(probe->inside));
    else if (density != DENSITY_OBJECTS)
        shape_put_probe(p, probe, out->expected, out->actual, &shape);
    out->what = probe->stored ? "what was stored by the assignment" : what_is_seen[density];
    out->shape = arena_string(s->a, text_str(&shape));
    out->source = source_of(s->a, p, probe->node);
    out->function = arena_string(s->a, probe->function->decl->name);
    out->line = lang_place(p, probe->node->begin).line;
    text_free(&shape);
}

/* The first probe whose value differs; NULL for none.  Fills in the values. */
static const struct probe *find(struct search *s, struct program *p, enum density density,
                                struct triage_first *out)
{
    struct text program = {0}, functions = {0};
    struct trace right, wrong;
    struct probed probed;
    struct judge_expectation expect = {0};
    const struct probe *found = NULL;
    const char *other = NULL;
    bool ended = true;
    instrument(p, s->a, density, &program, &probed);
    see_put_functions(probed.used, &functions);
    bool ok = probed.n && execute_text(s, &program, &functions, &right, &expect) && right.n &&
              watch(s, &program, &functions, &wrong, &ended);
    size_t at = ok ? first_difference(s->a, &right, &wrong, probed.n, &other) : 0;
    if (ok && at < right.n) {
        bool bytes = density == DENSITY_OBJECTS;
        found = &probed.at[right.at[at].probe];
        out->missed = !other && ended;
        out->expected = bytes ? "" : right.at[at].value;
        out->actual = !other ? "never evaluated" : bytes ? "" : other;
    }
    text_free(&program);
    text_free(&functions);
    return found;
}

/* May a constant in the program be the reason?  What is read was stored earlier, perhaps as one. */
static bool may_be_constant(const struct node *n)
{
    bool constant = n->kind == NODE_CAST && n->flags & NODE_IMPLICIT && !bitfield_of(n);
    for (uint32_t i = 0; i < n->count && !constant; i++) {
        const struct node *kid = n->kid[i];
        while (kid && kid->kind == NODE_CAST && kid->flags & NODE_IMPLICIT && kid->count)
            kid = kid->kid[0];
        constant = kid && (kid->kind == NODE_INT || kid->kind == NODE_FLOAT);
    }
    return constant;
}

/* Constants are probed only where one may be the reason: the others are easier for a compiler to
 * compute with as they are. */
static void try_constants(struct search *s, struct program *p, const struct probe *found,
                          struct triage_first *out)
{
    struct triage_first other = *out;
    if (!may_be_constant(found->node))
        return;
    const struct probe *literal = find(s, p, DENSITY_LITERALS, &other);
    if (!literal || other.missed ||
        (literal->node->kind != NODE_INT && literal->node->kind != NODE_FLOAT))
        return;
    tell(s, p, literal, DENSITY_LITERALS, &other);
    *out = other;
}

static void try_density(struct search *s, struct program *p, enum density density,
                        struct triage_first *out)
{
    const struct probe *found = find(s, p, density, out);
    if (!found)
        return;
    tell(s, p, found, density, out);
    if (density == DENSITY_STORES || density == DENSITY_EXPRESSIONS)
        try_constants(s, p, found, out);
}

bool triage_find_first(const struct triage_job *job, struct arena *a, struct triage_first *out,
                       struct err *e)
{
    struct triage_job bounded = *job;
    struct triage_blame cost = {.pass = ""};
    struct search s = {.job = &bounded, .a = a, .e = e, .out = &cost};
    struct unit u;
    bounded.most = job->most ? job->most : DENSITY_COUNT + 1;
    *out = (struct triage_first){"", "", "", "", "", "", false, 0, 0};
    if (verdict_info(job->claim->verdict)->subject != SUBJECT_RUN ||
        judge_is_about_volatiles(job->claim->verdict) || job->claim->program->units[1])
        return true;
    if (!subject_read(job, &u, e))
        return false;
    for (size_t i = 0; i < DENSITY_COUNT && !u.error_count && !s.failed && !*out->what; i++)
        try_density(&s, u.program, (enum density)i, out);
    out->compiles = cost.compiles;
    lang_program_free(u.program);
    return !s.failed;
}
