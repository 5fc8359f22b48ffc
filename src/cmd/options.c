/* Options from a table, and the help that the table gives. */
#include "cmd/cmd.h"

#include "lang/lang.h"
#include "sys/sys.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int cmd_fail(const char *fmt, ...)
{
    struct text line = {0};
    va_list args;
    va_start(args, fmt);
    text_puts(&line, "cupel: ");
    text_vprintf(&line, fmt, args);
    va_end(args);
    text_putc(&line, '\n');
    log_text(&line);
    text_free(&line);
    return EXIT_CANNOT;
}

int cmd_end(int status)
{
    int sig = sys_cancel_signal();
    if (!sig)
        return status;
    if (sig != SIGPIPE)
        cmd_fail("interrupted");
    signal(sig, SIG_DFL);
    raise(sig);
    return EXIT_CANNOT;
}

bool cmd_output(const struct text *t)
{
    struct text visible = {0};
    const struct text *shown = t;
    if (isatty(STDOUT_FILENO)) {
        text_add_visible(&visible, text_str(t), t->n);
        shown = &visible;
    }
    bool ok = fwrite(text_str(shown), 1, shown->n, stdout) == shown->n && fflush(stdout) == 0;
    text_free(&visible);
    return ok;
}

const struct target *cmd_target(const char *name, struct err *e)
{
    const struct target *t = lang_target_named(name);
    struct text names = {0};
    lang_target_names(&names);
    if (!t)
        fail(e, "unknown target '%s': %s", name, text_str(&names));
    text_free(&names);
    return t;
}

static void print_help(const struct usage *u)
{
    printf("usage: %s\n\n%s\nOptions:\n", u->synopsis, u->description);
    for (size_t i = 0; i < u->count; i++) {
        const struct option_row *row = &u->rows[i];
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", row->name, row->value ? " " : "",
                 row->value ? row->value : "");
        printf("  %-22s %s\n", left, row->help);
    }
    printf("  %-22s %s\n", "--help", "this text");
}

static bool set_value(const struct usage *u, const struct option_row *row, const char *value,
                      struct err *e)
{
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)row->to = true;
        return true;
    case OPTION_STRING:
        *(const char **)row->to = value;
        return true;
    case OPTION_STRINGS:
        list_add(u->arena, row->to, (char *)value);
        return true;
    case OPTION_TAGGED:
        list_add(u->arena, row->to, (char *)row->name);
        list_add(u->arena, row->to, (char *)value);
        return true;
    case OPTION_UINT:
        return str_parse_uint(value, UINT32_MAX, row->to, e);
    case OPTION_COUNT:
        return str_parse_uint(value, UINT32_MAX, row->to, e) &&
               (*(uint64_t *)row->to > 0 || fail(e, "'%s' is not one or more", value));
    case OPTION_SEED:
        return str_parse_uint(value, UINT64_MAX, row->to, e);
    case OPTION_DURATION:
        return str_parse_duration(value, row->to, e);
    case OPTION_SIZE:
        return str_parse_size(value, row->to, e);
    }
    BUG("option kind %d", (int)row->kind);
}

/* The row for an argument like --name or --name=value; *value is what follows the '='. */
static const struct option_row *find_row(const struct usage *u, const char *arg, const char **value)
{
    size_t n = strcspn(arg, "=");
    *value = arg[n] ? arg + n + 1 : NULL;
    for (size_t i = 0; i < u->count; i++)
        if (strlen(u->rows[i].name) == n && strncmp(arg, u->rows[i].name, n) == 0)
            return &u->rows[i];
    return NULL;
}

bool cmd_wants_value(const struct usage *u, const char *arg)
{
    const char *value;
    const struct option_row *row = find_row(u, arg, &value);
    return row && row->kind != OPTION_FLAG && !value;
}

static enum parsed bad(const struct usage *u, const char *what, const char *arg)
{
    size_t n = strlen("cupel ");
    int command = (int)(n + strcspn(u->synopsis + n, " "));
    cmd_fail("%s '%s': see %.*s --help", what, arg, command, u->synopsis);
    return PARSED_BAD;
}

/* Is it a question for help?  Then it is answered. */
static bool is_help(const struct usage *u, const char *arg)
{
    static const struct {
        const char *arg;
        void (*print)(const struct usage *u);
    } rows[] = {{"--help", print_help},
                {"-h", print_help},
                {"--help=man", manual_print_page},
                {"--help=words", manual_print_words}};
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (strcmp(arg, rows[i].arg) == 0) {
            rows[i].print(u);
            return true;
        }
    return false;
}

enum parsed cmd_parse(const struct usage *u, int argc, char **argv, struct list *words)
{
    for (int i = 1; i < argc; i++) {
        char *arg = argv[i];
        const char *value;
        if (is_help(u, arg))
            return PARSED_HELP;
        if (arg[0] != '-' || strcmp(arg, "-") == 0) {
            if (u->most_words && words->n == u->most_words)
                return bad(u, "one word too many:", arg);
            list_add(u->arena, words, arg);
            continue;
        }
        const struct option_row *row = find_row(u, arg, &value);
        if (!row)
            return bad(u, "unknown option", arg);
        if (row->kind == OPTION_FLAG && value)
            return bad(u, "this option takes no value:", arg);
        if (cmd_wants_value(u, arg) && !(value = argv[++i]))
            return bad(u, "this option needs a value:", arg);
        struct err e;
        if (!set_value(u, row, value, &e)) {
            cmd_fail("%s: %s", row->name, e.msg);
            return PARSED_BAD;
        }
        if (i >= argc)
            break;
    }
    list_add(u->arena, words, NULL);
    words->n--;
    return PARSED;
}
