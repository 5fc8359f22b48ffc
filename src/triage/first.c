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

/* Where two traces part. */
struct parting {
    size_t at;         /* in the order of what is right; its length: nowhere */
    size_t turn;       /* how often the probe had been right */
    const char *other; /* the value that the accused has there; NULL for none */
};

/* The order in which operands are evaluated does not matter, because each probe's values are
 * compared by themselves. */
static struct parting first_difference(struct arena *a, const struct trace *right,
                                       const struct trace *wrong, size_t probes)
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

/* Compiled by itself: its operands come out of probes, and its value goes into one. */
static bool is_operation_alone(const struct probe *probe)
{
    const struct node *n = probe->node;
    if (probe->before)
        return bitfield_of(n->kid[0]);
    switch (n->kind) {
    case NODE_BINARY:
        return n->op != OP_LAND && n->op != OP_LOR;
    case NODE_UNARY:
        return true;
    case NODE_CAST:
        return !(n->flags & NODE_IMPLICIT) || bitfield_of(n);
    case NODE_ASSIGN:
        return n->op != OP_ASSIGN || probe->stored;
    default:
        return false;
    }
}

static void tell(struct search *s, const struct program *p, const struct probe *probe,
                 enum density density, struct triage_first *out)
{
    struct text shape = {0};
    if (out->missed)
        text_puts(&shape, shape_control(probe->inside));
    else if (density != DENSITY_OBJECTS)
        shape_put_probe(p, probe, out->expected, out->actual, &shape);
    out->what = probe->stored                   ? "what was stored by the assignment"
                : probe->before && !out->missed ? "what is found by the assignment"
                                                : what_is_seen[density];
    out->telling = !out->missed && density != DENSITY_OBJECTS && is_operation_alone(probe);
    out->shape = arena_string(s->a, text_str(&shape));
    out->source = source_of(s->a, p, probe->node);
    out->function = arena_string(s->a, probe->function->decl->name);
    out->line = lang_place(p, probe->node->begin).line;
    text_free(&shape);
}

/* What a program with probes shows. */
enum sight {
    SIGHT_NONE,   /* it cannot be had */
    SIGHT_HIDDEN, /* with these probes all is well */
    SIGHT_ELSE,   /* what they see is right, but not what the program does */
    SIGHT_STATUS, /* only the exit status is not */
    SIGHT_WRONG   /* the value of a probe is */
};

/* The first probe whose value differs. */
struct sighted {
    struct probe probe;
    size_t turn; /* the evaluation of it that is wrong */
};

/* Of a wrong value, found and the values in out are filled in. */
static enum sight look(struct search *s, struct program *p, const struct density_of *which,
                       struct triage_first *out, struct sighted *found)
{
    struct text program = {0}, functions = {0};
    struct trace right, wrong;
    struct probed probed;
    struct judge_expectation expect = {0};
    struct outcome_run run;
    enum sight sight = SIGHT_NONE;
    instrument(p, s->a, which, &program, &probed);
    see_put_functions(probed.used, &functions);
    if (probed.n && execute_text(s, &program, &functions, &right, &expect) && right.n &&
        watch(s, &program, &functions, &wrong, &run)) {
        struct parting part = first_difference(s->a, &right, &wrong, probed.n);
        bool same = run.end == SYS_EXITED && run.out_size == expect.out_size &&
                    memcmp(run.out, expect.out, expect.out_size) == 0;
        sight = part.at < right.n           ? SIGHT_WRONG
                : !same                     ? SIGHT_ELSE
                : run.code == expect.status ? SIGHT_HIDDEN
                                            : SIGHT_STATUS;
        if (sight == SIGHT_WRONG) {
            bool bytes = which->density == DENSITY_OBJECTS;
            *found = (struct sighted){probed.at[right.at[part.at].probe], part.turn};
            out->missed = !part.other && run.end == SYS_EXITED;
            out->vague = !part.other && run.end != SYS_EXITED && !is_operation_alone(&found->probe);
            out->expected = bytes ? "" : right.at[part.at].value;
            out->actual = !part.other ? "never evaluated" : bytes ? "" : part.other;
        }
    }
    text_free(&program);
    text_free(&functions);
    return sight;
}

/* May a constant in the program be the reason?  What is read was stored earlier, perhaps as one. */
static bool may_be_constant(const struct probe *probe)
{
    const struct node *n = probe->node;
    bool constant = probe->before ||
                    (n->kind == NODE_CAST && n->flags & NODE_IMPLICIT && !bitfield_of(n));
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
    static const struct density_of literals = {.density = DENSITY_LITERALS};
    struct triage_first other = *out;
    struct sighted literal;
    if (!may_be_constant(found) || look(s, p, &literals, &other, &literal) != SIGHT_WRONG ||
        other.missed ||
        (literal.probe.node->kind != NODE_INT && literal.probe.node->kind != NODE_FLOAT))
        return;
    tell(s, p, &literal.probe, DENSITY_LITERALS, &other);
    *out = other;
}

/* One step from an expression that is wrong to an operand that is.  *hides: one whose probe makes
 * all well, so that the two go wrong only together. */
static bool descend(struct search *s, struct program *p, struct sighted *at,
                    struct triage_first *out, const struct node **hides)
{
    struct list operands = {0};
    *hides = NULL;
    instrument_operands(p, at->probe.node, s->a, &operands);
    for (size_t i = 0; i < operands.n; i++) {
        struct density_of which = {.density = DENSITY_STATEMENTS, .only = operands.at[i]};
        struct triage_first other = *out;
        struct sighted found;
        enum sight sight = look(s, p, &which, &other, &found);
        /* what is wrong later than the whole is its consequence */
        if (sight == SIGHT_WRONG && !other.missed && found.turn <= at->turn) {
            *at = found;
            *out = other;
            return true;
        }
        if (sight == SIGHT_HIDDEN && !*hides)
            *hides = operands.at[i];
    }
    return false;
}

/* Of two that go wrong only together, is the operand to blame whatever is done with it?  A store
 * computes nothing, and a conversion that is lost is lost in any operation. */
static bool is_operand_guilty(const struct node *whole, const struct node *operand)
{
    bool moves = whole->kind == NODE_DECLARATOR ||
                 (whole->kind == NODE_ASSIGN && whole->op == OP_ASSIGN);
    return moves || (operand->kind == NODE_CAST && !(operand->flags & NODE_IMPLICIT));
}

/* A statement is wrong, but hides when all of its expressions are probed: each alone. */
static void narrow(struct search *s, struct program *p, struct sighted *at,
                   struct triage_first *out)
{
    const struct node *hides = NULL;
    struct text shape = {0};
    while (descend(s, p, at, out, &hides))
        ;
    if (hides && is_operand_guilty(at->probe.node, hides)) {
        struct probe guilty = {.node = hides, .function = at->probe.function};
        out->expected = out->actual = ""; /* it is right where it is looked at */
        tell(s, p, &guilty, DENSITY_EXPRESSIONS, out);
        return;
    }
    tell(s, p, &at->probe, DENSITY_EXPRESSIONS, out);
    if (!hides)
        return;
    shape_put_pair(p, at->probe.node, hides, &shape);
    out->shape = arena_string(s->a, text_str(&shape));
    text_free(&shape);
}

/* The shape with int, if that goes wrong as well: then the type makes no difference. */
static const char *try_with_int(struct search *s, const struct program *p,
                                const struct probe *probe, const char *shape)
{
    struct text own = {0}, with_int = {0};
    shape_put(p, probe->node, &own);
    shape_put_with_int(p, probe->node, &with_int);
    if (strcmp(text_str(&own), shape) == 0) /* nothing simpler was found */
        shape = canary_with_int(s, probe->node, shape, arena_string(s->a, text_str(&with_int)));
    text_free(&own);
    text_free(&with_int);
    return shape;
}

static enum sight try_density(struct search *s, struct program *p, enum density density,
                              struct triage_first *out)
{
    struct density_of which = {.density = density};
    struct sighted found;
    enum sight sight = look(s, p, &which, out, &found);
    if (sight != SIGHT_WRONG)
        return sight;
    tell(s, p, &found.probe, density, out);
    bool dense = density == DENSITY_STORES || density == DENSITY_EXPRESSIONS;
    out->alone = dense && !out->missed && is_operation_alone(&found.probe);
    if (dense)
        try_constants(s, p, &found.probe, out);
    if (dense)
        out->shape = canary_compare(s, found.probe.node, canary_ask(s, out->shape));
    if (out->alone)
        out->shape = try_with_int(s, p, &found.probe, out->shape);
    else if (density == DENSITY_STATEMENTS && !out->missed)
        narrow(s, p, &found, out);
    return sight;
}

/* Every expression of the function that a probe can tell, outermost first: struct probe. */
static void list_expressions(struct search *s, struct program *p, const struct function *f,
                             const struct node *n, struct list *out)
{
    struct list next = {0};
    instrument_operands(p, n, s->a, &next);
    for (size_t i = 0; i < next.n; i++) {
        struct probe *probe = NEW(s->a, struct probe);
        *probe = (struct probe){.node = next.at[i], .function = f};
        list_add(s->a, out, probe);
        list_expressions(s, p, f, next.at[i], out);
    }
}

/* One expression alone.  True when it says what goes wrong: it is wrong, and then narrowed down, or
 * its probe makes all well, so that it goes wrong only as long as nobody looks. */
static bool try_one(struct search *s, struct program *p, const struct probe *probe,
                    struct triage_first *out)
{
    struct density_of which = {.density = DENSITY_STATEMENTS, .only = probe->node};
    struct triage_first other = *out;
    struct sighted found;
    bool read = probe->node->kind == NODE_CAST && probe->node->flags & NODE_IMPLICIT;
    enum sight sight = look(s, p, &which, &other, &found);
    if (sight == SIGHT_HIDDEN)
        tell(s, p, probe, DENSITY_EXPRESSIONS, out);
    /* what is read wrongly was stored earlier */
    if (sight == SIGHT_WRONG && !other.missed && !read) {
        *out = other;
        narrow(s, p, &found, out);
    }
    return *out->what;
}

/* It hides from all densities; of a small program each expression is tried alone. */
static void try_each(struct search *s, struct program *p, struct triage_first *out)
{
    struct list all = {0};
    for (size_t i = 0; i < p->functions.n; i++) {
        const struct function *f = p->functions.at[i];
        if (f->body)
            list_expressions(s, p, f, f->body, &all);
    }
    if (s->out->compiles + all.n > s->job->most)
        return;
    for (size_t i = 0; i < all.n && !s->failed; i++)
        if (try_one(s, p, all.at[i], out))
            return;
}

bool triage_find_first(const struct triage_job *job, struct arena *a, struct triage_first *out,
                       struct err *e)
{
    struct triage_job bounded = *job;
    struct triage_blame cost = {.pass = ""};
    struct search s = {.job = &bounded, .a = a, .e = e, .out = &cost};
    struct unit u;
    bounded.most = job->most ? job->most : TRIAGE_FIRST;
    *out = (struct triage_first){
        .what = "", .shape = "", .source = "", .function = "", .expected = "", .actual = ""};
    if (verdict_info(job->claim->verdict)->subject != SUBJECT_RUN ||
        judge_is_about_volatiles(job->claim->verdict) || job->claim->program->units[1])
        return true;
    if (!subject_read(job, &u, e))
        return false;
    enum sight sight = SIGHT_NONE;
    for (size_t i = 0;
         i < DENSITY_COUNT && !u.error_count && !s.failed && !*out->what && sight != SIGHT_STATUS;
         i++)
        sight = try_density(&s, u.program, (enum density)i, out);
    if (sight == SIGHT_STATUS)
        out->shape = "exit status";
    else if (!u.error_count && !s.failed && !*out->what)
        try_each(&s, u.program, out);
    out->compiles = cost.compiles;
    lang_program_free(u.program);
    return !s.failed;
}
