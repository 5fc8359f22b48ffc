/* Lines that begin with # (C11 6.10), and the files that they lead to. */
#include "cpp/private.h"

#include <string.h>

enum { MAX_DEPTH = 190 };

/* ---- conditional inclusion -------------------------------------------------------------- */

static bool is_live(const struct cpp *c)
{
    return c->branch_count == 0 || c->branches[c->branch_count - 1].live;
}

static void open_branch(struct cpp *c, bool live, bool guard)
{
    bool outer = is_live(c);
    if (c->branch_count == c->branch_room) {
        c->branch_room = c->branch_room ? c->branch_room * 2 : 32;
        c->branches = arena_grow(&c->arena, c->branches, c->branch_count, c->branch_room,
                                 sizeof *c->branches);
    }
    c->branches[c->branch_count++] = (struct branch){
        .live = outer && live, .taken = live, .outer = outer, .guard = guard};
}

static struct branch *innermost(struct cpp *c)
{
    if (c->branch_count == c->file->ifs)
        cpp_decline(c, "#else, #elif or #endif without #if");
    return &c->branches[c->branch_count - 1];
}

static void open_ifdef(struct cpp *c, const struct tokens *line, bool want)
{
    struct file *f = c->file;
    bool first = !f->seen && !f->guard && !want;
    f->seen = true;
    if (!is_live(c)) {
        open_branch(c, false, false);
        return;
    }
    if (line->n != 1 || line->at[0].kind != T_NAME || line->at[0].name->special == NAME_DECLINED)
        cpp_decline(c, "#ifdef of what?");
    struct name *name = line->at[0].name;
    if (first)
        f->guard = name;
    open_branch(c, cpp_is_defined(name) == want, first);
}

static void do_ifdef(struct cpp *c, struct tokens *line)
{
    open_ifdef(c, line, true);
}

static void do_ifndef(struct cpp *c, struct tokens *line)
{
    open_ifdef(c, line, false);
}

static void do_if(struct cpp *c, struct tokens *line)
{
    c->file->seen = true;
    open_branch(c, is_live(c) && cpp_condition(c, line), false);
}

static void do_elif(struct cpp *c, struct tokens *line)
{
    struct branch *b = innermost(c);
    if (b->last)
        cpp_decline(c, "#elif behind #else");
    if (b->guard)
        c->file->guard = NULL;
    /* The expression counts only where no part before was taken. */
    bool live = b->outer && !b->taken;
    if (live) {
        b->live = true; /* for what is asked meanwhile */
        live = cpp_condition(c, line);
        b = innermost(c);
    }
    b->live = live;
    b->taken |= live;
}

static void do_else(struct cpp *c, struct tokens *line)
{
    (void)line;
    struct branch *b = innermost(c);
    if (b->last)
        cpp_decline(c, "#else behind #else");
    if (b->guard)
        c->file->guard = NULL;
    b->last = true;
    b->live = b->outer && !b->taken;
    b->taken = true;
}

static void do_endif(struct cpp *c, struct tokens *line)
{
    (void)line;
    struct branch *b = innermost(c);
    if (b->guard)
        c->file->seen = false; /* from here on, anything is outside */
    c->branch_count--;
}

/* ---- the other directives --------------------------------------------------------------- */

static void note_segment(struct cpp *c, size_t begin, bool skipped)
{
    if (!c->recording)
        return;
    struct segment *s = NEW(&c->arena, struct segment);
    *s = (struct segment){begin, c->out->n, skipped};
    list_add(&c->arena, &c->segments, s);
}

static void include(struct cpp *c, const struct tokens *line, bool next)
{
    bool quoted;
    int folder;
    const char *name = cpp_header_name(c, line, &quoted);
    struct source *s = cpp_find(c, name, quoted, next, &folder);
    if (!s)
        cpp_decline(c, "%s: no such file", name);
    bool outermost = !c->file->outer;
    if (s->once || (s->guard && s->guard->macro)) {
        if (outermost)
            note_segment(c, c->out->n, true);
        return;
    }
    cpp_read_source(c, s);
    size_t begin = c->out->n;
    if (++c->depth > MAX_DEPTH)
        cpp_decline(c, "files included too deep");
    struct file f = {.outer = c->file,
                     .source = s,
                     .at = s->text,
                     .end = s->text + s->size,
                     .line = 1,
                     .folder = folder,
                     .system = folder == FOLDER_OWN ? c->file->system : c->folders[folder].system,
                     .ifs = c->branch_count};
    c->in_directive = false;
    c->file = &f;
    cpp_put_marker(c, 1);
    cpp_read_file(c);
    if (f.guard && !f.seen)
        s->guard = f.guard;
    c->file = f.outer;
    c->depth--;
    if (outermost)
        note_segment(c, begin, false);
    cpp_put_marker(c, 2);
}

static void do_include(struct cpp *c, struct tokens *line)
{
    include(c, line, false);
}

static void do_include_next(struct cpp *c, struct tokens *line)
{
    include(c, line, true);
}

/* What compilers do with it is their matter, so it is passed on, unless it changes how the text
 * is read, or macros stand in it. */
static void do_pragma(struct cpp *c, struct tokens *line)
{
    static const char *const ours[] = {"push_macro", "pop_macro", "poison", "system_header",
                                       "dependency", "warning",   "error",  "include_alias"};
    if (line->n == 1 && line->at[0].size == 4 && memcmp(line->at[0].s, "once", 4) == 0) {
        c->file->source->once = true;
        return;
    }
    for (uint32_t i = 0; i < line->n; i++) {
        const struct token *t = &line->at[i];
        if (t->kind == T_NAME && cpp_is_defined(t->name))
            cpp_decline(c, "a macro in #pragma");
        for (size_t k = 0; i < 2 && k < LENGTH(ours); k++)
            if (t->size == strlen(ours[k]) && memcmp(t->s, ours[k], t->size) == 0)
                cpp_decline(c, "#pragma %s", ours[k]);
    }
    uint32_t behind = c->file->line;
    c->file->line = c->call_line;
    cpp_sync(c);
    text_puts(c->out, "#pragma");
    for (uint32_t i = 0; i < line->n; i++) {
        if (i == 0 || line->at[i].flags & TF_SPACE)
            text_putc(c->out, ' ');
        text_add(c->out, line->at[i].s, line->at[i].size);
    }
    text_putc(c->out, '\n');
    c->out_line++;
    c->file->line = behind;
}

static void do_define(struct cpp *c, struct tokens *line)
{
    cpp_define(c, line);
}

static void do_undef(struct cpp *c, struct tokens *line)
{
    if (line->n != 1 || line->at[0].kind != T_NAME)
        cpp_decline(c, "#undef of what?");
    cpp_undefine(c, line->at[0].name);
}

/* ---- which directive -------------------------------------------------------------------- */

static const struct directive {
    const char *name;
    void (*run)(struct cpp *c, struct tokens *line);
    bool always; /* in text that is skipped, too */
} directives[] = {
    {"define", do_define, false}, {"include", do_include, false},
    {"if", do_if, true},          {"ifdef", do_ifdef, true},
    {"ifndef", do_ifndef, true},  {"elif", do_elif, true},
    {"else", do_else, true},      {"endif", do_endif, true},
    {"undef", do_undef, false},   {"include_next", do_include_next, false},
    {"pragma", do_pragma, false},
};

static const struct directive *find(struct cpp *c, const char *s, size_t size, bool live)
{
    for (size_t i = 0; i < LENGTH(directives); i++)
        if (strlen(directives[i].name) == size && memcmp(directives[i].name, s, size) == 0)
            return live || directives[i].always ? &directives[i] : NULL;
    if (live || (size > 4 && memcmp(s, "elif", 4) == 0))
        cpp_decline(c, "#%.*s", (int)size, s);
    return NULL;
}

/* In text that is not read, literals still hide comments. */
static void skip_line(struct cpp *c)
{
    struct file *f = c->file;
    while (*f->at != '\n') {
        if (*f->at == '"' || *f->at == '\'') {
            const char *end = cpp_skip_quoted(f->at);
            f->at = end ? end : strchr(f->at, '\n');
        } else if (!cpp_skip_blanks(c, &f->at, &f->line)) {
            f->at++;
        }
    }
    f->at++;
    f->line++;
}

/* An #elif whose expression decides what is read. */
static bool decides(const struct cpp *c, const struct directive *d)
{
    const struct branch *b = &c->branches[c->branch_count - 1];
    return d->run == do_elif && b->outer && !b->taken;
}

/* file->at is behind the #. */
static void directive(struct cpp *c)
{
    struct file *f = c->file;
    uint32_t at_line = f->line;
    cpp_forget_lists(c);
    bool live = is_live(c);
    cpp_skip_blanks(c, &f->at, &f->line);
    const char *name = f->at;
    while (cpp_is(*f->at, CPP_LETTER))
        f->at++;
    if (f->at == name && *name != '\n' && live)
        cpp_decline(c, "a directive without a name");
    const struct directive *d = f->at > name ? find(c, name, (size_t)(f->at - name), live) : NULL;
    struct tokens line = {0};
    if (d && (live || decides(c, d)))
        line = cpp_rest_of_line(c);
    else
        skip_line(c);
    if (!d)
        return;
    c->call_line = f->line == at_line + 1 ? at_line : 0;
    c->in_directive = d->always || d->run == do_include || d->run == do_include_next;
    if (!d->always)
        f->seen = true;
    d->run(c, &line);
    c->in_directive = false;
}

void cpp_read_until(struct cpp *c, const char *end)
{
    struct file *f = c->file;
    while (f->at < end) {
        const char *start = f->at;
        uint32_t line = f->line;
        cpp_skip_blanks(c, &f->at, &f->line);
        if (*f->at == '#') {
            f->at++;
            directive(c);
        } else if (*f->at == '%' && f->at[1] == ':') {
            cpp_decline(c, "a digraph");
        } else if (*f->at == '\n') {
            f->at++;
            f->line++;
        } else if (!is_live(c)) {
            skip_line(c);
        } else {
            f->seen = true;
            f->at = start;
            f->line = line;
            cpp_text_line(c);
        }
    }
}

void cpp_read_file(struct cpp *c)
{
    const struct file *f = c->file;
    cpp_read_until(c, f->end);
    if (c->branch_count != f->ifs)
        cpp_decline(c, "#if without #endif");
}
