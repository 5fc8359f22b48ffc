/* Structures by their members as variables of their own: s.a becomes s_a, a[1].b becomes a_b[1].
 * Only where nothing needs the structure as a whole.  Unions too: whether the members share their
 * bytes is for the predicate to say. */
#include "reduce/private.h"

#include <string.h>

/* The access to a member that begins with the name: s.a, a[i].a; NULL: the whole is used. */
static struct node *access_of(const struct view *v, struct node *name)
{
    struct node *at = name, *up = view_up(v, at);
    while (up && up->kind == NODE_INDEX && view_written(up->kid[0]) == at) {
        at = up;
        up = view_up(v, at);
    }
    bool member = up && up->kind == NODE_MEMBER && !(up->flags & (NODE_IMPLICIT | NODE_ARROW)) &&
                  up->u.field->name;
    return member ? up : NULL;
}

/* The structure that a variable, or an element of it, is; NULL when it is none. */
static const struct record *record_of(const struct decl *d)
{
    const struct type *t = d->type->canon;
    while (lang_is_kind(t, TYPE_ARRAY))
        t = t->base->canon;
    return lang_is_record(t) ? t->canon->u.record : NULL;
}

static bool can_flatten(const struct pass *p, const struct decl *d)
{
    const struct list *names = &p->v->names[d->id];
    for (size_t i = 0; i < names->n; i++)
        if (!access_of(p->v, names->at[i]))
            return false;
    const struct node *place = p->v->places[d->id].at[0];
    return names->n && p->v->parent[place->id]->kind == NODE_DECL &&
           p->v->parent[place->id]->count == 1;
}

static bool is_accessed(const struct pass *p, const struct decl *d, const struct field *f)
{
    const struct list *names = &p->v->names[d->id];
    for (size_t i = 0; i < names->n; i++)
        if (access_of(p->v, names->at[i])->u.field == f)
            return true;
    return false;
}

/* What initialises this member, when the variable is one structure and has a plain list. */
static const char *value_of(struct pass *p, const struct node *place, const struct field *f)
{
    const struct node *init = place->count ? place->kid[0] : NULL;
    if (!init || init->kind != NODE_INIT || f->index >= init->count)
        return "";
    const struct node *kid = view_written(init->kid[f->index]);
    if (kid->kind == NODE_DESIGNATED || kid->begin >= kid->end)
        return "";
    return arena_printf(&p->h->arena, " = %s",
                        view_source(p->v, &p->h->arena, kid->begin, kid->end));
}

/* The dimensions that stand behind the variable's name: "[3][4]". */
static const char *dimensions(struct pass *p, const struct node *place)
{
    const struct tokens *t = &p->v->tokens;
    uint32_t i = tokens_at(t, place->begin) + 1, first = i;
    while (i < t->n && token_is(p->v->text, &t->at[i], "[") && t->at[i].match > i)
        i = t->at[i].match + 1;
    return i == first ? "" : view_source(p->v, &p->h->arena, t->at[first].begin, t->at[i - 1].end);
}

/* The declarations of all members that something accesses; false when one cannot be written. */
static bool put_members(struct pass *p, const struct decl *d, const struct record *r,
                        struct text *out)
{
    const struct node *place = p->v->places[d->id].at[0];
    const char *dims = dimensions(p, place);
    bool array = lang_is_kind(d->type, TYPE_ARRAY);
    for (uint32_t i = 0; i < r->count; i++) {
        const struct field *f = r->fields[i];
        if (!f->name || !is_accessed(p, d, f))
            continue;
        struct text name = {0};
        text_printf(&name, "%s_%s%s", d->name, f->name, dims);
        text_puts(out, d->storage == STORAGE_STATIC ? "static " : "");
        lang_print_type(p->v->p, f->type, text_str(&name), out);
        text_printf(out, "%s; ", array ? "" : value_of(p, place, f));
        text_free(&name);
    }
    return out->n > 0;
}

void pass_FLATTEN(struct pass *p)
{
    const struct view *v = p->v;
    for (size_t i = 0; i < v->p->decls.n; i++) {
        const struct decl *d = v->p->decls.at[i];
        struct text out = {0};
        if (d->kind != DECL_VAR || !d->name || v->places[d->id].n != 1)
            continue;
        const struct record *r = record_of(d);
        if (!r || !can_flatten(p, d) || !put_members(p, d, r, &out)) {
            text_free(&out);
            continue;
        }
        pass_begin(p);
        pass_replace(p, v->parent[((const struct node *)v->places[d->id].at[0])->id],
                     text_str(&out));
        for (size_t k = 0; k < v->names[d->id].n; k++) {
            const struct node *name = v->names[d->id].at[k];
            const struct node *access = access_of(v, v->names[d->id].at[k]);
            const struct node *whole = view_written(access->kid[0]);
            pass_patch(p, name->begin, name->end,
                       arena_printf(&p->h->arena, "%s_%s", d->name, access->u.field->name));
            pass_patch(p, whole->end, access->end, "");
        }
        pass_end(p);
        text_free(&out);
    }
}
