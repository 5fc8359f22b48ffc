/* What an expression is made of, apart from names and numbers: "int >> int", "(short) long".  Two
 * programs that show one mistake of a compiler have the same wrong shape.  Pure. */
#include "triage/private.h"

static const struct node *as_written(const struct node *n)
{
    while (n->kind == NODE_CAST && n->flags & NODE_IMPLICIT && n->count)
        n = n->kid[0];
    return n;
}

static bool is_bitfield(const struct node *n)
{
    return n->kind == NODE_MEMBER && n->u.field->is_bitfield;
}

static void put_type(const struct program *p, const struct type *t, struct text *out)
{
    const struct type *plain = t->canon->unqual;
    if (plain->kind == TYPE_STRUCT || plain->kind == TYPE_UNION)
        text_puts(out, "record");
    else if (plain->kind == TYPE_POINTER)
        text_puts(out, "pointer");
    else
        lang_print_type(p, plain, NULL, out);
}

static void put_operand(const struct program *p, const struct node *n, struct text *out)
{
    const struct node *w = as_written(n);
    if (is_bitfield(w))
        text_puts(out, "bit-field");
    else
        put_type(p, w->type, out);
}

static void put_read(const struct program *p, const struct node *n, struct text *out)
{
    const struct node *from = as_written(n);
    text_puts(out, "value of ");
    put_operand(p, from, out);
    if (from->kind == NODE_INDEX)
        text_puts(out, " in an array");
    else if (from->kind == NODE_MEMBER && !is_bitfield(from))
        text_puts(out, " in a record");
    else if (from->kind == NODE_UNARY)
        text_puts(out, " at a pointer");
}

static void put_call(const struct program *p, const struct node *n, struct text *out)
{
    const struct node *f = as_written(n->kid[0]);
    bool builtin = f->kind == NODE_NAME && f->u.decl->builtin;
    text_puts(out, builtin ? f->u.decl->name : "call of ");
    if (!builtin)
        put_type(p, n->type, out);
}

void shape_put(const struct program *p, const struct node *n, struct text *out)
{
    const char *op = lang_op_info[n->op < OP_COUNT ? n->op : 0].text;
    switch (n->kind) {
    case NODE_BINARY:
        put_operand(p, n->kid[0], out);
        text_printf(out, " %s ", op);
        put_operand(p, n->kid[1], out);
        break;
    case NODE_ASSIGN:
        put_operand(p, n->kid[0], out);
        text_printf(out, n->op == OP_ASSIGN ? " %s " : " %s= ", op);
        put_operand(p, n->kid[1], out);
        break;
    case NODE_UNARY:
        text_puts(out, op);
        put_operand(p, n->kid[0], out);
        break;
    case NODE_COND:
        put_type(p, n->type, out);
        text_puts(out, " ?:");
        break;
    case NODE_CALL:
        put_call(p, n, out);
        break;
    case NODE_CAST:
        if (n->flags & NODE_IMPLICIT) {
            put_read(p, n, out);
            break;
        }
        text_putc(out, '(');
        put_type(p, n->type, out);
        text_puts(out, ") ");
        put_operand(p, n->kid[0], out);
        break;
    default:
        text_puts(out, lang_node_info[n->kind].name);
    }
}
