/* Declarations, function definitions, initialisers, and what else stands between functions. */
#include "front/private.h"

#include <string.h>

/* ---- assertions ------------------------------------------------------------------------- */

struct node *parse_static_assert(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct node *kids[2] = {NULL, NULL};
    tok_next(p);
    tok_expect(p, TOKEN_LPAREN);
    uint32_t at = p->tok.begin;
    u128 value = parse_constant(p, &kids[0], NULL);
    if (tok_accept(p, TOKEN_COMMA))
        kids[1] = parse_string(p);
    tok_expect(p, TOKEN_RPAREN);
    tok_expect(p, TOKEN_SEMI);
    if (value == 0)
        parse_error_at(p, at, "static assertion failed%s%s", kids[1] ? ": " : "",
                       kids[1] ? kids[1]->u.string->bytes : "");
    return with_extent(p, lang_node(p->program, NODE_STATIC_ASSERT, kids, 2), begin);
}

/* ---- initialisers ----------------------------------------------------------------------- */

static void parse_step(struct parser *p, struct step *s)
{
    if (tok_accept(p, TOKEN_DOT)) {
        s->name = p->tok.ident ? p->tok.ident->name : "";
        tok_expect(p, TOKEN_IDENT);
        return;
    }
    tok_expect(p, TOKEN_LBRACKET);
    parse_constant(p, &s->index, NULL);
    if (tok_accept(p, TOKEN_ELLIPSIS))
        parse_constant(p, &s->last, NULL);
    tok_expect(p, TOKEN_RBRACKET);
}

/* .a[1].b = , or GNU's [1] without = */
static struct path *parse_designators(struct parser *p, bool *gnu)
{
    struct path *path = NEW(&p->program->arena, struct path);
    struct step steps[64];
    do {
        if (path->count == LENGTH(steps))
            parse_error_at(p, p->tok.begin, "too many designators");
        steps[path->count] = (struct step){0};
        parse_step(p, &steps[path->count++]);
    } while (p->tok.kind == TOKEN_DOT || p->tok.kind == TOKEN_LBRACKET);
    *gnu = !tok_accept(p, TOKEN_ASSIGN);
    path->steps = NEW_ARRAY(&p->program->arena, path->count, struct step);
    memcpy(path->steps, steps, path->count * sizeof *steps);
    return path;
}

static struct path *parse_old_designator(struct parser *p)
{
    struct path *path = NEW(&p->program->arena, struct path);
    path->steps = NEW(&p->program->arena, struct step);
    path->steps->name = p->tok.ident->name;
    path->count = 1;
    tok_next(p);
    tok_next(p);
    return path;
}

static struct node *parse_element(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    bool gnu = true;
    struct path *path;
    if (p->tok.kind == TOKEN_DOT || p->tok.kind == TOKEN_LBRACKET)
        path = parse_designators(p, &gnu);
    else if (p->tok.kind == TOKEN_IDENT && tok_peek(p)->kind == TOKEN_COLON)
        path = parse_old_designator(p);
    else
        return parse_initialiser(p);
    struct node *value = parse_initialiser(p);
    struct node *n = with_extent(p, lang_node(p->program, NODE_DESIGNATED, &value, 1), begin);
    n->u.path = path;
    n->type = value->type;
    n->flags = gnu ? NODE_GNU : 0;
    return n;
}

struct node *parse_initialiser(struct parser *p)
{
    if (p->tok.kind != TOKEN_LBRACE)
        return parse_assignment(p);
    uint32_t begin = p->tok.begin, mark = pending_mark(p), count;
    nest_enter(p);
    tok_next(p);
    while (p->tok.kind != TOKEN_RBRACE) {
        pending_push(p, parse_element(p));
        if (!tok_accept(p, TOKEN_COMMA))
            break;
    }
    tok_expect(p, TOKEN_RBRACE);
    nest_leave(p);
    struct node **kids = pending_take(p, mark, &count);
    struct node *n = with_extent(p, lang_node(p->program, NODE_INIT, kids, count), begin);
    n->type = lang_basic(p->program, TYPE_VOID); /* until it is resolved */
    return n;
}

/* ---- entities --------------------------------------------------------------------------- */

/* One declarator with all that was written around it. */
struct declaring {
    struct specifiers *specs;
    struct declared d;
    struct attributes after;
    const char *asm_label;
    bool nested; /* a function with its body, in a block */
};

static enum linkage linkage_of(const struct parser *p, const struct declaring *w, bool function)
{
    uint8_t storage = w->specs->specs->storage;
    const struct decl *earlier = w->d.ident->linked;
    bool outer = p->depth == 0;
    if (outer && storage == STORAGE_STATIC)
        return LINKAGE_INTERNAL;
    if (storage == STORAGE_EXTERN || (function && storage != STORAGE_STATIC)) {
        /* C11 6.2.2p4: as an earlier visible declaration has it */
        return earlier && earlier->linkage == LINKAGE_INTERNAL ? LINKAGE_INTERNAL
                                                               : LINKAGE_EXTERNAL;
    }
    if (function) /* static in a block: GNU */
        return LINKAGE_INTERNAL;
    return outer ? LINKAGE_EXTERNAL : LINKAGE_NONE;
}

/* C11 6.7.6.3p15: int f() is no f(int, ...), nor f(char). */
static bool old_style_fits(struct parser *p, const struct type *old, const struct type *new)
{
    old = old->canon;
    new = new->canon;
    if (old->kind != TYPE_FUNCTION || new->kind != TYPE_FUNCTION ||
        old->flags &(TYPE_PROTOTYPE | TYPE_KNR) || !(new->flags &TYPE_PROTOTYPE))
        return true;
    for (uint32_t i = 0; i < new->u.function->count; i++) {
        const struct type *t = new->u.function->types[i]->canon->unqual;
        if (t->kind == TYPE_FLOAT ||
            (lang_is_integer(t) && t->kind != TYPE_ENUM && lang_promoted(p->program, t) != t))
            return false;
    }
    return !(new->flags &TYPE_VARIADIC);
}

static void merge(struct parser *p, struct decl *d, const struct declaring *w)
{
    if (!lang_compatible(p->program, d->type, w->d.type) ||
        !old_style_fits(p, d->type, w->d.type) || !old_style_fits(p, w->d.type, d->type))
        parse_error_at(p, w->d.begin, "conflicting types for '%s'", d->name);
    d->type = lang_composite(p->program, d->type, w->d.type);
}

static struct decl *redeclared(struct parser *p, struct decl *d, const struct declaring *w)
{
    bool function = lang_is_kind(w->d.type, TYPE_FUNCTION);
    if ((d->kind == DECL_FUNC) != function)
        parse_error_at(p, w->d.begin, "'%s' redeclared as different kind of symbol", d->name);
    merge(p, d, w);
    return d;
}

static void check_free(struct parser *p, const struct declaring *w)
{
    const struct ident *id = w->d.ident;
    if (id->symbol && id->depth == p->depth && !id->symbol->implicit)
        parse_error_at(p, w->d.begin, "redefinition of '%s'", id->name);
}

static struct decl *declare_typedef(struct parser *p, const struct declaring *w)
{
    struct ident *id = w->d.ident;
    struct decl *old = id->symbol;
    struct type *t = w->d.type;
    uint32_t align = w->specs->attrs.align > w->after.align ? w->specs->attrs.align
                                                            : w->after.align;
    if (w->specs->attrs.may_alias || w->after.may_alias)
        t = lang_qualified(p->program, t, QUAL_MAY_ALIAS);
    if (align)
        t = lang_aligned(p->program, t, align);
    if (old && id->depth == p->depth) {
        if (old->kind == DECL_TYPEDEF && lang_compatible(p->program, old->type, t))
            return old;
        check_free(p, w);
    }
    struct decl *d = lang_decl_new(p->program, DECL_TYPEDEF, id->name, t);
    if (lang_is_kind(t, TYPE_UNION) && (w->specs->attrs.transparent || w->after.transparent))
        t->canon->u.record->transparent = true;
    scope_bind_symbol(p, id, d);
    return d;
}

/* C11 6.2.2p7.  A function may be declared again without static (6.2.2p5). */
static void check_linkage(struct parser *p, const struct decl *d, const struct declaring *w)
{
    uint8_t storage = w->specs->specs->storage;
    if (p->depth > 0)
        return;
    if (storage == STORAGE_STATIC && d->linkage == LINKAGE_EXTERNAL)
        parse_error_at(p, w->d.begin, "static declaration of '%s' follows non-static declaration",
                       d->name);
    if (storage == STORAGE_NONE && d->linkage == LINKAGE_INTERNAL && d->kind == DECL_VAR)
        parse_error_at(p, w->d.begin, "non-static declaration of '%s' follows static declaration",
                       d->name);
}

static struct decl *declare_linked(struct parser *p, const struct declaring *w,
                                   enum linkage linkage)
{
    struct ident *id = w->d.ident;
    bool function = lang_is_kind(w->d.type, TYPE_FUNCTION);
    struct decl *d = id->linked;
    if (id->symbol && id->depth == p->depth && id->symbol != d)
        check_free(p, w);
    if (d && d->implicit && !lang_compatible(p->program, d->type, w->d.type))
        d = NULL; /* a builtin that the program declares in its own way */
    bool written = d && !d->implicit;
    if (d && d->implicit) {
        d->implicit = false;
        d->builtin = 0;
        d->type = w->d.type;
    }
    if (d) {
        if (written)
            check_linkage(p, d, w);
        d = redeclared(p, d, w);
    } else {
        d = lang_decl_new(p->program, function ? DECL_FUNC : DECL_VAR, id->name, w->d.type);
        d->linkage = (uint8_t)linkage;
        d->is_static = !function;
        d->storage = STORAGE_EXTERN; /* until something defines it */
    }
    id->linked = d;
    scope_bind_symbol(p, id, d);
    return d;
}

static struct decl *declare_local(struct parser *p, const struct declaring *w)
{
    check_free(p, w);
    struct decl *d = lang_decl_new(p->program, DECL_VAR, w->d.ident->name, w->d.type);
    d->is_static = w->specs->specs->storage == STORAGE_STATIC;
    d->owner = p->function;
    list_add(&p->program->arena, &p->function->locals, d);
    scope_bind_symbol(p, w->d.ident, d);
    return d;
}

/* GNU: a function of a block, declared auto or with its body. */
static struct decl *declare_nested(struct parser *p, const struct declaring *w)
{
    struct ident *id = w->d.ident;
    struct decl *d = id->symbol;
    bool again = d && id->depth == p->depth && d->kind == DECL_FUNC && d->owner;
    if (again && lang_compatible(p->program, d->type, w->d.type))
        return d;
    check_free(p, w);
    d = lang_decl_new(p->program, DECL_FUNC, id->name, w->d.type);
    d->linkage = LINKAGE_NONE;
    d->owner = p->function;
    scope_bind_symbol(p, id, d);
    return d;
}

/* Copies: a list may be that of other declarators, too. */
static void add_attributes(struct parser *p, struct decl *d, const struct attr *list)
{
    for (; list; list = list->next) {
        struct attr *copy = NEW(&p->program->arena, struct attr);
        *copy = *list;
        copy->next = d->attrs;
        d->attrs = copy;
    }
}

/* What all of its declarators say together. */
static void add_properties(struct parser *p, struct decl *d, const struct declaring *w)
{
    const struct specs *specs = w->specs->specs;
    const struct attributes *lists[] = {&w->specs->attrs, &w->after};
    /* int x; extern int x; is still a definition (C11 6.9.2p2) */
    if (d->storage == STORAGE_EXTERN ||
        (d->storage == STORAGE_NONE && specs->storage != STORAGE_EXTERN))
        d->storage = specs->storage;
    d->inline_ |= specs->inline_;
    d->noreturn |= specs->noreturn;
    d->thread |= specs->thread;
    if (w->asm_label)
        d->asm_name = w->asm_label;
    d->align = w->specs->align > d->align ? w->specs->align : d->align;
    for (size_t i = 0; i < LENGTH(lists); i++) {
        d->weak |= lists[i]->weak;
        d->noreturn |= lists[i]->noreturn;
        d->cleanup |= lists[i]->cleanup;
        d->starts |= lists[i]->starts;
        d->align = lists[i]->align > d->align ? lists[i]->align : d->align;
        add_attributes(p, d, lists[i]->first);
    }
}

static struct decl *declare(struct parser *p, struct declaring *w)
{
    struct decl *d;
    w->d.type = attr_apply(p, w->d.type, &w->after);
    if (w->specs->specs->storage == STORAGE_TYPEDEF) {
        d = declare_typedef(p, w);
    } else {
        bool function = lang_is_kind(w->d.type, TYPE_FUNCTION);
        bool nested = function && p->depth > 0 &&
                      (w->nested || w->specs->specs->storage == STORAGE_AUTO);
        enum linkage linkage = linkage_of(p, w, function);
        d = nested                    ? declare_nested(p, w)
            : linkage == LINKAGE_NONE ? declare_local(p, w)
                                      : declare_linked(p, w, linkage);
    }
    add_properties(p, d, w);
    return d;
}

/* ---- declarators with their initialisers ------------------------------------------------ */

/* asm("name") behind a declarator, as text with its quotes. */
static const char *parse_asm_label(struct parser *p)
{
    if (!tok_accept(p, TOKEN_ASM))
        return NULL;
    tok_expect(p, TOKEN_LPAREN);
    uint32_t begin = p->tok.begin;
    if (p->tok.kind != TOKEN_STRING)
        tok_expect(p, TOKEN_STRING);
    while (tok_accept(p, TOKEN_STRING))
        continue;
    const char *text = source_between(p, begin, p->prev_end);
    tok_expect(p, TOKEN_RPAREN);
    return text;
}

static void parse_trailer(struct parser *p, struct declaring *w)
{
    attr_start(&w->after);
    parse_attributes(p, &w->after);
    w->asm_label = parse_asm_label(p);
    parse_attributes(p, &w->after);
}

static struct node *declarator_node(struct parser *p, struct decl *d, const struct declaring *w,
                                    struct node *init)
{
    struct node *n = with_extent(p, lang_node(p->program, NODE_DECLARATOR, &init, 1), w->d.begin);
    n->u.declarator = NEW(&p->program->arena, struct declarator);
    *n->u.declarator = (struct declarator){d, w->d.type, w->after.first, w->asm_label};
    n->type = w->d.type;
    if (!d->node || init || d->kind == DECL_TYPEDEF || !d->init)
        d->node = n;
    return n;
}

/* GNU __auto_type x = e: the type is the value's. */
static struct node *parse_auto(struct parser *p, struct declaring *w)
{
    tok_expect(p, TOKEN_ASSIGN);
    struct node *init = lang_rvalue(p->program, parse_assignment(p));
    refuse_narrow(p, init);
    struct type *t = lang_qualified(p->program, lang_auto(p->program, init->type),
                                    w->specs->type->quals);
    w->specs->type = w->specs->written = t;
    w->d.type = t;
    struct decl *d = declare(p, w);
    d->init = init;
    return declarator_node(p, d, w, init);
}

/* C11 6.7.6.2p1, p4: what only an array that is a parameter may have. */
static void check_brackets(struct parser *p, const struct decl *d, const struct declaring *w)
{
    const struct type *t = d->type;
    bool only = w->d.for_parameter || (t->kind == TYPE_ARRAY && t->flags & TYPE_STATIC);
    for (t = t->canon; t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER; t = t->base->canon)
        only = only || (t->kind == TYPE_ARRAY && t->flags & TYPE_STAR);
    if (only)
        parse_error_at(p, w->d.begin, "'static', [*] or a qualifier in '%s', which is no parameter",
                       d->name);
}

static void check_object(struct parser *p, const struct decl *d, const struct declaring *w)
{
    check_brackets(p, d, w);
    bool local = d->kind == DECL_VAR && d->linkage == LINKAGE_NONE;
    if (lang_is_kind(d->type, TYPE_VOID) && d->kind == DECL_VAR &&
        w->specs->specs->storage != STORAGE_EXTERN)
        parse_error_at(p, w->d.begin, "variable '%s' declared void", d->name);
    if (local && !lang_is_complete(d->type))
        parse_error_at(p, w->d.begin, "storage size of '%s' isn't known", d->name);
    uint8_t storage = w->specs->specs->storage;
    if (p->depth == 0 && storage == STORAGE_AUTO)
        parse_error_at(p, w->d.begin, "file-scope declaration of '%s' specifies 'auto'", d->name);
    if (p->depth > 0 && storage == STORAGE_STATIC && d->kind == DECL_FUNC) /* C11 6.7.1p7 */
        parse_error_at(p, w->d.begin, "invalid storage class for function '%s'", d->name);
    if (p->depth > 0 && w->specs->specs->thread && storage == STORAGE_NONE)
        parse_error_at(p, w->d.begin, "'%s' is implicitly auto and declared thread-local", d->name);
    const struct type *t = d->type->canon;
    bool lasts = p->depth == 0 || storage == STORAGE_STATIC || storage == STORAGE_EXTERN;
    if (p->depth == 0 || storage == STORAGE_EXTERN) /* C11 6.7.6.2p2 */
        while (t->kind == TYPE_POINTER)
            t = t->base->canon;
    if (lasts && t->kind == TYPE_ARRAY && t->flags & TYPE_VARIABLE && t->u.length &&
        constant_refused(p, t->u.length))
        parse_error_at(p, w->d.begin, "variably modified '%s', which is not automatic", d->name);
    if (p->depth == 0 && storage == STORAGE_REGISTER && !w->asm_label && d->kind == DECL_VAR)
        parse_error_at(p, w->d.begin, "register name not specified for '%s'", d->name);
    if (d->weak && d->linkage == LINKAGE_INTERNAL)
        parse_error_at(p, w->d.begin, "weak declaration of '%s' must be public", d->name);
    if (d->kind == DECL_FUNC && w->specs->specs->thread)
        parse_error_at(p, w->d.begin, "function '%s' declared thread-local", d->name);
    if ((d->kind == DECL_TYPEDEF || d->kind == DECL_FUNC || storage == STORAGE_REGISTER) &&
        w->specs->align) /* C11 6.7.5p2 */
        parse_error_at(p, w->d.begin, "alignment specified for '%s'", d->name);
    if (d->kind == DECL_VAR && w->specs->align && lang_is_complete(d->type) &&
        w->specs->align < lang_alignof(p->program, d->type))
        parse_error_at(p, w->d.begin, "'_Alignas' cannot reduce the alignment of '%s'", d->name);
}

/* Is a length of it computed when its declaration is met? */
static bool is_variably_modified(struct parser *p, const struct type *t)
{
    for (t = t->canon; t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER; t = t->base->canon)
        if (t->kind == TYPE_ARRAY && t->flags & TYPE_VARIABLE && t->u.length &&
            constant_refused(p, t->u.length))
            return true;
    return false;
}

static bool has_variable_member(struct parser *p, const struct type *t)
{
    t = t->canon;
    for (uint32_t i = 0; lang_is_record(t) && i < t->u.record->count; i++)
        if (is_variably_modified(p, t->u.record->fields[i]->type))
            return true;
    return false;
}

/* Is it a structure whose last member is an array, which may be flexible? */
static bool ends_in_array(const struct type *t)
{
    t = t->canon;
    const struct record *r = t->kind == TYPE_STRUCT ? t->u.record : NULL;
    return r && r->count && r->fields[r->count - 1]->type->canon->kind == TYPE_ARRAY;
}

static bool names_variable(const struct node *n)
{
    while (n->kind == NODE_CAST)
        n = n->kid[0];
    return n->kind == NODE_NAME && n->u.decl->kind == DECL_VAR && !n->u.decl->implicit;
}

static void check_initialiser(struct parser *p, const struct decl *d, const struct declaring *w,
                              const struct node *init)
{
    bool is_extern = w->specs->specs->storage == STORAGE_EXTERN;
    if (p->depth > 0 && is_extern)
        parse_error_at(p, w->d.begin, "'%s' has both 'extern' and an initialiser", d->name);
    bool longer = init->kind == NODE_INIT && init->u.init &&
                  init->u.init->size > lang_sizeof(p->program, d->type);
    if (has_variable_member(p, d->type) && init->kind == NODE_INIT)
        parse_error_at(p, init->begin, "an object of variable size may not be initialised");
    if (longer && !d->is_static)
        parse_error_at(p, init->begin, "non-static initialisation of a flexible array member");
    if (longer && !ends_in_array(d->type))
        parse_error_at(p, init->begin,
                       "initialisation of a flexible array member in a nested context");
    if (lang_is_kind(d->type, TYPE_ARRAY) && names_variable(init)) /* C11 6.7.9p14 to p16 */
        parse_error_at(p, init->begin, "an array is not initialised by another");
    const struct node *bad = d->is_static ? constant_refused(p, init) : NULL;
    if (bad)
        parse_error_at(p, bad->begin, "initialiser element is not constant");
}

static struct node *parse_declared(struct parser *p, struct declaring *w)
{
    parse_trailer(p, w);
    if (w->specs->auto_type)
        return parse_auto(p, w);
    struct decl *d = declare(p, w);
    struct node *init = NULL;
    if (p->tok.kind == TOKEN_ASSIGN) {
        if (d->kind != DECL_VAR)
            parse_error_at(p, p->tok.begin, "'%s' is initialised like a variable", d->name);
        if (d->init)
            parse_error_at(p, w->d.begin, "redefinition of '%s'", d->name);
        tok_next(p);
        uint32_t begin = p->tok.begin;
        init = lang_initialise(p->program, &d->type, parse_initialiser(p));
        if (!init)
            parse_error_at(p, begin, "%s", p->program->err.msg);
        d->init = init;
        check_initialiser(p, d, w, init);
    }
    check_object(p, d, w);
    if (p->depth > 0 && is_variably_modified(p, d->type))
        jump_enter_region(p, p->depth, false);
    return declarator_node(p, d, w, init);
}

static struct node *finish_declaration(struct parser *p, const struct specifiers *s, uint32_t mark,
                                       uint32_t begin)
{
    uint32_t count;
    struct node **kids = pending_take(p, mark, &count);
    struct node *n = with_extent(p, lang_node(p->program, NODE_DECL, kids, count), begin);
    n->type = s->written;
    n->u.specs = s->specs;
    return n;
}

/* Of a declaration that declares no more than a tag. */
static void check_empty(struct parser *p, const struct specifiers *s, uint32_t begin)
{
    if (s->specs->inline_ || s->specs->noreturn)
        parse_error_at(p, begin, "a function specifier in an empty declaration");
}

/* The declarators from the second on, then `;`. */
static struct node *parse_rest(struct parser *p, struct specifiers *s, uint32_t mark,
                               uint32_t begin)
{
    while (tok_accept(p, TOKEN_COMMA)) {
        if (s->auto_type)
            parse_error_at(p, p->prev_end, "'__auto_type' with more than one declarator");
        struct declaring w = {.specs = s};
        struct attributes leading;
        attr_start(&leading);
        parse_attributes(p, &leading);
        parse_declarator(p, s->type, DECLARE_NAMED, &w.d);
        pending_push(p, parse_declared(p, &w));
    }
    tok_expect(p, TOKEN_SEMI);
    return finish_declaration(p, s, mark, begin);
}

/* ---- function definitions --------------------------------------------------------------- */

static struct type *function_node(struct type *t)
{
    while (t->kind != TYPE_FUNCTION)
        t = t->base;
    return t;
}

static void declare_knr(struct parser *p, struct list *found, const struct declaring *w)
{
    struct decl *d = lang_decl_new(p->program, DECL_PARAM, w->d.ident->name, w->d.type);
    d->storage = w->specs->specs->storage;
    d->attrs = w->specs->attrs.first;
    for (size_t i = 0; i < found->n; i++)
        if (((const struct decl *)found->at[i])->name == d->name)
            parse_error_at(p, w->d.begin, "redefinition of parameter '%s'", d->name);
    list_add(&p->scratch, found, d);
}

/* One `int a, *b;` between the declarator and the body of an old-style definition. */
static struct node *parse_knr_declaration(struct parser *p, struct list *found)
{
    struct specifiers s;
    uint32_t begin = p->tok.begin, mark = pending_mark(p);
    parse_specifiers(p, &s, true);
    if (p->tok.kind != TOKEN_SEMI) {
        do {
            struct declaring w = {.specs = &s};
            parse_declarator(p, s.type, DECLARE_NAMED, &w.d);
            parse_trailer(p, &w);
            w.d.type = attr_apply(p, w.d.type, &w.after);
            declare_knr(p, found, &w);
            pending_push(p, declarator_node(p, found->at[found->n - 1], &w, NULL));
        } while (tok_accept(p, TOKEN_COMMA));
    }
    tok_expect(p, TOKEN_SEMI);
    return finish_declaration(p, &s, mark, begin);
}

static struct decl *knr_param(struct parser *p, const struct ident *name, const struct list *found)
{
    for (size_t i = 0; i < found->n; i++) {
        struct decl *d = found->at[i];
        if (d->name == name->name)
            return d;
    }
    struct decl *d = lang_decl_new(p->program, DECL_PARAM, name->name,
                                   lang_basic(p->program, TYPE_INT));
    d->implicit = p->program->undeclared = true;
    return d;
}

static void check_knr(struct parser *p, const struct declared *d, const struct list *found)
{
    for (size_t i = 0; i < found->n; i++) {
        const struct decl *declared = found->at[i];
        uint32_t k = 0;
        while (k < d->param_count && d->knr_names[k]->name != declared->name)
            k++;
        if (k == d->param_count)
            parse_error_at(p, d->begin, "declaration for parameter '%s' but no such parameter",
                           declared->name);
    }
}

static void parse_knr(struct parser *p, struct declared *d, struct list *declarations)
{
    struct list found = {0};
    while (p->tok.kind != TOKEN_LBRACE) {
        if (p->tok.kind == TOKEN_END || !at_type(p))
            tok_expect(p, TOKEN_LBRACE);
        list_add(&p->scratch, declarations, parse_knr_declaration(p, &found));
    }
    d->params = NEW_ARRAY(&p->program->arena, d->param_count, struct decl *);
    for (uint32_t i = 0; i < d->param_count; i++)
        d->params[i] = knr_param(p, d->knr_names[i], &found);
    check_knr(p, d, &found);
    function_node(d->type)->u.function->params = d->params;
}

static void bind_params(struct parser *p, const struct declared *d)
{
    for (uint32_t i = 0; i < d->param_count; i++) {
        const struct decl *param = d->params[i];
        if (!param->name)
            continue;
        struct ident *id = lex_intern(&p->lexer, param->name, (uint32_t)strlen(param->name));
        if (id->symbol && id->depth == p->depth)
            parse_error_at(p, d->begin, "redefinition of parameter '%s'", param->name);
        scope_bind_symbol(p, id, d->params[i]);
    }
}

/* C11 6.9.1p7; an old-style definition has as many as an earlier prototype. */
static void check_params(struct parser *p, const struct decl *d, const struct declaring *w)
{
    const struct type *t = d->type->canon;
    if (!lang_is_complete(t->base) && t->base->canon->kind != TYPE_VOID)
        parse_error_at(p, w->d.begin, "return type is an incomplete type");
    for (uint32_t i = 0; i < w->d.param_count; i++)
        if (!lang_is_complete(w->d.params[i]->type))
            parse_error_at(p, w->d.begin, "parameter %u has incomplete type", i + 1);
    if (w->d.is_knr && t->flags & TYPE_PROTOTYPE && t->u.function->count != w->d.param_count)
        parse_error_at(p, w->d.begin, "number of arguments doesn't match prototype");
}

/* GNU: what is extern and gnu_inline is no definition that others see, and may have one beside it.
 */
static bool is_for_inlining(const struct function *f)
{
    for (const struct attr *a = f->decl->attrs; a; a = a->next)
        if (strcmp(a->name, "gnu_inline") == 0)
            return f->specs->inline_ && f->specs->storage == STORAGE_EXTERN;
    return false;
}

/* A function whose first declaration was a prototype keeps it, whatever the definition says. */
static struct node *parse_definition(struct parser *p, struct declaring *w, uint32_t begin)
{
    struct program *program = p->program;
    struct list knr = {0};
    uint32_t declarator_end = p->prev_end;
    if (w->specs->specs->storage == STORAGE_TYPEDEF)
        parse_error_at(p, w->d.begin, "function definition declared 'typedef'");
    if (w->specs->specs->thread)
        parse_error_at(p, w->d.begin, "function definition declared thread-local");
    struct decl *d = declare(p, w);
    if (d->body && !is_for_inlining(d->body))
        parse_error_at(p, w->d.begin, "redefinition of '%s'", d->name);
    scope_enter(p);
    if (w->d.is_knr)
        parse_knr(p, &w->d, &knr);
    check_params(p, d, w);
    struct function *f = lang_define(program, d, w->d.params, w->d.param_count);
    f->outer = p->function;
    p->function = f;
    scope_bind_meanings(p, &w->d.meanings);
    bind_params(p, &w->d);
    f->specs = w->specs->specs;
    f->node->type = w->specs->written;
    f->node->kid[0]->type = f->node->kid[0]->u.declarator->type = w->d.type;
    f->node->kid[0]->u.declarator->attrs = w->after.first;
    f->node->kid[0]->begin = w->d.begin;
    f->node->kid[0]->end = declarator_end;
    f->body = f->node->kid[1] = parse_block(p, false);
    for (size_t i = 0; i < knr.n; i++)
        lang_append(program, f->node, knr.at[i]);
    scope_finish_labels(p);
    scope_leave(p);
    p->function = f->outer;
    return with_extent(p, f->node, begin);
}

/* GNU: the loops, switches and labels around it are not the function's. */
static struct node *parse_nested(struct parser *p, struct declaring *w, uint32_t begin)
{
    struct node *leave = p->break_target, *again = p->continue_target;
    struct switch_scope *cases = p->switch_scope;
    struct list idents = p->label_idents;
    struct label **labels = NEW_ARRAY(&p->scratch, idents.n + 1, struct label *);
    for (size_t i = 0; i < idents.n; i++) {
        labels[i] = ((struct ident *)idents.at[i])->label;
        ((struct ident *)idents.at[i])->label = NULL;
    }
    p->label_idents = (struct list){0};
    p->break_target = p->continue_target = NULL;
    p->switch_scope = NULL;
    w->nested = true;
    struct node *n = parse_definition(p, w, begin);
    p->break_target = leave;
    p->continue_target = again;
    p->switch_scope = cases;
    p->label_idents = idents;
    for (size_t i = 0; i < idents.n; i++)
        ((struct ident *)idents.at[i])->label = labels[i];
    return n;
}

static bool at_body(struct parser *p, const struct declared *d)
{
    if (!lang_is_kind(d->type, TYPE_FUNCTION))
        return false;
    return p->tok.kind == TOKEN_LBRACE || (d->is_knr && at_type(p) && !at_attribute(p));
}

/* ---- external declarations -------------------------------------------------------------- */

static struct node *parse_external_declaration(struct parser *p)
{
    struct specifiers s;
    uint32_t begin = p->tok.begin, mark = pending_mark(p);
    parse_specifiers(p, &s, true);
    if (tok_accept(p, TOKEN_SEMI)) {
        check_empty(p, &s, begin);
        return finish_declaration(p, &s, mark, begin);
    }
    if (!s.has_type && s.specs->storage == STORAGE_NONE && p->tok.kind != TOKEN_IDENT &&
        p->tok.kind != TOKEN_STAR && p->tok.kind != TOKEN_LPAREN)
        parse_error_at(p, p->tok.begin, "expected a declaration before '%s'",
                       source_between(p, p->tok.begin, p->tok.end));
    struct declaring w = {.specs = &s};
    parse_declarator(p, s.type, DECLARE_NAMED, &w.d);
    if (!s.has_type && !lang_is_kind(w.d.type, TYPE_FUNCTION) && s.specs->storage == STORAGE_NONE &&
        p->tok.kind == TOKEN_IDENT)
        parse_error_at(p, w.d.begin, "unknown type name '%s'", w.d.ident->name);
    attr_start(&w.after);
    if (at_body(p, &w.d))
        return parse_definition(p, &w, begin);
    pending_push(p, parse_declared(p, &w));
    return parse_rest(p, &s, mark, begin);
}

/* Specifiers take __extension__ themselves; before an assertion it stands alone. */
static void skip_extension(struct parser *p)
{
    while (p->tok.kind == TOKEN_EXTENSION && tok_peek(p)->kind == TOKEN_STATIC_ASSERT)
        tok_next(p);
}

void parse_external(struct parser *p)
{
    struct node *n;
    skip_extension(p);
    switch (p->tok.kind) {
    case TOKEN_SEMI:
        tok_next(p);
        return;
    case TOKEN_PRAGMA:
        n = parse_pragma(p);
        break;
    case TOKEN_STATIC_ASSERT:
        n = parse_static_assert(p);
        break;
    case TOKEN_ASM:
        n = parse_asm(p);
        break;
    default:
        n = parse_external_declaration(p);
        break;
    }
    lang_append(p->program, p->program->unit, n);
}

/* ---- in blocks -------------------------------------------------------------------------- */

bool at_declaration(struct parser *p)
{
    if (p->tok.kind == TOKEN_STATIC_ASSERT || at_attribute(p))
        return true;
    if (p->tok.kind == TOKEN_IDENT)
        return at_type(p) && tok_peek(p)->kind != TOKEN_COLON;
    if (p->tok.kind == TOKEN_EXTENSION)
        return at_type_token(p, tok_peek(p)) || tok_peek(p)->kind == TOKEN_EXTENSION ||
               tok_peek(p)->kind == TOKEN_STATIC_ASSERT;
    return at_type(p);
}

struct node *parse_declaration(struct parser *p)
{
    skip_extension(p);
    if (p->tok.kind == TOKEN_STATIC_ASSERT)
        return parse_static_assert(p);
    struct specifiers s;
    uint32_t begin = p->tok.begin, mark = pending_mark(p);
    parse_specifiers(p, &s, true);
    if (tok_accept(p, TOKEN_SEMI)) {
        check_empty(p, &s, begin);
        struct node *n = finish_declaration(p, &s, mark, begin);
        if (s.has_type || !s.attrs.first)
            return n;
        n->kind = NODE_ATTRIBUTE; /* __attribute__((fallthrough)); */
        n->u.attrs = s.attrs.first;
        return n;
    }
    struct declaring w = {.specs = &s};
    parse_declarator(p, s.type, DECLARE_NAMED, &w.d);
    if (at_body(p, &w.d) && p->function) {
        attr_start(&w.after);
        return parse_nested(p, &w, begin);
    }
    pending_push(p, parse_declared(p, &w));
    return parse_rest(p, &s, mark, begin);
}
