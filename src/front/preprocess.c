/* Preprocessing as the user's own compiler does it: by cpp where that is certain, else by the
 * compiler: `cc -E flags file`. */
#include "front/private.h"

#include "cpp/cpp.h"
#include "sys/sys.h"

#include <string.h>

static const char *first_error(struct arena *a, const char *said)
{
    const char *at = strstr(said, "error: ");
    while (at && at > said && at[-1] != '\n')
        at--;
    return str_first_line(a, at ? at : said);
}

/* All but what is for debuggers: with -g3 a preprocessor leaves its macros in the text. */
static void add_words(struct arena *a, struct list *argv, char *const *words)
{
    for (; words && *words; words++)
        if (!str_has_prefix(*words, "-g"))
            list_add(a, argv, *words);
}

static char **command(struct arena *a, const struct front_source *s, const char *path,
                      struct err *e)
{
    char **cc = str_split_command(a, s->cc ? s->cc : "gcc", e);
    struct list argv = {0};
    if (!cc)
        return NULL;
    add_words(a, &argv, cc);
    add_words(a, &argv, s->flags);
    static const char *const rest[] = {"-E", "-x", "c"};
    for (size_t i = 0; i < LENGTH(rest); i++)
        list_add(a, &argv, arena_string(a, rest[i]));
    list_add(a, &argv, arena_string(a, path));
    list_add(a, &argv, NULL);
    return (char **)argv.at;
}

static bool run(struct arena *a, const struct front_source *s, char **argv, const char *scratch,
                struct text *out, struct err *e)
{
    struct runner *runner = sys_runner_open(
        &(struct runner_options){.scratch = scratch, .workshop = s->trusted ? NULL : scratch}, e);
    if (!runner)
        return false;
    struct sys_job job = {
        .action = SYS_EXEC,
        .argv = argv,
        .env = sys_tool_env(a, scratch),
        .dir = ".",
        .rights = SYS_COMPILER,
        .limits = {.wall = s->cpu > 0       ? 5 * s->cpu + 5
                           : s->timeout > 0 ? s->timeout
                                            : 60,
                   .cpu = s->cpu,
                   .output = (uint64_t)1 << 30},
    };
    struct sys_result r = {0};
    bool ok = sys_run(runner, &job, &r, e);
    if (ok && (r.end != SYS_EXITED || r.code != 0)) {
        const char *said = first_error(a, text_str(&r.err));
        if (r.end == SYS_NOT_STARTED)
            said = text_str(&r.reason);
        ok = fail(e, "%s: preprocessing failed: %s", s->path,
                  *said ? said : sys_describe_end(a, &r));
    }
    if (ok)
        text_add(out, text_str(&r.out), r.out.n);
    sys_result_free(&r);
    sys_runner_close(runner);
    return ok;
}

/* stdin goes through a file, so that every compiler can read it. */
static bool run_in_scratch(const struct front_source *s, struct text *out, struct err *e)
{
    struct scratch scratch;
    struct arena a = {0};
    struct text input = {0};
    const char *path = s->path;
    if (!sys_scratch_open(&scratch, e))
        return false;
    bool ok = sys_read_file(path, SYS_READ_ALL, &input, e);
    if (ok && strcmp(path, "-") == 0) {
        path = arena_printf(&a, "%s/stdin.c", scratch.path);
        ok = sys_write_file(path, text_str(&input), input.n, e);
    }
    char **argv = ok ? command(&a, s, path, e) : NULL;
    ok = argv && run(&a, s, argv, scratch.path, out, e);
    text_free(&input);
    arena_free(&a);
    sys_scratch_close(&scratch);
    return ok;
}

/* False when the compiler is to be started. */
static bool preprocess_here(const struct front_source *s, struct text *out)
{
    struct arena a = {0};
    struct err e = {"it is stdin"};
    char **cc = str_split_command(&a, s->cc ? s->cc : "gcc", &e);
    struct cpp_request request = {.path = s->path, .cc = cc, .flags = s->flags};
    bool ok = cc && cc[0] && strcmp(s->path, "-") != 0 && cpp_run(&request, out, &e);
    if (!ok && cc)
        log_debug("%s is preprocessed by %s: %s", s->path, cc[0], e.msg);
    arena_free(&a);
    return ok;
}

const char *const front_portable_flags[] = {"-U__GNUC__", "-D__GNUC__=4", "-U__GNUC_MINOR__",
                                            "-D__GNUC_MINOR__=2", NULL};

bool front_preprocess_anyhow(const struct front_source *s, struct text *out, struct err *e)
{
    struct front_source plain = *s;
    text_clear(out);
    if (front_preprocess(s, out, e))
        return true;
    text_clear(out);
    plain.cc = NULL;
    return front_preprocess(&plain, out, e);
}

static void read_flag(struct front_options *o, const char *flag)
{
    if (strcmp(flag, "-m32") == 0)
        o->target = lang_target(TARGET_ILP32);
}

struct front_options front_options_of(const struct front_source *s)
{
    struct front_options o = {.target = lang_target(TARGET_LP64), .file = s->path};
    struct arena a = {0};
    struct err e;
    char **cc = str_split_command(&a, s->cc ? s->cc : "gcc", &e);
    for (; cc && *cc; cc++)
        read_flag(&o, *cc);
    for (char *const *flag = s->flags; flag && *flag; flag++)
        read_flag(&o, *flag);
    if (s->target)
        o.target = s->target;
    arena_free(&a);
    return o;
}

/* Is the host's compiler to preprocess for ilp32, without having been told?  Then -m32 gives the
 * macros of that data model; a cross compiler has those of its own. */
static bool lacks_model(const struct front_source *s)
{
    struct front_source plain = *s;
    plain.target = NULL;
    return s->target == lang_target(TARGET_ILP32) && front_options_of(&plain).target != s->target &&
           !(s->cc && strstr(s->cc, "-linux-"));
}

static char *const *with_flag(struct arena *a, char *const *flags, const char *flag)
{
    struct list all = {0};
    for (; flags && *flags; flags++)
        list_add(a, &all, *flags);
    list_add(a, &all, arena_string(a, flag));
    list_add(a, &all, NULL);
    return (char *const *)all.at;
}

bool front_preprocess(const struct front_source *s, struct text *out, struct err *e)
{
    struct arena a = {0};
    struct front_source source = *s;
    if (str_has_suffix(s->path, ".i"))
        return sys_read_file(s->path, SYS_READ_ALL, out, e);
    if (lacks_model(s))
        source.flags = with_flag(&a, s->flags, "-m32");
    bool ok = preprocess_here(&source, out) ||
              (s->inside ? fail(e, "%s is not preprocessed without its compiler", s->path)
                         : run_in_scratch(&source, out, e));
    arena_free(&a);
    return ok;
}
