/* Programs: from a strategy and a seed, a C file and what is known of it. */
#include "hunt/private.h"

#include "front/front.h"
#include "gen/gen.h"
#include "machine/machine.h"

#include <string.h>

#define STRATEGY(id, name, maker, ...) make_fn make_##maker;
#include "hunt/strategy.def"

/* ---- generated ----------------------------------------------------------------------- */

struct gen_options source_gen_options(const struct order *o, enum gen_mode mode)
{
    const struct gen_profile *profile = gen_profile_named(o->profile);
    struct gen_options options = gen_options_default();
    options.seed = o->seed;
    options.size = o->size;
    options.mode = mode;
    if (profile)
        gen_profile_apply(profile, &options.policy);
    options.features = o->lane->features &
                       ~(UINT64_C(1) << GEN_HAS_MACRO); /* it is read as it is printed */
    if (o->lane->target)
        options.target = o->lane->target;
    return options;
}

static void generate(const struct order *o, enum gen_mode mode, struct subject *out)
{
    struct gen_options options = source_gen_options(o, mode);
    struct generated g = gen_program(&options);
    gen_print(&g, &out->code);
    text_add(&out->expect, text_str(&g.expect), g.expect.n);
    text_puts(&out->origin, "cupel gen --again '");
    gen_seed_string(&options, &out->origin);
    text_puts(&out->origin, "'");
    gen_free(&g);
}

bool make_RUN(const struct order *o, struct subject *out, struct err *e)
{
    (void)e;
    generate(o, GEN_RUN, out);
    out->expectation.runs = out->expectation.valid = true;
    return true;
}

/* Nothing is known of these but that no compiler may fall over them. */
bool make_CRASH(const struct order *o, struct subject *out, struct err *e)
{
    (void)e;
    generate(o, GEN_CRASH, out);
    out->compile_only = true;
    return true;
}

/* ---- Csmith -------------------------------------------------------------------------- */

/* Most programs take Csmith a fraction of a second; some options send it round in circles. */
enum { CSMITH_SECONDS = 5, CSMITH_BYTES = 32 << 20, PREPROCESS_SECONDS = 20 };

static bool run_tool(const struct order *o, char *const *argv, struct text *output,
                     const char **why, struct err *e)
{
    struct arena a = {0};
    struct sys_result r;
    struct cc_lab *lab = o->source->lab;
    struct sys_job job = {
        .action = SYS_EXEC,
        .argv = argv,
        .env = sys_tool_env(&a, lab->dir),
        .dir = lab->dir,
        .rights = SYS_COMPILER,
        .limits = {.wall = 12 * CSMITH_SECONDS,
                   .by_cpu = true,
                   .cpu = CSMITH_SECONDS,
                   .output = CSMITH_BYTES},
    };
    bool ok = sys_run(lab->runner, &job, &r, e);
    if (ok && (r.end != SYS_EXITED || r.code != 0))
        *why = r.end == SYS_TIMEOUT ? "the tool does not end" : "the tool failed";
    if (ok)
        text_add(output, text_str(&r.out), r.out.n);
    sys_result_free(&r);
    sys_empty_folder(lab->dir);
    arena_free(&a);
    return ok;
}

bool source_reads_gnu(const struct order *o)
{
    for (size_t i = 0; i < o->lane->n; i++) {
        const char *family = o->source->plan->configs[o->lane->configs[i]].family;
        if (strcmp(family, cc_family_name(CC_FAMILY_GCC)) != 0 &&
            strcmp(family, cc_family_name(CC_FAMILY_CLANG)) != 0)
            return false;
    }
    return true;
}

void source_preprocess(const struct order *o, const char *path, const struct list *folders,
                       struct text *text, const char **why)
{
    const struct target *t = o->lane->target;
    struct arena a = {0};
    struct list flags = {0};
    for (size_t i = 0; front_portable_flags[i]; i++)
        list_add(&a, &flags, (char *)front_portable_flags[i]);
    list_add(&a, &flags, "-I/usr/include/csmith");
    for (size_t i = 0; folders && i < folders->n; i++)
        list_add(&a, &flags, arena_printf(&a, "-I%s", (char *)folders->at[i]));
    const char *given = folders ? o->source->plan->flags : NULL;
    for (char **word = given ? str_split_command(&a, given, NULL) : NULL; word && *word; word++)
        list_add(&a, &flags, *word);
    list_add(&a, &flags, t->char_signed ? "-fsigned-char" : "-funsigned-char");
    list_add(&a, &flags, t->pointer.size == 8 ? NULL : "-m32");
    list_add(&a, &flags, NULL);
    struct front_source source = {
        .path = path, .flags = (char **)flags.at, .timeout = PREPROCESS_SECONDS};
    if (!front_preprocess(&source, text, NULL))
        *why = "it cannot be preprocessed";
    arena_free(&a);
}

/* Executes the program; what it prints is what is expected of it. */
static void execute(struct program *p, struct subject *out)
{
    struct machine_unit unit = {.program = p};
    struct machine_options options = {
        .fuel = SOURCE_FUEL, .stack = SOURCE_STACK, .stop = sys_cancelled};
    struct machine_execution x = machine_execute(&unit, 1, &options);
    if (!x.defined) {
        undecided_take(out, x.why->end);
    } else {
        text_add(&out->expect, text_str(&x.run->output), x.run->output.n);
        /* it may use what a small compiler lacks: nobody has to accept it */
        out->expectation = (struct judge_expectation){.runs = true, .status = x.run->status};
    }
    machine_execution_free(&x);
}

bool source_shorten(const struct order *o, const char *path, struct text *text)
{
    struct front_options options = {.target = o->lane->target, .file = path};
    struct unit u = front_parse(text_str(text), text->n, &options);
    bool read = u.error_count == 0;
    if (read) {
        size_t n;
        const struct edit *edits = lang_minimal(u.program, &n);
        text_clear(text);
        lang_print(u.program, edits, n, text);
    }
    lang_program_free(u.program);
    return read;
}

void source_take_unread(const struct text *text, struct subject *out)
{
    text_add(&out->code, text_str(text), text->n);
    undecided_take(out, MACHINE_UNSUPPORTED);
    out->unread = true;
}

bool source_read(const struct order *o, const struct text *text, struct subject *out, struct err *e)
{
    struct text whole = {0};
    bool ok = sys_write_file(o->source->path, text_str(text), text->n, e);
    if (ok)
        source_preprocess(o, o->source->path, NULL, &whole, &out->skipped);
    if (ok && !out->skipped && source_shorten(o, o->source->path, &whole))
        text_add(&out->code, text_str(&whole), whole.n);
    else if (ok && !out->skipped)
        source_take_unread(&whole, out);
    text_free(&whole);
    return ok;
}

void source_execute(const struct order *o, struct subject *out)
{
    if (out->skipped || out->unread)
        return;
    struct front_options options = {.target = o->lane->target, .file = o->source->path};
    struct unit u = front_parse(text_str(&out->code), out->code.n, &options);
    if (u.error_count)
        fate_skip(out, FATE_UNMADE, "not read");
    else if (!o->source->plan->machine)
        undecided_take(out, MACHINE_UNSUPPORTED);
    else
        execute(u.program, out);
    lang_program_free(u.program);
}

static const struct {
    unsigned percent;
    const char *options;
} swarm[] = {
#define SWARM(percent, options) {percent, options},
#include "hunt/csmith.def"
};

/* One program in four has no option at all.  All strategies get the same programs in the same
 * order, so that what they make of them can be compared. */
static const char *csmith_command(struct arena *a, const struct order *o)
{
    struct rng campaign = rng_seed(o->source->plan->seed);
    struct rng root = rng_fork_at(&campaign, "csmith", o->number);
    struct rng plain = rng_fork(&root, "csmith.plain");
    const char *command = arena_printf(a, "csmith --seed %llu",
                                       (unsigned long long)(root.key & UINT32_MAX));
    bool is_plain = rng_chance(&plain, 25);
    for (size_t i = 0; i < LENGTH(swarm) && !is_plain; i++) {
        struct rng r = rng_fork_at(&root, "csmith.swarm", hash_string(swarm[i].options));
        if (rng_chance(&r, swarm[i].percent))
            command = arena_printf(a, "%s %s", command, swarm[i].options);
    }
    return command;
}

bool source_csmith(const struct order *o, struct subject *out, struct err *e)
{
    struct arena a = {0};
    struct text text = {0};
    const char *command = csmith_command(&a, o);
    char **words = str_split_command(&a, command, e);
    bool ok = words && run_tool(o, words, &text, &out->skipped, e);
    if (ok && !out->skipped)
        ok = source_read(o, &text, out, e);
    text_puts(&out->origin, command);
    text_free(&text);
    arena_free(&a);
    return ok;
}

bool make_CSMITH(const struct order *o, struct subject *out, struct err *e)
{
    bool ok = source_csmith(o, out, e);
    if (ok)
        source_execute(o, out);
    return ok;
}

/* ---- all ----------------------------------------------------------------------------- */

void subject_free(struct subject *s)
{
    text_free(&s->code);
    text_free(&s->expect);
    text_free(&s->origin);
    text_free(&s->original);
    text_free(&s->reason);
}
