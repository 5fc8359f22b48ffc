/* What a compiler is, by trying: its data model, whether it rounds a * b + c once, its family, and
 * which features of the generator it has.  So a wrapper or an unknown compiler gets no program that
 * it cannot be expected to compile. */
#include "hunt/private.h"

#include "gen/gen.h"

#include <stdio.h>
#include <string.h>

/* ---- data models --------------------------------------------------------------------- */

/* Sizes, alignment of long long in a structure, byte order, plain char, and whether a * b + c is
 * rounded once. */
static const char probe_text[] =
    "int printf(const char *, ...);\n"
    "struct s { char c; long long l; };\n"
    "static int one = 1;\n"
    "volatile double x = 134217729.0, y = -18014398777917440.0;\n"
    "int main(void)\n"
    "{\n"
    "    double r = x * x + y;\n"
    "    printf(\"%d %d %d %d %d %d\\n\", (int)sizeof(long), (int)sizeof(void *),\n"
    "           (int)(sizeof(struct s) - sizeof(long long)), *(char *)&one, (char)-1 < 0, r != "
    "0);\n"
    "    return 0;\n"
    "}\n";

struct probed {
    bool compiles;
    const struct target *target; /* NULL: none that we know */
    bool char_is_unsigned;       /* and nothing else stands in the way */
    bool contracts;
};

static void read_model(const char *line, struct probed *p)
{
    int size_long, size_pointer, align, little, is_signed, rounded_once;
    if (sscanf(line, "%d %d %d %d %d %d", &size_long, &size_pointer, &align, &little, &is_signed,
               &rounded_once) != 6)
        return;
    p->contracts = rounded_once;
    for (size_t i = 0; i < TARGET_COUNT; i++) {
        const struct target *t = lang_target((enum target_id)i);
        if (t->long_.size != size_long || t->pointer.size != size_pointer ||
            t->llong.align != align || t->little_endian != little)
            continue;
        if (t->char_signed == is_signed)
            p->target = t;
        else
            p->char_is_unsigned = true;
    }
}

static struct cc_case probe_case(char *const *units)
{
    static char *const none[] = {NULL};
    return (struct cc_case){.units = units,
                            .inputs = none,
                            .args = none,
                            .compile_timeout = 20,
                            .run_timeout = 10,
                            .compile_memory = (uint64_t)4 << 30,
                            .run_memory = (uint64_t)1 << 30};
}

/* Writes the text and tries it. */
static bool try_text(struct cc_labs *labs, struct arena *a, const struct cc_config *config,
                     const char *text, struct outcome *o, struct err *e)
{
    char *path = arena_printf(a, "%s/probe.c", labs->scratch.path);
    char *units[] = {path, NULL};
    struct cc_case c = probe_case(units);
    return sys_write_file(path, text, strlen(text), e) && cc_try(&labs->at[0], config, &c, a, o, e);
}

static bool probe_model(struct cc_labs *labs, struct arena *a, const struct cc_config *config,
                        struct probed *p, struct err *e)
{
    struct outcome o;
    *p = (struct probed){0};
    if (!try_text(labs, a, config, probe_text, &o, e))
        return false;
    p->compiles = outcome_info(o.kind)->weight == WEIGHT_FINE || o.kind == OUTCOME_NOT_RUN;
    if (o.run_count == 1 && o.runs[0].end == SYS_EXITED && o.runs[0].code == 0)
        read_model(o.runs[0].out, p);
    return true;
}

/* ---- features ------------------------------------------------------------------------ */

/* Of a compiler that nobody has told us about: what it compiles. */
static bool probe_features(struct cc_labs *labs, struct arena *a, const struct cc_config *config,
                           unsigned *features, struct err *e)
{
    static const struct {
        enum gen_feature feature;
        const char *text;
    } trials[] = {
#define TRIAL(id, text) {GEN_HAS_##id, text},
#include "hunt/trial.def"
    };
    *features = gen_options_default().features;
    for (size_t i = 0; i < LENGTH(trials); i++) {
        struct outcome o;
        if (!try_text(labs, a, config, trials[i].text, &o, e))
            return false;
        if (outcome_info(o.kind)->weight == WEIGHT_REFUSED)
            *features &= ~(1u << trials[i].feature);
    }
    return true;
}

/* The family that a compiler of an unknown name says it belongs to; NULL for none. */
static const char *ask_family(struct cc_labs *labs, struct arena *a, const char *command)
{
    static const char *const words[][2] = {{"tcc version", "tcc"},
                                           {"clang version", "clang"},
                                           {"Portable C Compiler", "pcc"},
                                           {"Free Software Foundation", "gcc"},
                                           {"gcc version", "gcc"}};
    static const char *const flags[] = {"--version", "-v"};
    for (size_t f = 0; f < LENGTH(flags); f++) {
        struct sys_result r;
        char *argv[] = {(char *)command, (char *)flags[f], NULL};
        struct sys_job job = {.action = SYS_EXEC,
                              .argv = argv,
                              .env = sys_tool_env(a, labs->at[0].dir),
                              .dir = labs->at[0].dir,
                              .rights = SYS_COMPILER,
                              .limits = {.wall = 10, .output = 1 << 16}};
        const char *family = NULL;
        if (sys_run(labs->at[0].runner, &job, &r, NULL))
            for (size_t i = 0; i < LENGTH(words) && !family; i++)
                if (strstr(text_str(&r.out), words[i][0]) || strstr(text_str(&r.err), words[i][0]))
                    family = words[i][1];
        sys_result_free(&r);
        if (family)
            return family;
    }
    return NULL;
}

/* ---- one compiler --------------------------------------------------------------------- */

static const char *version_of(const struct cc_list *found, const char *command)
{
    for (size_t i = 0; i < found->n; i++) {
        const struct cc *cc = &found->at[i];
        if (strcmp(cc->name, command) == 0 || strcmp(cc->path, command) == 0)
            return *cc->banner ? cc->banner : cc->version;
        for (size_t k = 0; cc->aliases[k]; k++)
            if (strcmp(cc->aliases[k], command) == 0)
                return *cc->banner ? cc->banner : cc->version;
    }
    return "";
}

/* Whether a * b + c is rounded once is decided by the optimiser: look with one, whatever the level
 * at hand.  A compiler that knows no -O2 has none. */
static bool probe_rounding(struct cc_labs *labs, struct arena *a, const struct cc_config *config,
                           struct probed *p, struct err *e)
{
    struct probed optimised;
    struct cc_config again = *config;
    struct list words = {0};
    for (size_t i = 0; config->argv[i]; i++)
        list_add(a, &words, config->argv[i]);
    list_add(a, &words, "-O2");
    list_add(a, &words, NULL);
    again.argv = (char **)words.at;
    if (!probe_model(labs, a, &again, &optimised, e))
        return false;
    p->contracts |= optimised.contracts;
    return true;
}

/* Its data model; a plain char that is unsigned is made a signed one. */
static bool learn_model(struct cc_labs *labs, struct arena *a, const struct cc_config *config,
                        struct probed *p, struct traits *t, struct err *e)
{
    struct cc_config again;
    if (!probe_model(labs, a, config, p, e))
        return false;
    if (p->compiles && p->char_is_unsigned) {
        t->extra = " -fsigned-char -ffp-contract=off";
        if (!cc_config_parse(a, arena_printf(a, "%s%s", config->text, t->extra), NULL, &again, e))
            return false;
        again.emulator = config->emulator;
        if (!probe_model(labs, a, &again, p, e))
            return false;
    }
    t->compiles = p->compiles;
    t->target = p->target;
    return !p->target || probe_rounding(labs, a, config, p, e);
}

/* Its family, and what that or a trial says it can compile.  What only one family has, nobody else
 * could vote on. */
static bool learn_family(struct cc_labs *labs, struct arena *a, const struct cc_config *config,
                         struct traits *t, struct err *e)
{
    const char *name = NULL;
    bool told = cc_family_of(config->argv[0], &t->cc_family);
    t->own_features = gen_options_default().features;
    if (!told)
        name = ask_family(labs, a, config->argv[0]);
    t->known = told || (name && cc_family_of(name, &t->cc_family));
    bool listed = t->known &&
                  gen_features_for(cc_family_name(t->cc_family), &t->own_features, NULL);
    /* a wrapper is as strange as a compiler that nobody knows, until it was tried */
    t->family = told && listed ? cc_family_name(t->cc_family) : config->argv[0];
    if (!(told && listed) && t->compiles) {
        unsigned tried;
        if (!probe_features(labs, a, config, &tried, e))
            return false;
        t->own_features &= tried;
    }
    t->features = t->own_features & gen_options_default().features;
    return true;
}

/* Where structures, rounding or plain char are laid down by another machine's rules, only what all
 * of them share is used. */
bool probe_compiler(struct cc_labs *labs, struct arena *a, const struct cc_list *found,
                    const struct cc_config *config, struct traits *t, struct err *e)
{
    static const enum gen_feature local[] = {GEN_HAS_BITFIELD, GEN_HAS_FLOAT, GEN_HAS_VECTOR};
    struct probed p;
    *t = (struct traits){.extra = "", .own = !config->emulator[0]};
    t->version = version_of(found, config->argv[0]);
    if (!learn_model(labs, a, config, &p, t, e) || !learn_family(labs, a, config, t, e))
        return false;
    unsigned foreign = p.contracts ? 1u << GEN_HAS_FLOAT : 0;
    for (size_t i = 0; i < LENGTH(local) && !t->own; i++)
        foreign |= 1u << local[i];
    t->features &= ~foreign;
    t->own_features &= ~foreign;
    return true;
}
