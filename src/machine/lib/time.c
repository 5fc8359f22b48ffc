/* time.h: a clock that stands, and a calendar in UTC, as in an empty environment, or in the zone
 * that the program sets (zone.c).
 *
 * What time it is, and in which zone, is a choice (choice.def): made otherwise, and elsewhere
 * (struct machine_options), it is another time, that goes on, in another zone. */
#include "machine/lib/private.h"

#include <errno.h>
#include <string.h>
#include <time.h>

/* The first other way has every bit of the time otherwise. */
enum { TIME = 1000000000 };
static const struct moment {
    uint32_t seconds, nanoseconds; /* since 1970 */
    uint32_t clock;                /* used by the program, in microseconds */
    uint32_t step;                 /* how many of these pass from one question to the next */
} moments[] = {
    {TIME, 0, 0, 0},
    {TIME ^ 0x7fffffff, 999999999, 0x7ffff, 1000000},
    {1717171717, 123456789, 1234, 777},
    {2000000023, 7, 98765432, 4000033},
};

/* What it is now; asking takes its time. */
static const struct moment *moment(struct lib_call *c, uint64_t *passed)
{
    bool other = machine_choose(c->m, CHOICE_TIME, c->site->unit, c->site->node);
    const struct moment *t = &moments[other || c->m->options.elsewhere ? 1 + c->m->options.way : 0];
    *passed = t->step * c->m->lib->asked++;
    return t;
}

static uint64_t now(struct lib_call *c)
{
    uint64_t passed;
    const struct moment *t = moment(c, &passed);
    return t->seconds + passed / 1000000;
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
    uint64_t passed;
    const struct moment *t = moment(c, &passed);
    give(c, t->clock + passed);
}

/* Four times of the program and its children, in hundredths of a second. */
void lib_times(struct lib_call *c)
{
    uint64_t passed, none = 0;
    unsigned size = c->p->target->long_.size;
    const struct moment *t = moment(c, &passed);
    uint64_t used = (t->clock + passed) / 10000;
    for (unsigned i = 0; i < 4; i++)
        if (!lib_store(c, arg(c, 0) + i * size, i ? &none : &used, size))
            return;
    give(c, t->seconds % 100000 * 100 + used);
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

/* Behind them lies what glibc adds: the zone's offset, and its name. */
static bool put_tm(struct lib_call *c, uint64_t to, struct tm *t, const struct zone *z)
{
    unsigned size = c->p->target->long_.size;
    uint8_t *bytes = lib_write(c, to, tm_size(c));
    uint64_t east = (uint64_t)(int64_t)z->east, name = zone_name(c, z->name);
    if (!bytes)
        return false;
    memset(bytes, 0, tm_size(c));
    for (unsigned i = 0; i < FIELDS; i++)
        memory_put(c->m, bytes + 4 * i, tm_field(t, i), 4);
    memory_put(c->m, bytes + tm_size(c) - 2 * size, &east, size);
    memory_put(c->m, bytes + tm_size(c) - size, &name, size);
    return true;
}

/* The members that are wanted must be set: a bit each. */
static bool get_tm(struct lib_call *c, uint64_t from, unsigned members, struct tm *t)
{
    memset(t, 0, sizeof *t);
    for (unsigned i = 0; i < FIELDS; i++) {
        if (!(members >> i & 1))
            continue;
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

static const struct zone greenwich = {"GMT", 0, false};

static void break_down(struct lib_call *c, uint64_t to, const struct zone *z)
{
    time_t at;
    struct tm t;
    if (!get_time(c, &at))
        return;
    at += z->east;
    if (!gmtime_r(&at, &t))
        return;
    t.tm_isdst = z->saving;
    if (put_tm(c, to, &t, z))
        give(c, to);
}

void lib_gmtime(struct lib_call *c)
{
    break_down(c, shared_tm(c), &greenwich);
}

void lib_localtime(struct lib_call *c)
{
    struct zone z;
    zone_settle(c);
    if (zone_get(c, &z))
        break_down(c, shared_tm(c), &z);
}

void lib_gmtime_r(struct lib_call *c)
{
    break_down(c, arg(c, 1), &greenwich);
}

/* It need not do what tzset does. */
void lib_localtime_r(struct lib_call *c)
{
    struct zone z;
    if (zone_get(c, &z))
        break_down(c, arg(c, 1), &z);
}

void lib_tzset(struct lib_call *c)
{
    zone_settle(c);
}

/* What glibc does with a time that a long cannot hold: the structure stays as it was. */
static void give_time(struct lib_call *c, time_t v, struct tm *t, const struct zone *z)
{
    if (c->p->target->long_.size < sizeof v && (v > INT32_MAX || v < INT32_MIN)) {
        lib_set_errno(c, EOVERFLOW);
        give(c, (uint64_t)-1);
        return;
    }
    if (put_tm(c, arg(c, 0), t, z))
        give(c, (uint64_t)v);
}

void lib_mktime(struct lib_call *c)
{
    struct tm t;
    struct zone z;
    zone_settle(c);
    if (!get_tm(c, arg(c, 0), (1 << 6) - 1, &t) || !zone_get(c, &z))
        return;
    const uint8_t *saving = lib_read(c, arg(c, 0) + 4 * 8, 4);
    int32_t summer = 0;
    if (!saving)
        return;
    memory_get(c->m, &summer, saving, 4);
    if (summer > 0 && !z.saving) {
        lib_unsupported(c, "daylight saving time");
        return;
    }
    t.tm_hour += summer == 0 && z.saving; /* it was told without */
    time_t v = timegm(&t) - z.east;
    t.tm_isdst = z.saving;
    give_time(c, v, &t, &z);
}

void lib_timegm(struct lib_call *c)
{
    struct tm t;
    if (!get_tm(c, arg(c, 0), (1 << 6) - 1, &t))
        return;
    time_t v = timegm(&t);
    give_time(c, v, &t, &greenwich);
}

/* Two longs: seconds, and what of the next has passed, in this unit. */
static bool put_times(struct lib_call *c, uint64_t to, uint64_t seconds, uint64_t rest)
{
    unsigned size = c->p->target->long_.size;
    return lib_store(c, to, &seconds, size) && lib_store(c, to + size, &rest, size);
}

void lib_timespec_get(struct lib_call *c)
{
    uint64_t passed;
    if (arg_int(c, 1) != TIME_UTC)
        return; /* 0 */
    const struct moment *t = moment(c, &passed);
    uint64_t rest = t->nanoseconds + passed % 1000000 * 1000;
    if (put_times(c, arg(c, 0), t->seconds + passed / 1000000 + rest / 1000000000,
                  rest % 1000000000))
        give_int(c, TIME_UTC);
}

/* CLOCK_REALTIME, and clocks that count from some beginning, or what the program used. */
void lib_clock_gettime(struct lib_call *c)
{
    uint64_t passed;
    int32_t which = arg_int(c, 0);
    if (which < CLOCK_REALTIME || which > CLOCK_BOOTTIME) {
        lib_unsupported(c, "the clock %d", (int)which);
        return;
    }
    const struct moment *t = moment(c, &passed);
    bool real = which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE;
    uint64_t clock = t->clock + passed;
    uint64_t rest = real ? t->nanoseconds + passed % 1000000 * 1000 : clock % 1000000 * 1000;
    uint64_t seconds = real ? t->seconds + passed / 1000000 : clock / 1000000;
    if (put_times(c, arg(c, 1), seconds + rest / 1000000000, rest % 1000000000))
        give_int(c, 0);
}

void lib_gettimeofday(struct lib_call *c)
{
    uint64_t passed;
    if (arg(c, 1)) {
        lib_unsupported(c, "the zone of gettimeofday");
        return;
    }
    const struct moment *t = moment(c, &passed);
    uint64_t rest = t->nanoseconds / 1000 + passed % 1000000;
    if (put_times(c, arg(c, 0), t->seconds + passed / 1000000 + rest / 1000000, rest % 1000000))
        give_int(c, 0);
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
    if (get_tm(c, arg(c, 0), (1 << 7) - 1, &t))
        give_text(c, &t);
}

void lib_ctime(struct lib_call *c)
{
    time_t at;
    struct tm t;
    struct zone z;
    zone_settle(c);
    if (!get_time(c, &at) || !zone_get(c, &z))
        return;
    at += z.east;
    if (gmtime_r(&at, &t))
        give_text(c, &t);
}

/* C11 7.27.3.5p3: which members conversions look at, as bits in the order of tm_field; ZONE: more
 * than these nine. */
enum {
    SEC = 1,
    MIN = 2,
    HOUR = 4,
    MDAY = 8,
    MON = 16,
    YEAR = 32,
    WDAY = 64,
    YDAY = 128,
    DATE = YEAR | MON | MDAY,
    WEEK = YEAR | WDAY | YDAY,
    ZONE = 512
};
static const struct {
    const char *conversions;
    unsigned members;
} looks_at[] = {{"aAuw", WDAY}, {"bBhm", MON},       {"c", DATE | HOUR | MIN | SEC | WDAY},
                {"CyY", YEAR},  {"de", MDAY},        {"DFx", DATE},
                {"gGV", WEEK},  {"HIklpP", HOUR},    {"j", YDAY},
                {"M", MIN},     {"R", HOUR | MIN},   {"rTX", HOUR | MIN | SEC},
                {"S", SEC},     {"UW", YDAY | WDAY}, {"nt%", 0},
                {"zZs+", ZONE}};

static unsigned members_of(char conversion)
{
    for (size_t i = 0; i < LENGTH(looks_at); i++)
        if (strchr(looks_at[i].conversions, conversion))
            return looks_at[i].members;
    return ZONE - 1;
}

static unsigned members_in(const char *format)
{
    unsigned members = 0;
    for (const char *f = strchr(format, '%'); f && f[1]; f = strchr(f, '%')) {
        f += 1 + strspn(f + 1, "EO_-0^#123456789");
        members |= *f ? members_of(*f) : 0;
        f += *f != 0;
    }
    return members;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* it is the program's */
void lib_strftime(struct lib_call *c)
{
    uint64_t n;
    struct tm t;
    const char *format = lib_text(c, arg(c, 2), &n);
    unsigned members = format ? members_in(format) : 0;
    if (!format || !get_tm(c, arg(c, 3), members, &t))
        return;
    zone_settle(c);
    if (members & ZONE || arg(c, 1) > 1 << 20) {
        lib_unsupported(c, "the format \"%s\"", format);
        return;
    }
    char *text = arena_alloc(&c->m->arena, arg(c, 1) + 1);
    size_t size = strftime(text, arg(c, 1), format, &t);
    bool apart = size == 0 || (lib_apart(c, arg(c, 0), size + 1, arg(c, 2), n + 1) &&
                               lib_apart(c, arg(c, 0), size + 1, arg(c, 3), FIELDS * 4));
    uint8_t *to = size && apart ? lib_write(c, arg(c, 0), size + 1) : NULL;
    if (to)
        memcpy(to, text, size + 1);
    give(c, size);
}
#pragma GCC diagnostic pop
