/* A link to Compiler Explorer that shows a program under a compiler, made without asking anybody:
 * the whole state is in the link. */
#include "report/report.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_base64(const char *s, size_t n, struct text *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (size_t i = 0; i < n; i += 3) {
        unsigned have = n - i < 3 ? (unsigned)(n - i) : 3, bits = 0;
        for (unsigned k = 0; k < 3; k++)
            bits = bits << 8 | (k < have ? (unsigned char)s[i + k] : 0);
        for (unsigned k = 0; k < 4; k++)
            text_putc(out, k <= have ? digits[bits >> (18 - 6 * k) & 63] : '=');
    }
}

/* The last "19.1.7" in what a compiler says of itself. */
static bool read_version(const char *banner, unsigned *major, unsigned *minor)
{
    bool found = false;
    for (const char *p = banner; *p;) {
        size_t n = strspn(p, "0123456789.");
        if (n && isdigit((unsigned char)*p) && (p == banner || p[-1] == ' ') &&
            sscanf(p, "%u.%u", major, minor) == 2)
            found = true;
        p += n ? n : 1;
    }
    return found;
}

/* What the link shows: the id that Compiler Explorer has for it, and the name for people. */
struct choice {
    const char *id, *name;
};

static struct choice choose_clang(struct arena *a, unsigned major)
{
    static const struct {
        unsigned major;
        const char *id, *release;
    } rows[] = {
#define CLANG(major, id, release) {major, id, release},
#include "report/explorer.def"
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (rows[i].major == major)
            return (struct choice){rows[i].id, arena_printf(a, "clang %s", rows[i].release)};
    bool newer = major > rows[LENGTH(rows) - 1].major;
    return newer ? (struct choice){"cclang_trunk", "clang's trunk, not this release"}
                 : (struct choice){0};
}

/* As Compiler Explorer calls it: cg122, cclang1910; no id for what it does not have. */
static struct choice choose(struct arena *a, const struct finding_claim *c)
{
    unsigned major, minor;
    if (!read_version(c->version, &major, &minor))
        return (struct choice){0};
    if (strcmp(c->family, "clang") == 0)
        return choose_clang(a, major);
    if (strcmp(c->family, "gcc") != 0 || major < 7 || !minor) /* older ones are named otherwise */
        return (struct choice){0};
    return (struct choice){arena_printf(a, "cg%u%u", major, minor),
                           arena_printf(a, "gcc %u.%u", major, minor)};
}

bool report_explorer_link(const struct finding *f, const struct bytes *program, struct text *out)
{
    struct arena a = {0};
    struct choice choice = choose(&a, &f->claim);
    const char *flags = strchr(f->claim.config, ' ');
    json_t *state = !choice.id ? NULL
                               : json_pack("{s:[{s:i, s:s, s:o, s:[{s:s, s:s}]}]}", "sessions",
                                           "id", 1, "language", "c", "source",
                                           record_bytes(program->s, program->n), "compilers", "id",
                                           choice.id, "options", flags ? flags + 1 : "");
    char *text = state ? json_dumps(state, JSON_COMPACT) : NULL;
    if (text) {
        text_printf(out, "%s: ", choice.name);
        text_puts(out, "https://godbolt.org/clientstate/");
        put_base64(text, strlen(text), out);
    }
    bool made = text;
    free(text);
    json_decref(state);
    arena_free(&a);
    return made;
}
