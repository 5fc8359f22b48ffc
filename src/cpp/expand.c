/* Expansion of macros (C11 6.10.3), by contexts: the expansion of a macro is read as if it stood
 * in the text, its own name disabled while that lasts. */
#include "cpp/private.h"

#include <string.h>

enum { FEW = 8, FIRST_READ = 0xff, MAX_NESTING = 200, MAX_TOKENS = 20 * 1000 * 1000 };

struct argument {
    struct tokens raw, expanded;
    bool is_expanded, missing; /* missing: not even empty */
};

/* ---- contexts --------------------------------------------------------------------------- */

static void enter_tokens(struct cpp *c, struct context context)
{
    struct context *slot = c->spare;
    if (slot)
        c->spare = slot->outer;
    else
        slot = NEW(&c->arena, struct context);
    *slot = context;
    slot->outer = c->context;
    if (slot->macro)
        slot->macro->disabled = true;
    c->context = slot;
    c->spent += (uint64_t)(slot->end - slot->at) + 1;
    if (c->spent > MAX_TOKENS)
        cpp_decline(c, "macros that grow without end");
}

static void leave(struct cpp *c)
{
    struct context *done = c->context;
    if (done->macro)
        done->macro->disabled = false;
    c->context = done->outer;
    done->outer = c->spare;
    c->spare = done;
}

/* Leaves what is read; false at a wall, or when the file is next. */
static bool at_context(struct cpp *c)
{
    while (c->context && c->context->at == c->context->end) {
        if (c->context->wall)
            return false;
        leave(c);
    }
    return c->context != NULL;
}

static struct token from_context(struct cpp *c)
{
    if (!at_context(c))
        return (struct token){.kind = T_END};
    struct context *from = c->context;
    struct token t = *from->at++;
    if (from->macro && from->first != FIRST_READ) {
        t.flags = (uint8_t)((t.flags & ~TF_SPACE) | from->first);
        from->first = FIRST_READ;
    }
    if (t.kind == T_NAME && t.name->disabled)
        t.flags |= TF_NO_EXPAND;
    if (c->pending_space)
        t.flags |= TF_SPACE;
    c->pending_space = false;
    return t;
}

/* ---- reading a call --------------------------------------------------------------------- */

/* Blanks, comments and newlines; false when a directive or the file's end is next. */
static bool skip_to_token(struct cpp *c, const char **at, uint32_t *line, bool *space)
{
    for (;;) {
        *space |= cpp_skip_blanks(c, at, line);
        if (*at >= c->file->end)
            return false;
        if (**at != '\n')
            return true;
        *space = true;
        ++*at;
        ++*line;
        const char *next = *at;
        uint32_t lines = 0;
        cpp_skip_blanks(c, &next, &lines);
        if (*next == '#' || (*next == '%' && next[1] == ':'))
            return false;
    }
}

/* Goes behind the parenthesis that opens the call, if there is one. */
static bool at_call(struct cpp *c)
{
    while (at_context(c)) {
        const struct token *t = c->context->at;
        if (t->kind != T_PLACE) {
            if (!cpp_token_is(t, "("))
                return false;
            c->pending_space = false;
            c->context->at++;
            return true;
        }
        c->pending_space |= (t->flags & TF_SPACE) != 0;
        c->context->at++;
    }
    if (c->context || c->in_directive) /* a wall */
        return false;
    const char *at = c->file->at;
    uint32_t line = c->file->line;
    bool space = false;
    if (!skip_to_token(c, &at, &line, &space) || *at != '(')
        return false;
    c->file->at = at + 1;
    c->file->line = line;
    return true;
}

static struct token argument_token(struct cpp *c)
{
    struct token t = from_context(c);
    if (t.kind != T_END)
        return t;
    bool space = false;
    if (c->context || c->in_directive || !skip_to_token(c, &c->file->at, &c->file->line, &space))
        cpp_decline(c, "a macro call that does not end, or a directive in it");
    t = cpp_scan(c, &c->file->at);
    t.flags |= space ? TF_SPACE : 0;
    if (t.kind == T_NAME && t.name->disabled)
        t.flags |= TF_NO_EXPAND;
    return t;
}

static bool is_empty(const struct tokens *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->at[i].kind != T_PLACE)
            return false;
    return true;
}

static void read_arguments(struct cpp *c, const struct macro *m, struct argument *args)
{
    uint32_t n = 0, depth = 0, room = m->param_count ? m->param_count : 1u;
    for (;;) {
        struct token t = argument_token(c);
        if (cpp_token_is(&t, ")") && depth-- == 0)
            break;
        depth += cpp_token_is(&t, "(");
        bool rest = m->variadic && n + 1 == m->param_count;
        if (cpp_token_is(&t, ",") && depth == 0 && !rest) {
            if (++n >= room)
                cpp_decline(c, "too many arguments of a macro");
            continue;
        }
        cpp_push(c, &args[n].raw, t);
    }
    if (m->param_count == 0 && !is_empty(&args[0].raw))
        cpp_decline(c, "too many arguments of a macro");
    if (n + 1 == m->param_count && m->variadic && n == 0 && is_empty(&args[0].raw)) {
        if (cpp_name(c, "__STRICT_ANSI__", 15)->macro)
            cpp_decline(c, "a comma that depends on the standard");
        args[0].missing = true;
    }
    if (n + 2 == m->param_count && m->variadic)
        args[n + 1].missing = true;
    else if (n + 1 < m->param_count)
        cpp_decline(c, "too few arguments of a macro");
}

/* ---- substitution ----------------------------------------------------------------------- */

static struct token stringify(struct cpp *c, const struct tokens *list)
{
    struct text t = {0};
    bool space = false;
    text_putc(&t, '"');
    for (uint32_t i = 0; i < list->n; i++) {
        const struct token *k = &list->at[i];
        space |= (k->flags & TF_SPACE) != 0;
        if (k->kind == T_PLACE)
            continue;
        if (space && t.n > 1)
            text_putc(&t, ' ');
        space = false;
        bool literal = k->kind == T_STRING || k->kind == T_CHARACTER;
        for (uint32_t at = 0; at < k->size; at++) {
            if (literal && (k->s[at] == '"' || k->s[at] == '\\'))
                text_putc(&t, '\\');
            text_putc(&t, k->s[at]);
        }
    }
    text_putc(&t, '"');
    struct token string = {
        .kind = T_STRING, .s = arena_copy(&c->arena, t.s, t.n), .size = (uint32_t)t.n};
    text_free(&t);
    return string;
}

static struct token paste(struct cpp *c, const struct token *a, const struct token *b)
{
    if (b->kind == T_PLACE)
        return *a;
    if (a->kind == T_PLACE) {
        struct token only = *b;
        only.flags = (uint8_t)((b->flags & ~TF_SPACE) | (a->flags & TF_SPACE));
        return only;
    }
    size_t size = (size_t)a->size + b->size;
    char *s = arena_alloc(&c->arena, size + 2);
    memcpy(s, a->s, a->size);
    memcpy(s + a->size, b->s, b->size);
    s[size] = '\n';
    const char *end = s;
    if (s[0] == '/' && (s[1] == '/' || s[1] == '*'))
        cpp_decline(c, "## makes a comment");
    struct token t = cpp_scan(c, &end);
    if (end != s + size)
        cpp_decline(c, "## does not make a token");
    t.flags |= a->flags & TF_SPACE;
    return t;
}

static const struct tokens *expanded(struct cpp *c, struct argument *arg)
{
    if (!arg->is_expanded) {
        arg->expanded = cpp_expand_list(c, &arg->raw);
        arg->is_expanded = true;
    }
    return &arg->expanded;
}

/* What is being built: the list, and whether its last token waits for a right neighbour. */
struct building {
    struct tokens list;
    bool pasting;
    bool behind; /* the parameter stands behind ## */
};

static void build(struct cpp *c, struct building *b, struct token t)
{
    t.flags &= (uint8_t) ~(TF_PASTE | TF_STRINGIFY);
    if (b->pasting && b->list.n)
        b->list.at[b->list.n - 1] = paste(c, &b->list.at[b->list.n - 1], &t);
    else
        cpp_push(c, &b->list, t);
    b->pasting = false;
}

/* The tokens in place of a parameter; blanks before the first are as before the parameter, but
 * their own where that stands behind ##. */
static void build_list(struct cpp *c, struct building *b, const struct token *param,
                       const struct tokens *list)
{
    bool first = true, pasted = param->flags & TF_PASTE, space = param->flags & TF_SPACE;
    for (uint32_t i = 0; i < list->n; i++) {
        struct token t = list->at[i];
        if (t.kind == T_PLACE && pasted) {
            space |= !first && t.flags & TF_SPACE;
            continue;
        }
        if (first && !b->behind)
            t.flags &= (uint8_t)~TF_SPACE;
        t.flags |= space && !(first && b->behind) ? TF_SPACE : 0;
        build(c, b, t);
        first = space = false;
    }
    if (first)
        build(
            c, b,
            (struct token){.kind = T_PLACE, .s = "", .flags = space && !b->behind ? TF_SPACE : 0});
}

/* A parameter beside ##: its argument as it was written.  GNU: in `, ## __VA_ARGS__` nothing is
 * pasted, and the comma goes when there is no argument at all. */
static void substitute_raw(struct cpp *c, const struct macro *m, const struct token *param,
                           struct argument *arg, struct building *b)
{
    bool comma = b->behind && m->variadic && param->param + 1 == m->param_count && b->list.n &&
                 cpp_token_is(&b->list.at[b->list.n - 1], ",");
    if (comma)
        b->pasting = false;
    if (comma && arg->missing) {
        b->list.n--;
        return;
    }
    struct token pasted = *param;
    pasted.flags |= TF_PASTE;
    build_list(c, b, &pasted, &arg->raw);
}

static void substitute(struct cpp *c, const struct macro *m, struct argument *args,
                       struct building *b)
{
    for (uint32_t i = 0; i < m->body.n; i++) {
        const struct token *t = &m->body.at[i];
        bool right = t->flags & TF_PASTE;
        b->behind = i > 0 && m->body.at[i - 1].flags & TF_PASTE;
        if (t->kind != T_PARAM) {
            build(c, b, *t);
        } else if (t->flags & TF_STRINGIFY) {
            struct token string = stringify(c, &args[t->param].raw);
            string.flags |= t->flags & TF_SPACE;
            build(c, b, string);
        } else if (b->behind || right) {
            substitute_raw(c, m, t, &args[t->param], b);
        } else {
            build_list(c, b, t, expanded(c, &args[t->param]));
        }
        b->pasting = right;
    }
}

/* ---- expansion -------------------------------------------------------------------------- */

static struct token special(struct cpp *c, struct token t)
{
    struct token made = {.kind = T_NUMBER, .flags = t.flags & TF_SPACE};
    if (t.name->special == NAME_LINE && c->call_line &&
        (c->in_directive || c->call_line == c->file->line))
        made.s = arena_printf(&c->arena, "%u", c->call_line);
    else if (t.name->special == NAME_COUNTER && !c->in_directive)
        made.s = arena_printf(&c->arena, "%llu", (unsigned long long)c->counter++);
    else if (t.name->special == NAME_FILE && !strpbrk(c->file->source->path, "\\\"\n"))
        made.s = arena_printf(&c->arena, "\"%s\"", c->file->source->path);
    else if (c->in_directive &&
             (t.name->special == NAME_OPERATOR || t.name->special == NAME_INCLUDES))
        return t;
    else
        cpp_decline(c, "%.*s", (int)t.size, t.s);
    made.kind = t.name->special == NAME_FILE ? T_STRING : T_NUMBER;
    made.size = (uint32_t)strlen(made.s);
    return made;
}

/* Goes into the expansion of the macro; false when it is a function-like one's name only. */
static bool enter(struct cpp *c, const struct token *t)
{
    const struct macro *m = cpp_macro(c, t->name);
    struct building b = {0};
    struct argument few[FEW] = {{{0}, {0}, false, false}}, *args = few;
    if (m->function_like) {
        if (!at_call(c))
            return false;
        if (m->param_count >= FEW)
            args = NEW_ARRAY(&c->arena, m->param_count + 1u, struct argument);
        read_arguments(c, m, args);
    }
    struct tokens list = m->body;
    if (m->function_like || m->pastes) {
        substitute(c, m, args, &b);
        list = b.list;
    }
    if (list.n == 0)
        cpp_push(c, &list, (struct token){.kind = T_PLACE, .s = ""});
    enter_tokens(c, (struct context){.at = list.at,
                                     .end = list.at + list.n,
                                     .macro = t->name,
                                     .first = t->flags & TF_SPACE});
    return true;
}

/* The next token of the contexts, expanded; T_END where they end. */
static struct token next(struct cpp *c)
{
    for (;;) {
        struct token t = from_context(c);
        if (t.kind != T_NAME || t.flags & TF_NO_EXPAND)
            return t;
        if (t.name->special && t.name->special != NAME_VA_ARGS)
            return special(c, t);
        if (!t.name->macro || !enter(c, &t))
            return t;
    }
}

static struct tokens read_all(struct cpp *c)
{
    struct tokens out = {0};
    for (struct token t = next(c); t.kind != T_END; t = next(c))
        cpp_push(c, &out, t);
    return out;
}

struct tokens cpp_expand_list(struct cpp *c, const struct tokens *list)
{
    if (list->n == 0)
        return (struct tokens){0};
    if (++c->nesting > MAX_NESTING)
        cpp_decline(c, "macros nested too deep");
    enter_tokens(c, (struct context){.at = list->at, .end = list->at + list->n, .wall = true});
    struct tokens out = read_all(c);
    c->pending_space = false;
    leave(c);
    c->nesting--;
    return out;
}

struct tokens cpp_expand_name(struct cpp *c, struct token name)
{
    c->call_line = c->file->line;
    enter_tokens(c, (struct context){.at = &name, .end = &name + 1});
    struct tokens out = read_all(c);
    c->pending_space = false;
    return out;
}
