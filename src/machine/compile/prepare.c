/* Before a function is compiled: which of its variables stand in slots and which in memory,
 * which may be read before they are set, and which scopes have objects. */
#include "machine/compile/private.h"

/* ---- characters that may be unset ------------------------------------------------------- */

static struct carrier *carrier_of(struct compiler *c, const struct decl *d)
{
    for (size_t i = 0; i < c->carriers.n; i++)
        if (((struct carrier *)c->carriers.at[i])->decl == d)
            return c->carriers.at[i];
    struct carrier *new = NEW(&c->m->arena, struct carrier);
    new->decl = d;
    list_add(&c->m->arena, &c->carriers, new);
    return new;
}

static bool carries(const struct compiler *c, const struct decl *d)
{
    for (size_t i = 0; i < c->carriers.n; i++) {
        const struct carrier *k = c->carriers.at[i];
        if (k->decl == d)
            return k->takes && (k->passes || c->m->options.carry);
    }
    return false;
}

bool narrows(const struct compiler *c, const struct decl *d)
{
    for (size_t i = 0; i < c->carriers.n; i++)
        if (((const struct carrier *)c->carriers.at[i])->decl == d)
            return ((const struct carrier *)c->carriers.at[i])->narrows;
    return false;
}

/* A character, or an integer that is to be carried, goes from an lvalue to another of type t; to:
 * NULL when it is no variable. */
static void note_carried(struct compiler *c, const struct decl *to, const struct type *t,
                         const struct node *value)
{
    const struct node *from = copied_lvalue(c, value);
    const struct decl *read = memory_tag(c->p, t) == TAG_CHAR ? read_variable(c, value) : NULL;
    if (read)
        carrier_of(c, read)->narrows = true;
    if (!from)
        return;
    if (to && memory_tag(c->p, to->type) == memory_tag(c->p, from->type))
        carrier_of(c, to)->takes = true;
    if (from->kind == NODE_NAME)
        carrier_of(c, from->u.decl)->passes = true;
}

/* Functions that may return twice: what is local to their callers may change meanwhile. */
static bool names_setjmp(const struct node *n)
{
    static const char *const all[] = {"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp",
                                      "__builtin_setjmp"};
    if (n->kind != NODE_NAME || n->u.decl->kind != DECL_FUNC || !strstr(n->u.decl->name, "setjmp"))
        return false;
    for (size_t i = 0; i < LENGTH(all); i++)
        if (strcmp(n->u.decl->name, all[i]) == 0)
            return true;
    return false;
}

static void note_carriers(struct compiler *c, const struct node *n)
{
    n = edited_node(c->u, n);
    c->code->marks = c->code->marks || names_setjmp(n);
    if (n->kind == NODE_ASSIGN && n->op == OP_ASSIGN) {
        const struct node *to = kid(c, n, 0);
        note_carried(c, to->kind == NODE_NAME ? to->u.decl : NULL, to->type, kid(c, n, 1));
    } else if (n->kind == NODE_DECLARATOR && n->u.declarator->decl) {
        const struct node *init = init_of(c, n->u.declarator->decl);
        if (init && init->kind != NODE_INIT)
            note_carried(c, n->u.declarator->decl, n->u.declarator->decl->type, init);
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            note_carriers(c, n->kid[i]);
}

/* ---- variables -------------------------------------------------------------------------- */

static bool fits_slot(const struct compiler *c, const struct decl *d)
{
    enum kind k = kind_of(c->p, d->type);
    return !d->address_taken && !(d->type->canon->quals & QUAL_VOLATILE) && k != KIND_MEMORY &&
           k != KIND_VOID && k != KIND_OTHER && !carries(c, d) &&
           d->type->canon->kind != TYPE_ARRAY && !c->code->marks &&
           !(c->f->body && c->f->body->has_asm);
}

static struct local *local_new(struct compiler *c, struct decl *d, uint32_t slot)
{
    struct local *l = NEW(&c->m->arena, struct local);
    uint32_t align = lang_alignof(c->p, d->type);
    l->decl = d;
    l->type = d->type->canon;
    l->program = c->p;
    l->size = lang_sizeof(c->p, d->type);
    if (d->init && d->init->kind == NODE_INIT && d->init->u.init && d->init->u.init->size > l->size)
        l->size = d->init->u.init->size;
    l->align = d->align > align ? d->align : align;
    l->slot = slot;
    l->initialised = init_of(c, d);
    return l;
}

/* int x = x; */
static bool names(const struct compiler *c, const struct node *n, const struct decl *d)
{
    n = edited_node(c->u, n);
    if (n->kind == NODE_NAME)
        return n->u.decl == d;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && names(c, n->kid[i], d))
            return true;
    return false;
}

/* A slot that says whether a checked variable was set.  Where its declaration can be jumped over,
 * entering the scope begins a new life. */
static void flag_var(struct compiler *c, struct var *v, bool late)
{
    if (!v->checked)
        return;
    v->flag = slot_new(c, 1);
    if (!late)
        list_add(&c->m->arena, &c->scope->flagged, v);
}

/* A declaration of an automatic object; late: nothing can reach its scope behind it. */
static void prepare_var(struct compiler *c, struct decl *d, bool late)
{
    if (d->kind != DECL_VAR || d->is_static || d->linkage != LINKAGE_NONE ||
        d->storage == STORAGE_EXTERN)
        return;
    struct var *v = link_var(c->m, c->u, d);
    *v = (struct var){.kind = (uint8_t)kind_of(c->p, d->type)};
    if (fits_slot(c, d)) {
        v->place = VAR_SLOT;
        v->slot = slot_new(c, kind_is_pair(v->kind) ? 2 : 1);
        v->checked = !init_of(c, d) || !late || names(c, init_of(c, d), d);
        flag_var(c, v, late);
        return;
    }
    v->place = VAR_LOCAL;
    v->checked = !d->address_taken && carries(c, d) && (!init_of(c, d) || !late);
    flag_var(c, v, late);
    struct local *l = local_new(c, d, 0);
    l->late = late;
    bool sets = late && init_of(c, d) && !names(c, init_of(c, d), d);
    l->zero = sets && v->kind != KIND_LDOUBLE; /* which has padding */
    list_add(&c->m->arena, &c->locals, l);
    list_add(&c->m->arena, &c->scope->locals, l);
    v->local = l;
}

/* ---- the walk --------------------------------------------------------------------------- */

static bool walk(struct compiler *c, const struct node *n);

static struct scope *scope_open(struct compiler *c, const struct node *n)
{
    struct scope *s = NEW(&c->m->arena, struct scope);
    s->parent = c->scope;
    s->depth = c->scope ? c->scope->depth + 1 : 0;
    c->scope = s;
    c->u->scope[n->id] = s;
    return s;
}

static void walk_declaration(struct compiler *c, const struct node *n, bool late)
{
    for (uint32_t i = 0; i < n->count; i++) {
        const struct node *d = kid(c, n, i);
        if (d && d->kind == NODE_DECLARATOR)
            prepare_var(c, d->u.declarator->decl, late);
    }
    c->object_room += n->type && n->type->canon->flags & TYPE_VARIABLE ? 8 : 0;
}

static bool walk_element(struct compiler *c, const struct node *s, bool labels)
{
    if (edited_node(c->u, s)->kind == NODE_DECL)
        walk_declaration(c, edited_node(c->u, s), !labels);
    return walk(c, s) || labels;
}

/* What edits put before a statement stands in its scope. */
static bool walk_inserts(struct compiler *c, const struct node *s, bool labels)
{
    for (size_t i = has_inserts(c->u, s) ? c->u->edit_count : 0; i-- > 0;)
        if (c->u->edits[i].kind == EDIT_INSERT && c->u->edits[i].node == s->id)
            labels = walk_element(c, c->u->edits[i].with, labels);
    return labels;
}

/* Statements of a block from the last to the first, so that labels behind a declaration are
 * known when it is met.  True when there is a label. */
static bool walk_block(struct compiler *c, const struct node *n)
{
    bool labels = false;
    scope_open(c, n);
    for (uint32_t i = n->count; i-- > 0;) {
        const struct node *s = n->kid[i];
        if (!s)
            continue;
        if (!is_dropped(c->u, s))
            labels = walk_element(c, s, labels);
        labels = walk_inserts(c, s, labels);
    }
    c->scope = c->scope->parent;
    return labels;
}

static bool walk_for(struct compiler *c, const struct node *n)
{
    scope_open(c, n);
    bool labels = walk(c, n->kid[3]);
    if (n->kid[0] && kid(c, n, 0)->kind == NODE_DECL && !is_dropped(c->u, n->kid[0]))
        walk_declaration(c, kid(c, n, 0), !labels);
    for (uint32_t i = 0; i < 3; i++)
        if (n->kid[i])
            labels = walk(c, n->kid[i]) || labels;
    c->scope = c->scope->parent;
    return labels;
}

static bool touches_complex(const struct node *n)
{
    bool complex = n->type->canon->kind == TYPE_COMPLEX;
    for (uint32_t i = 0; i < n->count && !complex; i++)
        complex = n->kid[i] && n->kid[i]->type && n->kid[i]->type->canon->kind == TYPE_COMPLEX;
    return complex;
}

/* Values that need memory of their own. */
static unsigned room_for(const struct compiler *c, const struct node *n)
{
    if (n->kind == NODE_DECLARATOR && n->type && n->type->canon->flags & TYPE_VARIABLE)
        return 8;
    if (n->kind == NODE_SIZEOF)
        return n->u.operand->canon->flags & TYPE_VARIABLE ? 8 : 0;
    if (lang_node_info[n->kind].class != NODE_CLASS_EXPR || !n->type || n->kind == NODE_INIT)
        return 0;
    bool cast = n->kind == NODE_CAST && (n->op == CONV_VECTOR || n->op == CONV_UNION);
    if (n->type->kind == TYPE_POINTER && n->type->base->flags & TYPE_VARIABLE)
        return 4;
    if (touches_complex(n)) /* operands and results of an assignment are converted */
        return 6;
    return cast || kind_of(c->p, n->type) == KIND_MEMORY ? 2 : 0;
}

/* C11 6.5.2.5p16: one object for each time that its block is entered. */
static void walk_literal(struct compiler *c, const struct node *n)
{
    struct decl *d = n->u.declarator->decl;
    if (d->is_static)
        return;
    struct var *v = link_var(c->m, c->u, d);
    *v = (struct var){.place = VAR_LOCAL, .kind = (uint8_t)kind_of(c->p, d->type)};
    struct local *l = local_new(c, d, 0);
    l->zero = true;
    v->local = l;
    list_add(&c->m->arena, &c->locals, l);
    list_add(&c->m->arena, &c->scope->locals, l);
}

/* GNU: each time that its block is entered, a nested function is another one. */
static void walk_nested(struct compiler *c, const struct function *f)
{
    struct local *l = NEW(&c->m->arena, struct local);
    *l = (struct local){.decl = f->decl,
                        .type = f->decl->type->canon,
                        .program = c->p,
                        .size = 1,
                        .align = 16,
                        .zero = true};
    *link_var(c->m, c->u, f->decl) = (struct var){.place = VAR_LOCAL, .local = l};
    list_add(&c->m->arena, &c->locals, l);
    list_add(&c->m->arena, &c->scope->locals, l);
}

/* The tree as edits leave it. */
static bool walk(struct compiler *c, const struct node *n)
{
    if (is_dropped(c->u, n))
        return false;
    n = edited_node(c->u, n);
    if (n->kind == NODE_FUNCTION) {
        walk_nested(c, n->u.function);
        return false;
    }
    if (n->kind == NODE_BLOCK)
        return walk_block(c, n);
    if (n->kind == NODE_FOR)
        return walk_for(c, n);
    bool labels = n->kind == NODE_LABEL || n->kind == NODE_CASE || n->kind == NODE_DEFAULT;
    if (labels) {
        c->u->scope[n->id] = c->scope;
        const struct node *what = kid(c, n, n->count - 1); /* C23: a declaration too */
        if (what->kind == NODE_DECL && !is_dropped(c->u, what))
            walk_declaration(c, what, false);
    }
    if (n->kind == NODE_LITERAL)
        walk_literal(c, n);
    c->object_room += room_for(c, n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            labels = walk(c, n->kid[i]) || labels;
    return labels;
}

static void prepare_params(struct compiler *c)
{
    const struct function *f = c->f->body;
    for (uint32_t i = 0; i < f->param_count; i++) {
        struct decl *d = f->params[i];
        struct var *v = link_var(c->m, c->u, d);
        *v = (struct var){.place = VAR_SLOT, .kind = (uint8_t)kind_of(c->p, d->type)};
        v->slot = slot_new(c, kind_is_pair(v->kind) ? 2 : 1);
        c->object_room += d->written && d->written->canon->flags & TYPE_VARIABLE ? 8 : 0;
    }
    for (uint32_t i = 0; i < f->param_count; i++) {
        struct decl *d = f->params[i];
        struct var *v = link_var(c->m, c->u, d);
        if (fits_slot(c, d) || v->kind == KIND_OTHER)
            continue;
        struct local *l = local_new(c, d, v->slot); /* for now, where the argument is */
        l->zero = v->kind != KIND_LDOUBLE;
        v->place = VAR_LOCAL;
        v->local = l;
        list_add(&c->m->arena, &c->locals, l);
    }
}

/* Slots for the objects of the function, and for what compiling will ask for. */
static void reserve_objects(struct compiler *c, size_t params)
{
    c->object_room += (uint32_t)c->locals.n;
    c->code->objects_first = slot_new(c, c->object_room);
    for (size_t i = 0; i < c->locals.n; i++) {
        struct local *l = c->locals.at[i];
        struct var *v = link_var(c->m, c->u, l->decl);
        if (i < params)
            l->argument = v->slot;
        v->slot = l->slot = slot_reserved(c);
    }
}

void prepare_function(struct compiler *c, const struct node *body)
{
    c->object_room = 0;
    note_carriers(c, body);
    if (c->f->body && c->f->body->body == body) {
        prepare_params(c);
        based_prepare(c);
    }
    size_t params = c->locals.n;
    struct scope *top = NEW(&c->m->arena, struct scope);
    c->scope = top;
    walk(c, body);
    reserve_objects(c, params);
}
