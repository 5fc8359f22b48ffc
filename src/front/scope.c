/* Names in scope.  An identifier holds its innermost meanings; entering a scope costs nothing,
 * leaving it restores what it hid. */
#include "front/private.h"

#include <string.h>

void scope_enter(struct parser *p)
{
    p->depth++;
}

static void undo(struct binding *b)
{
    switch ((enum binding_kind)b->what) {
    case BIND_SYMBOL:
        b->ident->symbol = b->old;
        b->ident->depth = b->old_depth;
        break;
    case BIND_TAG:
        b->ident->tag = b->old;
        b->ident->tag_depth = b->old_depth;
        break;
    case BIND_LABEL:
        b->ident->label = b->old;
        break;
    }
}

/* Bindings of the file's scope are never undone, so they are not recorded; the others carry
 * their depth. */
void scope_leave(struct parser *p)
{
    while (p->binding_count) {
        struct binding *b = &p->bindings[p->binding_count - 1];
        uint32_t depth = b->what == BIND_SYMBOL ? b->ident->depth
                         : b->what == BIND_TAG  ? b->ident->tag_depth
                                                : b->old_depth;
        if (depth < p->depth)
            break;
        undo(b);
        p->binding_count--;
    }
    jump_leave_scope(p);
    p->depth--;
}

void scope_unwind(struct parser *p, uint32_t depth)
{
    while (p->depth > depth)
        scope_leave(p);
}

static void remember(struct parser *p, struct binding b)
{
    if (p->depth == 0)
        return;
    if (p->binding_count == p->binding_room) {
        p->binding_room = p->binding_room ? p->binding_room * 2 : 256;
        p->bindings = arena_grow(&p->scratch, p->bindings, p->binding_count, p->binding_room,
                                 sizeof *p->bindings);
    }
    p->bindings[p->binding_count++] = b;
}

void scope_bind_symbol(struct parser *p, struct ident *i, struct decl *d)
{
    if (!i->symbol || i->depth != p->depth)
        remember(p, (struct binding){i, i->symbol, i->depth, BIND_SYMBOL});
    i->symbol = d;
    i->depth = p->depth;
}

void scope_bind_tag(struct parser *p, struct ident *i, struct type *t)
{
    remember(p, (struct binding){i, i->tag, i->tag_depth, BIND_TAG});
    i->tag = t;
    i->tag_depth = p->depth;
}

/* GNU __label__: the label belongs to the block. */
void scope_bind_label(struct parser *p, struct ident *i, struct label *l)
{
    remember(p, (struct binding){i, i->label, p->depth, BIND_LABEL});
    i->label = l;
}

struct label *scope_label(struct parser *p, struct ident *i)
{
    const struct list *own = &p->function->labels;
    if (i->label && (i->label->index >= own->n || own->at[i->label->index] != i->label))
        parse_error_at(p, p->tok.begin, "goto out of a nested function is not supported: '%s'",
                       i->name);
    if (i->label) {
        i->label->used = true;
        return i->label;
    }
    struct program *program = p->program;
    struct label *l = NEW(&program->arena, struct label);
    l->name = i->name;
    l->used = true;
    l->index = (uint32_t)p->function->labels.n;
    list_add(&program->arena, &p->function->labels, l);
    i->label = l;
    list_add(&p->scratch, &p->label_idents, i);
    return l;
}

/* ---- a scope that is entered again ------------------------------------------------------ */

void scope_meanings(struct parser *p, struct list *to)
{
    for (size_t i = p->binding_count; i-- > 0;) {
        const struct binding *b = &p->bindings[i];
        struct ident *id = b->ident;
        if ((b->what == BIND_TAG ? id->tag_depth : id->depth) < p->depth)
            break;
        bool symbol = b->what == BIND_SYMBOL && id->depth == p->depth &&
                      id->symbol->kind == DECL_ENUMERATOR;
        bool tag = b->what == BIND_TAG && id->tag_depth == p->depth;
        if (!symbol && !tag)
            continue;
        struct meaning *m = NEW(&p->scratch, struct meaning);
        *m = (struct meaning){id, symbol ? id->symbol : NULL, tag ? id->tag : NULL};
        list_add(&p->scratch, to, m);
    }
}

void scope_bind_meanings(struct parser *p, const struct list *from)
{
    for (size_t i = 0; i < from->n; i++) {
        const struct meaning *m = from->at[i];
        if (m->symbol)
            scope_bind_symbol(p, m->ident, m->symbol);
        else
            scope_bind_tag(p, m->ident, m->tag);
    }
}
