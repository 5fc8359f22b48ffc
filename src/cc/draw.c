/* Configurations by chance: a level and flags, in a number that the class says.  Takes a compiler
 * and what it accepts (its pool), yields a command.  Never draws what changes the meaning of a
 * program: flag.def has nothing of the kind, and never.def keeps it out of what gcc lists. */
#include "cc/probe.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the host can run ------------------------------------------------------------ */

#if defined __x86_64__ || defined __i386__
#define HAS(feature) (__builtin_cpu_supports(feature) != 0)
#define IS_X86       true
#else
#define HAS(feature) false
#define IS_X86       false
#endif

/* Can what the base makes use it? */
typedef bool cpu_fn(const struct cc_config *base);

static bool cpu_ANY(const struct cc_config *base)
{
    (void)base;
    return true;
}

static bool cpu_HOST(const struct cc_config *base)
{
    return !base->emulator[0];
}

static bool cpu_X86(const struct cc_config *base)
{
    return IS_X86 && cpu_HOST(base);
}

static bool cpu_SSE42(const struct cc_config *base)
{
    return cpu_X86(base) && HAS("sse4.2") && HAS("popcnt");
}

static bool cpu_V2(const struct cc_config *base)
{
    return cpu_SSE42(base) && HAS("ssse3");
}

static bool cpu_AVX(const struct cc_config *base)
{
    return cpu_X86(base) && HAS("avx");
}

static bool cpu_AVX2(const struct cc_config *base)
{
    return cpu_X86(base) && HAS("avx2");
}

static bool cpu_V3(const struct cc_config *base)
{
    return cpu_AVX2(base) && HAS("bmi") && HAS("bmi2") && HAS("fma");
}

static bool cpu_V4(const struct cc_config *base)
{
    return cpu_V3(base) && HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") &&
           HAS("avx512dq") && HAS("avx512vl");
}

/* Other machines, as emulators have them. */
#define MACHINE(id, start)                                                          \
    static bool cpu_##id(const struct cc_config *base)                              \
    {                                                                               \
        return base->emulator[0] && str_has_prefix(cc_config_machine(base), start); \
    }
MACHINE(AARCH64, "aarch64-")
MACHINE(ARM, "arm-")
MACHINE(POWER, "powerpc64le-")
MACHINE(RISCV, "riscv64-")
MACHINE(S390X, "s390x-")

/* ---- the tables ----------------------------------------------------------------------- */

static const struct {
    enum cc_family family;
    cpu_fn *cpu;
    struct cc_flag flag;
} rows[] = {
#define FLAG(family, kind, cpu, weight, text) \
    {CC_FAMILY_##family, cpu_##cpu, {CC_FLAG_##kind, weight, text, 0, 0}},
#include "cc/flag.def"
};

static const char *const nevers[] = {
#define NEVER(text, why) text,
#include "cc/never.def"
};

struct range {
    unsigned least, most;
};

enum use { USE_RUN, USE_COMPILE };

static const struct {
    const char *name, *what;
    double prior;
    enum use use;
    unsigned top;
    struct range count[CC_FLAG_KINDS];
} classes[CC_CLASS_COUNT] = {
#define CLASS(id, name, prior, use, top, a0, a1, m0, m1, t0, t1, v0, v1, x0, x1, n0, n1, what) \
    [CC_CLASS_##id] = {name,                                                                   \
                       what,                                                                   \
                       prior,                                                                  \
                       USE_##use,                                                              \
                       top,                                                                    \
                       {[CC_FLAG_LEVEL] = {1, 1},                                              \
                        [CC_FLAG_ARCH] = {a0, a1},                                             \
                        [CC_FLAG_MODE] = {m0, m1},                                             \
                        [CC_FLAG_TOGGLE] = {t0, t1},                                           \
                        [CC_FLAG_VALUE] = {v0, v1},                                            \
                        [CC_FLAG_TARGET] = {x0, x1},                                           \
                        [CC_FLAG_NARROW] = {n0, n1}}},
#include "cc/class.def"
};

const char *cc_class_name(enum cc_class class)
{
    return classes[class].name;
}

enum cc_class cc_class_named(const char *name)
{
    size_t i = 0;
    while (i < CC_CLASS_COUNT && strcmp(classes[i].name, name) != 0)
        i++;
    return (enum cc_class)i;
}

double cc_class_prior(enum cc_class class)
{
    return classes[class].prior;
}

bool cc_class_runs(enum cc_class class)
{
    return classes[class].use == USE_RUN;
}

bool cc_class_is_narrow(enum cc_class class)
{
    return classes[class].count[CC_FLAG_NARROW].most > 0;
}

/* ---- asking gcc ------------------------------------------------------------------------ */

struct learning {
    struct arena *a;
    struct cc_lab *lab;
    const struct cc_config *base;
    const struct list *never;
    struct list flags; /* struct cc_flag */
};

static void add_flag(struct learning *l, struct cc_flag flag)
{
    struct cc_flag *copy = NEW(l->a, struct cc_flag);
    for (size_t i = 0; l->never && i < l->never->n; i++)
        if (fnmatch(l->never->at[i], flag.text, 0) == 0)
            return;
    *copy = flag;
    list_add(l->a, &l->flags, copy);
}

static bool is_never(const char *name)
{
    for (size_t i = 0; i < LENGTH(nevers); i++)
        if (str_has_prefix(name, nevers[i]))
            return true;
    return false;
}

/* "  -fgcse-after-reload   [enabled]": the other way round, mostly. */
static void take_toggle(struct learning *l, const char *line)
{
    char name[80], state[32];
    enum { OFTEN = 3, SELDOM = 1 };
    if (sscanf(line, " -f%79s %31s", name, state) != 2 || strpbrk(name, "=<") || is_never(name))
        return;
    bool on = strcmp(state, "[enabled]") == 0;
    if (!on && strcmp(state, "[disabled]") != 0)
        return;
    if (str_has_prefix(name, "no-"))
        return;
    add_flag(l, (struct cc_flag){.kind = CC_FLAG_TOGGLE,
                                 .weight = on ? OFTEN : SELDOM,
                                 .text = arena_printf(l->a, "-fno-%s", name)});
    add_flag(l, (struct cc_flag){.kind = CC_FLAG_TOGGLE,
                                 .weight = on ? SELDOM : OFTEN,
                                 .text = arena_printf(l->a, "-f%s", name)});
}

/* Parameters of what is not at work here, or of the compiler's own housekeeping. */
static bool is_idle_param(const char *name)
{
    static const char *const idle[] = {"analyzer-",    "asan-",     "hwasan-",
                                       "tsan-",        "ggc-",      "lto-",
                                       "cxx-",         "openacc",   "parloops",
                                       "tm-",          "profile",   "destructive",
                                       "constructive", "uninit",    "max-jump-thread-duplication",
                                       "stack-clash",  "sanopt",    "max-inline-recursive",
                                       "large-",       "gimple-fe", "ranger-debug"};
    for (size_t i = 0; i < LENGTH(idle); i++)
        if (str_has_prefix(name, idle[i]))
            return true;
    return false;
}

/* "  --param=max-unroll-times=<1,64>   8": from its bounds, but not so far up that nothing ends. */
static void take_param(struct learning *l, const char *line)
{
    char name[80];
    long long low = 0, high = INT32_MAX, usual;
    int at = 0, after = 0;
    if (sscanf(line, " --param=%79[a-z0-9-]=%n", name, &at) != 1 || !at || is_idle_param(name))
        return;
    if (sscanf(line + at, "<%lld,%lld>%n", &low, &high, &after) == 2)
        at += after;
    if (sscanf(line + at, "%lld", &usual) != 1)
        return;
    long long most = usual * 8 > 64 ? usual * 8 : 64;
    if (high > most)
        high = most;
    if (low < high)
        add_flag(l, (struct cc_flag){.kind = CC_FLAG_VALUE,
                                     .weight = 2,
                                     .text = arena_printf(l->a, "--param=%s=", name),
                                     .low = low,
                                     .high = high});
}

typedef void take_fn(struct learning *l, const char *line);

static bool ask(struct learning *l, const char *topic, take_fn *take, struct err *e)
{
    struct list words = {0};
    struct sys_result r;
    for (size_t i = 0; l->base->argv[i]; i++)
        list_add(l->a, &words, l->base->argv[i]);
    list_add(l->a, &words, "-O2");
    list_add(l->a, &words, "-Q");
    list_add(l->a, &words, (char *)topic);
    list_add(l->a, &words, NULL);
    struct sys_job job = {.action = SYS_EXEC,
                          .argv = (char **)words.at,
                          .env = sys_tool_env(l->a, l->lab->dir),
                          .dir = l->lab->dir,
                          .limits = {.wall = 20, .output = 1 << 20}};
    bool ok = sys_run(l->lab->runner, &job, &r, e);
    for (char *line = ok ? r.out.s : NULL, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        take(l, line);
    }
    if (ok)
        sys_result_free(&r);
    return ok;
}

/* ---- trying ------------------------------------------------------------------------------ */

/* The number of words before the first '=' or digit decides whether two flags are one option. */
static size_t option_length(const char *text)
{
    const char *equals = strrchr(text, '=');
    return equals ? (size_t)(equals - text) : strlen(text);
}

static bool same_option(const char *x, const char *y)
{
    size_t n = option_length(x);
    if (str_has_prefix(x, "-fno-") != str_has_prefix(y, "-fno-")) {
        const char *no = str_has_prefix(x, "-fno-") ? x : y, *yes = no == x ? y : x;
        return str_has_prefix(yes, "-f") && strcmp(no + 5, yes + 2) == 0;
    }
    return n == option_length(y) && strncmp(x, y, n) == 0;
}

/* Does it compile an empty program with all of these? */
static bool accepts(struct learning *l, const char *unit, struct cc_flag *const *flags, size_t n,
                    bool *yes, struct err *e)
{
    static char *const none[] = {NULL};
    char *units[] = {(char *)unit, NULL};
    const char **texts = NEW_ARRAY(l->a, n, const char *);
    struct cc_config config;
    struct outcome o;
    struct cc_case c = {.units = units,
                        .inputs = none,
                        .args = none,
                        .compile_timeout = 20,
                        .compile_memory = (uint64_t)4 << 30,
                        .compile_only = true};
    for (size_t i = 0; i < n; i++)
        texts[i] = flags[i]->text;
    if (!cc_compose(l->a, l->base, "-O2", texts, n, &config, e) ||
        !cc_try(l->lab, &config, &c, l->a, &o, e))
        return false;
    *yes = outcome_info(o.kind)->weight == WEIGHT_FINE && !*o.message;
    return true;
}

/* Adds those of the flags that are accepted, halving until the guilty are alone. */
static bool keep_accepted(struct learning *l, const char *unit, struct cc_flag *const *flags,
                          size_t n, struct err *e)
{
    bool yes;
    if (n == 0)
        return true;
    if (!accepts(l, unit, flags, n, &yes, e))
        return false;
    for (size_t i = 0; yes && i < n; i++)
        add_flag(l, *flags[i]);
    if (yes || n == 1)
        return true;
    return keep_accepted(l, unit, flags, n / 2, e) &&
           keep_accepted(l, unit, flags + n / 2, n - n / 2, e);
}

/* Words for another machine go with those of no other row. */
static bool stands_alone(const struct cc_flag *f)
{
    return f->kind == CC_FLAG_TARGET || f->kind == CC_FLAG_NARROW;
}

/* Was a machine chosen already, as by -m32? */
static bool names_machine(const struct cc_config *base)
{
    for (size_t i = 1; base->argv[i]; i++)
        if (str_has_prefix(base->argv[i], "-m") || str_has_prefix(base->argv[i], "--target"))
            return true;
    return false;
}

/* Tries the rows of the family, options that may be given once only in turns. */
static bool try_rows(struct learning *l, enum cc_family family, struct err *e)
{
    const char *unit = arena_printf(l->a, "%s-empty.c", l->lab->dir); /* its own is emptied */
    static const char text[] = "int main(void) { return 0; }\n";
    bool taken[LENGTH(rows)] = {false}, left = true, ok = true, bound = names_machine(l->base);
    if (!sys_write_file(unit, text, sizeof text - 1, e))
        return false;
    while (ok && left) {
        struct cc_flag *batch[LENGTH(rows)];
        size_t n = 0;
        left = false;
        for (size_t i = 0; i < LENGTH(rows); i++) {
            bool clash = false;
            if (taken[i] || rows[i].family != family || !rows[i].cpu(l->base) ||
                (bound && stands_alone(&rows[i].flag)))
                continue;
            for (size_t k = 0; k < n && !clash; k++)
                clash = stands_alone(batch[k]) || stands_alone(&rows[i].flag) ||
                        same_option(batch[k]->text, rows[i].flag.text);
            if (clash) {
                left = true;
                continue;
            }
            taken[i] = true;
            batch[n++] = (struct cc_flag *)&rows[i].flag;
        }
        ok = keep_accepted(l, unit, batch, n, e);
    }
    return ok;
}

static bool has_rows(enum cc_family family)
{
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (rows[i].family == family)
            return true;
    return false;
}

bool cc_pool_learn(struct arena *a, struct cc_lab *lab, const struct cc_config *base,
                   enum cc_family family, const struct list *never, struct cc_pool *out,
                   struct err *e)
{
    struct learning l = {.a = a, .lab = lab, .base = base, .never = never};
    *out = (struct cc_pool){0};
    if (!has_rows(family))
        return true;
    if (!try_rows(&l, family, e))
        return false;
    if (family == CC_FAMILY_GCC &&
        (!ask(&l, "--help=optimizers", take_toggle, e) || !ask(&l, "--help=params", take_param, e)))
        return false;
    out->at = NEW_ARRAY(a, l.flags.n, struct cc_flag);
    for (size_t i = 0; i < l.flags.n; i++)
        out->at[out->n++] = *(struct cc_flag *)l.flags.at[i];
    return true;
}

static bool has_kind(const struct cc_pool *pool, enum cc_flag_kind kind)
{
    for (size_t i = 0; i < pool->n; i++)
        if (pool->at[i].kind == kind)
            return true;
    return false;
}

bool cc_pool_offers(const struct cc_pool *pool, enum cc_class class)
{
    for (size_t kind = 0; kind < CC_FLAG_KINDS; kind++)
        if (classes[class].count[kind].least && !has_kind(pool, (enum cc_flag_kind)kind))
            return false;
    return true;
}

/* ---- drawing ------------------------------------------------------------------------------ */

bool cc_compose(struct arena *a, const struct cc_config *base, const char *level,
                const char *const *flags, size_t n, struct cc_config *out, struct err *e)
{
    struct text text = {0};
    char *const *emulator = base->emulator; /* out may be the base */
    text_puts(&text, base->text);
    if (*level)
        text_printf(&text, " %s", level);
    for (size_t i = 0; i < n; i++)
        if (flags[i][strspn(flags[i], " ")])
            text_printf(&text, " %s", flags[i] + strspn(flags[i], " "));
    bool ok = cc_config_parse(a, text_str(&text), "", out, e);
    out->emulator = emulator;
    text_free(&text);
    return ok;
}

static const char *write_flag(struct arena *a, const struct cc_flag *f, struct rng *r)
{
    if (f->kind == CC_FLAG_ARCH) /* what has a fused multiply-add must not use it */
        return arena_printf(a, "%s -ffp-contract=off", f->text);
    if (f->low == f->high)
        return f->text;
    /* the bounds themselves are where the mistakes are */
    int64_t value = rng_chance(r, 40) ? (rng_chance(r, 50) ? f->low : f->high)
                                      : rng_between(r, f->low, f->high);
    return arena_printf(a, "%s%lld", f->text, (long long)value);
}

/* Where -O3 is what the class is about, it is drawn more often than its row says. */
static const struct cc_flag *pick_top(const struct cc_pool *pool, enum cc_class class,
                                      struct rng *r)
{
    if (!rng_chance(r, classes[class].top))
        return NULL;
    for (size_t i = 0; i < pool->n; i++)
        if (pool->at[i].kind == CC_FLAG_LEVEL && strcmp(pool->at[i].text, "-O3") == 0)
            return &pool->at[i];
    return NULL;
}

/* One of the kind whose option was not drawn yet; NULL when there is none. */
static const struct cc_flag *pick(const struct cc_pool *pool, enum cc_flag_kind kind, struct rng *r,
                                  const struct cc_flag *const *taken, size_t n)
{
    uint64_t sum = 0;
    const struct cc_flag *chosen = NULL;
    for (size_t i = 0; i < pool->n; i++) {
        const struct cc_flag *f = &pool->at[i];
        bool clash = f->kind != kind;
        for (size_t k = 0; k < n && !clash; k++)
            clash = same_option(taken[k]->text, f->text);
        if (clash)
            continue;
        sum += f->weight;
        if (rng_below(r, sum) < f->weight)
            chosen = f;
    }
    return chosen;
}

bool cc_draw(struct arena *a, const struct cc_pool *pool, const struct cc_config *base,
             enum cc_class class, struct rng r, struct cc_drawn *out, struct err *e)
{
    enum { MOST = 32 };
    const struct cc_flag *taken[MOST];
    size_t n = 0;
    *out = (struct cc_drawn){.level = "", .flags = NEW_ARRAY(a, MOST, const char *)};
    for (size_t kind = 0; kind < CC_FLAG_KINDS; kind++) {
        const struct range *range = &classes[class].count[kind];
        struct rng draw = rng_fork_at(&r, "flags", kind);
        int64_t count = rng_between(&draw, range->least, range->most);
        for (int64_t i = 0; i < count && n < MOST; i++) {
            const struct cc_flag *f = kind == CC_FLAG_LEVEL ? pick_top(pool, class, &draw) : NULL;
            if (!f)
                f = pick(pool, (enum cc_flag_kind)kind, &draw, taken, n);
            if (!f)
                break;
            taken[n++] = f;
            if (kind == CC_FLAG_LEVEL)
                out->level = f->text;
            else
                out->flags[out->n++] = write_flag(a, f, &draw);
        }
    }
    return cc_compose(a, base, out->level, out->flags, out->n, &out->config, e);
}
