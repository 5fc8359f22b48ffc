/* What passes write with. */
#include "reduce/private.h"

#include <string.h>

void pass_begin(struct pass *p)
{
    hints_begin(p->h);
}

void pass_end(struct pass *p)
{
    hints_end(p->h);
}

void pass_patch(struct pass *p, uint32_t begin, uint32_t end, const char *text)
{
    hints_patch(p->h, p->v->unit, begin, end, text);
}

void pass_replace(struct pass *p, const struct node *n, const char *text)
{
    if (n->begin < n->end)
        pass_patch(p, n->begin, n->end, text);
}

static bool is_inside(const struct node *n, const struct node *outer)
{
    return outer->begin <= n->begin && n->end <= outer->end;
}

/* The labels inside of it that are named outside. */
static const char *labels_of(struct pass *p, const struct node *n)
{
    const char *labels = "";
    const struct label *last = NULL;
    for (size_t i = 0; i < p->v->jumps.n; i++) {
        const struct node *jump = p->v->jumps.at[i];
        const struct label *l = jump->u.label;
        if (!l->node || l == last || !is_inside(l->node, n) || is_inside(jump, n))
            continue;
        labels = arena_printf(&p->h->arena, "%s%s:;", labels, l->name);
        last = l;
    }
    return labels;
}

void pass_drop(struct pass *p, const struct node *n)
{
    const char *labels = view_is_stmt(n) ? labels_of(p, n) : "";
    pass_replace(p, n, *labels || view_stands_free(p->v, n) ? labels : ";");
}

void pass_offer(struct pass *p, const struct node *n, const char *text)
{
    pass_begin(p);
    pass_replace(p, n, text);
    pass_end(p);
}

void pass_offer_drop(struct pass *p, const struct node *n)
{
    pass_begin(p);
    pass_drop(p, n);
    pass_end(p);
}

void pass_drop_function(struct pass *p, const struct decl *d)
{
    for (size_t i = 0; i < p->v->places[d->id].n; i++) {
        const struct node *n = p->v->places[d->id].at[i];
        pass_drop(p, p->v->parent[n->id]);
    }
}

void pass_drop_listed(struct pass *p, uint32_t begin, uint32_t end)
{
    const struct tokens *t = &p->v->tokens;
    uint32_t first = tokens_at(t, begin), next = tokens_at(t, end);
    if (next < t->n && token_is(p->v->text, &t->at[next], ","))
        pass_patch(p, begin, t->at[next].end, "");
    else if (first > 0 && token_is(p->v->text, &t->at[first - 1], ","))
        pass_patch(p, t->at[first - 1].begin, end, "");
    else
        pass_patch(p, begin, end, "");
}

/* What may stand between the specifiers, or a comma, and a declarator's name. */
static bool leads_declarator(const struct pass *p, const struct token *t)
{
    static const char *const words[] = {"*", "const", "volatile", "restrict", "__restrict"};
    for (size_t i = 0; i < LENGTH(words); i++)
        if (token_is(p->v->text, t, words[i]))
            return true;
    return false;
}

void pass_drop_declarator(struct pass *p, const struct node *n)
{
    const struct tokens *t = &p->v->tokens;
    uint32_t first = tokens_at(t, n->begin), least = tokens_at(t, p->v->parent[n->id]->begin) + 1;
    while (first > least && leads_declarator(p, &t->at[first - 1]))
        first--;
    pass_drop_listed(p, t->at[first].begin, n->end);
}

void pass_lift(struct pass *p, const struct node *n, const struct node *inner, const char *open,
               const char *close)
{
    pass_patch(p, n->begin, inner->begin, open);
    pass_patch(p, inner->end, n->end, close);
}

bool pass_list_part(const struct pass *p, uint32_t open, uint32_t index, uint32_t *begin,
                    uint32_t *end)
{
    const struct tokens *t = &p->v->tokens;
    uint32_t close = t->at[open].match, at = open + 1, count = 0;
    if (close <= open + 1)
        return false;
    for (uint32_t i = at; i <= close; i++) {
        bool ends = i == close || token_is(p->v->text, &t->at[i], ",");
        if (ends && count == index) {
            *begin = t->at[at].begin;
            *end = t->at[i - 1].end;
            return i > at;
        }
        if (ends) {
            count++;
            at = i + 1;
        }
        if (i < close && t->at[i].match > i)
            i = t->at[i].match;
    }
    return false;
}

/* The token behind the specifiers. */
static uint32_t specifiers_end(const struct pass *p, const struct node *decl)
{
    const struct tokens *t = &p->v->tokens;
    uint32_t i = tokens_at(t, decl->begin);
    while (t->at[i].begin < decl->kid[0]->begin && !token_is(p->v->text, &t->at[i], "*") &&
           !token_is(p->v->text, &t->at[i], "("))
        i++;
    return i;
}

bool pass_same_specifiers(const struct pass *p, const struct node *a, const struct node *b)
{
    const struct tokens *t = &p->v->tokens;
    uint32_t i = tokens_at(t, a->begin), k = tokens_at(t, b->begin);
    uint32_t end_a = specifiers_end(p, a), end_b = specifiers_end(p, b);
    if (end_a - i != end_b - k)
        return false;
    for (; i < end_a; i++, k++) {
        uint32_t n = t->at[i].end - t->at[i].begin;
        if (n != t->at[k].end - t->at[k].begin ||
            memcmp(p->v->text + t->at[i].begin, p->v->text + t->at[k].begin, n) != 0)
            return false;
    }
    return true;
}

uint32_t pass_specifiers_end(const struct pass *p, const struct node *decl)
{
    return p->v->tokens.at[specifiers_end(p, decl)].begin;
}
