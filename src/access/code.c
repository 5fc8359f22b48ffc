/* The instructions of a wrong access.  Takes assembly with the lines of its source (-g) and what
 * was judged; yields the instructions of the lines where the object must be accessed.  Compiles
 * nothing.
 */
#include "access/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INSTRUCTIONS = 16 };

/* Is the object of this access one that the judgement is about?  What is made too often, or
 * otherwise, may be so wherever the object is accessed; what is lost is so at one place. */
static bool is_about(const struct access_judgement *j, const struct access *x)
{
    return j->kind != ACCESS_LOST && ((j->expected && x->watch == j->expected->watch) ||
                                      (j->other && x->watch == j->other->watch));
}

static bool is_line(const struct access_plan *plan, const struct access_judgement *j, uint32_t line)
{
    if (line && j->expected && j->expected->line == line)
        return true;
    for (size_t i = 0; line && i < plan->count; i++)
        if (plan->expected[i].line == line && is_about(j, &plan->expected[i]))
            return true;
    return false;
}

/* "\t.loc 1 9 5": the line, of whatever file: a program that is judged has one, mostly. */
static bool read_place(const char *text, uint32_t *line)
{
    static const char directive[] = ".loc";
    text += strspn(text, " \t");
    if (!str_has_prefix(text, directive) || !isspace((unsigned char)text[strlen(directive)]))
        return false;
    char *end;
    strtoul(text + strlen(directive), &end, 10);
    *line = (uint32_t)strtoul(end, NULL, 10);
    return true;
}

static bool is_instruction(const char *text)
{
    size_t n = strspn(text, " \t");
    return n && isalpha((unsigned char)text[n]);
}

const char *access_find_code(struct arena *a, const struct access_plan *plan,
                             const struct access_judgement *j, const char *assembly)
{
    struct text out = {0};
    uint32_t line = 0, shown = 0;
    unsigned n = 0;
    bool placed = false;
    for (const char *at = assembly, *end; *at && n < MOST_INSTRUCTIONS; at = end + (*end == '\n')) {
        end = at + strcspn(at, "\n");
        if (read_place(at, &line)) {
            placed = true;
            continue;
        }
        if (!is_instruction(at) || !is_line(plan, j, line))
            continue;
        if (line != shown)
            text_printf(&out, "line %u:\n", line);
        shown = line;
        at += strspn(at, " \t");
        text_printf(&out, "\t%.*s\n", (int)(end - at), at);
        n++;
    }
    if (placed && !n && j->expected && j->expected->line)
        text_printf(&out, "line %u:\n\tno instruction\n", j->expected->line);
    const char *code = arena_string(a, text_str(&out));
    text_free(&out);
    return code;
}
