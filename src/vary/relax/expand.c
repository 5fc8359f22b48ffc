/* Where the machine cannot run a program as it is: wrappers put in place, so that anybody's facts
 * tell which way each check went; what such facts allow; and checks that are undefined themselves.
 */
#include "vary/relax/private.h"

/* ---- in place ----------------------------------------------------------------------------- */

struct edit *relax_expand(struct arena *a, struct vary *v, size_t *n)
{
    struct list sites = {0};
    relax_find_sites(v, a, &sites);
    struct edit *edits = NEW_ARRAY(a, sites.n + 1, struct edit);
    *n = 0;
    for (size_t i = 0; i < sites.n; i++) {
        const struct site *s = sites.at[i];
        if (s->kind != SITE_BLOCK)
            edits[(*n)++] = (struct edit){EDIT_REPLACE, s->node->id, relax_macro(v, s, NULL)};
    }
    return edits;
}

/* ---- by facts ----------------------------------------------------------------------------- */

/* Reads which way the check went; false when nobody looked. */
static bool read_facts(const struct vary *v, struct site *s)
{
    if (!s->check)
        return true;
    const struct node *n = s->check->kid[0];
    while (!(v->f->flags[n->id] & VARY_WAYS) && n->kind == NODE_CAST && n->flags & NODE_IMPLICIT)
        n = n->kid[0];
    uint8_t flags = v->f->flags[n->id];
    s->ran = flags & (VARY_TAKEN | VARY_UNTAKEN);
    s->fired = !relax_learn_way(&s->way, flags & VARY_TAKEN, flags & VARY_UNTAKEN);
    return flags & VARY_WAYS;
}

/* Nothing that is evaluated for it can be seen by what stands beside it. */
static bool is_quiet(const struct site *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (!vary_is_pure(s->bindings[i].value))
            return false;
    return true;
}

static void count_by_facts(struct relax_counts *c, const struct site *s)
{
    struct relax_share *share = !s->check ? &c->plain : s->ran ? &c->ran : &c->dead;
    share->all++;
    share->removed += s->removed;
    c->needed += s->fired;
}

void relax_by_facts(struct arena *a, struct vary *v, const struct relax_plan *plan,
                    struct relax_result *out)
{
    struct relax_request request = {.vary = v, .plan = *plan};
    struct relaxing r = {.v = v, .arena = a, .request = &request, .out = out};
    struct list sites = {0};
    *out = (struct relax_result){.at_once = true};
    relax_find_sites(v, a, &sites);
    for (size_t i = 0; i < sites.n; i++) {
        struct site *s = sites.at[i];
        bool known = read_facts(v, s);
        bool dead = s->check && known && !s->ran;
        s->removed = known && !s->fired && (dead || is_quiet(s)) && !plan->keep_checks;
        struct node *with = s->removed                      ? relax_raw(v, s)
                            : plan->form == RELAX_FUNCTIONS ? relax_function(&r, s)
                                                            : NULL;
        if (with)
            relax_add_edit(relax_change(&r, &r.settled), EDIT_REPLACE, s->node, with);
        count_by_facts(&out->counts, s);
    }
    relax_yield(&r, r.settled.n);
}

/* ---- checks that are undefined themselves ------------------------------------------------- */

/* Csmith's macros write the least number as 1 << 31, which C11 6.5.7p4 leaves undefined and every
 * compiler understands. */
static bool is_least_number(const struct program *p, const struct node *n, u128 *value)
{
    u128 left, right;
    return n->kind == NODE_BINARY && n->op == OP_SHL && lang_is_integer(n->type) &&
           lang_int_signed(p, n->type) && lang_constant(p, n->kid[0], &left) && left == 1 &&
           lang_constant(p, n->kid[1], &right) && right + 1 == lang_int_width(p, n->type) &&
           lang_constant(p, n, value);
}

struct mending {
    struct program *p;
    struct arena *a;
    struct list nodes;
};

static void find_least_numbers(struct mending *m, struct node *n)
{
    u128 value;
    if (is_least_number(m->p, n, &value))
        list_add(m->a, &m->nodes, n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            find_least_numbers(m, n->kid[i]);
}

static void find_checks(struct mending *m, struct node *n)
{
    struct site s;
    if (relax_is_site(n, &s) && s.check && s.kind != SITE_CALL)
        find_least_numbers(m, s.check->kid[0]);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            find_checks(m, n->kid[i]);
}

struct edit *relax_mend(struct arena *a, struct program *p, size_t *n)
{
    struct mending m = {.p = p, .a = a};
    for (size_t i = 0; i < p->functions.n; i++) {
        const struct function *f = p->functions.at[i];
        if (f->body)
            find_checks(&m, f->body);
    }
    struct edit *edits = NEW_ARRAY(a, m.nodes.n + 1, struct edit);
    *n = m.nodes.n;
    for (size_t i = 0; i < m.nodes.n; i++) {
        const struct node *at = m.nodes.at[i];
        u128 value = 0;
        lang_constant(p, at, &value);
        edits[i] = (struct edit){EDIT_REPLACE, at->id, lang_int(p, value, at->type)};
    }
    return edits;
}
