/* What a compiler is, by trying: its data model, whether it rounds a * b + c once, its family, and
 * which features of the generator it has.  So a wrapper or an unknown compiler gets no program that
 * it cannot be expected to compile. */
#include "hunt/private.h"

#include "gen/gen.h"

#include <stdio.h>
#include <string.h>

/* ---- trials --------------------------------------------------------------------------- */

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

/* ---- features ------------------------------------------------------------------------ */

/* Which of the features in question, a set of bits, are compiled. */
static bool probe_features(struct cc_labs *labs, struct arena *a, const struct cc_config *config,
                           uint64_t question, uint64_t *features, struct err *e)
{
    static const struct {
        enum gen_feature feature;
        const char *text;
    } trials[] = {
#define TRIAL(id, text) {GEN_HAS_##id, text},
#include "hunt/trial.def"
    };
    *features = question;
    for (size_t i = 0; i < LENGTH(trials); i++) {
        struct outcome o;
        if (!(question >> trials[i].feature & 1))
            continue;
        if (!try_text(labs, a, config, trials[i].text, &o, e))
            return false;
        if (outcome_info(o.kind)->weight == WEIGHT_REFUSED)
            *features &= ~(UINT64_C(1) << trials[i].feature);
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

static bool with_flags(struct arena *a, const struct cc_config *config, const char *flags,
                       struct cc_config *out, struct err *e)
{
    if (!cc_config_parse(a, arena_printf(a, "%s%s", config->text, flags), NULL, out, e))
        return false;
    out->emulator = config->emulator;
    return true;
}

/* Whether a * b + c is rounded once is decided by the optimiser: look with one, whatever the level
 * at hand.  A compiler that knows no -O2 has none. */
static bool probe_rounding(struct cc_lab *lab, struct arena *a, const struct cc_config *config,
                           const char *flags, bool *contracts, struct err *e)
{
    struct judge_model optimised;
    struct cc_config again;
    if (!with_flags(a, config, arena_printf(a, "%s -O2", flags), &again, e) ||
        !judge_learn_model(lab, &again, a, &optimised, e))
        return false;
    *contracts = optimised.contracts;
    return true;
}

/* Its data model; one that rounds a * b + c once is asked not to. */
static bool learn_model(struct cc_lab *lab, struct arena *a, const struct cc_config *config,
                        bool *contracts, struct traits *t, struct err *e)
{
    static const char plainly[] = " -ffp-contract=off";
    struct judge_model model, again;
    struct cc_config plain;
    bool still = true;
    if (!judge_learn_model(lab, config, a, &model, e))
        return false;
    t->compiles = model.compiles;
    t->target = model.target;
    t->unlike = model.unlike;
    *contracts = model.contracts;
    if (!t->target)
        return true;
    if (!*contracts && !probe_rounding(lab, a, config, "", contracts, e))
        return false;
    if (!*contracts)
        return true;
    if (!with_flags(a, config, plainly, &plain, e) ||
        !judge_learn_model(lab, &plain, a, &again, e) ||
        !probe_rounding(lab, a, config, plainly, &still, e))
        return false;
    if (again.target == t->target && !still) {
        t->extra = plainly;
        *contracts = false;
    }
    return true;
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
    uint64_t newer = UINT64_C(1) << GEN_HAS_BITINT; /* that some versions of a family lack */
    if (!(told && listed))
        t->own_features &= gen_options_default().features | newer;
    uint64_t question = t->own_features & (told && listed ? newer : ~UINT64_C(0)), has;
    if (t->compiles && question) {
        if (!probe_features(labs, a, config, question, &has, e))
            return false;
        t->own_features &= ~question | has;
    }
    t->features = t->own_features & gen_options_default().features;
    return true;
}

bool probe_compiler(struct cc_labs *labs, struct arena *a, const struct cc_list *found,
                    const struct cc_config *config, struct traits *t, struct err *e)
{
    bool contracts;
    *t = (struct traits){.extra = "", .own = !config->emulator[0]};
    t->version = version_of(found, config->argv[0]);
    if (!learn_model(&labs->at[0], a, config, &contracts, t, e) ||
        !learn_family(labs, a, config, t, e))
        return false;
    uint64_t foreign = contracts ? UINT64_C(1) << GEN_HAS_FLOAT : 0;
    t->features &= ~foreign;
    t->own_features &= ~foreign;
    return true;
}
