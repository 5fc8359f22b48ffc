/* Pragmas that change what a program means: pack, weak, scalar_storage_order, and those for the
 * floating-point environment.  All are kept in the tree as they were written. */
#include "front/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *s)
{
    return s + strspn(s, " \t");
}

/* ---- pack --------------------------------------------------------------------------------- */

/* #pragma pack(...): what its words say. */
struct pack_words {
    enum { PACK_SET, PACK_PUSH, PACK_POP } action;
    const char *name; /* of what is saved, or goes back to; NULL: none */
    unsigned long bytes;
    bool has_bytes, is_other; /* is_other: nothing that both gcc and clang know */
};

/* What was in force when it was saved. */
struct pack_saved {
    unsigned pack;
    const char *name;
};

static void pack_word(struct parser *p, struct pack_words *w, const char *s, size_t n, bool first)
{
    bool is_number = isdigit((unsigned char)*s);
    if (first && n == 4 && strncmp(s, "push", n) == 0)
        w->action = PACK_PUSH;
    else if (first && n == 3 && strncmp(s, "pop", n) == 0)
        w->action = PACK_POP;
    else if (is_number && !w->has_bytes)
        w->bytes = strtoul(s, NULL, 0);
    else if (!is_number && n && !first && !w->name && !w->has_bytes)
        w->name = arena_copy(&p->program->arena, s, n);
    else
        w->is_other = true;
    w->has_bytes = w->has_bytes || is_number;
}

/* s is behind "pack". */
static struct pack_words pack_words_of(struct parser *p, const char *s)
{
    struct pack_words w = {.action = PACK_SET};
    s = skip_blanks(s);
    if (*s != '(')
        return (struct pack_words){.is_other = true};
    s = skip_blanks(s + 1);
    for (bool first = true; *s != ')' || !first; first = false) {
        size_t n = strcspn(s, " \t,)");
        pack_word(p, &w, s, n, first);
        s = skip_blanks(s + n);
        if (*s != ',')
            break;
        s = skip_blanks(s + 1);
    }
    bool known = w.bytes <= 16 && (w.bytes & (w.bytes - 1)) == 0;
    w.is_other = w.is_other || *s != ')' || !known;
    return w;
}

static void pack_push(struct parser *p, const char *name)
{
    struct pack_saved *saved = NEW(&p->scratch, struct pack_saved);
    *saved = (struct pack_saved){p->pack, name};
    list_add(&p->scratch, &p->packs, saved);
}

/* Back to what was saved last, or under this name.  Nothing left: nothing happens. */
static void pack_pop(struct parser *p, const char *name)
{
    size_t n = p->packs.n;
    const struct pack_saved *saved = NULL;
    while (n && !saved) {
        const struct pack_saved *at = p->packs.at[--n];
        saved = !name || (at->name && strcmp(at->name, name) == 0) ? at : NULL;
    }
    p->program->open_layout |= name && !saved;
    if (!saved)
        return;
    p->pack = saved->pack;
    p->packs.n = n;
}

/* What gcc and clang do not know, they ignore. */
static void pragma_pack(struct parser *p, const char *s)
{
    struct pack_words w = pack_words_of(p, s);
    if (w.is_other)
        return;
    if (w.action == PACK_POP && w.has_bytes) /* gcc ignores it, clang does both */
        p->program->open_layout = true;
    else if (w.action == PACK_POP)
        pack_pop(p, w.name);
    if (w.action == PACK_PUSH)
        pack_push(p, w.name);
    if (w.action != PACK_POP && (w.action == PACK_SET || w.has_bytes))
        p->pack = (unsigned)w.bytes;
}

/* ---- others ------------------------------------------------------------------------------- */

enum byte_order parse_byte_order(const char *s)
{
    return strstr(s, "big") ? ORDER_BIG : strstr(s, "little") ? ORDER_LITTLE : ORDER_DEFAULT;
}

/* #pragma weak name, or name = other, which is an alias. */
static void pragma_weak(struct parser *p, const char *s)
{
    s = skip_blanks(s);
    size_t n = strcspn(s, " \t=");
    if (s[n + strspn(s + n, " \t")] == '=')
        parse_error_at(p, p->tok.begin, "unsupported pragma: an alias");
    if (n)
        list_add(&p->scratch, &p->weak, arena_copy(&p->program->arena, s, n));
}

/* May compilers not take it that nobody looks at the floating-point environment? */
static bool opens_environment(const char *s)
{
    static const char *const words[] = {"FENV_ACCESS", "FENV_ROUND", "fenv_access", "float_control",
                                        "clang fp exceptions"};
    for (size_t i = 0; i < LENGTH(words); i++)
        if (strstr(s, words[i]) && !strstr(s, "OFF"))
            return true;
    return false;
}

struct node *parse_pragma(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    const char *text = source_between(p, begin, p->tok.end);
    const char *s = skip_blanks(text + 1);
    if (strncmp(s, "pragma", 6) == 0) {
        s = skip_blanks(s + 6);
        if (strncmp(s, "pack", 4) == 0)
            pragma_pack(p, s + 4);
        else if (strncmp(s, "scalar_storage_order", 20) == 0)
            p->order = parse_byte_order(s + 20);
        else if (strncmp(s, "weak", 4) == 0)
            pragma_weak(p, s + 4);
        p->program->has_environment |= opens_environment(s);
    }
    tok_next(p);
    struct node *n = with_extent(p, lang_node(p->program, NODE_PRAGMA, NULL, 0), begin);
    n->u.text = text;
    return n;
}
