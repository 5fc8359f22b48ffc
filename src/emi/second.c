/* Whom else to ask whether a text is C.  Takes a configuration, yields configurations of compilers
 * that have nothing to do with it: those that were given, then what PATH has by its usual names.
 * Starts none of them. */
#include "emi/private.h"

#include "sys/sys.h"

#include <string.h>

enum { OLDEST = 9, NEWEST = 30 };

/* One that nobody knows by name is a family of its own. */
static bool is_unrelated(const struct cc_config *x, const char *command)
{
    enum cc_family own, other;
    if (!cc_family_of(command, &other))
        return false;
    return !cc_family_of(x->argv[0], &own) || own != other;
}

static bool is_for_same(const struct cc_config *x, const struct cc_config *y)
{
    if (!x->emulator[0] || !y->emulator[0])
        return !x->emulator[0] && !y->emulator[0] && emi_target_of(x) == emi_target_of(y);
    return strcmp(x->emulator[0], y->emulator[0]) == 0;
}

static void add_named(struct arena *a, const struct cc_config *config, const char *name,
                      struct list *out)
{
    struct err e;
    struct cc_config *c = NEW(a, struct cc_config);
    bool narrow = emi_target_of(config) == lang_target(TARGET_ILP32);
    const char *text = narrow ? arena_printf(a, "%s -m32", name) : name;
    if (is_unrelated(config, name) && sys_find_program(a, name) &&
        cc_config_parse(a, text, NULL, c, &e))
        list_add(a, out, c);
}

void emi_second_opinions(struct arena *a, const struct cc_config *config,
                         const struct cc_config *others, size_t n, struct list *out)
{
    static const char *const names[] = {"gcc", "clang", "tcc"};
    for (size_t i = 0; i < n; i++)
        if (is_unrelated(config, others[i].argv[0]) && is_for_same(config, &others[i]))
            list_add(a, out, (void *)&others[i]);
    if (config->emulator[0])
        return; /* what PATH has by these names is for this machine */
    for (size_t i = 0; i < LENGTH(names); i++)
        add_named(a, config, names[i], out);
    for (int version = NEWEST; version >= OLDEST; version--)
        for (size_t i = 0; i < 2; i++)
            add_named(a, config, arena_printf(a, "%s-%d", names[i], version), out);
}
