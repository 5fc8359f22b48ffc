/* A function's tree to instructions, when it is first called; and static initialisers. */
#include "machine/compile.h"

#include <string.h>

static const uint8_t kind_of_type[TYPE_COUNT] = {
    [TYPE_BOOL] = KIND_BOOL,       [TYPE_INT128] = KIND_WIDE,     [TYPE_UINT128] = KIND_WIDE,
    [TYPE_POINTER] = KIND_POINTER, [TYPE_VA_LIST] = KIND_LIST,    [TYPE_STRUCT] = KIND_MEMORY,
    [TYPE_UNION] = KIND_MEMORY,    [TYPE_VECTOR] = KIND_MEMORY,   [TYPE_ARRAY] = KIND_MEMORY,
    [TYPE_COMPLEX] = KIND_OTHER,   [TYPE_DEC32] = KIND_OTHER,     [TYPE_DEC64] = KIND_OTHER,
    [TYPE_DEC128] = KIND_OTHER,    [TYPE_FUNCTION] = KIND_OTHER,  [TYPE_FLOAT16] = KIND_OTHER,
    [TYPE_FLOAT128] = KIND_OTHER,  [TYPE_FLOAT] = KIND_F32,       [TYPE_FLOAT32] = KIND_F32,
    [TYPE_DOUBLE] = KIND_F64,      [TYPE_FLOAT32X] = KIND_F64,    [TYPE_FLOAT64] = KIND_F64,
    [TYPE_LDOUBLE] = KIND_LDOUBLE, [TYPE_FLOAT80] = KIND_LDOUBLE, [TYPE_FLOAT64X] = KIND_LDOUBLE,
};

enum kind kind_of(const struct program *p, const struct type *t)
{
    t = t->canon->unqual;
    if (t->kind == TYPE_ENUM)
        t = t->u.enumeration->base->canon->unqual;
    if (kind_of_type[t->kind] || t->kind == TYPE_VOID)
        return kind_of_type[t->kind];
    bool is_signed = lang_int_signed(p, t);
    switch (lang_int_width(p, t)) {
    case 8:
        return is_signed ? KIND_I8 : KIND_U8;
    case 16:
        return is_signed ? KIND_I16 : KIND_U16;
    case 32:
        return is_signed ? KIND_I32 : KIND_U32;
    case 64:
        return is_signed ? KIND_I64 : KIND_U64;
    default:
        return KIND_OTHER;
    }
}

unsigned kind_size(const struct program *p, enum kind k)
{
    static const uint8_t sizes[] = {
        [KIND_I8] = 1,  [KIND_U8] = 1,   [KIND_I16] = 2,   [KIND_U16] = 2,      [KIND_I32] = 4,
        [KIND_U32] = 4, [KIND_I64] = 8,  [KIND_U64] = 8,   [KIND_BOOL] = 1,     [KIND_F32] = 4,
        [KIND_F64] = 8, [KIND_LIST] = 4, [KIND_WIDE] = 16, [KIND_LDOUBLE] = 10, [KIND_OTHER] = 0,
    };
    return k == KIND_POINTER ? p->target->pointer.size : sizes[k];
}

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
    for (uint32_t i = 0; i < f->param_count; i++) {
        struct decl *d = f->params[i];
        struct var *v = link_var(c->m, c->u, d);
        convert_old_parameter(c, d, v->place == VAR_LOCAL ? v->local->argument : v->slot);
        if (v->place != VAR_LOCAL)
            continue;
        emit(c, I_BORN, 0, 0, 0, 0)->u.local = v->local;
        loc_store(c, c->node, local_loc(c, d), opnd_slot(v->local->argument));
        if (d->type->canon->quals & QUAL_CONST)
            emit(c, I_SEAL, 0, v->slot, 0, CONST_ALL);
    }
    c->next = c->floor;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i]->written)
            vla_parameter_lengths(c, f->params[i]->written);
}

/* main returns 0 at its end (C11 5.1.2.2.3); elsewhere no value comes back. */
static void fall_off(struct compiler *c)
{
    const struct type *result = c->f->decl->type->canon->base;
    c->next = c->floor;
    if (c->f->decl->noreturn)
        emit_fault(c, c->f->body->node, UB_NORETURN);
    else if (result->kind == TYPE_VOID)
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

struct code *compile_function(struct machine *m, struct func *f, bool tracked)
{
    struct unit_state *u = &m->units[f->unit];
    struct compiler c = {.m = m, .u = u, .p = u->p, .f = f, .label_func = f, .tracked = tracked};
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
    c.floor = c.next;
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
    compile_initialiser(&c, l, init);
    emit(&c, I_END, 0, 0, 0, 0);
    code->slots += 2;
    return code;
}
