/* The strategy that tests sanitizers for silence: a generated program gets one statement that is
 * undefined, of plant.def, before a statement that runs.  The machine must find just that; then the
 * sanitizer that the row names has to report it, whatever compiler, level and program around it. */
#include "hunt/private.h"

#include "front/front.h"
#include "machine/machine.h"

#include <string.h>

#define STRATEGY(id, name, maker, ...) make_fn make_##maker;
#include "hunt/strategy.def"

enum sanitizer {
#define SANITIZER(id, ...) SANITIZER_##id,
#include "judge/sanitizer.def"
    SANITIZER_COUNT
};

static const char *const sanitizer_flags[SANITIZER_COUNT] = {
#define SANITIZER(id, flag, words) [SANITIZER_##id] = flag,
#include "judge/sanitizer.def"
};

struct plant {
    enum ub ub;
    enum sanitizer sanitizer;
    enum lost lost;
    const char *globals, *statement;
};

static const struct plant plants[] = {
#define PLANT(id, ub, sanitizer, lost, globals, statement) \
    {UB_##ub, SANITIZER_##sanitizer, LOST_##lost, globals, statement},
#include "hunt/plant.def"
};

/* ---- words ------------------------------------------------------------------------------ */

struct plant_type {
    const char *name, *most, *width;
};

static const struct plant_type types[] = {{"int", "2147483647", "32"},
                                          {"long", "9223372036854775807L", "64"},
                                          {"long long", "9223372036854775807LL", "64"}};

/* T, M and W, where they stand alone, by what was drawn. */
static void put_words(struct text *out, const char *words, const struct plant_type *t)
{
    for (const char *p = words; *p; p++) {
        bool alone = (p == words || !strchr("_abcdefghijklmnopqrstuvwxyz", p[-1])) &&
                     !strchr("_abcdefghijklmnopqrstuvwxyz", p[1] ? p[1] : ' ');
        const char *instead = !alone      ? NULL
                              : *p == 'T' ? t->name
                              : *p == 'M' ? t->most
                              : *p == 'W' ? t->width
                                          : NULL;
        if (instead)
            text_puts(out, instead);
        else
            text_putc(out, *p);
    }
    text_putc(out, '\n');
}

/* ---- places ----------------------------------------------------------------------------- */

/* Statements of blocks that ran: where one more can stand before them. */
static void list_places(const struct machine *m, const struct node *n, struct arena *a,
                        struct list *out)
{
    for (uint32_t i = 0; i < n->count; i++) {
        struct node *kid = n->kid[i];
        if (!kid)
            continue;
        if (n->kind == NODE_BLOCK && lang_node_info[kid->kind].class == NODE_CLASS_STMT &&
            kid->kind != NODE_CASE && kid->kind != NODE_DEFAULT && kid->kind != NODE_LABEL &&
            !(i && lang_sticks_to_next(n->kid[i - 1])) && machine_fact(m, 0, kid).count)
            list_add(a, out, kid);
        if (kid->kind != NODE_STMT_EXPR)
            list_places(m, kid, a, out);
    }
}

/* May a function be left with longjmp, siglongjmp ...? */
static bool has_jumps(const struct program *p)
{
    for (size_t i = 0; i < p->decls.n; i++) {
        const struct decl *d = p->decls.at[i];
        if (d->kind == DECL_FUNC && d->name && str_has_suffix(d->name, "longjmp"))
            return true;
    }
    return false;
}

static bool is_not_sanitized(const struct function *f)
{
    for (const struct attr *a = f->decl->attrs; a; a = a->next)
        if (strstr(a->name, "no_sanitize"))
            return true;
    return false;
}

/* The functions in which the sanitizer must see it, and whose calls are all made: where some may be
 * dropped (gcc's const and pure), that is known of main only. */
static void list_all_places(const struct machine *m, const struct program *p, enum lost lost,
                            struct arena *a, struct list *out)
{
    bool only_main = lang_has_lost_calls(p);
    if (lost == LOST_AFTER_JUMP && has_jumps(p))
        return;
    for (size_t i = 0; i < p->functions.n; i++) {
        const struct function *f = p->functions.at[i];
        bool made = !only_main || strcmp(f->decl->name, "main") == 0;
        bool seen = !is_not_sanitized(f) && !(lost == LOST_BESIDE_GOTO && f->computed_goto);
        if (made && seen)
            list_places(m, f->body, a, out);
    }
}

uint32_t planted_place(const struct text *code, const struct target *target, enum lost lost,
                       struct rng *r)
{
    struct front_options o = {.target = target, .file = "program.c"};
    struct unit u = front_parse(text_str(code), code->n, &o);
    struct machine_unit unit = {.program = u.program};
    struct arena a = {0};
    struct list places = {0};
    uint32_t at = 0;
    if (!u.error_count) {
        struct machine *m = machine_new(&unit, 1, &(struct machine_options){.trust_order = true});
        if (machine_run(m)->end == MACHINE_FINISHED)
            list_all_places(m, u.program, lost, &a, &places);
        if (places.n)
            at = ((struct node *)places.at[rng_below(r, places.n)])->begin;
        machine_free(m);
    }
    arena_free(&a);
    lang_program_free(u.program);
    return at;
}

/* Does the machine find what was planted, first of all? */
static bool is_taken(const struct text *code, const struct target *target, enum ub ub)
{
    struct front_options o = {.target = target, .file = "program.c"};
    struct unit u = front_parse(text_str(code), code->n, &o);
    struct machine_unit unit = {.program = u.program};
    bool taken = false;
    if (!u.error_count) {
        struct machine_execution x = machine_execute(&unit, 1, NULL);
        taken = x.why->end == MACHINE_UNDEFINED && x.why->ub == ub;
        machine_execution_free(&x);
    }
    lang_program_free(u.program);
    return taken;
}

/* ---- the program ------------------------------------------------------------------------ */

static void plant(struct subject *s, const struct plant *p, const struct plant_type *t, uint32_t at)
{
    struct text code = {0};
    put_words(&code, p->globals, t);
    text_add(&code, text_str(&s->code), at);
    text_puts(&code, "{ ");
    put_words(&code, p->statement, t);
    text_puts(&code, "}\n    ");
    text_add(&code, text_str(&s->code) + at, s->code.n - at);
    text_free(&s->code);
    s->code = code;
}

bool make_PLANTED(const struct order *o, struct subject *out, struct err *e)
{
    struct rng stream = rng_seed(o->seed), r = rng_fork(&stream, "plant");
    const struct target *target = o->lane->target;
    if (!target || target->pointer.size != 8 || !make_RUN(o, out, e)) {
        out->skipped = "sanitizers are tested on this machine's own programs";
        return true;
    }
    const struct plant *p = &plants[rng_below(&r, LENGTH(plants))];
    const struct plant_type *t = &types[rng_below(&r, LENGTH(types))];
    uint32_t at = planted_place(&out->code, target, p->lost, &r);
    if (at)
        plant(out, p, t, at);
    if (!at || !is_taken(&out->code, target, p->ub)) {
        out->skipped = "what was planted is not what is undefined first";
        return true;
    }
    text_clear(&out->expect);
    out->expectation = (struct judge_expectation){.valid = true,
                                                  .undefined = machine_ub_info[p->ub].name};
    out->sanitizer = sanitizer_flags[p->sanitizer];
    text_printf(&out->origin, ", with %s planted: %s", machine_ub_info[p->ub].name, p->statement);
    return true;
}

/* ---- the compilers ---------------------------------------------------------------------- */

static bool has_flag(const struct plan_config *c, const char *flag)
{
    for (size_t i = 0; i < c->pool.n; i++)
        if (strcmp(c->pool.at[i].text, flag) == 0)
            return true;
    return judge_sanitizer_of(&c->cc) && strcmp(judge_sanitizer_of(&c->cc), flag) == 0;
}

bool planted_can_sanitize(const struct plan *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; p->configs[i].own && k < SANITIZER_COUNT; k++)
            if (has_flag(&p->configs[i], sanitizer_flags[k]))
                return true;
    return false;
}

/* The picks with the sanitizer that is asked for, and nothing else but their levels; those that
 * have it not go. */
bool planted_sanitize(struct test *t, struct err *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->n && t->subject.sanitizer; i++) {
        struct pick p = t->picks[i];
        const struct plan_config *c = &t->w->plan.configs[p.config];
        if (!c->own || !has_flag(c, t->subject.sanitizer))
            continue;
        if (c->pool.n) {
            p.drawn.flags = NEW_ARRAY(&t->w->arena, 1, const char *);
            p.drawn.flags[0] = t->subject.sanitizer;
            p.drawn.n = 1;
            if (!cc_compose(&t->w->arena, &c->cc, p.drawn.level, p.drawn.flags, 1, &p.drawn.config,
                            e))
                return false;
        }
        t->picks[kept++] = p;
    }
    if (t->subject.sanitizer)
        t->n = kept;
    return true;
}
