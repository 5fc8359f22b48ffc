/* Probes: edits that make a program record what runs in it.  Statements and both ways of every
 * condition store a 1 at a place of their own; nothing else of the program changes. */
#include "vary/private.h"

#include <string.h>

struct probing {
    struct vary *v;
    struct decl *array;
    struct vary_probes out;
    size_t edit_room, probe_room;
};

static uint32_t new_probe(struct probing *s, const struct node *n, uint8_t flag)
{
    struct vary_probes *out = &s->out;
    if (out->count == s->probe_room) {
        s->probe_room = s->probe_room ? s->probe_room * 2 : 256;
        out->probes = arena_grow(&s->v->p->arena, out->probes, out->count, s->probe_room,
                                 sizeof *out->probes);
    }
    out->probes[out->count] = (struct vary_probe){.node = n->id, .flag = flag, .like = UINT32_MAX};
    return out->count++;
}

static void add_edit(struct probing *s, enum edit_kind kind, const struct node *n,
                     struct node *with)
{
    struct vary_probes *out = &s->out;
    if (out->edit_count == s->edit_room) {
        s->edit_room = s->edit_room ? s->edit_room * 2 : 256;
        out->edits = arena_grow(&s->v->p->arena, out->edits, out->edit_count, s->edit_room,
                                sizeof *out->edits);
    }
    out->edits[out->edit_count++] = (struct edit){(uint8_t)kind, n->id, with};
}

/* array[i] = 1 */
static struct node *hit(struct probing *s, uint32_t probe)
{
    struct program *p = s->v->p;
    struct type *t = lang_basic(p, TYPE_INT);
    struct node *place = lang_index(p, lang_name(p, s->array), lang_int(p, probe, t));
    return lang_assign(p, OP_ASSIGN, place, lang_int(p, 1, t));
}

static struct node *hit_statement(struct probing *s, uint32_t probe)
{
    struct node *n = hit(s, probe);
    return lang_node(s->v->p, NODE_EXPR_STMT, &n, 1);
}

/* c ? (a[i] = 1, 1) : (a[j] = 1, 0); the owner ran, whichever it was */
static void probe_condition(struct probing *s, struct node *owner, struct node *kid)
{
    struct program *p = s->v->p;
    struct node *c = vary_written(kid);
    struct type *t = lang_basic(p, TYPE_INT);
    uint32_t yes = new_probe(s, kid, VARY_TAKEN), no = new_probe(s, kid, VARY_UNTAKEN);
    if (vary_is_counted(owner))
        s->out.probes[yes].owner = s->out.probes[no].owner = owner->id;
    struct node *a = lang_binary(p, OP_COMMA, hit(s, yes), lang_int(p, 1, t));
    struct node *b = lang_binary(p, OP_COMMA, hit(s, no), lang_int(p, 0, t));
    add_edit(s, EDIT_REPLACE, c, lang_cond(p, vary_twin(s->v, c), a, b));
}

static bool is_probed_condition(const struct probing *s, struct node *kid)
{
    u128 value;
    struct node *c = vary_written(kid);
    return lang_is_scalar(c->type) && !(s->v->place[c->id] & PLACE_CONSTANT) &&
           !lang_constant(s->v->p, c, &value) && (!s->v->p->text || c->end > c->begin);
}

/* The statement in a block behind its probe. */
static void enclose(struct probing *s, struct node *n)
{
    struct node *kids[] = {hit_statement(s, new_probe(s, n, VARY_RAN)), vary_twin(s->v, n)};
    add_edit(s, EDIT_REPLACE, n, vary_block_of(s->v, kids, 2));
}

/* Before a whole declaration, for all of its initialisers; or they count as executed. */
static void probe_declaration(struct probing *s, struct node *n)
{
    const struct node *parent = s->v->parent[n->id];
    bool in_block = parent && parent->kind == NODE_BLOCK && !s->v->sticky[n->id];
    uint32_t shared = UINT32_MAX;
    for (uint32_t i = 0; i < n->count; i++) {
        if (!vary_is_counted(n->kid[i]))
            continue;
        if (in_block && shared == UINT32_MAX) {
            shared = new_probe(s, n->kid[i], VARY_RAN);
            add_edit(s, EDIT_INSERT, n, hit_statement(s, shared));
        } else {
            uint32_t probe = new_probe(s, n->kid[i], VARY_RAN);
            s->out.probes[probe].like = shared;
            s->out.probes[probe].always = !in_block;
        }
    }
}

static void probe_expression_statement(struct probing *s, struct node *n)
{
    struct node *e = vary_written(n->kid[0]);
    bool in_block = s->v->place[n->id] & PLACE_SLOT;
    if (in_block) {
        add_edit(s, EDIT_INSERT, n, hit_statement(s, new_probe(s, n, VARY_RAN)));
    } else if (lang_is_scalar(e->type) || lang_is_kind(e->type, TYPE_VOID)) {
        struct node *with = lang_binary(s->v->p, OP_COMMA, hit(s, new_probe(s, n, VARY_RAN)),
                                        vary_twin(s->v, e));
        add_edit(s, EDIT_REPLACE, e, with);
    } else {
        s->out.probes[new_probe(s, n, VARY_RAN)].always = true;
    }
}

static void probe_statement(struct probing *s, struct node *n)
{
    uint32_t at = vary_condition_index(n);
    if (!vary_is_counted(n))
        return;
    if (n->kind == NODE_EXPR_STMT)
        probe_expression_statement(s, n);
    else if (at < n->count && n->kid[at] && n->kind != NODE_DO &&
             is_probed_condition(s, n->kid[at]))
        return; /* its condition tells */
    else if (s->v->sticky[n->id])
        s->out.probes[new_probe(s, n, VARY_RAN)].always = true;
    else if (s->v->place[n->id] & PLACE_SLOT)
        add_edit(s, EDIT_INSERT, n, hit_statement(s, new_probe(s, n, VARY_RAN)));
    else
        enclose(s, n);
}

static void probe(struct probing *s, struct node *n)
{
    uint32_t at = vary_condition_index(n);
    if (n->kind == NODE_DECL)
        probe_declaration(s, n);
    else if (vary_is_statement(n))
        probe_statement(s, n);
    if (at < n->count && n->kid[at] && !(n->kind == NODE_COND && !n->kid[1]) &&
        is_probed_condition(s, n->kid[at]))
        probe_condition(s, n, n->kid[at]);
    if (n->kind == NODE_BINARY && (n->op == OP_LAND || n->op == OP_LOR) &&
        is_probed_condition(s, n->kid[0]))
        probe_condition(s, n, n->kid[0]);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            probe(s, n->kid[i]);
}

struct vary_probes vary_probes(struct program *p, const char *array)
{
    struct vary_facts *f = vary_facts_new(p);
    struct vary *v = vary_open(p, f);
    struct probing s = {.v = v};
    s.array = vary_fresh_variable(v, lang_pointer(p, lang_basic(p, TYPE_UCHAR)));
    s.array->name = array;
    for (size_t i = 0; i < p->functions.n; i++) {
        struct function *fn = p->functions.at[i];
        if (fn->body && v->function[fn->body->id])
            probe(&s, fn->body);
    }
    struct vary_probes out = s.out;
    v->mark = lang_mark(p); /* the edits stay */
    vary_close(v);
    vary_facts_free(f);
    return out;
}
