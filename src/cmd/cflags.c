/* Flags on our command line that are the compiler's. */
#include "cmd/cflags.h"

#include <string.h>

enum form { FORM_NONE, FORM_ALONE, FORM_WITH_NEXT };

static const struct {
    const char *prefix;
    bool value; /* in the next word when nothing follows the prefix */
} known[] = {
    {"-I", true},       {"-D", true},         {"-U", true},      {"-include", true},
    {"-imacros", true}, {"-isystem", true},   {"-iquote", true}, {"-std=", false},
    {"-ansi", false},   {"-nostdinc", false}, {"-f", false},     {"-m", false},
    {"-O", false},
};

static enum form form_of(const char *arg)
{
    for (size_t i = 0; i < LENGTH(known); i++)
        if (str_has_prefix(arg, known[i].prefix))
            return known[i].value && !arg[strlen(known[i].prefix)] ? FORM_WITH_NEXT : FORM_ALONE;
    return FORM_NONE;
}

void cmd_take_cflags(struct arena *a, int *argc, char **argv, struct list *flags)
{
    int kept = 1;
    for (int i = 1; i < *argc; i++) {
        enum form form = form_of(argv[i]);
        if (form == FORM_NONE) {
            argv[kept++] = argv[i];
            continue;
        }
        list_add(a, flags, argv[i]);
        if (form == FORM_WITH_NEXT && i + 1 < *argc)
            list_add(a, flags, argv[++i]);
    }
    *argc = kept;
    argv[kept] = NULL;
    list_add(a, flags, NULL);
}
