/* A finding as GCC's Bugzilla and LLVM's GitHub want it: title, what it is, the program, commands,
 * expected and actual, versions, the guilty pass, and why we believe it.  Says only what is known.
 */
#include "report/private.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef void title_fn(const struct report_subject *s, struct text *out);

/* ---- titles --------------------------------------------------------------------------- */

/* "gcc-12" to "12"; "" when the command has no number. */
static const char *number_of(const char *compiler)
{
    const char *p = compiler + strlen(compiler);
    while (p > compiler && isdigit((unsigned char)p[-1]))
        p--;
    return p;
}

static const char *flags_of(const struct finding *f)
{
    const char *flags = strchr(f->claim.config, ' ');
    return flags ? flags + 1 : "";
}

static const char *pass_of(const struct report_subject *s)
{
    return s->triage ? s->triage->blame.pass : s->finding->blame.pass;
}

/* The pass, where one could be named; else "". */
static const char *named_pass(const struct report_subject *s)
{
    const char *pass = pass_of(s);
    bool level = s->triage ? s->triage->blame.method == METHOD_LEVEL
                           : pass && str_has_prefix(pass, "-O");
    return pass && !level ? pass : "";
}

static const char *what_happens(const struct finding *f)
{
    static const struct {
        enum verdict verdict;
        const char *words;
    } rows[] = {{VERDICT_WRONG_CODE, "wrong code"},
                {VERDICT_PROGRAM_CRASH, "wrong code (crash at run time)"},
                {VERDICT_PROGRAM_HANG, "wrong code (endless loop)"},
                {VERDICT_COMPILER_CRASH, "ICE"},
                {VERDICT_MISSED, "missed optimization"}};
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (rows[i].verdict == f->claim.verdict)
            return rows[i].words;
    return verdict_info(f->claim.verdict)->phrase;
}

static void title_TEXT(const struct report_subject *s, struct text *out)
{
    const struct finding *f = s->finding;
    text_printf(out, "%s: %s", f->claim.config, what_happens(f));
    if (*f->claim.signature)
        text_printf(out, ": %s", f->claim.signature);
    else if (*named_pass(s))
        text_printf(out, " (%s)", named_pass(s));
}

static void title_GCC(const struct report_subject *s, struct text *out)
{
    const struct finding *f = s->finding;
    const struct triage_matrix *m = s->triage ? &s->triage->matrix : NULL;
    if (m && *m->last_good && *number_of(m->first_bad))
        text_printf(out, "[%s Regression] ", number_of(m->first_bad));
    text_printf(out, "%s at %s", what_happens(f), *flags_of(f) ? flags_of(f) : "-O0");
    if (*f->claim.signature)
        text_printf(out, ": %s", f->claim.signature);
}

/* ": f" of "crash; f; g; h". */
static void put_top_frame(const char *signature, struct text *out)
{
    const char *top = strstr(signature, "; ");
    top = top ? top + 2 : signature;
    if (*top)
        text_printf(out, ": %.*s", (int)strcspn(top, ";"), top);
}

static void title_LLVM(const struct report_subject *s, struct text *out)
{
    const struct finding *f = s->finding;
    const char *pass = named_pass(s), *stage = s->triage ? triage_stage_name(s->triage->stage) : "";
    bool crash = f->claim.verdict == VERDICT_COMPILER_CRASH;
    text_printf(out, "[%s] %s at %s", *pass ? pass : "clang",
                crash                                                    ? "Crash"
                : verdict_info(f->claim.verdict)->subject == SUBJECT_RUN ? "Miscompile"
                                                                         : what_happens(f),
                *flags_of(f) ? flags_of(f) : "-O0");
    if (s->triage && *s->triage->matrix.last_good)
        text_printf(out, " since %s", s->triage->matrix.first_bad);
    if (*stage)
        text_printf(out, ", in the %s", stage);
    if (crash)
        put_top_frame(f->claim.signature, out);
}

static const struct {
    const char *name;
    title_fn *title;
    const char *fence;
} trackers[TRACKER_COUNT] = {
#define TRACKER(id, name, title, fence) [TRACKER_##id] = {name, title_##title, fence},
#include "report/tracker.def"
};

enum report_tracker report_tracker_named(const char *name)
{
    size_t i = 0;
    while (i < TRACKER_COUNT && strcmp(trackers[i].name, name) != 0)
        i++;
    return (enum report_tracker)i;
}

/* ---- parts ---------------------------------------------------------------------------- */

struct writer {
    const struct report_subject *s;
    enum report_tracker tracker;
    struct text *out;
};

static void put_code(const struct writer *w, const char *language, const char *s, size_t n)
{
    const char *fence = trackers[w->tracker].fence;
    if (*fence)
        text_printf(w->out, "%s%s\n", fence, language);
    text_add(w->out, s, n);
    if (n && s[n - 1] != '\n')
        text_putc(w->out, '\n');
    if (*fence)
        text_printf(w->out, "%s\n", fence);
}

static void put_text(const struct writer *w, const char *s)
{
    put_code(w, "", s, strlen(s));
}

static const char *keyword_of(const struct finding *f)
{
    switch (verdict_info(f->claim.verdict)->subject) {
    case SUBJECT_RUN:
        return "wrong-code";
    case SUBJECT_VALID:
        return "rejects-valid";
    case SUBJECT_CODE:
        if (f->claim.verdict == VERDICT_MISSED)
            return "missed-optimization";
        return f->claim.verdict == VERDICT_COMPILER_CRASH ? "ice-on-valid-code"
                                                          : verdict_info(f->claim.verdict)->name;
    }
    BUG("verdict %d", (int)f->claim.verdict);
}

static struct bytes program_of(const struct finding *f)
{
    return f->reduced.program.n ? f->reduced.program : f->subject.program;
}

static void put_expectation(const struct writer *w)
{
    enum { MOST = 400 };
    const struct finding *f = w->s->finding;
    bool reduced = f->reduced.program.n;
    struct bytes wanted = reduced ? f->reduced.expected : f->subject.expected;
    if (verdict_info(f->claim.verdict)->subject == SUBJECT_RUN) {
        text_printf(w->out, "\nExpected: exit status %d%s\n",
                    reduced ? f->reduced.status : f->subject.status,
                    wanted.n ? ", and the output" : "");
        if (wanted.n)
            put_code(w, "", wanted.s, wanted.n < MOST ? wanted.n : MOST);
    }
    bool original = reduced && !f->reduced.seen.end;
    const struct finding_seen *seen = reduced && !original ? &f->reduced.seen : &f->seen;
    text_printf(w->out, "Actual%s: %s%s%s\n", original ? " (of the original program)" : "",
                seen->end, *seen->message ? ": " : "", seen->message);
    if (!original && seen->output.n)
        put_code(w, "", seen->output.s, seen->output.n < MOST ? seen->output.n : MOST);
}

/* What was not seen, the twin that means the same, and the code beside the better one's. */
static void put_missed(const struct writer *w)
{
    const struct finding *f = w->s->finding;
    struct text codes = {0};
    text_printf(w->out, "\nNot seen: %s\n", f->missed.identity);
    if (f->subject.original.n) {
        text_puts(w->out, "\nThis means the same, and gets better code:\n");
        put_code(w, "c", f->subject.original.s, f->subject.original.n);
    }
    text_printf(w->out, "\n%s\n", f->seen.message);
    missed_put_codes(f, &codes);
    put_code(w, "", text_str(&codes), codes.n);
    text_free(&codes);
    if (*f->blame.pass)
        text_printf(w->out, "\nThe pass %s: %s.\n", f->blame.pass, f->blame.detail);
}

static void put_commands(const struct writer *w)
{
    const struct finding *f = w->s->finding;
    struct text command = {0};
    bool runs = verdict_info(f->claim.verdict)->subject == SUBJECT_RUN;
    if (f->claim.verdict == VERDICT_MISSED)
        text_printf(&command, "$ %s -S t.c", f->claim.config);
    else
        text_printf(&command, "$ %s %st.c -o t%s", f->claim.config, runs ? "" : "-c ",
                    runs ? " && ./t" : ".o");
    text_puts(w->out, "\nTo show it:\n");
    put_text(w, text_str(&command));
    text_free(&command);
}

static void put_first(const struct writer *w, const struct triage_first *f)
{
    if (!*f->what)
        return;
    text_printf(w->out, "By probes, what goes wrong first: %s, line %u in %s: %s\n", f->what,
                f->line, f->function, f->source);
    if (*f->shape)
        text_printf(w->out, "That is: %s", f->shape);
    if (*f->shape && *f->expected)
        text_printf(w->out, "; expected %s, actual %s (hexadecimal)", f->expected, f->actual);
    if (*f->shape)
        text_putc(w->out, '\n');
}

static void put_triage(const struct writer *w)
{
    const struct triage_result *t = w->s->triage;
    struct text table = {0};
    if (!t)
        return;
    if (t->blame.method == METHOD_LEVEL)
        text_printf(w->out, "\nNo pass could be named; the lowest level that shows it: %s\n",
                    t->blame.pass);
    else if (*t->blame.pass)
        text_printf(w->out, "\nGuilty, by %s: %s%s%s%s\n", triage_method_name(t->blame.method),
                    t->blame.pass, *t->blame.detail ? " (" : "", t->blame.detail,
                    *t->blame.detail ? ")" : "");
    if (*t->blame.switches)
        text_printf(w->out, "It does not happen with: %s\n", t->blame.switches);
    if (*t->function.name)
        text_printf(w->out, "It does not happen when %s is compiled without optimisation.\n",
                    t->function.name);
    put_first(w, &t->first);
    if (t->stage != STAGE_NONE)
        text_printf(w->out, "The crash is in the %s.\n", triage_stage_name(t->stage));
    if (!t->matrix.n)
        return;
    text_puts(w->out, "\nVersions and levels (BAD: it happens, ok: it does not, ?: neither):\n");
    report_matrix(&t->matrix, &table);
    put_code(w, "", text_str(&table), table.n);
    text_free(&table);
}

static void put_compiler(const struct writer *w)
{
    const char *said = w->s->compiler_words;
    text_printf(w->out, "\nCompiler: %s\n", w->s->finding->claim.version);
    if (said && *said)
        put_text(w, said);
    if (w->tracker == TRACKER_GCC && (strstr(w->s->finding->claim.version, "(Debian") ||
                                      strstr(w->s->finding->claim.version, "Ubuntu")))
        text_puts(w->out, "This is a distribution's build; it was not checked against upstream.\n");
}

static void put_evidence(const struct writer *w)
{
    const struct finding_evidence *ev = &w->s->finding->evidence;
    text_printf(w->out, "\nWhy the program is not to blame (%s):\n", grade_name(ev->grade));
    for (size_t i = 0; i < RUNG_COUNT; i++)
        if (ev->rungs[i].state == RUNG_HOLDS || ev->rungs[i].state == RUNG_BROKEN)
            text_printf(w->out, "- %s: %s%s%s\n", rung_name((enum rung)i),
                        rung_state_name(ev->rungs[i].state), *ev->rungs[i].note ? ", " : "",
                        ev->rungs[i].note);
}

static void put_origin(const struct writer *w, const struct bytes *program)
{
    const struct finding *f = w->s->finding;
    struct text link = {0};
    if (report_explorer_link(f, program, &link))
        text_printf(w->out, "\nCompiler Explorer: %s\n", text_str(&link));
    text_printf(w->out, "\nFound by a random program generator (cupel %s); the original: %s\n",
                cupel_version, f->subject.origin);
    text_free(&link);
}

/* ---- all of it ------------------------------------------------------------------------ */

void report_for_tracker(enum report_tracker tracker, const struct report_subject *s,
                        struct text *out)
{
    struct writer w = {s, tracker, out};
    struct bytes program = program_of(s->finding);
    text_puts(out, "Title: ");
    trackers[tracker].title(s, out);
    text_printf(out, "\nKeywords: %s\n\n", keyword_of(s->finding));
    if (!s->finding->reduced.program.n)
        text_puts(out, "The program has not been reduced yet.\n");
    put_code(&w, "c", program.s, program.n);
    put_commands(&w);
    if (s->finding->claim.verdict == VERDICT_MISSED)
        put_missed(&w);
    else
        put_expectation(&w);
    put_triage(&w);
    put_evidence(&w);
    put_compiler(&w);
    put_origin(&w, &program);
}
