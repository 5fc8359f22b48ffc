/* The first value that goes wrong and matters: the first one that the machine sees and the accused
 * does not is where it begins, unless the program goes wrong without it as well.  Probes disturb
 * optimisers: where the bug hides from many, fewer are tried. */
#include "triage/private.h"

#include <string.h>

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

/* Of a wrong value, found and the values in out are filled in. */
static enum sight see_first(struct search *s, struct program *p, const struct density_of *which,
                            struct triage_first *out, struct sighted *found)
{
    enum sight sight = look(s, p, which, found);
    bool bytes = which->density == DENSITY_OBJECTS;
    if (sight != SIGHT_WRONG)
        return sight;
    out->missed = !found->actual && found->exits;
    out->vague = !found->actual && !found->exits && !is_operation_alone(&found->probe);
    out->expected = bytes ? "" : found->expected;
    out->actual = !found->actual ? "never evaluated" : bytes ? "" : found->actual;
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
    if (!may_be_constant(found) || see_first(s, p, &literals, &other, &literal) != SIGHT_WRONG ||
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
        enum sight sight = see_first(s, p, &which, &other, &found);
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

/* ---- does it matter? --------------------------------------------------------------------- */

/* A wrong value, and what was known when it was the first. */
struct suspect {
    struct sighted at;
    struct triage_first told;
};

enum { MOST_SUSPECTS = 5 };

static bool can_be_healed(const struct suspect *x)
{
    return !x->told.missed && see_can_heal(&x->at.healing);
}

/* Is the program right with all of the suspects healed but this one? */
static bool is_well_without(struct search *s, struct program *p, enum density density,
                            struct suspect *all, size_t n, size_t but)
{
    struct density_of which = {.density = density};
    struct sighted other;
    for (size_t i = 0; i < n; i++)
        if (i != but)
            list_add(s->a, &which.healed, &all[i].at.healing);
    return look(s, p, &which, &other) != SIGHT_NONE && other.well;
}

/* A compiler with several bugs may compute something wrong that nobody uses, before what is seen
 * goes wrong.  So the first wrong value is made right, by its probe, then the next, until the
 * program does what it must; the first one that it cannot do without is to blame.  *at and *out:
 * the first wrong value, and in the end that one. */
static void find_what_matters(struct search *s, struct program *p, enum density density,
                              struct sighted *at, struct triage_first *out)
{
    struct density_of which = {.density = density};
    struct suspect all[MOST_SUSPECTS] = {{*at, *out}};
    size_t n = 1, guilty = 0;
    bool well = false;
    while (can_be_healed(&all[n - 1]) && s->out->compiles < s->job->most) {
        struct suspect next = {.told = *out};
        list_add(s->a, &which.healed, &all[n - 1].at.healing);
        enum sight sight = see_first(s, p, &which, &next.told, &next.at);
        well = sight != SIGHT_NONE && next.at.well;
        if (well || sight != SIGHT_WRONG)
            break;
        if (n == MOST_SUSPECTS)
            return; /* too much is wrong for one to be named: the first */
        all[n++] = next;
    }
    if (!well && can_be_healed(&all[n - 1]))
        return; /* it is wrong whatever is healed: by what no probe sees */
    while (well && guilty + 1 < n && is_well_without(s, p, density, all, n, guilty))
        guilty++;
    guilty = well ? guilty : n - 1;
    *at = all[guilty].at;
    *out = all[guilty].told;
}

static enum sight try_density(struct search *s, struct program *p, enum density density,
                              struct triage_first *out)
{
    struct density_of which = {.density = density};
    struct sighted found;
    enum sight sight = see_first(s, p, &which, out, &found);
    if (sight != SIGHT_WRONG)
        return sight;
    bool dense = density == DENSITY_STORES || density == DENSITY_EXPRESSIONS;
    if (dense && s->job->most >= TRIAGE_FIRST)
        find_what_matters(s, p, density, &found, out);
    tell(s, p, &found.probe, density, out);
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
    enum sight sight = see_first(s, p, &which, &other, &found);
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
