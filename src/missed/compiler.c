/* What a configuration compiles for.  Asked of its preprocessor, so that flags such as -m32 and
 * --target count, and nothing needs to be run. */
#include "missed/private.h"

#include <stdio.h>
#include <string.h>

static const char probe_text[] = "#if defined __clang__\n"
                                 "cupel_is clang __clang_major__\n"
                                 "#elif defined __GNUC__ && !defined __TINYC__\n"
                                 "cupel_is gcc __GNUC__\n"
                                 "#else\n"
                                 "cupel_is other 0\n"
                                 "#endif\n"
                                 "#if defined __x86_64__ && defined __LP64__\n"
                                 "cupel_for lp64\n"
                                 "#elif defined __i386__\n"
                                 "cupel_for ilp32\n"
                                 "#elif defined __aarch64__ && defined __LP64__\n"
                                 "cupel_for arm64\n"
                                 "#else\n"
                                 "cupel_for nothing\n"
                                 "#endif\n"
                                 "#if __FLT_EVAL_METHOD__ != 0 || defined __FAST_MATH__\n"
                                 "cupel_floats otherwise\n"
                                 "#elif defined __FMA__ || defined __FMA4__ || "
                                 "defined __ARM_FEATURE_FMA\n"
                                 "cupel_floats fused\n"
                                 "#else\n"
                                 "cupel_floats plain\n"
                                 "#endif\n";

static const struct {
    const char *said;
    enum missed_isa isa;
    enum target_id target;
} machines[] = {{"lp64", MISSED_X86, TARGET_LP64},
                {"ilp32", MISSED_X86, TARGET_ILP32},
                {"arm64", MISSED_AARCH64, TARGET_AARCH64}};

/* It is started in another folder than ours. */
static char *absolute(struct arena *a, const char *command)
{
    char *found = sys_find_program(a, command);
    return !found || found[0] == '/' ? found
                                     : arena_printf(a, "%s/%s", sys_real_path(a, "."), found);
}

static const char *ask(struct cc_lab *lab, const struct cc_config *config, struct arena *a,
                       struct err *e)
{
    char *path = arena_printf(a, "%s-probe.c", lab->dir);
    struct list words = {0};
    list_add(a, &words, absolute(a, config->argv[0]));
    for (size_t i = 1; config->argv[i]; i++)
        list_add(a, &words, config->argv[i]);
    list_add(a, &words, "-E");
    list_add(a, &words, path);
    list_add(a, &words, NULL);
    if (!words.at[0])
        return "";
    if (!sys_write_file(path, probe_text, strlen(probe_text), e))
        return NULL;
    const char *answer = cc_ask(lab, a, (char **)words.at);
    return answer ? answer : "";
}

/* A multiplication and an addition in one are rounded once where they may be fused. */
static bool has_plain_floats(const struct cc_config *config, const char *answer)
{
    bool fused = strstr(answer, "cupel_floats fused");
    for (size_t i = 1; fused && config->argv[i]; i++)
        fused = strcmp(config->argv[i], "-ffp-contract=off") != 0;
    return !fused && !strstr(answer, "cupel_floats otherwise") &&
           !(cc_licences(config) >> CC_LICENCE_FLOATS & 1);
}

bool missed_learn_compiler(struct cc_lab *lab, const struct cc_config *config, struct arena *a,
                           struct missed_compiler *out, struct err *e)
{
    char family[16], machine[16];
    *out = (struct missed_compiler){.config = *config};
    const char *answer = ask(lab, config, a, e);
    if (!answer)
        return false;
    const char *is = strstr(answer, "cupel_is "), *for_ = strstr(answer, "cupel_for ");
    if (!is || !for_ || sscanf(is, "cupel_is %15s %u", family, &out->major) != 2 ||
        sscanf(for_, "cupel_for %15s", machine) != 1)
        return fail(e, "%s does not preprocess: is it a C compiler?", config->text);
    out->family = arena_string(a, family);
    out->plain_floats = has_plain_floats(config, answer);
    for (size_t i = 0; i < LENGTH(machines); i++)
        if (strcmp(machine, machines[i].said) == 0) {
            out->isa = machines[i].isa;
            out->target = lang_target(machines[i].target)->name;
            return true;
        }
    return fail(e,
                "%s compiles for a machine whose assembly is not known here: x86-64, i386 and "
                "AArch64 are",
                config->text);
}

bool missed_try_assembly(struct cc_lab *lab, const struct missed_compiler *by, struct arena *a,
                         struct err *e)
{
    static const char text[] = "int main(void) { return 0; }\n";
    char *units[] = {arena_printf(a, "%s-probe.c", lab->dir), NULL};
    struct cc_case c = cc_case_of(units);
    struct outcome o;
    c.assembly = true;
    if (!sys_write_file(units[0], text, strlen(text), e) || !cc_try(lab, &by->config, &c, a, &o, e))
        return false;
    bool written = o.kind == OUTCOME_BUILT &&
                   missed_read_code(a, by->isa, o.assembly, "main").instructions;
    return written || fail(e, "%s writes no assembly (-S) that can be read here", by->config.text);
}
