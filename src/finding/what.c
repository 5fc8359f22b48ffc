/* A finding in the fewest words that tell it from others. */
#include "finding/finding.h"

#include <string.h>

/* The end of what went right says nothing of what is wrong. */
static const char *name_end(const struct finding *f)
{
    if (f->claim.verdict == VERDICT_WRONG_CODE)
        return "another output";
    return verdict_is_an_end(f->claim.verdict) ? f->seen.end : NULL;
}

/* Never nothing: how the compiler fails, which pass or kind of expression goes wrong and in which
 * one it begins, or what happens. */
void finding_put_what(const struct finding *f, struct text *out)
{
    const char *words[] = {f->claim.signature, f->blame.pass, f->seen.message, name_end(f),
                           verdict_info(f->claim.verdict)->phrase};
    bool leveled = f->blame.pass && str_has_prefix(f->blame.pass, "-O");
    bool whole = f->seen.end && *f->seen.end;
    size_t i = 0;
    if (!whole && f->what && *f->what) { /* it is brief, and was said when it was not */
        text_puts(out, f->what);
        return;
    }
    if (leveled) /* that is where it happens, not what */
        words[1] = NULL;
    while (i + 1 < LENGTH(words) && (!words[i] || !*words[i]))
        i++;
    text_puts(out, words[i]);
    if (i && leveled)
        text_printf(out, " at %s", f->blame.pass);
    if (i && f->blame.wrong && *f->blame.wrong)
        text_printf(out, ": %s", f->blame.wrong);
}

void finding_put_line(const struct finding *f, struct text *out)
{
    enum { MOST = 300 };
    struct text what = {0};
    finding_put_what(f, &what);
    size_t n = strcspn(text_str(&what), "\n");
    text_add(out, text_str(&what), n < MOST ? n : MOST);
    text_free(&what);
}
