/* The expression of an #if (C11 6.10.1): all arithmetic is that of intmax_t and uintmax_t. */
#include "cpp/private.h"

#include <stdlib.h>
#include <string.h>

struct value {
    uint64_t v;
    bool is_unsigned;
};

struct reading {
    struct cpp *c;
    const struct token *at, *end;
    unsigned skipped; /* > 0: its value does not count */
    unsigned depth;
};

static bool take(struct reading *r, const char *punct)
{
    if (r->at >= r->end || !cpp_token_is(r->at, punct))
        return false;
    r->at++;
    return true;
}

/* ---- numbers ---------------------------------------------------------------------------- */

static unsigned digit_of(char ch)
{
    if (cpp_is(ch, CPP_DIGIT))
        return (unsigned)(ch - '0');
    ch = (char)(ch | 0x20);
    return ch >= 'a' && ch <= 'f' ? (unsigned)(ch - 'a') + 10 : 99;
}

static bool is_suffix(const char *s, size_t n, bool *is_unsigned)
{
    unsigned longs = 0, unsigneds = 0;
    for (size_t i = 0; i < n; i++) {
        longs += s[i] == 'l' || s[i] == 'L';
        unsigneds += s[i] == 'u' || s[i] == 'U';
    }
    *is_unsigned = unsigneds > 0;
    return longs + unsigneds == n && longs <= 2 && unsigneds <= 1;
}

static struct value number(struct reading *r, const struct token *t)
{
    const char *s = t->s, *end = s + t->size;
    unsigned base = 10;
    if (t->size > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        s += 2;
    } else if (t->size > 1 && s[0] == '0') {
        base = 8;
    }
    struct value n = {0};
    for (; s < end && digit_of(*s) < base; s++) {
        if (n.v > (UINT64_MAX - digit_of(*s)) / base)
            cpp_decline(r->c, "a number too large");
        n.v = n.v * base + digit_of(*s);
    }
    if (!is_suffix(s, (size_t)(end - s), &n.is_unsigned))
        cpp_decline(r->c, "a number in #if");
    if (n.v > INT64_MAX && base == 10 && !n.is_unsigned)
        cpp_decline(r->c, "a number too large");
    n.is_unsigned |= n.v > INT64_MAX;
    return n;
}

static struct value character(struct reading *r, const struct token *t)
{
    static const char escapes[] = "n\nt\tr\r0\0a\av\vf\fb\b\\\\''\"\"";
    if (t->size == 3 && t->s[0] == '\'' && (unsigned char)t->s[1] < 0x80)
        return (struct value){(unsigned char)t->s[1], false};
    for (size_t i = 0; t->size == 4 && t->s[1] == '\\' && i + 1 < sizeof escapes; i += 2)
        if (t->s[2] == escapes[i])
            return (struct value){(unsigned char)escapes[i + 1], false};
    cpp_decline(r->c, "a character in #if");
}

/* ---- operators that ask the compiler ---------------------------------------------------- */

/* __x__ is x. */
static char *plain(struct arena *a, const char *operator, const struct token * t)
{
    const char *s = t->s;
    size_t n = t->size;
    if (strstr(operator, "attribute") && n > 4 && memcmp(s, "__", 2) == 0 &&
        memcmp(s + n - 2, "__", 2) == 0) {
        s += 2;
        n -= 4;
    }
    return arena_printf(a, "%s %.*s", operator,(int) n, s);
}

static struct value ask(struct reading *r, const struct token *operator)
{
    struct arena *a = &r->c->arena;
    if (!take(r, "(") || r->at >= r->end || r->at->kind != T_NAME)
        cpp_decline(r->c, "%.*s", (int)operator->size, operator->s);
    char *question = plain(a, arena_copy(a, operator->s, operator->size), r->at++);
    const char *answer = map_get(&r->c->world->answers, question);
    bool closed = take(r, ")");
    if (closed && !answer && !r->skipped)
        r->c->question = question;
    if (!closed || (!answer && !r->skipped))
        cpp_decline(r->c, "%s", question);
    return (struct value){answer ? strtoul(answer, NULL, 10) : 0, false};
}

/* ---- the grammar ------------------------------------------------------------------------ */

static struct value conditional(struct reading *r);

static struct value primary(struct reading *r)
{
    if (take(r, "(")) {
        if (++r->depth > 200)
            cpp_decline(r->c, "parentheses nested too deep");
        struct value v = conditional(r);
        r->depth--;
        if (!take(r, ")"))
            cpp_decline(r->c, "missing ) in #if");
        return v;
    }
    if (r->at >= r->end)
        cpp_decline(r->c, "#if with no expression");
    const struct token *t = r->at++;
    if (t->kind == T_NUMBER)
        return number(r, t);
    if (t->kind == T_CHARACTER)
        return character(r, t);
    if (t->kind != T_NAME || (t->size == 7 && memcmp(t->s, "defined", 7) == 0))
        cpp_decline(r->c, "an expression in #if");
    if (t->name->special == NAME_OPERATOR)
        return ask(r, t);
    if (t->name->special)
        cpp_decline(r->c, "%.*s in #if", (int)t->size, t->s);
    return (struct value){0, false};
}

static struct value unary(struct reading *r)
{
    if (++r->depth > 200)
        cpp_decline(r->c, "an expression nested too deep");
    struct value v;
    if (take(r, "!"))
        v = (struct value){!unary(r).v, false};
    else if (take(r, "-")) {
        v = unary(r);
        v.v = -v.v;
    } else if (take(r, "~")) {
        v = unary(r);
        v.v = ~v.v;
    } else if (take(r, "+")) {
        v = unary(r);
    } else {
        v = primary(r);
    }
    r->depth--;
    return v;
}

enum operation { MUL, DIV, REM, ADD, SUB, SHL, SHR, LT, GT, LE, GE, EQ, NE, AND, XOR, OR };

static const struct {
    const char *text;
    uint8_t operation, level;
} binaries[] = {
    {"*", MUL, 9},  {"/", DIV, 9}, {"%", REM, 9}, {"+", ADD, 8}, {"-", SUB, 8}, {"<<", SHL, 7},
    {">>", SHR, 7}, {"<=", LE, 6}, {">=", GE, 6}, {"<", LT, 6},  {">", GT, 6},  {"==", EQ, 5},
    {"!=", NE, 5},  {"&", AND, 4}, {"^", XOR, 3}, {"|", OR, 2},
};

/* Signed values are compared with their sign bit turned over. */
static uint64_t ordered(struct value v, bool is_unsigned)
{
    return is_unsigned ? v.v : v.v ^ (uint64_t)1 << 63;
}

static struct value divide(struct reading *r, enum operation op, struct value a, struct value b)
{
    bool is_unsigned = a.is_unsigned || b.is_unsigned;
    if (b.v == 0) {
        if (!r->skipped)
            cpp_decline(r->c, "division by zero in #if");
        return (struct value){0, is_unsigned};
    }
    bool below_a = !is_unsigned && a.v >> 63, below_b = !is_unsigned && b.v >> 63;
    uint64_t x = below_a ? -a.v : a.v, y = below_b ? -b.v : b.v;
    uint64_t v = op == DIV ? x / y : x % y;
    bool below = op == DIV ? below_a != below_b : below_a;
    return (struct value){below ? -v : v, is_unsigned};
}

static struct value shift(struct reading *r, enum operation op, struct value a, struct value b)
{
    if (b.v > 63) {
        if (!r->skipped)
            cpp_decline(r->c, "a shift in #if");
        return (struct value){0, a.is_unsigned};
    }
    uint64_t fill = op == SHR && !a.is_unsigned && a.v >> 63 && b.v ? ~(uint64_t)0 << (64 - b.v)
                                                                    : 0;
    return (struct value){op == SHL ? a.v << b.v : a.v >> b.v | fill, a.is_unsigned};
}

static struct value apply(struct reading *r, enum operation op, struct value a, struct value b)
{
    bool is_unsigned = a.is_unsigned || b.is_unsigned;
    uint64_t x = ordered(a, is_unsigned), y = ordered(b, is_unsigned);
    switch (op) {
    case MUL:
        return (struct value){a.v * b.v, is_unsigned};
    case DIV:
    case REM:
        return divide(r, op, a, b);
    case ADD:
        return (struct value){a.v + b.v, is_unsigned};
    case SUB:
        return (struct value){a.v - b.v, is_unsigned};
    case SHL:
    case SHR:
        return shift(r, op, a, b);
    case LT:
        return (struct value){x < y, false};
    case GT:
        return (struct value){x > y, false};
    case LE:
        return (struct value){x <= y, false};
    case GE:
        return (struct value){x >= y, false};
    case EQ:
        return (struct value){x == y, false};
    case NE:
        return (struct value){x != y, false};
    case AND:
        return (struct value){a.v & b.v, is_unsigned};
    case XOR:
        return (struct value){a.v ^ b.v, is_unsigned};
    case OR:
        return (struct value){a.v | b.v, is_unsigned};
    }
    BUG("operation %d", op);
}

static struct value binary(struct reading *r, unsigned level)
{
    struct value a = unary(r);
    for (size_t i = 0; i < LENGTH(binaries) && r->at < r->end && r->at->s[0] != ')';) {
        if (binaries[i].level < level || !take(r, binaries[i].text)) {
            i++;
            continue;
        }
        struct value b = binary(r, binaries[i].level + 1u);
        a = apply(r, binaries[i].operation, a, b);
        i = 0;
    }
    return a;
}

static struct value logical_and(struct reading *r)
{
    struct value a = binary(r, 0);
    while (take(r, "&&")) {
        r->skipped += !a.v;
        struct value b = binary(r, 0);
        r->skipped -= !a.v;
        a = (struct value){a.v && b.v, false};
    }
    return a;
}

static struct value logical_or(struct reading *r)
{
    struct value a = logical_and(r);
    while (take(r, "||")) {
        r->skipped += a.v != 0;
        struct value b = logical_and(r);
        r->skipped -= a.v != 0;
        a = (struct value){a.v || b.v, false};
    }
    return a;
}

static struct value conditional(struct reading *r)
{
    struct value a = logical_or(r);
    if (!take(r, "?"))
        return a;
    if (++r->depth > 200)
        cpp_decline(r->c, "an expression nested too deep");
    r->skipped += !a.v;
    struct value b = conditional(r);
    r->skipped -= !a.v;
    if (!take(r, ":"))
        cpp_decline(r->c, "? without :");
    r->skipped += a.v != 0;
    struct value d = conditional(r);
    r->skipped -= a.v != 0;
    r->depth--;
    return (struct value){a.v ? b.v : d.v, b.is_unsigned || d.is_unsigned};
}

/* ---- before expansion ------------------------------------------------------------------- */

static bool is_defined_operator(const struct token *t)
{
    return t->kind == T_NAME && t->size == 7 && memcmp(t->s, "defined", 7) == 0;
}

static struct token truth(bool v)
{
    return (struct token){.kind = T_NUMBER, .s = v ? "1" : "0", .size = 1, .flags = TF_SPACE};
}

/* `defined X` or `defined(X)` at line->at[*at]; *at is behind it then. */
static struct token defined(struct cpp *c, const struct tokens *line, uint32_t *at)
{
    uint32_t i = *at + 1;
    bool parens = i < line->n && cpp_token_is(&line->at[i], "(");
    i += parens;
    if (i >= line->n || line->at[i].kind != T_NAME)
        cpp_decline(c, "defined without a name");
    const struct name *name = line->at[i++].name;
    if (name->special == NAME_DECLINED)
        cpp_decline(c, "defined(%.*s)", (int)name->size, name->s);
    if (parens && (i >= line->n || !cpp_token_is(&line->at[i++], ")")))
        cpp_decline(c, "defined without )");
    *at = i;
    return truth(cpp_is_defined(name));
}

/* __has_include(<x>) or ("x") at line->at[*at]. */
static struct token has_include(struct cpp *c, const struct tokens *line, uint32_t *at)
{
    uint32_t i = *at + 1, begin = i + 1;
    bool next = line->at[*at].size > 13, quoted;
    if (i >= line->n || !cpp_token_is(&line->at[i], "("))
        cpp_decline(c, "__has_include without (");
    while (i < line->n && !cpp_token_is(&line->at[i], ")"))
        i++;
    if (i >= line->n)
        cpp_decline(c, "__has_include without )");
    struct tokens name = {.at = line->at + begin, .n = i - begin};
    int folder;
    *at = i + 1;
    const char *header = cpp_header_name(c, &name, &quoted);
    return truth(cpp_find(c, header, quoted, next, &folder) != NULL);
}

bool cpp_condition(struct cpp *c, struct tokens *line)
{
    struct tokens ready = {0};
    for (uint32_t i = 0; i < line->n;) {
        const struct token *t = &line->at[i];
        bool is_name = t->kind == T_NAME;
        if (is_name && t->name->special == NAME_OPERATOR && i + 2 < line->n &&
            line->at[i + 2].kind == T_NAME && line->at[i + 2].name->macro)
            cpp_decline(c, "%.*s of a macro", (int)t->size, t->s);
        if (is_defined_operator(t)) {
            cpp_push(c, &ready, defined(c, line, &i));
        } else if (is_name && t->name->special == NAME_INCLUDES) {
            cpp_push(c, &ready, has_include(c, line, &i));
        } else {
            cpp_push(c, &ready, *t);
            i++;
        }
    }
    struct tokens expanded = cpp_expand_list(c, &ready);
    if (expanded.n == 0)
        cpp_decline(c, "#if with no expression");
    uint32_t n = 0;
    for (uint32_t i = 0; i < expanded.n; i++)
        if (expanded.at[i].kind != T_PLACE)
            expanded.at[n++] = expanded.at[i];
    struct reading r = {.c = c, .at = expanded.at, .end = expanded.at + n};
    struct value v = conditional(&r);
    if (r.at < r.end)
        cpp_decline(c, "something behind the expression of #if");
    return v.v != 0;
}
