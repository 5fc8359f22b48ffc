/* A function's tree to instructions, when it is first called; and static initialisers. */
#include "machine/compile/private.h"

#include <string.h>

static struct code *code_new(struct compiler *c, bool tracked)
{
    struct code *code = NEW(&c->m->arena, struct code);
    code->func = c->f;
    code->tracked = tracked;
    c->code = code;
    emit(c, I_NOP, 0, 0, 0, 0);
    return code;
}

/* A K&R parameter was passed promoted (C11 6.9.1p10: converted as if by assignment). */
static void convert_old_parameter(struct compiler *c, struct decl *d, uint32_t slot)
{
    if (c->f->decl->type->canon->flags & TYPE_PROTOTYPE)
        return;
    struct type *from = lang_promoted(c->p, d->type);
    if (d->type->canon->kind == TYPE_FLOAT)
        from = lang_basic(c->p, TYPE_DOUBLE);
    if (from == d->type->canon->unqual || !lang_is_arithmetic(d->type))
        return;
    struct opnd v = compile_convert(c, NULL, opnd_slot(slot), from, d->type, slot);
    emit_move(c, kind_of(c->p, d->type), slot, v);
}

/* Parameters that live in memory get their objects, filled from where the caller put them. */
static void enter_params(struct compiler *c)
{
    const struct function *f = c->f->body;
    promise_enter(c);
    for (uint32_t i = 0; i < f->param_count; i++) {
        struct decl *d = f->params[i];
        struct var *v = link_var(c->m, c->u, d);
        convert_old_parameter(c, d, v->place == VAR_LOCAL ? v->local->argument : v->slot);
        promise_parameter(c, d, v->place == VAR_LOCAL ? v->local->argument : v->slot);
        if (v->place != VAR_LOCAL)
            continue;
        emit(c, I_BORN, 0, 0, 0, 0)->u.local = v->local;
        loc_store(c, c->node, local_loc(c, d), opnd_slot(v->local->argument));
        if (v->kind == KIND_MEMORY)
            compile_passed_padding(c, loc_address(c, c->node, local_loc(c, d)), d->type);
        if (d->type->canon->quals & QUAL_CONST)
            emit(c, I_SEAL, 0, v->slot, 0, CONST_ALL);
    }
    c->next = c->floor;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i]->written) {
            vla_parameter_lengths(c, f->params[i]->written);
            promise_variable_parameter(c, f->params[i]);
        }
    promise_begin(c);
}

/* main returns 0 at its end (C11 5.1.2.2.3); elsewhere no value comes back. */
static void fall_off(struct compiler *c)
{
    const struct type *result = c->f->decl->type->canon->base;
    c->next = c->floor;
    if (c->f->decl->noreturn)
        emit_fault(c, c->f->body->node, UB_NORETURN);
    promise_end(c, NO_SLOT);
    if (result->kind == TYPE_VOID)
        emit(c, I_RETURN_VOID, 0, 0, 0, 0);
    else if (strcmp(c->f->name, "main") == 0)
        emit(c, I_RETURN, 0, opnd_in_slot(c, opnd_k(0)), 0, 0);
    else
        emit(c, I_RETURN_NONE, 0, 0, 0, 0);
}

/* Gotos whose label an edit removed. */
static void lost_labels(struct compiler *c)
{
    for (size_t i = 0; i < c->f->body->labels.n; i++) {
        if (c->labels[i].at || !c->labels[i].jumps.n)
            continue;
        target_here(c, &c->labels[i]);
        emit_unsupported(c, c->f->body->node, "goto to a label that is not there");
    }
}

struct code *compile_function(struct machine *m, struct func *f, bool tracked, bool watched)
{
    struct unit_state *u = &m->units[f->unit];
    struct compiler c = {.m = m, .u = u, .p = u->p, .f = f, .label_func = f, .tracked = tracked};
    c.watched = watched;
    link_grow(m, u);
    c.counters = f->counters;
    c.node = f->body->node;
    struct code *code = code_new(&c, tracked);
    c.labels = NEW_ARRAY(&m->arena, f->body->labels.n + 1, struct spot);
    code->labels = NEW_ARRAY(&m->arena, f->body->labels.n + 1, uint32_t);
    code->label_scopes = NEW_ARRAY(&m->arena, f->body->labels.n + 1, struct scope *);
    uint32_t first = m->count_count;
    region_count(&c);
    if (!f->counters)
        f->counters = first;
    prepare_function(&c, f->body->body);
    code->bases = c.bases;
    c.floor = c.next;
    if (c.bases && c.bases->restricted)
        emit(&c, I_RESTRICT_ENTER, 0, 0, 0, 0);
    enter_params(&c);
    u->counter[f->body->node->id] = c.region + 1;
    compile_stmt(&c, f->body->body);
    c.node = f->body->node;
    fall_off(&c);
    lost_labels(&c);
    code->slots += 2;
    return code;
}

struct code *compile_static(struct machine *m, struct func *owner, struct unit_state *u,
                            struct object *o, const struct node *init, const struct type *type)
{
    struct compiler c = {.m = m, .u = u, .p = u->p, .f = &m->init_func, .label_func = owner};
    link_grow(m, u);
    c.node = init;
    m->init_func.unit = u->index;
    struct code *code = code_new(&c, false);
    region_count(&c);
    prepare_function(&c, init);
    c.floor = c.next;
    struct loc l = {.kind = LOC_STATIC, .object = o, .index = NO_SLOT, .type = type->canon};
    compile_initialiser(&c, l, init, NULL);
    emit(&c, I_END, 0, 0, 0, 0);
    code->slots += 2;
    return code;
}
