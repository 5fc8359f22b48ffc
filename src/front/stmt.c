/* Statements (C11 6.8), labels. */
#include "front/private.h"

#include <stdlib.h>

/* ---- recovery --------------------------------------------------------------------------- */

/* To behind the next `;`, or to the `}` that ends the enclosing block. */
static void skip_statement(struct parser *p)
{
    unsigned braces = 0;
    while (p->tok.kind != TOKEN_END) {
        if (p->tok.kind == TOKEN_LBRACE)
            braces++;
        if (p->tok.kind == TOKEN_RBRACE && braces-- == 0)
            return;
        bool ends = braces == 0 && (p->tok.kind == TOKEN_SEMI || p->tok.kind == TOKEN_RBRACE);
        tok_next(p);
        if (ends)
            return;
    }
}

static struct node *parse_item(struct parser *p)
{
    return at_declaration(p) ? parse_declaration(p) : parse_stmt(p);
}

/* What an error inside a statement must put back.  What the statement declared stays declared, so
 * that one mistake is not reported again at every use of the name. */
struct guard {
    jmp_buf *recover;
    uint32_t nesting, pending_count, depth;
    struct switch_scope *switch_scope;
    struct node *break_target, *continue_target;
    struct function *function;
};

static struct guard guard_state(const struct parser *p)
{
    return (struct guard){p->recover,      p->nesting,      p->pending_count,   p->depth,
                          p->switch_scope, p->break_target, p->continue_target, p->function};
}

/* One item of a block; NULL when it had an error, which ends there. */
static struct node *parse_guarded(struct parser *p)
{
    jmp_buf here;
    const struct guard saved = guard_state(p);
    p->recover = &here;
    if (setjmp(here)) {
        p->recover = saved.recover;
        if (p->give_up)
            longjmp(*p->recover, 1);
        p->nesting = saved.nesting;
        p->pending_count = saved.pending_count;
        p->switch_scope = saved.switch_scope;
        p->break_target = saved.break_target;
        p->continue_target = saved.continue_target;
        p->function = saved.function;
        scope_unwind(p, saved.depth);
        skip_statement(p);
        return NULL;
    }
    struct node *n = parse_item(p);
    p->recover = saved.recover;
    return n;
}

/* ---- blocks ----------------------------------------------------------------------------- */

/* GNU: __label__ a, b; */
static struct node *parse_local_labels(struct parser *p)
{
    struct program *program = p->program;
    uint32_t begin = p->tok.begin;
    tok_next(p);
    do {
        struct ident *id = p->tok.ident;
        tok_expect(p, TOKEN_IDENT);
        struct label *l = NEW(&program->arena, struct label);
        l->name = id->name;
        l->index = (uint32_t)p->function->labels.n;
        list_add(&program->arena, &p->function->labels, l);
        scope_bind_label(p, id, l);
    } while (tok_accept(p, TOKEN_COMMA));
    const char *text = source_between(p, begin, p->prev_end);
    tok_expect(p, TOKEN_SEMI);
    struct node *n = with_extent(p, lang_node(program, NODE_LOCAL_LABELS, NULL, 0), begin);
    n->u.text = text;
    return n;
}

struct node *parse_block(struct parser *p, bool new_scope)
{
    uint32_t begin = p->tok.begin, mark = pending_mark(p), count;
    nest_enter(p);
    if (new_scope)
        scope_enter(p);
    tok_expect(p, TOKEN_LBRACE);
    while (p->tok.kind == TOKEN_LOCAL_LABEL)
        pending_push(p, parse_local_labels(p));
    while (p->tok.kind != TOKEN_RBRACE && p->tok.kind != TOKEN_END) {
        struct node *n = parse_guarded(p);
        if (n)
            pending_push(p, n);
    }
    tok_expect(p, TOKEN_RBRACE);
    if (new_scope)
        scope_leave(p);
    nest_leave(p);
    struct node **kids = pending_take(p, mark, &count);
    return with_extent(p, lang_node(p->program, NODE_BLOCK, kids, count), begin);
}

/* ---- labels ----------------------------------------------------------------------------- */

void scope_forget_labels(struct parser *p)
{
    for (size_t i = 0; i < p->label_idents.n; i++)
        ((struct ident *)p->label_idents.at[i])->label = NULL;
    p->label_idents.n = 0;
}

void scope_finish_labels(struct parser *p)
{
    const struct list *labels = &p->function->labels;
    for (size_t i = 0; i < labels->n && !p->error_count; i++) {
        const struct label *l = labels->at[i];
        if (!l->node && l->used)
            parse_report_at(p, p->prev_end - 1, "label '%s' used but not defined", l->name);
    }
    jump_finish(p);
    scope_forget_labels(p);
}

/* What a label stands before: a statement, a declaration (C23), or the block's end. */
static struct node *parse_labelled(struct parser *p)
{
    if (p->tok.kind != TOKEN_RBRACE)
        return parse_item(p);
    struct node *n = lang_node(p->program, NODE_EMPTY, NULL, 0);
    n->flags = NODE_IMPLICIT;
    n->begin = n->end = p->prev_end;
    return n;
}

static struct node *parse_label(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct label *l = scope_label(p, p->tok.ident);
    struct attributes a;
    attr_start(&a);
    if (l->node)
        parse_error_at(p, begin, "duplicate label '%s'", l->name);
    struct node *none = NULL;
    struct node *n = l->node = lang_node(p->program, NODE_LABEL, &none, 1);
    n->u.label = l;
    jump_note(p, l, begin, true);
    tok_next(p);
    tok_next(p);
    if (p->tok.kind == TOKEN_ATTRIBUTE) /* of the label: unused, hot, cold */
        parse_attributes(p, &a);
    if (a.first && p->tok.kind == TOKEN_SEMI) { /* or fallthrough, standing alone */
        tok_next(p);
        n->kid[0] = with_extent(p, lang_node(p->program, NODE_ATTRIBUTE, NULL, 0), begin);
        n->kid[0]->u.attrs = a.first;
    } else {
        n->kid[0] = parse_labelled(p);
    }
    return with_extent(p, n, begin);
}

/* ---- switch ----------------------------------------------------------------------------- */

static u128 case_value(struct parser *p, struct node **slot, const struct type *control)
{
    struct type *type;
    u128 value = parse_constant(p, slot, &type), converted = 0;
    lang_value_convert(p->program, type, control, value, &converted);
    return converted;
}

static struct node *parse_case(struct parser *p)
{
    struct program *program = p->program;
    uint32_t begin = p->tok.begin;
    struct switch_scope *s = p->switch_scope;
    if (!s)
        parse_error_at(p, begin, "case label not within a switch statement");
    jump_check_case(p, begin);
    struct node *kids[3] = {NULL, NULL, NULL};
    struct case_info *info = NEW(&program->arena, struct case_info);
    const struct type *control = s->node->kid[0]->type;
    tok_next(p);
    info->target = s->node;
    info->low = info->high = case_value(p, &kids[0], control);
    if (tok_accept(p, TOKEN_ELLIPSIS))
        info->high = case_value(p, &kids[1], control);
    tok_expect(p, TOKEN_COLON);
    struct node *n = lang_node(program, NODE_CASE, kids, 3);
    n->u.case_ = info;
    list_add(&program->arena, &s->cases, n);
    nest_enter(p);
    n->kid[2] = parse_labelled(p);
    nest_leave(p);
    return with_extent(p, n, begin);
}

static struct node *parse_default(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct switch_scope *s = p->switch_scope;
    if (!s)
        parse_error_at(p, begin, "'default' label not within a switch statement");
    if (s->node->u.switch_->default_)
        parse_error_at(p, begin, "multiple default labels in one switch");
    jump_check_case(p, begin);
    struct node *none = NULL;
    tok_next(p);
    tok_expect(p, TOKEN_COLON);
    struct node *n = lang_node(p->program, NODE_DEFAULT, &none, 1);
    n->u.target = s->node;
    s->node->u.switch_->default_ = n;
    nest_enter(p);
    n->kid[0] = parse_labelled(p);
    nest_leave(p);
    return with_extent(p, n, begin);
}

struct range {
    u128 low, high; /* with the sign bit flipped if signed, so that they order as unsigned */
    const struct node *node;
};

static int compare_ranges(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

static void check_cases(struct parser *p, const struct switch_scope *s)
{
    const struct type *control = s->node->kid[0]->type;
    u128 flip = 0;
    if (lang_int_signed(p->program, control))
        flip = (u128)1 << (lang_int_width(p->program, control) - 1);
    struct range *ranges = NEW_ARRAY(&p->scratch, s->cases.n, struct range);
    for (size_t i = 0; i < s->cases.n; i++) {
        const struct node *n = s->cases.at[i];
        ranges[i] = (struct range){n->u.case_->low ^ flip, n->u.case_->high ^ flip, n};
    }
    if (s->cases.n)
        qsort(ranges, s->cases.n, sizeof *ranges, compare_ranges);
    for (size_t i = 1; i < s->cases.n; i++)
        if (ranges[i].low <= ranges[i - 1].high && ranges[i].low <= ranges[i].high &&
            ranges[i - 1].low <= ranges[i - 1].high)
            parse_error_at(p, ranges[i].node->begin, "duplicate case value");
}

/* What an if, a switch or a loop governs is a block of its own (6.8.4p3, 6.8.5p5). */
static struct node *parse_arm(struct parser *p)
{
    scope_enter(p);
    struct node *n = parse_stmt(p);
    scope_leave(p);
    return n;
}

static struct node *parse_switch(struct parser *p)
{
    struct program *program = p->program;
    uint32_t begin = p->tok.begin;
    struct node *kids[2] = {NULL, NULL}, *outer_break = p->break_target;
    tok_next(p);
    tok_expect(p, TOKEN_LPAREN);
    scope_enter(p);
    uint32_t at = p->tok.begin;
    kids[0] = lang_promote(program, parse_expr(p));
    tok_expect(p, TOKEN_RPAREN);
    if (!kids[0] || !lang_is_integer(kids[0]->type))
        parse_error_at(p, at, "switch quantity is not an integer");
    struct node *n = lang_node(program, NODE_SWITCH, kids, 2);
    n->u.switch_ = NEW(&program->arena, struct switch_info);
    struct switch_scope scope = {.node = n, .outer = p->switch_scope, .region = p->region};
    p->switch_scope = &scope;
    p->break_target = n;
    n->kid[1] = parse_arm(p);
    p->break_target = outer_break;
    p->switch_scope = scope.outer;
    scope_leave(p);
    check_cases(p, &scope);
    n->u.switch_->cases = (struct node **)scope.cases.at;
    n->u.switch_->count = (uint32_t)scope.cases.n;
    return with_extent(p, n, begin);
}

/* ---- conditions and loops --------------------------------------------------------------- */

static struct node *parse_condition(struct parser *p)
{
    tok_expect(p, TOKEN_LPAREN);
    uint32_t begin = p->tok.begin;
    struct node *n = lang_condition(p->program, parse_expr(p));
    if (!n)
        parse_error_at(p, begin, "%s", p->program->err.msg);
    tok_expect(p, TOKEN_RPAREN);
    return n;
}

static struct node *parse_body(struct parser *p, struct node *loop)
{
    struct node *outer_break = p->break_target, *outer_continue = p->continue_target;
    p->break_target = p->continue_target = loop;
    struct node *body = parse_arm(p);
    p->break_target = outer_break;
    p->continue_target = outer_continue;
    return body;
}

/* One `if (c) statement`, and into which scope its else still belongs. */
static struct node *parse_one_if(struct parser *p)
{
    struct node *kids[3] = {NULL, NULL, NULL};
    uint32_t begin = p->tok.begin;
    tok_next(p);
    scope_enter(p);
    kids[0] = parse_condition(p);
    kids[1] = parse_arm(p);
    return with_extent(p, lang_node(p->program, NODE_IF, kids, 3), begin);
}

/* A chain of else if may be as long as it likes: it is read in a loop. */
static struct node *parse_if(struct parser *p)
{
    struct node *first = parse_one_if(p), *last = first;
    uint32_t scopes = 1;
    while (tok_accept(p, TOKEN_ELSE)) {
        if (p->tok.kind != TOKEN_IF) {
            last->kid[2] = parse_arm(p);
            break;
        }
        last = last->kid[2] = parse_one_if(p);
        scopes++;
    }
    for (; scopes; scopes--)
        scope_leave(p);
    for (struct node *n = first; n && n->kind == NODE_IF; n = n == last ? NULL : n->kid[2])
        n->end = p->prev_end;
    return first;
}

static struct node *parse_while(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct node *kids[2] = {NULL, NULL};
    struct node *n = lang_node(p->program, NODE_WHILE, kids, 2);
    tok_next(p);
    scope_enter(p);
    n->kid[0] = parse_condition(p);
    n->kid[1] = parse_body(p, n);
    scope_leave(p);
    return with_extent(p, n, begin);
}

static struct node *parse_do(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct node *kids[2] = {NULL, NULL};
    struct node *n = lang_node(p->program, NODE_DO, kids, 2);
    tok_next(p);
    n->kid[0] = parse_body(p, n);
    tok_expect(p, TOKEN_WHILE);
    n->kid[1] = parse_condition(p);
    tok_expect(p, TOKEN_SEMI);
    return with_extent(p, n, begin);
}

/* C11 6.8.5p3: automatic variables only. */
static void check_for_declaration(struct parser *p, const struct node *n)
{
    for (uint32_t i = 0; n->kind == NODE_DECL && i < n->count; i++) {
        const struct node *kid = n->kid[i];
        const struct decl *d = kid && kid->kind == NODE_DECLARATOR ? kid->u.declarator->decl : NULL;
        if (d && (d->kind != DECL_VAR || d->is_static || d->storage == STORAGE_EXTERN))
            parse_error_at(p, kid->begin, "declaration of '%s' at the start of 'for'", d->name);
    }
}

static struct node *parse_for_start(struct parser *p)
{
    if (tok_accept(p, TOKEN_SEMI))
        return NULL;
    if (at_declaration(p)) {
        struct node *n = parse_declaration(p);
        check_for_declaration(p, n);
        return n;
    }
    uint32_t begin = p->tok.begin;
    struct node *n = lang_expr_stmt(p->program, parse_expr(p));
    tok_expect(p, TOKEN_SEMI);
    return with_extent(p, n, begin);
}

static struct node *parse_for(struct parser *p)
{
    struct program *program = p->program;
    uint32_t begin = p->tok.begin;
    struct node *kids[4] = {NULL, NULL, NULL, NULL};
    struct node *n = lang_node(program, NODE_FOR, kids, 4);
    tok_next(p);
    tok_expect(p, TOKEN_LPAREN);
    scope_enter(p);
    n->kid[0] = parse_for_start(p);
    if (p->tok.kind != TOKEN_SEMI) {
        uint32_t at = p->tok.begin;
        n->kid[1] = lang_condition(program, parse_expr(p));
        if (!n->kid[1])
            parse_error_at(p, at, "%s", program->err.msg);
    }
    tok_expect(p, TOKEN_SEMI);
    if (p->tok.kind != TOKEN_RPAREN)
        n->kid[2] = lang_rvalue(program, parse_expr(p));
    tok_expect(p, TOKEN_RPAREN);
    n->kid[3] = parse_body(p, n);
    scope_leave(p);
    return with_extent(p, n, begin);
}

/* ---- jumps ------------------------------------------------------------------------------ */

static struct node *parse_goto(struct parser *p)
{
    struct program *program = p->program;
    uint32_t begin = p->tok.begin;
    struct node *n;
    tok_next(p);
    if (tok_accept(p, TOKEN_STAR)) {
        struct type *pointer = lang_pointer(program, lang_basic(program, TYPE_VOID));
        struct node *value = lang_rvalue(program, parse_expr(p));
        if (value->type->canon->kind != TYPE_POINTER)
            parse_error_at(p, begin, "computed goto must be pointer type");
        struct node *to = lang_convert(program, value, pointer);
        if (!to)
            parse_error_at(p, begin, "%s", program->err.msg);
        n = lang_node(program, NODE_GOTO_VALUE, &to, 1);
        p->function->computed_goto = true;
    } else {
        struct ident *id = p->tok.ident;
        tok_expect(p, TOKEN_IDENT);
        n = lang_node(program, NODE_GOTO, NULL, 0);
        n->u.label = scope_label(p, id);
        jump_note(p, n->u.label, begin, false);
    }
    tok_expect(p, TOKEN_SEMI);
    return with_extent(p, n, begin);
}

static struct node *parse_leave(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    bool is_break = p->tok.kind == TOKEN_BREAK;
    struct node *target = is_break ? p->break_target : p->continue_target;
    if (!target)
        parse_error_at(p, begin, "%s statement not within a loop%s",
                       is_break ? "break" : "continue", is_break ? " or switch" : "");
    tok_next(p);
    tok_expect(p, TOKEN_SEMI);
    struct node *n = lang_node(p->program, is_break ? NODE_BREAK : NODE_CONTINUE, NULL, 0);
    n->u.target = target;
    return with_extent(p, n, begin);
}

static struct node *parse_return(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    tok_next(p);
    struct node *value = p->tok.kind == TOKEN_SEMI ? NULL : parse_expr(p);
    struct node *n = lang_return(p->program, p->function, value);
    if (!n)
        parse_error_at(p, begin, "%s", p->program->err.msg);
    tok_expect(p, TOKEN_SEMI);
    return with_extent(p, n, begin);
}

/* ---- all -------------------------------------------------------------------------------- */

static struct node *parse_expr_stmt(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct node *n = lang_expr_stmt(p->program, parse_expr(p));
    tok_expect(p, TOKEN_SEMI);
    return with_extent(p, n, begin);
}

static struct node *parse_stmt_inner(struct parser *p)
{
    switch (p->tok.kind) {
    case TOKEN_LBRACE:
        return parse_block(p, true);
    case TOKEN_SEMI: {
        uint32_t begin = p->tok.begin;
        tok_next(p);
        return with_extent(p, lang_node(p->program, NODE_EMPTY, NULL, 0), begin);
    }
    case TOKEN_IF:
        return parse_if(p);
    case TOKEN_SWITCH:
        return parse_switch(p);
    case TOKEN_CASE:
        return parse_case(p);
    case TOKEN_DEFAULT:
        return parse_default(p);
    case TOKEN_WHILE:
        return parse_while(p);
    case TOKEN_DO:
        return parse_do(p);
    case TOKEN_FOR:
        return parse_for(p);
    case TOKEN_GOTO:
        return parse_goto(p);
    case TOKEN_BREAK:
    case TOKEN_CONTINUE:
        return parse_leave(p);
    case TOKEN_RETURN:
        return parse_return(p);
    case TOKEN_ASM:
        return parse_asm(p);
    case TOKEN_PRAGMA:
        return parse_pragma(p);
    case TOKEN_ATTRIBUTE:
    case TOKEN_LBRACKET: /* [[fallthrough]]; */
        return parse_declaration(p);
    case TOKEN_IDENT:
        if (tok_peek(p)->kind == TOKEN_COLON)
            return parse_label(p);
        return parse_expr_stmt(p);
    default:
        return parse_expr_stmt(p);
    }
}

struct node *parse_stmt(struct parser *p)
{
    nest_enter(p);
    struct node *n = parse_stmt_inner(p);
    nest_leave(p);
    return n;
}
