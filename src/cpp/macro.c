/* Definitions of macros (C11 6.10.3). */
#include "cpp/private.h"

#include <string.h>

bool cpp_is_defined(const struct name *name)
{
    return name->macro || (name->special && name->special != NAME_VA_ARGS);
}

/* ---- comparing -------------------------------------------------------------------------- */

static bool same_token(const struct token *a, const struct token *b)
{
    return a->kind == b->kind && a->flags == b->flags && a->param == b->param &&
           a->size == b->size && memcmp(a->s, b->s, a->size) == 0;
}

/* C11 6.10.3p1; parameters' names count too, and compilers complain about what differs. */
static bool same_macro(const struct macro *a, const struct macro *b)
{
    if (a->function_like != b->function_like || a->variadic != b->variadic ||
        a->param_count != b->param_count || a->body.n != b->body.n)
        return false;
    for (uint32_t i = 0; i < a->param_count; i++)
        if (a->params[i] != b->params[i])
            return false;
    for (uint32_t i = 0; i < a->body.n; i++)
        if (!same_token(&a->body.at[i], &b->body.at[i]))
            return false;
    return true;
}

/* ---- reading ---------------------------------------------------------------------------- */

static void add_param(struct cpp *c, struct macro *m, struct name *name)
{
    if (name->param || m->param_count > 10000)
        cpp_decline(c, "macro parameters");
    m->params = m->param_count % 8 ? m->params
                                   : arena_grow(&c->arena, m->params, m->param_count,
                                                m->param_count + 8u, sizeof *m->params);
    m->params[m->param_count++] = name;
    name->param = m->param_count;
}

/* `a, b, ...)`; at is behind the parenthesis, and behind its twin then. */
static uint32_t read_params(struct cpp *c, struct macro *m, const struct tokens *line, uint32_t at)
{
    while (at < line->n) {
        const struct token *t = &line->at[at++];
        if (cpp_token_is(t, ")") && m->param_count == 0)
            return at;
        if (t->kind == T_NAME && t->name->special == NAME_PLAIN) {
            add_param(c, m, t->name);
            if (at < line->n && cpp_token_is(&line->at[at], "...")) {
                m->variadic = true;
                at++;
            }
        } else if (cpp_token_is(t, "...")) {
            m->variadic = true;
            add_param(c, m, cpp_name(c, "__VA_ARGS__", 11));
        } else {
            break;
        }
        if (at < line->n && cpp_token_is(&line->at[at], ")"))
            return at + 1;
        if (at >= line->n || !cpp_token_is(&line->at[at], ",") || m->variadic)
            break;
        at++;
    }
    cpp_decline(c, "macro parameters");
}

static bool is_hash(const struct tokens *line, uint32_t at, const char *hash)
{
    return at < line->n && cpp_token_is(&line->at[at], hash);
}

/* # and ## become flags of the tokens that they work on. */
static void read_body(struct cpp *c, struct macro *m, const struct tokens *line, uint32_t at)
{
    for (uint32_t begin = at; at < line->n; at++) {
        struct token t = line->at[at];
        uint8_t stringify = 0;
        if (at == begin)
            t.flags &= (uint8_t)~TF_SPACE;
        if (cpp_token_is(&t, "##") || cpp_token_is(&t, "%:"))
            cpp_decline(c, "## at the end of a macro, or a digraph");
        if (m->function_like && cpp_token_is(&t, "#")) {
            if (++at >= line->n)
                cpp_decline(c, "# without a parameter");
            stringify = TF_STRINGIFY;
            line->at[at].flags = t.flags;
            t = line->at[at];
        }
        if (t.kind == T_NAME && t.name->param) {
            t.kind = T_PARAM;
            t.param = (uint16_t)(t.name->param - 1);
        } else if (stringify) {
            cpp_decline(c, "# without a parameter");
        }
        if (t.kind == T_NAME && t.size == 10 && memcmp(t.s, "__VA_OPT__", 10) == 0)
            cpp_decline(c, "__VA_OPT__");
        t.flags |= stringify;
        if (is_hash(line, at + 1, "##")) {
            t.flags |= TF_PASTE;
            m->pastes = true;
            at++;
            if (at + 1 >= line->n)
                cpp_decline(c, "## at the end of a macro");
        }
        cpp_push(c, &m->body, t);
    }
    m->body.cap = m->body.n;
    m->body.at = arena_grow(&c->arena, m->body.at, m->body.n, m->body.n, sizeof *m->body.at);
}

/* A line behind #define as a macro; *name is its name. */
static struct macro *read_macro(struct cpp *c, const struct tokens *line, struct name **name)
{
    struct macro *m = NEW(&c->arena, struct macro);
    if (line->n == 0 || line->at[0].kind != T_NAME || line->at[0].name->special)
        cpp_decline(c, "what a #define defines");
    *name = line->at[0].name;
    m->text = line->at[0].s;
    m->size = (uint32_t)(c->file->at - 1 - m->text);
    uint32_t at = 1;
    if (line->n > 1 && cpp_token_is(&line->at[1], "(") && !(line->at[1].flags & TF_SPACE)) {
        m->function_like = true;
        at = read_params(c, m, line, 2);
    } else if (line->n > 1 && !(line->at[1].flags & TF_SPACE)) {
        cpp_decline(c, "no blank behind a macro's name");
    }
    read_body(c, m, line, at);
    for (uint32_t i = 0; i < m->param_count; i++)
        m->params[i]->param = 0;
    return m;
}

const struct macro *cpp_macro(struct cpp *c, struct name *name)
{
    if (name->macro && name->macro->unread) {
        struct file f = {.at = name->macro->text, .outer = c->file};
        c->file = &f;
        struct tokens line = cpp_rest_of_line(c);
        name->macro = read_macro(c, &line, &name);
        c->file = f.outer;
    }
    return name->macro;
}

void cpp_define(struct cpp *c, const struct tokens *line)
{
    struct name *name;
    struct macro *m = read_macro(c, line, &name);
    const struct macro *old = cpp_macro(c, name);
    if (name->size == 7 && memcmp(name->s, "defined", 7) == 0)
        cpp_decline(c, "defined defined");
    if (old && !c->file->system && !same_macro(old, m)) /* there, no warning */
        cpp_decline(c, "%.*s is defined again", (int)name->size, name->s);
    if (name->disabled)
        cpp_decline(c, "a macro defined while it is expanded");
    name->macro = m;
}

void cpp_undefine(struct cpp *c, struct name *name)
{
    if (name->special || name->disabled)
        cpp_decline(c, "#undef %.*s", (int)name->size, name->s);
    name->macro = NULL;
}

/* Lines of "#define NAME ..." as compilers print them, or "#undef NAME". */
void cpp_define_text(struct cpp *c, const char *lines)
{
    struct file f = {.at = lines, .end = lines + strlen(lines), .outer = c->file};
    c->file = &f;
    while (f.at < f.end) {
        cpp_forget_lists(c);
        if (str_has_prefix(f.at, "#define ")) {
            f.at += 8;
            struct tokens line = cpp_rest_of_line(c);
            cpp_define(c, &line);
        } else if (str_has_prefix(f.at, "#undef ")) {
            f.at += 7;
            struct tokens line = cpp_rest_of_line(c);
            if (line.n != 1 || line.at[0].kind != T_NAME)
                cpp_decline(c, "-U");
            cpp_undefine(c, line.at[0].name);
        } else {
            cpp_decline(c, "predefined macros that cannot be read");
        }
    }
    c->file = f.outer;
}
