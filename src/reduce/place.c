/* Passes on where things are declared: locals at file scope and globals in a block, beside another
 * declaration of the same type; structures where they are first used; tags that nothing needs. */
#include "reduce/private.h"

#include <string.h>

/* ---- variables in other places ---------------------------------------------------------- */

/* The declarators of a declaration as text, without their initialisers if so wanted. */
static const char *declarators(struct pass *p, const struct node *decl, bool bare)
{
    struct text out = {0};
    const struct tokens *t = &p->v->tokens;
    for (uint32_t i = 0; i < decl->count; i++) {
        const struct node *d = decl->kid[i];
        uint32_t end = d->end;
        for (uint32_t k = tokens_at(t, d->begin); bare && k < t->n && t->at[k].begin < d->end; k++)
            if (token_is(p->v->text, &t->at[k], "=")) {
                end = t->at[k - 1].end;
                break;
            }
        uint32_t begin = i ? d->begin : pass_specifiers_end(p, decl);
        text_puts(&out, ", ");
        text_add(&out, p->v->text + begin, end - begin);
    }
    const char *copy = arena_string(&p->h->arena, text_str(&out));
    text_free(&out);
    return copy;
}

static void offer_move(struct pass *p, const struct node *from, const struct node *to, bool bare)
{
    pass_begin(p);
    pass_drop(p, from);
    pass_patch(p, to->end - 1, to->end - 1, declarators(p, from, bare));
    pass_end(p);
}

static bool is_of_variables(const struct node *n)
{
    return n->kind == NODE_DECL && n->count && n->begin < n->end &&
           n->kid[0]->kind == NODE_DECLARATOR && n->kid[0]->u.declarator->decl->kind == DECL_VAR;
}

/* A declaration in a block to one at file scope, and the other way round. */
void pass_PLACES(struct pass *p)
{
    const struct node *unit = p->v->p->unit;
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *local = p->v->order.at[i];
        const struct node *up = p->v->parent[local->id];
        if (!is_of_variables(local) || !up || up->kind != NODE_BLOCK)
            continue;
        for (uint32_t k = 0; k < unit->count; k++) {
            const struct node *global = unit->kid[k];
            if (!is_of_variables(global) || !pass_same_specifiers(p, local, global))
                continue;
            offer_move(p, local, global, false);
            offer_move(p, local, global, true);
            offer_move(p, global, local, false);
            break;
        }
    }
}

/* ---- structures and their tags ---------------------------------------------------------- */

static bool opens_body(const struct pass *p, uint32_t i)
{
    const struct tokens *t = &p->v->tokens;
    return i + 2 < t->n && t->at[i + 1].kind == TOKEN_WORD &&
           token_is(p->v->text, &t->at[i + 2], "{") && t->at[i + 2].match > i + 2 &&
           (token_is(p->v->text, &t->at[i], "struct") || token_is(p->v->text, &t->at[i], "union") ||
            token_is(p->v->text, &t->at[i], "enum"));
}

/* The last token of the structure whose body opens at `i`, its attributes included. */
static uint32_t body_end(const struct pass *p, uint32_t i)
{
    const struct tokens *t = &p->v->tokens;
    uint32_t end = t->at[i + 2].match;
    while (end + 2 < t->n && token_is(p->v->text, &t->at[end + 1], "__attribute__") &&
           t->at[end + 2].match > end + 2)
        end = t->at[end + 2].match;
    return end;
}

/* Where the tag of the keyword at `i` stands again; t->n when it does not. */
static uint32_t next_mention(const struct pass *p, uint32_t i, uint32_t from)
{
    const struct tokens *t = &p->v->tokens;
    const char *word = p->v->text + t->at[i + 1].begin;
    uint32_t n = t->at[i + 1].end - t->at[i + 1].begin;
    for (; from + 1 < t->n; from++)
        if (from != i && t->at[from + 1].end - t->at[from + 1].begin == n &&
            memcmp(p->v->text + t->at[from + 1].begin, word, n) == 0 &&
            (token_is(p->v->text, &t->at[from], "struct") ||
             token_is(p->v->text, &t->at[from], "union") ||
             token_is(p->v->text, &t->at[from], "enum")))
            return from;
    return t->n;
}

/* `struct s {...};` moves to the first `struct s` behind it; a tag without another mention goes. */
void pass_TAGS(struct pass *p)
{
    const struct tokens *t = &p->v->tokens;
    for (uint32_t i = 0; i < t->n; i++) {
        if (!opens_body(p, i))
            continue;
        uint32_t close = body_end(p, i), again = next_mention(p, i, close + 1);
        bool alone = close + 1 < t->n && token_is(p->v->text, &t->at[close + 1], ";");
        pass_begin(p);
        if (again < t->n && alone) {
            pass_patch(p, t->at[i].begin, t->at[close + 1].end, "");
            pass_patch(p, t->at[again].begin, t->at[again + 1].end,
                       view_source(p->v, &p->h->arena, t->at[i].begin, t->at[close].end));
        } else if (next_mention(p, i, 0) == t->n && p->s->count == 1) {
            /* in several units it is the same type by its tag: C11 6.2.7p1 */
            pass_patch(p, t->at[i + 1].begin, t->at[i + 1].end, "");
        }
        pass_end(p);
    }
}

/* The structure whose body opens at `i` by the one at `other`: its definition goes. */
static void offer_alike(struct pass *p, uint32_t i, uint32_t other)
{
    const struct tokens *t = &p->v->tokens;
    const char *instead = view_source(p->v, &p->h->arena, t->at[other].begin, t->at[other + 1].end);
    uint32_t close = body_end(p, i);
    bool alone = close + 1 < t->n && token_is(p->v->text, &t->at[close + 1], ";");
    pass_begin(p);
    pass_patch(p, t->at[i].begin, t->at[close + alone].end, alone ? "" : instead);
    for (uint32_t k = next_mention(p, i, 0); k < t->n; k = next_mention(p, i, k + 1))
        pass_patch(p, t->at[k].begin, t->at[k + 1].end, instead);
    pass_end(p);
}

/* A structure by one that was defined before it, which may have the members that matter. */
void pass_ALIKE(struct pass *p)
{
    enum { MOST = 8 };
    const struct tokens *t = &p->v->tokens;
    uint32_t before[MOST], n = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        if (!opens_body(p, i) || token_is(p->v->text, &t->at[i], "enum"))
            continue;
        for (uint32_t k = n < MOST ? n : MOST; k-- > 0;)
            offer_alike(p, i, before[k]);
        before[n++ % MOST] = i;
    }
}
