/* Code that could be better: one compilation to assembly, which has more instructions than better
 * code for the same, or which has a call that no execution makes.  And code that lacks a call which
 * is made.  Nothing is run. */
#include "judge/private.h"

#include "missed/missed.h"

#include <string.h>

/* How a program says which call it is about: one that no execution makes, or one that is made. */
static const struct {
    enum verdict verdict;
    const char *comment;
} markers[] = {{VERDICT_MISSED, "/* no execution calls "},
               {VERDICT_LOST_CALL, "/* the execution calls "}};

void judge_put_marker(enum verdict v, const char *marker, struct text *program)
{
    for (size_t i = 0; i < LENGTH(markers); i++)
        if (*marker && markers[i].verdict == v)
            text_printf(program, "%s%s */\n", markers[i].comment, marker);
}

const char *judge_read_marker(enum verdict v, struct arena *a, const char *program)
{
    const char *marker = "";
    for (size_t i = 0; i < LENGTH(markers); i++) {
        const char *at = markers[i].verdict == v ? strstr(program, markers[i].comment) : NULL;
        if (at)
            marker = at + strlen(markers[i].comment);
    }
    return arena_copy(a, marker, strcspn(marker, " "));
}

bool judge_read_code(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                     struct outcome *out, struct missed_code *code, struct err *e)
{
    struct cc_case program = *c->program;
    struct text text = {0};
    bool arm = c->target && c->target == lang_target(TARGET_AARCH64);
    program.assembly = true;
    program.plain = false;
    *code = (struct missed_code){.text = "", .whole = ""};
    bool ok = sys_read_file(program.units[0], SYS_READ_ALL, &text, e) &&
              cc_try(lab, c->config, &program, a, out, e);
    if (ok && out->kind == OUTCOME_BUILT)
        *code = missed_read_code(a, arm ? MISSED_AARCH64 : MISSED_X86, out->assembly,
                                 missed_function(text_str(&text)));
    text_free(&text);
    return ok;
}

/* The code, and the call that its program names: "" for none. */
static bool read_marked(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                        struct outcome *out, struct missed_code *code, const char **marker,
                        struct err *e)
{
    struct text text = {0};
    if (!sys_read_file(c->program->units[0], SYS_READ_ALL, &text, e))
        return false;
    *marker = judge_read_marker(c->verdict, a, text_str(&text));
    text_free(&text);
    return judge_read_code(lab, c, a, out, code, e);
}

bool again_MISSED(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                  struct outcome *out, bool *holds, struct err *e)
{
    struct missed_code code;
    const char *marker;
    *holds = false;
    if (!read_marked(lab, c, a, out, &code, &marker, e))
        return false;
    if (code.instructions)
        *holds = missed_shows(&code, marker, c->limit) != c->reached;
    return true;
}

bool again_LOST(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                struct outcome *out, bool *holds, struct err *e)
{
    struct missed_code code;
    const char *marker;
    *holds = false;
    if (!read_marked(lab, c, a, out, &code, &marker, e))
        return false;
    *holds = code.instructions && *marker && !missed_shows(&code, marker, 0);
    return true;
}
