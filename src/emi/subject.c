/* Reading a program and finding out what runs in it. */
#include "emi/private.h"

#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const source_names[] = {
#define SOURCE(id, name, help) [EMI_##id] = name,
#include "emi/facts.def"
};

const char *emi_source_name(enum emi_source source)
{
    return source_names[source];
}

bool emi_source_parse(const char *name, enum emi_source *source, struct err *e)
{
    for (size_t i = 0; i < EMI_SOURCE_COUNT; i++)
        if (strcmp(name, source_names[i]) == 0) {
            *source = (enum emi_source)i;
            return true;
        }
    return fail(e, "facts come from auto, machine, probes, gcov or clang, not from '%s'", name);
}

/* ---- reading ---------------------------------------------------------------------------- */

static bool is_blank(const char *line, const char *end)
{
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    return line == end;
}

static bool is_line_marker(const char *line, const char *end)
{
    return end - line > 2 && line[0] == '#' && line[1] == ' ' && line[2] >= '0' && line[2] <= '9';
}

/* So many lines on, and without the flags that say where an include began and ended: some of
 * those are gone. */
static void put_marker(const char *line, unsigned long skipped, struct text *out)
{
    char *name;
    unsigned long number = strtoul(line + 2, &name, 10);
    const char *end = strchr(line, '\n'), *quote = end;
    while (quote > name && *quote != '"')
        quote--;
    text_printf(out, "# %lu", number + skipped);
    text_add(out, name, (size_t)(quote + 1 - name));
    text_puts(out, memchr(quote, '3', (size_t)(end - quote)) ? " 3\n" : "\n");
}

/* The text without line markers that nothing stands behind. */
static void without_empty_parts(const struct text *in, struct text *out)
{
    const char *stop = text_str(in) + in->n, *pending = NULL;
    unsigned long skipped = 0;
    for (const char *line = text_str(in); line < stop;) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        end = end ? end : stop;
        if (is_line_marker(line, end)) {
            pending = line;
            skipped = 0;
        } else if (!pending || !is_blank(line, end)) {
            if (pending)
                put_marker(pending, skipped, out);
            text_add(out, line, (size_t)(end - line));
            text_putc(out, '\n');
            pending = NULL;
        } else {
            skipped++;
        }
        line = end + 1;
    }
}

static bool parse(const struct front_source *source, const struct text *text,
                  struct program **program, struct err *e)
{
    struct front_options options = front_options_of(source);
    struct unit u = front_parse(text_str(text), text->n, &options);
    if (u.error_count) {
        const struct diagnostic *d = &u.errors[0];
        fail(e, "%s:%u:%u: cannot be read: %s", d->place.file, d->place.line, d->place.column,
             d->message);
        lang_program_free(u.program);
        return false;
    }
    *program = u.program;
    return true;
}

/* What headers declare in vain is left out: one compiler's headers are not always another's. */
static bool shorten(const struct front_source *source, struct program **program, struct err *e)
{
    struct text whole = {0}, text = {0};
    size_t n = 0;
    struct edit *edits = lang_minimal(*program, &n);
    struct program *shorter = NULL;
    lang_splice(*program, edits, n, &whole);
    without_empty_parts(&whole, &text);
    bool ok = parse(source, &text, &shorter, e);
    if (ok) {
        lang_program_free(*program);
        *program = shorter;
    }
    text_free(&whole);
    text_free(&text);
    return ok;
}

bool emi_parse(const struct front_source *source, bool whole, struct program **program,
               struct err *e)
{
    struct text text = {0};
    bool ok = front_preprocess(source, &text, e) && parse(source, &text, program, e);
    text_free(&text);
    if (!ok || whole || !(*program)->file)
        return ok;
    if (shorten(source, program, e))
        return true;
    lang_program_free(*program);
    *program = NULL;
    return false;
}

/* ---- by the machine --------------------------------------------------------------------- */

enum verdict { RAN, IS_UNDEFINED, CANNOT };

static enum verdict run_once(struct emi_subject *s, const char *input, size_t index, struct err *e)
{
    struct text bytes = {0};
    if (input && !sys_read_file(input, SYS_READ_ALL, &bytes, e)) {
        text_free(&bytes);
        return IS_UNDEFINED;
    }
    struct machine_unit unit = {.program = s->program};
    struct machine_options options = {.stop = sys_cancelled,
                                      .input = text_str(&bytes),
                                      .input_size = bytes.n,
                                      .args = s->from.args,
                                      .name = "program",
                                      .values = true};
    struct machine *m = machine_new(&unit, 1, &options);
    const struct machine_result *r = machine_run(m);
    struct machine_result order;
    enum verdict verdict = CANNOT;
    if (r->end == MACHINE_FINISHED && machine_order_matters(&unit, 1, &options, m, &order))
        r = &order;
    if (r->end == MACHINE_FINISHED) {
        vary_facts_add_run(s->facts, s->program, m, 0);
        text_add(&s->expected[index], text_str(&r->output), r->output.n);
        s->status[index] = r->status;
        s->steps = r->steps > s->steps ? r->steps : s->steps;
        verdict = RAN;
    } else if (r->end == MACHINE_UNDEFINED) {
        fail(e, "%s is undefined (%s: %s): see cupel check", s->from.file,
             machine_ub_info[r->ub].message, r->detail);
        verdict = IS_UNDEFINED;
    } else {
        fail(e, "%s", r->detail);
    }
    machine_free(m);
    text_free(&bytes);
    return verdict;
}

static enum verdict run_all(struct emi_subject *s, struct err *e)
{
    enum verdict verdict = RAN;
    s->expected = NEW_ARRAY(&s->facts->arena, s->run_count, struct text);
    s->status = NEW_ARRAY(&s->facts->arena, s->run_count, int);
    for (size_t i = 0; i < s->run_count && verdict == RAN; i++)
        verdict = run_once(s, s->from.inputs ? s->from.inputs[i] : NULL, i, e);
    return verdict;
}

static void forget_runs(struct emi_subject *s)
{
    for (size_t i = 0; s->expected && i < s->run_count; i++)
        text_free(&s->expected[i]);
    s->expected = NULL;
    s->status = NULL;
}

/* Facts, from where they are wanted; what the machine finds undefined is never varied. */
static bool find_facts(struct emi_subject *s, enum emi_source want, struct cc_lab *lab,
                       struct err *e)
{
    s->facts = vary_facts_new(s->program);
    if (want == EMI_AUTO || want == EMI_MACHINE) {
        enum verdict verdict = run_all(s, e);
        s->source = EMI_MACHINE;
        if (verdict == RAN || verdict == IS_UNDEFINED || want == EMI_MACHINE || !lab)
            return verdict == RAN;
        snprintf(s->why, sizeof s->why, "%s", e->msg);
        forget_runs(s);
        vary_facts_free(s->facts);
        s->facts = vary_facts_new(s->program);
        want = EMI_PROBES;
    }
    s->source = want;
    return emi_coverage(s, want, lab, e);
}

/* glibc's headers give gcc what no other compiler reads, but for a gcc as old as clang and others
 * say that they are. */
static char *const *portable_flags(struct arena *a, char *const *flags)
{
    static const char *const old[] = {"-U__GNUC__", "-D__GNUC__=4", "-U__GNUC_MINOR__",
                                      "-D__GNUC_MINOR__=2"};
    struct list all = {0};
    for (size_t i = 0; i < LENGTH(old); i++)
        list_add(a, &all, arena_string(a, old[i]));
    for (; flags && *flags; flags++)
        list_add(a, &all, *flags);
    list_add(a, &all, NULL);
    return (char **)all.at;
}

bool emi_subject_open(struct emi_subject *s, const struct emi_program *from, enum emi_source want,
                      struct cc_lab *lab, struct err *e)
{
    *s = (struct emi_subject){.from = *from, .run_count = 1};
    struct front_source source = {.path = from->file, .cc = from->cc, .flags = from->flags};
    double start = sys_now();
    for (size_t i = 0; from->inputs && from->inputs[i]; i++)
        s->run_count = i + 1;
    struct arena flags = {0};
    if (!from->cc)
        source.flags = portable_flags(&flags, from->flags);
    bool ok = emi_parse(&source, from->whole, &s->program, e);
    arena_free(&flags);
    if (!ok)
        return false;
    s->parse_seconds = sys_now() - start;
    const struct decl *own = vary_redefined(s->program);
    if (own)
        return fail(e, "%s defines %s itself: compilers know it, and need not call it", from->file,
                    own->name);
    if (!find_facts(s, want, lab, e))
        return false;
    s->run_seconds = sys_now() - start - s->parse_seconds;
    s->vary = vary_open(s->program, s->facts);
    s->splicer = lang_splicer_new(s->program);
    return true;
}

void emi_subject_close(struct emi_subject *s)
{
    vary_close(s->vary);
    if (s->splicer)
        lang_splicer_free(s->splicer);
    forget_runs(s);
    vary_facts_free(s->facts);
    lang_program_free(s->program);
    *s = (struct emi_subject){0};
}

/* ---- variants --------------------------------------------------------------------------- */

uint64_t emi_variant_seed(uint64_t seed, size_t index)
{
    return hash_pair(seed, index);
}

void emi_variant_text(struct emi_subject *s, uint64_t seed, const struct vary_options *o,
                      struct text *out, uint32_t made[MUTATION_COUNT])
{
    struct vary_variant v = vary_draw(s->vary, seed, o);
    for (unsigned i = 0; made && i < MUTATION_COUNT; i++)
        made[i] += v.made[i];
    lang_splicer_write(s->splicer, v.edits, v.count, out);
    vary_forget(s->vary);
}
