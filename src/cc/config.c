/* Configurations: a command line as one would type it, taken apart as far as the matrix needs. */
#include "cc/probe.h"

#include <string.h>

static bool is_level(const char *word)
{
    return word[0] == '-' && word[1] == 'O';
}

/* The last -O counts, as it does for compilers. */
static void split_level(struct arena *a, struct cc_config *c)
{
    struct text row = {0};
    struct list words = {0};
    c->level = "";
    for (size_t i = 0; c->argv[i]; i++)
        if (i && is_level(c->argv[i]))
            c->level = c->argv[i];
        else
            list_add(a, &words, c->argv[i]);
    list_add(a, &words, NULL);
    str_join_command(&row, (char **)words.at);
    c->compiler = arena_string(a, text_str(&row));
    text_free(&row);
}

bool cc_config_parse(struct arena *a, const char *text, const char *emulator, struct cc_config *out,
                     struct err *e)
{
    *out = (struct cc_config){.text = arena_string(a, text)};
    out->argv = str_split_command(a, text, e);
    if (!out->argv)
        return false;
    if (!out->argv[0])
        return fail(e, "an empty compiler command: write --cc 'gcc -O2'");
    if (!sys_find_program(a, out->argv[0]))
        return fail(e, "compiler '%s' not found: is it installed and executable?", out->argv[0]);
    if (!emulator)
        emulator = machine_emulator(a, out);
    out->emulator = str_split_command(a, emulator, e);
    if (!out->emulator)
        return false;
    if (out->emulator[0] && !sys_find_program(a, out->emulator[0]))
        return fail(e, "'%s' not found: needed to run what %s makes", out->emulator[0],
                    out->argv[0]);
    for (size_t i = 0; out->argv[i]; i++)
        out->sanitized |= str_has_prefix(out->argv[i], "-fsanitize=");
    split_level(a, out);
    return true;
}

/* The words, as one config; emulator and sanitizers are the first one's. */
static struct cc_config with_words(struct arena *a, const struct cc_config *config,
                                   struct list *words)
{
    struct cc_config out = *config;
    struct text line = {0};
    list_add(a, words, NULL);
    out.argv = (char **)words->at;
    str_join_command(&line, out.argv);
    out.text = arena_string(a, text_str(&line));
    text_free(&line);
    split_level(a, &out);
    return out;
}

struct cc_config cc_config_with(struct arena *a, const struct cc_config *config, char *const *words)
{
    struct list all = {0};
    for (size_t i = 0; config->argv[i]; i++)
        list_add(a, &all, config->argv[i]);
    for (; *words; words++)
        list_add(a, &all, *words);
    return with_words(a, config, &all);
}

char **cc_words_for_preprocessed(struct arena *a, char *const *words, const char **left_out)
{
    static const char *const text[] = {"-D", "-U", "-include", "-imacros", "-include-pch"};
    struct list rest = {0};
    *left_out = NULL;
    for (; words && *words; words++) {
        const char *word = *words, *flag = NULL;
        for (size_t i = 0; i < LENGTH(text); i++)
            if (str_has_prefix(word, text[i]))
                flag = text[i];
        if (!flag)
            list_add(a, &rest, *words);
        else if (!word[strlen(flag)] && words[1])
            words++;
        *left_out = flag ? word : *left_out;
    }
    list_add(a, &rest, NULL);
    return (char **)rest.at;
}

const char *cc_for_preprocessed(struct arena *a, struct cc_config *config)
{
    const char *left_out;
    char **words = cc_words_for_preprocessed(a, config->argv, &left_out);
    if (left_out)
        config->argv = words;
    return left_out;
}

bool cc_has_same_flags(const struct cc_config *a, const struct cc_config *b)
{
    char *const *p = a->argv, *const *q = b->argv;
    do {
        p += *p != NULL;
        q += *q != NULL;
        while (*p && is_level(*p))
            p++;
        while (*q && is_level(*q))
            q++;
    } while (*p && *q && strcmp(*p, *q) == 0);
    return !*p && !*q;
}

const char *cc_config_flags(struct arena *a, const struct cc_config *config)
{
    struct text line = {0};
    str_join_command(&line, config->argv + 1);
    const char *copy = arena_string(a, text_str(&line));
    text_free(&line);
    return copy;
}

struct cc_config cc_config_at(struct arena *a, const struct cc_config *config, const char *level)
{
    struct list all = {0};
    for (size_t i = 0; config->argv[i]; i++)
        if (!i || !is_level(config->argv[i]))
            list_add(a, &all, config->argv[i]);
    if (*level)
        list_add(a, &all, (char *)level);
    return with_words(a, config, &all);
}

/* Is it a level that quick tests take?  One that is the only one is. */
static bool is_quick_level(const struct cc *cc, const char *level)
{
    static const char *const usual[] = {"-O0", "-O1", "-O2", "-O3"};
    for (size_t i = 0; i < LENGTH(usual); i++)
        if (strcmp(level, usual[i]) == 0)
            return true;
    return !cc->levels[1];
}

static bool add_levels(struct arena *a, const struct cc *cc, const char *flags, bool quick,
                       struct list *out, struct err *e)
{
    for (size_t i = 0; cc->levels[i]; i++) {
        struct cc_config *c = NEW(a, struct cc_config);
        const char *text = arena_printf(a, "%s%s%s%s", cc->name, flags, *cc->levels[i] ? " " : "",
                                        cc->levels[i]);
        if (quick && !is_quick_level(cc, cc->levels[i]))
            continue;
        if (!cc_config_parse(a, text, cc->emulator, c, e))
            return false;
        list_add(a, out, c);
    }
    return true;
}

static bool is_native(const struct cc *cc)
{
    return cc->runnable && !*cc->emulator;
}

/* Older versions of a family come before newer ones. */
static bool is_newest(const struct cc_list *compilers, size_t i)
{
    for (size_t k = i + 1; k < compilers->n; k++)
        if (is_native(&compilers->at[k]) && compilers->at[k].family == compilers->at[i].family)
            return false;
    return is_native(&compilers->at[i]);
}

static void take_configs(struct arena *a, const struct list *all, struct cc_config **out, size_t *n)
{
    *n = all->n;
    *out = NEW_ARRAY(a, all->n, struct cc_config);
    for (size_t i = 0; i < all->n; i++)
        (*out)[i] = *(struct cc_config *)all->at[i];
}

bool cc_default_configs(struct arena *a, const struct cc_list *compilers, struct cc_config **out,
                        size_t *n, struct err *e)
{
    struct list all = {0};
    for (size_t i = 0; i < compilers->n; i++) {
        const struct cc *cc = &compilers->at[i];
        if (!cc->runnable)
            continue;
        if (!add_levels(a, cc, "", false, &all, e))
            return false;
        if (cc->features & 1u << CC_FEATURE_M32 && !add_levels(a, cc, " -m32", false, &all, e))
            return false;
    }
    take_configs(a, &all, out, n);
    return true;
}

bool cc_quick_configs(struct arena *a, const struct cc_list *compilers, struct cc_config **out,
                      size_t *n, struct err *e)
{
    struct list all = {0};
    for (size_t i = 0; i < compilers->n; i++)
        if (is_newest(compilers, i) && !add_levels(a, &compilers->at[i], "", true, &all, e))
            return false;
    take_configs(a, &all, out, n);
    return true;
}

/* ---- flags that let results differ ------------------------------------------------------- */

struct licence {
    const char *start, *instead;
    enum cc_licence what;
};

static const struct licence *licence_of(const char *word)
{
    static const struct licence rows[] = {
#define LICENCE(start, instead, what) {start, instead, CC_##what},
#include "cc/licence.def"
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (str_has_prefix(word, rows[i].start))
            return &rows[i];
    return NULL;
}

/* ---- loops that are to be vectorised ----------------------------------------------------- */

static const char *word_with_prefix(const struct cc_config *config, const char *prefix)
{
    for (size_t i = 1; config->argv[i]; i++)
        if (str_has_prefix(config->argv[i], prefix))
            return config->argv[i];
    return NULL;
}

/* One of no known name may be a script that starts it. */
static bool may_be_clang(const struct cc_config *config)
{
    enum cc_family family;
    return !cc_family_of(config->argv[0], &family) || family == CC_FAMILY_CLANG;
}

char *const *cc_order_words(const struct cc_config *config)
{
    static char *const words[] = {"-mllvm", "-hints-allow-reordering=false", NULL};
    return may_be_clang(config) && !word_with_prefix(config, words[1]) ? words : NULL;
}

char *const *cc_rounding_words(const struct cc_config *config)
{
    static char *const words[] = {"-ffp-contract=off", NULL};
    return may_be_clang(config) && !word_with_prefix(config, "-ffp-contract=") ? words : NULL;
}

/* The word that lets clang reorder floating operations, or NULL. */
static const char *reordering_word(const struct cc_config *config)
{
    return cc_order_words(config) ? word_with_prefix(config, "-force-vector-width=") : NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* 1.5, .5 or 1. */
static bool has_number_with_point(const char *text)
{
    for (const char *s = text; (s = strchr(s, '.')); s++)
        if (is_digit(s[1]) || (s > text && is_digit(s[-1])))
            return true;
    return false;
}

/* Does one of the units have such a word, or a header of its own, which may?  NULL: any may. */
static bool may_have(char *const *units, const char *const *words, bool numbers)
{
    bool has = !units;
    for (size_t i = 0; !has && units[i]; i++) {
        struct text text = {0};
        bool read = sys_read_file(units[i], SYS_READ_ALL, &text, NULL);
        for (size_t k = 0; read && words[k] && !has; k++)
            has = strstr(text_str(&text), words[k]);
        has = has || (read && numbers && has_number_with_point(text_str(&text)));
        text_free(&text);
    }
    return has;
}

const char *cc_ignore_hints(struct arena *a, struct cc_config *config, char *const *units)
{
    char *const *words = cc_order_words(config);
    static const char *const pragmas[] = {"clang loop", NULL};
    if (!words || !may_have(units, pragmas, false))
        return NULL;
    *config = cc_config_with(a, config, words);
    return "#pragma clang loop";
}

const char *cc_round_each(struct arena *a, struct cc_config *config, char *const *units)
{
    char *const *words = cc_rounding_words(config);
    static const char *const floats[] = {"float",   "double",      "math.h",
                                         "complex", "#include \"", NULL};
    if (!words || !may_have(units, floats, true))
        return NULL;
    *config = cc_config_with(a, config, words);
    return "-ffp-contract=on, its default,";
}

const char *cc_alias_freely(struct arena *a, struct cc_config *config, char *const *units)
{
    static char *const words[] = {"-fno-strict-aliasing", NULL};
    static const char *const allocation[] = {"alloc", "#include \"", NULL};
    enum cc_family family;
    bool known = cc_family_of(config->argv[0], &family);
    if ((known && family != CC_FAMILY_GCC && family != CC_FAMILY_CLANG) ||
        word_with_prefix(config, words[0]) || !may_have(units, allocation, false))
        return NULL;
    *config = cc_config_with(a, config, words);
    return "-fstrict-aliasing, its default,";
}

bool cc_lay_out_otherwise(struct arena *a, struct cc_config *config)
{
    static char *const words[] = {"-fpatchable-function-entry=5", "-fno-omit-frame-pointer", NULL};
    enum cc_family family;
    if (!cc_family_of(config->argv[0], &family) ||
        (family != CC_FAMILY_GCC && family != CC_FAMILY_CLANG))
        return false;
    *config = cc_config_with(a, config, words);
    return true;
}

unsigned cc_licences(const struct cc_config *config)
{
    unsigned all = reordering_word(config) ? 1u << CC_LICENCE_FLOATS : 0;
    for (size_t i = 1; config->argv[i]; i++)
        if (licence_of(config->argv[i]))
            all |= 1u << licence_of(config->argv[i])->what;
    return all;
}

/* The same without them; *word is set to the first of them. */
static struct cc_config without_licences(struct arena *a, const struct cc_config *config,
                                         const char **word)
{
    struct list words = {0};
    for (size_t i = 0; config->argv[i]; i++) {
        const struct licence *l = i ? licence_of(config->argv[i]) : NULL;
        const char *is = l ? l->instead : config->argv[i];
        if (l && !*word)
            *word = config->argv[i];
        if (*is)
            list_add(a, &words, (char *)is);
    }
    return with_words(a, config, &words);
}

/* The word that lets an x86 compiler fuse a multiplication with an addition, or NULL. */
static const char *fusing_word(const struct cc_config *config)
{
    static const char *const starts[] = {"-mfma", "-march=", "-mavx512"};
    enum cc_family family;
    const char *word = NULL;
    if (!cc_family_of(config->argv[0], &family) ||
        (family != CC_FAMILY_GCC && family != CC_FAMILY_CLANG))
        return NULL;
    for (size_t i = 1; config->argv[i]; i++) {
        if (str_has_prefix(config->argv[i], "-ffp-contract="))
            return NULL;
        for (size_t k = 0; k < LENGTH(starts); k++)
            if (str_has_prefix(config->argv[i], starts[k]))
                word = config->argv[i];
    }
    return word;
}

/* What to add for plain rounding; *word: because of what. */
static const char *rounding_flags(const struct cc_config *config, const char **word)
{
    static const struct {
        const char *start, *flags;
    } rows[] = {
#define EMULATOR(start, command, rounding, share) {start, rounding},
#include "cc/emulator.def"
    };
    for (size_t i = 1; config->argv[i]; i++)
        if (strcmp(*word = config->argv[i], "-m32") == 0)
            return "-msse2 -mfpmath=sse";
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (str_has_prefix(*word = cc_config_machine(config), rows[i].start))
            return rows[i].flags;
    *word = fusing_word(config);
    return *word ? "-ffp-contract=off" : "";
}

const char *cc_mean_plainly(struct arena *a, struct cc_config *config)
{
    const char *word = NULL, *other = NULL;
    struct cc_config plain = without_licences(a, config, &word);
    const char *flags = rounding_flags(&plain, &other);
    if (*flags)
        plain = cc_config_with(a, &plain, str_split_command(a, flags, NULL));
    if (!word && *flags)
        word = other;
    other = reordering_word(config);
    if (other)
        plain = cc_config_with(a, &plain, cc_order_words(config));
    if (!word)
        word = other;
    if (word)
        *config = plain;
    return word;
}

const char *cc_plain_flags(struct arena *a, struct list *flags)
{
    const char *first = NULL;
    struct list kept = {0};
    for (size_t i = 0; i < flags->n; i++) {
        const struct licence *l = licence_of(flags->at[i]);
        const char *is = l ? l->instead : flags->at[i];
        if (l && !first)
            first = flags->at[i];
        if (*is)
            list_add(a, &kept, (char *)is);
    }
    list_add(a, &kept, NULL);
    kept.n--;
    *flags = kept;
    return first;
}

/* Adds the folders where a command's own libraries lie: PREFIX/lib for PREFIX/bin/command. */
static void add_libraries(struct arena *a, const char *command, struct map *seen, struct list *out)
{
    static const char *const folders[] = {"lib", "lib64", "lib32"};
    const char *found = sys_find_program(a, command);
    char *real = found ? sys_real_path(a, found) : NULL;
    char *slash = real ? strrchr(real, '/') : NULL;
    if (!slash)
        return;
    *slash = '\0';
    if (!str_has_suffix(real, "/bin") || map_get(seen, real))
        return;
    map_set(a, seen, real, real);
    for (size_t i = 0; i < LENGTH(folders); i++)
        list_add(a, out, arena_printf(a, "%.*s%s", (int)(strlen(real) - 3), real, folders[i]));
}

const char *const *cc_readable(struct arena *a, const struct cc_config *configs, size_t n)
{
    struct map seen = {0};
    struct list out = {0};
    for (size_t i = 0; i < n; i++) {
        add_libraries(a, configs[i].argv[0], &seen, &out);
        if (!configs[i].emulator[0])
            continue;
        add_libraries(a, configs[i].emulator[0], &seen, &out);
        /* -L /usr/aarch64-linux-gnu and the like */
        for (size_t k = 1; configs[i].emulator[k]; k++)
            if (configs[i].emulator[k][0] == '/' && !map_get(&seen, configs[i].emulator[k])) {
                map_set(a, &seen, configs[i].emulator[k], configs[i].emulator[k]);
                list_add(a, &out, configs[i].emulator[k]);
            }
    }
    list_add(a, &out, NULL);
    return (const char *const *)out.at;
}
