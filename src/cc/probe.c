/* Learning what a compiler is and can do, by trying: no table of versions to keep up to date. */
#include "cc/probe.h"
#include "cc/product.h"

#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>

/* ---- asking -------------------------------------------------------------------------- */

enum { ASK_SECONDS = 10, ASK_OUTPUT = 65536 };

const char *cc_ask(struct cc_lab *lab, struct arena *a, char *const *argv)
{
    struct sys_result r;
    struct sys_job job = {
        .argv = argv,
        .env = sys_tool_env(a, lab->dir),
        .dir = lab->dir,
        .rights = SYS_COMPILER,
        .drain_outputs = true,
        .limits = {.wall = ASK_SECONDS, .output = ASK_OUTPUT},
    };
    if (!sys_run(lab->runner, &job, &r, NULL))
        return "";
    const char *answer = "";
    if (r.end == SYS_TIMEOUT)
        answer = NULL;
    else if (r.end == SYS_EXITED && r.code == 0)
        answer = str_visible(a, arena_printf(a, "%s%s", text_str(&r.out), text_str(&r.err)));
    sys_result_free(&r);
    return answer;
}

static const char *ask(struct cc_lab *lab, struct arena *a, const struct cc *cc, char *option)
{
    return cc_ask(lab, a, (char *const[]){(char *)cc->path, option, NULL});
}

static const char *ask_line(struct cc_lab *lab, struct arena *a, const struct cc *cc, char *option)
{
    const char *answer = ask(lab, a, cc, option);
    return str_first_line(a, answer ? answer : "");
}

/* A path that the compiler names, with links followed; "" when it names none. */
static const char *ask_path(struct cc_lab *lab, struct arena *a, const struct cc *cc, char *option)
{
    const char *line = ask_line(lab, a, cc, option);
    const char *real = line[0] == '/' ? sys_real_path(a, line) : NULL;
    return real ? real : "";
}

const char *probe_identity(struct cc_lab *lab, struct arena *a, const struct cc *cc)
{
    if (!ask(lab, a, cc, "--version"))
        return NULL;
    const char *parts = ask_path(lab, a, cc, "-print-prog-name=cc1");
    if (!*parts)
        parts = ask_path(lab, a, cc, "-print-resource-dir");
    if (*parts)
        return arena_printf(a, "%s %s", parts, ask_line(lab, a, cc, "-dumpmachine"));
    /* A script that starts a small compiler says the same as that; the rest are themselves. */
    const char *banner = ask_line(lab, a, cc, "--version");
    return *banner ? banner : sys_real_path(a, cc->path);
}

/* The first "1.2" or "1.2.3" in the banner. */
static const char *find_version(struct arena *a, const char *banner)
{
    for (const char *p = banner; *p; p++) {
        size_t n = strspn(p, "0123456789.");
        if (n && isdigit((unsigned char)*p) && memchr(p, '.', n)) {
            while (p[n - 1] == '.')
                n--;
            return arena_copy(a, p, n);
        }
        p += n ? n - 1 : 0;
    }
    return NULL;
}

/* "gcc-12 (Debian 12.2.0-14) 12.2.0": what is in parentheses is the packager's number. */
static char *without_parentheses(struct arena *a, const char *s)
{
    struct text t = {0};
    int depth = 0;
    for (; *s; s++) {
        depth += *s == '(';
        if (!depth)
            text_putc(&t, *s);
        depth -= *s == ')' && depth;
    }
    char *copy = arena_string(a, text_str(&t));
    text_free(&t);
    return copy;
}

void probe_names(struct cc_lab *lab, struct arena *a, struct cc *cc)
{
    cc->banner = ask_line(lab, a, cc, "--version");
    const char *plain = without_parentheses(a, cc->banner);
    /* the command's own name may hold digits: gcc-12 */
    const char *blank = strchr(plain, ' ');
    cc->version = find_version(a, blank ? blank : plain);
    if (!cc->version) {
        struct text binary = {0};
        if (sys_read_file(cc->path, SYS_READ_ALL, &binary, NULL))
            cc->version = arena_printf(a, "build %08x", (unsigned)hash_bytes(binary.s, binary.n));
        else
            cc->version = "unknown";
        text_free(&binary);
    }
    cc->target = ask_line(lab, a, cc, "-dumpmachine");
    if (strchr(cc->target, ' '))
        cc->target = "";
}

/* ---- trials -------------------------------------------------------------------------- */

enum trial { TRIAL_SIZES, TRIAL_OVERRUN, TRIAL_OVERFLOW, TRIAL_UNINIT, TRIAL_CODE, TRIAL_COUNT };

static const char *const trial_programs[TRIAL_COUNT] = {
    [TRIAL_SIZES] = "int printf(const char *, ...);\n"
                    "int main(void) { printf(\"long is %d\\n\", (int)sizeof(long)); return 0; }\n",
    [TRIAL_OVERRUN] = "void *malloc(__SIZE_TYPE__);\n"
                      "int main(int argc, char **argv)\n"
                      "{ char *p = malloc(8); p[7 + argc] = 1; return p[7 + argc] == 5; }\n",
    [TRIAL_OVERFLOW] = "int main(int argc, char **argv)\n"
                       "{ volatile int x = 2147483647; x = x + argc; return x == 5; }\n",
    [TRIAL_UNINIT] = "int main(int argc, char **argv)\n"
                     "{ int a[4]; a[0] = 1; if (a[argc]) return 1; return 0; }\n",
    /* something for every level to do differently */
    [TRIAL_CODE] = "extern int out; extern void use(int *);\n"
                   "static int twice(int x) { return x * 2 + 1; }\n"
                   "int f(int *a, int n) { int i, s = 0; for (i = 0; i < n; i++) s += a[i] / 7;\n"
                   "  if (s > 3) s = twice(s) + twice(n); return s * 1; }\n"
                   "int g(int x) { int y = x + 0, z = 5; if (z == 5) goto l; out = 3;\n"
                   "  l: out = y; if (0) use(&out); return (y << 2) - z; }\n",
};

static const struct {
    const char *text, *flag;
    enum trial trial;
    const char *wanted;
} features[CC_FEATURE_COUNT] = {
#define FEATURE(id, text, flag, trial, wanted) [CC_FEATURE_##id] = {text, flag, trial, wanted},
#include "cc/feature.def"
};

const char *cc_feature_name(enum cc_feature feature)
{
    return features[feature].text;
}

static bool try_program(struct cc_lab *lab, struct arena *a, const struct cc *cc, enum trial trial,
                        const char *flag, struct outcome *out, struct err *e)
{
    struct cc_config config;
    char *path = arena_printf(a, "%s-trial.c", lab->dir);
    char *none[] = {NULL};
    char *units[] = {path, NULL};
    struct cc_case c = {.units = units,
                        .inputs = none,
                        .args = none,
                        .plain = true,
                        .compile_timeout = ASK_SECONDS,
                        .run_timeout = ASK_SECONDS,
                        .compile_memory = (uint64_t)4 << 30,
                        .run_memory = (uint64_t)1 << 30};
    const char *command = arena_printf(a, "'%s' %s", cc->path, flag);
    return cc_config_parse(a, command, cc->emulator, &config, e) &&
           sys_write_file(path, trial_programs[trial], strlen(trial_programs[trial]), e) &&
           cc_try(lab, &config, &c, a, out, e);
}

static bool printed(const struct outcome *out, const char *wanted)
{
    return out->kind == OUTCOME_BUILT && out->run_count == 1 &&
           (strstr(out->runs[0].out, wanted) || strstr(out->runs[0].err, wanted));
}

/* The object that the flag gives for the code trial, as a hash; 0 when it is not accepted. */
static uint64_t code_at(struct cc_lab *lab, struct arena *a, const struct cc *cc, char *flag)
{
    char *source = arena_printf(a, "%s-trial.c", lab->dir);
    char *object = arena_printf(a, "%s/trial.o", lab->dir);
    struct text bytes = {0};
    uint64_t hash = 0;
    char *argv[] = {(char *)cc->path, "-c", source, "-o", object, flag, NULL};
    struct sys_result r;
    struct sys_job job = {.argv = argv,
                          .env = sys_tool_env(a, lab->dir),
                          .dir = lab->dir,
                          .rights = SYS_COMPILER,
                          .drain_outputs = true,
                          .limits = {.wall = ASK_SECONDS, .output = ASK_OUTPUT}};
    const char *code = trial_programs[TRIAL_CODE];
    sys_empty_folder(lab->dir);
    if (sys_write_file(source, code, strlen(code), NULL) && sys_run(lab->runner, &job, &r, NULL)) {
        if (r.end == SYS_EXITED && r.code == 0 && !product_flaw(object, PRODUCT_OBJECT, true) &&
            sys_read_file(object, SYS_READ_ALL, &bytes, NULL))
            hash = hash_bytes(bytes.s, bytes.n) | 1;
        sys_result_free(&r);
    }
    sys_empty_folder(lab->dir);
    text_free(&bytes);
    return hash;
}

static const bool family_all_levels[CC_FAMILY_COUNT] = {
#define FAMILY(id, stem, prefixed, all_levels, turns) [CC_FAMILY_##id] = all_levels,
#include "cc/family.def"
};

static void probe_levels(struct cc_lab *lab, struct arena *a, struct cc *cc)
{
    static char *const flags[] = {"-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Oz"};
    uint64_t seen[LENGTH(flags)];
    struct list levels = {0};
    for (size_t i = 0; i < LENGTH(flags); i++) {
        uint64_t code = seen[levels.n] = code_at(lab, a, cc, flags[i]);
        bool new = code != 0;
        for (size_t k = 0; k < levels.n && !family_all_levels[cc->family]; k++)
            new = new &&seen[k] != code;
        if (new)
            list_add(a, &levels, flags[i]);
    }
    /* accepts no -O at all, or ignores it: its only level is to say nothing */
    if (levels.n <= 1 && !family_all_levels[cc->family]) {
        levels.n = 0;
        list_add(a, &levels, "");
    }
    list_add(a, &levels, NULL);
    cc->levels = (char **)levels.at;
}

/* For those that do not say what they compile for. */
static const char *machine_name(uint32_t machine)
{
    return (machine & 0xffff) == EM_X86_64 ? "x86_64" : "unknown";
}

bool probe_abilities(struct cc_lab *lab, struct arena *a, struct cc *cc, struct err *e)
{
    struct outcome out;
    const char *emulator = machine_emulator_of(a, cc->target);
    const char *tool = arena_copy(a, emulator, strcspn(emulator, " "));
    cc->emulator = *tool && sys_find_program(a, tool) ? emulator : "";
    if (!try_program(lab, a, cc, TRIAL_SIZES, "", &out, e))
        return false;
    cc->runnable = printed(&out, "long is ");
    if (!*cc->target)
        cc->target = machine_name(out.machine);
    cc->features = 0;
    for (size_t i = 0; cc->runnable && i < CC_FEATURE_COUNT; i++) {
        if (!try_program(lab, a, cc, features[i].trial, features[i].flag, &out, e))
            return false;
        if (printed(&out, features[i].wanted))
            cc->features |= 1u << i;
    }
    /* x86 only has it, but others take the flag */
    if (*cc->emulator)
        cc->features &= ~(1u << CC_FEATURE_M32);
    probe_levels(lab, a, cc);
    return !sys_cancelled() || fail(e, "interrupted");
}

/* ---- flags --------------------------------------------------------------------------- */

static bool takes_empty(struct cc_lab *lab, const struct cc_config *config, struct arena *a,
                        bool *yes, struct err *e)
{
    static const char empty[] = "int main(void) { return 0; }\n";
    char *units[] = {arena_printf(a, "%s-empty.c", lab->dir), NULL};
    struct cc_case c = cc_case_of(units);
    struct outcome o;
    if (!sys_write_file(units[0], empty, strlen(empty), e) || !cc_try(lab, config, &c, a, &o, e))
        return false;
    *yes = outcome_info(o.kind)->weight != WEIGHT_REFUSED;
    return true;
}

bool cc_look_at_flags(struct cc_lab *lab, const struct cc_config *config, struct arena *a,
                      struct outcome *out, struct err *e)
{
    struct cc_config bare = *config;
    char *command[] = {config->argv[0], NULL};
    bool with, without;
    /* one that refuses everything, whatever its flags, is to blame itself */
    if (outcome_info(out->kind)->weight != WEIGHT_REFUSED || !config->argv[1])
        return true;
    bare.argv = command;
    if (!takes_empty(lab, config, a, &with, e) || !takes_empty(lab, &bare, a, &without, e))
        return false;
    if (!with && without) {
        out->kind = OUTCOME_BAD_FLAGS;
        out->signature = "";
    }
    return true;
}
