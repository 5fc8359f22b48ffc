/* Calls: arguments into the slots where the callee's frame begins, variable ones in front. */
#include "machine/compile/private.h"

#include <string.h>

/* An object for a value that needs memory: as the result of a call. */
struct local *temporary(struct compiler *c, const struct type *t)
{
    struct local *l = NEW(&c->m->arena, struct local);
    l->type = t->canon;
    l->program = c->p;
    l->size = lang_sizeof(c->p, t);
    l->align = lang_alignof(c->p, t);
    l->slot = slot_reserved(c);
    if (t->canon->flags & TYPE_VARIABLE)
        emit_unsupported(c, c->node, "structure of variable size");
    return l;
}

struct opnd temporary_copy(struct compiler *c, const struct type *t, struct opnd v)
{
    const struct local *l = temporary(c, t);
    uint32_t to = slot_new(c, 1), from = opnd_in_slot(c, v);
    emit(c, I_BORN, 0, 0, 0, 0)->u.local = l;
    emit(c, I_ADDRESS_L, to, l->slot, 0, 0);
    emit(c, I_COPY, 0, to, from, (int64_t)l->size);
    c->result = l;
    return opnd_slot(to);
}

static const struct decl *named_function(const struct compiler *c, const struct node *callee)
{
    callee = selected(c, callee);
    while (callee->kind == NODE_CAST && (callee->op == CONV_FUNCTION || callee->op == CONV_NOOP))
        callee = selected(c, kid(c, callee, 0));
    if (callee->kind == NODE_UNARY && (callee->op == OP_DEREF || callee->op == OP_ADDR))
        return named_function(c, kid(c, callee, 0));
    if (callee->kind != NODE_NAME || callee->u.decl->kind != DECL_FUNC)
        return NULL;
    return callee->u.decl;
}

static unsigned slots_for(const struct compiler *c, const struct type *t)
{
    return kind_is_pair(kind_of(c->p, t)) ? 2 : 1;
}

/* How many of the arguments go to parameters; the rest is variable. */
static uint32_t fixed_count(const struct type *f, uint32_t n)
{
    if (!(f->flags & TYPE_PROTOTYPE))
        return n;
    return f->u.function->count < n ? f->u.function->count : n;
}

/* An argument into its slot, as it must lie there.  A structure that goes to no parameter is an
 * object from now on: the callee may change the one that it was read from before it asks for it. */
static void argument(struct compiler *c, const struct node *a, uint32_t slot, bool variable)
{
    enum kind k = kind_of(c->p, a->type);
    struct opnd v = compile_value(c, a, k == KIND_MEMORY || k == KIND_VOID ? NO_SLOT : slot);
    c->node = a;
    if (k == KIND_MEMORY && variable)
        v = temporary_copy(c, a->type, v);
    if (k == KIND_OTHER)
        emit_unsupported(c, a, "argument of this type");
    else
        emit_move(c, k, slot, v);
}

/* The function, unless it is named (pointer: NO_SLOT), and the arguments. */
void note_passed(struct compiler *c, const struct node *value)
{
    if (memory_tag(c->p, edited_node(c->u, value)->type) != TAG_CHAR || !copied_lvalue(c, value))
        return;
    for (; value->op != CONV_LVALUE; value = kid(c, value, 0))
        continue;
    list_add(&c->m->arena, &c->u->passed, (void *)(uintptr_t)value);
}

/* The value of an lvalue that a pointer is, after no more than conversions. */
static const struct node *pointer_read(const struct compiler *c, const struct node *n)
{
    while (n->kind == NODE_CAST && (n->op == CONV_PTR || n->op == CONV_NOOP))
        n = kid(c, n, 0);
    return n;
}

static void operands(struct compiler *c, const struct node *n, struct call_site *site,
                     uint32_t pointer)
{
    uint32_t fixed = fixed_count(site->function, site->count);
    for (uint32_t k = 0; k <= site->count; k++) {
        uint32_t i = operand_at(c, n, k, site->count + 1), next = c->next;
        if (c->tracking) {
            c->node = n;
            emit(c, I_SEQ_MARK, 0, 0, 0, 0);
        }
        if (i > 0) {
            if (!site->callee || site->callee->body)
                note_passed(c, kid(c, n, i));
            else
                c->followed = pointer_read(c, kid(c, n, i)); /* the library says it better */
            argument(c, kid(c, n, i), site->slot[i - 1], i > fixed);
        } else if (pointer != NO_SLOT)
            emit_move(c, KIND_POINTER, pointer, compile_value(c, kid(c, n, 0), pointer));
        c->next = next;
    }
}

static void lay_out(struct compiler *c, const struct node *n, struct call_site *site)
{
    uint32_t fixed = fixed_count(site->function, site->count);
    for (uint32_t i = fixed; i < site->count; i++)
        site->slot[i] = slot_new(c, slots_for(c, kid(c, n, i + 1)->type));
    site->base = c->next;
    for (uint32_t i = 0; i < fixed; i++)
        site->slot[i] = slot_new(c, slots_for(c, kid(c, n, i + 1)->type));
}

static struct call_site *site_new(struct compiler *c, const struct node *n, bool used)
{
    struct call_site *s = NEW(&c->m->arena, struct call_site);
    s->node = n;
    s->unit = c->u->index;
    s->count = n->count - 1;
    s->function = kid(c, n, 0)->type->base;
    s->result = n->type;
    s->used = used;
    s->tested = c->tested == n || !used;
    s->types = NEW_ARRAY(&c->m->arena, s->count, const struct type *);
    s->slot = NEW_ARRAY(&c->m->arena, s->count, uint32_t);
    struct basis *based = c->bases ? NEW_ARRAY(&c->m->arena, s->count, struct basis) : NULL;
    for (uint32_t i = 0; i < s->count; i++) {
        s->types[i] = kid(c, n, i + 1)->type;
        if (based && s->types[i]->canon->kind == TYPE_POINTER)
            based[i] = based_on(c, kid(c, n, i + 1));
    }
    s->based = based;
    return s;
}

/* Where compilers may take their own function instead of the program's: what theirs gives.  The
 * program's may have no effects then, and has to give the same. */
static void call_rival(struct compiler *c, const struct call_site *site, uint32_t slot)
{
    const struct func *f = site->callee;
    if (purity_of_function(c->m, &c->m->units[f->unit], f->body) > 1)
        emit_unsupported(c, site->node, "the program's own '%s', where compilers may take theirs",
                         f->name);
    emit(c, I_RIVAL, slot, 0, 0, 0)->u.site = site;
}

/* Is it a pointer to a function that was declared not to return? */
static bool never_returns(const struct compiler *c, const struct node *callee)
{
    while (callee->kind == NODE_CAST || (callee->kind == NODE_UNARY && callee->op == OP_DEREF))
        callee = kid(c, callee, 0);
    return callee->kind == NODE_NAME && callee->u.decl->noreturn;
}

/* Functions that look at their arguments only while they are called. */
static bool is_of_strings(const char *name)
{
    static const char *const all[] = {"mem", "str", "stp", "sprintf", "snprintf", "fgets", "fread"};
    if (str_has_prefix(name, "__builtin_"))
        name += strlen("__builtin_");
    for (size_t i = 0; i < LENGTH(all); i++)
        if (str_has_prefix(name, all[i]))
            return strncmp(name, "strtok", 6) != 0;
    return false;
}

static void note_rooms(struct compiler *c, const struct node *n, struct call_site *site)
{
    if (!site->callee || site->callee->body || !is_of_strings(site->callee->name))
        return;
    for (uint32_t i = 0; i < site->count; i++) {
        bool pointer = site->types[i]->canon->kind == TYPE_POINTER;
        uint64_t room = pointer ? written_room(c, kid(c, n, i + 1)) : UINT64_MAX;
        if (room == UINT64_MAX)
            continue;
        uint64_t *rooms = (uint64_t *)(uintptr_t)site->rooms;
        if (!rooms) {
            site->rooms = rooms = NEW_ARRAY(&c->m->arena, site->count, uint64_t);
            memset(rooms, 0xff, site->count * sizeof *rooms);
        }
        rooms[i] = room;
    }
}

struct opnd compile_call(struct compiler *c, const struct node *n, uint32_t want, bool used)
{
    struct opnd v;
    if (compile_builtin(c, n, &v, want))
        return v;
    check_selected(c, kid(c, n, 0));
    const struct decl *d = named_function(c, kid(c, n, 0));
    struct call_site *site = site_new(c, n, used);
    enum kind k = kind_of(c->p, n->type);
    uint32_t dst = k == KIND_VOID ? NO_SLOT : slot_new(c, kind_is_pair(k) ? 2 : 1);
    uint32_t pointer = NO_SLOT, result = NO_SLOT, rival = NO_SLOT;
    const struct local *temporary_result = NULL;
    if (k == KIND_OTHER)
        emit_unsupported(c, n, "result of this type");
    if (d) {
        enter_node(c, kid(c, n, 0));
        site->callee = link_func(c->m, c->u, (struct decl *)(uintptr_t)d);
        rival = site->callee->rival ? slot_new(c, 1) : NO_SLOT;
    } else {
        pointer = slot_new(c, 1);
    }
    c->node = n;
    if (k == KIND_MEMORY) {
        const struct local *l = temporary_result = temporary(c, n->type);
        emit(c, I_BORN, 0, 0, 0, 0)->u.local = l;
        result = slot_new(c, 1);
        emit(c, I_ADDRESS_L, result, l->slot, 0, 0);
    }
    bool promises = d && site->callee->body; /* the library looks at its own */
    bool fresh = promises && k == KIND_POINTER && d->attrs;
    uint32_t room = fresh ? promise_room(c, d, site) : NO_SLOT;
    lay_out(c, n, site);
    note_rooms(c, n, site);
    operands(c, n, site, pointer);
    c->node = n;
    if (c->tracking)
        emit(c, I_SEQ_MERGE, 0, 0, 0, 16 + (int64_t)site->count + 1);
    site->counter = c->region;
    site->order = ++c->order;
    if (promises)
        promise_arguments(c, d, site);
    if (rival != NO_SLOT)
        call_rival(c, site, rival);
    struct kept_arguments kept = {NO_SLOT, NO_SLOT, NO_SLOT, 0};
    if (room != NO_SLOT)
        kept = promise_keep(c, d, site, room);
    struct insn *i = emit(c, d ? I_CALL : I_CALL_POINTER, dst, pointer, result, 0);
    i->u.site = site;
    i->fact = k == KIND_VOID || k == KIND_MEMORY || kind_is_pair(k) ? 0 : fact_of(c, n);
    if (result != NO_SLOT)
        compile_passed_padding(c, result, n->type);
    if (rival != NO_SLOT)
        emit(c, I_RIVAL_SAME, 0, dst, rival, 0)->u.site = site;
    if (fresh)
        promise_result(c, d, dst, &kept);
    if (d ? d->noreturn : never_returns(c, kid(c, n, 0)))
        emit_fault(c, n, UB_NORETURN);
    c->result = temporary_result;
    c->next = site->base;
    if (d && d->noreturn)
        c->abrupt++;
    return dst == NO_SLOT ? opnd_k(0) : opnd_slot(dst);
}

/* ---- builtins that are no functions ----------------------------------------------------- */

static const struct decl *builtin_of(const struct compiler *c, const struct node *n)
{
    const struct decl *d = named_function(c, kid(c, n, 0));
    return d && d->builtin && d->implicit ? d : NULL;
}

/* C11 7.16.1.4p4: it is the last parameter, of a type that a variable argument could have, and no
 * register. */
static void check_last_parameter(struct compiler *c, const struct node *n)
{
    const struct node *last = n->count > 2 ? kid(c, n, 2) : NULL;
    while (last && last->kind == NODE_CAST)
        last = kid(c, last, 0);
    if (!last || last->kind != NODE_NAME || last->u.decl->kind != DECL_PARAM)
        return;
    const struct type *t = last->u.decl->type->canon->unqual;
    bool promoted = t->kind == TYPE_FLOAT ||
                    (lang_is_integer(t) && lang_promoted(c->p, t) != t && t->kind != TYPE_ENUM);
    const struct function *f = c->f->body;
    bool is_last = f->param_count && f->params[f->param_count - 1] == last->u.decl;
    if (promoted || !is_last || last->u.decl->storage == STORAGE_REGISTER)
        emit_fault(c, n, UB_VA_ARG);
}

static bool builtin_list(struct compiler *c, const struct node *n, unsigned which)
{
    struct loc l = compile_lvalue(c, kid(c, n, 1), false);
    uint32_t slot = slot_new(c, 1);
    if (which == BUILTIN_va_start) {
        check_last_parameter(c, n);
        emit(c, I_VA_START, slot, 0, 0, 0);
    } else if (which == BUILTIN_va_copy) {
        const struct node *from = kid(c, n, 2);
        struct opnd v = from->flags & NODE_LVALUE
                            ? loc_load(c, from, compile_lvalue(c, from, false), NO_SLOT)
                            : compile_value(c, from, NO_SLOT);
        c->node = n;
        emit(c, I_VA_COPY, slot, opnd_in_slot(c, v), 0, 0);
    } else {
        struct opnd v = loc_load(c, kid(c, n, 1), l, NO_SLOT);
        emit(c, I_VA_END, 0, opnd_in_slot(c, v), 0, 0);
        return true;
    }
    c->node = n;
    loc_store(c, n, l, opnd_slot(slot));
    return true;
}

/* The numbers of gcc's typeclass.h, after the promotions of a call. */
static uint64_t type_class(const struct type *t)
{
    t = t->canon;
    if (lang_is_integer(t))
        return 1;
    if (lang_is_floating(t))
        return 8;
    switch (t->kind) {
    case TYPE_POINTER:
    case TYPE_ARRAY:
    case TYPE_FUNCTION:
        return 5;
    case TYPE_COMPLEX:
        return 9;
    case TYPE_STRUCT:
        return 12;
    case TYPE_UNION:
        return 13;
    default:
        return 0;
    }
}

/* A choice that compilers make in each place by itself. */
static bool choose_here(struct compiler *c, enum machine_choice k, const struct node *n)
{
    struct machine *m = c->m;
    struct choice_spot here = {k, {c->u->index, n}};
    bool known = m->spot_count == MOST_SPOTS;
    for (uint32_t i = 0; i < m->spot_count; i++)
        known = known || m->spots[i].place.node == n;
    if (!known)
        m->spots[m->spot_count++] = here;
    return machine_choose(m, k, c->u->index, n);
}

/* __builtin_constant_p: the answer may be another each time, where a function is expanded in
 * several places. */
static struct opnd guess_constant(struct compiler *c, const struct node *n)
{
    bool other = choose_here(c, CHOICE_CONSTANT_P, n);
    if (!other || c->m->options.way == 0)
        return opnd_k(other);
    uint32_t dst = slot_new(c, 1);
    emit(c, I_GUESS, dst, 0, 0, c->m->options.way);
    return opnd_slot(dst);
}

/* True when the call was dealt with here. */
bool compile_builtin(struct compiler *c, const struct node *n, struct opnd *v, uint32_t want)
{
    const struct decl *d = builtin_of(c, n);
    u128 bits;
    *v = opnd_k(0);
    if (!d)
        return false;
    switch (d->builtin) {
    case BUILTIN_va_start:
    case BUILTIN_va_copy:
    case BUILTIN_va_end:
        return builtin_list(c, n, d->builtin);
    case BUILTIN_expect:
    case BUILTIN_expect_with_probability:
        *v = compile_value(c, kid(c, n, 1), want);
        for (uint32_t i = 2; i < n->count; i++)
            compile_value(c, kid(c, n, i), NO_SLOT);
        return true;
    case BUILTIN_constant_p:
        *v = opnd_k(lang_constant(c->p, n, &bits) && bits);
        if (!v->k && !lang_constant(c->p, kid(c, n, 1), &bits))
            *v = guess_constant(c, n);
        return true;
    case BUILTIN_unreachable:
        emit_fault(c, n, UB_UNREACHABLE);
        c->abrupt++;
        return true;
    case BUILTIN_assume: {
        struct spot holds = {0};
        compile_condition(c, kid(c, n, 1), true, &holds);
        emit_fault(c, n, UB_UNREACHABLE);
        target_here(c, &holds);
        return true;
    }
    case BUILTIN_prefetch:
        compile_value(c, kid(c, n, 1), NO_SLOT);
        return true;
    case BUILTIN_object_size:
    case BUILTIN_dynamic_object_size: {
        u128 which = 0;
        lang_constant(c->p, kid(c, n, 2), &which);
        if (choose_here(c, CHOICE_OBJECT_SIZE, n)) {
            uint32_t dst = slot_new(c, 1);
            struct opnd pointer = compile_value(c, kid(c, n, 1), NO_SLOT);
            c->node = n;
            emit(c, I_OBJECT_SIZE, dst, opnd_in_slot(c, pointer), 0, 0);
            *v = opnd_slot(dst);
            return true;
        }
        *v = opnd_k(which & 2 ? 0 : (uint64_t)lang_wrap(~(u128)0, 8u * c->p->target->pointer.size));
        return true;
    }
    case BUILTIN_complex:
        *v = complex_of(c, n);
        return true;
    case BUILTIN_classify_type:
        *v = opnd_k(type_class(kid(c, n, 1)->type));
        return true;
    default:
        return false;
    }
}

struct opnd compile_va_arg(struct compiler *c, const struct node *n, uint32_t want)
{
    (void)want;
    const struct node *list = kid(c, n, 0);
    struct opnd v = list->flags & NODE_LVALUE
                        ? loc_load(c, list, compile_lvalue(c, list, false), NO_SLOT)
                        : compile_value(c, list, NO_SLOT);
    enum kind k = kind_of(c->p, n->type);
    uint32_t dst = slot_new(c, 2);
    c->node = n;
    struct insn *i = emit(c, I_VA_ARG, dst, opnd_in_slot(c, v), 0, 0);
    i = &c->code->insn[c->code->count - 1];
    i->u.type = n->type;
    i->tag = list->kind == NODE_NAME && list->u.decl->kind == DECL_PARAM;
    if (k == KIND_MEMORY) {
        const struct local *l = temporary(c, n->type);
        emit(c, I_BORN, 0, 0, 0, 0)->u.local = l;
        uint32_t own = slot_new(c, 1);
        emit(c, I_ADDRESS_L, own, l->slot, 0, 0);
        emit(c, I_COPY, 0, own, dst, (int64_t)l->size);
        compile_passed_padding(c, own, n->type);
        return opnd_slot(own);
    }
    return opnd_slot(dst);
}
