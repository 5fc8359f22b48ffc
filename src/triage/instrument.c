/* A program with probes: text that prints, while it runs, what its expressions are worth.  Takes a
 * parsed program, yields the same text with calls written around expressions (or, where that
 * disturbs too much, after whole statements), and the functions that they call.  Pure: compiles and
 * runs nothing.  What needs a constant, an lvalue or a bit-field's own width is left as it is. */
#include "triage/private.h"

#include <stdlib.h>
#include <string.h>

/* Words to be put before the byte at an offset. */
struct insertion {
    uint32_t at;
    bool opens; /* else it closes: at one place, what closes comes first */
    size_t order;
    const char *words;
};

struct walk {
    struct program *p;
    struct arena *a;
    enum density density;
    const struct node *only; /* probe nothing else; NULL: whatever the density says */
    const struct list *healed;
    struct function *function;
    struct list insertions; /* struct insertion */
    struct probed *out;
    size_t room;
    unsigned loops; /* around this place */
    const struct node *inside;
    bool declared; /* in a declaration whose variables are read back after it */
};

static void insert(struct walk *w, uint32_t at, bool opens, const char *words)
{
    struct insertion *i = NEW(w->a, struct insertion);
    *i = (struct insertion){at, opens, w->insertions.n, words};
    list_add(w->a, &w->insertions, i);
}

static size_t add_probe(struct walk *w, const struct node *n)
{
    struct probed *out = w->out;
    if (out->n == w->room) {
        w->room = w->room ? 2 * w->room : 128;
        out->at = arena_grow(w->a, out->at, out->n, w->room, sizeof *out->at);
    }
    out->at[out->n] = (struct probe){.node = n, .function = w->function, .inside = w->inside};
    return out->n++;
}

/* ---- what can be probed ----------------------------------------------------------------- */

const struct field *bitfield_of(const struct node *n)
{
    while (n->kind == NODE_CAST && n->flags & NODE_IMPLICIT)
        n = n->kid[0];
    return n->kind == NODE_MEMBER && n->u.field->is_bitfield ? n->u.field : NULL;
}

/* Is its value the compiler's own business? */
static bool is_open(const struct node *n)
{
    static const char *const names[] = {"__builtin_constant_p", "__builtin_object_size",
                                        "__builtin_dynamic_object_size"};
    const struct node *f = n->kind == NODE_CALL ? n->kid[0] : NULL;
    while (f && f->kind == NODE_CAST && f->count)
        f = f->kid[0];
    for (size_t i = 0; f && f->kind == NODE_NAME && i < LENGTH(names); i++)
        if (strcmp(f->u.decl->name, names[i]) == 0)
            return true;
    return false;
}

/* Reads an object? */
static bool is_read(const struct node *n)
{
    return n->kind == NODE_CAST && n->flags & NODE_IMPLICIT && n->op == CONV_LVALUE;
}

static bool is_operation(const struct node *n)
{
    switch (n->kind) {
    case NODE_BINARY:
        return n->op != OP_COMMA;
    case NODE_UNARY:
        return n->op != OP_ADDR && n->op != OP_DEREF && n->op != OP_REAL && n->op != OP_IMAG;
    case NODE_CAST:
        return !(n->flags & NODE_IMPLICIT);
    case NODE_ASSIGN:
    case NODE_COND:
    case NODE_CALL:
    case NODE_SIZEOF:
    case NODE_GENERIC:
    case NODE_CHOOSE:
        return true;
    default:
        return false;
    }
}

static bool is_literal(const struct node *n)
{
    return n->kind == NODE_INT || n->kind == NODE_FLOAT;
}

/* The value of a bit-field has its width; only what is promoted to int can be passed on. */
static enum see see_of_value(struct walk *w, const struct node *n)
{
    const struct field *field = is_read(n) ? bitfield_of(n) : NULL;
    if ((n->kind == NODE_ASSIGN && bitfield_of(n->kid[0])) || is_open(n))
        return SEE_NONE;
    if (!field)
        return see_of(n->type);
    return lang_is_kind(lang_promoted_value(w->p, n), TYPE_INT) ? SEE_INT : SEE_NONE;
}

static bool is_healed(const struct walk *w, size_t id)
{
    for (size_t i = 0; i < w->healed->n; i++)
        if (((const struct healing *)w->healed->at[i])->probe == id)
            return true;
    return false;
}

/* Is what it leaves in its left side its value? */
static bool leaves_its_value(const struct node *n)
{
    bool sets = n->kind == NODE_ASSIGN ||
                (n->kind == NODE_UNARY && (n->op == OP_PREINC || n->op == OP_PREDEC));
    return sets && stored_is_readable(n);
}

/* The words that close it; NULL where there is no probe.  An assignment that is healed is made once
 * more, of what is right. */
static const char *probe(struct walk *w, const struct node *n)
{
    enum see see = see_of_value(w, n);
    if (see == SEE_NONE || n->end <= n->begin)
        return NULL;
    size_t id = add_probe(w, n);
    bool again = is_healed(w, id) && leaves_its_value(n);
    const struct node *left = again ? n->kid[0] : n;
    w->out->at[id].see = see;
    w->out->used |= 1u << see;
    insert(w, n->begin, true,
           arena_printf(w->a, "%s%.*s%scupel_see_%s(%zu, ", again ? "(" : "",
                        again ? (int)(left->end - left->begin) : 0, w->p->text + left->begin,
                        again ? " = " : "", see_name(see), id));
    return again ? "))" : ")";
}

/* Of an assignment to a scalar the value is probed already, but where only statements are. */
static bool is_read_back(const struct walk *w, const struct node *n)
{
    bool scalar = n->kind == NODE_ASSIGN && !bitfield_of(n->kid[0]) &&
                  see_of(n->kid[0]->type) != SEE_NONE;
    return n->kind == NODE_ASSIGN && !w->only &&
           (scalar ? w->density == DENSITY_STATEMENTS && stored_is_readable(n)
                   : w->density == DENSITY_STORES);
}

/* After an assignment whose value nobody uses: what it has stored. */
static void probe_stored(struct walk *w, const struct node *n)
{
    struct list stored = {0};
    if (!is_read_back(w, n))
        return;
    stored_list(w->p, n, w->a, &stored);
    for (size_t i = 0; i < stored.n; i++) {
        const struct stored *s = stored.at[i];
        size_t id = add_probe(w, n);
        w->out->at[id].stored = true;
        w->out->used |= 1u << s->see;
        insert(w, n->end, false,
               arena_printf(w->a, ", cupel_see_%s(%zu, %s)", see_name(s->see), id, s->text));
    }
}

/* Does it work on what its left side holds? */
static bool is_compound(const struct node *n)
{
    return n->kind == NODE_ASSIGN ? n->op != OP_ASSIGN : shape_is_step(n);
}

/* Before a compound assignment: what it will find, so that a wrong place is not called a wrong
 * operation.  A bit-field is left alone where its value is used, which has its own width.  True:
 * a parenthesis is open. */
static bool probe_before(struct walk *w, const struct node *n, bool statement)
{
    struct list found = {0};
    if (!is_compound(n) || w->density != DENSITY_STORES || w->only ||
        (bitfield_of(n->kid[0]) && !statement))
        return false;
    stored_list(w->p, n, w->a, &found);
    for (size_t i = 0; i < found.n; i++) {
        const struct stored *s = found.at[i];
        size_t id = add_probe(w, n);
        w->out->at[id].before = true;
        w->out->used |= 1u << s->see;
        insert(w, n->begin, true,
               arena_printf(w->a, "(cupel_see_%s(%zu, %s), ", see_name(s->see), id, s->text));
    }
    return found.n > 0;
}

/* A local variable whose initial value a probe can read back. */
static bool is_declared_plainly(const struct node *n)
{
    const struct decl *d = n->kind == NODE_DECLARATOR ? n->u.declarator->decl : NULL;
    return d && n->count && n->kid[0] && !d->is_static && d->kind == DECL_VAR &&
           see_of(d->type) != SEE_NONE && !(d->type->canon->quals & QUAL_VOLATILE);
}

/* After a declaration: what its variables hold.  The initial value is left alone, so that nothing
 * comes between it and the store. */
static void probe_declared(struct walk *w, const struct node *n)
{
    for (uint32_t i = 0; i < n->count; i++) {
        const struct node *kid = n->kid[i];
        if (!kid || !is_declared_plainly(kid))
            continue;
        const struct decl *d = kid->u.declarator->decl;
        enum see see = see_of(d->type);
        size_t id = add_probe(w, kid);
        w->out->at[id].stored = true;
        w->out->used |= 1u << see;
        insert(w, n->end, false,
               arena_printf(w->a, " (void)cupel_see_%s(%zu, %s);", see_name(see), id, d->name));
    }
}

/* ---- objects after a statement ---------------------------------------------------------- */

static bool is_plain(const struct type *type)
{
    const struct type *t = type->canon->unqual;
    while (t->kind == TYPE_ARRAY && t->base)
        t = t->base->canon->unqual;
    return see_of(t) != SEE_NONE;
}

/* The globals that are named in it, each once. */
static void list_globals(const struct node *n, struct arena *a, struct list *out)
{
    if (n->kind == NODE_NAME && n->u.decl->kind == DECL_VAR && !n->u.decl->owner &&
        n->u.decl->is_static && !n->u.decl->thread && is_plain(n->u.decl->type)) {
        for (size_t i = 0; i < out->n; i++)
            if (out->at[i] == n->u.decl)
                return;
        list_add(a, out, n->u.decl);
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            list_globals(n->kid[i], a, out);
}

/* Their bytes, after the statement. */
static void probe_objects(struct walk *w, const struct node *n)
{
    enum { MOST = 20 };
    struct list globals = {0};
    list_globals(n, w->a, &globals);
    for (size_t i = 0; i < globals.n && i < MOST; i++) {
        const struct decl *d = globals.at[i];
        insert(w, n->end, false,
               arena_printf(w->a, " cupel_see_bytes(%zu, (void *)&%s, sizeof %s);", add_probe(w, n),
                            d->name, d->name));
    }
}

static bool goes_on(const struct node *n)
{
    switch (n->kind) {
    case NODE_EXPR_STMT:
    case NODE_IF:
    case NODE_WHILE:
    case NODE_DO:
    case NODE_FOR:
    case NODE_SWITCH:
        return true;
    default:
        return false;
    }
}

/* ---- walking ---------------------------------------------------------------------------- */

static bool is_loop(const struct node *n)
{
    return n->kind == NODE_FOR || n->kind == NODE_WHILE || n->kind == NODE_DO;
}

/* May something in it have to be a constant, or is it not evaluated? */
static bool is_closed(const struct node *n)
{
    switch (n->kind) {
    case NODE_SIZEOF:
    case NODE_ALIGNOF:
    case NODE_OFFSETOF:
    case NODE_GENERIC:
    case NODE_TYPES_MATCH:
    case NODE_CHOOSE:
    case NODE_VECTOR_CONVERT:
    case NODE_BIT_CAST:
    case NODE_ASM:
    case NODE_STATIC_ASSERT:
    case NODE_STRING:
        return true;
    case NODE_DECLARATOR:
        return !n->u.declarator->decl || n->u.declarator->decl->is_static;
    case NODE_CALL: {
        const struct node *f = n->kid[0];
        while (f->kind == NODE_CAST && f->count)
            f = f->kid[0];
        return f->kind == NODE_NAME && str_has_prefix(f->u.decl->name, "__builtin");
    }
    default:
        return false;
    }
}

static bool is_full(const struct node *parent, uint32_t kid)
{
    switch (parent->kind) {
    case NODE_EXPR_STMT:
    case NODE_RETURN:
    case NODE_DECLARATOR:
        return true;
    case NODE_IF:
    case NODE_SWITCH:
    case NODE_WHILE:
        return kid == 0;
    case NODE_DO:
        return kid == 1;
    case NODE_FOR:
        return kid == 1 || kid == 2;
    default:
        return false;
    }
}

/* Through what was not written, which would only say the same again. */
static struct node *written(struct node *n)
{
    while (n->kind == NODE_CAST && n->flags & NODE_IMPLICIT && n->count && !is_read(n))
        n = n->kid[0];
    return n;
}

static bool is_control(const struct node *n)
{
    bool logic = n->kind == NODE_BINARY && (n->op == OP_LAND || n->op == OP_LOR);
    return is_loop(n) || n->kind == NODE_IF || n->kind == NODE_SWITCH || n->kind == NODE_COND ||
           logic;
}

/* A constant that is to be a pointer stays one. */
static bool is_null(const struct node *n)
{
    return n->kind == NODE_CAST && n->flags & NODE_IMPLICIT &&
           lang_is_kind(n->type, TYPE_POINTER) && is_literal(written((struct node *)n));
}

static bool is_wanted(const struct walk *w, const struct node *n, bool full)
{
    if (w->only)
        return n == w->only;
    switch (w->density) {
    case DENSITY_LITERALS:
        return is_literal(n) || is_operation(n) || is_read(n);
    case DENSITY_STORES:
    case DENSITY_EXPRESSIONS:
        return is_operation(n) || is_read(n);
    case DENSITY_STATEMENTS:
        return full && is_operation(n);
    default:
        return false;
    }
}

/* The kid's value is a whole statement's, and not read back after that. */
static bool is_probed_whole(const struct walk *w, const struct node *n, uint32_t kid)
{
    bool later = n->kind == NODE_EXPR_STMT    ? is_read_back(w, written(n->kid[kid]))
                 : n->kind == NODE_DECLARATOR ? w->declared && is_declared_plainly(n)
                                              : false;
    return is_full(n, kid) && !later;
}

static bool is_left_alone(const struct node *n, uint32_t kid)
{
    return !n->kid[kid] || (n->kind == NODE_CASE && kid + 1 < n->count) || is_null(n->kid[kid]);
}

/* A declaration in a block, after which another statement may stand. */
static bool is_declaration_at(const struct walk *w, const struct node *n, uint32_t kid)
{
    return n->kind == NODE_BLOCK && n->kid[kid]->kind == NODE_DECL &&
           w->density == DENSITY_STATEMENTS && !w->only;
}

static void walk(struct walk *w, struct node *n, bool full)
{
    const struct node *around = w->inside;
    bool declared = w->declared;
    const char *closes = is_wanted(w, n, full) ? probe(w, n) : NULL;
    w->loops += is_loop(n);
    w->inside = is_control(n) ? n : around;
    for (uint32_t i = 0; i < n->count && !is_closed(n); i++) {
        if (is_left_alone(n, i))
            continue;
        w->declared = declared;
        bool whole = is_probed_whole(w, n, i);
        w->declared = is_declaration_at(w, n, i) || (declared && n->kind == NODE_DECL);
        bool opened = probe_before(w, written(n->kid[i]), n->kind == NODE_EXPR_STMT);
        walk(w, written(n->kid[i]), whole);
        if (opened)
            insert(w, n->kid[i]->end, false, ")");
        if (n->kind == NODE_EXPR_STMT)
            probe_stored(w, written(n->kid[i]));
        if (is_declaration_at(w, n, i))
            probe_declared(w, n->kid[i]);
    }
    w->declared = declared;
    w->loops -= is_loop(n);
    w->inside = around;
    if (closes)
        insert(w, n->end, false, closes);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kind == NODE_BLOCK && w->density == DENSITY_OBJECTS && !w->loops &&
            goes_on(n->kid[i]))
            probe_objects(w, n->kid[i]);
}

/* ---- text ------------------------------------------------------------------------------- */

static int by_place(const void *x, const void *y)
{
    const struct insertion *a = *(struct insertion *const *)x, *b = *(struct insertion *const *)y;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->opens != b->opens)
        return a->opens ? 1 : -1;
    return a->order < b->order ? -1 : a->order > b->order;
}

void instrument_operands(struct program *p, const struct node *n, struct arena *a, struct list *out)
{
    struct walk w = {.p = p, .a = a};
    for (uint32_t i = 0; i < n->count && !is_closed(n); i++) {
        struct node *kid = n->kid[i] && !is_null(n->kid[i]) ? written(n->kid[i]) : NULL;
        if (!kid)
            continue;
        if ((is_operation(kid) || is_read(kid)) && see_of_value(&w, kid) != SEE_NONE)
            list_add(a, out, kid);
        else
            instrument_operands(p, kid, a, out);
    }
}

void instrument(struct program *p, struct arena *a, const struct density_of *which,
                struct text *out, struct probed *probed)
{
    struct walk w = {.p = p,
                     .a = a,
                     .density = which->density,
                     .only = which->only,
                     .healed = &which->healed,
                     .out = probed};
    *probed = (struct probed){0};
    for (size_t i = 0; i < p->functions.n; i++) {
        w.function = p->functions.at[i];
        if (w.function->body)
            walk(&w, w.function->body, false);
    }
    if (w.insertions.n)
        qsort(w.insertions.at, w.insertions.n, sizeof *w.insertions.at, by_place);
    see_put_declarations(probed->used, out);
    uint32_t done = 0;
    for (size_t i = 0; i < w.insertions.n; i++) {
        const struct insertion *x = w.insertions.at[i];
        text_add(out, p->text + done, x->at - done);
        text_puts(out, x->words);
        done = x->at;
    }
    text_add(out, p->text + done, p->text_size - done);
}
