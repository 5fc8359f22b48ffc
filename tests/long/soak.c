/* The long proof of the generator: programs from seeds FIRST to FIRST+COUNT-1 do under every
 * compiler, and under cupel's own machine, what was predicted.
 *
 *   soak COUNT FIRST DIR [SECONDS]
 *
 * Sizes and profiles are drawn as a hunt draws them: nearly all programs are small, half of them a
 * lot of one thing.  What is drawn anew for every program (policies, types, first values) is proved
 * by their number, and a small one costs a fifth of a plain one.
 *
 * Every program: the machine from its printed text, gcc -O0, clang -O0; every fourth also under
 * gcc and clang -O1 -mavx2; every fourth also as ilp32 under the machine and gcc -m32; every 32nd
 * under ASan, UBSan and MSan.  Ends after SECONDS, if they are given.  Of every fourth the
 * machine reads what gcc's preprocessor makes of it, of the others what is printed without macros.
 * Compilers stay loaded, objects are linked in memory, programs run in the sandbox.  What fails is
 * done again the plain way; what still fails is kept in DIR and named.  A compiler's crash is
 * named, too, and is no failure of ours.  Exit status: 0 all well, 1 something failed, 2 could not
 * do it. */
#include "base/base.h"
#include "cc/cc.h"
#include "front/front.h"
#include "gen/gen.h"
#include "machine/machine.h"
#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const config_texts[] = {
    "gcc -w -O0",
    "clang-19 -w -O0",
    "gcc -w -O0 -m32",
    "gcc -w -O1 -mavx2",
    "clang-19 -w -O1 -mavx2 -ffp-contract=off",
    "gcc -w -O1 -fsanitize=address,undefined -fno-sanitize-recover=all",
    "clang-19 -w -O1 -ffp-contract=off -fsanitize=address,undefined -fno-sanitize-recover=all",
    "clang-19 -w -O1 -ffp-contract=off -fsanitize=memory",
};
enum { GCC, CLANG, GCC_32, GCC_AVX, CLANG_AVX, SANITIZED, CONFIGS = LENGTH(config_texts) };
enum { EACH_32 = 4, EACH_AVX = 4, EACH_SANITIZED = 32, SAY_EACH = 100 };
static const double slowest = 1; /* second, without sanitizers */

struct soak {
    struct arena arena, once; /* once: for one program */
    struct cc_labs labs;
    struct cc_config configs[CONFIGS];
    const char *dir;
    uint64_t seed;
    unsigned long long programs, small, wide, sanitized, complaints, crashes, bytes;
    double longest;
};

/* ---- telling ---------------------------------------------------------------------------- */

static void keep(struct soak *s, const struct text *program)
{
    struct err e;
    const char *path = arena_printf(&s->once, "%s/%llu.c", s->dir, (unsigned long long)s->seed);
    if (!sys_write_file(path, program->s, program->n, &e))
        fprintf(stderr, "soak: %s\n", e.msg);
}

static void complain(struct soak *s, const struct text *program, const char *under,
                     const char *what)
{
    s->complaints++;
    printf("seed %llu: %s: %s\n", (unsigned long long)s->seed, under, what);
    fflush(stdout);
    keep(s, program);
}

/* ---- the machine ------------------------------------------------------------------------ */

/* One program. */
struct written {
    struct text program, expect;
    struct text plain; /* without macros */
};

/* What the machine is to read. */
static void preprocess(struct soak *s, const struct text *program, struct text *out)
{
    struct err e;
    const char *path = arena_printf(&s->once, "%s/m.c", s->labs.at[0].dir);
    struct front_source source = {.path = path};
    text_clear(out);
    if (!sys_write_file(path, program->s, program->n, &e) || !front_preprocess(&source, out, &e)) {
        fprintf(stderr, "soak: %s\n", e.msg);
        exit(2);
    }
}

static void run_machine(struct soak *s, const struct target *target, struct written *w)
{
    struct front_options fo = {.target = target};
    const struct text *program = &w->program, *expect = &w->expect;
    if (s->seed % EACH_32 == 0)
        preprocess(s, program, &w->plain);
    struct unit u = front_parse(text_str(&w->plain), w->plain.n, &fo);
    const char *under = arena_printf(&s->once, "the machine (%s)", target->name);
    if (u.error_count) {
        complain(s, program, under, "does not parse");
    } else {
        struct machine_unit unit = {u.program, NULL, 0};
        struct machine_execution x = machine_execute(&unit, 1, NULL);
        struct text why = {0};
        machine_explain(x.why, &why);
        if (!x.defined)
            complain(s, program, under, text_str(&why));
        else if (x.run->output.n != expect->n ||
                 memcmp(text_str(&x.run->output), expect->s, expect->n) != 0)
            complain(s, program, under, "another output");
        text_free(&why);
        machine_execution_free(&x);
    }
    lang_program_free(u.program);
}

/* ---- compilers -------------------------------------------------------------------------- */

static bool is_as_predicted(const struct outcome *o, const struct text *expect)
{
    const struct outcome_run *run = o->run_count ? &o->runs[0] : NULL;
    return run && run->end == SYS_EXITED && run->code == 0 && run->out_size == expect->n &&
           memcmp(run->out, expect->s, expect->n) == 0 && !*run->err;
}

static bool is_slow(const struct outcome *o, int which)
{
    return o->run_count && which < SANITIZED && o->runs[0].seconds > slowest;
}

static void try_config(struct soak *s, int which, const struct written *w)
{
    const struct text *program = &w->program, *expect = &w->expect;
    const struct cc_config *config = &s->configs[which];
    struct err e;
    char *path = arena_printf(&s->once, "%s/t.c", s->labs.at[0].dir);
    char *units[] = {path, NULL};
    struct cc_case c = cc_case_of(units);
    struct outcome o = {0};
    for (int again = 0; again < 2; again++, c.plain = true) {
        if (!sys_write_file(path, program->s, program->n, &e) ||
            !cc_try(&s->labs.at[0], config, &c, &s->once, &o, &e)) {
            fprintf(stderr, "soak: %s\n", e.msg);
            exit(2);
        }
        if (is_as_predicted(&o, expect) && !is_slow(&o, which))
            break;
    }
    if (outcome_info(o.kind)->weight == WEIGHT_FAULT) {
        s->crashes++;
        printf("seed %llu: %s: the compiler crashes: %s\n", (unsigned long long)s->seed,
               config->text, o.message);
        keep(s, program);
    } else if (!o.run_count) {
        complain(s, program, config->text, o.message);
    } else if (!is_as_predicted(&o, expect)) {
        complain(s, program, config->text, *o.runs[0].err ? o.runs[0].err : "another output");
    } else if (is_slow(&o, which)) { /* twice: once may be the machine's fault */
        complain(s, program, config->text, "takes more than a second");
    }
    if (o.run_count && which < SANITIZED && o.runs[0].seconds > s->longest)
        s->longest = o.runs[0].seconds;
}

/* ---- programs --------------------------------------------------------------------------- */

/* The shares are those that a hunt begins with (hunt/strategy.def). */
static const struct {
    unsigned share, least, most;
} sizes[] = {{60, 12, 60}, {8, 60, 150}, {2, 200, 400}};

static unsigned draw_size(struct rng *r)
{
    unsigned shares[LENGTH(sizes)];
    for (size_t i = 0; i < LENGTH(sizes); i++)
        shares[i] = sizes[i].share;
    size_t row = rng_weighted(r, shares, LENGTH(sizes));
    return (unsigned)rng_between(r, sizes[row].least, sizes[row].most);
}

static void write_program(const struct soak *s, const struct target *target, struct written *w)
{
    struct gen_options o = gen_options_default();
    struct rng stream = rng_seed(s->seed), r = rng_fork(&stream, "soak");
    o.seed = s->seed;
    o.target = target;
    o.size = draw_size(&r);
    if (rng_below(&r, 2))
        gen_profile_apply(&gen_profiles[rng_below(&r, gen_profile_count)], &o.policy);
    struct generated g = gen_program(&o);
    text_puts(&w->program, "/* cupel gen ");
    gen_seed_string(&o, &w->program);
    text_puts(&w->program, " */\n");
    gen_print(&g, &w->program);
    lang_print(g.program, NULL, 0, &w->plain);
    text_add(&w->expect, g.expect.s, g.expect.n);
    gen_free(&g);
}

static void written_free(struct written *w)
{
    text_free(&w->program);
    text_free(&w->expect);
    text_free(&w->plain);
}

static void try_seed(struct soak *s)
{
    struct written large = {0}, small = {0};
    const struct target *lp64 = lang_target(TARGET_LP64), *ilp32 = lang_target(TARGET_ILP32);
    write_program(s, lp64, &large);
    run_machine(s, lp64, &large);
    try_config(s, GCC, &large);
    try_config(s, CLANG, &large);
    s->programs++;
    s->bytes += large.program.n;
    bool sanitize = s->seed % EACH_SANITIZED == 0;
    for (int i = SANITIZED; sanitize && i < CONFIGS; i++)
        try_config(s, i, &large);
    s->sanitized += sanitize;
    if (s->seed % EACH_AVX == 1) {
        try_config(s, GCC_AVX, &large);
        try_config(s, CLANG_AVX, &large);
        s->wide++;
    }
    if (s->seed % EACH_32 == 0) {
        write_program(s, ilp32, &small);
        run_machine(s, ilp32, &small);
        try_config(s, GCC_32, &small);
        s->small++;
    }
    written_free(&large);
    written_free(&small);
    arena_reset(&s->once);
}

static void say(const struct soak *s, time_t start)
{
    printf("soak: %llu programs (%llu KB) in %lld s, %llu of them also as ilp32, %llu with -O1 -mavx2, "
           "%llu under sanitizers; longest run %.2f s; %llu compiler crashes; %llu complaints\n",
           s->programs, s->bytes / 1000, (long long)(time(NULL) - start), s->small, s->wide, s->sanitized,
           s->longest, s->crashes, s->complaints);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct soak s = {0};
    struct err e;
    uint64_t count, first, seconds = UINT32_MAX;
    time_t start = time(NULL);
    if (argc < 4 || argc > 5 || !str_parse_uint(argv[1], UINT64_MAX, &count, &e) ||
        !str_parse_uint(argv[2], UINT64_MAX, &first, &e) ||
        (argc == 5 && !str_parse_uint(argv[4], UINT32_MAX, &seconds, &e))) {
        fprintf(stderr, "usage: soak COUNT FIRST DIR [SECONDS]\n");
        return 2;
    }
    s.dir = argv[3];
    bool ok = sys_make_dirs(s.dir, &e);
    for (int i = 0; ok && i < CONFIGS; i++)
        ok = cc_config_parse(&s.arena, config_texts[i], NULL, &s.configs[i], &e);
    struct cc_lab_options labs = {.count = 1};
    labs.readable = ok ? cc_readable(&s.arena, s.configs, CONFIGS) : NULL;
    ok = ok && cc_labs_open(&s.labs, &labs, &e);
    if (!ok) {
        fprintf(stderr, "soak: %s\n", e.msg);
        return 2;
    }
    for (uint64_t i = 0; i < count && !sys_cancelled() && time(NULL) - start < (time_t)seconds;
         i++) {
        s.seed = first + i;
        try_seed(&s);
        if (s.programs % SAY_EACH == 0)
            say(&s, start);
    }
    say(&s, start);
    cc_labs_close(&s.labs);
    arena_free(&s.once);
    arena_free(&s.arena);
    return s.complaints ? 1 : 0;
}
