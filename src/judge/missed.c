/* Code that could be better: one compilation to assembly, which has more instructions than better
 * code for the same, or which has a call that no execution makes.  Nothing is run. */
#include "judge/private.h"

#include "missed/missed.h"

#include <string.h>

#define MARKER_COMMENT "/* no execution calls "

void judge_put_marker(const char *marker, struct text *program)
{
    if (*marker)
        text_printf(program, MARKER_COMMENT "%s */\n", marker);
}

const char *judge_missed_marker(struct arena *a, const char *program)
{
    const char *at = strstr(program, MARKER_COMMENT);
    at = at ? at + strlen(MARKER_COMMENT) : "";
    return arena_copy(a, at, strcspn(at, " "));
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

bool again_MISSED(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                  struct outcome *out, bool *holds, struct err *e)
{
    struct text text = {0};
    struct missed_code code;
    *holds = false;
    if (!sys_read_file(c->program->units[0], SYS_READ_ALL, &text, e))
        return false;
    const char *marker = judge_missed_marker(a, text_str(&text));
    bool ok = judge_read_code(lab, c, a, out, &code, e);
    if (ok && code.instructions)
        *holds = missed_shows(&code, marker, c->limit) != c->reached;
    text_free(&text);
    return ok;
}
