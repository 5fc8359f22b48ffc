/* Names, and what is known about each declaration while the program is written; facts about types
 * that are asked for all the time. */
#include "gen/state.h"

#include <string.h>

/* A letter and a number: there are many, and printf takes its time. */
static const char *numbered(struct gen *g, char letter, uint32_t n)
{
    char text[12], *at = text + sizeof text;
    for (*--at = '\0'; n >= 10; n /= 10)
        *--at = (char)('0' + n % 10);
    *--at = (char)('0' + n);
    *--at = letter;
    return arena_copy(&g->p->arena, at, (size_t)(text + sizeof text - 1 - at));
}

const char *gen_new_name(struct gen *g, char letter)
{
    static const char letters[] = "gpfaltSm";
    for (unsigned i = 0; letters[i]; i++)
        if (letters[i] == letter)
            return numbered(g, letter, g->names[i]++);
    BUG("no names with %c", letter);
}

struct about *gen_about_more(struct gen *g, const struct decl *d)
{
    uint32_t room = g->about_room ? g->about_room : 512;
    while (room <= d->id)
        room *= 2;
    struct about *more = NEW_ARRAY(&g->arena, room, struct about);
    if (g->about_room)
        memcpy(more, g->about, g->about_room * sizeof *more);
    g->about = more;
    g->about_room = room;
    return &g->about[d->id];
}

struct var *gen_var_new(struct gen *g, struct decl *d, struct var *outer)
{
    struct var *v = NEW(&g->arena, struct var);
    v->decl = d;
    v->type = d->type->canon;
    v->outer = outer;
    v->count = outer ? outer->count + 1 : 1;
    if (outer) {
        const struct var *far = outer->jump;
        bool even = far && far->jump && outer->count - far->count == far->count - far->jump->count;
        v->jump = even ? far->jump : outer;
        v->counter = outer->locked ? outer : outer->counter;
    }
    gen_about(g, d)->var = v;
    return v;
}

struct var *gen_var_at(struct var *v, uint64_t n)
{
    for (uint64_t count = v->count - n; v->count > count;)
        v = v->jump->count >= count ? v->jump : v->outer;
    return v;
}

/* ---- types ------------------------------------------------------------------------------ */

bool gen_has_pointer(const struct type *t)
{
    t = t->canon;
    if (t->kind == TYPE_ARRAY)
        return gen_has_pointer(t->base);
    if (!lang_is_record(t))
        return t->kind == TYPE_POINTER;
    for (uint32_t i = 0; i < t->u.record->count; i++)
        if (gen_has_pointer(t->u.record->fields[i]->type))
            return true;
    return false;
}

bool gen_is_wide_field(const struct field *f)
{
    return f->is_bitfield && f->type->canon->kind >= TYPE_LONG &&
           f->type->canon->kind <= TYPE_ULLONG;
}

u128 gen_int_least(const struct gen *g, const struct type *t)
{
    return gen_int_signed(g, t) ? (u128)1 << (gen_int_width(g, t) - 1) : 0;
}

u128 gen_int_most(const struct gen *g, const struct type *t)
{
    unsigned width = gen_int_width(g, t);
    return lang_wrap(~(u128)0, gen_int_signed(g, t) ? width - 1 : width);
}

/* ---- what is not finished --------------------------------------------------------------- */

static union unfinished *unfinished_more(struct gen *g, const struct node *n)
{
    uint32_t room = g->unfinished_room ? g->unfinished_room : 4096;
    while (room <= n->id)
        room *= 2;
    union unfinished *more = NEW_ARRAY(&g->arena, room, union unfinished);
    if (g->unfinished_room)
        memcpy(more, g->unfinished, g->unfinished_room * sizeof *more);
    g->unfinished = more;
    g->unfinished_room = room;
    return &g->unfinished[n->id];
}

static union unfinished *unfinished_at(struct gen *g, const struct node *n)
{
    return n->id < g->unfinished_room ? &g->unfinished[n->id] : unfinished_more(g, n);
}

void gen_set_region(struct gen *g, struct node *block, struct region *r)
{
    unfinished_at(g, block)->region = r;
}

void gen_set_hole(struct gen *g, struct node *n, struct hole *h)
{
    n->flags |= NODE_HOLE;
    unfinished_at(g, n)->hole = h;
}
