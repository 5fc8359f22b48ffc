/* What passes write with. */
#include "reduce/private.h"

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

void pass_drop(struct pass *p, const struct node *n)
{
    pass_replace(p, n, view_stands_free(p->v, n) ? "" : ";");
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
