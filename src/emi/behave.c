/* What a program does, compared and told.  Behaviour is judge's; what is added here is what EMI
 * knows: inputs on which the original is not steady are left out, and a linker may miss what only
 * the optimiser kept it from asking for. */
#include "emi/session.h"

#include "judge/judge.h"

#include <string.h>

enum { SHOWN = 60 };

static struct outcome steady_part(const struct session *s, struct arena *a, const struct outcome *o)
{
    struct outcome part = *o;
    part.runs = NEW_ARRAY(a, o->run_count + 1, struct outcome_run);
    part.run_count = 0;
    for (size_t i = 0; i < o->run_count; i++)
        if (!s->unsteady[i])
            part.runs[part.run_count++] = o->runs[i];
    return part;
}

bool session_same_behaviour(const struct session *s, const struct outcome *x,
                            const struct outcome *y)
{
    struct arena a = {0};
    struct outcome p = steady_part(s, &a, x), q = steady_part(s, &a, y);
    bool same = x->kind == y->kind && judge_same_behaviour(&p, &q);
    arena_free(&a);
    return same;
}

static bool has_loose_end(const struct emi_subject *s)
{
    for (size_t i = 0; i < s->unit_count; i++)
        if (vary_loose_end(s->units[i].vary))
            return true;
    return false;
}

/* What was near a limit before may be above it now. */
static const unsigned near_limit = 8;

bool session_does(const struct session *s, const struct outcome *o, const struct text *out,
                  const int *status)
{
    for (size_t i = 0; i < o->run_count && i < s->t->subject->run_count; i++) {
        struct outcome_run run = o->runs[i];
        if (run.end == SYS_SIGNALLED) { /* as a shell shows it, and as the machine does */
            run.end = SYS_EXITED;
            run.code += 128;
        }
        struct outcome one = {.kind = o->kind, .runs = &run, .run_count = 1};
        struct judge_expectation x = {
            .runs = true, .out = text_str(&out[i]), .out_size = out[i].n, .status = status[i]};
        if (!s->unsteady[i] && status[i] >= 0 && !judge_as_expected(&one, &x))
            return false;
    }
    return true;
}

static bool compiled_slowly(const struct session *s, const struct outcome *was,
                            const struct outcome *is)
{
    const struct cc_case *c = &s->program;
    return (is->kind == OUTCOME_HANG && was->compile_cpu > c->compile_timeout / near_limit) ||
           (is->kind == OUTCOME_OUT_OF_MEMORY &&
            was->compile_memory > c->compile_memory / near_limit);
}

bool session_is_silent(const struct session *s, const struct outcome *was, const struct outcome *is)
{
    const struct emi_subject *subject = s->t->subject;
    if (outcome_info(is->kind)->weight == WEIGHT_NONE || compiled_slowly(s, was, is))
        return true;
    if (is->kind == OUTCOME_LINK_FAILED && has_loose_end(subject))
        return true;
    for (size_t i = 0; i < is->run_count && i < was->run_count; i++)
        if (is->runs[i].end == SYS_TIMEOUT &&
            was->runs[i].seconds > subject->from.run_timeout / near_limit)
            return true;
    return false;
}

bool outcome_ends(const struct outcome *o)
{
    for (size_t i = 0; i < o->run_count; i++)
        if (o->runs[i].end != SYS_EXITED && o->runs[i].end != SYS_SIGNALLED)
            return false;
    return o->run_count > 0;
}

static void put_bytes(struct text *t, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '\n')
            text_puts(t, "\\n");
        else if (c < ' ' || c > '~')
            text_printf(t, "\\x%02x", c);
        else
            text_putc(t, (char)c);
    }
}

char *outcome_describe(struct arena *a, const struct outcome *o, const struct outcome *other)
{
    size_t i = 0;
    if (o->kind != OUTCOME_BUILT)
        return arena_printf(a, "%s: %s", outcome_info(o->kind)->phrase, o->message);
    for (; i + 1 < o->run_count && i < other->run_count; i++) {
        struct outcome x = {.runs = &o->runs[i], .run_count = 1};
        struct outcome y = {.runs = &other->runs[i], .run_count = 1};
        if (!judge_same_behaviour(&x, &y))
            break;
    }
    const struct outcome_run *r = &o->runs[i];
    struct text t = {0};
    if (o->run_count > 1)
        text_printf(&t, "input %zu: ", i + 1);
    text_printf(&t, "%s, %zu bytes \"", r->words, r->out_size);
    put_bytes(&t, r->out, r->out_size);
    text_puts(&t, r->out_size > SHOWN ? "...\"" : "\"");
    char *copy = arena_string(a, t.s);
    text_free(&t);
    return copy;
}
