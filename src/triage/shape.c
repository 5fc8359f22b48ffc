/* What an expression is made of, apart from names and numbers: "int >>", "(short) long".  Two
 * programs that show one mistake of a compiler have the same wrong shape.  Pure. */
#include "triage/private.h"

#include <stdlib.h>
#include <string.h>

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

/* Types with one width and sign are one to whoever makes code of them. */
static const struct type *spoken_type(const struct program *p, const struct type *t)
{
    static const enum type_kind alike[][2] = {{TYPE_LLONG, TYPE_LONG},
                                              {TYPE_ULLONG, TYPE_ULONG},
                                              {TYPE_CHAR, TYPE_SCHAR},
                                              {TYPE_CHAR, TYPE_UCHAR}};
    const struct type *plain = t->canon->unqual;
    for (size_t i = 0; i < LENGTH(alike); i++) {
        const struct type *other = lang_basic(p, alike[i][1]);
        if (plain->kind == alike[i][0] && lang_int_width(p, other) == lang_int_width(p, plain) &&
            lang_int_signed(p, other) == lang_int_signed(p, plain))
            return other;
    }
    return plain;
}

static void put_type(const struct program *p, const struct type *t, struct text *out)
{
    const struct type *plain = spoken_type(p, t);
    if (plain->kind == TYPE_STRUCT || plain->kind == TYPE_UNION)
        text_puts(out, "record");
    else if (plain->kind == TYPE_POINTER)
        text_puts(out, "pointer");
    else if (plain->kind == TYPE_ENUM)
        text_puts(out, "enum");
    else if (lang_is_floating(plain))
        text_puts(out, "floating");
    else if (plain->kind == TYPE_BITINT) /* of whatever width */
        text_puts(out, "_BitInt");
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

/* Is it an element of a vector, whichever way round it is written? */
static bool is_lane(const struct node *index)
{
    return lang_is_kind(as_written(index->kid[0])->type, TYPE_VECTOR) ||
           lang_is_kind(as_written(index->kid[1])->type, TYPE_VECTOR);
}

static void put_read(const struct program *p, const struct node *n, struct text *out)
{
    const struct node *from = as_written(n);
    text_puts(out, "value of ");
    put_operand(p, from, out);
    if (from->kind == NODE_INDEX)
        text_puts(out, is_lane(from) ? " in a vector" : " in an array");
    else if (from->kind == NODE_MEMBER && !is_bitfield(from))
        text_puts(out, " in a record");
    else if (from->kind == NODE_UNARY)
        text_puts(out, " at a pointer");
    else if (from->kind == NODE_NAME && from->u.decl->kind == DECL_PARAM)
        text_puts(out, " that is passed");
}

static void put_call(const struct program *p, const struct node *n, struct text *out)
{
    const struct node *f = as_written(n->kid[0]);
    bool builtin = f->kind == NODE_NAME && f->u.decl->builtin;
    text_puts(out, builtin ? f->u.decl->name : "call of ");
    if (!builtin)
        put_type(p, n->type, out);
}

/* Operators that are one to a compiler have one name here; signs: of those that are compiled in
 * another way for unsigned operands. */
static const struct {
    const char *name;
    bool signs;
} groups[OP_COUNT] = {
    [OP_NE] = {"==", false},          [OP_ADD] = {"+ or -", false},
    [OP_SUB] = {"+ or -", false},     [OP_PREINC] = {"+ or -", false},
    [OP_PREDEC] = {"+ or -", false},  [OP_POSTINC] = {"+ or -", false},
    [OP_POSTDEC] = {"+ or -", false}, [OP_DIV] = {"/ or %", true},
    [OP_REM] = {"/ or %", true},      [OP_SHR] = {">>", true},
};

static enum op op_of(const struct node *n)
{
    return n->op < OP_COUNT ? (enum op)n->op : OP_COMMA;
}

static const char *group_of(const struct node *n)
{
    enum op op = op_of(n);
    return groups[op].name ? groups[op].name : lang_op_info[op].text;
}

/* The type without its sign, which makes no difference. */
static void put_bits(const struct program *p, const struct type *t, struct text *out)
{
    const struct type *plain = spoken_type(p, t);
    switch (plain->kind) {
    case TYPE_UINT:
    case TYPE_ULONG:
    case TYPE_ULLONG:
    case TYPE_UINT128: /* each follows the signed one */
        put_type(p, lang_basic(p, (enum type_kind)(plain->kind - 1)), out);
        break;
    default:
        put_type(p, plain, out);
    }
}

/* Is it never negative for its type, or its value? */
static bool is_positive(const struct program *p, const struct node *n)
{
    const struct node *w = as_written(n);
    u128 value;
    return !lang_int_signed(p, w->type) ||
           (lang_constant(p, w, &value) && !(value >> (lang_int_width(p, w->type) - 1) & 1));
}

/* Unsigned operands that are promoted to int are often compared as they are. */
static bool is_unsigned(const struct program *p, const struct node *left, const struct node *right)
{
    if (!lang_is_integer(left->type) || !lang_int_signed(p, left->type))
        return true;
    return lang_is_integer(as_written(left)->type) && lang_is_integer(as_written(right)->type) &&
           is_positive(p, left) && is_positive(p, right);
}

/* What counts of the types that are compared: which order it is. */
static void put_comparison(const struct program *p, const struct node *n, struct text *out)
{
    text_puts(out, lang_is_floating(n->kid[0]->type)      ? "floating <"
                   : is_unsigned(p, n->kid[0], n->kid[1]) ? "unsigned <"
                                                          : "signed <");
}

static bool is_comparison(const struct node *n)
{
    return n->op == OP_LT || n->op == OP_GT || n->op == OP_LE || n->op == OP_GE;
}

/* That is not made by dividing. */
static bool is_division_by_constant(const struct program *p, const struct node *n)
{
    u128 value;
    return (n->op == OP_DIV || n->op == OP_REM) && n->count == 2 &&
           lang_is_integer(n->kid[1]->type) && lang_constant(p, n->kid[1], &value);
}

/* The type that an operation works in counts, not what it was made from: its operands are right. */
static void put_operation(const struct program *p, const struct type *t, const struct node *n,
                          struct text *out)
{
    if (groups[op_of(n)].signs)
        put_type(p, t, out);
    else
        put_bits(p, t, out);
    text_printf(out, " %s%s", group_of(n), is_division_by_constant(p, n) ? " by a constant" : "");
}

static void put_assignment(const struct program *p, const struct node *n, struct text *out)
{
    if (n->op != OP_ASSIGN) {
        put_operation(p, n->u.operand ? n->u.operand : n->type, n, out);
        return;
    }
    put_operand(p, n->kid[0], out);
    text_puts(out, " = ");
    put_operand(p, n->kid[1], out);
}

bool shape_is_step(const struct node *n)
{
    return n->kind == NODE_UNARY &&
           (n->op == OP_POSTINC || n->op == OP_POSTDEC || n->op == OP_PREINC || n->op == OP_PREDEC);
}

/* What steps is an object, and may be narrower than what is computed with. */
static void put_unary(const struct program *p, const struct node *n, struct text *out)
{
    const struct node *at = as_written(n->kid[0]);
    if (shape_is_step(n) && is_bitfield(at)) {
        text_puts(out, "store to bit-field");
    } else if (shape_is_step(n)) {
        put_operation(p, at->type, n, out);
    } else {
        text_puts(out, group_of(n));
        put_bits(p, n->kid[0]->type, out);
    }
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
    u128 value;
    if (lang_constant(p, n, &value)) /* it is folded, not compiled */
        text_puts(out, "constant ");
    switch (n->kind) {
    case NODE_INT:
    case NODE_FLOAT:
        put_type(p, n->type, out);
        break;
    case NODE_BINARY:
        if (is_comparison(n))
            put_comparison(p, n, out);
        else
            put_operation(p, n->kid[0]->type, n, out);
        break;
    case NODE_ASSIGN:
        put_assignment(p, n, out);
        break;
    case NODE_DECLARATOR:
        put_type(p, n->u.declarator->decl->type, out);
        text_puts(out, " = ");
        put_operand(p, n->kid[0], out);
        break;
    case NODE_UNARY:
        put_unary(p, n, out);
        break;
    case NODE_COND:
        put_bits(p, n->type, out);
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
    case NODE_GENERIC:
        text_puts(out, "_Generic");
        break;
    case NODE_SIZEOF:
        text_puts(out, "sizeof");
        break;
    default:
        text_puts(out, lang_node_info[n->kind].name);
    }
}

void shape_put_with_int(const struct program *p, const struct node *n, struct text *out)
{
    bool binary = n->kind == NODE_BINARY && !is_comparison(n) && lang_is_integer(n->kid[0]->type);
    bool assigns = n->kind == NODE_ASSIGN && n->op != OP_ASSIGN && lang_is_integer(n->kid[0]->type);
    if (binary || assigns) {
        put_operation(p, lang_basic(p, TYPE_INT), n, out);
    } else if (n->kind == NODE_UNARY && !shape_is_step(n) && lang_is_integer(n->kid[0]->type)) {
        text_puts(out, group_of(n));
        put_bits(p, lang_basic(p, TYPE_INT), out);
    } else {
        shape_put(p, n, out);
    }
}

void shape_put_pair(const struct program *p, const struct node *n, const struct node *operand,
                    struct text *out)
{
    bool operation = n->kind == NODE_BINARY || n->kind == NODE_UNARY || n->kind == NODE_ASSIGN;
    if (n->kind == NODE_DECLARATOR) /* it stores as an assignment does */
        text_puts(out, "=");
    else if (operation && !is_comparison(n))
        text_puts(out, group_of(n));
    else
        shape_put(p, n, out);
    text_puts(out, " of ");
    shape_put(p, operand, out);
}

/* ---- what is wrong with it --------------------------------------------------------------- */

static bool read_number(const char *text, uint64_t *out)
{
    char *end;
    *out = strtoull(text, &end, 16);
    return end != text && !*end && strlen(text) <= 16;
}

const char *shape_difference(const char *expected, const char *actual)
{
    uint64_t right, wrong;
    if (!expected || !actual || !read_number(expected, &right) || !read_number(actual, &wrong))
        return "";
    uint64_t differ = right ^ wrong, lowest = differ & (~differ + 1);
    /* all bits from some place on, but not the whole value */
    if (lowest <= 1 || differ + lowest)
        return "";
    return right >> 63 ? " without its sign" : " with a sign that it has not";
}

void shape_put_probe(const struct program *p, const struct probe *probe, const char *expected,
                     const char *actual, struct text *out)
{
    const struct node *n = probe->node;
    bool left = probe->before || (probe->stored && n->kind == NODE_ASSIGN);
    const struct node *at = as_written(left ? n->kid[0] : n);
    bool read = n->kind == NODE_CAST && n->flags & NODE_IMPLICIT;
    bool bits = (read || probe->stored || probe->before) && is_bitfield(at);
    const char *difference = bits ? shape_difference(expected, actual) : "";
    if (probe->before && !*difference) {
        put_read(p, at, out);
        return;
    }
    if (!bits || (!probe->stored && !*difference)) {
        shape_put(p, n, out);
        return;
    }
    if (!*difference) {
        text_puts(out, "store to bit-field");
        return;
    }
    text_puts(out, "value of ");
    put_operand(p, at, out);
    text_puts(out, difference);
}
