/* Initialisers: zero the object, then store each item (C11 6.7.9). */
#include "machine/compile/private.h"

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

static void store_item(struct compiler *c, struct loc l, const struct init_item *item,
                       uint64_t offset)
{
    const struct node *value = edited_node(c->u, item->value);
    struct loc to = l;
    to.offset += (int64_t)offset;
    to.type = item->type;
    to.field = item->field;
    to.packed = true;
    if (value->kind == NODE_STRING && item->type->kind == TYPE_ARRAY) {
        enter_node(c, value);
        uint32_t address = loc_address(c, value, to);
        emit(c, I_BYTES, 0, address, 0, (int64_t)lang_sizeof(c->p, item->type))->u.at = value;
        return;
    }
    const struct node *list = own_list(c, value);
    if (list) {
        compile_initialiser(c, to, list);
        return;
    }
    if (!item->field && compile_byte_init(c, to, value))
        return;
    struct opnd v = compile_value(c, value, NO_SLOT);
    loc_store(c, value, to, v);
}

static void store_items(struct compiler *c, struct loc l, const struct init *init)
{
    for (uint32_t i = 0; i < init->count; i++) {
        const struct init_item *item = &init->items[i];
        uint32_t next = c->next;
        for (uint64_t k = 0; k < item->repeat; k++) {
            store_item(c, l, item, item->offset + k * item->stride);
            c->next = next;
        }
    }
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

void compile_initialiser(struct compiler *c, struct loc l, const struct node *init)
{
    const struct node *own = own_list(c, init);
    l.type = l.type->canon;
    if (own)
        init = own;
    if (l.type->kind == TYPE_ARRAY && init->kind != NODE_INIT) {
        store_array(c, l, init);
        return;
    }
    if (init->kind != NODE_INIT && compile_byte_init(c, l, init))
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
    if (l.kind == LOC_SLOT) {
        const struct init *list = init->u.init;
        struct opnd v = list->count ? compile_value(c, list->items[0].value, NO_SLOT) : opnd_k(0);
        loc_store(c, init, l, v);
        return;
    }
    uint32_t address = loc_address(c, init, l);
    emit(c, I_ZERO, 0, address, 0, (int64_t)init->u.init->size);
    store_items(c, l, init->u.init);
}
