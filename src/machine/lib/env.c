/* The environment: empty, but for what the program sets; elsewhere everything is set.  What environ
 * leads to does not follow what these functions set: a program with both is not executed. */
#include "machine/lib/private.h"

#include <errno.h>
#include <string.h>

struct setting {
    const char *name;
    uint64_t value; /* address of its text; 0: known not to be set */
};

/* Is environ not the program's own affair? */
static bool is_hidden(struct lib_call *c)
{
    if (c->m->lib->environ_object)
        lib_unsupported(c, "environ beside getenv, setenv and the like");
    return !c->m->lib->environ_object;
}

static struct setting *setting_of(struct lib_call *c, const char *name, size_t n)
{
    struct list *all = &c->m->lib->settings;
    for (size_t i = 0; i < all->n; i++) {
        struct setting *s = all->at[i];
        if (strlen(s->name) == n && memcmp(s->name, name, n) == 0)
            return s;
    }
    return NULL;
}

static void set(struct lib_call *c, const char *name, size_t n, uint64_t value)
{
    lib_note_state(c, STATE_ENVIRONMENT, true);
    struct setting *s = setting_of(c, name, n);
    if (!s) {
        s = NEW(&c->m->arena, struct setting);
        s->name = arena_copy(&c->m->arena, name, n);
        list_add(&c->m->arena, &c->m->lib->settings, s);
    }
    s->value = value;
}

/* A text of the library's, as a value. */
static uint64_t value_new(struct lib_call *c, const char *text)
{
    struct object *o = lib_new(c->m, strlen(text) + 1, "getenv");
    memcpy(o->bytes, text, strlen(text));
    o->tag = TAG_CHAR;
    o->is_const = CONST_ALL; /* C11 7.22.4.6p4 */
    return o->base;
}

const uint64_t *env_value(struct lib_call *c, const char *name)
{
    lib_note_state(c, STATE_ENVIRONMENT, false);
    const struct setting *s = setting_of(c, name, strlen(name));
    return s ? &s->value : NULL;
}

void lib_getenv(struct lib_call *c)
{
    uint64_t n;
    const char *name = lib_text(c, arg(c, 0), &n);
    lib_note_state(c, STATE_ENVIRONMENT, false);
    const struct setting *s = name && is_hidden(c) ? setting_of(c, name, n) : NULL;
    if (s)
        give(c, s->value);
    else if (name && c->m->options.elsewhere)
        give(c, value_new(c, "1"));
}

/* A name without =, that is not empty. */
static bool is_name(struct lib_call *c, const char *name)
{
    if (*name && !strchr(name, '='))
        return true;
    lib_set_errno(c, EINVAL);
    give_int(c, -1);
    return false;
}

void lib_setenv(struct lib_call *c)
{
    uint64_t n, length;
    const char *name = lib_text(c, arg(c, 0), &n);
    const char *value = name ? lib_text(c, arg(c, 1), &length) : NULL;
    if (!value || !is_hidden(c) || !is_name(c, name))
        return;
    lib_note_state(c, STATE_ENVIRONMENT, false);
    const struct setting *s = setting_of(c, name, n);
    bool is_set = s ? s->value != 0 : c->m->options.elsewhere;
    if (!is_set || arg_int(c, 2))
        set(c, name, n, value_new(c, value));
    give_int(c, 0);
}

void lib_unsetenv(struct lib_call *c)
{
    uint64_t n;
    const char *name = lib_text(c, arg(c, 0), &n);
    if (name && is_hidden(c) && is_name(c, name))
        set(c, name, n, 0);
}

/* The program's own text becomes part of the environment. */
void lib_putenv(struct lib_call *c)
{
    uint64_t n;
    const char *text = is_hidden(c) ? lib_text(c, arg(c, 0), &n) : NULL;
    const char *equals = text ? strchr(text, '=') : NULL;
    if (text && !equals)
        set(c, text, n, 0);
    else if (text)
        set(c, text, (size_t)(equals - text), arg(c, 0) + (uint64_t)(equals - text) + 1);
    give_int(c, 0);
}
