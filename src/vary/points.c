/* What never ran, what may be edited, and what is known where: the candidates of every mutation.
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

/* ---- what hangs on what ----------------------------------------------------------------- */

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

/* A label hangs on who jumps to it, on who takes its address, and on its __label__. */
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
           (n->kind == NODE_CAST && !(n->flags & NODE_IMPLICIT));
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
        if (n->kid[0]->count)
            v->place[n->kid[0]->kid[n->kid[0]->count - 1]->id] &= (uint8_t) ~(PLACE_LOOSE |
                                                                              PLACE_SLOT);
        v->place[n->kid[0]->id] &= (uint8_t)~PLACE_LOOSE;
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

static bool sticks_to_next(const struct node *n)
{
    return n->kind == NODE_PRAGMA || n->kind == NODE_ATTRIBUTE;
}

static void allow_in_block(struct vary *v, struct node *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        struct node *n = block->kid[i];
        v->sticky[n->id] = i && sticks_to_next(block->kid[i - 1]);
        if (vary_is_statement(n) && !v->sticky[n->id])
            v->place[n->id] |= PLACE_SLOT | PLACE_LOOSE;
    }
}

/* First everything that stands as a statement is loose; then what hangs on something is tied. */
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

/* ---- expressions ------------------------------------------------------------------------ */

uint32_t vary_condition_index(const struct node *n)
{
    switch (n->kind) {
    case NODE_IF:
    case NODE_WHILE:
    case NODE_COND:
        return 0;
    case NODE_DO:
    case NODE_FOR:
        return 1;
    default:
        return n->count;
    }
}

static bool is_dead(const struct vary *v, const struct node *n)
{
    return v->place[n->id] & PLACE_DEAD;
}

/* Is it known that the condition never gave `truth`? */
static bool never(const struct vary *v, struct node *condition, bool truth)
{
    uint8_t way = truth ? VARY_TAKEN : VARY_UNTAKEN;
    for (struct node *n = condition;; n = n->kid[0]) {
        uint8_t flags = v->f->flags[n->id];
        if (flags & VARY_WAYS)
            return !(flags & way);
        if (n->kind != NODE_CAST || !(n->flags & NODE_IMPLICIT))
            return false;
    }
}

/* What the branches tell where the ways of the condition itself were not seen. */
static bool never_by_branch(const struct vary *v, const struct node *n, bool truth)
{
    if (!(v->f->flags[n->id] & VARY_RAN))
        return false;
    switch (n->kind) {
    case NODE_IF:
        return truth ? is_dead(v, n->kid[1]) : n->kid[2] && is_dead(v, n->kid[2]);
    case NODE_WHILE:
        return truth && is_dead(v, n->kid[1]);
    case NODE_FOR:
        return truth && is_dead(v, n->kid[3]);
    default:
        return false;
    }
}

static bool is_plain_condition(const struct vary *v, struct node *c)
{
    u128 value;
    return lang_is_scalar(c->type) && !(v->place[c->id] & PLACE_CONSTANT) &&
           !lang_constant(v->p, c, &value) && (!v->p->text || c->end > c->begin);
}

static void look_at_condition(struct vary *v, struct node *n)
{
    uint32_t at = vary_condition_index(n);
    if (at >= n->count || !n->kid[at])
        return;
    struct node *c = vary_written(n->kid[at]);
    if (!is_plain_condition(v, c) || (n->kind == NODE_COND && !n->kid[1]))
        return;
    if (is_dead(v, n)) {
        list_add(&v->arena, &v->dead_conditions, c);
        return;
    }
    bool no_true = never(v, n->kid[at], true) || never_by_branch(v, n, true);
    bool no_false = never(v, n->kid[at], false) || never_by_branch(v, n, false);
    if (no_true == no_false)
        return;
    struct one_way *w = NEW(&v->arena, struct one_way);
    *w = (struct one_way){c, n, no_false};
    list_add(&v->arena, &v->one_way, w);
    if (no_true && (n->kind == NODE_WHILE || n->kind == NODE_FOR)) {
        struct node *body = n->kid[n->count - 1];
        if (is_dead(v, body) && v->place[body->id] & PLACE_LOOSE)
            list_add(&v->arena, &v->loops, body);
    }
}

/* An expression whose type alone matters: a scalar that is no bit-field, no null constant. */
static bool is_replaceable(const struct vary *v, struct node *n)
{
    u128 value;
    const struct node *at = n;
    if (!lang_is_scalar(n->type) || lang_is_kind(n->type, TYPE_COMPLEX) ||
        v->place[n->id] & PLACE_CONSTANT || lang_is_null_constant(v->p, n))
        return false;
    if (v->p->text && n->end <= n->begin)
        return false;
    while (at->kind == NODE_BINARY && at->op == OP_COMMA)
        at = at->kid[1];
    if (at->kind == NODE_ASSIGN || (at->kind == NODE_UNARY && at->op <= OP_PREDEC))
        at = at->kid[0];
    if (at->kind == NODE_MEMBER && at->u.field->is_bitfield)
        return false;
    return !(lang_constant(v->p, n, &value) && lang_is_kind(n->type, TYPE_POINTER)) &&
           vary_can_junk(v, n, vary_value_type(n));
}

static void look_at_arms(struct vary *v, struct node *n)
{
    for (uint32_t i = 1; i < 3; i++) {
        if (!n->kid[i] || !(is_dead(v, n) || never(v, n->kid[0], i == 1)))
            continue;
        /* pointers are merged with the other arm's: leave that alone */
        struct node *arm = vary_written(n->kid[i]);
        if (lang_is_arithmetic(n->type) && is_replaceable(v, arm))
            list_add(&v->arena, &v->arms, arm);
    }
}

static void look_at_sides(struct vary *v, struct node *n)
{
    struct node *right = vary_written(n->kid[1]);
    if ((is_dead(v, n) || never(v, n->kid[0], n->op == OP_LAND)) && is_replaceable(v, right))
        list_add(&v->arena, &v->shorts, right);
}

/* ---- what is known at a live statement -------------------------------------------------- */

/* What evaluating an expression may do to variables. */
struct effects {
    struct list assigned; /* struct decl */
    bool calls, stores;   /* through a pointer, into a member, or anything unclear */
};

static void add_store(struct vary *v, struct node *target, struct effects *e)
{
    if (target->kind == NODE_NAME)
        list_add(&v->arena, &e->assigned, target->u.decl);
    else
        e->stores = true;
}

static void find_effects(struct vary *v, struct node *n, struct effects *e)
{
    if (n->kind == NODE_ASSIGN || (n->kind == NODE_UNARY && n->op <= OP_PREDEC))
        add_store(v, n->kid[0], e);
    if (n->kind == NODE_CALL || n->kind == NODE_VA_ARG)
        e->calls = true;
    if (n->kind == NODE_STMT_EXPR || n->kind == NODE_ASM)
        e->calls = e->stores = true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            find_effects(v, n->kid[i], e);
}

static bool is_assigned(const struct effects *e, const struct decl *d)
{
    for (size_t i = 0; i < e->assigned.n; i++)
        if (e->assigned.at[i] == d)
            return true;
    return false;
}

bool vary_is_private(const struct decl *d)
{
    return (d->kind == DECL_VAR || d->kind == DECL_PARAM) && d->owner && !d->is_static &&
           !d->address_taken;
}

static bool has_steady_value(const struct effects *e, const struct decl *d)
{
    if ((d->kind != DECL_VAR && d->kind != DECL_PARAM) || d->storage == STORAGE_REGISTER ||
        d->thread || d->type->canon->quals & (QUAL_VOLATILE | QUAL_ATOMIC) || !d->name)
        return false;
    return !is_assigned(e, d) && (vary_is_private(d) || (!e->calls && !e->stores));
}

/* Reads of variables that happen whenever n is evaluated. */
static void find_reads(struct vary *v, struct node *n, struct node *statement,
                       const struct effects *e)
{
    switch (n->kind) {
    case NODE_CAST:
        if (n->op == CONV_LVALUE && n->kid[0]->kind == NODE_NAME) {
            struct decl *d = n->kid[0]->u.decl;
            const struct vary_range *r = &v->f->range[n->id];
            if (!(v->f->flags[n->id] & VARY_RANGE) || !has_steady_value(e, d) ||
                !(lang_is_integer(d->type) || (lang_is_kind(d->type, TYPE_POINTER) &&
                                               (r->low > 0 || (r->low == 0 && r->high == 0)))))
                return;
            struct known *k = NEW(&v->arena, struct known);
            *k = (struct known){statement, d, r->low, r->high};
            list_add(&v->arena, &v->known, k);
            return;
        }
        break;
    case NODE_COND:
        find_reads(v, n->kid[0], statement, e);
        return;
    case NODE_BINARY:
        if (n->op == OP_LAND || n->op == OP_LOR) {
            find_reads(v, n->kid[0], statement, e);
            return;
        }
        break;
    case NODE_UNARY:
    case NODE_INDEX:
    case NODE_MEMBER:
    case NODE_ASSIGN:
    case NODE_CALL:
        break;
    default:
        return;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            find_reads(v, n->kid[i], statement, e);
}

/* A call that does not come back takes with it what would have been read behind it. */
static bool leaves_program(const struct decl *d)
{
    static const char *const names[] = {
        "exit",         "abort",          "_exit",           "_Exit",          "longjmp",
        "siglongjmp",   "quick_exit",     "__assert_fail",   "_longjmp",       "execv",
        "pthread_exit", "__builtin_trap", "__builtin_abort", "__builtin_exit", "__builtin_longjmp"};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (d->name && strcmp(d->name, names[i]) == 0)
            return true;
    return vary_has_attr(d, "noreturn");
}

static bool do_all_return(const struct vary *v)
{
    for (uint32_t i = 0; i < v->node_count; i++) {
        struct node *n = v->p->nodes[i];
        if (n->kind != NODE_NAME || !v->seq[i] || n->u.decl->kind != DECL_FUNC ||
            !leaves_program(n->u.decl))
            continue;
        const struct node *statement = vary_statement_of(v, n);
        if (!statement || v->f->flags[statement->id] & VARY_RAN)
            return false;
    }
    return true;
}

static void look_at_live(struct vary *v, struct node *n)
{
    struct effects e = {0};
    struct node *first = NULL;
    if (!(v->place[n->id] & PLACE_SLOT) || is_dead(v, n) || !(v->f->flags[n->id] & VARY_RAN))
        return;
    if (n->kind == NODE_EXPR_STMT || n->kind == NODE_IF || n->kind == NODE_SWITCH ||
        n->kind == NODE_RETURN)
        first = n->kid[0];
    if (!first)
        return;
    struct node *top = vary_written(first);
    if (top->kind == NODE_ASSIGN && top->op == OP_ASSIGN) {
        /* the store comes after everything that is read for it, C11 6.5.16p3 */
        find_effects(v, top->kid[0], &e);
        find_effects(v, top->kid[1], &e);
    } else {
        find_effects(v, first, &e);
    }
    if (e.calls && !v->all_return)
        return;
    find_reads(v, top->kind == NODE_ASSIGN && top->op == OP_ASSIGN ? top->kid[1] : first, n, &e);
}

/* ---- pointers and loops ----------------------------------------------------------------- */

/* Is the lvalue read or written, and not only pointed to? */
static bool is_accessed(const struct vary *v, const struct node *n)
{
    const struct node *up = v->parent[n->id];
    while (up && up->kind == NODE_MEMBER && !(up->flags & NODE_ARROW)) {
        n = up;
        up = v->parent[n->id];
    }
    if (!up)
        return false;
    return (up->kind == NODE_CAST && up->op == CONV_LVALUE) ||
           ((up->kind == NODE_ASSIGN || (up->kind == NODE_UNARY && up->op <= OP_PREDEC)) &&
            up->kid[0] == n);
}

static void look_at_pointer(struct vary *v, struct node *n)
{
    bool through = (n->kind == NODE_UNARY && n->op == OP_DEREF) || n->kind == NODE_INDEX ||
                   (n->kind == NODE_MEMBER && n->flags & NODE_ARROW);
    if (!through || is_dead(v, n) || v->place[n->id] & PLACE_CONSTANT || !is_accessed(v, n))
        return;
    struct node *q = vary_written(n->kid[0]);
    const struct type *t = q->type->canon;
    if (q->kind == NODE_NAME && t->kind == TYPE_POINTER && !t->quals && lang_is_complete(t->base) &&
        !(t->base->flags & TYPE_VARIABLE) && lang_alignof(v->p, t->base) > 1)
        list_add(&v->arena, &v->pointers, q);
}

static bool is_loop(const struct node *n)
{
    return n->kind == NODE_FOR || n->kind == NODE_WHILE || n->kind == NODE_DO;
}

/* ---- variables that a statement leaves alone -------------------------------------------- */

static bool leaves(const struct node *n)
{
    switch (n->kind) {
    case NODE_RETURN:
    case NODE_GOTO:
    case NODE_GOTO_VALUE:
    case NODE_BREAK:
    case NODE_CONTINUE:
    case NODE_LABEL:
    case NODE_CASE:
    case NODE_DEFAULT:
    case NODE_ASM:
    case NODE_STMT_EXPR:
    case NODE_DECL:
    case NODE_LABEL_ADDR:
        return true;
    default:
        break;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && leaves(n->kid[i]))
            return true;
    return false;
}

static bool names(const struct node *n, const struct decl *d)
{
    if (n->kind == NODE_NAME && n->u.decl == d)
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && names(n->kid[i], d))
            return true;
    return false;
}

/* Parameters of a function that is entered once, from its top: they have a value everywhere. */
static void look_at_saves(struct vary *v, struct node *n)
{
    struct function *f = v->function[n->id];
    if (!(v->place[n->id] & PLACE_SLOT) || is_dead(v, n) || n->kind != NODE_EXPR_STMT || leaves(n))
        return;
    for (uint32_t i = 0; i < f->param_count; i++) {
        struct decl *d = f->params[i];
        if (!d->name || !lang_is_integer(d->type) || d->type->canon->quals || !vary_is_private(d) ||
            d->storage == STORAGE_REGISTER || names(n, d))
            continue;
        struct known *k = NEW(&v->arena, struct known);
        *k = (struct known){.statement = n, .decl = d};
        list_add(&v->arena, &v->saves, k);
    }
}

/* ---- all of it -------------------------------------------------------------------------- */

enum { PART_NODES = 60 };

static bool is_part(const struct vary *v, const struct node *n)
{
    switch (n->kind) {
    case NODE_EXPR_STMT:
    case NODE_IF:
    case NODE_WHILE:
    case NODE_DO:
    case NODE_FOR:
    case NODE_SWITCH:
    case NODE_BLOCK:
    case NODE_RETURN:
        return v->end[n->id] - v->seq[n->id] <= PART_NODES;
    default:
        return false;
    }
}

static void look_at_statement(struct vary *v, struct node *n)
{
    uint8_t place = v->place[n->id];
    const struct node *parent = v->parent[n->id];
    if (place & PLACE_DEAD && place & PLACE_LOOSE)
        list_add(&v->arena, &v->dead, n);
    if (place & PLACE_DEAD && !is_dead(v, parent))
        list_add(&v->arena, &v->tops, n);
    if (place & PLACE_DEAD && place & PLACE_SLOT)
        list_add(&v->arena, &v->dead_slots, n);
    if (is_part(v, n))
        list_add(&v->arena, &v->parts, n);
    if (vary_is_counted(n)) {
        v->summary.statements++;
        v->summary.dead += is_dead(v, n);
    }
    if (place & PLACE_SLOT && !(place & PLACE_DEAD) && v->f->flags[n->id] & VARY_RAN &&
        !vary_has_attr(v->function[n->id]->decl, "naked"))
        list_add(&v->arena, &v->live, n);
    if (place & PLACE_SLOT && is_loop(n) && v->f->flags[n->id] & VARY_RAN)
        list_add(&v->arena, &v->loops_run, n);
    look_at_live(v, n);
    look_at_saves(v, n);
}

static void look(struct vary *v, struct node *n)
{
    if (vary_is_statement(n) && n != v->function[n->id]->body)
        look_at_statement(v, n);
    look_at_condition(v, n);
    look_at_pointer(v, n);
    if (n->kind == NODE_COND)
        look_at_arms(v, n);
    if (n->kind == NODE_BINARY && (n->op == OP_LAND || n->op == OP_LOR))
        look_at_sides(v, n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            look(v, n->kid[i]);
}

static bool calls_setjmp(const struct node *n)
{
    if (n->kind == NODE_NAME && n->u.decl->name && strstr(n->u.decl->name, "setjmp"))
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && calls_setjmp(n->kid[i]))
            return true;
    return false;
}

static const struct list *points_of(const struct vary *v, enum point_list which)
{
    const struct list *const lists[] = {
        [POINTS_LIVE] = &v->live,         [POINTS_KNOWN] = &v->known,
        [POINTS_ONE_WAY] = &v->one_way,   [POINTS_SAVES] = &v->saves,
        [POINTS_POINTERS] = &v->pointers, [POINTS_LOOPS] = &v->loops_run};
    return lists[which];
}

static void look_at_function(struct vary *v, struct function *f)
{
    struct node *body = f->body;
    if (!body || body->id >= v->node_count || !v->function[body->id])
        return;
    v->place[body->id] |= PLACE_LOOSE;
    allow(v, body);
    tie_all(v, body);
    tie_labels(v, f);
    look_below(v, body);
    spread_dead(v, body, false);
    mark_constants(v, body, false);
    v->summary.functions++;
    if (is_dead(v, body)) {
        v->summary.uncalled++;
        if (v->place[body->id] & PLACE_LOOSE && body->count)
            list_add(&v->arena, &v->uncalled, f);
    }
    struct vary_function *own = &v->functions[v->function_count++];
    own->function = f;
    for (unsigned i = 0; i < POINT_LISTS; i++)
        own->points[i].first = points_of(v, i)->n;
    look(v, body);
    if (calls_setjmp(body))
        v->saves.n = own->points[POINTS_SAVES].first;
    for (unsigned i = 0; i < POINT_LISTS; i++)
        own->points[i].end = points_of(v, i)->n;
}

void *draw_point(struct draw *d, enum point_list which)
{
    const struct vary *v = d->v;
    uint64_t sum = 0;
    for (size_t i = 0; i < v->function_count; i++)
        if (v->functions[i].points[which].end > v->functions[i].points[which].first)
            sum += v->functions[i].weight;
    if (!sum)
        return NULL;
    uint64_t at = rng_below(&d->rng, sum);
    for (size_t i = 0; i < v->function_count; i++) {
        const struct vary_function *f = &v->functions[i];
        size_t n = f->points[which].end - f->points[which].first;
        if (!n)
            continue;
        if (at < f->weight)
            return points_of(v, which)->at[f->points[which].first + rng_below(&d->rng, n)];
        at -= f->weight;
    }
    BUG("the weights have changed");
}

void vary_find_points(struct vary *v)
{
    v->all_return = do_all_return(v);
    v->functions = NEW_ARRAY(&v->arena, v->p->functions.n + 1, struct vary_function);
    for (size_t i = 0; i < v->p->functions.n; i++)
        look_at_function(v, v->p->functions.at[i]);
    vary_weigh_functions(v);
    v->summary.one_way = (uint32_t)v->one_way.n;
    v->summary.known = (uint32_t)v->known.n;
}
