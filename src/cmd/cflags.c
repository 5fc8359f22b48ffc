/* Words on our command line that are the compiler's: its flags, and whole commands. */
#include "cmd/cflags.h"

#include <string.h>

enum form { FORM_NONE, FORM_ALONE, FORM_WITH_NEXT };
enum stage { STAGE_COMPILE, STAGE_LINK };

static const struct {
    const char *prefix;
    bool value; /* in the next word when nothing follows the prefix */
    enum stage stage;
} known[] = {
    {"-I", true, STAGE_COMPILE},
    {"-D", true, STAGE_COMPILE},
    {"-U", true, STAGE_COMPILE},
    {"-include", true, STAGE_COMPILE},
    {"-imacros", true, STAGE_COMPILE},
    {"-isystem", true, STAGE_COMPILE},
    {"-iquote", true, STAGE_COMPILE},
    {"-idirafter", true, STAGE_COMPILE},
    {"-Wl,", false, STAGE_LINK},
    {"-W", false, STAGE_COMPILE},
    {"-w", false, STAGE_COMPILE},
    {"-g", false, STAGE_COMPILE},
    {"-pedantic", false, STAGE_COMPILE},
    {"-pipe", false, STAGE_COMPILE},
    {"-std=", false, STAGE_COMPILE},
    {"-ansi", false, STAGE_COMPILE},
    {"-nostdinc", false, STAGE_COMPILE},
    {"-f", false, STAGE_COMPILE},
    {"-m", false, STAGE_COMPILE},
    {"-O", false, STAGE_COMPILE},
    {"-l", true, STAGE_LINK},
    {"-L", true, STAGE_LINK},
    {"-pthread", false, STAGE_LINK},
};

static enum form form_of(const char *arg, enum stage *stage)
{
    for (size_t i = 0; i < LENGTH(known); i++)
        if (str_has_prefix(arg, known[i].prefix)) {
            *stage = known[i].stage;
            return known[i].value && !arg[strlen(known[i].prefix)] ? FORM_WITH_NEXT : FORM_ALONE;
        }
    return FORM_NONE;
}

void cmd_take_cflags(const struct usage *u, int *argc, char **argv, struct cflags *out)
{
    struct arena *a = u->arena;
    int kept = 1;
    for (int i = 1; i < *argc; i++) {
        enum stage stage = STAGE_COMPILE;
        enum form form = form_of(argv[i], &stage);
        if (form == FORM_NONE) {
            argv[kept++] = argv[i];
            if (cmd_wants_value(u, argv[i]) && i + 1 < *argc)
                argv[kept++] = argv[++i];
            continue;
        }
        struct list *to = stage == STAGE_LINK ? &out->libraries : &out->flags;
        list_add(a, to, argv[i]);
        if (form == FORM_WITH_NEXT && i + 1 < *argc)
            list_add(a, to, argv[++i]);
    }
    *argc = kept;
    argv[kept] = NULL;
    list_add(a, &out->flags, NULL);
    list_add(a, &out->libraries, NULL);
    out->flags.n--;
    out->libraries.n--;
}

const char *cmd_odd_character_flag(char *const *flags)
{
    static const char *const odd[] = {
        "-fexec-charset=",
        "-fwide-exec-charset=",
        "-finput-charset=",
    };
    for (; flags && *flags; flags++)
        for (size_t i = 0; i < LENGTH(odd); i++)
            if (str_has_prefix(*flags, odd[i]) && !strstr(*flags, "=UTF-8"))
                return *flags;
    return NULL;
}

const char *cmd_odd_float_flag(char *const *flags)
{
    static const char *const odd[] = {
        "-ffast-math",       "-Ofast",
        "-funsafe-math",     "-fassociative-math",
        "-freciprocal-math", "-ffinite-math-only",
        "-mfpmath=387",      "-fsingle-precision-constant",
    };
    for (; flags && *flags; flags++)
        for (size_t i = 0; i < LENGTH(odd); i++)
            if (str_has_prefix(*flags, odd[i]))
                return *flags;
    return NULL;
}

const char *cmd_odd_flag(char *const *flags, const struct target *target)
{
    static const char *const odd[] = {
        "-fshort-enums",       "-fpack-struct",  "-fshort-double",       "-mlong-double-",
        "-mms-bitfields",      "-malign-double", "-funsigned-bitfields", "-mx32",
        "-m96bit-long-double", "-fshort-wchar",  "-m128bit-long-double",
    };
    for (; flags && *flags; flags++) {
        bool is_unsigned = strcmp(*flags, "-funsigned-char") == 0 ||
                           strcmp(*flags, "-fno-signed-char") == 0;
        bool is_signed = strcmp(*flags, "-fsigned-char") == 0 ||
                         strcmp(*flags, "-fno-unsigned-char") == 0;
        if (target->char_signed ? is_unsigned : is_signed)
            return *flags;
        for (size_t i = 0; i < LENGTH(odd); i++)
            if (str_has_prefix(*flags, odd[i]))
                return *flags;
    }
    return NULL;
}

void cmd_apply_cflags(struct arena *a, const struct cflags *f, struct cc_config *configs, size_t n)
{
    for (size_t i = 0; i < n && f->flags.n; i++) {
        struct list words = {0};
        for (char *const *word = configs[i].argv; *word; word++)
            list_add(a, &words, *word);
        for (size_t k = 0; k < f->flags.n; k++)
            list_add(a, &words, f->flags.at[k]);
        list_add(a, &words, NULL);
        configs[i].argv = (char **)words.at;
    }
}

/* Flags that make another text of a program, apart from which code is made of it. */
static struct list text_words(struct arena *a, const struct cc_config *config, struct list *rest)
{
    struct list words = {0};
    for (char *const *word = config->argv; *word; word++) {
        enum stage stage = STAGE_COMPILE;
        enum form form = form_of(*word, &stage);
        bool code = !strncmp(*word, "-f", 2) || !strncmp(*word, "-m", 2) ||
                    !strncmp(*word, "-O", 2);
        if (form == FORM_NONE || stage == STAGE_LINK || code) {
            list_add(a, rest, *word);
            continue;
        }
        list_add(a, &words, *word);
        if (form == FORM_WITH_NEXT && word[1])
            list_add(a, &words, *++word);
    }
    return words;
}

static const char *missing_word(const struct list *from, const struct list *in)
{
    for (size_t i = 0; i < from->n; i++) {
        size_t k = 0;
        while (k < in->n && strcmp(from->at[i], in->at[k]) != 0)
            k++;
        if (k == in->n)
            return from->at[i];
    }
    return NULL;
}

struct cc_config cmd_with_text_of(struct arena *a, const struct cc_config *config,
                                  const struct cc_config *other, const char **word)
{
    struct cc_config out = *config;
    struct list rest = {0}, unused = {0};
    struct list own = text_words(a, config, &rest), theirs = text_words(a, other, &unused);
    *word = missing_word(&own, &theirs);
    if (!*word)
        *word = missing_word(&theirs, &own);
    for (size_t i = 0; i < theirs.n; i++)
        list_add(a, &rest, theirs.at[i]);
    list_add(a, &rest, NULL);
    out.argv = (char **)rest.at;
    return out;
}

bool cmd_read_configs(struct arena *a, const struct list *tagged, struct cc_config **out, size_t *n,
                      struct err *e)
{
    *out = NEW_ARRAY(a, tagged->n + 1, struct cc_config);
    *n = 0;
    for (size_t i = 0; i < tagged->n; i += 2) {
        if (strcmp(tagged->at[i], "--cc") != 0)
            return fail(e, "--run goes after the --cc whose programs it runs");
        bool run = i + 2 < tagged->n && strcmp(tagged->at[i + 2], "--run") == 0;
        const char *text = tagged->at[i + 1];
        if (!cc_config_parse(a, text, run ? tagged->at[i + 3] : NULL, &(*out)[(*n)++], e))
            return false;
        i += run ? 2 : 0;
    }
    return true;
}
