/* Is it a simpler operation that goes wrong?  A signed bit-field is read by shifting: of a compiler
 * whose shifts are wrong alone, that is the bug, whatever else it shows in.  Takes a shape,
 * compiles a program of one expression with the accused, and yields the simpler shape or the same.
 */
#include "triage/private.h"

#include <string.h>

static const struct canary {
    const char *shape, *made_of, *expression, *prints;
} canaries[] = {
#define CANARY(shape, made_of, expression, prints) {shape, made_of, expression, prints},
#include "triage/canary.def"
};

static bool is_wrong(struct search *s, const struct canary *c)
{
    char *units[] = {arena_printf(s->a, "%s-canary.c", s->job->lab->dir), NULL};
    const char *text = arena_printf(s->a,
                                    "int printf(const char *, ...);\nvolatile int a = -8, b = 1;\n"
                                    "int main(void)\n{\n    printf(\"%%d\\n\", %s);\n"
                                    "    return 0;\n}\n",
                                    c->expression);
    struct cc_case program = *s->job->claim->program;
    struct outcome o;
    program.units = units;
    program.known = NULL;
    s->out->compiles++;
    s->failed = !sys_write_file(units[0], text, strlen(text), s->e) ||
                !cc_try(s->job->lab, s->job->claim->config, &program, s->a, &o, s->e);
    return !s->failed && o.kind == OUTCOME_BUILT && o.run_count == 1 &&
           o.runs[0].end == SYS_EXITED &&
           (o.runs[0].out_size != strlen(c->prints) ||
            memcmp(o.runs[0].out, c->prints, o.runs[0].out_size) != 0);
}

const char *canary_ask(struct search *s, const char *shape)
{
    for (size_t i = 0; i < LENGTH(canaries) && !s->failed; i++)
        if (strcmp(canaries[i].shape, shape) == 0 && s->out->compiles < s->job->most &&
            is_wrong(s, &canaries[i]))
            return canaries[i].made_of;
    return shape;
}
