/* The seed string: one line that gives a program again, policy and all. */
#include "gen/gen.h"

#include <stdlib.h>
#include <string.h>

/* seed=7 size=150 target=lp64 mode=run features=3fff op.add=4 ... */
void gen_seed_string(const struct gen_options *o, struct text *out)
{
    text_printf(out, "seed=%llu size=%u", (unsigned long long)o->seed, o->size);
    if (o->target != lang_target(TARGET_LP64))
        text_printf(out, " target=%s", o->target->name);
    if (o->mode == GEN_CRASH)
        text_puts(out, " mode=crash");
    if (o->split)
        text_puts(out, " split=1");
    if (o->trace)
        text_puts(out, " trace=1");
    if (o->features != gen_usual_features())
        text_printf(out, " features=%llx", (unsigned long long)o->features);
    for (size_t i = 0; i < GEN_POLICY_COUNT; i++)
        if (o->policy.fixed[i])
            text_printf(out, " %s=%u", gen_policy_info[i].key, o->policy.value[i]);
}

static bool take(const char *word, struct gen_options *o, struct err *e)
{
    const char *value = strchr(word, '=');
    uint64_t n = 0;
    if (!value)
        return fail(e, "'%s' in a seed string is not key=value", word);
    value++;
    if (str_has_prefix(word, "target="))
        return (o->target = lang_target_named(value)) || fail(e, "unknown target '%s'", value);
    if (str_has_prefix(word, "mode=")) {
        o->mode = strcmp(value, "crash") == 0 ? GEN_CRASH : GEN_RUN;
        return true;
    }
    if (str_has_prefix(word, "features=")) {
        o->features = strtoull(value, NULL, 16) & gen_all_features();
        return true;
    }
    if (strchr(word, '.') && strchr(word, '.') < value)
        return gen_policy_set(&o->policy, word, e);
    if (!str_parse_uint(value, UINT64_MAX, &n, e))
        return false;
    if (str_has_prefix(word, "seed="))
        o->seed = n;
    else if (str_has_prefix(word, "size=") && n > GEN_MOST_STATEMENTS)
        return fail(e, "size=%s: at most %d statements", value, GEN_MOST_STATEMENTS);
    else if (str_has_prefix(word, "size="))
        o->size = (unsigned)n;
    else if (str_has_prefix(word, "split="))
        o->split = n != 0;
    else if (str_has_prefix(word, "trace="))
        o->trace = n != 0;
    else
        return fail(e, "unknown key in a seed string: '%s'", word);
    return true;
}

bool gen_seed_parse(const char *line, struct gen_options *o, struct err *e)
{
    struct arena a = {0};
    char **words = str_split_command(&a, line, e);
    bool ok = words != NULL;
    for (; ok && *words; words++)
        ok = take(*words, o, e);
    arena_free(&a);
    return ok;
}
