/* Where live edits are worth it.  Takes the program and what ran of it, gives each function a
 * weight: how much of it computes.  What only checks and prints what others have computed (Csmith's
 * checksums, a test's comparison) is the harness: its weight is cut, because a compiler that is
 * wrong there is wrong about the same loop in every program.  Nothing is left out altogether. */
#include "vary/private.h"

#include <string.h>

enum { HARNESS_SHARE = 40, MAIN_SHARE = 20 }; /* what their weight is divided by */

/* What the body of a function does, seen from outside.  Each list names a thing once. */
struct traits {
    unsigned computes; /* operators in statements that ran */
    bool prints, stores;
    bool harness;
    struct list calls;  /* struct decl: functions of the program's own */
    struct list writes; /* struct decl: globals that it assigns to */
    struct list reads;  /* struct decl: globals that it names */
};

/* How many functions use a thing. */
struct users {
    uint32_t plain, harness;
};

struct weighing {
    struct vary *v;
    struct traits *of;                /* per vary_function */
    uint32_t *read, *written, *named; /* per declaration: 1 + the function that last did so */
    struct users *users;              /* per declaration */
    uint32_t at;                      /* 1 + the function at hand */
};

/* ---- one function ----------------------------------------------------------------------- */

static bool is_output(const char *name)
{
    static const char *const names[] = {
        "printf", "puts",   "putchar",      "fprintf",       "fputs",        "fputc",
        "putc",   "fwrite", "__printf_chk", "__fprintf_chk", "write",        "vprintf",
        "fflush", "putw",   "vfprintf",     "perror",        "putc_unlocked"};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (name && strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool is_global(const struct decl *d)
{
    return d->kind == DECL_VAR && (!d->owner || d->is_static);
}

/* The variable that an lvalue is a part of; NULL when it lies behind a pointer. */
static struct decl *variable_of(const struct node *n)
{
    while (n->kind == NODE_INDEX || n->kind == NODE_MEMBER || n->kind == NODE_CAST) {
        if (n->kind == NODE_MEMBER && n->flags & NODE_ARROW)
            return NULL;
        if (n->kind == NODE_CAST && n->kid[0]->type->canon->kind == TYPE_POINTER)
            return NULL;
        n = n->kid[0];
    }
    return n->kind == NODE_NAME ? n->u.decl : NULL;
}

static void add_once(struct weighing *w, uint32_t *last, struct list *l, struct decl *d)
{
    if (d->id >= w->v->decl_count || last[d->id] == w->at)
        return;
    last[d->id] = w->at;
    list_add(&w->v->arena, l, d);
}

static void note_store(struct weighing *w, struct traits *t, const struct node *target)
{
    struct decl *d = variable_of(target);
    if (!d)
        t->stores = true;
    else if (is_global(d))
        add_once(w, w->written, &t->writes, d);
}

static void note_name(struct weighing *w, struct traits *t, struct decl *d)
{
    if (d->kind == DECL_FUNC && is_output(d->name))
        t->prints = true;
    else if (d->kind == DECL_FUNC)
        add_once(w, w->named, &t->calls, d);
    else if (is_global(d))
        add_once(w, w->read, &t->reads, d);
}

static void note(struct weighing *w, struct traits *t, const struct node *n)
{
    bool dead = w->v->place[n->id] & PLACE_DEAD;
    bool assigns = n->kind == NODE_ASSIGN || (n->kind == NODE_UNARY && n->op <= OP_PREDEC);
    if (n->kind == NODE_NAME)
        note_name(w, t, n->u.decl);
    if (assigns)
        note_store(w, t, n->kid[0]);
    if (!dead && (assigns || n->kind == NODE_BINARY || n->kind == NODE_UNARY ||
                  n->kind == NODE_INDEX || n->kind == NODE_COND))
        t->computes++;
    /* what is plainly assigned to is not read for it */
    bool plain = n->kind == NODE_ASSIGN && n->op == OP_ASSIGN && n->kid[0]->kind == NODE_NAME;
    for (uint32_t i = plain ? 1 : 0; i < n->count; i++)
        if (n->kid[i])
            note(w, t, n->kid[i]);
}

/* ---- all of them ------------------------------------------------------------------------ */

static bool is_main(const struct function *f)
{
    return f->decl->name && strcmp(f->decl->name, "main") == 0;
}

static void count_users(struct weighing *w)
{
    memset(w->users, 0, w->v->decl_count * sizeof *w->users);
    for (size_t i = 0; i < w->v->function_count; i++) {
        const struct list *const used[] = {&w->of[i].calls, &w->of[i].reads};
        for (size_t k = 0; k < LENGTH(used); k++)
            for (size_t n = 0; n < used[k]->n; n++) {
                struct users *u = &w->users[((struct decl *)used[k]->at[n])->id];
                ++*(w->of[i].harness ? &u->harness : &u->plain);
            }
    }
}

/* Is it used by the harness, and by nobody else but the function at hand, whose list this is? */
static bool is_for_harness(const struct weighing *w, const struct decl *d, const struct list *own)
{
    struct users u = w->users[d->id];
    for (size_t i = 0; i < own->n; i++)
        u.plain -= own->at[i] == d;
    return u.harness && !u.plain;
}

/* Does it fill what only the harness reads, such as the table of a checksum? */
static bool works_for_harness(const struct weighing *w, const struct traits *t)
{
    if (t->stores || !t->writes.n)
        return false;
    for (size_t i = 0; i < t->writes.n; i++)
        if (!is_for_harness(w, t->writes.at[i], &t->reads))
            return false;
    return true;
}

static void find_harness(struct weighing *w)
{
    for (bool more = true; more;) {
        more = false;
        count_users(w);
        for (size_t i = 0; i < w->v->function_count; i++) {
            const struct function *f = w->v->functions[i].function;
            struct traits *t = &w->of[i];
            if (t->harness || is_main(f))
                continue;
            t->harness = t->prints || is_for_harness(w, f->decl, &t->calls) ||
                         works_for_harness(w, t);
            more |= t->harness;
        }
    }
}

void vary_weigh_functions(struct vary *v)
{
    struct weighing w = {.v = v, .of = NEW_ARRAY(&v->arena, v->function_count + 1, struct traits)};
    w.read = NEW_ARRAY(&v->arena, v->decl_count, uint32_t);
    w.written = NEW_ARRAY(&v->arena, v->decl_count, uint32_t);
    w.named = NEW_ARRAY(&v->arena, v->decl_count, uint32_t);
    w.users = NEW_ARRAY(&v->arena, v->decl_count, struct users);
    for (size_t i = 0; i < v->function_count; i++) {
        w.at = (uint32_t)i + 1;
        note(&w, &w.of[i], v->functions[i].function->body);
    }
    find_harness(&w);
    for (size_t i = 0; i < v->function_count; i++) {
        const struct traits *t = &w.of[i];
        unsigned share = t->harness                          ? HARNESS_SHARE
                         : is_main(v->functions[i].function) ? MAIN_SHARE
                                                             : 1;
        v->functions[i].weight = 1 + 40 * t->computes / share;
    }
}
