/* Clang's culprit: -opt-bisect-limit=N lets the first N steps of the pipeline run and skips the
 * rest; the least N that shows the bug is the guilty step.  A crash or wrong code with no step at
 * all is the front end's or code generation's; switching parts of that off may still say which. */
#include "triage/private.h"

#include <stdio.h>
#include <string.h>

/* A line "BISECT: running pass (12) instcombine on main". */
struct bisect_step {
    const char *name, *on;
};

struct steps {
    struct bisect_step *at; /* from 0; step n of the option is at[n - 1] */
    size_t n;
};

static const char running[] = "BISECT: running pass (";

static size_t count_lines(const char *said)
{
    size_t n = 0;
    for (const char *p = said; (p = strstr(p, running)); p++)
        n++;
    return n;
}

static struct bisect_step read_step(struct arena *a, const char *line)
{
    const char *end = strchr(line, '\n'), *name = strstr(line, ") ");
    const char *copy = end ? arena_copy(a, line, (size_t)(end - line)) : line;
    struct bisect_step out = {"", ""};
    if (!name || (end && name > end))
        return out;
    name = copy + (name - line) + 2;
    /* names may hold " on "; what it runs on does not, mostly: the last one counts */
    const char *on = NULL;
    for (const char *p = name; (p = strstr(p, " on ")); p++)
        on = p;
    out.name = on ? arena_copy(a, name, (size_t)(on - name)) : name;
    out.on = on ? on + 4 : "";
    return out;
}

static struct steps read_steps(struct arena *a, const char *said)
{
    size_t n = count_lines(said);
    struct steps out = {NEW_ARRAY(a, n ? n : 1, struct bisect_step), 0};
    for (const char *p = said; (p = strstr(p, running)); p++)
        out.at[out.n++] = read_step(a, p);
    return out;
}

static char **limit_words(struct search *s, const void *context, size_t n)
{
    struct list words = {0};
    (void)context;
    list_add(s->a, &words, "-mllvm");
    list_add(s->a, &words, arena_printf(s->a, "-opt-bisect-limit=%zu", n));
    list_add(s->a, &words, NULL);
    return (char **)words.at;
}

/* "the 3rd of 5 times on main": which one of its name. */
static const char *tell_step(struct arena *a, const struct steps *steps, size_t n)
{
    const struct bisect_step *guilty = &steps->at[n - 1];
    size_t nth = 0;
    for (size_t i = 0; i < n; i++)
        nth += strcmp(steps->at[i].name, guilty->name) == 0 &&
               strcmp(steps->at[i].on, guilty->on) == 0;
    return arena_printf(a, "step %zu of %zu: %s on %s, time %zu", n, steps->n, guilty->name,
                        guilty->on, nth);
}

/* ---- no step at all ------------------------------------------------------------------- */

/* What is left of code generation when no optional step runs. */
static void blame_backend(struct search *s)
{
    static const struct {
        const char *option, *name;
    } rows[] = {
        {"-fast-isel", "instruction selection"},
        {"-regalloc=basic", "register allocation"},
    };
    if (search_shows_plainly(s))
        return;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        char *words[] = {"-mllvm", "-opt-bisect-limit=0", "-mllvm", (char *)rows[i].option, NULL};
        if (search_ask(s, words) == ANSWER_GONE) {
            s->out->pass = rows[i].name;
            s->out->switches = arena_printf(s->a, "-mllvm %s", rows[i].option);
            s->out->detail = "with no optional pass at all";
            return;
        }
    }
    s->out->pass = "code generation";
    s->out->detail = "with no optional pass at all, but not at -O0";
    s->out->switches = "-O0";
}

void blame_BISECT(struct search *s)
{
    static char *const list_all[] = {"-mllvm", "-opt-bisect-limit=-1", NULL};
    const char *said;
    if (search_listen(s, list_all, &said) != ANSWER_SHOWN || !strstr(said, "BISECT:"))
        return;
    struct steps steps = read_steps(s->a, said);
    enum answer without = search_ask(s, limit_words(s, NULL, 0));
    if (without == ANSWER_SHOWN || !steps.n) {
        blame_backend(s);
        return;
    }
    size_t n = search_least(s, limit_words, NULL, 0, steps.n, ANSWER_SHOWN);
    if (!n)
        return;
    s->out->pass = pass_name_llvm(s->a, steps.at[n - 1].name);
    s->out->detail = tell_step(s->a, &steps, n);
    s->out->switches = arena_printf(s->a, "-mllvm -opt-bisect-limit=%zu", n - 1);
}
