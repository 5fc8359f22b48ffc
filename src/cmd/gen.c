/* cupel gen: random programs whose behaviour is known. */
#include "cmd/cflags.h"
#include "cmd/cmd.h"

#include "front/front.h"
#include "gen/gen.h"
#include "real/real.h"
#include "sys/sys.h"

#include <malloc.h>
#include <string.h>

struct options {
    uint64_t seed, size, count;
    const char *output, *expect, *target, *mode, *policy, *again, *profile, *real;
    struct list flags; /* for the preprocessor: ours, and those of the command line */
    struct list for_, set;
    bool trace, split, dump, seed_string, stats, profiles;
};

/* ---- options ---------------------------------------------------------------------------- */

static bool read_policy(const struct options *o, struct gen_options *go, struct err *e)
{
    struct text text = {0};
    bool ok = !o->policy || (sys_read_file(o->policy, 1 << 20, &text, e) &&
                             gen_policy_read(&go->policy, text_str(&text), e));
    text_free(&text);
    for (size_t i = 0; ok && i < o->set.n; i++)
        ok = gen_policy_set(&go->policy, o->set.at[i], e);
    for (size_t i = 0; ok && i < o->for_.n; i++)
        ok = gen_features_for(o->for_.at[i], &go->features, e);
    if (o->for_.n > 1) /* what only one of them has is of no use */
        go->features &= gen_usual_features();
    return ok;
}

/* What the user has fixed by --set and --policy stays. */
static bool apply_profile(const struct options *o, struct gen_options *go, struct err *e)
{
    const struct gen_profile *p = o->profile ? gen_profile_named(o->profile) : NULL;
    if (o->profile && !p)
        return fail(e, "unknown profile '%s': cupel gen --profiles lists them", o->profile);
    if (p && !o->size)
        go->size = p->size;
    if (p)
        gen_profile_apply(p, &go->policy);
    return true;
}

static bool read_options(const struct options *o, struct gen_options *go, struct err *e)
{
    go->seed = o->seed;
    if (o->size > GEN_MOST_STATEMENTS)
        return fail(e, "--size %llu: at most %d statements", (unsigned long long)o->size,
                    GEN_MOST_STATEMENTS);
    if (o->size)
        go->size = (unsigned)o->size;
    go->stop = sys_cancelled;
    go->trace = o->trace;
    go->split = o->split;
    if (o->target && !(go->target = cmd_target(o->target, e)))
        return false;
    if (o->mode && strcmp(o->mode, "crash") != 0 && strcmp(o->mode, "run") != 0)
        return fail(e, "unknown mode '%s': run or crash", o->mode);
    if (o->mode && strcmp(o->mode, "crash") == 0)
        go->mode = GEN_CRASH;
    if (o->mode && go->mode == GEN_CRASH && o->expect)
        return fail(e, "--mode crash makes programs that are not to be run: leave out --expect");
    if (!read_policy(o, go, e) || !apply_profile(o, go, e))
        return false;
    return !o->again || gen_seed_parse(o->again, go, e);
}

/* ---- writing ---------------------------------------------------------------------------- */

static bool write_text(const char *path, const struct text *t, struct err *e)
{
    if (!path || strcmp(path, "-") == 0)
        return cmd_output(t) || fail(e, "cannot write to stdout");
    return sys_write_new_file(path, text_str(t), t->n, e);
}

/* STEM.c, STEM-main.c and STEM.h */
static bool write_split(const struct generated *g, const char *stem, struct err *e)
{
    struct gen_split parts = {0};
    struct arena a = {0};
    const char *header = arena_printf(&a, "%s.h", stem), *slash = strrchr(header, '/');
    gen_print_split(g, slash ? slash + 1 : header, &parts);
    bool ok = write_text(arena_printf(&a, "%s.c", stem), &parts.test, e) &&
              write_text(arena_printf(&a, "%s-main.c", stem), &parts.driver, e) &&
              write_text(header, &parts.header, e);
    text_free(&parts.test);
    text_free(&parts.driver);
    text_free(&parts.header);
    arena_free(&a);
    return ok;
}

static bool write_single(const struct gen_options *go, const struct generated *g, const char *path,
                         struct err *e)
{
    struct text out = {0};
    text_puts(&out, "/* cupel gen ");
    gen_seed_string(go, &out);
    text_puts(&out, " */\n");
    gen_print(g, &out);
    bool ok = write_text(path, &out, e);
    text_free(&out);
    return ok;
}

static void print_stats(const struct gen_options *go, const struct generated *g)
{
    const struct gen_counts *c = &g->counts;
    log_note("seed %llu: %u statements, %u of them dead, %u functions, %u repairs, %u guards, "
             "%llu steps",
             (unsigned long long)go->seed, c->statements + c->dead, c->dead, c->functions,
             c->repairs, c->guards, (unsigned long long)c->steps);
}

/* One program, to path and the expected output to expect, either of which may be NULL. */
static bool write_program(const struct options *o, const struct gen_options *go, const char *path,
                          const char *expect, struct err *e)
{
    struct generated g = gen_program(go);
    struct arena a = {0};
    bool ok;
    if (!g.program)
        return fail(e, "interrupted");
    if (o->split) {
        char *stem = arena_string(&a, path);
        if (str_has_suffix(stem, ".c"))
            stem[strlen(stem) - 2] = '\0';
        ok = write_split(&g, stem, e);
    } else {
        ok = write_single(go, &g, path, e);
    }
    if (ok && expect)
        ok = write_text(expect, &g.expect, e);
    if (o->stats)
        print_stats(go, &g);
    arena_free(&a);
    gen_free(&g);
    return ok;
}

/* A program that calls functions of a file of real code. */
static bool write_real(const struct options *o, const struct gen_options *go, struct err *e)
{
    struct front_source source = {.path = o->real, .flags = (char **)o->flags.at};
    struct text text = {0}, code = {0}, expect = {0};
    struct real_material m = {0};
    const char *why = NULL;
    bool ok = front_preprocess(&source, &text, e);
    if (ok)
        real_take(&text, go->target, go->seed, sys_cancelled, &m);
    if (ok && !m.n)
        ok = fail(e, "%s: no function in it can be called with what we can make", o->real);
    if (ok && !real_program(go, &m, &code, &expect, &why))
        ok = fail(e, "%s: %s", o->real, why);
    ok = ok && write_text(o->output, &code, e) && (!o->expect || write_text(o->expect, &expect, e));
    for (size_t i = 0; o->stats && i < m.n; i++)
        log_note("%s calls %s", m.functions[i].name, m.functions[i].of);
    real_free(&m);
    text_free(&text);
    text_free(&code);
    text_free(&expect);
    return ok;
}

/* DIR/SEED.c and DIR/SEED.expect, for count seeds. */
static bool write_many(const struct options *o, struct gen_options *go, struct err *e)
{
    struct arena a = {0};
    bool ok = sys_make_dirs(o->output, e);
    for (uint64_t i = 0; ok && i < o->count && !sys_cancelled(); i++) {
        unsigned long long seed = o->seed + i;
        go->seed = seed;
        const char *expect = arena_printf(&a, "%s/%llu.expect", o->output, seed);
        ok = write_program(o, go, arena_printf(&a, "%s/%llu.c", o->output, seed),
                           go->mode == GEN_CRASH ? NULL : expect, e);
        arena_reset(&a);
    }
    arena_free(&a);
    return ok;
}

static bool dump(const struct gen_options *go, bool seed_only, struct err *e)
{
    struct text out = {0};
    if (seed_only) {
        gen_seed_string(go, &out);
        text_putc(&out, '\n');
    } else {
        struct generated g = gen_program(go);
        gen_policy_dump(&g.policy, &out);
        gen_free(&g);
    }
    bool ok = !sys_cancelled() && write_text(NULL, &out, e);
    text_free(&out);
    return ok;
}

/* Every program takes a megabyte and gives it back: let malloc keep it in between. */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

static bool list_profiles(struct err *e)
{
    struct text out = {0};
    for (size_t i = 0; i < gen_profile_count; i++) {
        const struct gen_profile *p = &gen_profiles[i];
        text_printf(&out, "%-9s %s\n          --size %u %s\n", p->name, p->help, p->size,
                    p->policies);
    }
    bool ok = write_text(NULL, &out, e);
    text_free(&out);
    return ok;
}

static int run(struct options *o)
{
    keep_memory();
    struct gen_options go = gen_options_default();
    struct err e;
    bool ok = read_options(o, &go, &e);
    if (ok && (o->split || o->count) && (!o->output || strcmp(o->output, "-") == 0))
        return cmd_fail("--%s writes several files: name a place with -o",
                        o->split ? "split" : "count");
    if (ok && o->real && (o->count || o->split || go.mode == GEN_CRASH))
        return cmd_fail("--real goes with one program that is run: leave out --count, --split, "
                        "--mode crash");
    if (ok && o->profiles)
        ok = list_profiles(&e);
    else if (ok && (o->dump || o->seed_string))
        ok = dump(&go, o->seed_string, &e);
    else if (ok && o->real)
        ok = write_real(o, &go, &e);
    else if (ok && o->count)
        ok = write_many(o, &go, &e);
    else if (ok)
        ok = write_program(o, &go, o->output, o->expect, &e);
    if (ok)
        return EXIT_NOTHING_FOUND;
    return sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
}

/* What real code is preprocessed with: our flags, then the user's. */
static struct list real_flags(struct arena *a, const struct cflags *given)
{
    struct list flags = {0};
    for (size_t i = 0; front_portable_flags[i]; i++)
        list_add(a, &flags, (char *)front_portable_flags[i]);
    for (size_t i = 0; i < given->flags.n; i++)
        list_add(a, &flags, given->flags.at[i]);
    list_add(a, &flags, NULL);
    return flags;
}

int cmd_gen(int argc, char **argv)
{
    struct options o = {0};
    struct arena a = {0};
    struct list words = {0};
    struct cflags given = {0};
    const struct option_row rows[] = {
        {"--seed", "N", OPTION_SEED, &o.seed, "the program's number (default: 0)"},
        {"--size", "N", OPTION_COUNT, &o.size, "statements, about (default: 150)"},
        {"-o", "FILE", OPTION_STRING, &o.output, "write here (default: -, stdout)"},
        {"--expect", "FILE", OPTION_STRING, &o.expect, "write the program's output here"},
        {"--count", "N", OPTION_COUNT, &o.count,
         "programs SEED to SEED+N-1: SEED.c, SEED.expect in -o"},
        {"--target", "NAME", OPTION_STRING, &o.target, CMD_TARGET_HELP},
        {"--for", "NAME", OPTION_STRINGS, &o.for_,
         "what tcc, pcc, chibicc... can do; or no-FEATURE"},
        {"--mode", "MODE", OPTION_STRING, &o.mode, "run, or crash: to be compiled and not run"},
        {"--split", NULL, OPTION_FLAG, &o.split, "test, driver and header instead of one file"},
        {"--trace", NULL, OPTION_FLAG, &o.trace,
         "print what is assigned, to find the first wrong one"},
        {"--set", "KEY=N", OPTION_STRINGS, &o.set, "fix a policy"},
        {"--profile", "NAME", OPTION_STRING, &o.profile, "programs that are a lot of one thing"},
        {"--profiles", NULL, OPTION_FLAG, &o.profiles, "list the profiles"},
        {"--real", "FILE", OPTION_STRING, &o.real,
         "call functions of this C file, executed first (-I, -D as for a compiler)"},
        {"--policy", "FILE", OPTION_STRING, &o.policy, "fix the policies in FILE"},
        {"--dump-policy", NULL, OPTION_FLAG, &o.dump, "the policies of this seed's program"},
        {"--seed-string", NULL, OPTION_FLAG, &o.seed_string, "one line that gives this program"},
        {"--again", "LINE", OPTION_STRING, &o.again, "the program of a seed string"},
        {"--stats", NULL, OPTION_FLAG, &o.stats, "say on stderr what was made"},
    };
    struct usage u = {
        .synopsis = "cupel gen [options]",
        .description =
            "Writes a random C program that has no undefined behaviour, ends soon, and prints a\n"
            "checksum that is known beforehand.  The same seed gives the same bytes everywhere.\n\n"
            "  cupel gen --seed 7 -o t.c --expect t.out && cupel test t.c --expect t.out\n"
            "  cupel gen --count 100 -o DIR --for tcc --set share.volatile=50\n"
            "  cupel gen --real src/url.c -Iinclude -DNDEBUG -o t.c --expect t.out\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a,
    };
    int status = EXIT_CANNOT;
    cmd_take_cflags(&u, &argc, argv, &given);
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    o.flags = real_flags(&a, &given);
    if (parsed == PARSED_HELP)
        status = EXIT_NOTHING_FOUND;
    else if (parsed == PARSED && given.flags.n && !o.real)
        cmd_fail("'%s' is for the preprocessor: it goes with --real", (char *)given.flags.at[0]);
    else if (parsed == PARSED && words.n)
        cmd_fail("'%s' is not an option: see cupel gen --help", (char *)words.at[0]);
    else if (parsed == PARSED)
        status = run(&o);
    arena_free(&a);
    return status;
}
