/* A finding as GCC's Bugzilla and LLVM's GitHub want it: title, what it is, the program, commands,
 * expected and actual, versions, the guilty pass, and why we believe it.  Says only what is known.
 */
#include "report/private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The lowest level at which the matrix has it; "" when that is not known. */
static const char *lowest_level(const struct report_subject *s)
{
    const struct triage_matrix *m = s->triage ? &s->triage->matrix : NULL;
    for (size_t i = 0; m && i < m->n; i++) {
        const struct triage_row *r = &m->rows[i];
        for (size_t k = 0; k < r->n && strcmp(r->compiler, s->finding->claim.compiler) == 0; k++)
            if (r->cells[k].state == TRIAGE_SHOWN && !r->cells[k].narrow)
                return r->cells[k].level;
    }
    return "";
}

/* The flags with which it was found, at the lowest level that shows it. */
static void put_flags(const struct report_subject *s, struct text *out)
{
    const char *level = lowest_level(s);
    const char *p = s->finding->claim.config + strcspn(s->finding->claim.config, " ");
    size_t before = out->n;
    text_puts(out, level);
    while (*(p += strspn(p, " "))) {
        size_t n = strcspn(p, " ");
        if (!*level || !str_has_prefix(p, "-O"))
            text_printf(out, "%s%.*s", out->n > before ? " " : "", (int)n, p);
        p += n;
    }
    if (out->n == before)
        text_puts(out, "-O0");
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

/* The same, or else what goes wrong first. */
static const char *culprit_of(const struct report_subject *s)
{
    const char *culprit = s->triage ? triage_culprit(s->triage) : "";
    return *named_pass(s) || str_has_prefix(culprit, "-O") ? named_pass(s) : culprit;
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
                {VERDICT_COMPILER_HANG, "endless compilation"},
                {VERDICT_SLOW_COMPILE, "compile time hog"},
                {VERDICT_LARGE_COMPILE, "memory hog"},
                {VERDICT_REJECTS_VALID, "valid code rejected"},
                {VERDICT_UNSTABLE_CODE, "code that is not the same each time"},
                {VERDICT_DEBUG_CODE, "code differs with -g"},
                {VERDICT_SANITIZER_REPORT, "false positive of a sanitizer"},
                {VERDICT_SANITIZER_SILENT, "false negative of a sanitizer"},
                {VERDICT_LOST_CALL, "wrong code (a call is lost)"},
                {VERDICT_INITIAL_CODE, "wrong code (the initial value of a volatile object)"},
                {VERDICT_MISSED, "missed optimization"}};
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (rows[i].verdict == f->claim.verdict)
            return rows[i].words;
    return judge_is_about_volatiles(f->claim.verdict) ? "wrong volatile accesses"
                                                      : verdict_info(f->claim.verdict)->phrase;
}

static void title_TEXT(const struct report_subject *s, struct text *out)
{
    const struct finding *f = s->finding;
    text_printf(out, "%.*s", (int)strcspn(f->claim.config, " "), f->claim.config);
    if (strchr(f->claim.config, ' ')) {
        text_putc(out, ' ');
        put_flags(s, out);
    }
    text_printf(out, ": %s", what_happens(f));
    if (*f->claim.signature)
        text_printf(out, ": %s", f->claim.signature);
    else if (*culprit_of(s))
        text_printf(out, ": %s", culprit_of(s));
}

/* An older version of the accused's family made better code. */
static bool was_better_once(const struct finding *f)
{
    const char *better = f->missed.better ? f->missed.better : "", *accused = f->claim.compiler;
    size_t n = strcspn(better, " ");
    const char *own = number_of(accused);
    size_t stem = (size_t)(own - accused);
    return f->claim.verdict == VERDICT_MISSED && *own && n > stem &&
           strncmp(better, accused, stem) == 0 && isdigit((unsigned char)better[stem]) &&
           strtoul(better + stem, NULL, 10) < strtoul(own, NULL, 10);
}

/* "11/12" of the versions of the family that show it. */
static void put_bad_numbers(const struct triage_matrix *m, struct text *out)
{
    size_t before = out->n;
    for (size_t i = 0; i < m->n; i++)
        if (!m->rows[i].other && m->rows[i].shown && *number_of(m->rows[i].compiler))
            text_printf(out, "%s%s", out->n > before ? "/" : "", number_of(m->rows[i].compiler));
    if (out->n == before)
        text_puts(out, number_of(m->first_bad));
}

static void title_GCC(const struct report_subject *s, struct text *out)
{
    const struct finding *f = s->finding;
    const struct triage_matrix *m = s->triage ? &s->triage->matrix : NULL;
    if (m && *m->last_good && *number_of(m->first_bad)) {
        text_putc(out, '[');
        put_bad_numbers(m, out);
        text_puts(out, " Regression] ");
    } else if (was_better_once(f)) {
        text_printf(out, "[%s Regression] ", number_of(f->claim.compiler));
    }
    text_printf(out, "%s at ", what_happens(f));
    put_flags(s, out);
    if (*f->claim.signature)
        text_printf(out, ": %s", f->claim.signature);
}

/* ": f" of "crash; f; g; h", and what was said of what has words. */
static void put_top_frame(const char *signature, struct text *out)
{
    static const char wordless[] = "crash; ";
    const char *top = signature;
    if (str_has_prefix(top, wordless))
        top += strlen(wordless);
    if (*top)
        text_printf(out, ": %.*s", (int)strcspn(top, ";"), top);
}

/* What a miscompilation is called there; "" for other things. */
static const char *miscompile_of(enum verdict v)
{
    bool behaves = v == VERDICT_WRONG_CODE || v == VERDICT_PROGRAM_CRASH ||
                   v == VERDICT_PROGRAM_HANG;
    return behaves ? "Miscompile" : v == VERDICT_COMPILER_CRASH ? "Crash" : "";
}

/* Which part of the compiler: a pass without which it does not crash may only make room for what
 * the back end does not know. */
static const char *part_of(const struct report_subject *s)
{
    const char *pass = named_pass(s);
    enum triage_stage stage = s->triage ? s->triage->stage : STAGE_NONE;
    bool elsewhere = stage == STAGE_FRONT || stage == STAGE_BACK;
    return elsewhere ? triage_stage_name(stage) : *pass ? pass : "clang";
}

static void title_LLVM(const struct report_subject *s, struct text *out)
{
    const struct finding *f = s->finding;
    const char *word = miscompile_of(f->claim.verdict);
    text_printf(out, "[%s] %s at ", part_of(s), *word ? word : what_happens(f));
    put_flags(s, out);
    if (s->triage && *s->triage->matrix.last_good)
        text_printf(out, " since %s", s->triage->matrix.first_bad);
    if (f->claim.verdict == VERDICT_COMPILER_CRASH)
        put_top_frame(f->claim.signature, out);
}

static const struct {
    const char *name;
    title_fn *title;
    const char *fence, *family;
} trackers[TRACKER_COUNT] = {
#define TRACKER(id, name, title, fence, family) \
    [TRACKER_##id] = {name, title_##title, fence, family},
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

/* By what each tracker sorts; the verdict's own name where it has no word for that. */
static const char *keyword_of(const struct finding *f, enum report_tracker tracker)
{
    static const struct {
        enum verdict verdict;
        const char *gcc, *llvm;
    } rows[] = {{VERDICT_COMPILER_CRASH, "ice-on-valid-code", "crash-on-valid"},
                {VERDICT_COMPILER_HANG, "compile-time-hog", "hang"},
                {VERDICT_SLOW_COMPILE, "compile-time-hog", "slow-compile"},
                {VERDICT_LARGE_COMPILE, "memory-hog", "slow-compile"},
                {VERDICT_DEBUG_CODE, "compare-debug-failure", "debuginfo"},
                {VERDICT_SANITIZER_REPORT, "wrong-code; component sanitizer", "false-positive"},
                {VERDICT_SANITIZER_SILENT, "diagnostic; component sanitizer", "false-negative"},
                {VERDICT_LOST_CALL, "wrong-code", "miscompilation"},
                {VERDICT_INITIAL_CODE, "wrong-code", "miscompilation"},
                {VERDICT_MISSED, "missed-optimization", "missed-optimization"}};
    const struct verdict_info *v = verdict_info(f->claim.verdict);
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (rows[i].verdict == f->claim.verdict)
            return tracker == TRACKER_LLVM ? rows[i].llvm : rows[i].gcc;
    if (v->subject == SUBJECT_RUN)
        return tracker == TRACKER_LLVM ? "miscompilation" : "wrong-code";
    return v->name;
}

static struct bytes program_of(const struct finding *f)
{
    return f->reduced.program.n ? f->reduced.program : f->subject.program;
}

/* What one has to type, where that is not compiling and running the program, and what is wrong
 * where its output does not say it.  CC stands for the configuration. */
static const struct show {
    enum verdict verdict;
    const char *command, *expected, *actual; /* NULL: as for any program, or as it was seen */
} shows[] = {
    {VERDICT_DEBUG_CODE, "CC -c t.c -o t.o && CC -g -c t.c -o g.o && objdump -d t.o g.o",
     "the same code with -g", "other code"},
    {VERDICT_UNSTABLE_CODE, "CC -c t.c -o 1.o && CC -c t.c -o 2.o && cmp 1.o 2.o",
     "the same object each time", "another one"},
    {VERDICT_SLOW_COMPILE, "time CC -c t.c -o t.o", "about the time of other levels", NULL},
    {VERDICT_LARGE_COMPILE, "/usr/bin/time -v CC -c t.c -o t.o", "about the memory of other levels",
     NULL},
    {VERDICT_COMPILER_HANG, "CC -c t.c -o t.o", "an end", NULL},
    {VERDICT_LOST_CALL, "CC -S t.c", "the call in the code", "none"},
    {VERDICT_INITIAL_CODE, "CC -c t.c -o 1.o && CC -DOTHER -c t.c -o 2.o && objdump -d 1.o 2.o",
     "the same code for other initial values of volatile objects", "other code"},
    {VERDICT_MISSED, "CC -S t.c", NULL, NULL},
    {VERDICT_SANITIZER_SILENT, NULL, "a report", "none"},
};

/* Of what accesses volatile objects wrongly the code is looked at. */
static struct show show_of(const struct finding *f)
{
    for (size_t i = 0; i < LENGTH(shows); i++)
        if (shows[i].verdict == f->claim.verdict)
            return shows[i];
    bool accesses = judge_is_about_volatiles(f->claim.verdict);
    return (struct show){f->claim.verdict, accesses ? "CC -S t.c" : NULL,
                         accesses ? "the accesses that the program makes" : NULL, NULL};
}

static void put_wanted(const struct writer *w)
{
    enum { MOST = 400 };
    const struct finding *f = w->s->finding;
    bool reduced = f->reduced.program.n;
    struct bytes wanted = reduced ? f->reduced.expected : f->subject.expected;
    text_printf(w->out, "\nExpected: exit status %d%s\n",
                reduced ? f->reduced.status : f->subject.status,
                wanted.n ? ", and the output" : "");
    if (wanted.n)
        put_code(w, "", wanted.s, wanted.n < MOST ? wanted.n : MOST);
}

/* What was seen of the program that is shown, or else of the original. */
static void put_seen(const struct writer *w, bool output)
{
    enum { MOST = 400 };
    const struct finding *f = w->s->finding;
    bool reduced = f->reduced.program.n, original = reduced && !f->reduced.seen.end;
    const struct finding_seen *seen = reduced && !original ? &f->reduced.seen : &f->seen;
    bool said = *seen->message;
    text_printf(w->out, "Actual%s: %s%s", original ? " (of the original program)" : "",
                output || !said ? seen->end : "", output && said ? ": " : "");
    report_put_said(seen->message, "t.c", w->out);
    text_putc(w->out, '\n');
    if (output && !original && seen->output.n)
        put_code(w, "", seen->output.s, seen->output.n < MOST ? seen->output.n : MOST);
}

static void put_expectation(const struct writer *w)
{
    const struct finding *f = w->s->finding;
    struct show show = show_of(f);
    bool undefined = f->subject.undefined && *f->subject.undefined;
    if (show.expected)
        text_printf(w->out, "\nExpected: %s%s%s\n", show.expected, undefined ? " of: " : "",
                    undefined ? f->subject.undefined : "");
    else if (verdict_info(f->claim.verdict)->subject == SUBJECT_RUN)
        put_wanted(w);
    if (show.actual)
        text_printf(w->out, "Actual: %s\n", show.actual);
    else
        put_seen(w, !show.expected);
}

/* The versions of the family that have it, or have it not. */
static void put_versions(const struct writer *w, const char *label, bool shown)
{
    const struct triage_matrix *m = &w->s->triage->matrix;
    bool any = false;
    for (size_t i = 0; i < m->n; i++) {
        const struct triage_row *r = &m->rows[i];
        if (r->other || !r->told || r->shown != shown)
            continue;
        text_printf(w->out, "%s%s", any ? ", " : label, *r->version ? r->version : r->compiler);
        any = true;
    }
    if (any)
        text_putc(w->out, '\n');
}

/* Fields of GCC's Bugzilla. */
static void put_known(const struct writer *w)
{
    if (w->tracker != TRACKER_GCC || !w->s->triage)
        return;
    put_versions(w, "Known to work: ", false);
    put_versions(w, "Known to fail: ", true);
}

/* What the strategy missed compared, beside each other; nothing of other findings. */
static void put_codes(const struct writer *w)
{
    struct text codes = {0};
    missed_put_codes(w->s->finding, &codes);
    if (codes.n) {
        text_putc(w->out, '\n');
        put_code(w, "", text_str(&codes), codes.n);
    }
    text_free(&codes);
}

/* What was not seen, the twin that means the same, and the code beside the better one's. */
static void put_missed(const struct writer *w)
{
    const struct finding *f = w->s->finding;
    text_printf(w->out, "\nNot seen: %s\n", f->missed.identity);
    if (f->subject.original.n) {
        text_puts(w->out, "\nThis means the same, and gets better code:\n");
        put_code(w, "c", f->subject.original.s, f->subject.original.n);
    }
    put_codes(w);
    if (*f->blame.pass)
        text_printf(w->out, "\nThe pass %s: %s.\n", f->blame.pass, f->blame.detail);
}

static void put_commands(const struct writer *w)
{
    const struct finding *f = w->s->finding;
    const char *command = show_of(f).command;
    struct text line = {0};
    bool runs = verdict_info(f->claim.verdict)->subject == SUBJECT_RUN;
    if (!command)
        command = runs ? "CC t.c -o t && ./t" : "CC -c t.c -o t.o";
    text_puts(&line, "$ ");
    for (const char *p = command; *p; p++) {
        bool cc = str_has_prefix(p, "CC ");
        text_add(&line, cc ? f->claim.config : p, cc ? strlen(f->claim.config) : 1);
        p += cc;
    }
    text_puts(w->out, "\nTo show it:\n");
    put_text(w, text_str(&line));
    text_free(&line);
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

/* A crash elsewhere than in the pass without which it does not happen. */
static bool only_makes_room(const struct report_subject *s)
{
    struct arena a = {0};
    const struct triage_result *t = s->triage;
    bool elsewhere = (t->stage == STAGE_FRONT || t->stage == STAGE_BACK) &&
                     !triage_crash_is_in(&a, s->finding->claim.signature, t->blame.pass);
    arena_free(&a);
    return elsewhere;
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
        text_printf(w->out, "\n%s, by %s: %s%s%s%s\n",
                    only_makes_room(w->s) ? "Makes room for it" : "Guilty",
                    triage_method_name(t->blame.method), t->blame.pass,
                    *t->blame.detail ? " (" : "", t->blame.detail, *t->blame.detail ? ")" : "");
    if (*t->blame.switches)
        text_printf(w->out, "It does not happen with: %s\n", t->blame.switches);
    if (*t->function.name)
        text_printf(w->out, "It does not happen when %s is compiled without optimisation.\n",
                    t->function.name);
    put_first(w, &t->first);
    if (t->features && *t->features)
        text_printf(w->out, "What is uncommon: a %s.\n", t->features);
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
    const struct finding_reduced *reduced = &w->s->finding->reduced;
    text_printf(w->out, "\nWhy the program is not to blame (%s%s%s%s):\n", grade_name(ev->grade),
                reduced->program.n ? ", as tried with the original" : "",
                reduced->program.n && reduced->complete ? "; this reduction of it: " : "",
                reduced->program.n && reduced->complete ? grade_name(reduced->grade) : "");
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
        text_printf(w->out, "\nCompiler Explorer, %s\n", text_str(&link));
    text_printf(w->out, "\nFound by a random program generator (cupel %s); the original: %s\n",
                cupel_version, f->subject.origin);
    text_free(&link);
}

/* ---- all of it ------------------------------------------------------------------------ */

bool report_is_meant(enum report_tracker tracker, const struct finding *f)
{
    const char *family = trackers[tracker].family;
    bool others = false; /* a command of no known name may be anybody's */
    for (size_t i = 0; i < LENGTH(trackers); i++)
        others |= *trackers[i].family && strcmp(trackers[i].family, f->claim.family) == 0;
    return !*family || !others || strcmp(family, f->claim.family) == 0;
}

void report_for_tracker(enum report_tracker tracker, const struct report_subject *s,
                        struct text *out)
{
    struct writer w = {s, tracker, out};
    struct bytes program = program_of(s->finding);
    text_puts(out, "Title: ");
    trackers[tracker].title(s, out);
    text_printf(out, "\nKind: %s\nKeywords: %s\n", verdict_info(s->finding->claim.verdict)->phrase,
                keyword_of(s->finding, tracker));
    put_known(&w);
    text_putc(out, '\n');
    if (s->finding->claim.verdict == VERDICT_MISSED)
        text_printf(out, "%s\n\n", s->finding->seen.message);
    if (!s->finding->reduced.program.n)
        text_puts(out, "The program has not been reduced yet.\n");
    put_code(&w, "c", program.s, program.n);
    put_commands(&w);
    if (s->finding->claim.verdict == VERDICT_MISSED)
        put_missed(&w);
    else {
        put_expectation(&w);
        put_codes(&w);
    }
    put_triage(&w);
    put_evidence(&w);
    put_compiler(&w);
    put_origin(&w, &program);
}
