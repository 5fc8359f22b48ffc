/* Can two operands of an expression touch the same object, one of them writing?  Takes its tree,
 * and yields no only when that is certain from the names that stand there and from what the
 * functions that it calls can reach: such an expression runs without the log of sequence.c. */
#include "machine/compile/private.h"

#include <string.h>

enum { MAX_NAMES = 12 };

/* What an operand may touch. */
struct effects {
    const struct decl *reads[MAX_NAMES], *writes[MAX_NAMES];
    unsigned read_count, write_count;
    bool reads_memory, writes_memory; /* through pointers, or too many names */
    bool calls;
    bool block; /* a statement expression: it may touch anything, also what nobody else can */
    bool risky; /* two operands of something inside may conflict */
};

/* The names themselves are of no interest beyond their count. */
static void clear(struct effects *e)
{
    e->read_count = e->write_count = 0;
    e->reads_memory = e->writes_memory = e->calls = e->block = e->risky = false;
}

static bool shared(const struct decl *d)
{
    return d->address_taken || d->is_static || d->linkage != LINKAGE_NONE ||
           d->storage == STORAGE_EXTERN;
}

static void add_name(const struct decl **names, unsigned *n, bool *overflow, const struct decl *d)
{
    for (unsigned i = 0; i < *n; i++)
        if (names[i] == d)
            return;
    if (*n < MAX_NAMES)
        names[(*n)++] = d;
    else
        *overflow = true;
}

static bool names_meet(const struct decl *const *a, unsigned n, const struct decl *const *b,
                       unsigned k)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < k; j++)
            if (a[i] == b[j])
                return true;
    return false;
}

static bool any_shared(const struct decl *const *names, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (shared(names[i]))
            return true;
    return false;
}

static bool touches_memory(const struct effects *e)
{
    return e->reads_memory || e->writes_memory || e->calls || any_shared(e->reads, e->read_count) ||
           any_shared(e->writes, e->write_count);
}

/* May a write of w hit an access of a? */
static bool may_hit(const struct effects *w, const struct effects *a)
{
    if (names_meet(w->writes, w->write_count, a->reads, a->read_count) ||
        names_meet(w->writes, w->write_count, a->writes, a->write_count))
        return true;
    if ((w->writes_memory || w->calls) && touches_memory(a))
        return true;
    if ((w->block && (touches_memory(a) || a->read_count || a->write_count)) ||
        (a->block && (w->write_count || w->writes_memory || w->calls)))
        return true;
    return any_shared(w->writes, w->write_count) &&
           (a->reads_memory || a->writes_memory || a->calls);
}

static void join(struct effects *to, const struct effects *from)
{
    for (unsigned i = 0; i < from->read_count; i++)
        add_name(to->reads, &to->read_count, &to->reads_memory, from->reads[i]);
    for (unsigned i = 0; i < from->write_count; i++)
        add_name(to->writes, &to->write_count, &to->writes_memory, from->writes[i]);
    to->reads_memory |= from->reads_memory;
    to->writes_memory |= from->writes_memory;
    to->calls |= from->calls;
    to->block |= from->block;
    to->risky |= from->risky;
}

static const struct decl *base_name(const struct node *n)
{
    for (;;) {
        if (n->kind == NODE_NAME)
            return n->u.decl->kind == DECL_VAR || n->u.decl->kind == DECL_PARAM ? n->u.decl : NULL;
        if (n->kind == NODE_MEMBER && !(n->flags & NODE_ARROW))
            n = n->kid[0];
        else if (n->kind == NODE_INDEX && n->kid[0]->kind == NODE_CAST &&
                 n->kid[0]->op == CONV_ARRAY)
            n = n->kid[0]->kid[0];
        else if (n->kind == NODE_UNARY && (n->op == OP_REAL || n->op == OP_IMAG))
            n = n->kid[0];
        else
            return NULL;
    }
}

/* Who asks. */
struct context {
    struct machine *m;
    struct unit_state *u;
};

static void add_effects(const struct context *x, const struct node *n, struct effects *all);

static void access(struct effects *e, const struct node *lvalue, bool write)
{
    const struct decl *d = base_name(lvalue);
    if (d && write)
        add_name(e->writes, &e->write_count, &e->writes_memory, d);
    else if (d)
        add_name(e->reads, &e->read_count, &e->reads_memory, d);
    else if (write)
        e->writes_memory = true;
    else
        e->reads_memory = true;
}

static void add_kids(const struct context *x, const struct node *n, bool sequenced,
                     struct effects *all)
{
    struct effects own;
    if (!sequenced)
        clear(&own);
    for (uint32_t i = 0; i < n->count; i++) {
        struct effects e;
        if (!n->kid[i])
            continue;
        if (sequenced) {
            add_effects(x, n->kid[i], all);
            continue;
        }
        clear(&e);
        add_effects(x, n->kid[i], &e);
        own.risky |= may_hit(&e, &own) || may_hit(&own, &e);
        join(&own, &e);
    }
    if (!sequenced)
        join(all, &own);
}

static void add_write(const struct context *x, const struct node *n, struct effects *all)
{
    struct effects e, w;
    clear(&e);
    clear(&w);
    add_kids(x, n, false, &e);
    bool compound = n->kind != NODE_ASSIGN || n->op != OP_ASSIGN;
    if (compound)
        access(&e, n->kid[0], false);
    if (n->kind == NODE_ASSIGN && compound) {
        /* the read of the left operand beside the right one */
        struct effects right, left;
        clear(&right);
        clear(&left);
        add_effects(x, n->kid[1], &right);
        access(&left, n->kid[0], false);
        e.risky |= may_hit(&right, &left);
    }
    access(&w, n->kid[0], true);
    /* its own write beside writes of the operands */
    struct effects writes;
    clear(&writes);
    memcpy(writes.writes, e.writes, e.write_count * sizeof *e.writes);
    writes.write_count = e.write_count;
    writes.writes_memory = e.writes_memory;
    if (may_hit(&w, &writes) || may_hit(&writes, &w))
        e.risky = true;
    join(&e, &w);
    join(all, &e);
}

/* Can what is read here be an object that was written by this name, C11 6.5p7? */
static bool may_be(const struct context *x, const struct type *read, const struct decl *written)
{
    const struct program *p = x->u->p;
    const struct type *is = written->type->canon;
    if (!lang_is_scalar(read) || !lang_is_scalar(is) || lang_sizeof(p, read) == 1)
        return true;
    return lang_sizeof(p, read) == lang_sizeof(p, is) &&
           lang_is_integer(read) == lang_is_integer(is);
}

/* A value that is read beside the side effects of finding it: a[a[0]--]. */
static void add_read(const struct context *x, const struct node *n, struct effects *all)
{
    struct effects e, own, writes;
    if (n->kid[0]->kind == NODE_NAME) {
        access(all, n->kid[0], false);
        return;
    }
    clear(&e);
    clear(&own);
    clear(&writes);
    add_kids(x, n, true, &e);
    access(&own, n->kid[0], false);
    for (unsigned i = 0; i < e.write_count; i++)
        if (may_be(x, n->kid[0]->type, e.writes[i]))
            writes.writes[writes.write_count++] = e.writes[i];
    writes.writes_memory = e.writes_memory;
    e.risky |= may_hit(&writes, &own);
    join(&e, &own);
    join(all, &e);
}

static void add_call(const struct context *x, const struct node *n, struct effects *all)
{
    add_kids(x, n, false, all);
    switch (purity_of_call(x->m, x->u, n)) {
    case 0:
        break;
    case 1:
        all->reads_memory = true;
        break;
    default:
        all->calls = true;
    }
}

static void add_effects(const struct context *x, const struct node *n, struct effects *all)
{
    if (is_dropped(x->u, n))
        return;
    n = edited_node(x->u, n);
    switch (n->kind) {
    case NODE_SIZEOF:
    case NODE_ALIGNOF:
        break;
    case NODE_ASSIGN:
        add_write(x, n, all);
        break;
    case NODE_UNARY:
        if (is_step(n))
            add_write(x, n, all);
        else
            add_kids(x, n, true, all);
        break;
    case NODE_CAST:
        if (n->op == CONV_LVALUE)
            add_read(x, n, all);
        else
            add_kids(x, n, true, all);
        break;
    case NODE_CALL:
        add_call(x, n, all);
        break;
    case NODE_STMT_EXPR:
        all->calls = all->reads_memory = all->writes_memory = all->block = true;
        break;
    case NODE_VA_ARG:
        add_kids(x, n, true, all);
        all->writes_memory = true;
        break;
    case NODE_COND:
        add_kids(x, n, true, all);
        break;
    case NODE_BINARY:
        add_kids(x, n, n->op == OP_COMMA || n->op == OP_LAND || n->op == OP_LOR, all);
        break;
    default:
        add_kids(x, n, false, all);
    }
}

bool compile_may_conflict(struct machine *m, struct unit_state *u, const struct node *n)
{
    const struct context x = {m, u};
    struct effects all;
    clear(&all);
    add_effects(&x, n, &all);
    return all.risky;
}
