/* The manual, from the tables that --help prints: a man page for each command (--help=man), and the
 * words that a shell completes (--help=words).  So neither can disagree with what a command takes.
 */
#include "cmd/cmd.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *summary;
} commands[] = {
#define COMMAND(name, summary) {#name, summary},
#include "cmd/commands.def"
};

/* What roff would take for its own is written so that it does not. */
static void put_line(const char *s, size_t n)
{
    if (n && (s[0] == '.' || s[0] == '\''))
        fputs("\\&", stdout);
    for (size_t i = 0; i < n; i++)
        if (s[i] == '\\')
            fputs("\\e", stdout);
        else if (s[i] == '-')
            fputs("\\-", stdout);
        else
            putchar(s[i]);
    putchar('\n');
}

/* Lines that are indented are examples; the others are paragraphs, with blank lines between. */
static void put_text(const char *text)
{
    bool example = false, blank = true;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        size_t n = strcspn(line, "\n");
        bool indented = n > 2 && line[0] == ' ' && line[1] == ' ';
        if (n && indented != example)
            puts(indented ? blank ? ".PP\n.nf\n.RS 2" : ".nf\n.RS 2" : ".RE\n.fi");
        if (n && !indented && (blank || example))
            puts(".PP");
        if (n)
            put_line(indented ? line + 2 : line, indented ? n - 2 : n);
        example = n ? indented : example;
        blank = n == 0;
        if (!line[n])
            break;
    }
    if (example)
        puts(".RE\n.fi");
}

static void put_head(const char *page, const char *summary)
{
    char upper[64];
    size_t n = 0;
    for (; page[n] && n + 1 < sizeof upper; n++)
        upper[n] = (char)(page[n] >= 'a' && page[n] <= 'z' ? page[n] - 'a' + 'A' : page[n]);
    upper[n] = '\0';
    printf(".TH %s 1 %s \"cupel %s\" \"User Commands\"\n.SH NAME\n%s \\- %s\n", upper, cupel_date,
           cupel_version, page, summary);
}

static void put_ends(void)
{
    puts(".SH EXIT STATUS\n"
         ".TP\n.B 0\nnothing was found, and everything was done\n"
         ".TP\n.B 1\nsomething was found: a bug, undefined behaviour, a difference\n"
         ".TP\n.B 2\nit could not be done; one line on standard error says why\n"
         ".TP\n.B 130\nit was interrupted; what was done is kept");
}

static const char *summary_of(const char *name)
{
    for (size_t i = 0; i < LENGTH(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].summary;
    BUG("a command without a row: %s", name);
}

/* "cupel gen [options]": gen */
static void name_of(const struct usage *u, char *out, size_t size)
{
    const char *at = u->synopsis + strcspn(u->synopsis, " ");
    at += strspn(at, " ");
    snprintf(out, size, "%.*s", (int)strcspn(at, " \n"), at);
}

void manual_print_page(const struct usage *u)
{
    char name[32], page[40];
    name_of(u, name, sizeof name);
    snprintf(page, sizeof page, "cupel-%s", name);
    put_head(page, summary_of(name));
    puts(".SH SYNOPSIS");
    for (const char *line = u->synopsis; *line; line += strcspn(line, "\n")) {
        line += strspn(line, "\n ");
        put_line(line, strcspn(line, "\n"));
        puts(".br");
    }
    puts(".SH DESCRIPTION");
    put_text(u->description);
    puts(".SH OPTIONS");
    for (size_t i = 0; i < u->count; i++) {
        const struct option_row *row = &u->rows[i];
        char left[80];
        int n = snprintf(left, sizeof left, "%s%s%s", row->name, row->value ? " " : "",
                         row->value ? row->value : "");
        fputs(".TP\n.B ", stdout);
        put_line(left, (size_t)n);
        put_line(row->help, strlen(row->help));
    }
    put_ends();
    puts(".SH SEE ALSO\n.BR cupel (1)");
}

void manual_print_words(const struct usage *u)
{
    for (size_t i = 0; i < u->count; i++)
        printf("%s\t%s\t%s\n", u->rows[i].name, u->rows[i].value ? u->rows[i].value : "",
               u->rows[i].help);
    puts("--help\t\tthis text");
}

void manual_print_overview(void)
{
    put_head("cupel", "test C compilers");
    puts(
        ".SH SYNOPSIS\n.B cupel\n.I COMMAND\n[options]\n.br\n.B cupel help\n.I COMMAND\n"
        ".SH DESCRIPTION\n"
        "Makes programs whose behaviour it knows exactly, gives them to every compiler, and shows\n"
        "who gets them wrong.\n.SH COMMANDS");
    for (size_t i = 0; i < LENGTH(commands); i++) {
        printf(".TP\n.BR cupel\\-%s (1)\n", commands[i].name);
        put_line(commands[i].summary, strlen(commands[i].summary));
    }
    put_ends();
    puts(".SH FILES\n"
         ".TP\n.I ~/.cache/cupel\nwhat was learnt of compilers ($XDG_CACHE_HOME/cupel); may be "
         "removed\n"
         ".TP\n.I cupel\\-hunt\nthe campaign of a hunt that was given no other folder");
}

void manual_print_commands(void)
{
    for (size_t i = 0; i < LENGTH(commands); i++)
        printf("%s\t\t%s\n", commands[i].name, commands[i].summary);
}
