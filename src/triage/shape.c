/* What an expression is made of, apart from names and numbers: "int >>", "(short) long".  Two
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
    else if (plain->kind == TYPE_ENUM)
        text_puts(out, "enum");
    else if (lang_is_floating(plain))
        text_puts(out, "floating");
    else
        lang_print_type(p, plain, NULL, out);
}

static void put_operand(const struct program *p, const struct node *n, struct text *out)
{
    const struct node *w = as_written(n);
    if (is_bitfield(w)) /* one is extended with its sign, the other with zeros */
        text_puts(out, lang_int_signed(p, w->type) ? "signed bit-field" : "bit-field");
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

/* Compilers treat == and != alike. */
static const char *group_of(const struct node *n)
{
    enum op op = n->op < OP_COUNT ? (enum op)n->op : OP_COMMA;
    return lang_op_info[op == OP_NE ? OP_EQ : op].text;
}

/* What counts of the types that are compared: which order it is. */
static void put_comparison(const struct program *p, const struct type *t, struct text *out)
{
    text_puts(out, lang_is_floating(t)                           ? "floating <"
                   : lang_is_integer(t) && lang_int_signed(p, t) ? "signed <"
                                                                 : "unsigned <");
}

static bool is_comparison(const struct node *n)
{
    return n->op == OP_LT || n->op == OP_GT || n->op == OP_LE || n->op == OP_GE;
}

/* The type that an operation works in counts, not what it was made from: its operands are right. */
static void put_operation(const struct program *p, const struct type *t, const char *op,
                          struct text *out)
{
    put_type(p, t, out);
    text_printf(out, " %s", op);
}

static void put_assignment(const struct program *p, const struct node *n, const char *op,
                           struct text *out)
{
    if (n->op != OP_ASSIGN) {
        put_operation(p, n->u.operand ? n->u.operand : n->type, op, out);
        return;
    }
    put_operand(p, n->kid[0], out);
    text_puts(out, " = ");
    put_operand(p, n->kid[1], out);
}

/* What steps is an object, and may be a bit-field or a _Bool. */
static bool steps(const struct node *n)
{
    return n->op == OP_POSTINC || n->op == OP_POSTDEC || n->op == OP_PREINC || n->op == OP_PREDEC;
}

const char *shape_control(const struct node *inside)
{
    switch (inside ? inside->kind : NODE_BLOCK) {
    case NODE_IF:
        return "if not taken";
    case NODE_SWITCH:
        return "switch not taken";
    case NODE_COND:
        return "?: not taken";
    case NODE_BINARY:
        return "&& or || not taken";
    case NODE_BLOCK:
        return "not reached";
    default:
        return "loop not taken";
    }
}

void shape_put(const struct program *p, const struct node *n, struct text *out)
{
    const char *op = group_of(n);
    u128 value;
    if (lang_constant(p, n, &value)) /* it is folded, not compiled */
        text_puts(out, "constant ");
    switch (n->kind) {
    case NODE_BINARY:
        if (is_comparison(n))
            put_comparison(p, n->kid[0]->type, out);
        else
            put_operation(p, n->kid[0]->type, op, out);
        break;
    case NODE_ASSIGN:
        put_assignment(p, n, op, out);
        break;
    case NODE_UNARY:
        text_puts(out, op);
        if (steps(n))
            put_operand(p, n->kid[0], out);
        else
            put_type(p, n->kid[0]->type, out);
        break;
    case NODE_COND:
        put_operation(p, n->type, "?:", out);
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
