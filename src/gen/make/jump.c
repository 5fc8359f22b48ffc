/* goto: over a block, back, into a loop at two places, and to a label that was computed. */
#include "gen/build.h"
#include "gen/make/private.h"

struct label *make_label(struct gen *g, struct region *r, struct node *statement)
{
    struct label *l = NEW(&g->p->arena, struct label);
    l->name = arena_printf(&g->p->arena, "L%u", g->names[7]++);
    l->index = (uint32_t)r->fn->function->labels.n;
    l->node = lang_node(g->p, NODE_LABEL, &statement, 1);
    l->node->u.label = l;
    list_add(&g->p->arena, &r->fn->function->labels, l);
    return l;
}

static struct node *jump(struct gen *g, struct node *test, struct label *to)
{
    struct node *n = lang_node(g->p, NODE_GOTO, NULL, 0);
    n->u.label = to;
    struct node *kids[3] = {lang_condition(g->p, test), n, NULL};
    return lang_node(g->p, NODE_IF, kids, 3);
}

static struct node *pure_condition(struct gen *g, struct region *r)
{
    struct ctx c = make_ctx_start(g, r);
    c.pure = true;
    c.calls = 0;
    return make_expr_condition(g, &c).n;
}

/* Over a block, or back while a counter lasts. */
bool make_stmt_jump(struct gen *g, struct region *r)
{
    uint32_t at = r->block->count;
    if (rng_below(&r->rng, 2)) {
        struct label *l = make_label(g, r, lang_node(g->p, NODE_EMPTY, NULL, 0));
        make_attach(g, r, jump(g, pure_condition(g, r), l));
        make_attach(g, r, make_block(g, r, NULL));
        make_attach(g, r, l->node);
        return make_walk_from(r, at);
    }
    uint32_t trips = make_trips(g, r);
    struct var *v = make_declared_counter(g, r, trips);
    struct label *l = make_label(g, r, make_body(g, r, NULL, NULL, trips));
    gen_region_of(g, l->node->kid[0])->loop = r->loop;
    gen_region_of(g, l->node->kid[0])->exit = r->exit;
    make_attach(g, r, l->node);
    make_attach(g, r, jump(g, make_countdown(g, r, build_name(g, v), OP_PREDEC), l));
    return make_walk_from(r, at);
}

/* if (c) goto b; a: {} b: {} if (--n > 0) goto a; has two ways into the loop. */
bool make_stmt_tangle(struct gen *g, struct region *r)
{
    uint32_t at = r->block->count, trips = make_trips(g, r);
    struct var *v = make_declared_counter(g, r, trips);
    struct label *a = make_label(g, r, make_body(g, r, NULL, NULL, trips));
    struct label *b = make_label(g, r, make_body(g, r, NULL, NULL, trips));
    for (int i = 0; i < 2; i++) {
        struct region *body = gen_region_of(g, (i ? a : b)->node->kid[0]);
        body->loop = r->loop;
        body->exit = r->exit;
    }
    make_attach(g, r, jump(g, pure_condition(g, r), b));
    make_attach(g, r, a->node);
    make_attach(g, r, b->node);
    make_attach(g, r, jump(g, make_countdown(g, r, build_name(g, v), OP_PREDEC), a));
    return make_walk_from(r, at);
}

/* ---- computed goto ---------------------------------------------------------------------- */

static struct node *label_address(struct gen *g, struct label *l)
{
    struct node *n = lang_node(g->p, NODE_LABEL_ADDR, NULL, 0);
    n->u.label = l;
    n->type = lang_pointer(g->p, lang_basic(g->p, TYPE_VOID));
    l->address_taken = true;
    return n;
}

/* void *t[] = {&&a, &&b}; goto *t[e & 1]; a: {} b: {} */
bool make_stmt_computed(struct gen *g, struct region *r)
{
    if (r->nesting || r->fn->decl->inline_) /* no goto leads into another block */
        return false;
    uint32_t at = r->block->count;
    uint64_t count = rng_below(&r->rng, 2) ? 2 : 4;
    struct type *pointer = lang_pointer(g->p, lang_basic(g->p, TYPE_VOID));
    struct var *v = make_local(g, r, lang_array(g->p, pointer, count), gen_new_name(g, 't'));
    struct node *list = lang_node(g->p, NODE_INIT, NULL, 0);
    struct label *labels[4];
    for (uint64_t i = 0; i < count; i++) {
        labels[i] = make_label(g, r, make_block(g, r, NULL));
        lang_append(g->p, list, label_address(g, labels[i]));
    }
    struct ctx c = make_pure(g, r, 2);
    struct node *index = lang_binary(g->p, OP_AND, make_expr_varying(g, &c).n,
                                     build_int(g, count - 1));
    make_attach(g, r, lang_declare(g->p, v->decl, list));
    struct node *target = lang_rvalue(g->p, lang_index(g->p, lang_name(g->p, v->decl), index));
    make_attach(g, r, lang_node(g->p, NODE_GOTO_VALUE, &target, 1));
    r->fn->function->computed_goto = true;
    for (uint64_t i = 0; i < count; i++)
        make_attach(g, r, labels[i]->node);
    return make_walk_from(r, at);
}
