/* Edits written into the preprocessed text by extent.  What is not edited stays as it was, and
 * keeps its line: removed lines leave their newlines behind. */
#include "lang/print.h"

#include <stdlib.h>
#include <string.h>

/* Bytes [begin, end) give way to the text. */
struct patch {
    uint32_t begin, end;
    uint32_t order;
    uint32_t closes; /* 1 + order of the insert whose brace this ends, or 0 */
    struct text text;
};

struct splicer {
    const struct program *p;
    struct arena arena;
    struct printer printer;
    struct patch *patches;
    size_t count, room;
    const struct node **parent; /* by id */
};

/* What stays the same from one list of edits to the next. */
struct lang_splicer {
    const struct program *p;
    struct arena arena, work;
    const struct node **parent;
    uint32_t *first; /* of the edits' index: zeros between two uses */
    uint32_t node_count;
};

static struct patch *new_patch(struct splicer *s, uint32_t begin, uint32_t end)
{
    if (s->count == s->room) {
        s->room = s->room ? s->room * 2 : 16;
        s->patches = arena_grow(&s->arena, s->patches, s->count, s->room, sizeof *s->patches);
    }
    struct patch *patch = &s->patches[s->count];
    *patch = (struct patch){.begin = begin, .end = end, .order = (uint32_t)s->count};
    s->count++;
    return patch;
}

static void find_parents(struct lang_splicer *s)
{
    s->parent = NEW_ARRAY(&s->arena, s->node_count, const struct node *);
    for (uint32_t i = 0; i < s->node_count; i++) {
        const struct node *n = s->p->nodes[i];
        for (uint32_t k = 0; k < n->count; k++)
            if (n->kid[k] && n->kid[k]->id < s->node_count)
                s->parent[n->kid[k]->id] = n;
    }
}

/* ---- what an edit does to the text ------------------------------------------------------ */

/* Elements of lists with commas, which go with their list. */
static bool is_listed(const struct splicer *s, const struct node *n)
{
    const struct node *parent = s->parent[n->id];
    return n->kind == NODE_DECLARATOR || n->kind == NODE_FIELD || n->kind == NODE_ENUMERATOR ||
           n->kind == NODE_DESIGNATED || n->kind == NODE_INIT ||
           (parent && parent->kind == NODE_INIT) || (parent && parent->kind == NODE_DECLARATOR);
}

/* What is printed anew when n changes: itself, or the list that it is an element of. */
static const struct node *reprinted(const struct splicer *s, const struct node *n)
{
    while (is_listed(s, n) && s->parent[n->id])
        n = s->parent[n->id];
    return n;
}

static bool is_expression(const struct node *n)
{
    return lang_node_info[n->kind].class == NODE_CLASS_EXPR;
}

/* Printed lines as one, so that the lines below keep their numbers. */
static void flatten(struct text *t)
{
    if (!t->s || strstr(t->s, "\n#"))
        return;
    size_t kept = 0;
    for (size_t i = 0; i < t->n; i++) {
        t->s[kept++] = t->s[i] == '\n' ? ' ' : t->s[i];
        while (t->s[i] == '\n' && t->s[i + 1] == ' ')
            i++;
    }
    t->s[kept] = 0;
    t->n = kept;
}

static void print_to(struct splicer *s, const struct node *n, struct text *out)
{
    s->printer.out = out;
    if (is_expression(n))
        print_expr(&s->printer, n, PREC_PRIMARY);
    else if (n->kind == NODE_ENUM)
        print_enum_body(&s->printer, n);
    else
        print_item(&s->printer, n);
    flatten(out);
}

static bool stands_alone(const struct splicer *s, const struct node *n)
{
    const struct node *parent = s->parent[n->id];
    return parent &&
           (parent->kind == NODE_UNIT || parent->kind == NODE_BLOCK || parent->kind == NODE_RECORD);
}

/* The condition and the step of a for may be left out. */
static bool is_optional(const struct splicer *s, const struct node *n)
{
    return s->parent[n->id] && s->parent[n->id]->kind == NODE_FOR;
}

static void patch_change(struct splicer *s, const struct edit *e)
{
    const struct node *n = s->p->nodes[e->node];
    const struct node *whole = reprinted(s, n);
    if (whole->begin == whole->end)
        return; /* nothing of it was written */
    struct patch *patch = new_patch(s, whole->begin, whole->end);
    if (whole != n)
        print_to(s, whole, &patch->text);
    else if (e->kind == EDIT_REPLACE)
        print_to(s, e->with, &patch->text);
    else if (is_expression(n))
        text_puts(&patch->text, is_optional(s, n) ? "" : "0");
    else if (!stands_alone(s, n))
        text_putc(&patch->text, ';');
}

/* Is n the one statement of an if or a loop, so that a second one needs braces? */
static bool needs_braces(const struct splicer *s, const struct node *n)
{
    const struct node *parent = s->parent[n->id];
    if (!parent)
        return false;
    switch (parent->kind) {
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

static void patch_insert(struct splicer *s, const struct edit *e)
{
    const struct node *n = s->p->nodes[e->node];
    bool braces = needs_braces(s, n);
    struct patch *patch = new_patch(s, n->begin, n->begin);
    text_puts(&patch->text, braces ? "{ " : "");
    struct text inserted = {0};
    print_to(s, e->with, &inserted);
    text_add(&patch->text, text_str(&inserted), inserted.n);
    text_putc(&patch->text, ' ');
    text_free(&inserted);
    if (!braces)
        return;
    uint32_t opening = patch->order;
    struct patch *close = new_patch(s, n->end, n->end);
    close->closes = opening + 1;
    text_puts(&close->text, " }");
}

/* ---- output ----------------------------------------------------------------------------- */

/* By place; at one place first what ends there, then inserts, then the longest change. */
static int compare_patches(const void *a, const void *b)
{
    const struct patch *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (!x->closes != !y->closes)
        return x->closes ? -1 : 1;
    bool empty_x = x->begin == x->end, empty_y = y->begin == y->end;
    if (empty_x != empty_y)
        return empty_x ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static size_t count_newlines(const char *s, size_t n)
{
    size_t lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += s[i] == '\n';
    return lines;
}

static void keep_lines(const struct splicer *s, const struct patch *patch, struct text *out)
{
    size_t before = count_newlines(s->p->text + patch->begin, patch->end - patch->begin);
    size_t after = count_newlines(text_str(&patch->text), patch->text.n);
    for (; after < before; after++)
        text_putc(out, '\n');
    if (after > before) {
        struct place place = lang_place(s->p, patch->end);
        text_printf(out, "\n# %u \"%s\"%s\n", place.line, place.file, place.system ? " 3" : "");
    }
}

static void write_patched(struct splicer *s, struct text *out)
{
    const struct program *p = s->p;
    bool *written = NEW_ARRAY(&s->arena, s->count, bool);
    uint32_t at = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct patch *patch = &s->patches[i];
        if (patch->begin < at || (patch->closes && !written[patch->closes - 1]))
            continue; /* inside of what another one took */
        written[patch->order] = true;
        text_add(out, p->text + at, patch->begin - at);
        text_add(out, text_str(&patch->text), patch->text.n);
        keep_lines(s, patch, out);
        at = patch->end;
    }
    text_add(out, p->text + at, p->text_size - at);
}

struct lang_splicer *lang_splicer_new(const struct program *p)
{
    if (!p->text)
        BUG("a program without text cannot be spliced");
    struct arena arena = {0};
    struct lang_splicer *s = NEW(&arena, struct lang_splicer);
    *s = (struct lang_splicer){.p = p, .node_count = p->node_count};
    s->arena = arena;
    find_parents(s);
    s->first = NEW_ARRAY(&s->arena, s->node_count, uint32_t);
    return s;
}

void lang_splicer_free(struct lang_splicer *s)
{
    struct arena arena = s->arena;
    arena_free(&s->work);
    arena_free(&arena);
}

void lang_splicer_write(struct lang_splicer *ls, const struct edit *edits, size_t n,
                        struct text *out)
{
    struct splicer s = {.p = ls->p, .printer = {.program = ls->p}, .parent = ls->parent};
    s.arena = ls->work;
    edit_index_reuse(&s.printer.edits, &s.arena, ls->first, ls->node_count, edits, n);
    for (size_t i = 0; i < n; i++) {
        if (edits[i].kind == EDIT_INSERT)
            patch_insert(&s, &edits[i]);
        else
            patch_change(&s, &edits[i]);
    }
    if (s.count)
        qsort(s.patches, s.count, sizeof *s.patches, compare_patches);
    text_reserve(out, ls->p->text_size + 4096);
    write_patched(&s, out);
    for (size_t i = 0; i < s.count; i++)
        text_free(&s.patches[i].text);
    for (size_t i = 0; i < n; i++)
        ls->first[edits[i].node] = 0;
    ls->work = s.arena;
    arena_reset(&ls->work);
}

void lang_splice(const struct program *p, const struct edit *edits, size_t n, struct text *out)
{
    struct lang_splicer *s = lang_splicer_new(p);
    lang_splicer_write(s, edits, n, out);
    lang_splicer_free(s);
}
