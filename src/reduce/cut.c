/* All that runs after some statement: whatever showed before that still shows.  Takes counts from
 * the facts; follows blocks that ran once, and functions that were called once, from main on.  Each
 * hint takes away what the next one does.  The end of a function stays: that returns a value or
 * prints what is known by then. */
#include "reduce/private.h"

#include <string.h>

/* A list of statements that is being executed. */
struct frame {
    const struct frame *up;
    const struct node *block;
    uint32_t next, tail; /* [next, tail) have not begun */
    const bool *needed;  /* declarations that the rest, which stays, names */
};

struct cut {
    struct pass *p;
    struct arena *arena;
    const struct function **functions; /* by decl */
    bool *entered;                     /* by decl */
};

/* In pieces, around what is needed. */
static void drop_rest(struct pass *p, const struct frame *f)
{
    struct node *const *kid = f->block->kid;
    for (uint32_t from = f->next; from < f->tail; from++) {
        uint32_t to = from;
        while (to < f->tail && !f->needed[to])
            to++;
        if (to > from)
            pass_patch(p, kid[from]->begin, kid[to - 1]->end, "");
        from = to;
    }
}

static void offer_cut(struct cut *c, const struct frame *top)
{
    pass_begin(c->p);
    for (const struct frame *f = top; f; f = f->up)
        drop_rest(c->p, f);
    pass_end(c->p);
}

static bool is_named_after(const struct view *v, const struct node *decl, uint32_t place)
{
    for (uint32_t i = 0; decl->kind == NODE_DECL && i < decl->count; i++) {
        const struct list *names = &v->names[decl->kid[i]->u.declarator->decl->id];
        for (size_t k = 0; k < names->n; k++)
            if (((const struct node *)names->at[k])->begin >= place)
                return true;
    }
    return false;
}

static const bool *find_needed(const struct cut *c, const struct node *block, uint32_t tail)
{
    bool *needed = NEW_ARRAY(c->arena, tail + 1, bool);
    for (uint32_t i = 0; tail < block->count && i < tail; i++)
        needed[i] = is_named_after(c->p->v, block->kid[i], block->kid[tail]->begin);
    return needed;
}

static void visit_block(struct cut *c, const struct frame *up, const struct node *block,
                        uint32_t tail);

static bool ran_once(const struct cut *c, const struct node *n)
{
    return subject_fact(c->p->s, c->p->v, n).count == 1;
}

/* The function's last statement, when it returns, and in main the one before that. */
static uint32_t tail_of(const struct function *f)
{
    const struct node *body = f->body;
    uint32_t tail = body->count;
    if (tail && body->kid[tail - 1]->kind == NODE_RETURN)
        tail--;
    return tail && strcmp(f->decl->name, "main") == 0 ? tail - 1 : tail;
}

static void visit_function(struct cut *c, const struct frame *up, const struct function *f)
{
    if (!f || !f->decl->name || c->entered[f->decl->id] || !ran_once(c, f->body))
        return;
    c->entered[f->decl->id] = true;
    visit_block(c, up, f->body, tail_of(f));
}

/* What runs inside of a statement. */
static void visit(struct cut *c, const struct frame *up, const struct node *n)
{
    if (n->kind == NODE_BLOCK) {
        if (ran_once(c, n))
            visit_block(c, up, n, n->count);
        return;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            visit(c, up, n->kid[i]);
    const struct decl *called = n->kind == NODE_CALL ? view_called(n) : NULL;
    if (called)
        visit_function(c, up, c->functions[called->id]);
}

static void visit_block(struct cut *c, const struct frame *up, const struct node *block,
                        uint32_t tail)
{
    struct frame f = {.up = up, .block = block, .tail = tail};
    f.needed = find_needed(c, block, tail);
    for (uint32_t i = 0; i < tail; i++) {
        f.next = i;
        offer_cut(c, &f);
        f.next = i + 1;
        visit(c, &f, block->kid[i]);
    }
}

void pass_CUT(struct pass *p)
{
    const struct program *program = p->v->p;
    struct cut c = {.p = p, .arena = &p->h->arena};
    c.functions = NEW_ARRAY(c.arena, program->decls.n, const struct function *);
    c.entered = NEW_ARRAY(c.arena, program->decls.n, bool);
    const struct function *start = NULL;
    for (size_t i = 0; i < program->functions.n; i++) {
        const struct function *f = program->functions.at[i];
        c.functions[f->decl->id] = f;
        if (f->decl->name && strcmp(f->decl->name, "main") == 0)
            start = f;
    }
    visit_function(&c, NULL, start);
}
