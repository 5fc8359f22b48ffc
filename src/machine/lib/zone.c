/* The time zone: UTC, or some other that the machine a program runs on may have (a choice,
 * CHOICE_TIME), or what the program itself sets by TZ.  Of those only fixed ones are known
 * (POSIX.1 8.3: a name and an offset): summer time by rules, and zones that are files, are
 * unsupported. */
#include "machine/lib/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct zone zones[] = {
    {"UTC", 0, false},
    {"CET", 3600, false},
    {"NST", -34200, true},
    {"+1245", 45900, false},
};

/* A number of at most two digits, which is passed. */
static bool two_digits(const char **s, int32_t most, int32_t *v)
{
    if (!isdigit((unsigned char)**s))
        return false;
    for (*v = 0; isdigit((unsigned char)**s) && *v <= most; ++*s)
        *v = *v * 10 + **s - '0';
    return *v <= most;
}

/* [+-]hh[:mm[:ss]], west of Greenwich. */
static bool read_offset(const char *s, int32_t *east)
{
    int32_t sign = *s == '-' ? 1 : -1, hours, minutes = 0, seconds = 0;
    s += *s == '-' || *s == '+';
    bool ok = two_digits(&s, 24, &hours);
    if (ok && *s == ':')
        ok = s++, two_digits(&s, 59, &minutes);
    if (ok && *s == ':')
        ok = s++, two_digits(&s, 59, &seconds);
    *east = sign * (hours * 3600 + minutes * 60 + seconds);
    return ok && !*s;
}

static bool read_zone(struct lib_call *c, const char *s, struct zone *z)
{
    if (!*s || strcmp(s, "UTC") == 0 || strcmp(s, "GMT") == 0) {
        *z = (struct zone){*s ? arena_string(&c->m->arena, s) : "UTC", 0, false};
        return true;
    }
    bool quoted = *s == '<';
    const char *name = s + quoted;
    size_t n = 0;
    while (isalpha((unsigned char)name[n]) ||
           (quoted && name[n] && strchr("+-0123456789", name[n])))
        n++;
    if (n < 3 || (quoted && name[n] != '>'))
        return false;
    z->name = arena_copy(&c->m->arena, name, n);
    z->saving = false;
    return read_offset(name + n + quoted, &z->east);
}

/* The text of TZ, when the program set it; 0: it did not, or took it away. */
static uint64_t own_zone(struct lib_call *c)
{
    const uint64_t *value = env_value(c, "TZ");
    return value ? *value : 0;
}

void zone_settle(struct lib_call *c)
{
    lib_note_state(c, STATE_ZONE, true);
    c->m->lib->zone_settled = own_zone(c);
}

bool zone_get(struct lib_call *c, struct zone *z)
{
    uint64_t own = own_zone(c), n;
    lib_note_state(c, STATE_ZONE, false);
    if (own != c->m->lib->zone_settled) {
        lib_unsupported(c, "a time zone that was set, but not by tzset");
        return false;
    }
    if (!own) {
        bool other = machine_choose(c->m, CHOICE_TIME, c->site->unit, c->site->node);
        *z = zones[other || c->m->options.elsewhere ? 1 + c->m->options.way : 0];
        return true;
    }
    const char *text = lib_text(c, own, &n);
    if (!text)
        return false;
    if (!read_zone(c, text, z)) {
        lib_unsupported(c, "the time zone \"%s\"", text);
        return false;
    }
    return true;
}

uint64_t zone_name(struct lib_call *c, const char *name)
{
    struct library *l = c->m->lib;
    for (size_t i = 0; i < l->zone_names.n; i++) {
        const struct object *o = l->zone_names.at[i];
        if (strcmp((const char *)o->bytes, name) == 0)
            return o->base;
    }
    struct object *o = lib_new(c->m, strlen(name) + 1, "tm_zone");
    memcpy(o->bytes, name, strlen(name));
    o->tag = TAG_CHAR;
    o->is_const = CONST_ALL;
    list_add(&c->m->arena, &l->zone_names, o);
    return o->base;
}
