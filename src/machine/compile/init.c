/* Initialisers: zero the object, then store each item (C11 6.7.9). */
#include "machine/compile/private.h"

#include <string.h>

/* GNU: what stands in a static object's initialiser as a compound literal is its own list: there
 * is no other object to copy from before the program starts. */
static const struct node *own_list(struct compiler *c, const struct node *value)
{
    if (c->f != &c->m->init_func)
        return NULL;
    const struct node *n = value;
    if (n->kind == NODE_CAST && n->op == CONV_LVALUE)
        n = kid(c, n, 0);
    return n->kind == NODE_LITERAL ? kid(c, n, 0) : NULL;
}

static void store_item(struct compiler *c, struct loc l, const struct init_item *item)
{
    const struct node *value = edited_node(c->u, item->value);
    struct loc to = l;
    to.offset += (int64_t)item->offset;
    to.type = item->type;
    to.field = item->field;
    to.packed = true;
    to.begins = lang_is_aggregate(l.type);
    if (value->kind == NODE_STRING && item->type->kind == TYPE_ARRAY) {
        enter_node(c, value);
        uint32_t address = loc_address(c, value, to);
        emit(c, I_BYTES, 0, address, 0, (int64_t)lang_sizeof(c->p, item->type))->u.at = value;
        return;
    }
    const struct node *list = own_list(c, value);
    if (list) {
        compile_initialiser(c, to, list, NULL);
        return;
    }
    if (item->repeat == 1 && !item->field && compile_copied_init(c, to, value))
        return;
    struct opnd v = compile_value(c, value, NO_SLOT);
    check_floating_field(c, &to, value, v);
    loc_touch(c, value, &to, true);
    /* GNU: the value of [a ... b] is evaluated once */
    for (uint64_t k = 0; k < item->repeat; k++, to.offset += (int64_t)item->stride)
        loc_store(c, value, to, v);
}

/* A string or a list of its own may be repeated too: neither has side effects. */
static void store_repeated(struct compiler *c, struct loc l, const struct init_item *item)
{
    const struct node *value = edited_node(c->u, item->value);
    bool text = value->kind == NODE_STRING && item->type->kind == TYPE_ARRAY;
    if (!text && !own_list(c, value)) {
        store_item(c, l, item);
        return;
    }
    struct init_item one = *item;
    one.repeat = 1;
    for (uint64_t k = 0; k < item->repeat; k++, one.offset += item->stride)
        store_item(c, l, &one);
}

/* The items in an order that C leaves open (6.7.9p23): each is an operand for sequence.c. */
static void store_items(struct compiler *c, struct loc l, const struct node *n)
{
    const struct init *init = n->u.init;
    for (uint32_t i = 0; i < init->count; i++) {
        uint32_t next = c->next;
        if (c->tracking) {
            c->node = n;
            emit(c, I_SEQ_MARK, 0, 0, 0, 0);
        }
        store_repeated(c, l, &init->items[operand_at(c, n, i, init->count)]);
        c->next = next;
    }
    c->node = n;
    if (c->tracking && init->count)
        emit(c, I_SEQ_MERGE, 0, 0, 0, 16 + (int64_t)init->count)->tag = TOUCH_INNER;
}

/* GNU: an array from another array, as a compound literal; or from a string. */
static void store_array(struct compiler *c, struct loc l, const struct node *init)
{
    uint32_t to = loc_address(c, init, l);
    if (init->kind == NODE_STRING) {
        enter_node(c, init);
        emit(c, I_BYTES, 0, to, 0, (int64_t)lang_sizeof(c->p, l.type))->u.at = init;
        return;
    }
    struct loc from = compile_lvalue(c, init, false);
    uint32_t address = loc_address(c, init, from);
    emit(c, I_COPY, 0, to, address, (int64_t)lang_sizeof(c->p, l.type));
}

/* Has it a scalar whose bytes lie the other way round? */
static bool has_reversed(const struct type *t)
{
    while (t->canon->kind == TYPE_ARRAY)
        t = t->canon->base;
    const struct record *r = lang_is_record(t) ? t->canon->u.record : NULL;
    for (uint32_t i = 0; r && !r->reversed && i < r->count; i++)
        if (has_reversed(r->fields[i]->type))
            return true;
    return r && r->reversed;
}

/* Is that the variable, or a part of it that is named? */
static bool is_part_of(struct compiler *c, const struct node *n, const struct decl *d)
{
    n = edited_node(c->u, n);
    bool part = (n->kind == NODE_MEMBER && !(n->flags & NODE_ARROW)) || n->kind == NODE_INDEX ||
                (n->kind == NODE_CAST && n->op == CONV_ARRAY);
    return n->kind == NODE_NAME ? n->u.decl == d : part && is_part_of(c, n->kid[0], d);
}

/* Does n read the variable, or a part of it, by name? */
static bool reads(struct compiler *c, const struct node *n, const struct decl *d)
{
    n = edited_node(c->u, n);
    if (n->kind == NODE_CAST && n->op == CONV_LVALUE && is_part_of(c, n->kid[0], d))
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && reads(c, n->kid[i], d))
            return true;
    return false;
}

enum { MOST_BYTES = 1 << 16 };

/* The bytes that no item gives a value; NULL when that is not looked at: items share bytes, or
 * there are too many. */
static struct padding *rest_of(struct compiler *c, const struct init *list)
{
    if (list->size > MOST_BYTES)
        return NULL;
    struct padding *rest = NEW(&c->m->arena, struct padding);
    *rest = (struct padding){arena_alloc(&c->m->arena, list->size + 1), list->size};
    memset(rest->bits, 0xff, list->size);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct init_item *item = &list->items[i];
        if (item->field)
            return NULL;
        for (uint64_t k = 0; k < item->repeat; k++)
            memset(rest->bits + item->offset + k * item->stride, 0, lang_sizeof(c->p, item->type));
    }
    return rest;
}

/* A list that reads the variable which it is for: what it did not set yet was never set. */
static bool compile_own_reader(struct compiler *c, struct loc l, const struct node *init,
                               uint32_t address, const struct decl *d)
{
    struct padding *rest = d && reads(c, init, d) ? rest_of(c, init->u.init) : NULL;
    if (!rest)
        return false;
    emit(c, I_UNSET, 0, address, 0, (int64_t)rest->size);
    store_items(c, l, init);
    emit(c, I_ZERO_REST, 0, address, 0, 0)->u.padding = rest;
    return true;
}

void compile_initialiser(struct compiler *c, struct loc l, const struct node *init,
                         const struct decl *d)
{
    if (has_reversed(l.type))
        emit_unsupported(c, init, "a structure of another byte order");
    const struct node *own = own_list(c, init);
    l.type = l.type->canon;
    if (own)
        init = own;
    if (l.type->kind == TYPE_ARRAY && init->kind != NODE_INIT) {
        store_array(c, l, init);
        return;
    }
    if (init->kind != NODE_INIT && compile_copied_init(c, l, init))
        return;
    if (init->kind != NODE_INIT) {
        struct opnd v = compile_full_value(c, init, NO_SLOT);
        loc_store(c, init, l, v);
        return;
    }
    enter_node(c, init);
    if (!init->u.init) {
        emit_unsupported(c, init, "this initialiser");
        return;
    }
    if (init->u.init->mixed) {
        emit_unsupported(
            c, init,
            "an initialiser that compilers take differently: a part of a value that is replaced");
        return;
    }
    if (l.kind == LOC_SLOT) {
        const struct init *list = init->u.init;
        struct opnd v = list->count ? compile_value(c, list->items[0].value, NO_SLOT) : opnd_k(0);
        loc_store(c, init, l, v);
        return;
    }
    uint32_t address = loc_address(c, init, l);
    unsigned watch = c->f != &c->m->init_func ? compile_watch(c, init) : 0;
    if (!compile_own_reader(c, l, init, address, d)) {
        emit(c, I_ZERO, 0, address, 0, (int64_t)init->u.init->size);
        compile_padding(c, address, l.type, init->u.init);
        store_items(c, l, init);
    }
    compile_unwatch(c, init, watch);
}
