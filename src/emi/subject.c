/* A program: read, and run to find out what runs in it.  By the machine where that can, and then
 * twice: what does something else at another time, in another environment or at other addresses is
 * not the machine's to know. */
#include "emi/private.h"

#include "machine/machine.h"
#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const source_names[] = {
#define SOURCE(id, name, help) [EMI_##id] = name,
#include "emi/facts.def"
};

static const char *const refusal_phrases[] = {
#define REFUSAL(id, phrase) [EMI_##id] = phrase,
#include "emi/refusal.def"
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

const char *emi_refusal_phrase(enum emi_refusal r)
{
    return refusal_phrases[r];
}

enum emi_refusal emi_refusal_named(const char *phrase)
{
    size_t r = 0;
    while (r < EMI_REFUSAL_COUNT && strcmp(refusal_phrases[r], phrase) != 0)
        r++;
    return (enum emi_refusal)r;
}

/* ---- by the machine --------------------------------------------------------------------- */

/* The machine's share of the time that a run may take: about as long as half of it. */
static const double fuel_per_second = 1 << 25;

/* What came of running it: facts and behaviour, or why there are none. */
enum execution { RAN, REFUSED, CANNOT };

static bool refuse(struct emi_subject *s, enum emi_refusal why)
{
    s->refusal = why;
    return false;
}

static void add_facts(void *subject, const struct machine *m)
{
    struct emi_subject *s = subject;
    for (size_t i = 0; i < s->unit_count; i++)
        vary_facts_add_run(s->units[i].facts, s->units[i].program, m, (uint32_t)i);
}

/* What the compiler may choose anew in each variant.  So it is with what inline assembly meets:
 * what it touches without a word about it may be anything. */
static bool is_open(const struct machine_result *why)
{
    const struct node *n = why->place.node;
    return why->end == MACHINE_UNSPECIFIED ||
           (why->end == MACHINE_UNSUPPORTED && n && n->kind == NODE_ASM);
}

static enum execution refuse_execution(struct emi_subject *s, const struct machine_result *why,
                                       struct err *e)
{
    struct text words = {0};
    machine_explain(why, &words);
    bool open = is_open(why);
    if (why->end == MACHINE_UNDEFINED || open)
        fail(e, "%s is %s (%s): see cupel check", s->from.files[0],
             open ? "unspecified" : "undefined", text_str(&words));
    else
        fail(e, "%s", text_str(&words));
    text_free(&words);
    if (why->end != MACHINE_UNDEFINED && !open)
        return CANNOT;
    refuse(s, open ? EMI_UNSPECIFIED : EMI_UNDEFINED);
    return REFUSED;
}

static enum execution execute(struct emi_subject *s, const struct text *input, size_t index,
                              struct err *e)
{
    enum execution end = RAN;
    struct machine_unit *units = NEW_ARRAY(&s->arena, s->unit_count, struct machine_unit);
    for (size_t i = 0; i < s->unit_count; i++)
        units[i].program = s->units[i].program;
    struct machine_options options = {.fuel = (uint64_t)(s->from.run_timeout * fuel_per_second),
                                      .stop = sys_cancelled,
                                      .input = text_str(input),
                                      .input_size = input->n,
                                      .args = s->from.args,
                                      .name = "program",
                                      .values = true,
                                      .steady = true,
                                      .witness = add_facts,
                                      .witness_context = s};
    struct machine_execution x = machine_execute(units, s->unit_count, &options);
    s->shifting[index] = x.elsewhere && x.run->end == MACHINE_FINISHED &&
                         x.why->end == MACHINE_UNSUPPORTED;
    if (!x.defined) {
        end = refuse_execution(s, x.why, e);
    } else {
        text_add(&s->expected[index], text_str(&x.run->output), x.run->output.n);
        s->steps = x.run->steps > s->steps ? x.run->steps : s->steps;
        s->status[index] = x.run->status;
    }
    machine_execution_free(&x);
    return end;
}

static enum execution run_once(struct emi_subject *s, size_t index, struct err *e)
{
    struct text bytes = {0};
    const char *input = s->from.inputs ? s->from.inputs[index] : NULL;
    enum execution end = REFUSED;
    if (input && !sys_read_file(input, SYS_READ_ALL, &bytes, e))
        refuse(s, EMI_NO_INPUT);
    else
        end = execute(s, &bytes, index, e);
    text_free(&bytes);
    return end;
}

static void make_room(struct emi_subject *s)
{
    s->expected = NEW_ARRAY(&s->arena, s->run_count, struct text);
    s->status = NEW_ARRAY(&s->arena, s->run_count, int);
    s->shifting = NEW_ARRAY(&s->arena, s->run_count, bool);
}

static enum execution run_all(struct emi_subject *s, struct err *e)
{
    enum execution end = RAN;
    make_room(s);
    for (size_t i = 0; i < s->run_count && end == RAN; i++)
        end = run_once(s, i, e);
    return end;
}

static void forget_runs(struct emi_subject *s)
{
    for (size_t i = 0; s->expected && i < s->run_count; i++)
        text_free(&s->expected[i]);
    for (size_t i = 0; s->seen && i < s->run_count; i++)
        text_free(&s->seen[i]);
    s->expected = s->seen = NULL;
    s->status = s->seen_status = NULL;
}

static void clear_facts(struct emi_subject *s)
{
    for (size_t i = 0; i < s->unit_count; i++) {
        vary_facts_free(s->units[i].facts);
        s->units[i].facts = vary_facts_new(s->units[i].program);
    }
}

/* A library may have it: only the linker knows. */
static bool lacks_main(const struct emi_subject *s)
{
    for (size_t i = 0; i < s->unit_count; i++) {
        const struct list *functions = &s->units[i].program->functions;
        for (size_t k = 0; k < functions->n; k++) {
            const struct decl *d = ((const struct function *)functions->at[k])->decl;
            if (d->name && strcmp(d->name, "main") == 0)
                return false;
        }
    }
    return !s->from.libraries || !*s->from.libraries;
}

/* Facts, from where they are wanted; what the machine finds undefined is never varied. */
static bool find_facts(struct emi_subject *s, enum emi_source want, struct cc_lab *lab,
                       struct err *e)
{
    clear_facts(s);
    if (s->from.unexecuted) {
        make_room(s);
        s->source = EMI_MACHINE;
        return true;
    }
    if (lacks_main(s))
        return refuse(s, EMI_NOT_RUN) || fail(e, "there is no main in %s", s->from.files[0]);
    if (want == EMI_AUTO || want == EMI_MACHINE) {
        enum execution end = run_all(s, e);
        s->source = EMI_MACHINE;
        if (end != CANNOT)
            return end == RAN;
        refuse(s, EMI_NOT_RUN);
        if (want == EMI_MACHINE || s->from.emulated || !lab)
            return false;
        snprintf(s->why, sizeof s->why, "%s", e->msg);
        forget_runs(s);
        clear_facts(s);
        want = EMI_PROBES;
    }
    s->source = want;
    if (s->from.emulated)
        return refuse(s, EMI_NOT_RUN) ||
               fail(e, "coverage is collected on this machine only: use --facts machine");
    return emi_coverage(s, want, lab, e) || refuse(s, EMI_NOT_RUN);
}

/* ---- reading ---------------------------------------------------------------------------- */

static char *const *portable_flags(struct arena *a, char *const *flags)
{
    struct list all = {0};
    for (size_t i = 0; front_portable_flags[i]; i++)
        list_add(a, &all, (char *)front_portable_flags[i]);
    for (; flags && *flags; flags++)
        list_add(a, &all, *flags);
    list_add(a, &all, NULL);
    return (char **)all.at;
}

static bool read_unit(struct emi_subject *s, const char *file, struct err *e)
{
    const struct emi_program *from = &s->from;
    struct emi_unit *unit = &s->units[s->unit_count++];
    struct front_source source = {.path = file,
                                  .cc = from->cc,
                                  .flags = from->flags,
                                  .target = from->target,
                                  .cpu = from->compile_timeout};
    unit->file = file;
    if (!from->cc)
        source.flags = portable_flags(&s->arena, from->flags);
    if (!emi_parse(&source, from->whole, &unit->program, &s->refusal, e))
        return false;
    const struct decl *own = lang_redefined(unit->program);
    if (!own)
        return true;
    refuse(s, EMI_OWN_LIBRARY);
    return fail(e, "%s defines %s itself: compilers know it, and need not call it", file,
                own->name);
}

static bool read_units(struct emi_subject *s, struct err *e)
{
    size_t n = 0;
    while (s->from.files[n])
        n++;
    s->units = NEW_ARRAY(&s->arena, n, struct emi_unit);
    for (size_t i = 0; i < n; i++)
        if (!read_unit(s, s->from.files[i], e))
            return false;
    return true;
}

bool emi_subject_open(struct emi_subject *s, const struct emi_program *from, enum emi_source want,
                      struct cc_lab *lab, struct err *e)
{
    double start = sys_now();
    *s = (struct emi_subject){.from = *from, .run_count = 1};
    for (size_t i = 0; from->inputs && from->inputs[i]; i++)
        s->run_count = i + 1;
    if (!read_units(s, e))
        return false;
    s->parse_seconds = sys_now() - start;
    if (!find_facts(s, want, lab, e))
        return false;
    s->run_seconds = sys_now() - start - s->parse_seconds;
    for (size_t i = 0; i < s->unit_count; i++) {
        s->units[i].vary = vary_open(s->units[i].program, s->units[i].facts);
        s->units[i].splicer = lang_splicer_new(s->units[i].program);
    }
    s->refusal = EMI_NO_REFUSAL;
    return true;
}

void emi_subject_close(struct emi_subject *s)
{
    for (size_t i = 0; i < s->unit_count; i++) {
        struct emi_unit *unit = &s->units[i];
        vary_close(unit->vary);
        if (unit->splicer)
            lang_splicer_free(unit->splicer);
        vary_facts_free(unit->facts);
        lang_program_free(unit->program);
    }
    forget_runs(s);
    arena_free(&s->arena);
    *s = (struct emi_subject){0};
}

/* ---- variants --------------------------------------------------------------------------- */

uint64_t emi_variant_seed(uint64_t seed, size_t index)
{
    return hash_pair(seed, index);
}

/* In every other variant of a program of several units, one of them alone is varied. */
void emi_variant_texts(struct emi_subject *s, uint64_t seed, const struct vary_options *o,
                       struct text *out, uint32_t made[MUTATION_COUNT])
{
    struct rng root = rng_seed(seed), r = rng_fork(&root, "units");
    size_t only = rng_chance(&r, 50) ? rng_below(&r, s->unit_count) : s->unit_count;
    for (size_t i = 0; i < s->unit_count; i++) {
        struct emi_unit *unit = &s->units[i];
        struct vary_variant v = {0};
        if (s->unit_count == 1 || only == s->unit_count || only == i)
            v = vary_draw(unit->vary, i ? hash_pair(seed, i) : seed, o);
        for (unsigned m = 0; made && m < MUTATION_COUNT; m++)
            made[m] += v.made[m];
        lang_splicer_write(unit->splicer, v.edits, v.count, &out[i]);
        vary_forget(unit->vary);
    }
}

struct vary_summary emi_summary(const struct emi_subject *s)
{
    struct vary_summary all = {0};
    for (size_t i = 0; i < s->unit_count; i++) {
        struct vary_summary one = vary_summary(s->units[i].vary);
        all.statements += one.statements;
        all.dead += one.dead;
        all.functions += one.functions;
        all.uncalled += one.uncalled;
        all.one_way += one.one_way;
        all.known += one.known;
    }
    return all;
}

const struct target *emi_target_of(const struct cc_config *config)
{
    struct front_source source = {.cc = config->argv[0], .flags = config->argv + 1};
    return front_options_of(&source).target;
}

bool emi_reads_gnu(const char *command)
{
    enum cc_family family;
    return cc_family_of(command, &family) &&
           (family == CC_FAMILY_GCC || family == CC_FAMILY_CLANG || family == CC_FAMILY_ICX);
}
