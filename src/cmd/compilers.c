/* cupel compilers: what was found on this machine, and the configurations that it gives. */
#include "cmd/cmd.h"
#include "cmd/view/view.h"

#include "cc/cc.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct options {
    bool json, refresh, quiet, trust;
    uint64_t jobs;
};

static void show_progress(void *context, size_t done, size_t total)
{
    progress_show(context, "looking at compilers: %zu of %zu", done, total);
}

static json_t *strings_json(char *const *strings)
{
    json_t *array = json_array();
    for (; *strings; strings++)
        json_array_append_new(array, json_string(*strings));
    return array;
}

static json_t *compiler_json(const struct cc *cc)
{
    json_t *features = json_object();
    for (size_t f = 0; f < CC_FEATURE_COUNT; f++)
        json_object_set_new(features, cc_feature_name((enum cc_feature)f),
                            json_boolean(cc->features & 1u << f));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:s, s:o, s:o, s:o}", "name", cc->name,
                     "path", cc->path, "family", cc_family_name(cc->family), "version", cc->version,
                     "banner", cc->banner, "target", cc->target, "runnable", cc->runnable,
                     "emulator", cc->emulator, "levels", strings_json(cc->levels), "aliases",
                     strings_json(cc->aliases), "features", features);
}

static void render_json(const struct cc_list *list, const struct cc_config *configs, size_t n,
                        const char *sandbox, struct text *out)
{
    json_t *compilers = json_array(), *texts = json_array();
    for (size_t i = 0; i < list->n; i++)
        json_array_append_new(compilers, compiler_json(&list->at[i]));
    for (size_t i = 0; i < n; i++)
        json_array_append_new(texts, json_string(configs[i].text));
    json_t *root = json_pack("{s:o, s:o, s:s}", "compilers", compilers, "configurations", texts,
                             "sandbox", sandbox);
    record_set_version(root);
    char *text = json_dumps(root, JSON_INDENT(2));
    text_printf(out, "%s\n", text);
    free(text);
    json_decref(root);
}

static void render_row(const struct cc *cc, int name, int target, struct text *out)
{
    text_printf(out, "%-*s %-15s %-*s ", name, cc->name, cc->version, target, cc->target);
    if (!cc->runnable)
        text_puts(out, "what it compiles cannot be run here");
    for (size_t i = 0; cc->runnable && cc->levels[i]; i++)
        text_printf(out, "%s%s", i ? " " : "", *cc->levels[i] ? cc->levels[i] + 1 : "one level");
    const char *separator = "  ";
    for (size_t f = 0; f < CC_FEATURE_COUNT; f++)
        if (cc->features & 1u << f) {
            text_printf(out, "%s%s", separator, cc_feature_name((enum cc_feature)f));
            separator = " ";
        }
    if (*cc->emulator)
        text_printf(out, "  %.*s", (int)strcspn(cc->emulator, " "), cc->emulator);
    for (size_t i = 0; cc->aliases[i]; i++)
        text_printf(out, "%s%s", i ? ", " : "  = ", cc->aliases[i]);
    text_putc(out, '\n');
}

static int widest(int width, const char *s)
{
    return (int)strlen(s) > width ? (int)strlen(s) : width;
}

static void render_table(const struct cc_list *list, size_t configs, const char *sandbox,
                         struct text *out)
{
    int name = 8, target = 8;
    for (size_t i = 0; i < list->n; i++) {
        name = widest(name, list->at[i].name);
        target = widest(target, list->at[i].target);
    }
    for (size_t i = 0; i < list->n; i++)
        render_row(&list->at[i], name, target, out);
    text_printf(out, "\n%zu compilers, %zu configurations for `cupel test`.\n", list->n, configs);
    text_printf(out, "Compiled programs run in a sandbox: %s.\n", sandbox);
}

static int list_compilers(const struct options *o, struct arena *a, struct cc_labs *labs)
{
    struct err e;
    struct progress progress;
    struct cc_list list = {0};
    struct cc_config *configs = NULL;
    size_t n = 0;
    progress_start(&progress, o->quiet);
    struct cc_discovery how = {
        .refresh = o->refresh, .progress = show_progress, .context = &progress};
    bool ok = cc_discover(a, labs, &how, &list, &e);
    progress_end(&progress);
    if (!ok || !cc_default_configs(a, &list, &configs, &n, &e))
        return sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
    if (list.n == 0)
        return cmd_fail("no C compiler on PATH: install gcc or clang, or run tools/setup");
    struct text out = {0};
    const char *sandbox = sys_runner_sandbox(labs->at[0].runner);
    if (o->json)
        render_json(&list, configs, n, sandbox, &out);
    else
        render_table(&list, n, sandbox, &out);
    int status = cmd_output(&out) ? EXIT_NOTHING_FOUND : cmd_fail("cannot write to stdout");
    text_free(&out);
    return status;
}

int cmd_compilers(int argc, char **argv)
{
    struct options o = {.jobs = sys_cpu_count()};
    struct arena a = {0};
    struct list words = {0};
    const struct option_row rows[] = {
        {"--json", NULL, OPTION_FLAG, &o.json, "print JSON, for scripts"},
        {"--refresh", NULL, OPTION_FLAG, &o.refresh, "try everything again, not only what is new"},
        {"--jobs", "N", OPTION_COUNT, &o.jobs, "how many to try at a time (default: all cores)"},
        {"--trust-compilers", NULL, OPTION_FLAG, &o.trust, CMD_TRUST_HELP},
        {"--quiet", NULL, OPTION_FLAG, &o.quiet, "no progress"},
    };
    struct usage u = {
        .synopsis = "cupel compilers [options]",
        .description =
            "Lists the C compilers on PATH: gcc, clang, tcc, pcc, chibicc, icx, with and without\n"
            "a version, and cross compilers like aarch64-linux-gnu-gcc.  Links and wrappers to "
            "the\n"
            "same compiler are one row, with the other names behind '='.  Optimisation levels,\n"
            "-m32 and sanitizers are listed when a trial shows that they work; what was learnt is\n"
            "kept until the compiler changes.\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a,
    };
    struct err e;
    struct cc_labs labs;
    int status = EXIT_CANNOT;
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    if (parsed == PARSED_HELP)
        status = EXIT_NOTHING_FOUND;
    else if (parsed == PARSED && words.n)
        cmd_fail("unexpected argument '%s': see cupel compilers --help", (char *)words.at[0]);
    else if (parsed == PARSED && (o.jobs == 0 || o.jobs > 256))
        cmd_fail("--jobs must be from 1 to 256");
    else if (parsed == PARSED && !cc_labs_open(&labs,
                                               &(struct cc_lab_options){.count = (unsigned)o.jobs,
                                                                        .trust_compilers = o.trust},
                                               &e))
        cmd_fail("%s", e.msg);
    else if (parsed == PARSED) {
        status = list_compilers(&o, &a, &labs);
        cc_labs_close(&labs);
    }
    arena_free(&a);
    return status;
}
