/* Statements and declarations. */
#include "machine/compile/private.h"

#include <stdlib.h>
#include <string.h>

typedef void stmt_fn(struct compiler *c, const struct node *n);

static void forget(struct compiler *c, size_t down_to)
{
    while (c->known.n > down_to)
        ((struct var *)c->known.at[--c->known.n])->known = false;
}

/* Where control may come from anywhere.  The list keeps its length: branches around this one
 * forget, when they end, what was added since they began. */
static void forget_all(struct compiler *c)
{
    for (size_t i = 0; i < c->known.n; i++)
        ((struct var *)c->known.at[i])->known = false;
}

/* The region behind a construct: as before, unless something may have jumped out or in. */
static void rejoin(struct compiler *c, uint32_t region, uint32_t abrupt)
{
    c->region = region;
    if (c->abrupt != abrupt)
        region_count(c);
}

/* ---- scopes ----------------------------------------------------------------------------- */

static void emit_local(struct compiler *c, enum opcode op, const struct local *l)
{
    emit(c, op, 0, 0, 0, 0)->u.local = l;
}

static bool is_variable(const struct local *l)
{
    return l->type->flags & TYPE_VARIABLE;
}

static void scope_enter(struct compiler *c, const struct scope *s)
{
    for (size_t i = 0; i < s->locals.n; i++) {
        const struct local *l = s->locals.at[i];
        if (!l->late && !is_variable(l))
            emit_local(c, I_BORN, l);
    }
    for (size_t i = 0; i < s->flagged.n; i++)
        emit(c, I_FLAG, ((const struct var *)s->flagged.at[i])->flag, 0, 0, 0);
}

static void scope_exit(struct compiler *c, const struct scope *s)
{
    for (size_t i = s->locals.n; i-- > 0;)
        emit_local(c, I_DIE, s->locals.at[i]);
    if (s->restricts)
        emit(c, I_RESTRICT_LEAVE, 0, 0, 0, s->restricts);
}

/* Out of all scopes up to one that encloses the current one. */
void scopes_leave(struct compiler *c, struct scope *to)
{
    for (const struct scope *s = c->scope; s != to && s; s = s->parent)
        scope_exit(c, s);
}

static void scopes_enter(struct compiler *c, const struct scope *from, const struct scope *to)
{
    if (!to || to == from || (from && to->depth <= from->depth))
        return;
    scopes_enter(c, from, to->parent);
    scope_enter(c, to);
}

static struct scope *common_scope(struct scope *a, struct scope *b)
{
    while (a != b) {
        if (!a || !b)
            return NULL;
        if (a->depth >= b->depth)
            a = a->parent;
        else
            b = b->parent;
    }
    return a;
}

/* From the current scope into the one of a label. */
static void scopes_change(struct compiler *c, struct scope *to)
{
    struct scope *common = common_scope(c->scope, to);
    scopes_leave(c, common);
    scopes_enter(c, common, to);
}

/* ---- declarations ----------------------------------------------------------------------- */

static void declare_slot(struct compiler *c, const struct node *n, struct decl *d)
{
    struct var *v = link_var(c->m, c->u, d);
    const struct node *init = init_of(c, d);
    uint16_t base = based_declared(c, d);
    c->scope->restricts |= base;
    if (init && v->checked) {
        emit(c, I_FLAG, v->flag, 0, 0, 0);
        v->known = false;
    }
    if (init) {
        if (init->kind == NODE_INIT)
            init = init->u.init->count ? init->u.init->items[0].value : NULL;
        if (init)
            note_copied(c, d->type, d, init);
        struct opnd x = init ? compile_full_value(c, init, v->slot) : opnd_k(0);
        c->node = n;
        struct loc l = local_loc(c, d);
        loc_store(c, n, l, x);
        if (base)
            emit(c, I_RESTRICT_BEGIN, 0, 0, 0, base);
    } else if (v->kind == KIND_LIST) {
        emit(c, I_FLAG, v->slot, 0, 0, 0); /* no list: may be passed on, not read from */
    } else if (v->checked) {
        emit(c, I_FLAG, v->flag, 0, 0, 0);
        v->known = false;
    }
}

static void declare_local(struct compiler *c, const struct node *n, struct decl *d)
{
    struct var *v = link_var(c->m, c->u, d);
    const struct local *l = v->local;
    if (is_variable(l)) {
        struct opnd size = size_of(c, d->type);
        struct insn *i = emit(c, I_VLA, 0, opnd_in_slot(c, size), 0, 0);
        i = &c->code->insn[c->code->count - 1];
        i->u.local = l;
    } else if (l->late) {
        emit_local(c, I_BORN, l);
    }
    const struct node *init = init_of(c, d);
    if (!init && v->checked) {
        emit(c, I_FLAG, v->flag, 0, 0, 0);
        v->known = false;
    }
    const struct type *t = d->type->canon;
    while (t->kind == TYPE_ARRAY)
        t = t->base;
    if (!init && lang_is_record(t))
        compile_unset_padding(c, local_loc(c, d), d->type->canon);
    if (!init)
        return;
    enum constness seal = t->quals & QUAL_CONST             ? CONST_ALL
                          : memory_has_parts(t, QUAL_CONST) ? CONST_PARTS
                                                            : CONST_NONE;
    if (seal && !l->late) /* it may be reached again */
        emit(c, I_SEAL, 0, v->slot, 0, CONST_NONE);
    struct loc loc = local_loc(c, d);
    compile_initialiser(c, loc, init, d);
    c->node = n;
    if (seal)
        emit(c, I_SEAL, 0, v->slot, 0, seal);
}

static void declare(struct compiler *c, const struct node *n)
{
    struct decl *d = n->u.declarator->decl;
    c->node = n;
    c->next = c->floor;
    vla_lengths(c, n->type);
    if (d->kind != DECL_VAR || d->linkage != LINKAGE_NONE || d->storage == STORAGE_EXTERN)
        return;
    if (d->is_static)
        return;
    if (d->cleanup) {
        emit_unsupported(c, n, "the cleanup attribute");
        return;
    }
    switch (link_var(c->m, c->u, d)->place) {
    case VAR_SLOT:
        declare_slot(c, n, d);
        break;
    case VAR_LOCAL:
        declare_local(c, n, d);
        break;
    default:
        break;
    }
}

static void stmt_decl(struct compiler *c, const struct node *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (kid(c, n, i) && kid(c, n, i)->kind == NODE_DECLARATOR)
            declare(c, enter_node(c, kid(c, n, i)));
}

/* ---- blocks ----------------------------------------------------------------------------- */

static void inserts_before(struct compiler *c, const struct node *n)
{
    for (size_t i = 0; i < c->u->edit_count; i++)
        if (c->u->edits[i].kind == EDIT_INSERT && c->u->edits[i].node == n->id)
            compile_stmt(c, c->u->edits[i].with);
}

static void stmt_block(struct compiler *c, const struct node *n)
{
    struct scope *outer = c->scope, *s = c->u->scope[n->id];
    c->scope = s;
    scope_enter(c, s);
    for (uint32_t i = 0; i < n->count; i++)
        compile_stmt(c, n->kid[i]);
    c->node = n;
    scope_exit(c, s);
    c->scope = outer;
}

static void label_here(struct compiler *c, struct spot *t)
{
    target_here(c, t);
    forget_all(c);
    c->abrupt++;
    region_count(c);
}

static void place_label(struct compiler *c, const struct node *n)
{
    label_here(c, &c->labels[n->u.label->index]);
    enter_node(c, n);
    c->code->labels[n->u.label->index] = c->labels[n->u.label->index].at; /* and is counted */
    c->code->label_scopes[n->u.label->index] = c->scope;
}

/* The expression of a statement, kept where the block's own slots do not reach. */
static struct opnd kept_value(struct compiler *c, const struct node *n, uint32_t kept)
{
    enter_node(c, n);
    enum kind k = kind_of(c->p, kid(c, n, 0)->type);
    struct opnd x = compile_full_value(c, kid(c, n, 0), NO_SLOT);
    if (k == KIND_VOID)
        return opnd_k(0);
    if (k == KIND_MEMORY) {
        const struct local *l = temporary(c, kid(c, n, 0)->type);
        emit_local(c, I_BORN, l);
        emit(c, I_ADDRESS_L, kept, l->slot, 0, 0);
        emit(c, I_COPY, 0, kept, opnd_in_slot(c, x), (int64_t)l->size);
    } else {
        emit_move(c, k, kept, x);
    }
    return opnd_slot(kept);
}

/* The value of a statement expression: that of its last statement, which may have labels. */
struct opnd compile_block_value(struct compiler *c, const struct node *n, uint32_t want)
{
    struct scope *outer = c->scope, *s = c->u->scope[n->id];
    uint32_t floor = c->floor, abrupt = c->abrupt, region = c->region, value = lang_value_index(n);
    struct opnd v = opnd_k(0);
    (void)want;
    enter_node(c, n);
    c->scope = s;
    scope_enter(c, s);
    uint32_t kept = slot_new(c, 2);
    c->floor = c->next;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct node *last = kid(c, n, i);
        while (last->kind == NODE_LABEL && i == value)
            last = kid(c, last, 0);
        if (i != value || last->kind != NODE_EXPR_STMT) {
            compile_stmt(c, n->kid[i]);
            continue;
        }
        for (const struct node *l = kid(c, n, i); l != last; l = kid(c, l, 0))
            place_label(c, l);
        v = kept_value(c, last, kept);
    }
    c->node = n;
    scope_exit(c, s);
    c->scope = outer;
    c->next = kept + 2;
    c->floor = floor;
    rejoin(c, region, abrupt);
    return v;
}

static void stmt_expr(struct compiler *c, const struct node *n)
{
    c->next = c->floor;
    compile_full(c, kid(c, n, 0));
}

static void stmt_nothing(struct compiler *c, const struct node *n)
{
    (void)c;
    (void)n;
}

/* ---- choices ---------------------------------------------------------------------------- */

/* Is an array of a structure that is no lvalue pointed into (lvalue.c)? */
static bool makes_temporary(const struct compiler *c, const struct node *n)
{
    n = edited_node(c->u, n);
    if (n->kind == NODE_MEMBER && n->type->kind == TYPE_ARRAY && !(n->flags & NODE_ARROW) &&
        !(kid(c, n, 0)->flags & NODE_LVALUE))
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !is_dropped(c->u, n->kid[i]) && makes_temporary(c, n->kid[i]))
            return true;
    return false;
}

static void full_condition(struct compiler *c, const struct node *n, bool sense, struct spot *to)
{
    c->next = c->floor;
    if (is_dropped(c->u, n) || (!compile_watched(c, n) && !makes_temporary(c, n))) {
        compile_condition(c, n, sense, to);
        return;
    }
    /* the log must be closed, and temporaries end, on both ways: evaluate first, jump then */
    bool head = c->head;
    uint32_t pair = counter_new(c, 2), region = c->region;
    if (head)
        c->region = REGION_PAIR | pair;
    c->head = false;
    struct opnd v = compile_full_value(c, n, NO_SLOT);
    c->node = n;
    v = compile_convert(c, NULL, v, n->type, lang_basic(c->p, TYPE_BOOL), NO_SLOT);
    c->region = region;
    uint32_t slot = opnd_in_slot(c, v);
    struct insn *i = emit(c, I_JIF, pair, slot, 0, 0);
    i->align = sense;
    c->u->whole[n->id] = pair;
    jump_to(c, to, c->code->count - 1);
}

static uint32_t edge_of(struct compiler *c, const struct node *n, bool sense)
{
    if (c->u->whole[n->id])
        return c->u->whole[n->id] + sense;
    return unique_edge(c, n, sense);
}

static void enter_edge(struct compiler *c, const struct node *n, bool sense)
{
    uint32_t edge = edge_of(c, n, sense);
    if (edge)
        c->region = edge;
    else
        region_count(c);
}

static void stmt_if(struct compiler *c, const struct node *n)
{
    struct spot no = {0}, end = {0};
    uint32_t region = c->region, abrupt = c->abrupt;
    full_condition(c, kid(c, n, 0), false, &no);
    size_t known = c->known.n;
    enter_edge(c, kid(c, n, 0), true);
    compile_stmt(c, n->kid[1]);
    forget(c, known);
    if (kid(c, n, 2)) {
        c->node = n;
        emit_jump(c, &end);
        target_here(c, &no);
        c->region = region;
        enter_edge(c, kid(c, n, 0), false);
        compile_stmt(c, n->kid[2]);
        forget(c, known);
        target_here(c, &end);
    } else {
        target_here(c, &no);
    }
    c->node = n;
    rejoin(c, region, abrupt);
}

/* ---- loops ------------------------------------------------------------------------------ */

struct loop {
    struct spot again, leave, next;
    struct way_out way;
    uint32_t region, abrupt;
    size_t known;
};

static void loop_begin(struct compiler *c, struct loop *l, const struct node *n, struct spot *again)
{
    l->region = c->region;
    l->abrupt = c->abrupt;
    l->known = c->known.n;
    l->way = (struct way_out){n, &l->leave, again, c->scope, c->ways};
    c->ways = &l->way;
}

static void loop_end(struct compiler *c, struct loop *l, const struct node *n)
{
    c->node = n;
    target_here(c, &l->leave);
    c->ways = l->way.outer;
    forget(c, l->known);
    rejoin(c, l->region, l->abrupt);
}

/* Does running it change anything, or may it end the program or the loop? */
static bool has_effect(const struct node *n)
{
    switch (n->kind) {
    case NODE_ASSIGN:
    case NODE_CALL:
    case NODE_RETURN:
    case NODE_GOTO:
    case NODE_GOTO_VALUE:
    case NODE_BREAK:
    case NODE_ASM:
    case NODE_DECLARATOR:
    case NODE_VA_ARG:
    case NODE_LABEL:
    case NODE_CASE:
    case NODE_DEFAULT:
        return true;
    case NODE_UNARY:
        if (is_step(n))
            return true;
        break;
    default:
        break;
    }
    if (n->type && n->type->quals & (QUAL_VOLATILE | QUAL_ATOMIC))
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && has_effect(n->kid[i]))
            return true;
    return false;
}

/* C11 6.8.5p6: such a loop may be assumed to end, but nothing in it can make it end. */
static bool is_stuck(struct compiler *c, const struct node *n, const struct node *condition,
                     const struct node *step)
{
    u128 v;
    const struct node *body = kid(c, n, n->kind == NODE_DO ? 0 : n->count - 1);
    return condition && !lang_constant(c->p, condition, &v) && !has_effect(condition) &&
           !has_effect(body) && (!step || !has_effect(step)) && !c->u->edited;
}

static void stmt_while(struct compiler *c, const struct node *n)
{
    struct loop l = {0};
    loop_begin(c, &l, n, &l.again);
    c->node = n;
    target_here(c, &l.again);
    c->head = true;
    full_condition(c, kid(c, n, 0), false, &l.leave);
    c->head = false;
    enter_edge(c, kid(c, n, 0), true);
    if (is_stuck(c, n, kid(c, n, 0), NULL))
        emit_fault(c, n, UB_INFINITE_LOOP);
    compile_stmt(c, n->kid[1]);
    c->node = n;
    emit_jump(c, &l.again);
    loop_end(c, &l, n);
}

static void stmt_do(struct compiler *c, const struct node *n)
{
    struct loop l = {0};
    struct spot top = {0};
    loop_begin(c, &l, n, &l.next);
    c->node = n;
    target_here(c, &top);
    region_count(c);
    uint32_t body = c->region, abrupt = c->abrupt;
    compile_stmt(c, n->kid[0]);
    c->node = n;
    target_here(c, &l.next);
    forget(c, l.known);
    rejoin(c, body, abrupt);
    full_condition(c, kid(c, n, 1), false, &l.leave);
    if (is_stuck(c, n, kid(c, n, 1), NULL))
        emit_fault(c, n, UB_INFINITE_LOOP);
    c->node = n;
    emit_jump(c, &top);
    loop_end(c, &l, n);
}

/* A part of a for that is there, or NULL. */
static const struct node *for_part(const struct compiler *c, const struct node *n, uint32_t i)
{
    return n->kid[i] && !is_dropped(c->u, n->kid[i]) ? kid(c, n, i) : NULL;
}

static void stmt_for(struct compiler *c, const struct node *n)
{
    const struct node *condition = for_part(c, n, 1), *step = for_part(c, n, 2);
    struct loop l = {0};
    struct scope *outer = c->scope;
    c->scope = c->u->scope[n->id];
    scope_enter(c, c->scope);
    if (n->kid[0])
        compile_stmt(c, n->kid[0]);
    loop_begin(c, &l, n, &l.next);
    target_here(c, &l.again);
    if (condition) {
        c->head = true;
        full_condition(c, condition, false, &l.leave);
        c->head = false;
        enter_edge(c, condition, true);
        if (is_stuck(c, n, condition, step))
            emit_fault(c, n, UB_INFINITE_LOOP);
    } else {
        region_count(c);
    }
    uint32_t body = c->region, abrupt = c->abrupt;
    compile_stmt(c, n->kid[3]);
    c->node = n;
    target_here(c, &l.next);
    forget(c, l.known);
    rejoin(c, body, abrupt);
    c->next = c->floor;
    if (step)
        compile_full(c, step);
    c->node = n;
    emit_jump(c, &l.again);
    loop_end(c, &l, n);
    scope_exit(c, c->scope);
    c->scope = outer;
}

/* ---- switch ----------------------------------------------------------------------------- */

struct entry {
    uint64_t low, high;
    struct spot *to;
    const struct node *node;
};

static uint64_t case_value(struct compiler *c, const struct type *t, u128 v)
{
    bool is_signed = lang_int_signed(c->p, t);
    if (is_signed)
        v = lang_sign_extend(v, lang_int_width(c->p, t));
    if (kind_is_pair(kind_of(c->p, t)) && v != (is_signed ? lang_sign_extend(v, 64) : (uint64_t)v))
        emit_unsupported(c, c->node, "a label of more than 64 bits");
    return (uint64_t)v;
}

static int by_signed(const void *a, const void *b)
{
    int64_t x = (int64_t)((const struct entry *)a)->low,
            y = (int64_t)((const struct entry *)b)->low;
    return (x > y) - (x < y);
}

static int by_unsigned(const void *a, const void *b)
{
    uint64_t x = ((const struct entry *)a)->low, y = ((const struct entry *)b)->low;
    return (x > y) - (x < y);
}

/* A stub per label: scopes that are entered on the way, then the jump. */
static void switch_stubs(struct compiler *c, const struct node *n, struct switch_table *t,
                         struct entry *entries, uint32_t at, struct spot *leave)
{
    struct arena *a = &c->m->arena;
    for (uint32_t i = 0; i < t->count; i++) {
        t->low[i] = entries[i].low;
        t->high[i] = entries[i].high;
        t->target[i] = (int64_t)c->code->count - (int64_t)at - 1;
        scopes_change(c, c->u->scope[entries[i].node->id]);
        emit_jump(c, entries[i].to);
    }
    t->otherwise = (int64_t)c->code->count - (int64_t)at - 1;
    if (n->u.switch_->default_) {
        const struct node *d = n->u.switch_->default_;
        scopes_change(c, c->u->scope[d->id]);
        emit_jump(c, c->u->case_target[d->id]);
    } else {
        emit_jump(c, leave);
    }
    if (t->count == 0 || t->high[t->count - 1] - t->low[0] > 512)
        return;
    t->first = t->low[0];
    t->span = (uint32_t)(t->high[t->count - 1] - t->low[0]) + 1;
    t->dense = NEW_ARRAY(a, t->span, int64_t);
    for (uint32_t i = 0; i < t->span; i++)
        t->dense[i] = t->otherwise;
    for (uint32_t i = 0; i < t->count; i++)
        for (uint64_t v = t->low[i]; v - t->low[i] <= t->high[i] - t->low[i]; v++)
            t->dense[v - t->first] = t->target[i];
}

/* Labels that an edit removed lead where no label leads. */
static void switch_lost(struct compiler *c, const struct node *n, const struct switch_table *t,
                        struct entry *entries, struct spot *leave)
{
    const struct node *d = n->u.switch_->default_;
    struct spot *otherwise = d ? c->u->case_target[d->id] : leave;
    if (!otherwise->at)
        otherwise = leave;
    for (uint32_t i = 0; i < t->count; i++)
        if (!entries[i].to->at)
            for (size_t k = 0; k < entries[i].to->jumps.n; k++)
                jump_to(c, otherwise, (uint32_t)(uintptr_t)entries[i].to->jumps.at[k]);
    if (d && !c->u->case_target[d->id]->at)
        for (size_t k = 0; k < c->u->case_target[d->id]->jumps.n; k++)
            jump_to(c, leave, (uint32_t)(uintptr_t)c->u->case_target[d->id]->jumps.at[k]);
}

static void switch_body(struct compiler *c, const struct node *n, struct loop *l)
{
    uint32_t dead = counter_new(c, 1);
    c->region = dead; /* what stands before the first label never runs */
    forget_all(c);
    c->abrupt++;
    compile_stmt(c, n->kid[1]);
    c->node = n;
    emit_jump(c, &l->leave);
}

static void stmt_switch(struct compiler *c, const struct node *n)
{
    struct arena *a = &c->m->arena;
    struct loop l = {0};
    c->next = c->floor;
    const struct type *type = kid(c, n, 0)->type;
    struct opnd v = compile_full_value(c, kid(c, n, 0), NO_SLOT);
    c->node = n;
    const struct switch_info *info = n->u.switch_;
    struct switch_table *t = NEW(a, struct switch_table);
    struct entry *entries = NEW_ARRAY(a, info->count + 1, struct entry);
    t->is_signed = lang_int_signed(c->p, type);
    t->count = 0;
    for (uint32_t i = 0; i < info->count; i++) {
        const struct node *k = info->cases[i];
        c->u->case_target[k->id] = NEW(a, struct spot);
        uint64_t low = case_value(c, type, k->u.case_->low);
        uint64_t high = case_value(c, type, k->u.case_->high);
        if (t->is_signed ? (int64_t)low > (int64_t)high : low > high)
            continue; /* an empty range */
        entries[t->count++] = (struct entry){low, high, c->u->case_target[k->id], k};
    }
    if (info->default_)
        c->u->case_target[info->default_->id] = NEW(a, struct spot);
    qsort(entries, t->count, sizeof *entries, t->is_signed ? by_signed : by_unsigned);
    t->low = NEW_ARRAY(a, t->count, uint64_t);
    t->high = NEW_ARRAY(a, t->count, uint64_t);
    t->target = NEW_ARRAY(a, t->count, int64_t);
    uint32_t slot = opnd_in_slot(c, v), at = c->code->count;
    bool pair = kind_is_pair(kind_of(c->p, type));
    emit(c, pair ? I_SWITCH_PAIR : I_SWITCH, 0, slot, 0, 0)->u.table = t;
    loop_begin(c, &l, n, NULL);
    switch_stubs(c, n, t, entries, at, &l.leave);
    switch_body(c, n, &l);
    if (c->u->edits)
        switch_lost(c, n, t, entries, &l.leave);
    loop_end(c, &l, n);
}

/* ---- labels and jumps ------------------------------------------------------------------- */

static void stmt_case(struct compiler *c, const struct node *n)
{
    struct spot *t = c->u->case_target[n->id];
    if (t)
        label_here(c, t);
    enter_node(c, n);
    compile_stmt(c, n->kid[n->count - 1]);
}

static void stmt_label(struct compiler *c, const struct node *n)
{
    place_label(c, n);
    compile_stmt(c, n->kid[0]);
}

static void stmt_goto(struct compiler *c, const struct node *n)
{
    const struct node *to = n->u.label->node;
    if (!to || !c->u->scope[to->id]) {
        emit_unsupported(c, n, "goto to a label that is not there");
        return;
    }
    scopes_change(c, c->u->scope[to->id]);
    struct spot *t = &c->labels[n->u.label->index];
    emit_jump(c, t);
    c->abrupt++;
}

static void stmt_goto_value(struct compiler *c, const struct node *n)
{
    c->next = c->floor;
    struct opnd v = compile_full_value(c, kid(c, n, 0), NO_SLOT);
    c->node = n;
    uint32_t slot = opnd_in_slot(c, v);
    emit(c, I_GOTO, 0, slot, (uint32_t)c->code->goto_scopes.n, 0)->u.at = n;
    list_add(&c->m->arena, &c->code->goto_scopes, c->scope);
    c->abrupt++;
}

static struct way_out *way_of(struct compiler *c, const struct node *target)
{
    struct way_out *w = c->ways;
    while (w && w->node != target)
        w = w->outer;
    return w;
}

static void stmt_break(struct compiler *c, const struct node *n)
{
    struct way_out *w = way_of(c, n->u.target);
    c->abrupt++;
    if (!w) {
        emit_unsupported(c, n, "jump out of nothing");
        return;
    }
    scopes_leave(c, w->scope);
    emit_jump(c, n->kind == NODE_BREAK ? w->leave : w->again);
}

static void stmt_return(struct compiler *c, const struct node *n)
{
    c->next = c->floor;
    c->abrupt++;
    const struct type *result = c->f->decl->type->canon->base;
    enum kind k = kind_of(c->p, result);
    if (c->f->decl->noreturn) {
        emit_fault(c, n, UB_NORETURN);
        return;
    }
    if (!n->count || !kid(c, n, 0)) {
        promise_end(c, NO_SLOT);
        emit(c, k == KIND_VOID ? I_RETURN_VOID : I_RETURN_NONE, 0, 0, 0, 0);
        return;
    }
    if (k == KIND_VOID) {
        compile_full(c, kid(c, n, 0));
        c->node = n;
        promise_end(c, NO_SLOT);
        emit(c, I_RETURN_VOID, 0, 0, 0, 0);
        return;
    }
    note_passed(c, kid(c, n, 0));
    struct opnd v = compile_full_value(c, kid(c, n, 0), NO_SLOT);
    c->node = n;
    uint32_t slot = opnd_in_slot(c, v);
    promise_end(c, slot);
    if (k == KIND_MEMORY)
        emit(c, I_RETURN_MEMORY, 0, slot, 0, (int64_t)lang_sizeof(c->p, result));
    else if (k == KIND_OTHER)
        emit_unsupported(c, n, "result of this type");
    else
        emit(c, kind_is_pair(k) ? I_RETURN_PAIR : I_RETURN, 0, slot, 0, 0);
}

static void stmt_asm(struct compiler *c, const struct node *n)
{
    bool effects = false;
    for (uint32_t i = 0; i < n->count; i++)
        effects = effects || (n->kid[i] && has_effect(n->kid[i]));
    if (effects || !asm_does_nothing(n->u.text))
        emit_unsupported(c, n, "inline assembly: compilers differ in what it meets");
}

static stmt_fn *const rules[NODE_COUNT] = {
    [NODE_BLOCK] = stmt_block,
    [NODE_EXPR_STMT] = stmt_expr,
    [NODE_EMPTY] = stmt_nothing,
    [NODE_IF] = stmt_if,
    [NODE_SWITCH] = stmt_switch,
    [NODE_CASE] = stmt_case,
    [NODE_DEFAULT] = stmt_case,
    [NODE_WHILE] = stmt_while,
    [NODE_DO] = stmt_do,
    [NODE_FOR] = stmt_for,
    [NODE_GOTO] = stmt_goto,
    [NODE_GOTO_VALUE] = stmt_goto_value,
    [NODE_BREAK] = stmt_break,
    [NODE_CONTINUE] = stmt_break,
    [NODE_RETURN] = stmt_return,
    [NODE_LABEL] = stmt_label,
    [NODE_ASM] = stmt_asm,
    [NODE_DECL] = stmt_decl,
    [NODE_STATIC_ASSERT] = stmt_nothing,
    [NODE_PRAGMA] = stmt_nothing,
    [NODE_ATTRIBUTE] = stmt_nothing,
    [NODE_LOCAL_LABELS] = stmt_nothing,
    [NODE_FUNCTION] = stmt_nothing, /* nested: its object is born with the block */
};

void compile_stmt(struct compiler *c, const struct node *n)
{
    if (has_inserts(c->u, n))
        inserts_before(c, n);
    if (is_dropped(c->u, n))
        return;
    n = enter_node(c, n);
    if (rules[n->kind])
        rules[n->kind](c, n);
    else
        emit_unsupported(c, n, "this kind of statement (%s)", lang_node_info[n->kind].name);
}
