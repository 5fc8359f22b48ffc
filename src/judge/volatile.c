/* Volatile accesses: what a program must do to its volatile objects, by the machine, and what a
 * compiled one does.  One verdict of verdict.def, volatile-X, for each row of access/kind.def. */
#include "judge/private.h"

#include "front/front.h"

#include <string.h>

/* Programs that run for longer make more accesses than anybody wants to step over. */
enum { FUEL = 4000000 };

/* The accesses of a program's runs, whatever their order, each run as one number. */
struct sums {
    uint64_t first;
    bool differ;
};

static uint64_t hash_name(const char *name)
{
    return name ? hash_bytes(name, strlen(name)) : 0;
}

/* Values of pointers and floating objects are nobody's to compare. */
static uint64_t hash_access(const struct machine_volatile *v)
{
    bool compared = v->place.node && v->place.node->type && lang_is_integer(v->place.node->type);
    uint64_t h = hash_pair(hash_name(v->object), hash_name(v->local));
    h = hash_pair(h, v->offset * 2 + v->is_write);
    return hash_pair(h, hash_pair(v->size, compared ? v->bits : 0));
}

/* A run in another order, with another choice of the compiler's, or elsewhere that makes other
 * accesses: then C does not say which are to be made. */
static void add_run(void *context, const struct machine *m)
{
    struct sums *s = context;
    const struct machine_volatile *list;
    size_t n = machine_volatiles(m, &list);
    uint64_t sum = n;
    for (size_t i = 0; i < n; i++)
        sum += hash_access(&list[i]);
    if (!machine_is_other(m))
        s->first = sum;
    else if (machine_result(m)->end == MACHINE_FINISHED)
        s->differ |= sum != s->first;
}

void judge_expect_accesses(struct arena *a, const struct text *text, const struct target *target,
                           struct access_plan *out)
{
    *out = (struct access_plan){.why = "no volatile object"};
    if (!strstr(text_str(text), "volatile"))
        return;
    struct unit u = front_parse(text_str(text), text->n, &(struct front_options){.target = target});
    if (u.error_count) {
        out->why = arena_printf(a, "not read: %s", u.errors[0].message);
    } else {
        struct machine_unit unit = {.program = u.program};
        struct sums sums = {0};
        struct machine_options options = {.fuel = FUEL,
                                          .stop = sys_cancelled,
                                          .name = "program",
                                          .steady = true,
                                          .witness = add_run,
                                          .witness_context = &sums};
        struct machine_execution run = machine_execute(&unit, 1, &options);
        struct text why = {0};
        machine_explain(run.why, &why);
        if (run.defined && sums.differ)
            out->why = "which accesses are made is left open, by C or by where and when it runs";
        else if (run.defined)
            access_expect(a, u.program, run.machine, out);
        else
            out->why = arena_string(a, text_str(&why));
        text_free(&why);
        machine_execution_free(&run);
    }
    lang_program_free(u.program);
}

enum verdict judge_access_verdict(const struct access_judgement *j)
{
    static const enum verdict verdicts[] = {
        [ACCESS_FINE] = VERDICT_NONE,
#define KIND(id, ...) [ACCESS_##id] = VERDICT_VOLATILE_##id,
#include "access/kind.def"
    };
    return j->why ? VERDICT_NONE : verdicts[j->kind];
}

bool judge_is_about_volatiles(enum verdict v)
{
    return str_has_prefix(verdict_info(v)->name, "volatile-");
}

const char *judge_explain_accesses(struct arena *a, const struct access_plan *plan,
                                   const struct access_judgement *j)
{
    return arena_printf(a, "%s: after %zu access%s, expected: %s; made: %s",
                        access_kind_phrase(j->kind), j->at, j->at == 1 ? "" : "es",
                        access_describe(a, plan, j->expected), access_describe(a, plan, j->other));
}

bool judge_try_accesses(struct cc_lab *lab, const struct cc_config *config,
                        const struct cc_case *program, const struct access_plan *plan,
                        struct arena *a, struct outcome *out, struct access_judgement *j,
                        struct err *e)
{
    struct cc_case watched = *program;
    watched.watch = plan->watches;
    watched.watch_count = plan->why ? 0 : plan->watch_count;
    if (!plan->why && plan->steppable)
        watched.step = plan->local_count ? CC_STEP_ALL : CC_STEP_LINKED;
    watched.plain = watched.compile_only = false; /* only the loader can watch */
    if (!cc_try(lab, config, &watched, a, out, e))
        return false;
    access_compare(a, plan, out->trace, j);
    if (!plan->why && !out->trace && out->why_linked && *out->why_linked)
        j->why = arena_printf(a, "the loader does not load it: %s", out->why_linked);
    return true;
}

bool judge_find_access_code(struct cc_lab *lab, const struct cc_config *config,
                            const struct cc_case *program, const struct access_plan *plan,
                            const struct access_judgement *j, struct arena *a, const char **code,
                            struct err *e)
{
    char *const lines[] = {"-g1", NULL};
    struct cc_config with_lines = cc_config_with(a, config, lines);
    struct cc_case assembly = *program;
    struct outcome o;
    assembly.assembly = true;
    *code = "";
    if (!cc_try(lab, &with_lines, &assembly, a, &o, e))
        return false;
    if (o.kind == OUTCOME_BUILT)
        *code = access_find_code(a, plan, j, o.assembly);
    return true;
}

/* What is wrong, and its code where that is wanted. */
static bool explain(struct cc_lab *lab, const struct judge_claim *c, const struct access_plan *plan,
                    const struct access_judgement *j, struct arena *a, const char **words,
                    struct err *e)
{
    const char *code = "";
    *words = judge_explain_accesses(a, plan, j);
    if (c->show && !judge_find_access_code(lab, c->config, c->program, plan, j, a, &code, e))
        return false;
    if (*code)
        *words = arena_printf(a, "%s\n%s", *words, code);
    return true;
}

/* seen: the accesses were compared. */
static bool look(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                 struct outcome *out, enum verdict *v, bool *seen, struct err *e)
{
    struct access_plan plan;
    struct access_judgement j;
    struct text text = {0};
    *v = VERDICT_NONE;
    *seen = false;
    bool ok = sys_read_file(c->program->units[0], SYS_READ_ALL, &text, e);
    if (ok)
        judge_expect_accesses(a, &text, c->target, &plan);
    ok = ok && judge_try_accesses(lab, c->config, c->program, &plan, a, out, &j, e);
    if (ok && !c->program->units[1] && judge_as_expected(out, c->expect)) {
        *v = judge_access_verdict(&j);
        *seen = !j.why;
    }
    if (*v != VERDICT_NONE)
        ok = explain(lab, c, &plan, &j, a, &out->message, e);
    text_free(&text);
    return ok;
}

bool judge_find_volatile(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                         struct outcome *out, enum verdict *v, struct err *e)
{
    bool seen;
    return look(lab, c, a, out, v, &seen, e);
}

/* The same mistake once more.  What cannot be seen is neither there nor gone. */
bool again_VOLATILE(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                    struct outcome *out, bool *holds, struct err *e)
{
    enum verdict v;
    bool seen, ok = look(lab, c, a, out, &v, &seen, e);
    *holds = ok && v == c->verdict;
    if (ok && !seen && judge_as_expected(out, c->expect)) {
        out->kind = OUTCOME_NOT_RUN;
        out->message = "its volatile accesses cannot be seen";
    }
    return ok;
}
