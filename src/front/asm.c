/* Inline assembly (GNU): operands are expressions, the rest is kept as text.  What every compiler
 * refuses, whatever the machine, is refused: constraints without a direction, operands and names
 * that are not there. */
#include "front/private.h"

#include <stdlib.h>
#include <string.h>

enum section { SECTION_OUTPUTS, SECTION_INPUTS, SECTION_CLOBBERS, SECTION_LABELS };

struct operands {
    struct list names;       /* const char *; "" for one without */
    uint32_t outputs, twice; /* how many of them; that are inputs too, and count again */
};

/* Adjacent strings as one text, escapes as they stand. */
static const char *parse_text(struct parser *p)
{
    const char *all = "";
    for (; p->tok.kind == TOKEN_STRING; tok_next(p)) {
        const char *s = strchr(p->program->text + p->tok.begin, '"') + 1;
        const char *end = p->program->text + p->tok.end - 1;
        all = arena_printf(&p->scratch, "%s%.*s", all, (int)(end - s), s);
    }
    return all;
}

static void add_operand(struct parser *p, struct operands *o, const char *name)
{
    for (size_t i = 0; *name && i < o->names.n; i++)
        if (strcmp(o->names.at[i], name) == 0)
            parse_error_at(p, p->prev_end, "duplicate 'asm' operand name '%s'", name);
    list_add(&p->scratch, &o->names, (void *)(uintptr_t)name);
}

static void check_constraint(struct parser *p, struct operands *o, enum section section,
                             const char *text)
{
    bool directed = strpbrk(text, "=+");
    if (section == SECTION_OUTPUTS && !directed)
        parse_error_at(p, p->prev_end, "output operand constraint lacks '='");
    if (section == SECTION_INPUTS && directed)
        parse_error_at(p, p->prev_end, "input operand constraint has '%s'", text);
    size_t digits = strcspn(text, "0123456789");
    if (section == SECTION_INPUTS && digits == 0 && strtoul(text, NULL, 10) >= o->outputs)
        parse_error_at(p, p->prev_end, "matching constraint names no output operand");
    o->outputs += section == SECTION_OUTPUTS;
    o->twice += section == SECTION_OUTPUTS && strchr(text, '+');
}

static void parse_value(struct parser *p, enum section section)
{
    struct node *n = parse_expr(p);
    if (section == SECTION_OUTPUTS && !(n->flags & NODE_LVALUE))
        parse_error_at(p, n->begin, "lvalue required in 'asm' statement");
    if (section == SECTION_OUTPUTS && n->type->canon->quals & QUAL_CONST)
        parse_error_at(p, n->begin, "read-only location used as 'asm' output");
    if (n->kind == NODE_NAME)
        n->u.decl->address_taken = true;
    pending_push(p, n);
    tok_expect(p, TOKEN_RPAREN);
}

/* [name] "constraint" (expression), ... */
static void parse_operands(struct parser *p, struct operands *o, enum section section)
{
    while (p->tok.kind == TOKEN_LBRACKET || p->tok.kind == TOKEN_STRING) {
        const char *name = "";
        if (tok_accept(p, TOKEN_LBRACKET)) {
            name = source_between(p, p->tok.begin, p->tok.end);
            tok_next(p);
            tok_expect(p, TOKEN_RBRACKET);
        }
        const char *constraint = parse_text(p);
        if (tok_accept(p, TOKEN_LPAREN)) {
            check_constraint(p, o, section, constraint);
            add_operand(p, o, name);
            parse_value(p, section);
        }
        if (!tok_accept(p, TOKEN_COMMA))
            break;
    }
}

static void parse_labels(struct parser *p, struct operands *o)
{
    while (p->tok.kind == TOKEN_IDENT && p->function) {
        add_operand(p, o, p->tok.ident->name);
        scope_label(p, p->tok.ident)->address_taken = true;
        tok_next(p);
        if (!tok_accept(p, TOKEN_COMMA))
            break;
    }
}

/* What stands behind a % and its letters: a number, or a name in brackets. */
static void check_reference(struct parser *p, const struct operands *o, const char *s)
{
    if (*s >= '0' && *s <= '9' && strtoul(s, NULL, 10) >= o->names.n + o->twice)
        parse_error_at(p, p->prev_end, "operand number out of range in 'asm'");
    size_t size = *s == '[' ? strcspn(s + 1, "]") : 0;
    if (!size)
        return;
    for (size_t i = 0; i < o->names.n; i++) {
        const char *name = o->names.at[i];
        if (strlen(name) == size && strncmp(name, s + 1, size) == 0)
            return;
    }
    parse_error_at(p, p->prev_end, "undefined named operand '%.*s'", (int)size, s + 1);
}

static void check_template(struct parser *p, const struct operands *o, const char *s)
{
    while ((s = strchr(s, '%'))) {
        s++;
        if (*s == '%') {
            s++;
            continue;
        }
        const char *letter = s;
        while ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z'))
            s++;
        if (s - letter <= 1)
            check_reference(p, o, s);
    }
}

/* Each once. */
static void parse_asm_qualifiers(struct parser *p)
{
    static const enum token_kind all[] = {TOKEN_VOLATILE, TOKEN_GOTO, TOKEN_INLINE};
    bool seen[LENGTH(all)] = {0};
    for (size_t i = 0; i < LENGTH(all); i++) {
        if (p->tok.kind != all[i])
            continue;
        if (seen[i])
            parse_error_at(p, p->tok.begin, "duplicate qualifier of asm");
        seen[i] = true;
        tok_next(p);
        i = SIZE_MAX; /* from the first on again */
    }
}

struct node *parse_asm(struct parser *p)
{
    uint32_t begin = p->tok.begin, mark = pending_mark(p), count;
    struct operands o = {0};
    tok_next(p);
    parse_asm_qualifiers(p);
    tok_expect(p, TOKEN_LPAREN);
    const char *template = parse_text(p);
    bool extended = p->tok.kind == TOKEN_COLON;
    for (unsigned section = 0; tok_accept(p, TOKEN_COLON); section++) {
        parse_operands(p, &o, (enum section)section);
        parse_labels(p, &o);
    }
    if (extended)
        check_template(p, &o, template);
    tok_expect(p, TOKEN_RPAREN);
    const char *text = source_between(p, begin, p->prev_end);
    tok_expect(p, TOKEN_SEMI);
    struct node **kids = pending_take(p, mark, &count);
    struct node *n = with_extent(p, lang_node(p->program, NODE_ASM, kids, count), begin);
    n->u.text = text;
    if (p->function)
        p->function->has_asm = true;
    else
        list_add(&p->program->arena, &p->program->asm_texts, (void *)(uintptr_t)text);
    return n;
}
