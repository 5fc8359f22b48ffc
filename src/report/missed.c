/* Code that could be better, in words: the identity that was not seen, both programs, and beside
 * each other the code of the program, of its twin, and of who does better. */
#include "report/private.h"

static bool has_identity(const struct finding *f)
{
    return f->missed.identity && *f->missed.identity;
}

size_t missed_codes(const struct finding *f, struct text_column out[MISSED_CODES])
{
    const struct finding_missed *m = &f->missed;
    size_t n = 0;
    if (!has_identity(f))
        return 0;
    out[n++] = (struct text_column){f->claim.config, m->code};
    if (*m->twin_code)
        out[n++] = (struct text_column){"its twin, the same compiler", m->twin_code};
    if (*m->better_code)
        out[n++] = (struct text_column){m->better, m->better_code};
    return n;
}

void missed_put_codes(const struct finding *f, struct text *out)
{
    struct text_column codes[MISSED_CODES];
    size_t n = missed_codes(f, codes);
    if (n)
        text_columns(out, codes, n);
}

static const char *text_of(struct arena *a, struct bytes b)
{
    return arena_copy(a, b.s ? b.s : "", b.n);
}

void missed_put_programs(const struct finding *f, struct text *out)
{
    struct arena a = {0};
    struct text_column programs[] = {{"program.c", text_of(&a, f->subject.program)},
                                     {"its twin, original.c", text_of(&a, f->subject.original)}};
    text_columns(out, programs, f->subject.original.n ? 2 : 1);
    arena_free(&a);
}

void missed_put_text(const struct finding *f, struct text *out)
{
    if (!has_identity(f))
        return;
    bool missed = f->claim.verdict == VERDICT_MISSED;
    text_printf(out, "\n%s  %s\n\n", missed ? "Not seen:" : "Computed:", f->missed.identity);
    missed_put_programs(f, out);
    text_putc(out, '\n');
    missed_put_codes(f, out);
}
