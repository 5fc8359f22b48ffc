/* What calling a function of the unit may do to memory that others can see: nothing, read it, or
 * write it.  Decided from the trees of all functions that it can reach; what is unknown writes. */
#include "machine/compile/private.h"

enum { NONE, READS, WRITES };

struct purity {
    uint8_t total;
    bool scanned, settled;
    struct list callees; /* struct function */
};

static bool is_shared(const struct decl *d)
{
    return d->captured || d->is_static || d->linkage != LINKAGE_NONE ||
           d->storage == STORAGE_EXTERN;
}

static void raise_to(struct purity *p, uint8_t level)
{
    if (level > p->total)
        p->total = level;
}

static const struct decl *named(const struct node *callee)
{
    while (callee->kind == NODE_CAST)
        callee = callee->kid[0];
    return callee->kind == NODE_NAME && callee->u.decl->kind == DECL_FUNC ? callee->u.decl : NULL;
}

/* Is it the compiler's own, and without effects on memory? */
static bool is_harmless(const struct decl *d)
{
    return d->builtin && d->implicit &&
           ((d->builtin >= BUILTIN_clz && d->builtin <= BUILTIN_bswap64) ||
            d->builtin == BUILTIN_expect || d->builtin == BUILTIN_unreachable ||
            d->builtin == BUILTIN_constant_p);
}

static void scan_call(struct machine *m, struct purity *p, const struct node *n)
{
    const struct decl *d = named(n->kid[0]);
    if (d && d->body)
        list_add(&m->arena, &p->callees, d->body);
    else if (!d || !is_harmless(d))
        p->total = WRITES;
}

/* The object that an lvalue names; NULL when it is reached through a pointer. */
static const struct decl *object_of(const struct node *n)
{
    for (;;) {
        if (n->kind == NODE_NAME)
            return n->u.decl;
        if (n->kind == NODE_MEMBER && !(n->flags & NODE_ARROW))
            n = n->kid[0];
        else if (n->kind == NODE_INDEX && n->kid[0]->kind == NODE_CAST &&
                 n->kid[0]->op == CONV_ARRAY)
            n = n->kid[0]->kid[0];
        else
            return NULL;
    }
}

static void scan_access(struct purity *p, const struct node *lvalue, uint8_t level)
{
    const struct decl *d = object_of(lvalue);
    if (!d || is_shared(d))
        raise_to(p, level);
}

static void scan(struct machine *m, const struct unit_state *u, struct purity *p,
                 const struct node *n)
{
    n = edited_node(u, n);
    if (p->total == WRITES)
        return;
    if (n->kind == NODE_CALL)
        scan_call(m, p, n);
    else if (n->kind == NODE_ASSIGN || is_step(n))
        scan_access(p, n->kid[0], WRITES);
    else if (n->kind == NODE_CAST && n->op == CONV_LVALUE)
        scan_access(p, n->kid[0], READS);
    else if (n->kind == NODE_ASM || n->kind == NODE_VA_ARG)
        p->total = WRITES;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            scan(m, u, p, n->kid[i]);
}

static struct purity *purity_of(const struct unit_state *u, const struct function *f)
{
    return &u->purity[f->index];
}

/* All functions that can be reached, each scanned once. */
static void reach(struct machine *m, struct unit_state *u, struct function *f, struct list *all)
{
    list_add(&m->arena, all, f);
    purity_of(u, f)->scanned = true;
    for (size_t i = 0; i < all->n; i++) {
        struct function *at = all->at[i];
        struct purity *p = purity_of(u, at);
        if (at->body)
            scan(m, u, p, at->body);
        for (size_t k = 0; k < p->callees.n; k++) {
            struct function *callee = p->callees.at[k];
            if (purity_of(u, callee)->scanned)
                continue;
            purity_of(u, callee)->scanned = true;
            list_add(&m->arena, all, callee);
        }
    }
}

static uint8_t settle(struct machine *m, struct unit_state *u, struct function *f)
{
    struct list all = {0};
    reach(m, u, f, &all);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = all.n; i-- > 0;) {
            struct purity *p = purity_of(u, all.at[i]);
            uint8_t before = p->total;
            for (size_t k = 0; k < p->callees.n; k++)
                raise_to(p, purity_of(u, p->callees.at[k])->total);
            changed = changed || p->total != before;
        }
    }
    for (size_t i = 0; i < all.n; i++)
        purity_of(u, all.at[i])->settled = true;
    return purity_of(u, f)->total;
}

unsigned purity_of_function(struct machine *m, struct unit_state *u, struct function *f)
{
    if (u->inserts)
        return WRITES;
    if (f->index >= u->purity_count) {
        /* functions were added, so what is known may be wrong: begin again */
        u->purity_count = (uint32_t)u->p->functions.n;
        u->purity = NEW_ARRAY(&m->arena, u->purity_count, struct purity);
    }
    const struct purity *p = purity_of(u, f);
    return p->settled ? p->total : settle(m, u, f);
}

unsigned purity_of_call(struct machine *m, struct unit_state *u, const struct node *call)
{
    const struct decl *d = named(call->kid[0]);
    if (d && is_harmless(d))
        return NONE;
    return d && d->body ? purity_of_function(m, u, d->body) : (unsigned)WRITES;
}
