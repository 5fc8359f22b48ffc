/* Expressions as C text, with the parentheses that precedence needs and no implicit casts. */
#include "lang/print.h"

#include <math.h>
#include <string.h>

/* ---- constants -------------------------------------------------------------------------- */

/* As it was written, if it was. */
static bool print_spelling(struct printer *pr, const struct node *n)
{
    if (!pr->program->text || n->begin >= n->end)
        return false;
    text_add(pr->out, pr->program->text + n->begin, n->end - n->begin);
    return true;
}

static void print_decimal(struct text *out, u128 v)
{
    char digits[40];
    size_t at = sizeof digits;
    for (; v >> 64; v /= 10)
        digits[--at] = (char)('0' + (unsigned)(v % 10));
    uint64_t low = (uint64_t)v;
    do
        digits[--at] = (char)('0' + (unsigned)(low % 10));
    while (low /= 10);
    text_add(out, digits + at, sizeof digits - at);
}

const char *lang_int_suffix(enum type_kind kind)
{
    switch (kind) {
    case TYPE_UINT:
        return "U";
    case TYPE_LONG:
        return "L";
    case TYPE_ULONG:
        return "UL";
    case TYPE_LLONG:
        return "LL";
    case TYPE_ULLONG:
        return "ULL";
    default:
        return "";
    }
}

/* 128 bits have no constants of their own: two halves, put together without a sign. */
static void print_wide(struct printer *pr, const struct node *n, u128 v)
{
    if (n->type->kind != TYPE_UINT128) {
        text_puts(pr->out, "((");
        print_type_name(pr, n->type);
        text_putc(pr->out, ')');
    }
    text_printf(pr->out, "((unsigned __int128)%lluULL << 64 | %lluULL)",
                (unsigned long long)(v >> 64), (unsigned long long)v);
    if (n->type->kind != TYPE_UINT128)
        text_putc(pr->out, ')');
}

static void print_int_value(struct printer *pr, const struct node *n, int prec)
{
    const struct program *p = pr->program;
    u128 v = n->u.value->bits;
    unsigned width = lang_int_width(p, n->type);
    bool minus = lang_int_signed(p, n->type) && width > 1 && v >> (width - 1) & 1;
    u128 size = minus ? lang_wrap(-v, width) : v;
    bool least = minus && size == v; /* has no positive twin */
    enum type_kind kind = n->type->kind;
    bool wide = width > 64;
    if (size >> 64 || (wide && size >> 63)) { /* no literal of 64 bits has this value and sign */
        print_wide(pr, n, v);
        return;
    }
    bool plain = *lang_int_suffix(kind) || kind == TYPE_INT;
    least = least && plain; /* before a cast it is of a wider type */
    bool parens = (minus && (prec > PREC_UNARY || least)) || (!plain && prec > PREC_UNARY);
    if (parens)
        text_putc(pr->out, '(');
    if (!plain) {
        text_putc(pr->out, '(');
        print_type_name(pr, n->type);
        text_putc(pr->out, ')');
    }
    if (minus)
        text_putc(pr->out, '-');
    print_decimal(pr->out, least ? size - 1 : size);
    text_puts(pr->out, lang_int_suffix(kind));
    if (least)
        text_puts(pr->out, " - 1");
    if (parens)
        text_putc(pr->out, ')');
}

static const char *float_suffix(enum type_kind kind)
{
    switch (kind) {
    case TYPE_FLOAT:
        return "f";
    case TYPE_LDOUBLE:
        return "L";
    case TYPE_FLOAT16:
        return "f16";
    case TYPE_FLOAT32:
        return "f32";
    case TYPE_FLOAT64:
        return "f64";
    case TYPE_FLOAT128:
        return "f128";
    default:
        return "";
    }
}

/* Without its sign, and exactly: as 28 hexadecimal digits behind the point. */
static void print_quad(struct printer *pr, u128 bits)
{
    int exponent = (int)(bits >> 112 & 0x7fff);
    text_printf(pr->out, "0x%d.%012llx%016llxp%d", exponent != 0,
                (unsigned long long)(bits >> 64 & 0xffffffffffffu), (unsigned long long)bits,
                (exponent ? exponent : 1) - 16383);
}

static void print_float_value(struct printer *pr, const struct node *n, int prec)
{
    static const uint8_t digits[] = {[FLOAT_HALF] = 5,
                                     [FLOAT_SINGLE] = 9,
                                     [FLOAT_DOUBLE] = 17,
                                     [FLOAT_X87] = 21,
                                     [FLOAT_QUAD] = 21};
    enum float_format f = lang_float_format(pr->program, n->type);
    long double v = lang_float_host(f, n->u.value->bits);
    bool parens = signbit(v) && prec > PREC_UNARY;
    if (parens)
        text_putc(pr->out, '(');
    if (signbit(v))
        text_putc(pr->out, '-');
    v = fabsl(v);
    if (isnan(v) || isinf(v)) {
        const char *suffix = n->type->kind == TYPE_FLOAT     ? "f"
                             : n->type->kind == TYPE_LDOUBLE ? "l"
                                                             : "";
        text_printf(pr->out, isnan(v) ? "__builtin_nan%s(\"\")" : "__builtin_inf%s()", suffix);
    } else if (f == FLOAT_QUAD) {
        print_quad(pr, n->u.value->bits);
        text_puts(pr->out, float_suffix(n->type->kind));
    } else {
        size_t start = pr->out->n;
        text_printf(pr->out, "%.*Lg", digits[f], v);
        if (!strpbrk(pr->out->s + start, ".e"))
            text_puts(pr->out, ".0");
        text_puts(pr->out, float_suffix(n->type->kind));
    }
    if (parens)
        text_putc(pr->out, ')');
}

static void print_int(struct printer *pr, const struct node *n, int prec)
{
    if (!print_spelling(pr, n))
        print_int_value(pr, n, prec);
}

static void print_float(struct printer *pr, const struct node *n, int prec)
{
    if (!print_spelling(pr, n))
        print_float_value(pr, n, prec);
}

/* ---- strings ---------------------------------------------------------------------------- */

static void print_char(struct text *out, unsigned char c, char after)
{
    static const char special[] = "\a\b\f\n\r\t\v\\\"", names[] = "abfnrtv\\\"";
    const char *found = c ? strchr(special, c) : NULL;
    if (found)
        text_printf(out, "\\%c", names[found - special]);
    else if (c == '?' && after == '?')
        text_puts(out, "\\?"); /* no trigraphs */
    else if (c >= 32 && c < 127)
        text_putc(out, (char)c);
    else
        text_printf(out, "\\%03o", c);
}

static uint32_t unit_at(const struct program *p, const struct string *s, uint64_t at)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < s->unit; i++) {
        unsigned byte = p->target->little_endian ? s->unit - 1u - i : i;
        v = v << 8 | (unsigned char)s->bytes[at + byte];
    }
    return v;
}

static void print_string(struct printer *pr, const struct node *n, int prec)
{
    const struct string *s = n->u.string;
    (void)prec;
    text_puts(pr->out, s->prefix);
    text_putc(pr->out, '"');
    for (uint64_t i = 0; i + s->unit < s->size; i += s->unit) {
        uint32_t c = unit_at(pr->program, s, i);
        if (c < 256 && (s->unit == 1 || c < 127))
            print_char(pr->out, (unsigned char)c, (char)unit_at(pr->program, s, i + s->unit));
        else /* a hex escape has no end of its own: close and open again */
            text_printf(pr->out, "\\x%x\" %s\"", c, s->prefix);
    }
    text_putc(pr->out, '"');
}

/* ---- operators -------------------------------------------------------------------------- */

static void print_name(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    text_puts(pr->out, n->u.decl->name);
}

/* + +x and - -x and & &x must not become other tokens. */
static void print_glued(struct printer *pr, const char *op, const struct node *operand)
{
    text_puts(pr->out, op);
    size_t at = pr->out->n;
    print_expr(pr, operand, PREC_UNARY);
    char c = pr->out->s[at - 1];
    if (pr->out->s[at] != c || (c != '+' && c != '-' && c != '&'))
        return;
    text_putc(pr->out, ' ');
    memmove(pr->out->s + at + 1, pr->out->s + at, pr->out->n - 1 - at);
    pr->out->s[at] = ' ';
}

static void print_unary(struct printer *pr, const struct node *n, int prec)
{
    const struct op_info *op = &lang_op_info[n->op];
    (void)prec;
    if (op->place == PLACE_POSTFIX) {
        print_expr(pr, n->kid[0], PREC_POSTFIX);
        text_puts(pr->out, op->text);
    } else {
        print_glued(pr, op->text, n->kid[0]);
    }
}

static void print_binary(struct printer *pr, const struct node *n, int prec)
{
    const struct op_info *op = &lang_op_info[n->op];
    bool compares = op->typing == TYPING_RELATION || op->typing == TYPING_EQUALITY;
    (void)prec;
    /* clang 22 takes a < b < c for a mistake */
    print_expr(pr, n->kid[0], compares ? lang_op_info[OP_LT].prec + 1 : op->prec);
    if (n->op != OP_COMMA)
        text_putc(pr->out, ' ');
    text_puts(pr->out, op->text);
    text_putc(pr->out, ' ');
    print_expr(pr, n->kid[1], n->op == OP_COMMA ? PREC_ASSIGN : op->prec + 1);
}

static void print_assign(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    print_expr(pr, n->kid[0], PREC_UNARY);
    text_putc(pr->out, ' ');
    text_puts(pr->out, lang_op_info[n->op].text);
    text_puts(pr->out, n->op == OP_ASSIGN ? " " : "= ");
    print_expr(pr, n->kid[1], PREC_ASSIGN);
}

static void print_cond(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    print_expr(pr, n->kid[0], PREC_LOR);
    if (n->kid[1]) {
        text_puts(pr->out, " ? ");
        print_expr(pr, n->kid[1], PREC_COMMA);
        text_puts(pr->out, " : ");
    } else {
        text_puts(pr->out, " ?: ");
    }
    print_expr(pr, n->kid[2], PREC_COND);
}

static void print_cast(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    text_putc(pr->out, '(');
    print_type_name(pr, n->u.operand);
    text_putc(pr->out, ')');
    print_expr(pr, n->kid[0], PREC_UNARY);
}

static void print_call(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    print_expr(pr, n->kid[0], PREC_POSTFIX);
    text_putc(pr->out, '(');
    for (uint32_t i = 1; i < n->count; i++) {
        if (i > 1)
            text_puts(pr->out, ", ");
        print_expr(pr, n->kid[i], PREC_ASSIGN);
    }
    text_putc(pr->out, ')');
}

static void print_index(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    print_expr(pr, n->kid[0], PREC_POSTFIX);
    text_putc(pr->out, '[');
    print_expr(pr, n->kid[1], PREC_COMMA);
    text_putc(pr->out, ']');
}

/* Steps through anonymous members are not written. */
static void print_member(struct printer *pr, const struct node *n, int prec)
{
    const struct node *from = n->kid[0];
    bool arrow = n->flags & NODE_ARROW;
    (void)prec;
    while (from->kind == NODE_MEMBER && from->flags & NODE_IMPLICIT) {
        arrow = from->flags & NODE_ARROW;
        from = from->kid[0];
    }
    print_expr(pr, from, PREC_POSTFIX);
    text_puts(pr->out, arrow ? "->" : ".");
    text_puts(pr->out, n->u.field->name);
}

/* ---- types as operands ------------------------------------------------------------------ */

static void print_measure(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    if (n->kind == NODE_SIZEOF)
        text_puts(pr->out, "sizeof(");
    else
        text_puts(pr->out, n->flags & NODE_GNU || n->count ? "__alignof__(" : "_Alignof(");
    if (n->count)
        print_expr(pr, n->kid[0], PREC_COMMA);
    else
        print_type_name(pr, n->u.operand);
    text_putc(pr->out, ')');
}

static void print_path(struct printer *pr, const struct path *path, bool first_dot)
{
    for (uint32_t i = 0; i < path->count; i++) {
        const struct step *s = &path->steps[i];
        if (!s->index) {
            text_printf(pr->out, "%s%s", i || first_dot ? "." : "", s->name);
            continue;
        }
        text_putc(pr->out, '[');
        print_expr(pr, s->index, PREC_COMMA);
        if (s->last) {
            text_puts(pr->out, " ... ");
            print_expr(pr, s->last, PREC_COND);
        }
        text_putc(pr->out, ']');
    }
}

static void print_offsetof(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    text_puts(pr->out, "__builtin_offsetof(");
    print_type_name(pr, n->u.offsetof_->type);
    text_puts(pr->out, ", ");
    print_path(pr, &n->u.offsetof_->path, false);
    text_putc(pr->out, ')');
}

static void print_generic(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    text_puts(pr->out, "_Generic(");
    print_expr(pr, n->kid[0], PREC_ASSIGN);
    for (uint32_t i = 1; i < n->count; i++) {
        const struct type *t = n->u.generic->types[i - 1];
        text_puts(pr->out, ", ");
        if (t)
            print_type_name(pr, t);
        else
            text_puts(pr->out, "default");
        text_puts(pr->out, ": ");
        print_expr(pr, n->kid[i], PREC_ASSIGN);
    }
    text_putc(pr->out, ')');
}

static void print_literal(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    text_putc(pr->out, '(');
    print_type_name(pr, n->u.declarator->type);
    text_putc(pr->out, ')');
    print_initialiser(pr, n->kid[0]);
}

static void print_stmt_expr(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    text_putc(pr->out, '(');
    print_block(pr, n->kid[0]);
    text_putc(pr->out, ')');
}

static void print_label_addr(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    text_printf(pr->out, "&&%s", n->u.label->name);
}

/* name(expression, type) */
static void print_with_type(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    text_puts(pr->out, n->kind == NODE_VA_ARG ? "__builtin_va_arg(" : "__builtin_convertvector(");
    print_expr(pr, n->kid[0], PREC_ASSIGN);
    text_puts(pr->out, ", ");
    print_type_name(pr, n->u.operand);
    text_putc(pr->out, ')');
}

static void print_bit_cast(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    text_puts(pr->out, "__builtin_bit_cast(");
    print_type_name(pr, n->u.operand);
    text_puts(pr->out, ", ");
    print_expr(pr, n->kid[0], PREC_ASSIGN);
    text_putc(pr->out, ')');
}

static void print_types_match(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    text_puts(pr->out, "__builtin_types_compatible_p(");
    print_type_name(pr, n->u.types[0]);
    text_puts(pr->out, ", ");
    print_type_name(pr, n->u.types[1]);
    text_putc(pr->out, ')');
}

static void print_choose(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    text_puts(pr->out, "__builtin_choose_expr(");
    for (uint32_t i = 0; i < 3; i++) {
        if (i)
            text_puts(pr->out, ", ");
        print_expr(pr, n->kid[i], PREC_ASSIGN);
    }
    text_putc(pr->out, ')');
}

/* ---- initialisers ----------------------------------------------------------------------- */

static size_t column(const struct text *out)
{
    size_t at = out->n;
    while (at && out->s[at - 1] != '\n')
        at--;
    return out->n - at;
}

static bool has_lists(const struct node *n)
{
    for (uint32_t i = 0; i < n->count; i++) {
        const struct node *e = n->kid[i];
        if (e->kind == NODE_INIT || (e->kind == NODE_DESIGNATED && n->count > 1))
            return true;
    }
    return false;
}

static bool is_dropped(const struct printer *pr, const struct node *n)
{
    const struct edit *e = edit_of(&pr->edits, n);
    return e && e->kind == EDIT_DROP;
}

/* Lists of lists a line each; flat ones filled up to the page's width. */
static void print_list(struct printer *pr, const struct node *n)
{
    bool lines = has_lists(n);
    bool first = true;
    text_putc(pr->out, '{');
    pr->indent += INDENT;
    for (uint32_t i = 0; i < n->count; i++) {
        if (is_dropped(pr, n->kid[i]))
            continue;
        if (!first)
            text_putc(pr->out, ',');
        if (lines || column(pr->out) > WIDTH - 12)
            print_newline(pr);
        else if (!first)
            text_putc(pr->out, ' ');
        first = false;
        print_initialiser(pr, n->kid[i]);
    }
    pr->indent -= INDENT;
    if (lines)
        print_newline(pr);
    text_putc(pr->out, '}');
}

void print_initialiser(struct printer *pr, const struct node *n)
{
    if (edit_of(&pr->edits, n)) {
        print_expr(pr, n, PREC_ASSIGN);
    } else if (n->kind == NODE_INIT) {
        print_list(pr, n);
    } else if (n->kind == NODE_DESIGNATED) {
        print_path(pr, n->u.path, true);
        text_puts(pr->out, " = ");
        print_initialiser(pr, n->kid[0]);
    } else {
        print_expr(pr, n, PREC_ASSIGN);
    }
}

static void print_init(struct printer *pr, const struct node *n, int prec)
{
    (void)prec;
    print_initialiser(pr, n);
}

/* ---- all -------------------------------------------------------------------------------- */

typedef void print_fn(struct printer *pr, const struct node *n, int prec);

static const struct {
    print_fn *print;
    uint8_t prec; /* of the whole; 0: by operator */
} forms[NODE_COUNT] = {
    [NODE_INT] = {print_int, PREC_PRIMARY},
    [NODE_FLOAT] = {print_float, PREC_PRIMARY},
    [NODE_STRING] = {print_string, PREC_PRIMARY},
    [NODE_NAME] = {print_name, PREC_PRIMARY},
    [NODE_UNARY] = {print_unary, 0},
    [NODE_BINARY] = {print_binary, 0},
    [NODE_ASSIGN] = {print_assign, PREC_ASSIGN},
    [NODE_COND] = {print_cond, PREC_COND},
    [NODE_CAST] = {print_cast, PREC_UNARY},
    [NODE_CALL] = {print_call, PREC_POSTFIX},
    [NODE_INDEX] = {print_index, PREC_POSTFIX},
    [NODE_MEMBER] = {print_member, PREC_POSTFIX},
    [NODE_SIZEOF] = {print_measure, PREC_UNARY},
    [NODE_ALIGNOF] = {print_measure, PREC_UNARY},
    [NODE_OFFSETOF] = {print_offsetof, PREC_PRIMARY},
    [NODE_GENERIC] = {print_generic, PREC_PRIMARY},
    [NODE_LITERAL] = {print_literal, PREC_POSTFIX},
    [NODE_STMT_EXPR] = {print_stmt_expr, PREC_PRIMARY},
    [NODE_LABEL_ADDR] = {print_label_addr, PREC_UNARY},
    [NODE_VA_ARG] = {print_with_type, PREC_PRIMARY},
    [NODE_TYPES_MATCH] = {print_types_match, PREC_PRIMARY},
    [NODE_CHOOSE] = {print_choose, PREC_PRIMARY},
    [NODE_VECTOR_CONVERT] = {print_with_type, PREC_PRIMARY},
    [NODE_BIT_CAST] = {print_bit_cast, PREC_PRIMARY},
    [NODE_INIT] = {print_init, PREC_PRIMARY},
    [NODE_DESIGNATED] = {print_init, PREC_PRIMARY},
};

/* Edits and implicit casts out of the way: what is to be written; NULL when it is dropped. */
static const struct node *written(const struct printer *pr, const struct node *n)
{
    for (;;) {
        const struct edit *e = edit_of(&pr->edits, n);
        if (e && e->kind == EDIT_DROP)
            return NULL;
        if (e)
            n = e->with;
        else if (n->kind == NODE_CAST && n->flags & NODE_IMPLICIT)
            n = n->kid[0];
        else
            return n;
    }
}

void print_expr(struct printer *pr, const struct node *n, int prec)
{
    n = written(pr, n);
    if (!n) {
        text_putc(pr->out, '0');
        return;
    }
    if (!forms[n->kind].print)
        BUG("%s is no expression", lang_node_info[n->kind].name);
    int own = forms[n->kind].prec;
    if (n->kind == NODE_UNARY || n->kind == NODE_BINARY)
        own = lang_op_info[n->op].prec;
    bool parens = own < prec;
    if (parens)
        text_putc(pr->out, '(');
    forms[n->kind].print(pr, n, parens ? PREC_COMMA : prec);
    if (parens)
        text_putc(pr->out, ')');
}
