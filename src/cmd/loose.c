/* Programs that lack a definition of what they use.  Takes their preprocessed text, and blames
 * nobody. */
#include "cmd/loose.h"

#include "lang/lang.h"
#include "sys/sys.h"
#include "vary/vary.h"

#include <string.h>

const char *loose_missing(struct arena *a, const char *message)
{
    static const char *const before[] = {"undefined reference to `", "undefined symbol '",
                                         "undefined symbol: "};
    for (size_t i = 0; i < LENGTH(before); i++) {
        const char *at = strstr(message, before[i]);
        if (!at)
            continue;
        at += strlen(before[i]);
        size_t n = strcspn(at, "' \n");
        return n ? arena_copy(a, at, n) : NULL;
    }
    return NULL;
}

/* What one unit has of the name. */
struct seen {
    bool declared, defined;
};

static void look(struct program *p, const char *name, struct seen *seen)
{
    for (size_t i = 0; i < p->decls.n; i++) {
        const struct decl *d = p->decls.at[i];
        if ((d->kind != DECL_FUNC && d->kind != DECL_VAR) || d->linkage != LINKAGE_EXTERNAL ||
            !d->name || strcmp(d->name, name) != 0 || lang_is_of_library(p, d))
            continue;
        seen->declared = true;
        seen->defined |= vary_is_defined(d) || (d->inline_ && d->storage == STORAGE_EXTERN);
    }
}

bool loose_is_end(char *const *units, const struct front_source *how, const char *name)
{
    struct seen seen = {0};
    struct front_options options = front_options_of(how);
    for (; *units; units++) {
        struct text text = {0};
        if (!sys_read_file(*units, SYS_READ_ALL, &text, NULL))
            return false;
        struct unit u = front_parse(text_str(&text), text.n, &options);
        seen.defined |= u.error_count > 0; /* who knows */
        look(u.program, name, &seen);
        lang_program_free(u.program);
        text_free(&text);
    }
    return seen.declared && !seen.defined;
}
