/* What the compiler brings along, asked for once: predefined macros, folders, and what its
 * __has_... operators answer.  Kept in CACHE/cpp, one file for each compiler and set of flags. */
#include "cpp/private.h"

#include "sys/sys.h"

#include <stdio.h>
#include <string.h>

/* Part of every key: to change when more is asked. */
enum { WORLD_FORMAT = 2 };

static const char *const operators[] = {
    "__has_attribute",         "__has_builtin",     "__has_c_attribute", "__has_cpp_attribute",
    "__has_feature",           "__has_warning",     "__has_extension",   "__has_include",
    "__has_include_next",      "__has_embed",       "__is_identifier",   "__has_declspec_attribute",
    "__has_constexpr_builtin", "__building_module", "__is_target_arch",
};

/* Those that headers and programs mostly ask for, "operator name"; others are asked when they are
 * met. */
static const char *const usual[] = {
#define QUESTION(operator, name) #operator" " #name,
#include "cpp/question.def"
};

/* What an operator may say: no, yes, or the month of the paper that brought it. */
static const unsigned values[] = {0,      1,      200809, 201309, 201603, 201803, 201904,
                                  201907, 201910, 202003, 202106, 202202, 202207, 202311};

/* ---- asking ----------------------------------------------------------------------------- */

static void write_probe(struct text *t, const struct list *questions)
{
    for (size_t i = 0; i < LENGTH(operators); i++)
        text_printf(t, "#ifdef %s\n#define CUPEL_OPERATOR_%zu 1\n#endif\n", operators[i], i);
    for (size_t i = 0; i < questions->n; i++) {
        const char *q = questions->at[i];
        int n = (int)strcspn(q, " ");
        text_printf(t, "#ifdef %.*s\n#if 0\n", n, q);
        for (size_t k = 0; k < LENGTH(values); k++)
            text_printf(t, "#elif %.*s(%s) == %u\n#define CUPEL_ANSWER_%zu %u\n", n, q, q + n + 1,
                        values[k], i, values[k]);
        text_puts(t, "#endif\n#endif\n");
    }
}

static bool run_probe(struct arena *a, char *const *words, const struct text *probe,
                      const char *scratch, struct sys_result *r, struct err *e)
{
    struct list argv = {0};
    static const char *const rest[] = {"-v", "-E", "-dM", "-x", "c"};
    char *path = arena_printf(a, "%s/probe.c", scratch);
    for (; *words; words++)
        list_add(a, &argv, *words);
    for (size_t i = 0; i < LENGTH(rest); i++)
        list_add(a, &argv, arena_string(a, rest[i]));
    list_add(a, &argv, path);
    list_add(a, &argv, NULL);
    bool ok = sys_write_file(path, probe->s, probe->n, e);
    struct runner_options options = {.scratch = scratch, .workshop = scratch};
    struct runner *runner = ok ? sys_runner_open(&options, e) : NULL;
    struct sys_job job = {.argv = (char **)argv.at,
                          .env = sys_tool_env(a, scratch),
                          .dir = ".",
                          .rights = SYS_COMPILER,
                          .limits = {.wall = 60, .output = 16u << 20}};
    ok = runner && sys_run(runner, &job, r, e);
    if (runner)
        sys_runner_close(runner);
    return ok && r->end == SYS_EXITED && r->code == 0;
}

/* ---- what it said, as the file that is kept ---------------------------------------------- */

static void note_folders(const char *said, struct text *out)
{
    bool inside = false, found = false;
    for (const char *line = said, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        if (str_has_prefix(line, "#include <"))
            inside = true;
        else if (str_has_prefix(line, "End of search list"))
            inside = false;
        else if (inside && *line == ' ')
            text_printf(out, "folder %.*s\n", (int)(end - line - 1), line + 1);
        else if (str_has_prefix(line, "ignoring nonexistent directory \""))
            text_printf(out, "absent %.*s\n", (int)(end - line - 33), line + 32);
        found |= inside;
    }
    if (!found)
        text_clear(out);
}

static void note_answers(const char *defines, const struct list *questions, struct text *out)
{
    size_t i;
    unsigned value;
    for (const char *at = defines; (at = strstr(at, "#define CUPEL_")); at++) {
        if (sscanf(at, "#define CUPEL_OPERATOR_%zu", &i) == 1 && i < LENGTH(operators))
            text_printf(out, "operator %s\n", operators[i]);
        if (sscanf(at, "#define CUPEL_ANSWER_%zu %u", &i, &value) == 2 && i < questions->n)
            text_printf(out, "answer %u %s\n", value, (char *)questions->at[i]);
    }
}

static void note_defines(const char *defines, struct text *out)
{
    for (const char *line = defines; *line;) {
        size_t n = strcspn(line, "\n") + 1;
        if (!str_has_prefix(line, "#define CUPEL_"))
            text_add(out, line, n);
        line += line[n - 1] ? n : n - 1;
    }
}

static bool ask(struct arena *a, const char *key, char *const *words, const struct list *questions,
                struct text *kept)
{
    struct scratch scratch;
    struct sys_result r = {0};
    struct text probe = {0}, folders = {0};
    struct err e;
    if (!sys_scratch_open(&scratch, &e))
        return false;
    write_probe(&probe, questions);
    bool ok = run_probe(a, words, &probe, scratch.path, &r, &e);
    sys_scratch_close(&scratch);
    text_free(&probe);
    if (ok) {
        note_folders(text_str(&r.err), &folders);
        ok = folders.n > 0;
        text_printf(kept, "%s\n%s", key, text_str(&folders));
        note_answers(text_str(&r.out), questions, kept);
        text_puts(kept, "\n");
        note_defines(text_str(&r.out), kept);
        text_free(&folders);
    }
    sys_result_free(&r);
    return ok;
}

/* ---- the file that is kept -------------------------------------------------------------- */

/* "1 __has_attribute copy" */
static void read_answer(struct arena *a, char *rest, struct cpp_world *world)
{
    char *question = strchr(rest, ' ');
    if (!question)
        return;
    *question++ = 0;
    map_set(a, &world->answers, question, rest);
}

/* False when it is another's, damaged, or a folder has come since. */
static bool read_kept(struct arena *a, const char *key, const struct text *kept,
                      struct cpp_world *world)
{
    size_t n = strlen(key);
    *world = (struct cpp_world){0};
    if (kept->n <= n || memcmp(kept->s, key, n) != 0 || kept->s[n] != '\n')
        return false;
    char *line = arena_copy(a, kept->s + n + 1, kept->n - n - 1);
    for (char *end; *line && *line != '\n'; line = end + 1) {
        end = strchr(line, '\n');
        if (!end)
            return false;
        *end = 0;
        char *rest = strchr(line, ' ');
        if (!rest)
            return false;
        rest++;
        if (str_has_prefix(line, "folder "))
            list_add(a, &world->folders, rest);
        else if (str_has_prefix(line, "absent ") && sys_file_stamp(a, rest))
            return false;
        else if (str_has_prefix(line, "operator "))
            map_set(a, &world->operators, rest, "1");
        else if (str_has_prefix(line, "answer "))
            read_answer(a, rest, world);
    }
    world->defines = *line ? line + 1 : "";
    return world->folders.n > 0 && str_has_prefix(world->defines, "#define ");
}

/* The compiler's file, if its name says what it is. */
static char *compiler_file(struct arena *a, const char *command)
{
    char *found = sys_find_program(a, command);
    char *real = found ? sys_real_path(a, found) : NULL;
    const char *base = real ? strrchr(real, '/') : NULL;
    return base && (strstr(base, "gcc") || strstr(base, "clang")) ? real : NULL;
}

/* What was answered before, or the usual ones; and the new one, if there is one. */
static struct list questions_of(struct arena *a, const struct cpp_world *world, const char *new)
{
    struct list questions = {0};
    for (size_t i = 0; i < world->answers.n; i++)
        list_add(a, &questions, arena_string(a, world->answers.entries[i].key));
    for (size_t i = 0; world->answers.n == 0 && i < LENGTH(usual); i++)
        list_add(a, &questions, arena_string(a, usual[i]));
    if (new)
        list_add(a, &questions, arena_string(a, new));
    return questions;
}

bool cpp_world_of(struct arena *a, char *const *words, const char *question,
                  struct cpp_world *world, struct err *e)
{
    char *file = compiler_file(a, words[0]), *cache = sys_cache_dir(a);
    if (!file || !cache)
        return fail(e, file ? "no cache folder" : "a compiler that is not known");
    struct text line = {0}, kept = {0};
    str_join_command(&line, words);
    const char *key = arena_printf(a, "cupel-cpp %d %s %s %s", WORLD_FORMAT, file,
                                   sys_file_stamp(a, file), text_str(&line));
    text_free(&line);
    if (strchr(key, '\n'))
        return fail(e, "flags with newlines");
    char *dir = arena_printf(a, "%s/cpp", cache);
    char *path = arena_printf(a, "%s/%016llx", dir, (unsigned long long)hash_string(key));
    bool ok = sys_read_file(path, 1u << 20, &kept, NULL) && read_kept(a, key, &kept, world);
    if (!ok)
        *world = (struct cpp_world){0};
    if (!ok || (question && !map_get(&world->answers, question))) {
        struct list questions = questions_of(a, world, question);
        text_clear(&kept);
        /* what a script starts can change while the script stays as it is */
        ok = (sys_is_binary(file) || fail(e, "a compiler that may be a script")) &&
             sys_make_dirs(dir, e) && ask(a, key, words, &questions, &kept) &&
             sys_write_file(path, kept.s, kept.n, e) && read_kept(a, key, &kept, world);
    }
    text_free(&kept);
    world->key = key;
    if (ok && question && !map_get(&world->answers, question))
        return fail(e, "%s", question);
    return ok || fail(e, "the compiler does not say what it brings along");
}
