/* report.txt: a finding in words. */
#include "report/private.h"

#include <string.h>

/* Is this word, of n characters, the path of a program that was tried? */
static bool is_program(const char *word, size_t n, bool first)
{
    static const char *const names[] = {"/program.c", "/reduced.c"};
    bool known = first && n > 2 && strncmp(word + n - 2, ".c", 2) == 0;
    for (size_t i = 0; i < LENGTH(names) && !known; i++)
        known = n > strlen(names[i]) &&
                strncmp(word + n - strlen(names[i]), names[i], strlen(names[i])) == 0;
    return word[0] == '/' && known;
}

void report_put_said(const char *said, const char *as, struct text *out)
{
    static const char ends[] = " \t\n:,'\"`()";
    for (const char *p = said; *p;) {
        size_t n = strcspn(p, ends);
        if (is_program(p, n, p == said))
            text_puts(out, as);
        else
            text_add(out, p, n);
        p += n;
        n = strspn(p, ends);
        text_add(out, p, n);
        p += n;
    }
}

static void put_evidence(const struct finding_evidence *ev, struct text *out)
{
    text_printf(out, "\nEvidence (%s):\n", grade_name(ev->grade));
    for (size_t i = 0; i < RUNG_COUNT; i++) {
        const struct rung_result *r = &ev->rungs[i];
        if (r->state != RUNG_UNTRIED)
            text_printf(out, "  %-8s %s%s%s\n", rung_state_name(r->state), rung_name((enum rung)i),
                        *r->note ? ": " : "", r->note);
    }
}

static void put_accused(const struct finding *f, struct text *out)
{
    const struct finding_claim *c = &f->claim;
    text_printf(out, "Compiler:  %s\nCommand:   %s\nVersion:   %s\nLevels:    %s\n", c->compiler,
                f->again.command, c->version, *c->levels ? c->levels : "(none given)");
    if (*c->signature)
        text_printf(out, "Signature: %s\n", c->signature);
}

/* Others than its own, which stands in the command. */
static void put_affected(const struct list *affected, const char *own, struct text *out)
{
    bool told = false;
    for (size_t i = 0; i < affected->n; i++) {
        const char *config = affected->at[i];
        if (strcmp(config, own) == 0)
            continue;
        text_printf(out, "%s%s", told ? ", " : "Also with: ", config);
        told = true;
    }
    if (told)
        text_putc(out, '\n');
}

static void put_reduced(const struct finding_reduced *r, bool is_run, struct text *out)
{
    text_printf(out, "Reduced:   reduced.c, %llu lines%s", (unsigned long long)r->lines,
                r->complete ? "" : " so far");
    if (is_run)
        text_printf(out, "; expected: exit status %d%s", r->status,
                    r->expected.n ? " and reduced.txt" : "");
    text_putc(out, '\n');
}

static void put_happens(const struct finding_seen *seen, struct text *out)
{
    text_printf(out, "Happens:   %s%s", seen->end, *seen->message ? ": " : "");
    report_put_said(seen->message, "program.c", out);
    text_putc(out, '\n');
}

void report_text(const struct finding *f, struct text *out)
{
    const struct verdict_info *v = verdict_info(f->claim.verdict);
    text_printf(out, "Finding %llu: %s: %s\n\n", (unsigned long long)f->id, v->name, v->phrase);
    bool missed = f->claim.verdict == VERDICT_MISSED;
    bool compared = f->missed.identity && *f->missed.identity; /* its code is what happens */
    if (compared)
        text_printf(out, "%s\n\n", f->seen.message);
    put_accused(f, out);
    if (*f->blame.pass)
        text_printf(out, "%s   %s%s%s\n", missed ? "Pass:   " : "Culprit:", f->blame.pass,
                    *f->blame.detail ? ": " : "", f->blame.detail);
    if (f->blame.wrong && *f->blame.wrong)
        text_printf(out, "Begins at: %s\n", f->blame.wrong);
    text_printf(out, "Program:   program.c, from: %s\n", f->subject.origin);
    if (f->reduced.program.n)
        put_reduced(&f->reduced, v->subject == SUBJECT_RUN, out);
    if (f->subject.original.n)
        text_puts(out, missed ? "Twin:      original.c, which means the same; the difference: "
                                "variant.diff\n"
                              : "Made from: original.c; what was changed: variant.diff\n");
    if (v->subject == SUBJECT_RUN)
        text_printf(out, "Expected:  exit status %d and expected.txt\n", f->subject.status);
    if (!compared)
        put_happens(&f->seen, out);
    put_affected(&f->claim.affected, f->claim.config, out);
    missed_put_text(f, out);
    put_evidence(&f->evidence, out);
    text_puts(out, "\nShow it again: ./reproduce.sh\n");
}
