/* The plan: which configurations there are, what programs each can be given, and with what tools
 * a claim about one is checked.  All by trying, so that a wrapper or an unknown compiler gets no
 * program that it cannot be expected to compile. */
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

/* What holds for all levels of one compiler. */
struct traits {
    struct probed probed;
    const char *family, *version, *extra; /* extra: flags that it needs to be predictable */
    unsigned features;
    bool own;
};

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

/* Where structures, rounding or plain char are laid down by another machine's rules, only what all
 * of them share is used. */
static bool learn(struct cc_labs *labs, struct arena *a, const struct cc_list *found,
                  const struct cc_config *config, struct traits *t, struct err *e)
{
    static const enum gen_feature local[] = {GEN_HAS_BITFIELD, GEN_HAS_FLOAT, GEN_HAS_VECTOR};
    enum cc_family family;
    struct cc_config again;
    bool known = cc_family_of(config->argv[0], &family);
    *t = (struct traits){.extra = "", .own = !config->emulator[0]};
    t->version = version_of(found, config->argv[0]);
    if (!probe_model(labs, a, config, &t->probed, e))
        return false;
    if (t->probed.compiles && t->probed.char_is_unsigned) {
        t->extra = " -fsigned-char -ffp-contract=off";
        if (!cc_config_parse(a, arena_printf(a, "%s%s", config->text, t->extra), NULL, &again, e))
            return false;
        again.emulator = config->emulator;
        if (!probe_model(labs, a, &again, &t->probed, e))
            return false;
    }
    if (t->probed.target && !probe_rounding(labs, a, config, &t->probed, e))
        return false;
    /* what only one family has, nobody else could vote on */
    t->features = gen_options_default().features;
    t->family = known ? cc_family_name(family) : ask_family(labs, a, config->argv[0]);
    if (t->family && !gen_features_for(t->family, &t->features, NULL))
        known = false;
    if (!known && t->probed.compiles) {
        unsigned tried;
        if (!probe_features(labs, a, config, &tried, e))
            return false;
        t->features &= tried;
    }
    t->features &= gen_options_default().features;
    if (!known || !t->family)
        t->family = config->argv[0];
    if (t->probed.contracts)
        t->features &= ~(1u << GEN_HAS_FLOAT);
    for (size_t i = 0; i < LENGTH(local) && !t->own; i++)
        t->features &= ~(1u << local[i]);
    return true;
}

/* ---- configurations ------------------------------------------------------------------- */

/* One that has gone since the campaign began may come back: it is watched. */
static bool parse_commands(struct arena *a, const struct conf *conf, bool again,
                           struct cc_config **out, size_t *n, struct plan *p, struct err *e)
{
    struct err why;
    *n = 0;
    *out = NEW_ARRAY(a, conf->commands.n, struct cc_config);
    for (size_t i = 0; i < conf->commands.n; i++) {
        const struct hunt_command *c = conf->commands.at[i];
        if (cc_config_parse(a, c->text, c->emulator, &(*out)[*n], &why)) {
            ++*n;
        } else if (again) {
            char **words = str_split_command(a, c->text, NULL);
            log_note("%s: left out until it is there again", why.msg);
            if (words && words[0])
                list_add(a, &p->watched, words[0]);
        } else {
            return fail(e, "%s", why.msg);
        }
    }
    return true;
}

/* Flags by which the user asks for another language than the one that is predicted: other floats,
 * or another layout. */
static void heed_flags(const struct cc_config *config, struct plan_config *out)
{
    static const struct {
        const char *prefix;
        bool layout;
    } flags[] = {
        {"-Ofast", false},
        {"-ffast-math", false},
        {"-funsafe-math-optimizations", false},
        {"-ffinite-math-only", false},
        {"-fno-signed-zeros", false},
        {"-fassociative-math", false},
        {"-freciprocal-math", false},
        {"-ffp-model=", false},
        {"-fsingle-precision-constant", false},
        {"-fshort-enums", true},
        {"-fpack-struct", true},
        {"-funsigned-bitfields", true},
        {"-malign-double", true},
        {"-mms-bitfields", true},
    };
    for (size_t i = 1; config->argv[i]; i++)
        for (size_t k = 0; k < LENGTH(flags); k++)
            if (!str_has_prefix(config->argv[i], flags[k].prefix))
                continue;
            else if (flags[k].layout)
                out->target = NULL;
            else
                out->features &= ~(1u << GEN_HAS_FLOAT);
}

static bool add_config(struct arena *a, const struct cc_config *config, const struct traits *t,
                       struct plan_config *out, struct err *e)
{
    *out = (struct plan_config){.cc = *config,
                                .family = t->family,
                                .version = t->version,
                                .target = t->probed.target,
                                .features = t->features,
                                .own = t->own};
    heed_flags(config, out); /* a level may be one */
    if (!*t->extra)
        return true;
    char *const *emulator = config->emulator;
    if (!cc_config_parse(a, arena_printf(a, "%s%s", config->text, t->extra), NULL, &out->cc, e))
        return false;
    out->cc.emulator = emulator;
    return true;
}

/* Levels of one compiler stand together, so what was learnt of the first holds for the next. */
static bool add_configs(struct arena *a, struct cc_labs *labs, const struct cc_list *found,
                        const struct cc_config *configs, size_t n, struct plan *p, struct err *e)
{
    struct traits t = {0};
    struct list unpredicted = {0};
    p->configs = NEW_ARRAY(a, n, struct plan_config);
    for (size_t i = 0; i < n; i++) {
        if (sys_cancelled())
            return fail(e, "interrupted");
        bool same = i && strcmp(configs[i].compiler, configs[i - 1].compiler) == 0;
        if (!same && !learn(labs, a, found, &configs[i], &t, e))
            return false;
        if (!same && !t.probed.compiles)
            log_note("%s cannot compile a small program: left out", configs[i].text);
        if (!t.probed.compiles)
            continue;
        if (!add_config(a, &configs[i], &t, &p->configs[p->n], e))
            return false;
        if (!same && !p->configs[p->n].target)
            list_add(a, &unpredicted, (char *)configs[i].compiler);
        p->n++;
    }
    if (unpredicted.n)
        log_note("%zu compilers whose data models are not predicted get programs to compile, not "
                 "to run: %s%s",
                 unpredicted.n, (const char *)unpredicted.at[0], unpredicted.n > 1 ? " ..." : "");
    return p->n || fail(e, "no compiler here compiles a small program: see cupel compilers");
}

/* ---- tools --------------------------------------------------------------------------- */

static const struct cc *newest_with(const struct cc_list *found, enum cc_family family,
                                    unsigned features)
{
    const struct cc *best = NULL;
    for (size_t i = 0; i < found->n; i++) {
        const struct cc *cc = &found->at[i];
        if (cc->family == family && cc->runnable && !*cc->emulator &&
            (cc->features & features) == features)
            best = cc; /* they are sorted by version */
    }
    return best;
}

static const struct cc_config *tool(struct arena *a, const struct cc *cc, const char *flags)
{
    struct cc_config *c = NEW(a, struct cc_config);
    if (!cc || !cc_config_parse(a, arena_printf(a, "%s %s", cc->name, flags), "", c, NULL))
        return NULL;
    return c;
}

/* Native gcc and clang, the newest of each first. */
static void find_voters(struct arena *a, const struct cc_list *found, const char *flags,
                        unsigned features, struct judge_tools *out)
{
    static const enum cc_family families[] = {CC_FAMILY_GCC, CC_FAMILY_CLANG};
    enum { EACH = 3 };
    struct cc_config *voters = NEW_ARRAY(a, LENGTH(families) * EACH, struct cc_config);
    for (size_t f = 0; f < LENGTH(families); f++) {
        size_t taken = 0;
        for (size_t i = found->n; i-- > 0 && taken < EACH;) {
            const struct cc *cc = &found->at[i];
            if (cc->family != families[f] || !cc->runnable || *cc->emulator ||
                (cc->features & features) != features)
                continue;
            if (cc_config_parse(a, arena_printf(a, "%s -O0%s", cc->name, flags), "",
                                &voters[out->voter_count], NULL)) {
                out->voter_count++;
                taken++;
            }
        }
    }
    out->voters = voters;
}

static void find_tools(struct arena *a, const struct cc_list *found, struct plan *p)
{
    static const char checks[] = "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all";
    unsigned asan = 1u << CC_FEATURE_ASAN | 1u << CC_FEATURE_UBSAN;
    const char *valgrind = sys_find_program(a, "valgrind");
    for (size_t i = 0; i < TARGET_COUNT; i++) {
        struct judge_tools *t = &p->tools[i];
        bool wide = i == TARGET_LP64;
        const char *m32 = wide ? "" : " -m32";
        unsigned model = wide ? 0 : 1u << CC_FEATURE_M32;
        const char *flags = arena_printf(a, "%s%s", checks, m32);
        t->gcc_san = tool(a, newest_with(found, CC_FAMILY_GCC, asan | model), flags);
        t->clang_san = tool(a, newest_with(found, CC_FAMILY_CLANG, asan | model), flags);
        if (wide)
            t->clang_msan = tool(a, newest_with(found, CC_FAMILY_CLANG, 1u << CC_FEATURE_MSAN),
                                 "-O1 -fsanitize=memory");
        t->plain = tool(a, newest_with(found, CC_FAMILY_GCC, model),
                        arena_printf(a, "-O0 -g%s", m32));
        t->valgrind = wide ? valgrind : NULL;
        find_voters(a, found, m32, model, t);
    }
}

/* ---- lanes --------------------------------------------------------------------------- */

static void make_lanes(struct arena *a, struct plan *p)
{
    p->lanes = NEW_ARRAY(a, p->n, struct lane);
    for (size_t i = 0; i < p->n; i++) {
        const struct plan_config *c = &p->configs[i];
        size_t k = 0;
        while (k < p->lane_count &&
               (p->lanes[k].target != c->target || p->lanes[k].features != c->features))
            k++;
        struct lane *l = &p->lanes[k];
        if (k == p->lane_count) {
            p->lane_count++;
            *l = (struct lane){c->target, c->features, NEW_ARRAY(a, p->n, size_t), 0};
        }
        l->configs[l->n++] = i;
    }
}

uint64_t plan_stamp(const struct plan *p)
{
    struct arena a = {0};
    uint64_t stamp = 0;
    for (size_t i = 0; i < p->watched.n; i++) {
        const char *path = sys_find_program(&a, p->watched.at[i]);
        const char *file = path ? sys_file_stamp(&a, path) : NULL;
        stamp = hash_pair(stamp, hash_string(file ? file : "gone"));
    }
    arena_free(&a);
    return stamp;
}

bool plan_make(struct arena *a, struct cc_labs *labs, const struct conf *conf, bool again,
               struct plan *out, struct err *e)
{
    struct cc_list found;
    struct cc_config *configs;
    size_t n;
    *out = (struct plan){.seed = conf->seed,
                         .run_timeout = conf->run_timeout,
                         .compile_timeout = conf->compile_timeout,
                         .width = (unsigned)conf->width,
                         .csmith = sys_find_program(a, "csmith") != NULL};
    if (!cc_discover(a, labs, &(struct cc_discovery){0}, &found, e))
        return false;
    if (conf->commands.n ? !parse_commands(a, conf, again, &configs, &n, out, e)
                         : !cc_default_configs(a, &found, &configs, &n, e))
        return false;
    for (size_t i = 0; i < n; i++)
        list_add(a, &out->watched, configs[i].argv[0]);
    out->stamp = plan_stamp(out); /* what changes while we look is looked at again */
    if (!add_configs(a, labs, &found, configs, n, out, e))
        return false;
    find_tools(a, &found, out);
    make_lanes(a, out);
    if (plan_stamp(out) != out->stamp)
        out->stamp = 0; /* of no state that was looked at as a whole */
    return true;
}

const char *plan_target_name(const struct target *t)
{
    return t ? t->name : "none";
}

/* ---- to workers and back -------------------------------------------------------------- */

static json_t *config_to_json(const struct cc_config *c)
{
    struct text emulator = {0};
    if (!c)
        return json_null();
    str_join_command(&emulator, c->emulator);
    json_t *j = json_pack("{s:s, s:s}", "text", c->text, "emulator", text_str(&emulator));
    text_free(&emulator);
    return j;
}

static bool config_from_json(struct arena *a, const json_t *j, struct cc_config *out, struct err *e)
{
    return cc_config_parse(a, json_text(j, "text"), json_text(j, "emulator"), out, e);
}

static json_t *tools_to_json(const struct judge_tools *t)
{
    json_t *voters = json_array();
    for (size_t i = 0; i < t->voter_count; i++)
        json_array_append_new(voters, config_to_json(&t->voters[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o}", "gcc_san", config_to_json(t->gcc_san),
                     "clang_san", config_to_json(t->clang_san), "clang_msan",
                     config_to_json(t->clang_msan), "plain", config_to_json(t->plain), "valgrind",
                     t->valgrind ? t->valgrind : "", "voters", voters);
}

static const struct cc_config *tool_from_json(struct arena *a, const json_t *tools, const char *key)
{
    struct cc_config *c = NEW(a, struct cc_config);
    const json_t *j = json_object_get(tools, key);
    return json_is_object(j) && config_from_json(a, j, c, NULL) ? c : NULL;
}

static void tools_from_json(struct arena *a, const json_t *j, struct judge_tools *t)
{
    const json_t *voters = json_object_get(j, "voters");
    struct cc_config *list = NEW_ARRAY(a, json_array_size(voters), struct cc_config);
    *t = (struct judge_tools){.gcc_san = tool_from_json(a, j, "gcc_san"),
                              .clang_san = tool_from_json(a, j, "clang_san"),
                              .clang_msan = tool_from_json(a, j, "clang_msan"),
                              .plain = tool_from_json(a, j, "plain"),
                              .voters = list};
    if (*json_text(j, "valgrind"))
        t->valgrind = arena_string(a, json_text(j, "valgrind"));
    for (size_t i = 0; i < json_array_size(voters); i++)
        if (config_from_json(a, json_array_get(voters, i), &list[t->voter_count], NULL))
            t->voter_count++;
}

json_t *plan_to_json(const struct plan *p)
{
    json_t *configs = json_array(), *tools = json_array();
    for (size_t i = 0; i < p->n; i++) {
        const struct plan_config *c = &p->configs[i];
        json_array_append_new(configs,
                              json_pack("{s:o, s:s, s:o, s:s, s:I, s:b}", "cc",
                                        config_to_json(&c->cc), "family", c->family, "version",
                                        json_of_bytes(c->version, strlen(c->version)), "target",
                                        plan_target_name(c->target), "features",
                                        (json_int_t)c->features, "own", c->own));
    }
    for (size_t i = 0; i < TARGET_COUNT; i++)
        json_array_append_new(tools, tools_to_json(&p->tools[i]));
    return json_pack("{s:I, s:s, s:f, s:f, s:i, s:b, s:o, s:o}", "seed", (json_int_t)p->seed,
                     "seeds", p->seeds ? p->seeds : "", "run_timeout", p->run_timeout,
                     "compile_timeout", p->compile_timeout, "width", (int)p->width, "csmith",
                     p->csmith, "configs", configs, "tools", tools);
}

void plan_from_json(struct arena *a, const json_t *j, struct plan *out)
{
    const json_t *configs = json_object_get(j, "configs"), *tools = json_object_get(j, "tools");
    *out = (struct plan){
        .seed = (uint64_t)json_integer_value(json_object_get(j, "seed")),
        .run_timeout = json_real_value(json_object_get(j, "run_timeout")),
        .compile_timeout = json_real_value(json_object_get(j, "compile_timeout")),
        .width = (unsigned)json_integer_value(json_object_get(j, "width")),
        .csmith = json_is_true(json_object_get(j, "csmith")),
        .seeds = *json_text(j, "seeds") ? arena_string(a, json_text(j, "seeds")) : NULL,
    };
    out->configs = NEW_ARRAY(a, json_array_size(configs), struct plan_config);
    for (size_t i = 0; i < json_array_size(configs); i++) {
        const json_t *c = json_array_get(configs, i);
        struct plan_config *to = &out->configs[out->n];
        *to = (struct plan_config){
            .family = arena_string(a, json_text(c, "family")),
            .version = arena_string(a, json_text(c, "version")),
            .target = lang_target_named(json_text(c, "target")),
            .features = (unsigned)json_integer_value(json_object_get(c, "features")),
            .own = json_is_true(json_object_get(c, "own"))};
        /* one that is gone by now is left out */
        out->n += config_from_json(a, json_object_get(c, "cc"), &to->cc, NULL);
    }
    for (size_t i = 0; i < TARGET_COUNT && i < json_array_size(tools); i++)
        tools_from_json(a, json_array_get(tools, i), &out->tools[i]);
    make_lanes(a, out);
}
