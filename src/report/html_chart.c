/* The page's charts, as SVG that needs no script: bars, which may be made of several kinds, and the
 * findings over time.  Drawn for a narrow screen; wider ones show two beside each other. */
#include "report/private.h"

#include <string.h>

enum { WIDTH = 420, LINE = 24, LEFT = 150, BAR = 120, KINDS = 6 };

/* ---- bars ------------------------------------------------------------------------------- */

/* The end of a long name tells more than its beginning. */
static void put_label(struct text *out, const char *label)
{
    enum { MOST = 18 };
    size_t n = strlen(label);
    if (n > MOST) {
        text_puts(out, "&hellip;");
        label += n - MOST;
    }
    html_put(out, label);
}

static void put_rect(struct text *out, double x, size_t y, double width, size_t kind)
{
    text_printf(out, "<rect class=f%zu x=%.1f y=%zu width=%.1f height=%d />", kind % KINDS, x, y,
                width, LINE - 8);
}

static void put_bar(struct text *out, const struct report_chart *c, const struct report_bar *b,
                    size_t y, double scale)
{
    double x = LEFT;
    text_printf(out, "<text x=%d y=%zu text-anchor=end>", LEFT - 8, y + 12);
    put_label(out, b->label);
    text_puts(out, "</text>");
    for (size_t k = 0; b->parts && k < c->kind_count; k++) {
        if (b->parts[k] > 0)
            put_rect(out, x, y, b->parts[k] * scale, k);
        x += b->parts[k] * scale;
    }
    if (!b->parts)
        put_rect(out, x, y, b->value * scale, 0);
    text_printf(out, "<text x=%.1f y=%zu>%.*f%s", (double)LEFT + b->value * scale + 6, y + 12,
                b->value == (double)(long long)b->value ? 0 : 1, b->value, c->unit);
    if (b->note && *b->note) {
        text_puts(out, " <tspan class=dim>");
        html_put(out, b->note);
        text_puts(out, "</tspan>");
    }
    text_puts(out, "</text>\n");
}

static void put_legend(struct text *out, const struct report_chart *c)
{
    text_puts(out, "<p class=legend>");
    for (size_t k = 0; k < c->kind_count; k++) {
        text_printf(out,
                    "<span><svg width=10 height=10><rect class=f%zu width=10 height=10 />"
                    "</svg> ",
                    k % KINDS);
        html_put(out, c->kinds[k]);
        text_puts(out, "</span> ");
    }
    text_puts(out, "</p>");
}

void report_put_chart(struct text *out, const struct report_chart *c)
{
    double most = 0;
    for (size_t i = 0; i < c->n; i++)
        most = c->bars[i].value > most ? c->bars[i].value : most;
    text_puts(out, "<figure><figcaption>");
    html_put(out, c->title);
    text_puts(out, "</figcaption><svg role=img aria-label=\"");
    html_put(out, c->title);
    text_printf(out, "\" viewBox=\"0 0 %d %zu\">\n", WIDTH, c->n * LINE + 4);
    for (size_t i = 0; i < c->n; i++)
        put_bar(out, c, &c->bars[i], i * LINE + 2, most > 0 ? (double)BAR / most : 0);
    text_puts(out, "</svg>");
    if (c->kind_count)
        put_legend(out, c);
    text_puts(out, "</figure>\n");
}

/* ---- over time -------------------------------------------------------------------------- */

void html_put_duration(struct text *out, double seconds)
{
    if (seconds < 90)
        text_printf(out, "%.0f s", seconds);
    else if (seconds < 5400)
        text_printf(out, "%.0f min", seconds / 60);
    else
        text_printf(out, "%.1f h", seconds / 3600);
}

static void put_axes(struct text *out, const struct report_campaign *c, double span)
{
    text_printf(out,
                "<path class=axis d=\"M30 10V130H400\"/><text x=24 y=16 text-anchor=end>%zu"
                "</text><text x=24 y=134 text-anchor=end>0</text><text x=30 y=148>the first"
                "</text>",
                c->n);
    if (span <= 0)
        return;
    text_puts(out, "<text x=400 y=148 text-anchor=end>");
    html_put_duration(out, span);
    text_puts(out, " later</text>");
}

void html_put_timeline(struct text *out, const struct report_campaign *c)
{
    static const double left = 30, width = 362, bottom = 130, height = 118;
    int64_t begin = INT64_MAX, end = 0;
    for (size_t i = 0; i < c->n; i++) {
        int64_t first = c->subjects[i].finding->first;
        begin = first < begin ? first : begin;
        end = first > end ? first : end;
    }
    double span = (double)(end - begin);
    struct text line = {0}, dots = {0};
    text_printf(&line, "M%.0f %.0f", left, bottom);
    for (size_t i = 0; i < c->n; i++) {
        const struct finding *f = c->subjects[i].finding;
        double x = left + (span > 0 ? (double)(f->first - begin) / span * width : 0);
        double y = bottom - (double)(i + 1) / (double)c->n * height;
        text_printf(&line, "H%.1fV%.1f", x, y);
        text_printf(&dots, "<circle cx=%.1f cy=%.1f r=3><title>%llu: %s</title></circle>", x, y,
                    (unsigned long long)f->id, verdict_info(f->claim.verdict)->name);
    }
    text_puts(out, "<figure><figcaption>Bugs over time</figcaption><svg role=img "
                   "aria-label=\"Bugs over time\" "
                   "viewBox=\"0 0 420 154\">");
    put_axes(out, c, span);
    text_printf(out, "<path class=line d=\"%sH392\"/>%s</svg></figure>\n", text_str(&line),
                text_str(&dots));
    text_free(&line);
    text_free(&dots);
}
