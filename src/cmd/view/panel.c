/* Drawing the panel. */
#include "cmd/view/view.h"

#include "sys/sys.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double redraw_seconds = 0.4, plain_seconds = 10;

/* ---- numbers ------------------------------------------------------------------------- */

static double number(const json_t *j, const char *key)
{
    return json_number_value(json_object_get(j, key));
}

static const char *string(const json_t *j, const char *key)
{
    const char *s = json_string_value(json_object_get(j, key));
    return s ? s : "";
}

static void put_time(struct text *out, double seconds)
{
    unsigned long s = (unsigned long)seconds;
    if (s >= 3600)
        text_printf(out, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    else
        text_printf(out, "%lu:%02lu", s / 60, s % 60);
}

/* ---- rendering ----------------------------------------------------------------------- */

void panel_render_line(const json_t *s, struct text *out)
{
    double elapsed = number(s, "elapsed");
    put_time(out, elapsed);
    text_printf(out, " %.0f programs, %.0f compiles", number(s, "programs"), number(s, "compiles"));
    if (elapsed > 1)
        text_printf(out, " (%.1f and %.1f a second)", number(s, "programs_now") / elapsed,
                    number(s, "compiles_now") / elapsed);
    text_printf(out, ", %.1f%% of the CPU in compilers, %.0f findings", 100 * number(s, "share"),
                number(s, "findings"));
    if (number(s, "new") > 0)
        text_printf(out, " (%.0f new)", number(s, "new"));
}

static void put_strategies(const json_t *s, struct text *out)
{
    size_t i;
    json_t *one;
    text_puts(out, "by strategy:");
    json_array_foreach(json_object_get(s, "strategies"), i, one)
        text_printf(out, "%s %s %.0f in %.0f programs (%.0f%%)", i ? "," : "", string(one, "name"),
                    number(one, "findings"), number(one, "programs"), 100 * number(one, "share"));
    text_putc(out, '\n');
}

static void put_compilers(const json_t *s, struct text *out)
{
    const char *name;
    json_t *n, *all = json_object_get(s, "compilers");
    bool first = true;
    if (!json_object_size(all))
        return;
    text_puts(out, "by compiler:");
    json_object_foreach(all, name, n)
    {
        text_printf(out, "%s %s %lld", first ? "" : ",", name, (long long)json_integer_value(n));
        first = false;
    }
    text_putc(out, '\n');
}

static void put_newest(const json_t *s, struct text *out)
{
    size_t i;
    json_t *f;
    json_array_foreach(json_object_get(s, "newest"), i, f)
    {
        const char *signature = string(f, "signature");
        text_printf(out, "  %3lld %-14s %s%s%s (%s)\n",
                    (long long)json_integer_value(json_object_get(f, "id")), string(f, "verdict"),
                    string(f, "config"), *signature ? ": " : "", signature, string(f, "grade"));
    }
}

/* Copies lines, cut to the width and the height. */
static void fit(const struct text *all, unsigned columns, unsigned rows, struct text *out)
{
    const char *p = text_str(all);
    for (unsigned row = 0; *p && row < rows; row++) {
        size_t n = strcspn(p, "\n");
        text_add(out, p, n < columns ? n : columns);
        text_putc(out, '\n');
        p += n + (p[n] == '\n');
    }
}

void panel_render(const json_t *s, unsigned columns, unsigned rows, struct text *out)
{
    struct text all = {0};
    text_printf(&all, "cupel %s %s: ", string(s, "state"), string(s, "dir"));
    panel_render_line(s, &all);
    text_putc(&all, '\n');
    put_strategies(s, &all);
    put_compilers(s, &all);
    put_newest(s, &all);
    fit(&all, columns, rows, out);
    text_free(&all);
}

/* ---- the terminal -------------------------------------------------------------------- */

void panel_start(struct panel *p, bool quiet)
{
    const char *term = getenv("TERM");
    *p = (struct panel){.quiet = quiet, .last = sys_now()};
    p->terminal = !quiet && isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

static void wipe(struct panel *p)
{
    if (p->lines)
        fprintf(stderr, "\033[%uA\r\033[J", p->lines);
    p->lines = 0;
}

/* The size is asked for each time: the window may have another one by now. */
static void draw(struct panel *p, const json_t *status)
{
    struct winsize size;
    struct text out = {0};
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row > 1;
    unsigned columns = known ? size.ws_col : 80, rows = known ? size.ws_row - 1u : 10;
    panel_render(status, columns > 1 ? columns - 1 : 1, rows < 9 ? rows : 9, &out);
    wipe(p);
    for (size_t i = 0; i < out.n; i++)
        p->lines += out.s[i] == '\n';
    fwrite(text_str(&out), 1, out.n, stderr);
    fflush(stderr);
    text_free(&out);
}

void panel_show(struct panel *p, const json_t *status)
{
    double now = sys_now();
    bool last = strcmp(string(status, "state"), "hunting") != 0;
    if (p->quiet || (!last && now - p->last < (p->terminal ? redraw_seconds : plain_seconds)))
        return;
    p->last = now;
    if (p->terminal) {
        draw(p, status);
    } else {
        struct text line = {0};
        panel_render_line(status, &line);
        fprintf(stderr, "cupel: %s\n", text_str(&line));
        text_free(&line);
    }
}

void panel_say(struct panel *p, const char *line)
{
    if (p->quiet)
        return;
    wipe(p);
    fprintf(stderr, "cupel: %s\n", line);
    p->last = 0;
}

void panel_end(struct panel *p)
{
    p->lines = 0;
    fflush(stderr);
}
