/* The program itself: its memory, its nodes, its tables and its source places. */
#include "lang/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct op_info lang_op_info[OP_COUNT] = {
#define OP(id, text, place, prec, typing, commutes) \
    [OP_##id] = {#id, text, PLACE_##place, prec, TYPING_##typing, commutes},
#include "lang/ops.def"
};

const struct node_info lang_node_info[NODE_COUNT] = {
#define NODE(id, class) [NODE_##id] = {#id, NODE_CLASS_##class},
#include "lang/nodes.def"
};

const char *const lang_conv_text[CONV_COUNT] = {
#define CONV(id, text) [CONV_##id] = text,
#include "lang/convs.def"
};

#define SA(size, align) \
    {                   \
        size, align     \
    }
#define FLAGS(little, char_sign, plain_floats, bitfields_align, unnamed_align, alone) \
    little, char_sign, plain_floats, bitfields_align, unnamed_align, alone
#define TARGET(id, name, flags, size_t_, ptrdiff_t_, wchar_t_, ld, ...)                      \
    [TARGET_##id] = {name,       flags,  TYPE_##size_t_, TYPE_##ptrdiff_t_, TYPE_##wchar_t_, \
                     FLOAT_##ld, {1, 1}, __VA_ARGS__},
static const struct target targets[TARGET_COUNT] = {
#include "lang/targets.def"
};
#undef TARGET

const struct target *lang_target(enum target_id id)
{
    return &targets[id];
}

const struct target *lang_target_named(const char *name)
{
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (strcmp(targets[i].name, name) == 0)
            return &targets[i];
    return NULL;
}

void lang_target_names(struct text *out)
{
    for (size_t i = 0; i < TARGET_COUNT; i++)
        text_printf(out, "%s%s", i ? ", " : "", targets[i].name);
}

struct program *lang_program_new(const struct target *target)
{
    struct program *p = calloc(1, sizeof *p);
    if (!p)
        BUG("out of memory");
    p->target = target;
    lang_types_start(p);
    p->unit = lang_node(p, NODE_UNIT, NULL, 0);
    return p;
}

void lang_program_free(struct program *p)
{
    if (!p)
        return;
    arena_free(&p->arena);
    free(p);
}

void *lang_refuse(struct program *p, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(p->err.msg, sizeof p->err.msg, fmt, args);
    va_end(args);
    return NULL;
}

const char *lang_type_text(struct program *p, const struct type *t)
{
    struct text text = {0};
    lang_print_type(p, t, NULL, &text);
    const char *s = arena_printf(&p->arena, "'%s'", text_str(&text));
    text_free(&text);
    return s;
}

/* ---- nodes ------------------------------------------------------------------------------ */

void lang_reserve(struct program *p, uint32_t nodes)
{
    if (nodes <= p->node_room)
        return;
    p->nodes = arena_grow(&p->arena, p->nodes, p->node_count, nodes, sizeof *p->nodes);
    p->node_room = nodes;
}

static void number(struct program *p, struct node *n)
{
    if (p->node_count == p->node_room)
        lang_reserve(p, p->node_room ? p->node_room * 2 : 1024);
    n->id = p->node_count;
    p->nodes[p->node_count++] = n;
}

struct node *lang_node(struct program *p, enum node_kind kind, struct node **kids, uint32_t n)
{
    struct node *node = arena_alloc(&p->arena, sizeof *node + n * sizeof *kids);
    node->kind = (uint8_t)kind;
    node->count = node->room = n;
    node->kid = (struct node **)(node + 1);
    for (uint32_t i = 0; i < n; i++) /* mostly one or two: no call */
        node->kid[i] = kids[i];
    number(p, node);
    return node;
}

void lang_append(struct program *p, struct node *parent, struct node *kid)
{
    if (parent->count == parent->room) {
        parent->room = parent->room ? parent->room * 2 : 4;
        parent->kid = arena_grow(&p->arena, parent->kid, parent->count, parent->room,
                                 sizeof *parent->kid);
    }
    parent->kid[parent->count++] = kid;
}

uint32_t lang_mark(const struct program *p)
{
    return p->node_count;
}

void lang_release(struct program *p, uint32_t mark)
{
    if (mark > p->node_count)
        BUG("mark %u is ahead of %u nodes", mark, p->node_count);
    p->node_count = mark;
}

/* ---- declarations ----------------------------------------------------------------------- */

/* C11 6.7.6.3p7, p8: arrays and functions as parameters are pointers. */
static struct type *adjusted(struct program *p, struct type *t)
{
    if (lang_is_kind(t, TYPE_FUNCTION))
        return lang_pointer(p, t);
    if (!lang_is_kind(t, TYPE_ARRAY))
        return t;
    struct type *array = t;
    while (array->kind != TYPE_ARRAY)
        array = array->base;
    return lang_qualified(p, lang_pointer(p, array->base), t->quals);
}

struct decl *lang_decl_new(struct program *p, enum decl_kind kind, const char *name,
                           struct type *type)
{
    struct decl *d = NEW(&p->arena, struct decl);
    d->id = (uint32_t)p->decls.n;
    d->kind = (uint8_t)kind;
    d->name = name;
    d->type = kind == DECL_PARAM ? adjusted(p, type) : type;
    d->written = kind == DECL_PARAM ? type : NULL;
    list_add(&p->arena, &p->decls, d);
    return d;
}

static bool names_purity(const struct attr *a)
{
    static const char *const names[] = {"const", "pure", "unsequenced", "reproducible"};
    for (; a; a = a->next)
        for (size_t i = 0; i < LENGTH(names); i++)
            if (strcmp(a->name, names[i]) == 0)
                return true;
    return false;
}

bool lang_promises_purity(const struct attr *attrs, const struct type *written)
{
    if (names_purity(attrs))
        return true;
    for (const struct type *t = written; t; t = t->base)
        if ((t->kind == TYPE_ATTRIBUTED && names_purity(t->u.attrs)) ||
            (t->kind == TYPE_TYPEDEF && names_purity(t->u.decl->attrs)))
            return true;
    return false;
}

bool lang_may_lose_calls(const struct decl *d)
{
    const struct node *n = d->node;
    if (d->kind == DECL_ENUMERATOR || (d->kind == DECL_FUNC && !d->body))
        return false;
    return lang_promises_purity(d->attrs, d->written ? d->written : d->type) ||
           (n && n->kind == NODE_DECLARATOR &&
            lang_promises_purity(n->u.declarator->attrs, n->u.declarator->type));
}

bool lang_has_lost_calls(const struct program *p)
{
    for (size_t i = 0; i < p->decls.n; i++)
        if (lang_may_lose_calls(p->decls.at[i]))
            return true;
    return false;
}

/* ---- places ----------------------------------------------------------------------------- */

/* The last marker at or before the offset. */
static const struct line_marker *marker_at(const struct program *p, uint32_t offset)
{
    uint32_t low = 0, high = p->marker_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (p->markers[middle].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return &p->markers[low];
}

struct place lang_place(const struct program *p, uint32_t offset)
{
    if (!p->text || p->marker_count == 0)
        return (struct place){p->file, 0, 0, false};
    const struct line_marker *m = marker_at(p, offset);
    struct place place = {m->file, m->line, 1, m->system};
    uint32_t start = m->offset;
    for (const char *s = p->text + start, *end = p->text + offset; s < end; s++) {
        if (*s != '\n')
            continue;
        place.line++;
        start = (uint32_t)(s + 1 - p->text);
    }
    place.column = offset - start + 1;
    return place;
}

void lang_print_caret(const struct program *p, uint32_t offset, const char *before,
                      const char *under, struct text *out)
{
    enum { LONG = 200, NEAR = 60 };
    static const char cut[] = "...";
    uint32_t start = offset, end = offset;
    while (start > 0 && p->text[start - 1] != '\n')
        start--;
    while (end < p->text_size && p->text[end] != '\n')
        end++;
    bool is_long = end - start > LONG;
    uint32_t from = is_long && offset - start > NEAR ? offset - NEAR : start;
    uint32_t to = is_long && end - offset > NEAR ? offset + NEAR : end;
    const char *head = from > start ? cut : "";
    text_printf(out, "%s%s%.*s%s\n%s%*s", before, head, (int)(to - from), p->text + from,
                to < end ? cut : "", under, (int)strlen(head), "");
    for (uint32_t i = from; i < offset; i++)
        text_putc(out, p->text[i] == '\t' ? '\t' : ' ');
    text_puts(out, "^\n");
}
