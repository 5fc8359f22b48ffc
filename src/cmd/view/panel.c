/* Drawing the panel. */
#include "cmd/view/view.h"

#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double redraw_seconds = 0.4, plain_seconds = 10;

/* ---- numbers ------------------------------------------------------------------------- */

static void put_time(struct text *out, double seconds)
{
    unsigned long s = (unsigned long)seconds;
    if (s >= 3600)
        text_printf(out, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    else
        text_printf(out, "%lu:%02lu", s / 60, s % 60);
}

/* ---- a sheet: lines, each in its paint ------------------------------------------------- */

enum { SHEET_ROWS = 100 };

struct sheet {
    struct text text;
    enum paint {
        PAINT_PLAIN,
        PAINT_GOOD,
        PAINT_FOUND,
        PAINT_FAINT
    } paint[SHEET_ROWS]; /* of each line */
    size_t n;
};

static const char *const paints[] = {
    [PAINT_PLAIN] = "", [PAINT_GOOD] = "32", [PAINT_FOUND] = "1;31", [PAINT_FAINT] = "2"};

/* Ends a line. */
static void end_line(struct sheet *s, enum paint paint)
{
    text_putc(&s->text, '\n');
    if (s->n < SHEET_ROWS)
        s->paint[s->n++] = paint;
}

/* ---- rendering ----------------------------------------------------------------------- */

/* How many were found when: blocks of eight heights where the terminal can show them, else digits.
 * An empty slot is the lowest of them. */
static void put_history(const struct hunt_history *h, bool utf8, struct text *out)
{
    static const char *const blocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                         "\u2585", "\u2586", "\u2587", "\u2588"};
    unsigned most = 1;
    for (size_t i = 0; i < h->n; i++)
        most = h->found[i] > most ? h->found[i] : most;
    for (size_t i = 0; i < h->n; i++) {
        unsigned found = h->found[i];
        if (utf8)
            text_puts(out, blocks[most > 7 ? found * 7 / most : found]);
        else
            text_putc(out, found > 9 ? '+' : found ? (char)('0' + found) : '.');
    }
}

static void put_findings(const struct hunt_status *s, struct text *out)
{
    text_printf(out, "%llu finding%s", (unsigned long long)s->findings,
                s->findings == 1 ? "" : "s");
    if (s->new_findings)
        text_printf(out, " (%llu new)", (unsigned long long)s->new_findings);
}

static void put_work(const struct hunt_status *s, struct text *out)
{
    text_printf(out, "%llu programs, %llu compiles", (unsigned long long)s->programs,
                (unsigned long long)s->compiles);
    if (s->elapsed > 1)
        text_printf(out, " (%.1f and %.1f a second)", (double)s->programs_now / s->elapsed,
                    (double)s->compiles_now / s->elapsed);
    text_printf(out, ", %.0f%% CPU in compilers", 100 * s->share);
}

void panel_render_line(const struct hunt_status *s, struct text *out)
{
    put_findings(s, out);
    text_puts(out, " after ");
    put_time(out, s->elapsed);
    text_puts(out, ": ");
    put_work(s, out);
}

/* Findings first: whatever the width, they are to be seen. */
static void put_head(const struct hunt_status *s, bool utf8, struct sheet *out)
{
    put_findings(s, &out->text);
    text_puts(&out->text, s->state == HUNT_HUNTING ? "  hunting " : "  stopped ");
    put_time(&out->text, s->elapsed);
    if (s->limit > 0) {
        text_puts(&out->text, " of ");
        put_time(&out->text, s->limit);
    }
    text_puts(&out->text, "  ");
    put_history(&s->history, utf8, &out->text);
    text_printf(&out->text, "  %s", s->dir);
    end_line(out, s->findings ? PAINT_FOUND : PAINT_GOOD);
    put_work(s, &out->text);
    end_line(out, PAINT_PLAIN);
}

static void put_arms(const char *what, const struct hunt_arm *arms, size_t n, struct sheet *out)
{
    text_printf(&out->text, "by %s:", what);
    for (size_t i = 0; i < n; i++)
        text_printf(&out->text, "%s %s %llu in %llu (%.0f%%)", i ? "," : "", arms[i].name,
                    (unsigned long long)arms[i].findings, (unsigned long long)arms[i].programs,
                    100 * arms[i].share);
    end_line(out, PAINT_FAINT);
}

/* A line for each strategy: what became of its programs, and CPU seconds for one of them. */
static void put_fates(const struct hunt_status *s, struct sheet *sheet)
{
    struct text *out = &sheet->text;
    for (size_t i = 0; i < s->fate_count; i++) {
        const struct hunt_fates *f = &s->fates[i];
        double n = (double)f->all;
        text_printf(out, "%s: %llu generated", f->strategy, (unsigned long long)f->all);
        for (size_t k = 0; k < FATE_COUNT; k++)
            if (f->n[k])
                text_printf(out, ", %llu %s", (unsigned long long)f->n[k], hunt_fate_name(k));
        text_printf(out, "; %.2f s to make, %.2f s to compile and run, %.2f s to validate",
                    f->make / n, f->run / n, f->validate / n);
        end_line(sheet, PAINT_FAINT);
    }
}

static void put_compilers(const struct hunt_status *s, struct sheet *out)
{
    if (!s->compiler_count)
        return;
    text_puts(&out->text, "by compiler:");
    for (size_t i = 0; i < s->compiler_count; i++)
        text_printf(&out->text, "%s %s %llu", i ? "," : "", s->compilers[i].name,
                    (unsigned long long)s->compilers[i].n);
    end_line(out, PAINT_PLAIN);
}

static void put_newest(const struct hunt_status *s, struct sheet *out)
{
    for (size_t i = 0; i < s->newest_count; i++) {
        const struct finding *f = &s->newest[i];
        const char *what = *f->claim.signature ? f->claim.signature : f->blame.pass;
        text_printf(&out->text, "%4llu %-14s %s%s%s (%s", (unsigned long long)f->id,
                    verdict_info(f->claim.verdict)->name, f->claim.config,
                    what && *what ? ": " : "", what ? what : "", grade_name(f->evidence.grade));
        if (f->reduced.lines)
            text_printf(&out->text, ", %llu line%s", (unsigned long long)f->reduced.lines,
                        f->reduced.lines == 1 ? "" : "s");
        text_putc(&out->text, ')');
        end_line(out, PAINT_PLAIN);
    }
}

static void put_all(const struct hunt_status *s, bool utf8, struct sheet *out)
{
    put_head(s, utf8, out);
    put_compilers(s, out);
    put_newest(s, out);
    put_arms("strategy", s->strategies, s->strategy_count, out);
    put_arms("profile", s->profiles, s->profile_count, out);
    put_arms("flags", s->classes, s->class_count, out);
    put_fates(s, out);
}

/* ---- fitting ------------------------------------------------------------------------- */

/* Bytes of a line that take at most so many columns; *width is how many they take. */
static size_t cut(const char *line, size_t n, unsigned columns, unsigned *width)
{
    size_t i = 0;
    for (*width = 0; i < n; i++) {
        bool begins = ((unsigned char)line[i] & 0xc0) != 0x80;
        if (begins && *width == columns)
            break;
        *width += begins;
    }
    return i;
}

static void put_painted(const char *line, size_t n, enum paint paint,
                        const struct panel_frame *frame, struct text *out)
{
    bool painted = frame->colour && *paints[paint];
    if (painted)
        text_printf(out, "\033[%sm", paints[paint]);
    text_add_visible(out, line, n);
    if (painted)
        text_puts(out, "\033[0m");
    text_puts(out, frame->erase ? "\033[K\n" : "\n");
}

/* Copies lines, cut to the width and the height; what they hold is made visible. */
static void fit(const struct sheet *s, const struct panel_frame *frame, struct panel_extent *extent,
                struct text *out)
{
    const char *p = text_str(&s->text);
    for (extent->n = 0; *p && extent->n < frame->rows && extent->n < s->n; extent->n++) {
        size_t all = strcspn(p, "\n");
        size_t n = cut(p, all, frame->columns, &extent->width[extent->n]);
        put_painted(p, n, s->paint[extent->n], frame, out);
        p += all + (p[all] == '\n');
    }
}

void panel_render(const struct hunt_status *s, const struct panel_frame *frame,
                  struct panel_extent *extent, struct text *out)
{
    struct sheet sheet = {0};
    struct panel_extent unused;
    put_all(s, frame->utf8, &sheet);
    fit(&sheet, frame, extent ? extent : &unused, out);
    text_free(&sheet.text);
}

/* ---- the terminal -------------------------------------------------------------------- */

enum { PANEL_ROWS = 12 };

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

/* As the locale's variables say, the strongest first. */
static bool is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (is_set(names[i]))
            return strcasestr(getenv(names[i]), "utf-8") || strcasestr(getenv(names[i]), "utf8");
    return false;
}

void panel_start(struct panel *p, bool quiet)
{
    const char *term = getenv("TERM");
    *p = (struct panel){.quiet = quiet, .last = sys_now()};
    p->terminal = !quiet && isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
    p->frame.colour = p->terminal && !is_set("NO_COLOR");
    p->frame.erase = p->terminal;
    p->frame.utf8 = is_utf8();
}

/* The size is asked for each time: the window may have another one by now. */
static void measure(struct panel *p)
{
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row > 1;
    unsigned columns = known ? size.ws_col : 80, rows = known ? size.ws_row - 1u : 10;
    p->frame.columns = columns > 1 ? columns - 1 : 1;
    p->frame.rows = rows < PANEL_ROWS ? rows : PANEL_ROWS;
}

/* To the first of the lines that were drawn.  A window that became narrower has broken those that
 * were wider into several. */
static void go_back(struct panel *p)
{
    unsigned lines = 0;
    measure(p);
    for (size_t i = 0; i < p->drawn.n; i++)
        lines += 1 + (p->drawn.width[i] ? (p->drawn.width[i] - 1) / (p->frame.columns + 1) : 0);
    if (lines)
        fprintf(stderr, "\033[%uA\r", lines);
    p->drawn.n = 0;
}

static void draw(struct panel *p, const struct hunt_status *status)
{
    struct text out = {0};
    go_back(p);
    panel_render(status, &p->frame, &p->drawn, &out);
    fwrite(text_str(&out), 1, out.n, stderr);
    fputs("\033[J", stderr);
    fflush(stderr);
    text_free(&out);
}

void panel_show(struct panel *p, const struct hunt_status *status)
{
    double now = sys_now();
    bool last = status->state != HUNT_HUNTING;
    if (p->quiet || (!last && now - p->last < (p->terminal ? redraw_seconds : plain_seconds)))
        return;
    p->last = now;
    if (p->terminal) {
        draw(p, status);
    } else {
        struct text line = {0};
        panel_render_line(status, &line);
        text_putc(&line, '\n');
        fputs("cupel: ", stderr);
        log_text(&line);
        text_free(&line);
    }
}

void panel_say(struct panel *p, const char *line)
{
    if (p->quiet)
        return;
    go_back(p);
    struct text said = {0};
    text_printf(&said, "cupel: %s", line);
    log_text(&said);
    fputs(p->terminal ? "\033[K\n\033[J" : "\n", stderr);
    text_free(&said);
    p->last = 0;
}

void panel_end(struct panel *p)
{
    p->drawn.n = 0;
    fflush(stderr);
}
