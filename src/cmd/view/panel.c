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

/* ---- rendering ----------------------------------------------------------------------- */

void panel_render_line(const struct hunt_status *s, struct text *out)
{
    put_time(out, s->elapsed);
    text_printf(out, " %llu programs, %llu compiles", (unsigned long long)s->programs,
                (unsigned long long)s->compiles);
    if (s->elapsed > 1)
        text_printf(out, " (%.1f and %.1f a second)", (double)s->programs_now / s->elapsed,
                    (double)s->compiles_now / s->elapsed);
    text_printf(out, ", %.1f%% of the CPU in compilers, %llu findings", 100 * s->share,
                (unsigned long long)s->findings);
    if (s->new_findings)
        text_printf(out, " (%llu new)", (unsigned long long)s->new_findings);
}

static void put_arms(const char *what, const struct hunt_arm *arms, size_t n, struct text *out)
{
    text_printf(out, "by %s:", what);
    for (size_t i = 0; i < n; i++)
        text_printf(out, "%s %s %llu in %llu (%.0f%%)", i ? "," : "", arms[i].name,
                    (unsigned long long)arms[i].findings, (unsigned long long)arms[i].programs,
                    100 * arms[i].share);
    text_putc(out, '\n');
}

/* A line for each strategy: what became of its programs, and CPU seconds for one of them. */
static void put_fates(const struct hunt_status *s, struct text *out)
{
    for (size_t i = 0; i < s->fate_count; i++) {
        const struct hunt_fates *f = &s->fates[i];
        double n = (double)f->all;
        text_printf(out, "%s: %llu generated", f->strategy, (unsigned long long)f->all);
        for (size_t k = 0; k < FATE_COUNT; k++)
            if (f->n[k])
                text_printf(out, ", %llu %s", (unsigned long long)f->n[k], hunt_fate_name(k));
        text_printf(out, "; %.2f s to make, %.2f s to compile and run, %.2f s to validate\n",
                    f->make / n, f->run / n, f->validate / n);
    }
}

static void put_compilers(const struct hunt_status *s, struct text *out)
{
    if (!s->compiler_count)
        return;
    text_puts(out, "by compiler:");
    for (size_t i = 0; i < s->compiler_count; i++)
        text_printf(out, "%s %s %llu", i ? "," : "", s->compilers[i].name,
                    (unsigned long long)s->compilers[i].n);
    text_putc(out, '\n');
}

static void put_newest(const struct hunt_status *s, struct text *out)
{
    for (size_t i = 0; i < s->newest_count; i++) {
        const struct finding_claim *c = &s->newest[i].claim;
        text_printf(out, "  %3llu %-14s %s%s%s (%s)\n", (unsigned long long)s->newest[i].id,
                    verdict_info(c->verdict)->name, c->config, *c->signature ? ": " : "",
                    c->signature, grade_name(s->newest[i].evidence.grade));
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

void panel_render(const struct hunt_status *s, unsigned columns, unsigned rows, struct text *out)
{
    struct text all = {0};
    text_printf(&all, "cupel %s %s: ", s->state == HUNT_HUNTING ? "hunting" : "stopped", s->dir);
    panel_render_line(s, &all);
    text_putc(&all, '\n');
    put_arms("strategy", s->strategies, s->strategy_count, &all);
    put_arms("profile", s->profiles, s->profile_count, &all);
    put_arms("flags", s->classes, s->class_count, &all);
    put_fates(s, &all);
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
static void draw(struct panel *p, const struct hunt_status *status)
{
    struct winsize size;
    struct text out = {0};
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row > 1;
    unsigned columns = known ? size.ws_col : 80, rows = known ? size.ws_row - 1u : 10;
    panel_render(status, columns > 1 ? columns - 1 : 1, rows < 11 ? rows : 11, &out);
    wipe(p);
    for (size_t i = 0; i < out.n; i++)
        p->lines += out.s[i] == '\n';
    log_text(&out);
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
    wipe(p);
    struct text said = {0};
    text_printf(&said, "cupel: %s\n", line);
    log_text(&said);
    text_free(&said);
    p->last = 0;
}

void panel_end(struct panel *p)
{
    p->lines = 0;
    fflush(stderr);
}
