/* Flags, names that are special, and the whole of it. */
#include "cpp/private.h"

#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    USUAL_SIZE = 1 << 20, /* of what comes out; what is not used costs nothing */
    MAX_TRIES = 12,       /* each but the last asks the compiler something */
};

void cpp_decline(struct cpp *c, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (c->why)
        vsnprintf(c->why->msg, sizeof c->why->msg, fmt, args);
    va_end(args);
    longjmp(c->declined, 1);
}

/* ---- flags ------------------------------------------------------------------------------ */

/* Ours: -I, -D and -U.  The world's: those that may change predefined macros, or nothing. */
struct flags {
    struct list folders; /* char * */
    struct text defines; /* lines */
    struct list world;   /* char *: the compiler and its flags; NULL ends */
};

static bool is_of_world(const char *flag)
{
    static const char *const good[] = {"-std=", "-ansi", "-m",        "-O", "-g",
                                       "-w",    "-W",    "-pedantic", "-f", "-pthread"};
    static const char *const bad[] = {"preprocess", "directives", "charset",
                                      "prefix",     "plugin",     "-Wp,",
                                      "-Wa,",       "-Wl,",       "extended-identifiers"};
    bool is = false;
    for (size_t i = 0; i < LENGTH(good); i++)
        is |= str_has_prefix(flag, good[i]);
    for (size_t i = 0; i < LENGTH(bad); i++)
        is &= strstr(flag, bad[i]) == NULL;
    return is && !(str_has_prefix(flag, "-g") && strchr(flag, '3')); /* -g3 prints macros */
}

/* -DX, -DX=text, -D'F(a)=text' as a line. */
static void add_define(struct flags *f, const char *what)
{
    size_t n = strcspn(what, "=");
    text_printf(&f->defines, "#define %.*s %s\n", (int)n, what, what[n] ? what + n + 1 : "1");
}

static bool is_of_iso_c90(const struct list *words)
{
    static const char *const flags[] = {"-ansi", "-std=c89", "-std=c90", "-std=iso9899:1990",
                                        "-std=iso9899:199409"};
    bool old = false;
    for (size_t i = 0; i < words->n && words->at[i]; i++) {
        bool names = false;
        for (size_t k = 0; k < LENGTH(flags); k++)
            names |= str_has_prefix(words->at[i], flags[k]);
        old = names || (old && !str_has_prefix(words->at[i], "-std="));
    }
    return old;
}

static bool read_flags(struct arena *a, struct flags *f, char *const *words, struct err *e)
{
    for (; words && *words; words++) {
        const char *w = *words;
        bool ours = w[0] == '-' && w[1] && strchr("IDU", w[1]);
        const char *value = ours ? w + 2 : NULL;
        if (ours && !*value && !(value = *++words))
            return fail(e, "%s without a value", w);
        if (!ours) {
            if (!is_of_world(w))
                return fail(e, "%s", w);
            list_add(a, &f->world, arena_string(a, w));
        } else if (strchr(value, '\n') || strchr(value, '\\')) {
            return fail(e, "%s", w);
        } else if (w[1] == 'I') {
            list_add(a, &f->folders, arena_string(a, value));
        } else if (w[1] == 'D') {
            add_define(f, value);
        } else {
            text_printf(&f->defines, "#undef %s\n", value);
        }
    }
    return true;
}

/* Variables that change what compilers read. */
static bool is_plain_environment(struct err *e)
{
    static const char *const names[] = {"CPATH",
                                        "C_INCLUDE_PATH",
                                        "GCC_EXEC_PREFIX",
                                        "COMPILER_PATH",
                                        "SOURCE_DATE_EPOCH",
                                        "DEPENDENCIES_OUTPUT",
                                        "SUNPRO_DEPENDENCIES"};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (getenv(names[i]))
            return fail(e, "%s is set", names[i]);
    return true;
}

/* ---- beginning -------------------------------------------------------------------------- */

static void name_specials(struct cpp *c)
{
    static const struct {
        const char *name;
        enum special special;
    } specials[] = {
        {"__LINE__", NAME_LINE},          {"__FILE__", NAME_FILE},
        {"__COUNTER__", NAME_COUNTER},    {"__VA_ARGS__", NAME_VA_ARGS},
        {"__DATE__", NAME_DECLINED},      {"__TIME__", NAME_DECLINED},
        {"__TIMESTAMP__", NAME_DECLINED}, {"__BASE_FILE__", NAME_DECLINED},
        {"__FILE_NAME__", NAME_DECLINED}, {"__INCLUDE_LEVEL__", NAME_DECLINED},
        {"_Pragma", NAME_DECLINED},       {"__pragma", NAME_DECLINED},
    };
    for (size_t i = 0; i < LENGTH(specials); i++)
        cpp_name(c, specials[i].name, strlen(specials[i].name))->special =
            (uint8_t)specials[i].special;
    for (size_t i = 0; i < c->world->operators.n; i++) {
        const char *s = c->world->operators.entries[i].key;
        cpp_name(c, s, strlen(s))->special = str_has_prefix(s, "__has_include") ? NAME_INCLUDES
                                                                                : NAME_OPERATOR;
    }
}

static bool is_same_file(struct arena *a, const char *path, const char *other)
{
    const char *one = sys_file_stamp(a, path), *two = sys_file_stamp(a, other);
    return one && two && strcmp(one, two) == 0;
}

/* The user's folders, then the compiler's.  Absent ones are left out, as compilers do. */
static void add_folders(struct cpp *c, const struct list *own)
{
    const struct list *system = &c->world->folders;
    c->folders = NEW_ARRAY(&c->arena, own->n + system->n + 1, struct folder);
    for (size_t i = 0; i < own->n; i++) {
        char *path = arena_string(&c->arena, own->at[i]);
        for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
            path[n - 1] = 0;
        if (!sys_file_stamp(&c->arena, path))
            continue;
        for (size_t k = 0; k < system->n; k++)
            if (is_same_file(&c->arena, path, system->at[k]))
                cpp_decline(c, "-I of a system's folder");
        c->folders[c->folder_count++] = (struct folder){path, false};
    }
    for (size_t i = 0; i < system->n; i++)
        c->folders[c->folder_count++] = (struct folder){system->at[i], true};
}

static void run(struct cpp *c, const struct flags *flags, const char *path)
{
    name_specials(c);
    add_folders(c, &flags->folders);
    struct file f = {.source = cpp_source(c, path), .line = 1, .folder = FOLDER_OWN};
    if (!f.source || strpbrk(path, "\"\\\n"))
        cpp_decline(c, "a file that cannot be read, or its name");
    cpp_read_source(c, f.source);
    f.at = f.source->text;
    f.end = f.at + f.source->size;
    c->file = &f;
    c->sources = (struct map){0}; /* of what it includes */
    cpp_put_marker(c, 0);
    struct prefix prefix;
    if (!cpp_prefix_use(c, text_str(&flags->defines), &prefix)) {
        cpp_define_text(c, c->world->defines);
        cpp_define_text(c, text_str(&flags->defines));
        c->recording = prefix.key != NULL;
        cpp_read_until(c, prefix.end);
        if (c->recording)
            cpp_prefix_keep(c, &prefix);
        c->recording = false;
    }
    cpp_read_file(c);
}

/* What came of one try. */
struct attempt {
    bool ok;
    const char *question; /* in the arena given: that had to be answered for it */
};

static struct attempt attempt(struct arena *a, const struct flags *flags, const char *path,
                              const char *question, struct text *out, struct err *e)
{
    struct cpp_world world;
    struct attempt result = {false, NULL};
    if (!cpp_world_of(a, (char **)flags->world.at, question, &world, e))
        return result;
    struct cpp *c = calloc(1, sizeof *c);
    if (!c)
        BUG("out of memory");
    c->world = &world;
    c->out = out;
    c->why = e;
    c->only_old_comments = is_of_iso_c90(&flags->world);
    if (setjmp(c->declined) == 0) {
        run(c, flags, path);
        result.ok = true;
    }
    if (c->question)
        result.question = arena_string(a, c->question);
    text_free(&c->reading);
    arena_free(&c->arena);
    free(c);
    return result;
}

bool cpp_run(const struct cpp_request *request, struct text *out, struct err *e)
{
    struct arena a = {0};
    struct flags flags = {0};
    struct attempt last = {false, NULL};
    size_t start = out->n;
    list_add(&a, &flags.world, arena_string(&a, request->cc[0]));
    bool ok = is_plain_environment(e) && read_flags(&a, &flags, request->cc + 1, e) &&
              read_flags(&a, &flags, request->flags, e);
    list_add(&a, &flags.world, NULL);
    text_reserve(out, USUAL_SIZE);
    for (int i = 0; ok && i < MAX_TRIES; i++) {
        last = attempt(&a, &flags, request->path, last.question, out, e);
        if (!last.ok)
            out->s[out->n = start] = 0;
        if (last.ok || !last.question)
            break;
    }
    text_free(&flags.defines);
    arena_free(&a);
    return last.ok;
}
