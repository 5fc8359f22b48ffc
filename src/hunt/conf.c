/* cupel.conf: the choices of a campaign, one a line, for people to edit. */
#include "hunt/private.h"

#include "sys/sys.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

struct conf conf_default(void)
{
    return (struct conf){.modes = "all",
                         .profiles = "all",
                         .run_timeout = 1,
                         .compile_timeout = 30,
                         .width = 2,
                         .lease = 60,
                         .source_timeout = 150,
                         .machine = true};
}

/* ---- reading ------------------------------------------------------------------------- */

typedef bool take_fn(struct arena *a, struct conf *c, const char *value, struct err *e);

static bool take_seed(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)a;
    c->has_seed = true;
    return str_parse_uint(value, UINT64_MAX, &c->seed, e);
}

static bool take_mode(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)e;
    c->modes = arena_string(a, value);
    return true;
}

static bool take_source(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    c->source = arena_string(a, value);
    return strstr(value, "{seed}") || fail(e, "a source has {seed} in its command");
}

static bool take_real(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    c->real = sys_real_path(a, value);
    return c->real || fail(e, "there is no folder of real code '%s'", value);
}

static bool take_flags(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    c->flags = arena_string(a, value);
    return str_split_command(a, value, e) != NULL;
}

static bool take_source_timeout(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)a;
    return str_parse_duration(value, &c->source_timeout, e);
}

static bool take_profile(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)e;
    c->profiles = arena_string(a, value);
    return true;
}

static bool take_cc(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)e;
    struct hunt_command *command = NEW(a, struct hunt_command);
    command->text = arena_string(a, value);
    list_add(a, &c->commands, command);
    return true;
}

static bool take_run(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    if (!c->commands.n)
        return fail(e, "run goes after the cc whose programs it runs");
    struct hunt_command *last = c->commands.at[c->commands.n - 1];
    last->emulator = arena_string(a, value);
    return true;
}

static bool take_timeout(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)a;
    return str_parse_duration(value, &c->run_timeout, e);
}

static bool take_compile_timeout(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)a;
    return str_parse_duration(value, &c->compile_timeout, e);
}

static bool take_width(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)a;
    return str_parse_uint(value, 10000, &c->width, e) &&
           (c->width || fail(e, "width must be 1 or more"));
}

static bool take_lease(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)a;
    return str_parse_duration(value, &c->lease, e) &&
           (c->lease >= 3 || fail(e, "lease must be 3 seconds or more"));
}

static bool take_truth(const char *value, bool *out, struct err *e)
{
    *out = strcmp(value, "yes") == 0;
    return *out || strcmp(value, "no") == 0 || fail(e, "'%s' is neither yes nor no", value);
}

static bool take_trust(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)a;
    return take_truth(value, &c->trust, e);
}

static bool take_eager(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)a;
    return take_truth(value, &c->eager, e);
}

static bool take_machine(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)a;
    return take_truth(value, &c->machine, e);
}

static bool take_mute(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)e;
    list_add(a, &c->mutes, arena_string(a, value));
    return true;
}

static bool take_never(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)e;
    list_add(a, &c->never, arena_string(a, value));
    return true;
}

static bool take_always(struct arena *a, struct conf *c, const char *value, struct err *e)
{
    (void)e;
    list_add(a, &c->always, arena_string(a, value));
    return true;
}

static const struct {
    const char *key;
    take_fn *take;
} keys[] = {
    {"seed", take_seed},
    {"mode", take_mode},
    {"profile", take_profile},
    {"source", take_source},
    {"source-timeout", take_source_timeout},
    {"real", take_real},
    {"flags", take_flags},
    {"machine", take_machine},
    {"eager", take_eager},
    {"cc", take_cc},
    {"run", take_run},
    {"timeout", take_timeout},
    {"compile-timeout", take_compile_timeout},
    {"width", take_width},
    {"lease", take_lease},
    {"mute", take_mute},
    {"never", take_never},
    {"always", take_always},
    {"trust-compilers", take_trust},
};

static char *trim(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    size_t n = strlen(s);
    while (n && isspace((unsigned char)s[n - 1]))
        n--;
    s[n] = '\0';
    return s;
}

static bool take_line(struct arena *a, struct conf *c, char *line, struct err *e)
{
    char *text = trim(line), *equals = strchr(text, '=');
    if (!*text || *text == '#')
        return true;
    if (!equals)
        return fail(e, "'%s' is not key = value", text);
    *equals = '\0';
    char *key = trim(text), *value = trim(equals + 1);
    for (size_t i = 0; i < LENGTH(keys); i++)
        if (strcmp(keys[i].key, key) == 0)
            return keys[i].take(a, c, value, e);
    return fail(e, "unknown key '%s'", key);
}

bool conf_parse(struct arena *a, const char *name, const char *text, struct conf *out,
                struct err *e)
{
    struct err why;
    bool ok = true;
    *out = conf_default();
    unsigned number = 0;
    for (char *line = arena_string(a, text), *next; ok && line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        number++;
        if (!take_line(a, out, line, &why))
            ok = fail(e, "%s:%u: %s", name, number, why.msg);
    }
    return ok;
}

bool conf_read(struct arena *a, const char *path, struct conf *out, struct err *e)
{
    struct text text = {0};
    *out = conf_default();
    bool ok = sys_read_file(path, 1 << 20, &text, e) &&
              conf_parse(a, path, text_str(&text), out, e);
    text_free(&text);
    return ok;
}

/* ---- writing ------------------------------------------------------------------------- */

static void write_programs(const struct conf *c, struct text *out)
{
    text_puts(out,
              "# The choices of this campaign: key = value, and # for comments.  They are read\n"
              "# when `cupel hunt` starts; options on its command line come before them.\n\n");
    text_printf(out, "# every program comes from this number; it stays as it is\nseed = %llu\n\n",
                (unsigned long long)c->seed);
    text_printf(out, "# strategies, or all: see cupel hunt --help\nmode = %s\n\n", c->modes);
    text_printf(
        out, "# what generated programs are a lot of: see cupel gen --profiles\nprofile = %s\n\n",
        c->profiles);
    text_printf(out,
                "# another generator's command, for mode source; and the CPU time for one program\n"
                "#   source = generator --seed {seed} -o {out}\n%s%s%ssource-timeout = %gs\n\n",
                c->source ? "source = " : "", c->source ? c->source : "", c->source ? "\n" : "",
                c->source_timeout);
    text_printf(out,
                "# what programs in the seeds folder and real code are preprocessed with\n"
                "#   flags = -I FOLDER -DNAME=1\n%s%s%s\n",
                c->flags ? "flags = " : "", c->flags ? c->flags : "", c->flags ? "\n" : "");
    text_printf(out,
                "# a folder of C files, whose functions generated programs call, for mode real\n"
                "#   real = FOLDER\n%s%s%s\n",
                c->real ? "real = " : "", c->real ? c->real : "", c->real ? "\n" : "");
    text_printf(
        out,
        "# programs that cupel did not make: executed by its machine first?  Those that it\n"
        "# cannot decide are validated when compilers disagree; eager: all, and before\n"
        "machine = %s\neager = %s\n\n",
        c->machine ? "yes" : "no", c->eager ? "yes" : "no");
}

static void write_compilers(const struct conf *c, struct text *out)
{
    text_puts(out, "# compilers as one would type them, a line each; none: all that are found\n"
                   "#   cc = gcc-12             levels and flags are drawn\n"
                   "#   cc = gcc-12 -O2         just so\n"
                   "# and what runs the programs of the cc above, if anything must\n"
                   "#   run = qemu-aarch64 -L /usr/aarch64-linux-gnu\n");
    for (size_t i = 0; i < c->commands.n; i++) {
        const struct hunt_command *command = c->commands.at[i];
        text_printf(out, "cc = %s\n", command->text);
        if (command->emulator)
            text_printf(out, "run = %s\n", command->emulator);
    }
    text_printf(out,
                "\n# CPU time that a program and a compilation may take\ntimeout = %gs\n"
                "compile-timeout = %gs\n\n",
                c->run_timeout, c->compile_timeout);
    text_printf(out, "# configurations that each program is given to\nwidth = %llu\n\n",
                (unsigned long long)c->width);
    text_printf(out,
                "# of a campaign on several machines: one that was silent for so long is given up\n"
                "lease = %gs\n\n",
                c->lease);
    text_printf(out,
                "# may compilers write outside their scratch folder?\ntrust-compilers = %s\n\n",
                c->trust ? "yes" : "no");
}

static void write_patterns(const struct conf *c, struct text *out)
{
    text_puts(out,
              "# a compiler without a level or flags is given levels and flags by chance; shell\n"
              "# patterns of flags that are never drawn, and flags that are always there\n"
              "#   never = -flto\n"
              "#   always = -g\n");
    for (size_t i = 0; i < c->never.n; i++)
        text_printf(out, "never = %s\n", (const char *)c->never.at[i]);
    for (size_t i = 0; i < c->always.n; i++)
        text_printf(out, "always = %s\n", (const char *)c->always.at[i]);
    text_puts(out,
              "\n# findings not to be told again: shell patterns on the key that `cupel show`\n"
              "# prints, or on a part of it\n"
              "#   mute = compiler-crash pcc *\n");
    for (size_t i = 0; i < c->mutes.n; i++)
        text_printf(out, "mute = %s\n", (const char *)c->mutes.at[i]);
}

void conf_write(const struct conf *c, struct text *out)
{
    write_programs(c, out);
    write_compilers(c, out);
    write_patterns(c, out);
}

bool conf_is_muted(const struct conf *c, const char *key)
{
    for (size_t i = 0; i < c->mutes.n; i++)
        if (fnmatch(c->mutes.at[i], key, 0) == 0 || strstr(key, c->mutes.at[i]))
            return true;
    return false;
}
