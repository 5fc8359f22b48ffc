/* What never ran, and what may be edited.  Takes a function and the facts, fills in enum node_place
 * of each of its nodes.
 *
 * A statement is dead when neither it nor anything below it ran.  The second half is what makes
 * up for counts of lines: gcov calls `for (;; step)` unexecuted when only the step was not, though
 * its body ran. */
#include "vary/private.h"

#include <string.h>

/* ---- dead ------------------------------------------------------------------------------- */

struct below {
    bool counted, ran;
};

static struct below look_below(struct vary *v, struct node *n)
{
    struct below b = {0};
    for (uint32_t i = 0; i < n->count; i++) {
        if (!n->kid[i])
            continue;
        struct below kid = look_below(v, n->kid[i]);
        b.counted |= kid.counted;
        b.ran |= kid.ran;
    }
    if (n->kind == NODE_DECLARATOR && n->type->canon->flags & TYPE_VARIABLE)
        b.ran = true; /* for all we know: its length may have been computed */
    if (vary_is_counted(n)) {
        b.counted = true;
        b.ran |= (v->f->flags[n->id] & VARY_RAN) != 0;
    }
    /* what is entered at its top runs its first counted statement; what is jumped into may not */
    if (vary_is_statement(n) && b.counted && !b.ran && !(v->place[n->id] & PLACE_ENTERED))
        v->place[n->id] |= PLACE_DEAD;
    return b;
}

/* What stands in something dead is dead, whether it can be counted or not. */
static void spread_dead(struct vary *v, struct node *n, bool dead)
{
    dead |= (v->place[n->id] & PLACE_DEAD) != 0;
    if (dead)
        v->place[n->id] |= PLACE_DEAD;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            spread_dead(v, n->kid[i], dead);
}

/* ---- what depends on what ----------------------------------------------------------------- */

/* A label or case: it cannot be taken away from who names it, and control may come from there. */
static void tie_entry(struct vary *v, struct node *n, const struct node *until)
{
    for (; n && n != until; n = v->parent[n->id])
        v->place[n->id] = (uint8_t)((v->place[n->id] & ~PLACE_LOOSE) | PLACE_ENTERED);
}

/* Nothing from n up to below `until` can be taken away. */
static void tie(struct vary *v, struct node *n, const struct node *until)
{
    for (; n && n != until; n = v->parent[n->id])
        v->place[n->id] &= (uint8_t)~PLACE_LOOSE;
}

/* A label is needed by who jumps to it, who takes its address, and its __label__. */
struct references {
    uint32_t first, last; /* seq */
};

static void note_reference(struct references *r, uint32_t seq)
{
    r->first = seq < r->first ? seq : r->first;
    r->last = seq > r->last ? seq : r->last;
}

static void note_references(struct vary *v, const struct node *n, struct references *of,
                            size_t count)
{
    if (n->kind == NODE_GOTO || n->kind == NODE_LABEL_ADDR) {
        if (n->u.label->index < count)
            note_reference(&of[n->u.label->index], v->seq[n->id]);
    } else if (n->kind == NODE_LOCAL_LABELS) {
        for (size_t i = 0; i < count; i++)
            note_reference(&of[i], v->seq[n->id]);
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            note_references(v, n->kid[i], of, count);
}

static void tie_labels(struct vary *v, const struct function *f)
{
    size_t count = f->labels.n;
    if (!count)
        return;
    struct references *of = NEW_ARRAY(&v->arena, count, struct references);
    for (size_t i = 0; i < count; i++)
        of[i] = (struct references){UINT32_MAX, 0};
    note_references(v, f->body, of, count);
    for (size_t i = 0; i < count; i++) {
        const struct label *label = f->labels.at[i];
        if (!label->node || label->node->id >= v->node_count)
            continue;
        if (f->has_asm) { /* asm goto names labels in its text */
            tie_entry(v, label->node, NULL);
            continue;
        }
        if (of[i].first > of[i].last)
            continue; /* nobody */
        struct node *n = label->node;
        while (n && !(v->seq[n->id] <= of[i].first && of[i].last < v->end[n->id])) {
            tie_entry(v, n, v->parent[n->id]);
            n = v->parent[n->id];
        }
    }
}

static bool defines_type(const struct type *t)
{
    for (; t; t = t->base) {
        if (t->kind == TYPE_DEFINITION || t->kind == TYPE_TYPEOF)
            return true;
        if (t->canon == t && t->kind != TYPE_POINTER && t->kind != TYPE_ARRAY)
            return false;
    }
    return false;
}

static bool has_written_type(const struct node *n)
{
    return n->kind == NODE_SIZEOF || n->kind == NODE_ALIGNOF || n->kind == NODE_VA_ARG ||
           n->kind == NODE_BIT_CAST || (n->kind == NODE_CAST && !(n->flags & NODE_IMPLICIT));
}

/* The value of a block in parentheses: nothing is put in its place, or before or behind it. */
static void tie_value(struct vary *v, const struct node *block)
{
    for (uint32_t i = lang_value_index(block); i < block->count; i++)
        for (const struct node *n = block->kid[i]; n; n = n->kind == NODE_LABEL ? n->kid[0] : NULL)
            v->place[n->id] &= (uint8_t) ~(PLACE_LOOSE | PLACE_SLOT);
    v->place[block->id] &= (uint8_t)~PLACE_LOOSE;
}

static void tie_one(struct vary *v, struct node *n)
{
    switch (n->kind) {
    case NODE_CASE:
        tie_entry(v, n, n->u.case_->target);
        break;
    case NODE_DEFAULT:
        tie_entry(v, n, n->u.target);
        break;
    case NODE_ASM:
        tie(v, n, NULL);
        break;
    case NODE_STMT_EXPR:
        tie_value(v, n->kid[0]);
        break;
    case NODE_LITERAL:
        if (defines_type(n->u.declarator->type))
            tie(v, n, NULL);
        break;
    default:
        if (has_written_type(n) && defines_type(n->u.operand))
            tie(v, n, NULL);
        break;
    }
}

static void allow_in_block(struct vary *v, struct node *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        struct node *n = block->kid[i];
        v->sticky[n->id] = i && lang_sticks_to_next(block->kid[i - 1]);
        if (vary_is_statement(n) && !v->sticky[n->id])
            v->place[n->id] |= PLACE_SLOT | PLACE_LOOSE;
    }
}

/* First everything that stands as a statement is loose; then what something depends on is tied. */
static void allow(struct vary *v, struct node *n)
{
    for (uint32_t i = 0; i < n->count; i++) {
        struct node *kid = n->kid[i];
        if (!kid)
            continue;
        if (n->kind != NODE_BLOCK && vary_is_statement(kid) && !(n->kind == NODE_FOR && i == 0))
            v->place[kid->id] |= PLACE_LOOSE;
        allow(v, kid);
    }
    if (n->kind == NODE_BLOCK)
        allow_in_block(v, n);
}

static void tie_all(struct vary *v, struct node *n)
{
    tie_one(v, n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            tie_all(v, n->kid[i]);
}

/* ---- constants -------------------------------------------------------------------------- */

static bool is_special_call(const struct node *n)
{
    const struct node *callee = vary_written(n->kid[0]);
    return callee->kind == NODE_NAME &&
           (str_has_prefix(callee->u.decl->name, "__") || callee->u.decl->builtin ||
            vary_has_attr(callee->u.decl, "always_inline"));
}

/* May C, or a compiler, want a constant for this kid, or not evaluate it at all? */
static bool wants_constant(const struct node *n, uint32_t i)
{
    switch (n->kind) {
    case NODE_SIZEOF:
    case NODE_ALIGNOF:
    case NODE_OFFSETOF:
    case NODE_GENERIC:
    case NODE_CHOOSE:
    case NODE_TYPES_MATCH:
    case NODE_STATIC_ASSERT:
    case NODE_ASM:
    case NODE_INIT:
    case NODE_LITERAL:
        return true;
    case NODE_CASE:
        return i + 1 < n->count;
    case NODE_DECLARATOR:
        return n->u.declarator->decl->is_static || !n->u.declarator->decl->owner ||
               n->u.declarator->type->kind == TYPE_AUTO;
    case NODE_CALL:
        return is_special_call(n);
    default:
        return false;
    }
}

static void mark_constants(struct vary *v, struct node *n, bool constant)
{
    if (constant)
        v->place[n->id] |= PLACE_CONSTANT;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            mark_constants(v, n->kid[i],
                           (constant && n->kind != NODE_STMT_EXPR) || wants_constant(n, i));
}

/* ---- all of it -------------------------------------------------------------------------- */

bool vary_is_dead(const struct vary *v, const struct node *n)
{
    return v->place[n->id] & PLACE_DEAD;
}

void vary_find_places(struct vary *v, struct function *f)
{
    v->place[f->body->id] |= PLACE_LOOSE;
    allow(v, f->body);
    tie_all(v, f->body);
    tie_labels(v, f);
    look_below(v, f->body);
    spread_dead(v, f->body, false);
    mark_constants(v, f->body, false);
}
