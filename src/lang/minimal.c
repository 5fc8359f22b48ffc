/* Which declarations of headers nothing needs.
 *
 * Starts from everything that stands in the program's own file or defines something with
 * external linkage, and follows names and types as written, from declaration to declaration. */
#include "lang/private.h"

#include <string.h>

struct marker {
    struct program *p;
    struct arena arena;
    bool *needed;     /* per kid of the unit */
    bool *type_seen;  /* per type */
    bool *decl_seen;  /* per declaration */
    struct list todo; /* struct node: kids of the unit to be walked */
    /* which kids declare a declaration: linked lists */
    uint32_t *first; /* per decl: 1 + index into links */
    struct {
        uint32_t kid, next;
    } * links;
    uint32_t link_count, link_room;
};

static void mark_type(struct marker *m, const struct type *t);
static void mark_decl(struct marker *m, const struct decl *d);
static void mark_node(struct marker *m, const struct node *n);

static void need_kid(struct marker *m, uint32_t kid)
{
    if (m->needed[kid])
        return;
    m->needed[kid] = true;
    list_add(&m->arena, &m->todo, m->p->unit->kid[kid]);
}

/* The kid of the unit that this offset lies in. */
static void need_offset(struct marker *m, uint32_t offset)
{
    const struct node *unit = m->p->unit;
    uint32_t low = 0, high = unit->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (unit->kid[middle]->begin <= offset)
            low = middle;
        else
            high = middle;
    }
    if (low < unit->count)
        need_kid(m, low);
}

/* ---- following -------------------------------------------------------------------------- */

static void mark_params(struct marker *m, const struct function_type *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->params && f->params[i])
            mark_type(m, f->params[i]->written);
        else if (f->types)
            mark_type(m, f->types[i]);
    }
}

static void mark_type(struct marker *m, const struct type *t)
{
    if (!t || m->type_seen[t->id])
        return;
    m->type_seen[t->id] = true;
    switch (t->kind) {
    case TYPE_STRUCT:
    case TYPE_UNION:
        if (t->u.record->body)
            need_offset(m, t->u.record->body->begin);
        return;
    case TYPE_ENUM:
        if (t->u.enumeration->body)
            need_offset(m, t->u.enumeration->body->begin);
        return;
    case TYPE_TYPEDEF:
        mark_decl(m, t->u.decl);
        return;
    case TYPE_TYPEOF:
        if (t->u.expr)
            mark_node(m, t->u.expr);
        break;
    case TYPE_DEFINITION:
        mark_node(m, t->u.body);
        return;
    case TYPE_ARRAY:
        if (t->u.length)
            mark_node(m, t->u.length);
        break;
    case TYPE_FUNCTION:
        mark_params(m, t->u.function);
        break;
    default:
        break;
    }
    mark_type(m, t->base);
}

static void mark_decl(struct marker *m, const struct decl *d)
{
    if (m->decl_seen[d->id])
        return;
    m->decl_seen[d->id] = true;
    for (uint32_t i = m->first[d->id]; i; i = m->links[i - 1].next)
        need_kid(m, m->links[i - 1].kid);
    if (d->kind == DECL_ENUMERATOR && d->node)
        need_offset(m, d->node->begin);
}

/* What an attribute names: alias("f"), cleanup(f), malloc(f, 1). */
static void mark_attributes(struct marker *m, const struct attr *attr)
{
    static const char *const kinds[] = {"alias", "cleanup", "ifunc", "weakref", "malloc"};
    for (; attr; attr = attr->next)
        for (size_t k = 0; k < LENGTH(kinds); k++) {
            if (strcmp(attr->name, kinds[k]) != 0)
                continue;
            for (size_t i = 0; i < m->p->decls.n; i++) {
                const struct decl *d = m->p->decls.at[i];
                const char *at = d->name ? strstr(attr->text, d->name) : NULL;
                if (at && !d->owner)
                    mark_decl(m, d);
            }
        }
}

static void mark_path(struct marker *m, const struct path *path)
{
    for (uint32_t i = 0; i < path->count; i++) {
        if (path->steps[i].index)
            mark_node(m, path->steps[i].index);
        if (path->steps[i].last)
            mark_node(m, path->steps[i].last);
    }
}

/* Types and names that a node's payload holds. */
static void mark_payload(struct marker *m, const struct node *n)
{
    switch (n->kind) {
    case NODE_NAME:
        mark_decl(m, n->u.decl);
        break;
    case NODE_CAST:
    case NODE_SIZEOF:
    case NODE_ALIGNOF:
    case NODE_VA_ARG:
    case NODE_VECTOR_CONVERT:
    case NODE_BIT_CAST:
        if (!(n->flags & NODE_IMPLICIT))
            mark_type(m, n->u.operand);
        break;
    case NODE_OFFSETOF:
        mark_type(m, n->u.offsetof_->type);
        break;
    case NODE_GENERIC:
        for (uint32_t i = 1; i < n->count; i++)
            mark_type(m, n->u.generic->types[i - 1]);
        break;
    case NODE_LITERAL:
        mark_type(m, n->u.declarator->type);
        break;
    case NODE_TYPES_MATCH:
        mark_type(m, n->u.types[0]);
        mark_type(m, n->u.types[1]);
        break;
    case NODE_DESIGNATED:
        mark_path(m, n->u.path);
        break;
    case NODE_DECL:
        mark_type(m, n->type);
        for (uint32_t i = 0; i < n->u.specs->alignas_count; i++)
            mark_node(m, n->u.specs->alignas_exprs[i]);
        break;
    case NODE_DECLARATOR:
        mark_attributes(m, n->u.declarator->decl->attrs);
        mark_type(m, n->type);
        break;
    case NODE_FUNCTION:
    case NODE_FIELD:
        mark_type(m, n->type);
        break;
    default:
        break;
    }
}

static void mark_node(struct marker *m, const struct node *n)
{
    mark_payload(m, n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            mark_node(m, n->kid[i]);
}

/* ---- starting --------------------------------------------------------------------------- */

static void add_link(struct marker *m, const struct node *declarator, uint32_t kid)
{
    if (declarator->kind != NODE_DECLARATOR)
        return;
    uint32_t id = declarator->u.declarator->decl->id;
    m->links[m->link_count].kid = kid;
    m->links[m->link_count].next = m->first[id];
    m->first[id] = ++m->link_count;
}

static void link_declarations(struct marker *m)
{
    const struct node *unit = m->p->unit;
    for (uint32_t i = 0; i < unit->count; i++)
        m->link_room += unit->kid[i]->count;
    m->links = arena_array(&m->arena, m->link_room, sizeof *m->links);
    m->first = NEW_ARRAY(&m->arena, m->p->decls.n, uint32_t);
    for (uint32_t i = 0; i < unit->count; i++) {
        const struct node *n = unit->kid[i];
        for (uint32_t k = 0; k < n->count; k++)
            if (n->kind == NODE_DECL || k == 0)
                if (n->kid[k])
                    add_link(m, n->kid[k], i);
    }
}

static bool defines_external(const struct node *n)
{
    if (n->kind == NODE_FUNCTION)
        return n->u.function->decl->linkage == LINKAGE_EXTERNAL && !n->u.function->specs->inline_;
    if (n->kind != NODE_DECL || n->u.specs->storage != STORAGE_NONE)
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i]->u.declarator->decl->kind == DECL_VAR)
            return true;
    return false;
}

/* Pragmas, assembly, what other units may use, and the program's own file. */
static bool is_own(void *context, const struct node *n)
{
    const struct program *p = context;
    if (n->kind == NODE_PRAGMA || n->kind == NODE_ASM || defines_external(n))
        return true;
    const char *file = lang_place(p, n->begin).file;
    return file && p->file && strcmp(file, p->file) == 0;
}

struct edit *lang_unneeded(struct program *p, lang_root_fn *is_root, void *context, size_t *count)
{
    struct marker m = {.p = p};
    const struct node *unit = p->unit;
    m.needed = NEW_ARRAY(&m.arena, unit->count, bool);
    m.type_seen = NEW_ARRAY(&m.arena, p->type_count, bool);
    m.decl_seen = NEW_ARRAY(&m.arena, p->decls.n, bool);
    link_declarations(&m);
    for (uint32_t i = 0; i < unit->count; i++)
        if (is_root(context, unit->kid[i]))
            need_kid(&m, i);
    for (size_t i = 0; i < p->mentioned.n; i++)
        mark_decl(&m, p->mentioned.at[i]);
    while (m.todo.n)
        mark_node(&m, m.todo.at[--m.todo.n]);
    struct edit *edits = NEW_ARRAY(&p->arena, unit->count, struct edit);
    *count = 0;
    for (uint32_t i = 0; i < unit->count; i++)
        if (!m.needed[i])
            edits[(*count)++] = (struct edit){EDIT_DROP, unit->kid[i]->id, NULL};
    arena_free(&m.arena);
    return edits;
}

struct edit *lang_minimal(struct program *p, size_t *count)
{
    return lang_unneeded(p, is_own, p, count);
}
