/* How much of what a program computes can be seen in its output?
 *
 *   observe [-v] FILE.c...
 *
 * Executes each program in cupel's machine; then again with 1 added to what one live assignment or
 * initialiser of a number stores (of a _Bool: its other value), up to SITES times.  A change is
 * seen when the output differs or the program does not end as before.  Prints, for all files
 * together, how many changes were made and how many were seen: of locals, and of everything else.
 * Leaves out the functions that compute the checksum.  -v: says on stderr which were not seen. Exit
 * status 0, or 2 when a program cannot be read. */
#include "base/base.h"
#include "front/front.h"
#include "machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 40, FUEL = 3000000 };

struct tally {
    unsigned changed[2], seen[2]; /* [1]: locals */
    bool says;
};

struct site {
    struct node *value; /* what is assigned */
    bool local;
};

struct work {
    struct program *p;
    struct machine *m;
    struct arena arena;
    struct list sites; /* struct site */
};

/* ---- candidates ------------------------------------------------------------------------- */

static bool is_harness(const char *name)
{
    static const char *const names[] = {
        "mix", "mix_real", "trace", "sink", "watch", "platform_main_end", "platform_main_begin"};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strstr(name, "crc") || str_has_prefix(name, "safe_");
}

static bool is_local(const struct node *n)
{
    while (n->count && n->kind != NODE_UNARY)
        n = n->kid[0];
    return n->kind == NODE_NAME && n->u.decl->owner;
}

/* No statements in it: they would have to be copied with their scopes. */
static bool is_plain(const struct node *n)
{
    if (n->kind == NODE_STMT_EXPR || n->kind == NODE_LITERAL || n->kind == NODE_INIT)
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !is_plain(n->kid[i]))
            return false;
    return true;
}

static void add_site(struct work *w, struct node *value, bool local)
{
    if (!value || !lang_is_arithmetic(value->type) || !is_plain(value) ||
        machine_fact(w->m, 0, value).count == 0)
        return;
    struct site *s = NEW(&w->arena, struct site);
    *s = (struct site){value, local};
    list_add(&w->arena, &w->sites, s);
}

static void find_sites(struct work *w, const struct node *n)
{
    if (n->kind == NODE_FUNCTION && is_harness(n->u.function->decl->name))
        return;
    if (n->kind == NODE_ASSIGN)
        add_site(w, n->kid[1], is_local(n->kid[0]));
    if (n->kind == NODE_DECLARATOR && n->u.declarator->decl->owner &&
        !n->u.declarator->decl->is_static)
        add_site(w, n->kid[0], true);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] &&
            !(n->kind == NODE_FOR && i == 0)) /* a counter's start changes nothing else */
            find_sites(w, n->kid[i]);
}

/* ---- changes ---------------------------------------------------------------------------- */

static struct node *copied(struct program *p, const struct node *n)
{
    struct node *copy = lang_node(p, (enum node_kind)n->kind, n->kid, n->count);
    uint32_t id = copy->id;
    copy->op = n->op;
    copy->flags = n->flags;
    copy->type = n->type;
    copy->u = n->u;
    copy->id = id;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            copy->kid[i] = copied(p, n->kid[i]);
    return copy;
}

static struct node *changed(struct program *p, const struct node *value)
{
    struct type *t = value->type->unqual;
    struct node *one = lang_int(p, 1, lang_basic(p, TYPE_INT)), *old = copied(p, value);
    enum op op = t->kind == TYPE_BOOL ? OP_XOR : OP_ADD;
    if (op == OP_ADD && t->class != CLASS_FLOAT) /* in an unsigned type: it never overflows */
        old = lang_cast(p, lang_basic(p, TYPE_ULLONG), old);
    return lang_cast(p, t, lang_binary(p, op, old, one));
}

static bool is_seen(struct work *w, struct site *s, const struct machine_result *before)
{
    struct edit edit = {EDIT_REPLACE, s->value->id, changed(w->p, s->value)};
    struct machine_unit unit = {w->p, &edit, 1};
    struct machine_options options = {.fuel = FUEL};
    struct machine *m = machine_new(&unit, 1, &options);
    const struct machine_result *r = machine_run(m);
    bool seen = r->end != before->end || r->status != before->status ||
                strcmp(text_str(&r->output), text_str(&before->output)) != 0;
    machine_free(m);
    return seen;
}

/* FILE:LINE: the value, of a change that shows nowhere. */
static void say_unseen(const struct work *w, const struct site *s)
{
    struct place at = lang_place(w->p, s->value->begin);
    struct text text = {0};
    lang_print_node(w->p, s->value, &text);
    fprintf(stderr, "%s:%u: %s %s\n", at.file, at.line, s->local ? "local" : "other",
            text_str(&text));
    text_free(&text);
}

static void count(struct work *w, const struct machine_result *before, struct tally *t)
{
    size_t step = w->sites.n / SITES + 1;
    for (size_t i = 0; i < w->sites.n; i += step) {
        struct site *s = w->sites.at[i];
        t->changed[s->local]++;
        bool seen = is_seen(w, s, before);
        t->seen[s->local] += seen;
        if (!seen && t->says)
            say_unseen(w, s);
    }
}

/* ---- all -------------------------------------------------------------------------------- */

static bool look_at(const char *path, struct tally *t)
{
    char *flags[] = {"-I/usr/include/csmith", NULL};
    struct front_source source = {.path = path, .flags = flags};
    struct text text = {0};
    struct err e;
    if (!front_preprocess(&source, &text, &e)) {
        fprintf(stderr, "observe: %s: %s\n", path, e.msg);
        return false;
    }
    struct front_options options = front_options_of(&source);
    struct unit u = front_parse(text_str(&text), text.n, &options);
    struct work w = {.p = u.program};
    struct machine_unit unit = {u.program, NULL, 0};
    struct machine_options limits = {.fuel = FUEL};
    bool ok = u.error_count == 0;
    if (ok) {
        w.m = machine_new(&unit, 1, &limits);
        const struct machine_result *r = machine_run(w.m);
        find_sites(&w, u.program->unit);
        if (r->end == MACHINE_FINISHED)
            count(&w, r, t);
        machine_free(w.m);
    }
    lang_program_free(u.program);
    arena_free(&w.arena);
    text_free(&text);
    return ok;
}

int main(int argc, char **argv)
{
    struct tally t = {.says = argc > 1 && strcmp(argv[1], "-v") == 0};
    for (int i = t.says ? 2 : 1; i < argc; i++)
        if (!look_at(argv[i], &t))
            return 2;
    printf("%u %u %u %u\n", t.changed[1], t.seen[1], t.changed[0], t.seen[0]);
    return 0;
}
