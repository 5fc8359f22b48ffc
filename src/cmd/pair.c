/* cupel missed --compare: how much the code of two programs differs, by whom.  Takes what missed
 * measures and says it; decides nothing. */
#include "cmd/pair.h"

#include "cmd/campaign.h"
#include "cmd/cmd.h"
#include "sys/sys.h"

#include <jansson.h>
#include <string.h>

struct telling {
    const struct pair_request *r;
    struct arena *a;
    struct text lines, codes;
    json_t *rows;
    bool found;
};

static bool is_assembly(const char *path)
{
    size_t n = strlen(path);
    return n > 2 && strcmp(path + n - 2, ".s") == 0;
}

bool pair_is_assembly(const struct pair_request *r)
{
    return is_assembly(r->paths[0]) && is_assembly(r->paths[1]);
}

/* ---- telling ------------------------------------------------------------------------------ */

static const char *verdict_of(const struct telling *t, const struct missed_comparison *c)
{
    const struct missed_opinions *o = &c->opinions;
    if (c->worse == MISSED_NEITHER)
        return c->same ? "the same code" : "neither is worse";
    const char *words = arena_printf(t->a, "%s gets worse code (%s: %.0f and %.0f",
                                     t->r->paths[c->worse == MISSED_OPT], o->cost_by, o->worse_cost,
                                     o->better_cost);
    if (o->worse_steps)
        words = arena_printf(t->a, "%s; executed: %llu and %llu instructions", words,
                             (unsigned long long)o->worse_steps,
                             (unsigned long long)o->better_steps);
    return arena_printf(t->a, "%s)%s", words,
                        missed_is_contradicted(MISSED_PAIR, o) ? ", which is in doubt" : "");
}

/* by: "" for assemblies, which nobody compiled here. */
static json_t *row_json(const char *by, const struct missed_comparison *c)
{
    static const char *const sides[] = {
        [MISSED_NEITHER] = "neither", [MISSED_ORG] = "first", [MISSED_OPT] = "second"};
    const struct missed_opinions *o = &c->opinions;
    return json_pack("{s:s, s:[i, i], s:f, s:f, s:f, s:s, s:b, s:b, s:[f, f], s:s, s:[I, I]}",
                     "config", by, "instructions", (int)c->codes[0].instructions,
                     (int)c->codes[1].instructions, "r1", c->measure.r1, "r2", c->measure.r2, "r",
                     c->measure.r, "worse", sides[c->worse], "same", c->same, "in_doubt",
                     c->worse != MISSED_NEITHER && missed_is_contradicted(MISSED_PAIR, o), "cost",
                     o->worse_cost, o->better_cost, "cost_by", o->cost_by, "executed",
                     (json_int_t)o->worse_steps, (json_int_t)o->better_steps);
}

static void add(struct telling *t, const char *by, const struct missed_comparison *c)
{
    const struct missed_measure *m = &c->measure;
    text_printf(&t->lines, "%s%sr1 %.3f, r2 %.3f, r %.3f; %u and %u instructions; %s\n", by,
                *by ? ": " : "", m->r1, m->r2, m->r, c->codes[0].instructions,
                c->codes[1].instructions, verdict_of(t, c));
    json_array_append_new(t->rows, row_json(by, c));
    if (c->worse == MISSED_NEITHER)
        return;
    t->found = true;
    struct text_column columns[2];
    for (unsigned i = 0; i < 2; i++)
        columns[i] = (struct text_column){
            arena_printf(t->a, "%s%s%s", t->r->paths[i], *by ? " by " : "", by), c->codes[i].text};
    text_putc(&t->codes, '\n');
    text_columns(&t->codes, columns, 2);
}

static bool take(struct telling *t, const char *by, const struct missed_comparison *c,
                 struct err *e)
{
    for (unsigned i = 0; i < 2; i++) {
        if (c->refused[i])
            return fail(e, "%s does not compile %s", by, t->r->paths[i]);
        if (!c->codes[i].instructions)
            return fail(e, "%s: no code of a function '%s': name one with --function",
                        t->r->paths[i], t->r->function);
    }
    add(t, by, c);
    return true;
}

/* ---- asking ------------------------------------------------------------------------------- */

static bool read_assemblies(struct telling *t, const struct list *compilers, struct err *e)
{
    const struct missed_compiler *of = compilers->n ? compilers->at[0] : NULL;
    struct text files[2] = {{0}};
    bool ok = true;
    for (unsigned i = 0; ok && i < 2; i++)
        ok = sys_read_file(t->r->paths[i], SYS_READ_ALL, &files[i], e);
    if (ok) {
        const char *const texts[2] = {text_str(&files[0]), text_str(&files[1])};
        struct missed_comparison c = missed_compare_assemblies(
            t->a, of ? of->isa : MISSED_X86, texts, t->r->function, t->r->threshold);
        ok = take(t, "", &c, e);
    }
    text_free(&files[0]);
    text_free(&files[1]);
    return ok;
}

/* The programs stay where they are, so that they find what they include. */
static bool include(struct telling *t, const char **texts, struct err *e)
{
    for (unsigned i = 0; i < 2; i++) {
        const char *path = sys_real_path(t->a, t->r->paths[i]);
        if (!path)
            return fail(e, "%s: there is no such file", t->r->paths[i]);
        texts[i] = arena_printf(t->a, "#include \"%s\"\n", path);
    }
    return true;
}

static bool compile_all(struct telling *t, struct cc_lab *lab, const struct list *compilers,
                        struct err *e)
{
    const char *texts[2];
    bool ok = include(t, texts, e);
    for (size_t i = 0; ok && i < compilers->n; i++) {
        const struct missed_compiler *by = compilers->at[i];
        struct missed_judge j = {lab, by, t->r->function, t->r->threshold};
        struct missed_comparison c;
        ok = missed_compare_programs(&j, texts, t->a, &c, e) &&
             (!sys_cancelled() || fail(e, "interrupted")) && take(t, by->config.text, &c, e);
    }
    return ok;
}

bool pair_tell(const struct pair_request *r, struct cc_lab *lab, const struct list *compilers,
               struct arena *a, int *status, struct err *e)
{
    struct telling t = {.r = r, .a = a, .rows = json_array()};
    bool ok = pair_is_assembly(r) ? read_assemblies(&t, compilers, e)
                                  : compile_all(&t, lab, compilers, e);
    text_puts(&t.lines, text_str(&t.codes));
    if (ok && r->json)
        ok = campaign_print_json(json_pack("{s:O}", "configs", t.rows)) ||
             fail(e, "cannot write to stdout");
    else if (ok)
        ok = cmd_output(&t.lines) || fail(e, "cannot write to stdout");
    *status = t.found ? EXIT_FOUND : EXIT_NOTHING_FOUND;
    json_decref(t.rows);
    text_free(&t.lines);
    text_free(&t.codes);
    return ok;
}
