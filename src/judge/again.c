/* Looking once more: does the claim hold?  One function for each way in the column `again` of
 * verdict.def.  What the compiler does is data; false only when our own machine fails us. */
#include "judge/private.h"

#include "missed/missed.h"

#include <string.h>

/* One outcome shows it. */
bool again_ONCE(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                struct outcome *out, bool *holds, struct err *e)
{
    if (!cc_try(lab, c->config, c->program, a, out, e))
        return false;
    *holds = judge_bears_out(c, out);
    return true;
}

/* The object that a compilation gives; empty when it gives none. */
static bool read_object(struct cc_lab *lab, const struct cc_config *config,
                        const struct judge_claim *c, struct arena *a, struct outcome *o,
                        struct text *object, struct err *e)
{
    struct cc_case program = *c->program;
    program.compile_only = true;
    program.keep_dir = arena_printf(a, "%s-kept", lab->dir);
    bool ok = cc_try(lab, config, &program, a, o, e);
    if (ok && o->kind == OUTCOME_BUILT)
        ok = sys_read_file(arena_printf(a, "%s/unit0.o", program.keep_dir), SYS_READ_ALL, object,
                           e);
    sys_empty_folder(program.keep_dir);
    return ok;
}

/* Two compilations show it, by giving different objects. */
bool again_TWICE(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                 struct outcome *out, bool *holds, struct err *e)
{
    struct text first = {0}, second = {0};
    bool ok = read_object(lab, c->config, c, a, out, &first, e) &&
              read_object(lab, c->config, c, a, out, &second, e);
    *holds = ok && first.n && second.n &&
             (first.n != second.n || memcmp(first.s, second.s, first.n) != 0);
    text_free(&first);
    text_free(&second);
    return ok;
}

/* Two compilations show it, one with a flag more: the code of the two objects differs. */
static bool differs_with(const char *flag, struct cc_lab *lab, const struct judge_claim *c,
                         struct arena *a, struct outcome *out, bool *holds, struct err *e)
{
    struct text plain = {0}, flagged = {0};
    struct cc_config with;
    uint64_t code = 0, other = 0;
    bool ok = cc_compose(a, c->config, "", &flag, 1, &with, e) &&
              read_object(lab, c->config, c, a, out, &plain, e) &&
              read_object(lab, &with, c, a, out, &flagged, e);
    *holds = ok && object_hash_code(&plain, &code) && object_hash_code(&flagged, &other) &&
             code != other;
    text_free(&plain);
    text_free(&flagged);
    return ok;
}

bool again_DEBUG(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                 struct outcome *out, bool *holds, struct err *e)
{
    return differs_with("-g", lab, c, a, out, holds, e);
}

/* With the flag, volatile objects of the program begin with other values: missed_merge. */
bool again_INITIAL(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                   struct outcome *out, bool *holds, struct err *e)
{
    return differs_with("-D" MISSED_SWITCH, lab, c, a, out, holds, e);
}

bool judge_can_compare_objects(const struct cc_config *config)
{
    if (config->sanitized)
        return false;
    for (size_t i = 1; config->argv[i]; i++)
        if (str_has_prefix(config->argv[i], "-flto"))
            return false;
    return true;
}

bool judge_again(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                 struct outcome *out, bool *holds, struct err *e)
{
    return verdict_info(c->verdict)->again(lab, c, a, out, holds, e);
}

bool judge_again_often(struct cc_lab *lab, const struct judge_claim *c, size_t times,
                       struct arena *a, struct outcome *out, size_t *shown, struct err *e)
{
    struct cc_case program = *c->program;
    struct outcome all;
    char **inputs = NEW_ARRAY(a, times + 1, char *);
    for (size_t i = 0; i < times; i++)
        inputs[i] = program.inputs && program.inputs[0] ? program.inputs[0] : "";
    program.inputs = inputs;
    program.plain = true;
    *shown = 0;
    if (!cc_try(lab, c->config, &program, a, &all, e))
        return false;
    *out = all;
    for (size_t i = 0; i < all.run_count; i++) {
        struct outcome one = all;
        one.runs = &all.runs[i];
        one.run_count = 1;
        bool bears = judge_bears_out(c, &one);
        if (bears || !*shown)
            *out = one;
        *shown += bears;
    }
    return true;
}
