/* Statements and declarations as C text, and the whole program. */
#include "lang/print.h"

#include <string.h>

void print_newline(struct printer *pr)
{
    static const char blank[] = "                                ";
    size_t left = pr->indent, most = sizeof blank - 1;
    text_putc(pr->out, '\n');
    for (; left > most; left -= most)
        text_add(pr->out, blank, most);
    text_add(pr->out, blank, left);
}

/* ---- lists of statements, with edits ---------------------------------------------------- */

static void print_stmt(struct printer *pr, const struct node *n);

static bool has_inserts(const struct printer *pr, const struct node *n)
{
    return edit_next_insert(&pr->edits, n, NULL) != NULL;
}

/* The node or what replaces it; NULL when it is dropped. */
static const struct node *edited(const struct printer *pr, const struct node *n)
{
    const struct edit *e = edit_of(&pr->edits, n);
    if (!e)
        return n;
    return e->kind == EDIT_DROP ? NULL : edited(pr, e->with);
}

static void print_line(struct printer *pr, const struct node *n)
{
    if (n->kind == NODE_PRAGMA) {
        text_printf(pr->out, "\n%s", n->u.text);
        return;
    }
    print_newline(pr);
    print_stmt(pr, n);
}

/* A statement of a list: what is inserted before it, then it, a line each. */
static void print_listed(struct printer *pr, const struct node *n)
{
    for (const struct edit *e = edit_next_insert(&pr->edits, n, NULL); e;
         e = edit_next_insert(&pr->edits, n, e))
        print_line(pr, e->with);
    n = edited(pr, n);
    if (n)
        print_line(pr, n);
}

void print_block(struct printer *pr, const struct node *n)
{
    text_putc(pr->out, '{');
    pr->indent += INDENT;
    for (uint32_t i = 0; i < n->count; i++)
        print_listed(pr, n->kid[i]);
    pr->indent -= INDENT;
    print_newline(pr);
    text_putc(pr->out, '}');
}

/* ---- bodies ----------------------------------------------------------------------------- */

/* Would an else behind this statement be taken by an if inside it? */
static bool captures_else(const struct printer *pr, const struct node *n)
{
    for (;;) {
        if (!n || edit_of(&pr->edits, n))
            return n != NULL;
        switch (n->kind) {
        case NODE_IF:
            if (!n->kid[2] || edit_of(&pr->edits, n->kid[2]))
                return true;
            n = n->kid[2];
            break;
        case NODE_WHILE:
            n = n->kid[1];
            break;
        case NODE_FOR:
            n = n->kid[3];
            break;
        case NODE_SWITCH:
            n = n->kid[1];
            break;
        case NODE_LABEL:
        case NODE_DEFAULT:
            n = n->kid[0];
            break;
        case NODE_CASE:
            n = n->kid[2];
            break;
        default:
            return false;
        }
    }
}

static void print_body_in_braces(struct printer *pr, const struct node *n)
{
    text_puts(pr->out, " {");
    pr->indent += INDENT;
    print_listed(pr, n);
    pr->indent -= INDENT;
    print_newline(pr);
    text_putc(pr->out, '}');
}

/* The statement that an if or a loop governs; true when it ended in a brace. */
static bool print_body(struct printer *pr, const struct node *n, bool before_else)
{
    if (has_inserts(pr, n)) {
        print_body_in_braces(pr, n);
        return true;
    }
    const struct node *s = edited(pr, n);
    if (s && s->kind == NODE_BLOCK) {
        text_putc(pr->out, ' ');
        print_block(pr, s);
        return true;
    }
    bool multiple = s &&
                    (s->kind == NODE_PRAGMA || lang_node_info[s->kind].class == NODE_CLASS_DECL);
    if (multiple || (before_else && captures_else(pr, s))) {
        print_body_in_braces(pr, n);
        return true;
    }
    pr->indent += INDENT;
    print_newline(pr);
    if (s)
        print_stmt(pr, s);
    else
        text_putc(pr->out, ';');
    pr->indent -= INDENT;
    return false;
}

/* ---- statements ------------------------------------------------------------------------- */

static void print_condition(struct printer *pr, const char *word, const struct node *n)
{
    text_puts(pr->out, word);
    text_puts(pr->out, " (");
    print_expr(pr, n, PREC_COMMA);
    text_putc(pr->out, ')');
}

/* else if chains stay on one level */
static void print_if(struct printer *pr, const struct node *n)
{
    for (;;) {
        const struct node *other = n->kid[2] ? edited(pr, n->kid[2]) : NULL;
        bool inserts = n->kid[2] && has_inserts(pr, n->kid[2]);
        print_condition(pr, "if", n->kid[0]);
        bool brace = print_body(pr, n->kid[1], other || inserts);
        if (!other && !inserts)
            return;
        if (brace)
            text_putc(pr->out, ' ');
        else
            print_newline(pr);
        text_puts(pr->out, "else");
        if (inserts || other->kind != NODE_IF) {
            print_body(pr, n->kid[2], false);
            return;
        }
        text_putc(pr->out, ' ');
        n = other;
    }
}

static void print_switch(struct printer *pr, const struct node *n)
{
    print_condition(pr, "switch", n->kid[0]);
    print_body(pr, n->kid[1], false);
}

static void print_while(struct printer *pr, const struct node *n)
{
    print_condition(pr, "while", n->kid[0]);
    print_body(pr, n->kid[1], false);
}

static void print_do(struct printer *pr, const struct node *n)
{
    text_puts(pr->out, "do");
    if (print_body(pr, n->kid[0], false))
        text_putc(pr->out, ' ');
    else
        print_newline(pr);
    print_condition(pr, "while", n->kid[1]);
    text_putc(pr->out, ';');
}

static bool is_dropped(const struct printer *pr, const struct node *n)
{
    const struct edit *e = edit_of(&pr->edits, n);
    return e && e->kind == EDIT_DROP;
}

static void print_for(struct printer *pr, const struct node *n)
{
    text_puts(pr->out, "for (");
    const struct node *start = n->kid[0] ? edited(pr, n->kid[0]) : NULL;
    if (start)
        print_stmt(pr, start); /* with its ; */
    else
        text_putc(pr->out, ';');
    if (n->kid[1] && !is_dropped(pr, n->kid[1])) {
        text_putc(pr->out, ' ');
        print_expr(pr, n->kid[1], PREC_COMMA);
    }
    text_putc(pr->out, ';');
    if (n->kid[2] && !is_dropped(pr, n->kid[2])) {
        text_putc(pr->out, ' ');
        print_expr(pr, n->kid[2], PREC_COMMA);
    }
    text_putc(pr->out, ')');
    print_body(pr, n->kid[3], false);
}

/* Labels stand one level out, their statement on the next line. */
static void print_after_label(struct printer *pr, const struct node *n)
{
    text_putc(pr->out, ':');
    for (const struct edit *e = edit_next_insert(&pr->edits, n, NULL); e;
         e = edit_next_insert(&pr->edits, n, e))
        print_line(pr, e->with);
    const struct node *s = edited(pr, n);
    if (s)
        print_line(pr, s);
    else
        text_puts(pr->out, " ;");
}

static void outdent(struct printer *pr)
{
    struct text *out = pr->out;
    for (int i = 0; i < INDENT && out->n && out->s[out->n - 1] == ' '; i++)
        out->s[--out->n] = 0;
}

static void print_case(struct printer *pr, const struct node *n)
{
    outdent(pr);
    text_puts(pr->out, "case ");
    print_expr(pr, n->kid[0], PREC_COND);
    if (n->kid[1]) {
        text_puts(pr->out, " ... ");
        print_expr(pr, n->kid[1], PREC_COND);
    }
    print_after_label(pr, n->kid[2]);
}

static void print_default(struct printer *pr, const struct node *n)
{
    outdent(pr);
    text_puts(pr->out, "default");
    print_after_label(pr, n->kid[0]);
}

static void print_label(struct printer *pr, const struct node *n)
{
    outdent(pr);
    text_puts(pr->out, n->u.label->name);
    print_after_label(pr, n->kid[0]);
}

static void print_expr_stmt(struct printer *pr, const struct node *n)
{
    print_expr(pr, n->kid[0], PREC_COMMA);
    text_putc(pr->out, ';');
}

static void print_empty(struct printer *pr, const struct node *n)
{
    (void)n;
    text_putc(pr->out, ';');
}

static void print_goto(struct printer *pr, const struct node *n)
{
    text_printf(pr->out, "goto %s;", n->u.label->name);
}

static void print_goto_value(struct printer *pr, const struct node *n)
{
    text_puts(pr->out, "goto *");
    print_expr(pr, n->kid[0], PREC_UNARY);
    text_putc(pr->out, ';');
}

static void print_leave(struct printer *pr, const struct node *n)
{
    text_puts(pr->out, n->kind == NODE_BREAK ? "break;" : "continue;");
}

static void print_return(struct printer *pr, const struct node *n)
{
    text_puts(pr->out, "return");
    if (n->kid[0]) {
        text_putc(pr->out, ' ');
        print_expr(pr, n->kid[0], PREC_COMMA);
    }
    text_putc(pr->out, ';');
}

static void print_text(struct printer *pr, const struct node *n)
{
    text_puts(pr->out, n->u.text);
    if (n->kind != NODE_PRAGMA)
        text_putc(pr->out, ';');
}

/* ---- declarations ----------------------------------------------------------------------- */

static void print_declared(struct printer *pr, const struct node *n, const struct type *spec)
{
    const struct declarator *d = n->u.declarator;
    print_declarator(pr, d->type, spec, d->decl->name);
    if (d->asm_label)
        text_printf(pr->out, " __asm__(%s)", d->asm_label);
    print_attrs(pr, d->attrs, false);
    if (n->kid[0] && !is_dropped(pr, n->kid[0])) {
        text_puts(pr->out, " = ");
        print_initialiser(pr, n->kid[0]);
    }
}

static void print_field(struct printer *pr, const struct node *n, const struct type *spec)
{
    const struct field *f = n->u.field;
    if (f->name)
        print_declarator(pr, n->type, spec, f->name);
    if (f->is_bitfield) {
        text_puts(pr->out, f->name ? " : " : " : ");
        if (n->kid[0])
            print_expr(pr, n->kid[0], PREC_COND);
        else
            text_printf(pr->out, "%u", f->width);
    }
    print_attrs(pr, f->attrs, false);
}

static void print_decl(struct printer *pr, const struct node *n)
{
    print_specs(pr, n->u.specs);
    print_spec_type(pr, n->type);
    bool first = true;
    for (uint32_t i = 0; i < n->count; i++) {
        if (is_dropped(pr, n->kid[i]))
            continue;
        if (!first)
            text_putc(pr->out, ',');
        first = false;
        if (n->kid[i]->kind == NODE_FIELD)
            print_field(pr, n->kid[i], n->type);
        else
            print_declared(pr, n->kid[i], n->type);
    }
    text_putc(pr->out, ';');
}

static void print_function(struct printer *pr, const struct node *n)
{
    print_specs(pr, n->u.function->specs);
    print_spec_type(pr, n->type);
    const struct declarator *d = n->kid[0]->u.declarator;
    print_declarator(pr, d->type, n->type, d->decl->name);
    pr->indent += INDENT;
    for (uint32_t i = 2; i < n->count; i++) {
        print_newline(pr);
        print_stmt(pr, n->kid[i]);
    }
    pr->indent -= INDENT;
    print_newline(pr);
    print_block(pr, n->kid[1]);
    text_putc(pr->out, '\n');
}

static void print_static_assert(struct printer *pr, const struct node *n)
{
    text_puts(pr->out, "_Static_assert(");
    print_expr(pr, n->kid[0], PREC_COND);
    if (n->kid[1]) {
        text_puts(pr->out, ", ");
        print_expr(pr, n->kid[1], PREC_COND);
    }
    text_puts(pr->out, ");");
}

static void print_attribute(struct printer *pr, const struct node *n)
{
    print_attrs(pr, n->u.attrs, true);
    text_putc(pr->out, ';');
}

void print_record_body(struct printer *pr, const struct node *n)
{
    text_putc(pr->out, ' ');
    print_block(pr, n);
}

void print_enum_body(struct printer *pr, const struct node *n)
{
    text_puts(pr->out, " {");
    pr->indent += INDENT;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct node *e = n->kid[i];
        if (is_dropped(pr, e))
            continue;
        print_newline(pr);
        text_puts(pr->out, e->u.decl->name);
        print_attrs(pr, e->u.decl->attrs, false);
        if (e->kid[0]) {
            text_puts(pr->out, " = ");
            print_expr(pr, e->kid[0], PREC_COND);
        }
        text_putc(pr->out, ',');
    }
    pr->indent -= INDENT;
    print_newline(pr);
    text_putc(pr->out, '}');
}

/* ---- all -------------------------------------------------------------------------------- */

typedef void print_stmt_fn(struct printer *pr, const struct node *n);

static print_stmt_fn *const forms[NODE_COUNT] = {
    [NODE_BLOCK] = print_block,
    [NODE_EXPR_STMT] = print_expr_stmt,
    [NODE_EMPTY] = print_empty,
    [NODE_IF] = print_if,
    [NODE_SWITCH] = print_switch,
    [NODE_CASE] = print_case,
    [NODE_DEFAULT] = print_default,
    [NODE_WHILE] = print_while,
    [NODE_DO] = print_do,
    [NODE_FOR] = print_for,
    [NODE_GOTO] = print_goto,
    [NODE_GOTO_VALUE] = print_goto_value,
    [NODE_BREAK] = print_leave,
    [NODE_CONTINUE] = print_leave,
    [NODE_RETURN] = print_return,
    [NODE_LABEL] = print_label,
    [NODE_ASM] = print_text,
    [NODE_DECL] = print_decl,
    [NODE_FUNCTION] = print_function,
    [NODE_STATIC_ASSERT] = print_static_assert,
    [NODE_PRAGMA] = print_text,
    [NODE_ATTRIBUTE] = print_attribute,
    [NODE_LOCAL_LABELS] = print_text,
};

static void print_stmt(struct printer *pr, const struct node *n)
{
    if (!forms[n->kind])
        BUG("%s is no statement", lang_node_info[n->kind].name);
    forms[n->kind](pr, n);
}

void print_item(struct printer *pr, const struct node *n)
{
    if (lang_node_info[n->kind].class == NODE_CLASS_EXPR)
        print_expr(pr, n, PREC_COMMA);
    else if (n->kind == NODE_DECLARATOR)
        print_declared(pr, n, spec_of(n->type));
    else
        print_stmt(pr, n);
}

void lang_print(const struct program *p, const struct edit *edits, size_t n, struct text *out)
{
    struct arena a = {0};
    struct printer pr = {.program = p, .out = out};
    edit_index_start(&pr.edits, &a, p, edits, n);
    size_t start = out->n;
    for (uint32_t i = 0; i < p->unit->count; i++)
        print_listed(&pr, p->unit->kid[i]);
    text_putc(out, '\n');
    if (out->n > start && out->s[start] == '\n') { /* no empty first line */
        memmove(out->s + start, out->s + start + 1, out->n - start);
        out->n--;
    }
    arena_free(&a);
}

void lang_print_node(const struct program *p, const struct node *n, struct text *out)
{
    struct printer pr = {.program = p, .out = out};
    print_item(&pr, n);
}

void lang_print_edited(const struct program *p, const struct node *node, const struct edit *edits,
                       size_t n, struct text *out)
{
    struct arena a = {0};
    struct printer pr = {.program = p, .out = out};
    edit_index_start(&pr.edits, &a, p, edits, n);
    print_item(&pr, node);
    arena_free(&a);
}
