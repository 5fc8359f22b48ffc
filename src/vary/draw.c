/* One variant: which mutations, how many, where; and that no two edits get in each other's way. */
#include "vary/private.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    mutate_fn *mutate;
} rows[MUTATION_COUNT] = {
#define MUTATION(id, ...) [MUTATION_##id] = {mutate_##id},
#include "vary/mutation.def"
};

const struct mutation_info vary_mutation_info[MUTATION_COUNT] = {
#define MUTATION(id, name, weight, dialect, help) \
    [MUTATION_##id] = {name, help, weight, DIALECT_##dialect},
#include "vary/mutation.def"
};

static bool fail_unknown(const char *name, int n, struct err *e)
{
    struct text all = {0};
    for (size_t i = 0; i < MUTATION_COUNT; i++)
        text_printf(&all, "%s%s", i ? ", " : "", vary_mutation_info[i].name);
    fail(e, "no mutation is called '%.*s': there are %s", n, name, text_str(&all));
    text_free(&all);
    return false;
}

bool vary_mutations_parse(const char *names, unsigned *bits, struct err *e)
{
    *bits = 0;
    while (*names) {
        size_t n = strcspn(names, ","), i = 0;
        while (i < MUTATION_COUNT && (strlen(vary_mutation_info[i].name) != n ||
                                      strncmp(vary_mutation_info[i].name, names, n) != 0))
            i++;
        if (i == MUTATION_COUNT)
            return fail_unknown(names, (int)n, e);
        *bits |= 1u << i;
        names += n + (names[n] == ',');
    }
    return *bits || fail(e, "no mutation is named");
}

/* ---- opening ---------------------------------------------------------------------------- */

struct vary *vary_open(struct program *p, const struct vary_facts *f)
{
    struct vary *v = calloc(1, sizeof *v);
    if (!v)
        BUG("out of memory");
    v->p = p;
    v->f = f;
    v->node_count = f->node_count;
    v->decl_count = (uint32_t)p->decls.n;
    v->parent = NEW_ARRAY(&v->arena, v->node_count, struct node *);
    v->seq = NEW_ARRAY(&v->arena, v->node_count, uint32_t);
    v->end = NEW_ARRAY(&v->arena, v->node_count, uint32_t);
    v->place = NEW_ARRAY(&v->arena, v->node_count, uint8_t);
    v->sticky = NEW_ARRAY(&v->arena, v->node_count, bool);
    v->taken = NEW_ARRAY(&v->arena, v->node_count, uint8_t);
    v->function = NEW_ARRAY(&v->arena, v->node_count, struct function *);
    v->scope = NEW_ARRAY(&v->arena, v->node_count, const struct scope *);
    v->declared = NEW_ARRAY(&v->arena, v->decl_count, uint32_t);
    v->decl_state = NEW_ARRAY(&v->arena, v->decl_count, uint8_t);
    vary_walk_program(v);
    vary_find_points(v);
    v->own_names = v->fresh = vary_greatest_number(p);
    v->mark = lang_mark(p);
    return v;
}

void vary_close(struct vary *v)
{
    if (!v)
        return;
    vary_forget(v);
    arena_free(&v->draw_arena);
    arena_free(&v->arena);
    free(v);
}

struct vary_summary vary_summary(const struct vary *v)
{
    return v->summary;
}

unsigned vary_count(uint64_t seed)
{
    struct rng root = rng_seed(seed), r = rng_fork(&root, "count");
    return 1 + (unsigned)rng_below(&r, 15);
}

/* ---- edits ------------------------------------------------------------------------------ */

static void add_edit(struct draw *d, struct edit edit, enum mutation why)
{
    if (d->count == d->room) {
        d->room = d->room ? d->room * 2 : 32;
        d->edits = arena_grow(&d->v->draw_arena, d->edits, d->count, d->room, sizeof *d->edits);
        d->groups = arena_grow(&d->v->draw_arena, d->groups, d->count, d->room, sizeof *d->groups);
    }
    if (!d->together)
        d->group_count++;
    d->groups[d->count] = d->group_count - 1;
    d->edits[d->count++] = edit;
    d->made[why]++;
}

static void take(struct draw *d, const struct node *n, uint8_t how)
{
    struct vary *v = d->v;
    if (!v->taken[n->id])
        list_add(&v->draw_arena, &v->touched, (void *)(uintptr_t)n->id);
    v->taken[n->id] |= how;
}

bool draw_is_shown(const struct draw *d, const struct node *n)
{
    for (; n; n = d->v->parent[n->id])
        if (d->v->taken[n->id] & TAKEN_GONE)
            return false;
    return true;
}

bool draw_is_open(const struct draw *d, const struct node *n)
{
    return !(d->v->taken[n->id] & TAKEN_CHANGED) && draw_is_shown(d, n);
}

bool draw_is_whole(const struct draw *d, const struct node *n)
{
    if (d->v->taken[n->id])
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !draw_is_whole(d, n->kid[i]))
            return false;
    return true;
}

void draw_hide(struct draw *d, const struct node *n)
{
    take(d, n, TAKEN_GONE);
}

void draw_drop(struct draw *d, struct node *n, enum mutation why)
{
    add_edit(d, (struct edit){.kind = EDIT_DROP, .node = n->id}, why);
    take(d, n, TAKEN_CHANGED | TAKEN_GONE);
}

void draw_replace(struct draw *d, struct node *n, struct node *with, enum mutation why)
{
    add_edit(d, (struct edit){EDIT_REPLACE, n->id, with}, why);
    take(d, n, TAKEN_CHANGED | TAKEN_GONE);
}

void draw_enclose(struct draw *d, struct node *n, struct node *with, enum mutation why)
{
    add_edit(d, (struct edit){EDIT_REPLACE, n->id, with}, why);
    take(d, n, TAKEN_CHANGED);
}

void draw_insert(struct draw *d, struct node *before, struct node *what, enum mutation why)
{
    add_edit(d, (struct edit){EDIT_INSERT, before->id, what}, why);
    take(d, before, TAKEN_BEFORE);
}

struct node *draw_open_node(struct draw *d, const struct list *l)
{
    for (unsigned i = 0; i < 8 && l->n; i++) {
        struct node *n = l->at[rng_below(&d->rng, l->n)];
        if (draw_is_open(d, n))
            return n;
    }
    return NULL;
}

/* ---- drawing ---------------------------------------------------------------------------- */

/* How much is done in one go: a large program bears more. */
static unsigned most_strength(const struct vary *v)
{
    enum { SMALL = 60, MOST = 12 };
    unsigned n = 1 + v->summary.statements / SMALL;
    return n < 2 ? 2 : n > MOST ? MOST : n;
}

static void mutate(struct draw *d, struct rng *r, enum mutation m, unsigned round)
{
    d->rng = rng_fork_at(r, vary_mutation_info[m].name, round);
    rows[m].mutate(d, d->few ? 1 : 1 + (unsigned)rng_below(&d->rng, most_strength(d->v)));
}

/* What nothing came of gets every mutation in turn, from a random one on. */
static void draw_any(struct draw *d, struct rng *r, unsigned enabled)
{
    struct rng start = rng_fork(r, "start");
    unsigned first = (unsigned)rng_below(&start, MUTATION_COUNT);
    for (unsigned i = 0; i < 2 * MUTATION_COUNT && !d->count; i++) {
        unsigned m = (first + i) % MUTATION_COUNT;
        if (enabled >> m & 1)
            mutate(d, r, (enum mutation)m, 1000 + i);
    }
}

/* Code behind a condition that the compiler cannot see through is what changes the code that it
 * makes: dead statements alone are often seen to be dead anyway, and in a small program so is what
 * the facts say. */
static void draw_guards(struct draw *d, struct rng *r, unsigned enabled)
{
    struct rng opaque = rng_fork(r, "opaque");
    if (enabled >> MUTATION_GUARD & 1)
        mutate(d, r, MUTATION_GUARD, 2000);
    if (enabled >> MUTATION_OPAQUE & 1 && (!d->made[MUTATION_GUARD] || rng_chance(&opaque, 80)))
        mutate(d, r, MUTATION_OPAQUE, 2001);
}

/* Many edits.  Each variant has a mix of its own: some mutations often, some never (as swarm
 * testing does). */
static void draw_mix(struct draw *d, struct rng *r, unsigned enabled)
{
    unsigned weights[MUTATION_COUNT], sum = 0;
    struct rng mix = rng_fork(r, "mix");
    for (unsigned i = 0; i < MUTATION_COUNT; i++) {
        bool on = enabled >> i & 1 && rng_chance(&mix, 60);
        weights[i] = on ? vary_mutation_info[i].weight : 0;
        sum += weights[i];
    }
    unsigned rounds = 2 + (unsigned)rng_below(&mix, 7);
    for (unsigned i = 0; i < rounds && sum; i++)
        mutate(d, r, (enum mutation)rng_weighted(&mix, weights, MUTATION_COUNT), i);
    draw_guards(d, r, enabled);
}

enum { FEW = 3, FEW_TRIES = 8, CHANGING_SHARE = 95 };

/* One edit of a kind that changes the code: a condition that the compiler cannot see through, or,
 * less surely, one that the facts decide. */
static void draw_changing(struct draw *d, struct rng *r, struct rng *few, unsigned enabled)
{
    enum mutation kinds[] = {MUTATION_OPAQUE, MUTATION_GUARD};
    size_t first = rng_chance(few, 25);
    for (size_t i = 0; i < LENGTH(kinds) && !d->group_count; i++) {
        enum mutation m = kinds[(first + i) % LENGTH(kinds)];
        if (enabled >> m & 1)
            mutate(d, r, m, 3000 + (unsigned)i);
    }
}

/* One to three edits: whatever the program shows already, most of these show it still.  The first
 * is nearly always of a kind that changes the code. */
static void draw_few(struct draw *d, struct rng *r, unsigned enabled)
{
    unsigned weights[MUTATION_COUNT], sum = 0;
    struct rng few = rng_fork(r, "few");
    unsigned wanted = 1 + (unsigned)rng_below(&few, FEW);
    for (unsigned i = 0; i < MUTATION_COUNT; i++) {
        weights[i] = enabled >> i & 1 ? vary_mutation_info[i].weight : 0;
        sum += weights[i];
    }
    if (rng_chance(&few, CHANGING_SHARE))
        draw_changing(d, r, &few, enabled);
    for (unsigned i = 0; i < FEW_TRIES && sum && d->group_count < wanted; i++)
        mutate(d, r, (enum mutation)rng_weighted(&few, weights, MUTATION_COUNT), i);
}

static unsigned enabled_by(const struct vary_options *o)
{
    unsigned enabled = 0;
    for (unsigned i = 0; i < MUTATION_COUNT; i++)
        if ((!o->mutations || o->mutations >> i & 1) &&
            (o->gnu || vary_mutation_info[i].dialect == DIALECT_C99))
            enabled |= 1u << i;
    return enabled;
}

struct vary_variant vary_draw(struct vary *v, uint64_t seed, const struct vary_options *o)
{
    static const struct vary_options none;
    struct vary_variant out = {0};
    struct rng root = rng_seed(seed), r = rng_fork(&root, "variant");
    struct draw d = {.v = v, .options = o ? o : &none, .made = out.made};
    unsigned enabled = enabled_by(d.options);
    struct rng size = rng_fork(&r, "size");
    vary_forget(v);
    if (enabled == 1u << MUTATION_PRUNE) { /* Orion itself: one pass, whatever comes of it */
        mutate(&d, &r, MUTATION_PRUNE, 0);
    } else {
        d.few = rng_chance(&size, 50);
        (d.few ? draw_few : draw_mix)(&d, &r, enabled);
        draw_any(&d, &r, enabled);
    }
    out.edits = d.edits;
    out.count = d.count;
    out.groups = d.groups;
    out.group_count = d.group_count;
    return out;
}

void vary_forget(struct vary *v)
{
    for (size_t i = 0; i < v->touched.n; i++)
        v->taken[(uintptr_t)v->touched.at[i]] = 0;
    v->touched = (struct list){0};
    v->fresh = v->own_names;
    lang_release(v->p, v->mark);
    arena_reset(&v->draw_arena);
}
