/* Listings of what the machine knows: coverage, facts, JSON. */
#include "cmd/view/view.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- walking ---------------------------------------------------------------------------- */

typedef void visit_fn(void *state, const struct node *n, const struct node *parent);

/* Operands that are never evaluated, whatever happens. */
static bool is_unevaluated(const struct node *parent, uint32_t i)
{
    switch (parent->kind) {
    case NODE_SIZEOF:
    case NODE_ALIGNOF:
    case NODE_TYPES_MATCH:
    case NODE_OFFSETOF:
    case NODE_STATIC_ASSERT:
        return true;
    case NODE_GENERIC:
        return i != parent->u.generic->chosen;
    case NODE_CHOOSE:
        return i != (parent->flags & NODE_SECOND ? 2u : 1u);
    case NODE_CASE:
        return i + 1 < parent->count;
    case NODE_CALL:
        return i == 0 && parent->kid[0]->flags & NODE_IMPLICIT;
    case NODE_DECLARATOR:
        return parent->u.declarator->decl->is_static;
    default:
        return false;
    }
}

static void walk(const struct node *n, const struct node *parent, visit_fn *visit, void *state)
{
    visit(state, n, parent);
    /* a conversion that nobody wrote stands for what it converts */
    const struct node *above = n->flags & NODE_IMPLICIT ? parent : n;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !is_unevaluated(n, i))
            walk(n->kid[i], above, visit, state);
}

static void walk_unit(const struct program *p, visit_fn *visit, void *state)
{
    for (size_t i = 0; i < p->functions.n; i++) {
        const struct function *f = p->functions.at[i];
        if (f->body && !lang_place(p, f->node->begin).system)
            walk(f->body, f->node, visit, state);
    }
}

static bool is_written_expression(const struct node *n)
{
    return lang_node_info[n->kind].class == NODE_CLASS_EXPR && n->end > n->begin &&
           !(n->flags & NODE_IMPLICIT) && n->kind != NODE_INIT && n->kind != NODE_DESIGNATED;
}

/* What counts as a line's statement: gcov counts the same ones. */
static bool is_counted(const struct node *n)
{
    switch (n->kind) {
    case NODE_BLOCK:
    case NODE_EMPTY:
    case NODE_LABEL:
    case NODE_CASE:
    case NODE_DEFAULT:
    case NODE_DECL:
        return false;
    case NODE_DECLARATOR:
        return n->count && n->kid[0] && !n->u.declarator->decl->is_static;
    default:
        return lang_node_info[n->kind].class == NODE_CLASS_STMT;
    }
}

/* ---- coverage --------------------------------------------------------------------------- */

struct mark {
    uint32_t begin, end;
};

struct listing {
    const struct machine *m;
    const struct program *p;
    uint32_t unit;
    uint32_t *starts; /* offset of each line of the text */
    uint32_t lines;
    int64_t *counts; /* -1: nothing on that line */
    struct mark *marks;
    size_t mark_count, mark_room;
};

static uint32_t line_at(const struct listing *l, uint32_t offset)
{
    uint32_t low = 0, high = l->lines;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (l->starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void add_mark(struct listing *l, const struct node *n)
{
    if (l->mark_count == l->mark_room) {
        l->mark_room = l->mark_room ? l->mark_room * 2 : 64;
        l->marks = realloc(l->marks, l->mark_room * sizeof *l->marks);
        if (!l->marks)
            BUG("out of memory");
    }
    l->marks[l->mark_count++] = (struct mark){n->begin, n->end};
}

static void count_node(void *state, const struct node *n, const struct node *parent)
{
    struct listing *l = state;
    if (n->end == 0)
        return;
    int64_t count = (int64_t)machine_fact(l->m, l->unit, n).count;
    if (is_counted(n)) {
        int64_t *line = &l->counts[line_at(l, n->begin)];
        *line = count > *line ? count : *line;
    }
    if (count == 0 && is_written_expression(n) && machine_fact(l->m, l->unit, parent).count)
        add_mark(l, n);
}

static void split_lines(struct listing *l)
{
    uint32_t n = 1;
    for (uint32_t i = 0; i < l->p->text_size; i++)
        n += l->p->text[i] == '\n';
    l->starts = calloc(n + 1, sizeof *l->starts);
    l->counts = calloc(n + 1, sizeof *l->counts);
    if (!l->starts || !l->counts)
        BUG("out of memory");
    l->lines = 1;
    for (uint32_t i = 0; i < l->p->text_size; i++)
        if (l->p->text[i] == '\n')
            l->starts[l->lines++] = i + 1;
    for (uint32_t i = 0; i <= n; i++)
        l->counts[i] = -1;
}

/* Under a line: what of it never ran. */
static void put_marks(const struct listing *l, uint32_t start, uint32_t end, struct text *out)
{
    bool any = false;
    for (size_t k = 0; k < l->mark_count; k++)
        any = any || (l->marks[k].begin >= start && l->marks[k].begin < end);
    if (!any)
        return;
    text_puts(out, "    never:      : ");
    size_t mark = out->n;
    for (uint32_t i = start; i < end; i++) {
        bool dead = false;
        for (size_t k = 0; k < l->mark_count; k++)
            dead = dead || (i >= l->marks[k].begin && i < l->marks[k].end);
        text_putc(out, dead ? '~' : l->p->text[i] == '\t' ? '\t' : ' ');
    }
    while (out->n > mark && out->s[out->n - 1] == ' ')
        out->n--;
    text_putc(out, '\n');
}

static void put_listing(const struct listing *l, struct text *out)
{
    const struct program *p = l->p;
    uint32_t marker = 0, number = 0;
    for (uint32_t i = 0; i < l->lines; i++) {
        uint32_t start = l->starts[i];
        uint32_t end = i + 1 < l->lines ? l->starts[i + 1] - 1 : p->text_size;
        bool fresh = false;
        while (marker < p->marker_count && p->markers[marker].offset <= start) {
            number = p->markers[marker].line;
            marker++;
            fresh = true;
        }
        if (!fresh)
            number++;
        const struct line_marker *at = marker ? &p->markers[marker - 1] : NULL;
        if (!at || at->system || strcmp(at->file, p->file) != 0 || p->text[start] == '#')
            continue;
        if (l->counts[i] < 0)
            text_puts(out, "         -");
        else if (l->counts[i] == 0)
            text_puts(out, "     #####");
        else
            text_printf(out, "%10lld", (long long)l->counts[i]);
        text_printf(out, ":%6u: %.*s\n", number, (int)(end - start), p->text + start);
        put_marks(l, start, end, out);
    }
}

void facts_coverage(const struct machine *m, const struct machine_unit *units, size_t n,
                    struct text *out)
{
    for (uint32_t i = 0; i < n; i++) {
        struct listing l = {.m = m, .p = units[i].program, .unit = i};
        if (!l.p->text)
            continue;
        split_lines(&l);
        walk_unit(l.p, count_node, &l);
        if (n > 1)
            text_printf(out, "%s:\n", l.p->file);
        put_listing(&l, out);
        free(l.starts);
        free(l.counts);
        free(l.marks);
    }
}

/* ---- facts ------------------------------------------------------------------------------ */

struct report {
    const struct machine *m;
    const struct program *p;
    uint32_t unit;
    struct text *out;
    json_t *nodes;
};

static void put_value(struct text *out, const struct program *p, const struct node *n,
                      const struct machine_fact *f)
{
    if (lang_is_integer(n->type) && !lang_int_signed(p, n->type))
        text_printf(out, " = %llu", (unsigned long long)f->bits);
    else if (lang_is_integer(n->type))
        text_printf(out, " = %lld", (long long)f->bits);
    else
        text_puts(out, " always the same");
}

static void put_fact(void *state, const struct node *n, const struct node *parent)
{
    struct report *r = state;
    (void)parent;
    if (!is_written_expression(n) && !is_counted(n))
        return;
    struct machine_fact f = machine_fact(r->m, r->unit, n);
    struct place at = lang_place(r->p, n->begin);
    text_printf(r->out, "%s:%u:%u: %s ran %llu", at.file, at.line, at.column,
                lang_node_info[n->kind].name, (unsigned long long)f.count);
    if (f.has_value && f.same)
        put_value(r->out, r->p, n, &f);
    else if (f.has_range)
        text_printf(r->out, " in %lld .. %lld", (long long)f.low, (long long)f.high);
    if (f.is_condition)
        text_printf(r->out, " true %llu false %llu", (unsigned long long)f.taken,
                    (unsigned long long)f.untaken);
    text_putc(r->out, '\n');
}

void facts_text(const struct machine *m, const struct machine_unit *units, size_t n,
                struct text *out)
{
    for (uint32_t i = 0; i < n; i++) {
        struct report r = {.m = m, .p = units[i].program, .unit = i, .out = out};
        walk_unit(r.p, put_fact, &r);
    }
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void add_node(void *state, const struct node *n, const struct node *parent)
{
    struct report *r = state;
    (void)parent;
    if (!is_written_expression(n) && !is_counted(n))
        return;
    struct machine_fact f = machine_fact(r->m, r->unit, n);
    struct place at = lang_place(r->p, n->begin);
    json_t *o = json_pack("{s:i, s:i, s:s, s:s, s:i, s:i, s:I}", "unit", (int)r->unit, "id",
                          (int)n->id, "kind", lang_node_info[n->kind].name, "file", at.file, "line",
                          (int)at.line, "column", (int)at.column, "count", (json_int_t)f.count);
    if (f.has_value && f.same)
        json_object_set_new(o, "value", json_integer((json_int_t)f.bits));
    if (f.has_range) {
        json_object_set_new(o, "low", json_integer((json_int_t)f.low));
        json_object_set_new(o, "high", json_integer((json_int_t)f.high));
    }
    if (f.is_condition) {
        json_object_set_new(o, "true", json_integer((json_int_t)f.taken));
        json_object_set_new(o, "false", json_integer((json_int_t)f.untaken));
    }
    json_array_append_new(r->nodes, o);
}

/* Bytes that are no UTF-8 become one character each. */
static json_t *text_json(const struct text *t)
{
    json_t *s = json_stringn(text_str(t), t->n);
    if (s)
        return s;
    struct text latin = {0};
    for (size_t i = 0; i < t->n; i++) {
        unsigned char ch = (unsigned char)t->s[i];
        if (ch >= 0x80)
            text_putc(&latin, (char)(0xc0 | ch >> 6));
        text_putc(&latin, (char)(ch >= 0x80 ? 0x80 | (ch & 0x3f) : ch));
    }
    s = json_stringn(text_str(&latin), latin.n);
    text_free(&latin);
    return s;
}

static void add_verdict(json_t *top, const struct machine_unit *units,
                        const struct machine_result *shown)
{
    json_object_set_new(top, "end", json_string(machine_end_name(shown->end)));
    if (*shown->detail)
        json_object_set_new(top, "detail", json_string(shown->detail));
    if (shown->end == MACHINE_UNDEFINED) {
        const struct ub_info *ub = &machine_ub_info[shown->ub];
        json_object_set_new(top, "kind", json_string(ub->name));
        json_object_set_new(top, "clause", json_string(ub->clause));
        json_object_set_new(top, "message", json_string(ub->message));
    }
    if (shown->place.node && shown->end != MACHINE_FINISHED) {
        struct place at = lang_place(units[shown->place.unit].program, shown->place.node->begin);
        json_object_set_new(top, "file", json_string(at.file));
        json_object_set_new(top, "line", json_integer(at.line));
        json_object_set_new(top, "column", json_integer(at.column));
    }
}

static json_t *volatiles_json(const struct machine *m)
{
    const struct machine_volatile *list;
    size_t n = machine_volatiles(m, &list);
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(
            array, json_pack("{s:i, s:i, s:b, s:i, s:I, s:s?, s:I, s:i}", "unit",
                             (int)list[i].place.unit, "id", (int)list[i].place.node->id, "write",
                             list[i].is_write, "size", (int)list[i].size, "value",
                             (json_int_t)list[i].bits, "object", list[i].object, "offset",
                             (json_int_t)list[i].offset, "group", (int)list[i].group));
    return array;
}

void facts_json(const struct machine *m, const struct machine_unit *units, size_t n,
                const struct machine_result *shown, const struct machine_result *ran,
                struct text *out)
{
    json_t *top = json_object();
    add_verdict(top, units, shown);
    json_object_set_new(top, "status", json_integer(ran->status));
    json_object_set_new(top, "output", text_json(&ran->output));
    json_object_set_new(top, "errors", text_json(&ran->errors));
    json_object_set_new(top, "steps", json_integer((json_int_t)ran->steps));
    json_t *nodes = json_array();
    for (uint32_t i = 0; i < n; i++) {
        struct report r = {.m = m, .p = units[i].program, .unit = i, .nodes = nodes};
        walk_unit(r.p, add_node, &r);
    }
    json_object_set_new(top, "nodes", nodes);
    json_object_set_new(top, "volatile", volatiles_json(m));
    if (json_array_size(json_object_get(top, "volatile")) == MACHINE_VOLATILES)
        json_object_set_new(top, "volatile_cut", json_true());
    record_set_version(top);
    char *text = json_dumps(top, JSON_COMPACT);
    text_puts(out, text ? text : "{}");
    text_putc(out, '\n');
    free(text);
    json_decref(top);
}
