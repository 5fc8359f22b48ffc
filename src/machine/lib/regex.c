/* regex.h: the host's own, on copies of the program's strings.
 *
 * The program's regex_t only says how many subexpressions there are; what was compiled stays here,
 * by the address of that object. */
#include "machine/lib/private.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PATTERN = 1000, MOST_TEXT = 1 << 20, MOST_REPEATS = 1000, MOST_MATCHES = 100 };

struct expression {
    uint64_t at; /* of the program's regex_t; 0: freed */
    int flags;
    bool refers; /* to its own subexpressions: may take any time */
    regex_t compiled;
};

static struct expression *find(struct lib_call *c, uint64_t at)
{
    const struct list *all = &c->m->lib->expressions;
    for (size_t i = 0; i < all->n; i++)
        if (((struct expression *)all->at[i])->at == at)
            return all->at[i];
    return NULL;
}

/* How often the longest part of a pattern may be repeated by its intervals. */
static unsigned long repeats(const char *pattern)
{
    unsigned long product = 1;
    for (const char *p = strchr(pattern, '{'); p; p = strchr(p + 1, '{')) {
        const char *last = p + 1 + strspn(p + 1, "0123456789,");
        while (last > p + 1 && !isdigit((unsigned char)last[-1]))
            last--;
        while (last > p + 1 && isdigit((unsigned char)last[-1]))
            last--;
        unsigned long n = isdigit((unsigned char)*last) ? strtoul(last, NULL, 10) : 1;
        product *= n > MOST_REPEATS ? MOST_REPEATS + 1 : n ? n : 1;
        if (product > MOST_REPEATS)
            return product;
    }
    return product;
}

static bool refers_back(const char *pattern)
{
    for (const char *p = strchr(pattern, '\\'); p && p[1]; p = strchr(p + 2, '\\'))
        if (isdigit((unsigned char)p[1]))
            return true;
    return false;
}

void lib_regcomp(struct lib_call *c)
{
    uint64_t n;
    const struct type *type;
    const char *pattern = lib_text(c, arg(c, 1), &n);
    uint8_t *bytes = pattern ? lib_clear(c, 0, &type) : NULL;
    if (!bytes)
        return;
    if (n > MOST_PATTERN || repeats(pattern) > MOST_REPEATS) {
        lib_unsupported(c, "a pattern that is large, or repeats much");
        return;
    }
    struct expression *e = NEW(&c->m->arena, struct expression);
    *e = (struct expression){arg(c, 0), arg_int(c, 2), refers_back(pattern), {0}};
    int status = regcomp(&e->compiled, pattern, e->flags);
    give_int(c, status);
    if (status)
        return;
    struct expression *before = find(c, e->at);
    if (before) {
        regfree(&before->compiled);
        before->at = 0;
    }
    list_add(&c->m->arena, &c->m->lib->expressions, e);
    lib_set_field(c, bytes, type, "re_nsub", e->compiled.re_nsub);
}

/* The program's regex_t; NULL when it is none, and the run has ended. */
static struct expression *given(struct lib_call *c, uint32_t i)
{
    struct expression *e = find(c, arg(c, i));
    if (!e)
        lib_undefined(c, UB_LIB_ARG, "%s was not compiled", machine_describe(c->m, arg(c, i)));
    return e;
}

void lib_regexec(struct lib_call *c)
{
    uint64_t n, wanted = arg(c, 2);
    const struct expression *e = given(c, 0);
    const char *text = e ? lib_text(c, arg(c, 1), &n) : NULL;
    int flags = arg_int(c, 4);
    if (!text)
        return;
    if (n > MOST_TEXT || (e->refers && n > MOST_MATCHES) || wanted > MOST_MATCHES ||
        flags & ~(REG_NOTBOL | REG_NOTEOL)) {
        lib_unsupported(c, "a text that is long, many matches, or these flags");
        return;
    }
    regmatch_t matches[MOST_MATCHES];
    int status = regexec(&e->compiled, text, wanted, matches, flags);
    give_int(c, status);
    for (uint64_t i = 0; !status && !(e->flags & REG_NOSUB) && i < wanted; i++) {
        int32_t both[2] = {matches[i].rm_so, matches[i].rm_eo};
        for (unsigned k = 0; k < 2; k++) {
            uint8_t *to = lib_write(c, arg(c, 3) + 8 * i + 4 * k, 4);
            if (!to)
                return;
            memory_put(c->m, to, &both[k], 4);
        }
    }
}

void lib_regerror(struct lib_call *c)
{
    char text[256];
    const struct expression *e = find(c, arg(c, 1));
    size_t n = regerror(arg_int(c, 0), e ? &e->compiled : NULL, text, sizeof text);
    uint64_t room = arg(c, 3), kept = n < room ? n : room;
    give(c, n);
    if (!kept)
        return;
    text[kept - 1] = 0;
    lib_store(c, arg(c, 2), text, kept);
}

void lib_regfree(struct lib_call *c)
{
    struct expression *e = given(c, 0);
    if (!e)
        return;
    regfree(&e->compiled);
    e->at = 0;
}

void regex_end(struct machine *m)
{
    for (size_t i = 0; i < m->lib->expressions.n; i++) {
        struct expression *e = m->lib->expressions.at[i];
        if (e->at)
            regfree(&e->compiled);
    }
}
