/* What names stand for: objects and functions across units, found when they are first
 * mentioned, and initialised before anything can read them. */
#include "machine/compile/compile.h"
#include "machine/lib/lib.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct definition {
    uint32_t unit;
    struct decl *decl;
};

struct pending_init {
    uint32_t unit;
    struct object *object;
    const struct node *init;
    const struct type *type;
    struct function *owner; /* of a static local: labels are its */
};

/* ---- tables by id ----------------------------------------------------------------------- */

static void *grown(struct machine *m, void *old, size_t had, size_t want, size_t size)
{
    char *more = arena_array(&m->arena, want, size);
    if (had)
        memcpy(more, old, had * size);
    return more;
}

#define GROW(field, had, want) u->field = grown(m, u->field, (had), (want), sizeof *u->field)

/* Programs grow while they are generated; so do the tables. */
void link_grow(struct machine *m, struct unit_state *u)
{
    uint32_t nodes = u->p->node_count, decls = (uint32_t)u->p->decls.n;
    if (nodes > u->node_count) {
        uint32_t had = u->node_count, want = had ? nodes + nodes / 2 : nodes;
        GROW(counter, had, want);
        GROW(order, had, want);
        GROW(fact, had, want);
        GROW(branch, had, want);
        GROW(whole, had, want);
        GROW(scope, had, want);
        GROW(case_target, had, want);
        GROW(strings, had, want);
        if (u->edit_count) {
            GROW(edited, had, want);
            GROW(dropped, had, want);
            GROW(inserted, had, want);
        }
        u->node_count = want;
    }
    if (decls > u->var_count) {
        uint32_t had = u->var_count, want = had ? decls + decls / 2 : decls;
        GROW(vars, had, want);
        GROW(funcs, had, want);
        u->var_count = want;
    }
}

/* ---- symbols ---------------------------------------------------------------------------- */

static const char *symbol_of(const struct decl *d)
{
    return d->name;
}

static bool has_attribute(const struct decl *d, const char *name)
{
    for (const struct attr *a = d->attrs; a; a = a->next)
        if (strcmp(a->name, name) == 0)
            return true;
    return false;
}

static bool names(const struct node *n, const char *name)
{
    if (n->kind == NODE_NAME && n->u.decl->name && strcmp(n->u.decl->name, name) == 0)
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && names(n->kid[i], name))
            return true;
    return false;
}

/* Headers have functions that stand for the library's of the same name: GNU's inline ones.  Some
 * look at the arguments and then call it by another name (_FORTIFY_SOURCE, error.h), some know what
 * a FILE has inside (bits/stdio.h, where __OPTIMIZE__ is defined).  One that need not be inlined
 * may as well be the library's. */
static bool is_wrapper(const struct decl *d)
{
    return d->kind == DECL_FUNC && d->body && d->name && d->inline_ && !d->is_static &&
           has_attribute(d, "gnu_inline") && lib_find(d->name) &&
           (has_attribute(d, "artificial") || !has_attribute(d, "always_inline") ||
            names(d->body->body, "__builtin_va_arg_pack"));
}

static bool defines(const struct decl *d)
{
    if (d->kind == DECL_FUNC)
        return d->body != NULL && !is_wrapper(d);
    return d->kind == DECL_VAR && (d->init || d->storage != STORAGE_EXTERN);
}

static bool is_tentative(const struct decl *d)
{
    return d->kind == DECL_VAR && !d->init;
}

static bool add_symbol(struct machine *m, uint32_t unit, struct decl *d)
{
    struct definition *old = map_get(&m->symbols, symbol_of(d));
    bool gnu_inline = d->kind == DECL_FUNC && d->inline_ && d->body;
    if (old && !is_tentative(d) && !is_tentative(old->decl) && !d->weak && !old->decl->weak &&
        old->unit != unit && !gnu_inline) {
        machine_stop(m, MACHINE_UNLINKED, "'%s' is defined twice: in %s and in %s", d->name,
                     m->units[old->unit].p->file, m->units[unit].p->file);
        return false;
    }
    if (old && (is_tentative(d) || gnu_inline || d->weak))
        return true;
    struct definition *fresh = NEW(&m->arena, struct definition);
    *fresh = (struct definition){unit, d};
    map_set(&m->arena, &m->symbols, symbol_of(d), fresh);
    return true;
}

/* GNU: what a name that is declared as an alias stands for; NULL: it is none, or of nobody. */
static struct decl *alias_target(const struct unit_state *u, const struct decl *d)
{
    const struct attr *a = d->attrs;
    while (a && strcmp(a->name, "alias") != 0)
        a = a->next;
    const char *name = a ? strchr(a->text, '"') : NULL;
    size_t n = name ? strcspn(++name, "\"") : 0;
    for (size_t i = 0; name && i < u->p->decls.n; i++) {
        struct decl *to = u->p->decls.at[i];
        if (to != d && to->kind == d->kind && to->name && strlen(to->name) == n &&
            memcmp(to->name, name, n) == 0 && !to->owner && (to->body || defines(to)))
            return to;
    }
    return NULL;
}

/* ---- functions around main -------------------------------------------------------------- */

/* GNU: constructor(100); without a number it comes last. */
struct starter {
    struct decl *decl;
    uint32_t unit, priority;
    bool ends; /* a destructor */
};

static void add_starters(struct machine *m, uint32_t unit, struct decl *d)
{
    enum { LAST = 65535 };
    for (const struct attr *a = d->attrs; a; a = a->next) {
        bool begins = strcmp(a->name, "constructor") == 0;
        if (!begins && strcmp(a->name, "destructor") != 0)
            continue;
        const char *number = strchr(a->text, '(');
        struct starter *s = NEW(&m->arena, struct starter);
        *s = (struct starter){d, unit, LAST, !begins};
        if (number)
            s->priority = (uint32_t)strtoul(number + 1, NULL, 0);
        list_add(&m->arena, &m->starters, s);
    }
}

/* Starters of one kind, in order of priority and text. */
static void starters_in_order(struct machine *m, bool ends, struct list *out)
{
    for (size_t i = 0; i < m->starters.n; i++) {
        struct starter *s = m->starters.at[i];
        if (s->ends != ends)
            continue;
        list_add(&m->arena, out, s);
        struct starter **at = (struct starter **)out->at;
        for (size_t k = out->n - 1; k > 0 && at[k - 1]->priority > s->priority; k--) {
            at[k] = at[k - 1];
            at[k - 1] = s;
        }
    }
}

/* Those of one priority come in whatever order: compilers take the text's, or its reverse. */
static void order_equals(struct machine *m, struct starter **at, size_t n)
{
    const struct starter *first = at[0];
    if (n < 2 || !machine_choose(m, CHOICE_STARTERS, first->unit, first->decl->node))
        return;
    for (size_t i = 0; i < n / 2; i++) {
        struct starter *s = at[i];
        at[i] = at[n - 1 - i];
        at[n - 1 - i] = s;
    }
}

static void find_starters(struct machine *m, bool ends, struct list *out)
{
    starters_in_order(m, ends, out);
    struct starter **at = (struct starter **)out->at;
    for (size_t i = 0, n; i < out->n; i += n) {
        for (n = 1; i + n < out->n && at[i + n]->priority == at[i]->priority; n++)
            ;
        order_equals(m, at + i, n);
    }
}

static void run_starter(struct machine *m, const struct starter *s)
{
    struct func *f = link_func(m, &m->units[s->unit], s->decl);
    if (f->body->param_count)
        machine_unsupported(m, s->unit, s->decl->node, "a constructor that takes arguments");
    else
        lib_run(m, f, 0, 0);
}

void link_run_constructors(struct machine *m)
{
    struct list order = {0};
    find_starters(m, false, &order);
    for (size_t i = 0; i < order.n && !m->ended; i++)
        run_starter(m, order.at[i]);
}

/* In the reverse order. */
void link_run_destructors(struct machine *m)
{
    struct list order = {0};
    find_starters(m, true, &order);
    while (order.n && !m->ended)
        run_starter(m, order.at[--order.n]);
}

/* ---- what goes on beside the program ------------------------------------------------------ */

static const char *function_named(const struct node *n)
{
    const struct decl *d = n && n->kind == NODE_NAME ? n->u.decl : NULL;
    return d && d->kind == DECL_FUNC && !d->body ? d->name : NULL;
}

static bool names_something(const struct node *n)
{
    bool found = n->kind == NODE_NAME;
    for (uint32_t i = 0; i < n->count && !found; i++)
        found = n->kid[i] && names_something(n->kid[i]);
    return found;
}

/* signal(n, handler), and neither SIG_IGN nor SIG_DFL, which are numbers. */
static bool sets_handler(const struct node *n)
{
    const struct node *callee = n && n->kind == NODE_CALL && n->count == 3 ? n->kid[0] : NULL;
    while (callee && callee->kind == NODE_CAST)
        callee = callee->kid[0];
    const char *name = function_named(callee);
    return name && strcmp(name, "signal") == 0 && names_something(n->kid[2]);
}

static bool is_beside(const char *name)
{
    static const char *const names[] = {
#define BESIDE(name) #name,
#include "machine/beside.def"
    };
    for (size_t i = 0; i < LENGTH(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Does it name a function of that name? */
static bool names_function(const struct program *p, const char *name)
{
    for (uint32_t i = 0; i < p->node_count; i++) {
        const char *other = function_named(p->nodes[i]);
        if (other && strcmp(other, name) == 0)
            return true;
    }
    return false;
}

/* What a child does to memory that it shares. */
static bool shares_with_child(const struct program *p)
{
    return names_function(p, "fork") && (names_function(p, "mmap") || names_function(p, "mmap64"));
}

/* Behind what does nothing in a template: quotes, blanks, ends of lines, nop. */
static const char *skip_nothing(const char *text)
{
    static const char *const nothing[] = {"\"", " ", "\\n", "\\t", ";", "nop"};
    for (size_t i = 0; i < LENGTH(nothing);) {
        bool here = str_has_prefix(text, nothing[i]);
        text += here ? strlen(nothing[i]) : 0;
        i = here ? 0 : i + 1;
    }
    return text;
}

bool asm_does_nothing(const char *text)
{
    while (*text && *text != '"')
        text++;
    text = skip_nothing(text);
    if (*text != ':' && *text != ')')
        return false;
    for (; *text; text++)
        if (text[0] == '"' && (text[1] == '=' || text[1] == '"'))
            return false;
    return true;
}

static const char *beside_in(const struct program *p)
{
    for (uint32_t i = 0; i < p->node_count; i++) {
        const struct node *n = p->nodes[i];
        const char *name = function_named(n);
        if (n && n->kind == NODE_ASM && !asm_does_nothing(n->u.text))
            return "asm";
        if (sets_handler(n))
            return "signal";
        if (name && is_beside(name))
            return name;
    }
    return shares_with_child(p) ? "mmap" : NULL;
}

const char *link_beside(const struct machine *m)
{
    const char *found = NULL;
    for (uint32_t i = 0; i < m->unit_count && !found; i++)
        found = beside_in(m->units[i].p);
    return found;
}

/* ---- what the units say of each other ----------------------------------------------------- */

/* Does it name a function that ends the life of allocated memory? */
static bool frees(const struct program *p)
{
    for (uint32_t i = 0; i < p->node_count; i++) {
        const char *name = function_named(p->nodes[i]);
        if (name && (strcmp(name, "free") == 0 || strcmp(name, "realloc") == 0))
            return true;
    }
    return false;
}

/* From a pointer to something else, or to nothing that is known. */
static bool makes_whole(const struct type *from, const struct type *to)
{
    from = from->canon->unqual;
    to = to->canon->unqual;
    return from != to && (lang_is_record(to) || to->kind == TYPE_VECTOR);
}

bool link_start(struct machine *m)
{
    m->mixes_records = record_mixes(m);
    for (uint32_t i = 0; i < m->unit_count; i++) {
        struct program *p = m->units[i].p;
        link_grow(m, &m->units[i]);
        if (p->open_layout) {
            machine_unsupported(m, i, NULL, "a #pragma pack(pop) that compilers take differently");
            return false;
        }
        m->drops_volatile = m->drops_volatile || plain_drops_volatile(p);
        m->has_walls = m->has_walls || wall_in_program(p);
        m->mixes_wholes = m->mixes_wholes || record_any_reuse(p, makes_whole);
        m->frees = m->frees || frees(p);
        for (size_t k = 0; k < p->decls.n; k++) {
            struct decl *d = p->decls.at[k];
            if (d->starts && d->body)
                add_starters(m, i, d);
            if (d->linkage == LINKAGE_EXTERNAL && d->name &&
                (defines(d) || alias_target(&m->units[i], d)) && !add_symbol(m, i, d))
                return false;
        }
    }
    return true;
}

bool link_is_absent(const char *name)
{
    return dlsym(RTLD_DEFAULT, name) == NULL;
}

/* asm("name") behind a declaration, without the quotes of its parts; NULL: none. */
static const char *assembler_name(struct machine *m, const struct decl *d)
{
    if (!d->asm_name)
        return NULL;
    char *name = arena_alloc(&m->arena, strlen(d->asm_name) + 1), *to = name;
    for (const char *s = d->asm_name; *s; s++)
        if (*s != '"' && *s != ' ')
            *to++ = *s;
    *to = 0;
    return name;
}

/* The first and the last byte of a section, or of a table in one. */
static bool is_section_bound(const char *name)
{
    static const char *const tables[] = {"init_array_", "fini_array_", "preinit_array_",
                                         "rela_iplt_", "rel_iplt_"};
    if (!str_has_prefix(name, "__"))
        return false;
    name += 2;
    for (size_t i = 0; i < LENGTH(tables); i++)
        if (str_has_prefix(name, tables[i]))
            return true;
    return str_has_prefix(name, "start_") || str_has_prefix(name, "stop_");
}

bool link_is_placed(struct machine *m, const struct decl *d)
{
    static const char *const names[] = {
#define PLACED(name) #name,
#include "machine/placed.def"
    };
    const char *name = d->asm_name ? assembler_name(m, d) : d->name;
    if (name && is_section_bound(name))
        return true;
    for (size_t i = 0; name && i < LENGTH(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* ---- objects ---------------------------------------------------------------------------- */

static bool is_const_type(const struct type *t)
{
    t = t->canon;
    while (t->kind == TYPE_ARRAY)
        t = t->base;
    return t->quals & QUAL_CONST;
}

/* GNU: "main" of gcc, "int main(void)" of clang. */
static bool is_spelled_freely(const struct object *o)
{
    return o->name && strcmp(o->name, "__PRETTY_FUNCTION__") == 0 && o->size > 1;
}

static struct object *static_object(struct machine *m, struct unit_state *u, struct decl *d)
{
    uint64_t size = lang_sizeof(u->p, d->type);
    if (d->init && d->init->kind == NODE_INIT && d->init->u.init && d->init->u.init->size > size)
        size = d->init->u.init->size;
    if (d->type->canon->kind == TYPE_ARRAY && d->type->canon->flags & TYPE_UNSIZED && !size)
        size = lang_sizeof(u->p, d->type->canon->base); /* C11 6.9.2p5: one element */
    uint32_t align = lang_alignof(u->p, d->type);
    struct object *o = memory_new(&m->memory, size, d->align > align ? d->align : align, NEW_ZERO);
    if (!o) {
        machine_stop(m, MACHINE_MEMORY, "out of memory: static objects");
        o = memory_new(&m->memory, 0, 1, NEW_ZERO);
        if (!o)
            BUG("no memory for an empty object");
        return o;
    }
    o->kind = OBJECT_STATIC;
    o->name = d->name;
    o->home = d->owner;
    if (d->owner)
        list_add(&m->arena, &m->homely, o);
    memory_declare(m, o, u->p, d->type);
    o->is_const = is_const_type(d->type) ? CONST_ALL : o->consts ? CONST_PARTS : CONST_NONE;
    const struct node *value = is_dropped(u, d->init) ? NULL : edited_node(u, d->init);
    if (value) {
        struct pending_init *init = NEW(&m->arena, struct pending_init);
        *init = (struct pending_init){u->index, o, value, d->type, d->owner};
        list_add(&m->arena, &m->queue, init);
    } else {
        pure_keep(m, o);
    }
    if (is_spelled_freely(o))
        machine_choose(m, CHOICE_SPELLING, u->index, d->init);
    return o;
}

static struct object *external_object(struct machine *m, struct unit_state *u, struct decl *d)
{
    struct decl *alias = alias_target(u, d);
    if (alias)
        return link_var(m, u, alias)->object;
    struct definition *at = d->linkage == LINKAGE_EXTERNAL ? map_get(&m->symbols, d->name) : NULL;
    if (at && at->decl != d && at->decl->kind == DECL_VAR)
        return link_var(m, &m->units[at->unit], at->decl)->object;
    if (at || defines(d))
        return static_object(m, u, d);
    return lib_object(m, d->name, u, d);
}

struct var *link_var(struct machine *m, struct unit_state *u, struct decl *d)
{
    if (d->id >= u->var_count)
        link_grow(m, u);
    struct var *v = &u->vars[d->id];
    if (v->place != VAR_NONE || d->kind != DECL_VAR)
        return v;
    bool is_static = d->is_static || d->linkage != LINKAGE_NONE || d->storage == STORAGE_EXTERN;
    if (!is_static)
        return v;
    v->place = VAR_STATIC;
    v->kind = (uint8_t)kind_of(u->p, d->type);
    v->object = external_object(m, u, d);
    if (!v->object) {
        v->place = VAR_NONE;
        return v;
    }
    return &u->vars[d->id];
}

struct object *link_string(struct machine *m, struct unit_state *u, const struct node *n)
{
    if (n->id >= u->node_count)
        link_grow(m, u);
    if (u->strings[n->id])
        return u->strings[n->id];
    struct object *o = memory_new(&m->memory, n->u.string->size, n->u.string->unit, NEW_KNOWN);
    if (!o)
        BUG("no memory for a string");
    memcpy(o->bytes, n->u.string->bytes, n->u.string->size);
    o->kind = OBJECT_STRING;
    o->is_const = CONST_ALL;
    memory_declare(m, o, u->p, n->type);
    return u->strings[n->id] = o;
}

void link_initialise(struct machine *m)
{
    while (m->queue.n && !m->ended) {
        struct pending_init init = *(struct pending_init *)m->queue.at[--m->queue.n];
        struct unit_state *u = &m->units[init.unit];
        uint8_t is_const = init.object->is_const;
        init.object->is_const = CONST_NONE;
        struct func *owner = init.owner ? link_func(m, u, init.owner->decl) : &m->init_func;
        struct code *code = compile_static(m, owner, u, init.object, init.init, init.type);
        uint64_t *r = m->depth ? m->frames[m->depth].r + m->frames[m->depth].code->slots + 8
                               : m->stack;
        /* the caller's outgoing arguments lie behind its slots' highest mark at most */
        size_t marks = m->seq.mark_count;
        m->seq.mark_count = 0;
        exec_code(m, code, r);
        m->seq.mark_count = marks;
        if (is_spelled_freely(init.object) && m->options.choices >> CHOICE_SPELLING & 1)
            init.object->bytes[0] ^= 1; /* otherwise than here */
        init.object->is_const = is_const;
        pure_keep(m, init.object);
    }
}

/* ---- functions -------------------------------------------------------------------------- */

/* Compilers put their own code in place of these, even if the program defines them with external
 * linkage, which C11 7.1.3p2 leaves undefined.  A static one is the program's (7.1.3p1). */
static bool is_folded(const struct decl *d)
{
    static const struct {
        const char *name;
        enum type_kind kind; /* of its parameter and of its result */
    } rows[] = {
        {"abs", TYPE_INT},      {"labs", TYPE_LONG},     {"llabs", TYPE_LLONG},
        {"imaxabs", TYPE_LONG}, {"imaxabs", TYPE_LLONG}, {"fabs", TYPE_DOUBLE},
        {"fabsf", TYPE_FLOAT},  {"ffs", TYPE_INT},
    };
    const struct type *t = d->type->canon;
    if (d->linkage != LINKAGE_EXTERNAL || !d->body || t->u.function->count != 1)
        return false;
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (strcmp(d->name, rows[i].name) == 0 && lang_is_kind(t->base, rows[i].kind) &&
            lang_is_kind(t->u.function->types[0], rows[i].kind))
            return true;
    return false;
}

static struct func *func_new(struct machine *m, struct decl *d, uint32_t unit)
{
    struct func *f = NEW(&m->arena, struct func);
    f->name = d->name;
    f->decl = d;
    f->body = is_wrapper(d) ? NULL : d->body;
    f->unit = unit;
    f->purity = (uint8_t)(f->body ? promise_purity(d) : PROMISE_NO_PURITY);
    if (!f->body)
        f->lib = lib_find(d->name);
    const char *other = f->body || f->lib ? NULL : assembler_name(m, d);
    if (other)
        f->lib = lib_find(other);
    if (is_folded(d)) {
        f->rival = NEW(&m->arena, struct func);
        *f->rival = *f;
        f->rival->body = NULL;
        f->rival->lib = lib_find(d->name);
    }
    return f;
}

struct func *link_func(struct machine *m, struct unit_state *u, struct decl *d)
{
    if (d->id >= u->var_count)
        link_grow(m, u);
    struct func **slot = &u->funcs[d->id];
    if (*slot)
        return *slot;
    struct decl *alias = alias_target(u, d);
    if (alias)
        return u->funcs[d->id] = link_func(m, u, alias);
    const char *name = d->name;
    if (str_has_prefix(name, "__builtin_") && !d->body && !lib_find(name))
        name += strlen("__builtin_");
    struct definition *at = d->linkage != LINKAGE_EXTERNAL ? NULL : map_get(&m->symbols, name);
    const char *other = at || d->body || lib_find(name) ? NULL : assembler_name(m, d);
    if (other)
        at = map_get(&m->symbols, other);
    if (other && at && has_attribute(at->decl, "gnu_inline"))
        at = NULL; /* is not there under that name */
    if (at && at->decl != d && at->decl->kind == DECL_FUNC &&
        (at->decl->body || alias_target(&m->units[at->unit], at->decl))) {
        struct func *f = link_func(m, &m->units[at->unit], at->decl);
        if (f->body && promise_purity(d) > f->purity) /* what callers rely on counts too */
            f->purity = (uint8_t)promise_purity(d);
        return u->funcs[d->id] = f;
    }
    if (!d->body || is_wrapper(d)) { /* the library's, or nobody's: one per name */
        struct func *f = map_get(&m->functions, d->name);
        if (!f) {
            f = func_new(m, d, u->index);
            map_set(&m->arena, &m->functions, d->name, f);
        }
        return *slot = f;
    }
    return *slot = func_new(m, d, u->index);
}

struct object *func_object(struct machine *m, struct func *f)
{
    if (f->object)
        return f->object;
    uint64_t labels = f->body ? f->body->labels.n : 0;
    struct object *o = memory_new(&m->memory, 1 + labels, 16, NEW_ZERO);
    if (!o)
        BUG("no memory for a function");
    o->kind = OBJECT_FUNCTION;
    o->is_const = CONST_ALL;
    o->name = f->name;
    o->func = f;
    return f->object = o;
}

/* The function whose name for the linker is main: by an asm label, or its own. */
static struct definition *find_main(struct machine *m)
{
    static const char label[] = "\"main\"";
    struct definition *own = map_get(&m->symbols, "main");
    for (uint32_t i = 0; i < m->unit_count; i++)
        for (size_t k = 0; k < m->units[i].p->functions.n; k++) {
            struct decl *d = ((struct function *)m->units[i].p->functions.at[k])->decl;
            if (d->asm_name && strcmp(d->asm_name, label) == 0)
                return map_get(&m->symbols, d->name);
        }
    bool renamed = own && own->decl->asm_name && strcmp(own->decl->asm_name, label) != 0;
    return renamed ? NULL : own;
}

struct func *link_main(struct machine *m)
{
    struct definition *at = find_main(m);
    if (!at || at->decl->kind != DECL_FUNC) {
        machine_stop(m, MACHINE_UNLINKED, "there is no main");
        return NULL;
    }
    return link_func(m, &m->units[at->unit], at->decl);
}
