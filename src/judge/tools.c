/* With what a claim is checked on this machine: sanitizers, valgrind, and compilers that vote. */
#include "judge/judge.h"

#include "lang/lang.h"

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

/* Clang is told not to reorder floating operations, and to round each. */
static const struct cc_config *tool(struct arena *a, const struct cc *cc, const char *flags)
{
    struct cc_config *c = NEW(a, struct cc_config);
    if (!cc || !cc_config_parse(a, arena_printf(a, "%s %s", cc->name, flags), "", c, NULL))
        return NULL;
    if (cc_order_words(c))
        *c = cc_config_with(a, c, cc_order_words(c));
    if (cc_rounding_words(c))
        *c = cc_config_with(a, c, cc_rounding_words(c));
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

/* Flags by which this machine's compilers have the target's data model, as far as generated
 * programs can see it, each after a blank; NULL when there are none. */
static const char *native_flags(struct arena *a, const struct target *t)
{
    const struct target *wide = lang_target(TARGET_LP64), *narrow = lang_target(TARGET_ILP32);
    bool is_wide = t->long_.size == wide->long_.size && t->pointer.size == wide->pointer.size;
    bool is_narrow = t->long_.size == narrow->long_.size && t->pointer.size == narrow->pointer.size;
    if (!t->little_endian || t->int_.size != wide->int_.size || !t->bitfields_align ||
        (!is_wide && !is_narrow))
        return NULL;
    return arena_printf(
        a, "%s%s%s", is_narrow ? " -m32" : "", t->char_signed ? "" : " -funsigned-char",
        is_narrow && t->llong.align != narrow->llong.align ? " -malign-double" : "");
}

static void find_native(struct arena *a, const struct cc_list *found, const struct target *target,
                        struct judge_tools *t)
{
    static const char checks[] = "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all";
    const char *own = native_flags(a, target);
    unsigned asan = 1u << CC_FEATURE_ASAN | 1u << CC_FEATURE_UBSAN;
    if (!own)
        return;
    bool wide = target->pointer.size == 8;
    unsigned model = wide ? 0 : 1u << CC_FEATURE_M32;
    const char *flags = arena_printf(a, "%s%s", checks, own);
    t->gcc_san = tool(a, newest_with(found, CC_FAMILY_GCC, asan | model), flags);
    t->clang_san = tool(a, newest_with(found, CC_FAMILY_CLANG, asan | model), flags);
    if (wide)
        t->clang_msan = tool(a, newest_with(found, CC_FAMILY_CLANG, 1u << CC_FEATURE_MSAN),
                             arena_printf(a, "-O1 -fsanitize=memory%s", own));
    t->plain = tool(a, newest_with(found, CC_FAMILY_GCC, model), arena_printf(a, "-O0 -g%s", own));
    t->valgrind = wide ? sys_find_program(a, "valgrind") : NULL;
    find_voters(a, found, own, model, t);
}

void judge_find_tools(struct arena *a, const struct cc_list *found, struct judge_tools *tools)
{
    for (size_t i = 0; i < TARGET_COUNT; i++)
        find_native(a, found, lang_target((enum target_id)i), &tools[i]);
}
