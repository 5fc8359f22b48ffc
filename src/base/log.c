/* Errors, our own mistakes, and notes for people. */
#include "base/base.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The log's state: the one mutable global of this module, behind its lock. */
static struct {
    pthread_mutex_t lock;
    enum log_level level;
    const char *status;
    struct arena arena;
    struct map said;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .level = LOG_NOTE};

void base_bug(const char *file, int line, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "cupel: bug at %s:%d: ", file, line);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

PRINTF_LIKE(3, 0)
static void fail_with(struct err *e, const char *reason, const char *fmt, va_list args)
{
    if (!e)
        return;
    /* fmt's arguments may point into e itself */
    char line[sizeof e->msg];
    int n = vsnprintf(line, sizeof line, fmt, args);
    if (reason && n >= 0 && (size_t)n < sizeof line)
        snprintf(line + n, sizeof line - (size_t)n, ": %s", reason);
    memcpy(e->msg, line, sizeof line);
}

bool fail(struct err *e, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fail_with(e, NULL, fmt, args);
    va_end(args);
    return false;
}

bool fail_errno(struct err *e, const char *fmt, ...)
{
    int error = errno;
    va_list args;
    va_start(args, fmt);
    fail_with(e, strerror(error), fmt, args);
    va_end(args);
    return false;
}

void log_set_level(enum log_level level)
{
    state.level = level;
}

void log_set_status_line(const char *text)
{
    pthread_mutex_lock(&state.lock);
    state.status = text;
    pthread_mutex_unlock(&state.lock);
}

void log_text(const struct text *t)
{
    struct text visible = {0};
    text_add_visible(&visible, text_str(t), t->n);
    fputs(text_str(&visible), stderr);
    fflush(stderr);
    text_free(&visible);
}

/* One write, so that lines of several threads and processes do not mix. */
static void write_line(const char *kind, const char *message)
{
    struct text line = {0};
    text_printf(&line, "%scupel: %s: ", state.status ? "\r\033[K" : "", kind);
    text_add_visible(&line, message, strlen(message));
    text_putc(&line, '\n');
    ssize_t ignored = write(STDERR_FILENO, line.s, line.n);
    (void)ignored;
    text_free(&line);
}

PRINTF_LIKE(2, 0)
static void say(enum log_level level, const char *fmt, va_list args, bool once)
{
    if (level > state.level)
        return;
    struct text message = {0};
    text_vprintf(&message, fmt, args);
    pthread_mutex_lock(&state.lock);
    if (!once || !map_get(&state.said, message.s)) {
        if (once)
            map_set(&state.arena, &state.said, message.s, &state);
        write_line(level == LOG_DEBUG ? "debug" : "note", message.s);
    }
    pthread_mutex_unlock(&state.lock);
    text_free(&message);
}

void log_note(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say(LOG_NOTE, fmt, args, false);
    va_end(args);
}

void log_debug(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say(LOG_DEBUG, fmt, args, false);
    va_end(args);
}

void log_once(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say(LOG_NOTE, fmt, args, true);
    va_end(args);
}
