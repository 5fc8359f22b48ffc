/* What pointers are based on (C11 6.7.3.1p3), as far as the text of a function tells: the watch of
 * restrict.c needs it.
 *
 * A function has bases: the values of its pointer parameters when it begins, restrict variables
 * from their initialisation or assignment on, those of file scope that it does not change, and two
 * that stand for all restrict pointers in memory that it reads (members, elements, what a pointer
 * points to), by declarations of its own and of file scope: which one it was is known when it
 * runs, by the place that it was read at (struct origin).  Each pointer expression is certainly
 * based on one of them, certainly on none (it names an object, or comes from memory that none was
 * written to), or may be based on some.  A base leaks where it is written to memory, becomes an
 * integer, or is passed to a function that does such a thing with it: then whatever comes from
 * memory may be based on it. */
#include "machine/compile/private.h"

#include <string.h>

/* A pointer variable that nobody else can change. */
struct based_variable {
    const struct decl *decl;
    struct basis on;
};

/* The walk over one function. */
struct analysis {
    struct machine *m;
    const struct unit_state *u;
    const struct function *f;
    struct bases *b;
};

static const struct basis nothing = {0, BASIS_NULL, 0}, elsewhere = {0, BASIS_NONE, 0},
                          named = {0, BASIS_NAMED, 0}, anything = {BASIS_ANY, BASIS_MAYBE, 0};

static struct basis join(struct basis x, struct basis y)
{
    if (x.sure == BASIS_NULL)
        return y;
    if (y.sure == BASIS_NULL || based_same(x, y))
        return x;
    uint16_t may = x.may | y.may;
    return may ? (struct basis){may, BASIS_MAYBE, 0} : elsewhere;
}

/* The same where nobody knows any more which pointer in memory it was. */
static struct basis without_origin(struct basis x)
{
    return x.origin ? (struct basis){x.may, BASIS_MAYBE, 0} : x;
}

static const struct node *edited_kid(const struct analysis *a, const struct node *n, uint32_t i)
{
    return edited_node(a->u, n->kid[i]);
}

static const struct node *chosen(const struct analysis *a, const struct node *n)
{
    if (n->kind == NODE_GENERIC)
        return edited_kid(a, n, n->u.generic->chosen);
    return edited_kid(a, n, n->flags & NODE_SECOND ? 2 : 1);
}

static bool is_pointer(const struct type *t)
{
    return t && t->canon->kind == TYPE_POINTER;
}

static bool is_restrict(const struct type *t)
{
    return is_pointer(t) && (t->quals | t->canon->quals) & QUAL_RESTRICT;
}

/* ---- expressions ------------------------------------------------------------------------ */

static struct basis value_basis(const struct analysis *a, const struct node *n);

static struct based_variable *find_variable(const struct bases *b, const struct decl *d)
{
    for (size_t i = 0; i < b->variables.n; i++)
        if (((struct based_variable *)b->variables.at[i])->decl == d)
            return b->variables.at[i];
    return NULL;
}

/* The restrict pointer in memory that n designates, by number; 0: none that is followed. */
static uint8_t origin_of(const struct bases *b, const struct node *n)
{
    for (size_t i = 0; i < b->origins.n; i++)
        if (((const struct origin *)b->origins.at[i])->node == n)
            return (uint8_t)(i + 1);
    return 0;
}

/* Of the value that lies in an lvalue. */
static struct basis loaded_basis(const struct analysis *a, const struct node *n)
{
    n = edited_node(a->u, n);
    if (n->kind == NODE_GENERIC || n->kind == NODE_CHOOSE)
        return loaded_basis(a, chosen(a, n));
    uint8_t origin = origin_of(a->b, n);
    if (origin) {
        const struct origin *o = a->b->origins.at[origin - 1];
        return (struct basis){a->b->in_memory[o->lasting], BASIS_MUST, origin};
    }
    const struct based_variable *v = n->kind == NODE_NAME ? find_variable(a->b, n->u.decl) : NULL;
    return v ? v->on : elsewhere;
}

/* Of the address of an lvalue. */
static struct basis address_basis(const struct analysis *a, const struct node *n)
{
    n = edited_node(a->u, n);
    switch (n->kind) {
    case NODE_NAME:
    case NODE_STRING:
    case NODE_LITERAL:
    case NODE_CALL:
        return named;
    case NODE_UNARY:
        return n->op == OP_DEREF                      ? value_basis(a, n->kid[0])
               : n->op == OP_REAL || n->op == OP_IMAG ? address_basis(a, n->kid[0])
                                                      : anything;
    case NODE_MEMBER:
        return n->flags & NODE_ARROW ? value_basis(a, n->kid[0]) : address_basis(a, n->kid[0]);
    case NODE_INDEX:
        if (is_pointer(n->kid[0]->type))
            return value_basis(a, n->kid[0]);
        return is_pointer(n->kid[1]->type) ? value_basis(a, n->kid[1])
                                           : address_basis(a, n->kid[0]);
    case NODE_GENERIC:
    case NODE_CHOOSE:
        return address_basis(a, chosen(a, n));
    default:
        return anything;
    }
}

/* Of a pointer that is moved where it lies.  One in memory loses its number by that. */
static struct basis moved_basis(const struct analysis *a, const struct node *n)
{
    struct basis on = loaded_basis(a, n);
    return edited_node(a->u, n)->kind == NODE_NAME ? on : without_origin(on);
}

static struct basis cast_basis(const struct analysis *a, const struct node *n)
{
    switch (n->op) {
    case CONV_LVALUE:
        return loaded_basis(a, n->kid[0]);
    case CONV_ARRAY:
        return address_basis(a, n->kid[0]);
    case CONV_NOOP:
    case CONV_PTR:
        return value_basis(a, n->kid[0]);
    case CONV_NULL:
        return nothing;
    case CONV_INT_PTR:
        return elsewhere; /* what became an integer has leaked */
    default:
        return named;
    }
}

/* A call may give back what it was given, and what it finds in memory. */
static struct basis call_basis(const struct analysis *a, const struct node *n)
{
    uint16_t may = a->b->in_memory[0] | a->b->in_memory[1];
    for (uint32_t i = 1; i < n->count; i++)
        if (is_pointer(n->kid[i]->type))
            may |= value_basis(a, n->kid[i]).may;
    return may ? (struct basis){may, BASIS_MAYBE, 0} : elsewhere;
}

static struct basis binary_basis(const struct analysis *a, const struct node *n)
{
    if (n->op == OP_COMMA)
        return value_basis(a, n->kid[1]);
    if (is_pointer(n->kid[0]->type))
        return value_basis(a, n->kid[0]);
    return is_pointer(n->kid[1]->type) ? value_basis(a, n->kid[1]) : anything;
}

/* Of a pointer. */
static struct basis value_basis(const struct analysis *a, const struct node *n)
{
    n = edited_node(a->u, n);
    switch (n->kind) {
    case NODE_CAST:
        return cast_basis(a, n);
    case NODE_UNARY:
        if (n->op == OP_ADDR)
            return address_basis(a, n->kid[0]);
        return is_step(n) ? moved_basis(a, n->kid[0]) : anything;
    case NODE_BINARY:
        return binary_basis(a, n);
    case NODE_ASSIGN:
        return n->op == OP_ASSIGN ? value_basis(a, n->kid[1]) : moved_basis(a, n->kid[0]);
    case NODE_COND:
        return join(value_basis(a, n->kid[n->count - 1]), value_basis(a, n->kid[n->count - 2]));
    case NODE_CALL:
        return call_basis(a, n);
    case NODE_GENERIC:
    case NODE_CHOOSE:
        return value_basis(a, chosen(a, n));
    case NODE_INT:
        return nothing;
    case NODE_NAME:
    case NODE_MEMBER:
    case NODE_INDEX:
        return loaded_basis(a, n);
    default:
        return anything;
    }
}

/* ---- which bases there are -------------------------------------------------------------- */

static const struct decl *assigned(const struct analysis *a, const struct node *n)
{
    bool sets = n->kind == NODE_ASSIGN || is_step(n);
    const struct node *to = sets ? edited_kid(a, n, 0) : NULL;
    return to && to->kind == NODE_NAME ? to->u.decl : NULL;
}

/* The variable that a pointer is written with: p, p++, p += i, or p plus or minus something. */
static const struct decl *pointer_base(const struct unit_state *u, const struct node *n)
{
    n = edited_node(u, n);
    if (n->kind == NODE_NAME)
        return n->u.decl;
    bool cast = n->kind == NODE_CAST && (n->op == CONV_LVALUE || n->op == CONV_NOOP);
    bool moved = n->kind == NODE_BINARY && (n->op == OP_ADD || n->op == OP_SUB) &&
                 is_pointer(n->kid[0]->type);
    return cast || moved || is_step(n) || n->kind == NODE_ASSIGN ? pointer_base(u, n->kid[0])
                                                                 : NULL;
}

/* Does something below n change d; or only give it a value that is not itself, moved? */
static bool is_changed(const struct analysis *a, const struct node *n, const struct decl *d,
                       bool may_move)
{
    n = edited_node(a->u, n);
    bool moved = n->kind != NODE_ASSIGN || n->op != OP_ASSIGN || pointer_base(a->u, n->kid[1]) == d;
    if (assigned(a, n) == d && !(may_move && moved))
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && is_changed(a, n->kid[i], d, may_move))
            return true;
    return false;
}

/* A pointer of file scope or a static local one, which no pointer to it can change. */
static bool is_lasting(const struct decl *d)
{
    return d->kind == DECL_VAR && (d->is_static || d->linkage != LINKAGE_NONE) && !d->address_taken;
}

/* Its bit; 0: there are too many. */
static uint16_t add_base(struct analysis *a, struct base e)
{
    struct bases *b = a->b;
    if (b->count == MOST_BASES)
        return 0;
    uint16_t bit = (uint16_t)(1u << b->count);
    b->restricted |= e.is_restrict ? bit : 0;
    if (e.is_restrict && e.decl)
        b->fixed |= e.decl->type->canon->base->canon->quals & QUAL_CONST ? bit : 0;
    bool lasts = e.decl && is_lasting(e.decl);
    b->lasting |= lasts ? bit : 0;
    b->begun |= e.parameter >= 0 || lasts || !e.decl ? bit : 0;
    b->list[b->count++] = e;
    return bit;
}

static void add_parameters(struct analysis *a)
{
    for (uint32_t i = 0; i < a->f->param_count; i++) {
        const struct decl *d = a->f->params[i];
        if (!is_pointer(d->type))
            continue;
        bool kept = !d->address_taken && !is_changed(a, a->f->body, d, true);
        a->b->leaked |= d->address_taken ? (uint16_t)(1u << a->b->count) : 0;
        add_base(a, (struct base){d, (int32_t)i, kept && is_restrict(d->type)});
    }
}

static const struct node *initialiser(const struct analysis *a, const struct decl *d)
{
    bool dropped = d->init && is_dropped(a->u, d->init);
    return dropped || !d->init ? NULL : edited_node(a->u, d->init);
}

static bool is_automatic(const struct decl *d)
{
    return d->kind == DECL_VAR && !d->is_static && d->linkage == LINKAGE_NONE && !d->address_taken;
}

/* From where they are initialised or assigned to on: see settled. */
static void add_variables(struct analysis *a)
{
    for (size_t i = 0; i < a->f->locals.n; i++) {
        const struct decl *d = a->f->locals.at[i];
        const struct node *init = is_automatic(d) ? initialiser(a, d) : NULL;
        if (is_automatic(d) && is_restrict(d->type) && (!init || init->kind != NODE_INIT))
            add_base(a, (struct base){d, -1, true});
    }
}

/* Its bit; 0: it is none. */
static uint16_t base_bit(const struct bases *b, const struct decl *d)
{
    for (uint8_t i = 0; i < b->count; i++)
        if (b->list[i].decl == d)
            return (uint16_t)(1u << i);
    return 0;
}

/* Restrict pointers of file scope (C11 6.7.3.1p2: their block is the program): as far as one call
 * goes that does not change them.  Where others copied them to nobody knows. */
static void add_lasting(struct analysis *a, const struct node *n)
{
    n = edited_node(a->u, n);
    const struct decl *d = n->kind == NODE_NAME ? n->u.decl : NULL;
    if (d && is_lasting(d) && is_restrict(d->type) && a->b->count < MOST_BASES &&
        !base_bit(a->b, d) && !is_changed(a, a->f->body, d, false))
        a->b->leaked |= add_base(a, (struct base){d, -1, true});
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            add_lasting(a, n->kid[i]);
}

/* ---- restrict pointers in memory ---------------------------------------------------------- */

static bool declares(const struct node *n, const struct decl *d)
{
    if (n->kind == NODE_DECLARATOR && n->u.declarator->decl == d)
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && declares(n->kid[i], d))
            return true;
    return false;
}

/* The innermost block that declares it. */
static const struct node *block_of(const struct node *n, const struct decl *d)
{
    const struct node *inner = NULL;
    for (uint32_t i = 0; i < n->count && !inner; i++)
        if (n->kid[i] && declares(n->kid[i], d))
            inner = block_of(n->kid[i], d);
    return inner ? inner : n->kind == NODE_BLOCK || n->kind == NODE_FOR ? n : NULL;
}

/* Does a conversion leave the type as it is, and so what the declaration says of it? */
static bool keeps_type(const struct node *n)
{
    return n->op == CONV_LVALUE || n->op == CONV_ARRAY ||
           (n->op == CONV_NOOP && n->type->canon->unqual == n->kid[0]->type->canon->unqual);
}

/* The declaration that provides a means of designating an object (C11 6.7.3.1p1); or NULL. */
static const struct decl *designator(const struct analysis *a, const struct node *n)
{
    n = edited_node(a->u, n);
    switch (n->kind) {
    case NODE_NAME:
        return n->u.decl;
    case NODE_CAST:
        return keeps_type(n) ? designator(a, n->kid[0]) : NULL;
    case NODE_MEMBER:
        return designator(a, n->kid[0]);
    case NODE_UNARY:
        return n->op == OP_DEREF || n->op == OP_ADDR || is_step(n) ? designator(a, n->kid[0])
                                                                   : NULL;
    case NODE_INDEX:
    case NODE_BINARY: {
        bool moves = n->kind == NODE_INDEX || n->op == OP_ADD || n->op == OP_SUB;
        bool first = is_pointer(n->kid[0]->type) || n->kid[0]->type->canon->kind == TYPE_ARRAY;
        return moves ? designator(a, n->kid[first ? 0 : 1]) : NULL;
    }
    default:
        return NULL;
    }
}

static bool is_followed(const struct analysis *a, const struct decl *d, unsigned depth);

/* Does what n gives to d come from something that is followed? */
static bool keeps_followed(const struct analysis *a, const struct node *n, const struct decl *d,
                           unsigned depth)
{
    n = edited_node(a->u, n);
    bool gives = n->kind == NODE_ASSIGN && n->op == OP_ASSIGN && assigned(a, n) == d;
    const struct decl *from = gives ? designator(a, n->kid[1]) : d;
    if (!from || (from != d && !is_followed(a, from, depth)))
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !keeps_followed(a, n->kid[i], d, depth))
            return false;
    return true;
}

/* A pointer of an inner block that always points into what something else designates, too. */
static bool is_way(const struct analysis *a, const struct decl *d, unsigned depth)
{
    const struct node *init = is_automatic(d) && is_pointer(d->type) ? initialiser(a, d) : NULL;
    const struct decl *from = init ? designator(a, init) : NULL;
    return depth && from && is_followed(a, from, depth - 1) &&
           keeps_followed(a, a->f->body, d, depth - 1);
}

/* A parameter, a variable of the function's own block, an object of file scope, or a way to what
 * these designate. */
static bool is_followed(const struct analysis *a, const struct decl *d, unsigned depth)
{
    if (d->kind == DECL_PARAM)
        return true;
    if (d->kind != DECL_VAR)
        return false;
    if (d->linkage != LINKAGE_NONE)
        return true;
    bool own = !d->is_static && block_of(a->f->body, d) == edited_node(a->u, a->f->body);
    return own || is_way(a, d, depth);
}

/* Does it lie in a variable of an inner block, and so end with that? */
static bool lies_inside(const struct analysis *a, const struct node *n, const struct decl *d)
{
    n = edited_node(a->u, n);
    if (n->kind == NODE_NAME)
        return d->kind == DECL_VAR && !d->is_static && d->linkage == LINKAGE_NONE;
    bool array = n->kind == NODE_CAST && n->op == CONV_ARRAY;
    bool part = (n->kind == NODE_MEMBER && !(n->flags & NODE_ARROW)) || n->kind == NODE_INDEX;
    return (array || part) && lies_inside(a, n->kid[0], d);
}

/* *p, p[i], s.m, p->m that are restrict pointers themselves, wherever they are read. */
static void add_origins(struct analysis *a, const struct node *n)
{
    struct bases *b = a->b;
    n = edited_node(a->u, n);
    const struct node *of = n->kind == NODE_CAST && n->op == CONV_LVALUE ? edited_kid(a, n, 0)
                                                                         : NULL;
    const struct decl *d = of && of->kind != NODE_NAME && is_restrict(of->type) ? designator(a, of)
                                                                                : NULL;
    bool followed = d && (is_followed(a, d, 3) || lies_inside(a, of, d));
    if (followed && !origin_of(b, of) && b->origins.n < MOST_ORIGINS) {
        bool lasting = d->kind == DECL_VAR && d->linkage != LINKAGE_NONE;
        bool fixed = of->type->canon->base->canon->quals & QUAL_CONST;
        if (!b->in_memory[lasting])
            b->in_memory[lasting] = add_base(a, (struct base){NULL, -1, true});
        struct origin *o = NEW(&a->m->arena, struct origin);
        *o = (struct origin){of, lasting, fixed};
        if (b->in_memory[lasting])
            list_add(&a->m->arena, &b->origins, o);
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            add_origins(a, n->kid[i]);
}

static void add_in_memory(struct analysis *a)
{
    add_origins(a, a->f->body);
    a->b->lasting |= a->b->in_memory[1];
    a->b->leaked |= a->b->in_memory[1];
}

/* ---- what variables are based on -------------------------------------------------------- */

/* What the values are based on that n gives to d by assignment. */
static struct basis assigned_basis(const struct analysis *a, const struct node *n,
                                   const struct decl *d)
{
    struct basis on = nothing;
    n = edited_node(a->u, n);
    if (n->kind == NODE_ASSIGN && n->op == OP_ASSIGN && assigned(a, n) == d &&
        pointer_base(a->u, n->kid[1]) != d)
        on = value_basis(a, n->kid[1]);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            on = join(on, assigned_basis(a, n->kid[i], d));
    return on;
}

static void add_variable(struct analysis *a, const struct decl *d, struct basis on)
{
    struct based_variable *v = NEW(&a->m->arena, struct based_variable);
    *v = (struct based_variable){d, on};
    list_add(&a->m->arena, &a->b->variables, v);
}

static void list_variables(struct analysis *a)
{
    for (uint8_t i = 0; i < a->b->count; i++) {
        const struct decl *d = a->b->list[i].decl;
        if (d && !d->address_taken)
            add_variable(a, d, (struct basis){(uint16_t)(1u << i), BASIS_MUST, 0});
    }
    for (size_t i = 0; i < a->f->locals.n; i++) {
        const struct decl *d = a->f->locals.at[i];
        if (is_automatic(d) && is_pointer(d->type) && !find_variable(a->b, d))
            add_variable(a, d, nothing);
    }
}

/* What a variable is given.  Which pointer in memory it came from is only known of a variable that
 * is never assigned to: others may keep what came from an earlier one. */
static struct basis given_basis(struct analysis *a, const struct decl *d)
{
    const struct node *init = d->kind == DECL_VAR ? initialiser(a, d) : NULL;
    struct basis on = without_origin(assigned_basis(a, a->f->body, d));
    if (init)
        on = join(on, init->kind == NODE_INIT ? anything : value_basis(a, init));
    return on;
}

/* A restrict variable is based on itself, and on what its value is based on.  Where that is not
 * certain it is not watched. */
static struct basis own_basis(struct bases *b, uint16_t bit, struct basis given)
{
    if (given.sure == BASIS_MUST)
        return (struct basis){bit | given.may, BASIS_MUST, given.origin};
    if (given.sure == BASIS_MAYBE && given.may & b->restricted & (uint16_t)~bit) {
        b->restricted &= (uint16_t)~bit;
        return (struct basis){bit | given.may, BASIS_MAYBE, 0};
    }
    return (struct basis){bit, BASIS_MUST, 0};
}

/* One round: is there anything new? */
static bool settle_variables(struct analysis *a)
{
    bool changed = false;
    for (size_t i = 0; i < a->b->variables.n; i++) {
        struct based_variable *v = a->b->variables.at[i];
        uint16_t bit = v->decl->kind == DECL_VAR ? base_bit(a->b, v->decl) : 0;
        if (bit & a->b->lasting)
            continue;
        struct basis on = given_basis(a, v->decl);
        on = bit && (a->b->restricted & bit) ? own_basis(a->b, bit, on) : join(v->on, on);
        changed = changed || !based_same(on, v->on);
        v->on = on;
    }
    return changed;
}

/* ---- what leaks ------------------------------------------------------------------------- */

/* Functions of the library that only read and write through their pointers. */
static bool keeps_nothing(const char *name)
{
    static const char *const names[] = {
        "memcpy",   "memmove", "memset",  "memcmp",  "memchr", "strlen",  "strcpy",
        "strncpy",  "strcat",  "strncat", "strcmp",  "strchr", "strrchr", "strstr",
        "strspn",   "strcspn", "strncmp", "strpbrk", "printf", "puts",    "sprintf",
        "snprintf", "fputs",   "fprintf", "free",    "atoi",   "mempcpy", "strnlen"};
    if (str_has_prefix(name, "__builtin_"))
        name += strlen("__builtin_");
    for (size_t i = 0; i < LENGTH(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static uint16_t leaked_arguments(struct analysis *a, const struct node *n)
{
    const struct node *callee = edited_kid(a, n, 0);
    while (callee->kind == NODE_CAST)
        callee = edited_kid(a, callee, 0);
    const struct decl *d = callee->kind == NODE_NAME && callee->u.decl->kind == DECL_FUNC
                               ? callee->u.decl
                               : NULL;
    struct unit_state *u = &a->m->units[a->u->index];
    const struct func *f = d && !d->body ? link_func(a->m, u, (struct decl *)(uintptr_t)d) : NULL;
    if (f && !f->body && keeps_nothing(d->name))
        return 0;
    const struct bases *of = d && d->body ? bases_of(a->m, u, d->body) : NULL;
    uint16_t leaked = 0;
    for (uint32_t i = 1; i < n->count; i++) {
        if (!is_pointer(n->kid[i]->type))
            continue;
        bool kept = false;
        bool told = of && (of->ready || of == a->b);
        for (uint8_t k = 0; told && k < of->count; k++)
            kept = kept || (of->list[k].parameter == (int32_t)i - 1 && !(of->leaked >> k & 1));
        leaked |= kept ? 0 : value_basis(a, n->kid[i]).may;
    }
    return leaked;
}

static uint16_t leaked_by(struct analysis *a, const struct node *n)
{
    switch (n->kind) {
    case NODE_ASSIGN: {
        const struct decl *to = assigned(a, n);
        bool seen = to && find_variable(a->b, to);
        return n->op != OP_ASSIGN || seen || !is_pointer(n->kid[1]->type)
                   ? 0
                   : value_basis(a, n->kid[1]).may;
    }
    case NODE_CAST:
        return n->op == CONV_PTR_INT ? value_basis(a, n->kid[0]).may : 0;
    case NODE_CALL:
        return leaked_arguments(a, n);
    case NODE_DECLARATOR: {
        const struct decl *d = n->u.declarator->decl;
        const struct node *init = d && d->kind == DECL_VAR ? initialiser(a, d) : NULL;
        return init && is_pointer(init->type) && !find_variable(a->b, d) ? value_basis(a, init).may
                                                                         : 0;
    }
    case NODE_INIT: {
        uint16_t all = 0;
        for (uint32_t i = 0; i < n->count; i++)
            all |= n->kid[i] && is_pointer(n->kid[i]->type) ? value_basis(a, n->kid[i]).may : 0;
        return all;
    }
    case NODE_DESIGNATED:
        return n->count && is_pointer(n->kid[0]->type) ? value_basis(a, n->kid[0]).may : 0;
    case NODE_ASM:
    case NODE_STMT_EXPR:
    case NODE_FUNCTION:
    case NODE_VA_ARG:
        return BASIS_ANY;
    default:
        return 0;
    }
}

static void find_leaks(struct analysis *a, const struct node *n)
{
    n = edited_node(a->u, n);
    a->b->leaked |= leaked_by(a, n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            find_leaks(a, n->kid[i]);
}

/* ---- access: what a parameter must not be used for --------------------------------------- */

static void note_modes(struct bases *b, const struct decl *function)
{
    for (const struct attr *at = function->attrs; at; at = at->next) {
        const char *text = strcmp(at->name, "access") == 0 ? strchr(at->text, '(') : NULL;
        const char *digit = text ? text + strcspn(text, "0123456789") : NULL;
        if (!digit || !*digit)
            continue;
        int32_t parameter = *digit - '1';
        bool none = strstr(text, "none") != NULL;
        for (uint8_t i = 0; i < b->count; i++) {
            if (b->list[i].parameter != parameter)
                continue;
            b->unread |= none || strstr(text, "write_only") ? (uint16_t)(1u << i) : 0;
            b->unwritten |= none || strstr(text, "read_only") ? (uint16_t)(1u << i) : 0;
        }
    }
}

/* ---- what others call -------------------------------------------------------------------- */

const struct bases *bases_of(struct machine *m, struct unit_state *u, const struct function *f)
{
    if (u->inserts || !f->body)
        return NULL;
    if (f->index >= u->bases_count) {
        u->bases_count = (uint32_t)u->p->functions.n;
        u->bases = NEW_ARRAY(&m->arena, u->bases_count, struct bases *);
    }
    if (u->bases[f->index])
        return u->bases[f->index];
    struct bases *b = u->bases[f->index] = NEW(&m->arena, struct bases);
    struct analysis a = {m, u, f, b};
    add_in_memory(&a);
    add_parameters(&a);
    add_variables(&a);
    add_lasting(&a, f->body);
    list_variables(&a);
    for (unsigned i = 0; i < 8 && settle_variables(&a); i++)
        if (i == 7)
            b->leaked = BASIS_ANY; /* it does not settle: nothing is told */
    uint16_t leaked;
    do { /* what a call of itself does with its arguments is what is known so far */
        leaked = b->leaked;
        find_leaks(&a, f->body);
    } while (b->leaked != leaked);
    note_modes(b, f->decl);
    b->ready = true;
    return b;
}

/* What it means where every base that leaked may come back from memory. */
static struct basis with_leaks(const struct bases *b, struct basis on)
{
    if (on.sure != BASIS_NONE && on.sure != BASIS_MAYBE)
        return on;
    on.may |= b->leaked;
    return (struct basis){on.may, on.may ? BASIS_MAYBE : BASIS_NONE, 0};
}

/* Restrict pointers in memory, and those of file scope. */
static bool uses_restrict(const struct unit_state *u, const struct node *n)
{
    n = edited_node(u, n);
    bool reached = n->kind == NODE_MEMBER || n->kind == NODE_INDEX ||
                   (n->kind == NODE_UNARY && n->op == OP_DEREF);
    if ((reached && is_restrict(n->type)) ||
        (n->kind == NODE_NAME && is_lasting(n->u.decl) && is_restrict(n->u.decl->type)))
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && uses_restrict(u, n->kid[i]))
            return true;
    return false;
}

/* Has it restrict pointers, or parameters that say what they are used for? */
static bool is_concerned(const struct unit_state *u, const struct function *f)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (is_restrict(f->params[i]->type))
            return true;
    for (size_t i = 0; i < f->locals.n; i++)
        if (is_restrict(((const struct decl *)f->locals.at[i])->type))
            return true;
    for (const struct attr *at = f->decl->attrs; at; at = at->next)
        if (strcmp(at->name, "access") == 0)
            return true;
    return uses_restrict(u, f->body);
}

void based_prepare(struct compiler *c)
{
    if (c->watched || is_concerned(c->u, c->f->body))
        c->bases = bases_of(c->m, c->u, c->f->body);
}

struct basis based_on(const struct compiler *c, const struct node *n)
{
    if (!c->bases)
        return anything;
    struct analysis a = {c->m, c->u, c->f->body, (struct bases *)(uintptr_t)c->bases};
    return with_leaks(c->bases, value_basis(&a, n));
}

uint8_t based_origin(const struct compiler *c, const struct node *n)
{
    n = edited_node(c->u, n);
    if (n->kind == NODE_CAST && n->op == CONV_LVALUE)
        n = edited_node(c->u, n->kid[0]);
    return c->bases && !c->m->options.carry ? origin_of(c->bases, n) : 0;
}

uint16_t based_declared(const struct compiler *c, const struct decl *d)
{
    if (!c->bases || !is_automatic(d))
        return 0;
    return base_bit(c->bases, d) & c->bases->restricted;
}

uint16_t based_assigned(const struct compiler *c, const struct node *assign)
{
    const struct node *to = edited_node(c->u, assign->kid[0]);
    const struct decl *d = to->kind == NODE_NAME && is_pointer(to->type) ? to->u.decl : NULL;
    return d && assign->op == OP_ASSIGN && pointer_base(c->u, assign->kid[1]) != d
               ? based_declared(c, d)
               : 0;
}

/* ---- assignment between restrict pointers ------------------------------------------------ */

/* C11 6.7.3.1p4: a restrict pointer may not be given the value of another one of its block, or of
 * one inside. */
bool based_on_sibling(const struct compiler *c, const struct node *assign)
{
    const struct node *to = edited_node(c->u, assign->kid[0]),
                      *body = c->f->body ? c->f->body->body : NULL;
    if (!body || to->kind != NODE_NAME || !is_restrict(to->u.decl->type))
        return false;
    const struct decl *d = to->u.decl, *from = pointer_base(c->u, assign->kid[1]);
    if (!from || from == d || !is_restrict(from->type))
        return false;
    bool whole = d->kind == DECL_PARAM; /* its block is the function's */
    if (from->kind == DECL_PARAM)
        return whole;
    if (!is_automatic(from) || (!whole && !is_automatic(d)))
        return false;
    const struct node *block = whole ? body : block_of(body, d);
    return block && declares(block, from);
}
