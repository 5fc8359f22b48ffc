/* The parser's frame: tokens, errors, recovery, and the translation unit.
 *
 * An error is recorded and unwinds to the nearest recovery point: the declaration or statement
 * that it is in.  Everything that a construct allocates is in an arena, so unwinding releases
 * nothing; scopes and stacks are cut back to where they were. */
#include "front/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens ----------------------------------------------------------------------------- */

void tok_next(struct parser *p)
{
    p->prev_end = p->tok.end;
    if (p->has_ahead) {
        p->tok = p->ahead;
        p->has_ahead = false;
    } else {
        lex_next(&p->lexer, &p->tok);
    }
}

const struct token *tok_peek(struct parser *p)
{
    if (!p->has_ahead) {
        lex_next(&p->lexer, &p->ahead);
        p->has_ahead = true;
    }
    return &p->ahead;
}

bool tok_accept(struct parser *p, enum token_kind kind)
{
    if (p->tok.kind != kind)
        return false;
    tok_next(p);
    return true;
}

void tok_expect(struct parser *p, enum token_kind kind)
{
    if (p->tok.kind == kind) {
        tok_next(p);
        return;
    }
    if (p->tok.kind == TOKEN_END)
        parse_error_at(p, p->tok.begin, "expected %s at end of input", lex_token_name(kind));
    parse_error_at(p, p->tok.begin, "expected %s before '%s'", lex_token_name(kind),
                   source_between(p, p->tok.begin, p->tok.end));
}

const char *source_between(struct parser *p, uint32_t begin, uint32_t end)
{
    return arena_copy(&p->program->arena, p->program->text + begin, end - begin);
}

/* ---- errors ----------------------------------------------------------------------------- */

PRINTF_LIKE(3, 0)
static void record(struct parser *p, uint32_t offset, const char *fmt, va_list args)
{
    if (p->give_up)
        return;
    if (p->error_count == p->error_room) {
        p->error_room = p->error_room ? p->error_room * 2 : 8;
        p->errors = arena_grow(&p->program->arena, p->errors, p->error_count, p->error_room,
                               sizeof *p->errors);
    }
    char message[480];
    vsnprintf(message, sizeof message, fmt, args);
    p->errors[p->error_count++] = (struct diagnostic){offset, lang_place(p->program, offset),
                                                      arena_string(&p->program->arena, message)};
    p->give_up = p->error_count >= p->max_errors;
}

void parse_report_at(struct parser *p, uint32_t offset, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    record(p, offset, fmt, args);
    va_end(args);
}

_Noreturn void parse_error_at(struct parser *p, uint32_t offset, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    record(p, offset, fmt, args);
    va_end(args);
    longjmp(*p->recover, 1);
}

struct node *with_extent(struct parser *p, struct node *n, uint32_t begin)
{
    if (!n)
        parse_error_at(p, begin, "%s", p->program->err.msg);
    n->begin = begin;
    n->end = p->prev_end;
    return n;
}

void nest_enter(struct parser *p)
{
    if (++p->nesting > MAX_NESTING)
        parse_error_at(p, p->tok.begin, "nested too deeply");
}

void nest_leave(struct parser *p)
{
    p->nesting--;
}

/* ---- lists ------------------------------------------------------------------------------ */

uint32_t pending_mark(const struct parser *p)
{
    return p->pending_count;
}

void pending_push(struct parser *p, struct node *n)
{
    if (p->pending_count == p->pending_room) {
        p->pending_room = p->pending_room ? p->pending_room * 2 : 256;
        p->pending = arena_grow(&p->scratch, p->pending, p->pending_count, p->pending_room,
                                sizeof *p->pending);
    }
    p->pending[p->pending_count++] = n;
}

struct node **pending_take(struct parser *p, uint32_t mark, uint32_t *count)
{
    *count = p->pending_count - mark;
    p->pending_count = mark;
    return p->pending ? p->pending + mark : NULL;
}

/* ---- recovery --------------------------------------------------------------------------- */

/* Leaves the broken construct: behind its `;`, or behind the braces that it opened. */
static void skip_construct(struct parser *p)
{
    unsigned braces = 0;
    while (p->tok.kind != TOKEN_END) {
        if (p->tok.kind == TOKEN_LBRACE)
            braces++;
        bool closes = p->tok.kind == TOKEN_RBRACE && braces <= 1;
        bool ends = p->tok.kind == TOKEN_SEMI && braces == 0;
        if (p->tok.kind == TOKEN_RBRACE && braces)
            braces--;
        tok_next(p);
        if (closes || ends)
            return;
    }
}

static void parse_unit(struct parser *p)
{
    jmp_buf here;
    p->recover = &here;
    if (setjmp(here)) {
        p->function = NULL;
        p->switch_scope = NULL;
        p->break_target = p->continue_target = NULL;
        p->nesting = 0;
        p->pending_count = 0;
        p->recover = &here;
        scope_forget_labels(p);
        scope_unwind(p, 0);
        skip_construct(p);
    }
    while (p->tok.kind != TOKEN_END && !p->give_up)
        parse_external(p);
}

/* ---- the public face -------------------------------------------------------------------- */

/* Names that gcc knows as typedefs without any header. */
static void predefine(struct parser *p)
{
    static const struct {
        const char *name;
        uint8_t kind;
    } known[] = {{"__int128_t", TYPE_INT128}, {"__uint128_t", TYPE_UINT128}};
    for (size_t i = 0; i < LENGTH(known); i++) {
        const char *name = known[i].name;
        struct ident *id = lex_intern(&p->lexer, name, (uint32_t)strlen(name));
        struct decl *d = lang_decl_new(p->program, DECL_TYPEDEF, id->name,
                                       lang_basic(p->program, known[i].kind));
        d->implicit = true;
        scope_bind_symbol(p, id, d);
    }
}

/* C11 6.9.2p5: an array that is still without a length has one element; what else is still
 * incomplete cannot be defined. */
static void complete_tentative(struct parser *p)
{
    struct program *program = p->program;
    for (size_t i = 0; i < program->decls.n; i++) {
        struct decl *d = program->decls.at[i];
        bool defined = d->kind == DECL_VAR && d->linkage != LINKAGE_NONE &&
                       d->storage != STORAGE_EXTERN;
        if (defined && lang_is_kind(d->type, TYPE_ARRAY) && d->type->canon->flags & TYPE_UNSIZED)
            d->type = lang_array(program, d->type->canon->base, 1);
        else if (defined && !lang_is_kind(d->type, TYPE_VOID) && !lang_is_complete(d->type) &&
                 !p->error_count && d->node)
            parse_report_at(p, d->node->begin, "storage size of '%s' isn't known", d->name);
    }
}

/* #pragma weak holds for what was declared before it, too. */
static void weaken(struct parser *p)
{
    struct program *program = p->program;
    for (size_t i = 0; p->weak.n && i < program->decls.n; i++) {
        struct decl *d = program->decls.at[i];
        for (size_t k = 0; d->linkage == LINKAGE_EXTERNAL && k < p->weak.n; k++)
            d->weak = d->weak || strcmp(d->name, p->weak.at[k]) == 0;
    }
}

struct unit front_parse(const char *text, size_t size, const struct front_options *options)
{
    static const struct front_options none = {0};
    if (!options)
        options = &none;
    struct program *program = lang_program_new(options->target ? options->target
                                                               : lang_target(TARGET_LP64));
    struct parser p = {.program = program,
                       .max_errors = options->max_errors ? options->max_errors : 20};
    bool too_large = size >= UINT32_MAX / 2;
    if (!too_large)
        arena_reserve(&program->arena, size * 20); /* real code becomes that much of a tree */
    program->text = arena_copy(&program->arena, text, too_large ? 0 : size);
    program->text_size = too_large ? 0 : (uint32_t)size;
    program->file = arena_string(&program->arena, options->file ? options->file : "<stdin>");
    program->markers = NULL;
    lang_reserve(program, program->text_size / 4); /* real code has a node per 5 bytes */
    lex_start(&p.lexer, program, &p.scratch);
    if (too_large)
        parse_report_at(&p, 0, "more than 2 GB of text");
    predefine(&p);
    lex_next(&p.lexer, &p.tok);
    parse_unit(&p);
    complete_tentative(&p);
    weaken(&p);
    arena_free(&p.scratch);
    return (struct unit){program, p.errors, p.error_count};
}

void front_print_errors(const struct unit *u, struct text *out)
{
    for (uint32_t i = 0; i < u->error_count; i++) {
        const struct diagnostic *d = &u->errors[i];
        struct text gutter = {0};
        text_printf(out, "%s:%u:%u: error: %s\n", d->place.file, d->place.line, d->place.column,
                    d->message);
        text_printf(&gutter, "%5u | ", d->place.line);
        lang_print_caret(u->program, d->offset, text_str(&gutter), "      | ", out);
        text_free(&gutter);
    }
}
