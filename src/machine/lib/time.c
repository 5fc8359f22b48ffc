/* time.h: a clock that stands, and a calendar in UTC, as in an empty environment.
 *
 * Elsewhere (struct machine_options) it is another time, that goes on, in another zone. */
#include "machine/lib/private.h"

#include <errno.h>
#include <string.h>
#include <time.h>

/* Elsewhere every bit is another one, at first. */
enum { TIME = 1000000000, OTHER_TIME = TIME ^ 0x7fffffff, OTHER_CLOCK = 0x7ffff };

static uint64_t now(struct lib_call *c)
{
    return c->m->options.elsewhere ? OTHER_TIME + c->m->lib->asked++ : TIME;
}

void lib_time(struct lib_call *c)
{
    uint64_t v = now(c);
    if (arg(c, 0))
        lib_store(c, arg(c, 0), &v, c->p->target->long_.size);
    give(c, v);
}

/* Nobody sees that it takes its time. */
void lib_sleep(struct lib_call *c)
{
    give_int(c, 0);
}

void lib_nanosleep(struct lib_call *c)
{
    unsigned size = c->p->target->long_.size;
    const uint8_t *of = lib_read(c, arg(c, 0), 2 * (uint64_t)size);
    uint64_t seconds = 0, rest = 0;
    if (!of)
        return;
    memory_get(c->m, &seconds, of, size);
    memory_get(c->m, &rest, of + size, size);
    bool valid = seconds >> (8 * size - 1) == 0 && rest < 1000000000;
    if (!valid)
        lib_set_errno(c, EINVAL);
    give_int(c, valid ? 0 : -1);
}

void lib_clock(struct lib_call *c)
{
    give(c, c->m->options.elsewhere ? OTHER_CLOCK + 1000 * c->m->lib->asked++ : 0);
}

void lib_difftime(struct lib_call *c)
{
    double v = (double)(int64_t)arg(c, 0) - (double)(int64_t)arg(c, 1);
    memcpy(c->result, &v, sizeof v);
}

/* ---- struct tm: nine ints first, on every target of glibc ------------------------------- */

enum { FIELDS = 9 };

static uint64_t tm_size(const struct lib_call *c)
{
    unsigned size = c->p->target->long_.size;
    return size == 8 ? 56 : 44; /* and behind them a long and a pointer */
}

static int *tm_field(struct tm *t, unsigned i)
{
    int *const fields[FIELDS] = {&t->tm_sec,  &t->tm_min,  &t->tm_hour, &t->tm_mday, &t->tm_mon,
                                 &t->tm_year, &t->tm_wday, &t->tm_yday, &t->tm_isdst};
    return fields[i];
}

static bool put_tm(struct lib_call *c, uint64_t to, struct tm *t)
{
    uint8_t *bytes = lib_write(c, to, tm_size(c));
    if (!bytes)
        return false;
    memset(bytes, 0, tm_size(c));
    for (unsigned i = 0; i < FIELDS; i++)
        memory_put(c->m, bytes + 4 * i, tm_field(t, i), 4);
    return true;
}

/* Fields from first to behind must be set. */
static bool get_tm(struct lib_call *c, uint64_t from, unsigned fields, struct tm *t)
{
    memset(t, 0, sizeof *t);
    for (unsigned i = 0; i < fields; i++) {
        const uint8_t *bytes = lib_read(c, from + 4 * (uint64_t)i, 4);
        if (!bytes)
            return false;
        memory_get(c->m, tm_field(t, i), bytes, 4);
    }
    return true;
}

/* The time that argument 0 points to. */
static bool get_time(struct lib_call *c, time_t *t)
{
    const uint8_t *bytes = lib_read(c, arg(c, 0), c->p->target->long_.size);
    int64_t v = 0;
    if (bytes)
        memory_get(c->m, &v, bytes, c->p->target->long_.size);
    *t = c->p->target->long_.size == 8 ? v : (int32_t)v;
    return bytes;
}

/* The static object that gmtime, localtime and the others share. */
static uint64_t shared_tm(struct lib_call *c)
{
    struct library *l = c->m->lib;
    if (!l->tm_object)
        l->tm_object = lib_new(c->m, tm_size(c), "tm");
    return l->tm_object->base;
}

static void break_down(struct lib_call *c, uint64_t to, bool local)
{
    time_t at;
    struct tm t;
    if (!get_time(c, &at))
        return;
    at += local && c->m->options.elsewhere ? 3600 : 0;
    if (gmtime_r(&at, &t) && put_tm(c, to, &t))
        give(c, to);
}

void lib_gmtime(struct lib_call *c)
{
    break_down(c, shared_tm(c), false);
}

void lib_localtime(struct lib_call *c)
{
    break_down(c, shared_tm(c), true);
}

void lib_gmtime_r(struct lib_call *c)
{
    break_down(c, arg(c, 1), false);
}

void lib_localtime_r(struct lib_call *c)
{
    break_down(c, arg(c, 1), true);
}

void lib_mktime(struct lib_call *c)
{
    struct tm t;
    if (!get_tm(c, arg(c, 0), 6, &t))
        return;
    const uint8_t *saving = lib_read(c, arg(c, 0) + 4 * 8, 4);
    int32_t summer = 0;
    if (!saving)
        return;
    memory_get(c->m, &summer, saving, 4);
    if (summer > 0) {
        lib_unsupported(c, "daylight saving time");
        return;
    }
    time_t v = timegm(&t) - (c->m->options.elsewhere ? 3600 : 0);
    if (put_tm(c, arg(c, 0), &t))
        give(c, (uint64_t)v);
}

void lib_timegm(struct lib_call *c)
{
    struct tm t;
    if (!get_tm(c, arg(c, 0), 6, &t))
        return;
    time_t v = timegm(&t);
    if (put_tm(c, arg(c, 0), &t))
        give(c, (uint64_t)v);
}

void lib_timespec_get(struct lib_call *c)
{
    unsigned size = c->p->target->long_.size;
    uint64_t at[2] = {now(c), 0};
    if (arg_int(c, 1) != TIME_UTC)
        return; /* 0 */
    if (lib_store(c, arg(c, 0), &at[0], size) && lib_store(c, arg(c, 0) + size, &at[1], size))
        give_int(c, TIME_UTC);
}

/* ---- texts ------------------------------------------------------------------------------ */

static void give_text(struct lib_call *c, const struct tm *t)
{
    struct library *l = c->m->lib;
    char text[64];
    if (t->tm_wday < 0 || t->tm_wday > 6 || t->tm_mon < 0 || t->tm_mon > 11 ||
        t->tm_year > 9999 - 1900) { /* C11 7.27.3.1: its array would be too small */
        lib_undefined(c, UB_LIB_ARG, "a member is outside of its range");
        return;
    }
    if (!l->time_text)
        l->time_text = lib_new(c->m, sizeof text, "asctime");
    if (!asctime_r(t, text))
        return;
    memcpy(l->time_text->bytes, text, strlen(text) + 1);
    give(c, l->time_text->base);
}

void lib_asctime(struct lib_call *c)
{
    struct tm t;
    if (get_tm(c, arg(c, 0), 7, &t))
        give_text(c, &t);
}

void lib_ctime(struct lib_call *c)
{
    time_t at;
    struct tm t;
    if (!get_time(c, &at))
        return;
    at += c->m->options.elsewhere ? 3600 : 0;
    if (gmtime_r(&at, &t))
        give_text(c, &t);
}

/* Conversions that need more than the nine members. */
static bool names_zone(const char *format)
{
    for (const char *f = strchr(format, '%'); f; f = strchr(f, '%')) {
        f += 1 + strspn(f + 1, "EO_-0^#123456789");
        if (strchr("zZs+", *f) && *f)
            return true;
        f += *f != 0;
    }
    return false;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* it is the program's */
void lib_strftime(struct lib_call *c)
{
    uint64_t n;
    struct tm t;
    const char *format = lib_text(c, arg(c, 2), &n);
    if (!format || !get_tm(c, arg(c, 3), FIELDS, &t))
        return;
    if (names_zone(format) || arg(c, 1) > 1 << 20) {
        lib_unsupported(c, "the format \"%s\"", format);
        return;
    }
    char *text = arena_alloc(&c->m->arena, arg(c, 1) + 1);
    size_t size = strftime(text, arg(c, 1), format, &t);
    uint8_t *to = size ? lib_write(c, arg(c, 0), size + 1) : NULL;
    if (to)
        memcpy(to, text, size + 1);
    give(c, size);
}
#pragma GCC diagnostic pop
