/* The live line on a terminal; elsewhere a plain line every few seconds. */
#include "cmd/view/view.h"

#include "sys/sys.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double redraw_seconds = 0.1, plain_seconds = 5;

void progress_start(struct progress *p, bool quiet)
{
    const char *term = getenv("TERM");
    pthread_mutex_t *lock = malloc(sizeof *lock);
    if (!lock)
        BUG("out of memory");
    pthread_mutex_init(lock, NULL);
    *p = (struct progress){.quiet = quiet, .start = sys_now(), .lock = lock};
    p->terminal = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
    p->last = p->start;
}

static void draw(struct progress *p)
{
    struct winsize size;
    int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
    fprintf(stderr, "\r%.*s\033[K", width - 1, p->line);
    fflush(stderr);
    log_set_status_line(p->line);
}

PRINTF_LIKE(2, 0)
static void set_line(struct progress *p, const char *fmt, va_list args)
{
    struct text said = {0}, line = {0};
    text_vprintf(&said, fmt, args);
    text_puts(&line, "cupel: ");
    text_add_visible(&line, text_str(&said), said.n);
    snprintf(p->line, sizeof p->line, "%s", text_str(&line));
    text_free(&said);
    text_free(&line);
}

void progress_show(struct progress *p, const char *fmt, ...)
{
    if (p->quiet)
        return;
    pthread_mutex_lock(p->lock);
    double now = sys_now();
    if (now - p->last >= (p->terminal ? redraw_seconds : plain_seconds)) {
        va_list args;
        va_start(args, fmt);
        set_line(p, fmt, args);
        va_end(args);
        p->last = now;
        if (p->terminal)
            draw(p);
        else
            fprintf(stderr, "%s\n", p->line);
    }
    pthread_mutex_unlock(p->lock);
}

void progress_end(struct progress *p)
{
    if (!p->lock)
        return;
    if (p->terminal && p->line[0]) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    log_set_status_line(NULL);
    pthread_mutex_destroy(p->lock);
    free(p->lock);
    p->lock = NULL;
}
