/* Constants and strings (C11 6.4.4, 6.4.5): from spelling to exact value and type. */
#include "front/private.h"

#include <stdlib.h>
#include <string.h>

/* ---- integers --------------------------------------------------------------------------- */

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

enum suffix {
    SUFFIX_U = 1,
    SUFFIX_L = 2,
    SUFFIX_LL = 4,
    SUFFIX_IMAGINARY = 8,
    SUFFIX_BITS = 16,
    SUFFIX_BAD = 32
};

static unsigned integer_suffix(const char *s, const char *end)
{
    unsigned suffix = 0;
    while (s < end) {
        char c = *s++;
        if (c == 'u' || c == 'U') {
            suffix |= suffix & SUFFIX_U ? SUFFIX_BAD : SUFFIX_U;
        } else if (c == 'l' || c == 'L') {
            bool twice = s < end && *s == c;
            suffix |= suffix & (SUFFIX_L | SUFFIX_LL) ? SUFFIX_BAD : twice ? SUFFIX_LL : SUFFIX_L;
            s += twice;
        } else if (s < end && ((c == 'w' && *s == 'b') || (c == 'W' && *s == 'B'))) {
            suffix |= suffix & ~(unsigned)SUFFIX_U ? SUFFIX_BAD : SUFFIX_BITS;
            s++;
        } else if (c == 'i' || c == 'j' || c == 'I' || c == 'J') {
            suffix |= SUFFIX_IMAGINARY;
        } else {
            return SUFFIX_BAD;
        }
    }
    return suffix;
}

/* C23 6.4.4.1p5: the narrowest _BitInt that holds it. */
static struct type *bitint_type(struct program *program, u128 value, bool is_unsigned)
{
    unsigned width = is_unsigned ? 1 : 2;
    while (width < 128 && lang_wrap(value, width - !is_unsigned) != value)
        width++;
    return lang_bitint(program, width, !is_unsigned);
}

/* C11 6.4.4.1p5: the first type of the list that holds it. */
static struct type *integer_type(const struct program *program, u128 value, unsigned suffix,
                                 bool decimal)
{
    static const uint8_t kinds[] = {TYPE_INT,   TYPE_UINT,   TYPE_LONG,   TYPE_ULONG,
                                    TYPE_LLONG, TYPE_ULLONG, TYPE_INT128, TYPE_UINT128};
    size_t first = suffix & SUFFIX_LL ? 4 : suffix & SUFFIX_L ? 2 : 0;
    for (size_t i = first; i < LENGTH(kinds); i++) {
        bool is_unsigned = i & 1;
        if (suffix & SUFFIX_U ? !is_unsigned : is_unsigned && decimal)
            continue;
        struct type *t = lang_basic(program, kinds[i]);
        unsigned width = lang_int_width(program, t) - !is_unsigned;
        if (lang_wrap(value, width) == value)
            return t;
    }
    return lang_basic(program, TYPE_UINT128);
}

static struct node *parse_integer(struct parser *p, const char *s, const char *end)
{
    struct program *program = p->program;
    unsigned base = 10;
    if (s[0] == '0' && end - s > 1 && (s[1] | 32) == 'x')
        base = 16;
    else if (s[0] == '0' && end - s > 1 && (s[1] | 32) == 'b')
        base = 2;
    else if (s[0] == '0')
        base = 8;
    if (base == 16 || base == 2)
        s += 2;
    u128 value = 0;
    const char *digits = s;
    for (; s < end && (*s == '\'' || digit_value(*s) < (int)base); s++)
        if (*s != '\'')
            value = value * base + (u128)(unsigned)digit_value(*s);
    unsigned suffix = integer_suffix(s, end);
    if (suffix & SUFFIX_BAD || s == digits)
        parse_error_at(p, p->tok.begin, "invalid integer constant '%s'",
                       source_between(p, p->tok.begin, p->tok.end));
    struct type *t = suffix & SUFFIX_BITS ? bitint_type(program, value, suffix & SUFFIX_U)
                                          : integer_type(program, value, suffix, base == 10);
    struct node *n = lang_int(program, value, t);
    if (suffix & SUFFIX_IMAGINARY)
        n->type = lang_complex(program, t);
    return n;
}

/* ---- floating --------------------------------------------------------------------------- */

static const struct {
    const char *suffix; /* lower case */
    uint8_t kind;
} float_suffixes[] = {
    {"", TYPE_DOUBLE},       {"f", TYPE_FLOAT},       {"l", TYPE_LDOUBLE},
    {"f16", TYPE_FLOAT16},   {"f32", TYPE_FLOAT32},   {"f64", TYPE_FLOAT64},
    {"f32x", TYPE_FLOAT32X}, {"f64x", TYPE_FLOAT64X}, {"f128", TYPE_FLOAT128},
    {"q", TYPE_FLOAT128},    {"w", TYPE_FLOAT80},     {"d", TYPE_DOUBLE},
    {"df", TYPE_DEC32},      {"dd", TYPE_DEC64},      {"dl", TYPE_DEC128},
};

/* The type that a suffix gives; an i or j in it makes the constant imaginary (GNU). */
static struct type *float_type(struct parser *p, const char *suffix, bool *imaginary)
{
    char lower[8] = "";
    size_t n = 0;
    for (; *suffix; suffix++) {
        char c = (char)(*suffix | 32);
        if (c == 'i' || c == 'j')
            *imaginary = true;
        else if (n + 1 < sizeof lower)
            lower[n++] = *suffix >= '0' && *suffix <= '9' ? *suffix : c;
    }
    for (size_t i = 0; i < LENGTH(float_suffixes); i++)
        if (strcmp(float_suffixes[i].suffix, lower) == 0)
            return lang_basic(p->program, float_suffixes[i].kind);
    parse_error_at(p, p->tok.begin, "invalid suffix on floating constant");
}

/* Rounded once, in the precision of the type's own format. */
static u128 float_bits(const struct program *program, const char *text, const struct type *t)
{
    enum float_format f = lang_float_format(program, t);
    long double v;
    u128 bits;
    if (f == FLOAT_QUAD && lang_quad_parse(text, &bits))
        return bits;
    if (f == FLOAT_HALF || f == FLOAT_SINGLE)
        v = strtof(text, NULL);
    else if (f == FLOAT_DOUBLE)
        v = strtod(text, NULL);
    else
        v = strtold(text, NULL);
    return lang_float_bits(lang_float_format(program, t), v);
}

static struct node *parse_floating(struct parser *p, const char *s, const char *end)
{
    const char *text = arena_copy(&p->scratch, s, (size_t)(end - s));
    bool hex = text[0] == '0' && (text[1] | 32) == 'x';
    size_t n = hex ? 2 : 0;
    char exponent = hex ? 'p' : 'e';
    while (text[n]) {
        bool part = text[n] == '.' || (hex ? digit_value(text[n]) < 16 : digit_value(text[n]) < 10);
        if ((text[n] | 32) == exponent) {
            n += text[n + 1] == '+' || text[n + 1] == '-' ? 2 : 1;
            if (digit_value(text[n]) >= 10)
                parse_error_at(p, p->tok.begin, "exponent has no digits");
            exponent = 1; /* once; what follows is decimal */
            hex = false;
            continue;
        }
        if (!part)
            break;
        n++;
    }
    if (hex) /* C11 6.4.4.2p1 */
        parse_error_at(p, p->tok.begin, "hexadecimal floating constants require an exponent");
    bool empty = text[0] == '0' && (text[1] | 32) == 'x' &&
                 (text[2 + (text[2] == '.')] | 32) == 'p';
    if (empty)
        parse_error_at(p, p->tok.begin, "no digits in hexadecimal floating constant");
    const char *point = strchr(text, '.');
    if (point && strchr(point + 1, '.'))
        parse_error_at(p, p->tok.begin, "too many decimal points in number");
    bool imaginary = false;
    struct type *t = float_type(p, text + n, &imaginary);
    struct node *node = lang_float(p->program, float_bits(p->program, text, t), t);
    if (imaginary)
        node->type = lang_complex(p->program, t);
    return node;
}

static bool is_floating(const char *s, const char *end)
{
    bool hex = s[0] == '0' && end - s > 1 && (s[1] | 32) == 'x';
    for (; s < end; s++)
        if (*s == '.' || (*s | 32) == 'p' || (!hex && (*s | 32) == 'e'))
            return true;
    return false;
}

struct node *parse_number(struct parser *p)
{
    const char *s = p->program->text + p->tok.begin, *end = p->program->text + p->tok.end;
    uint32_t begin = p->tok.begin;
    struct node *n = is_floating(s, end) ? parse_floating(p, s, end) : parse_integer(p, s, end);
    tok_next(p);
    return with_extent(p, n, begin);
}

/* ---- characters ------------------------------------------------------------------------- */

struct literal {
    const char *at, *end; /* between the quotes */
    const char *prefix;
    unsigned unit;     /* bytes per character */
    const char *wrong; /* what is wrong with an escape in it; NULL: nothing */
};

static struct literal open_literal(struct parser *p)
{
    static const struct {
        const char *prefix;
        uint8_t unit; /* 0: wchar_t's */
    } prefixes[] = {{"u8", 1}, {"L", 0}, {"u", 2}, {"U", 4}};
    const char *s = p->program->text + p->tok.begin;
    struct literal l = {s + 1, p->program->text + p->tok.end - 1, "", 1, NULL};
    for (size_t i = 0; i < LENGTH(prefixes); i++) {
        size_t n = strlen(prefixes[i].prefix);
        if (strncmp(s, prefixes[i].prefix, n) != 0 || (s[n] != '"' && s[n] != '\''))
            continue;
        l.prefix = prefixes[i].prefix;
        l.unit = prefixes[i].unit;
        if (l.unit == 0)
            l.unit = (unsigned)lang_sizeof(p->program, lang_wchar_type(p->program));
        l.at = s + n + 1;
        break;
    }
    return l;
}

static uint32_t digits_in_base(struct literal *l, unsigned base, unsigned most)
{
    uint32_t v = 0;
    for (; most && l->at < l->end && digit_value(*l->at) < (int)base; most--)
        v = v * base + (uint32_t)digit_value(*l->at++);
    return v;
}

/* Behind the backslash.  universal: the value is a character's number, not a code unit. */
static uint32_t escape(struct literal *l, bool *universal)
{
    static const char names[] = "abfnrtve", values[] = "\a\b\f\n\r\t\v\33";
    char c = l->at < l->end ? *l->at : 0;
    const char *named = c ? strchr(names, c) : NULL;
    if (c >= '0' && c <= '7')
        return digits_in_base(l, 8, 3);
    l->at++;
    if (named)
        return (uint32_t)values[named - names];
    const char *digits = l->at;
    if (c == 'x') {
        uint32_t v = digits_in_base(l, 16, UINT32_MAX);
        if (l->at == digits)
            l->wrong = "\\x used with no following hex digits";
        return v;
    }
    if (c == 'u' || c == 'U') {
        unsigned most = c == 'u' ? 4 : 8;
        *universal = true;
        uint32_t v = digits_in_base(l, 16, most);
        if (l->at != digits + most)
            l->wrong = "incomplete universal character name";
        else if ((v >= 0xd800 && v < 0xe000) ||
                 (v < 0xa0 && v != '$' && v != '@' && v != '`')) /* C11 6.4.3p2 */
            l->wrong = "universal character name that is no character's";
        return v;
    }
    return (unsigned char)c;
}

/* A character of UTF-8; a broken sequence is its bytes. */
static uint32_t decode_utf8(struct literal *l)
{
    unsigned char c = (unsigned char)*l->at++;
    unsigned more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
    if (c < 0xc0 || (size_t)(l->end - l->at) < more)
        return c;
    uint32_t v = c & (0x3fu >> more);
    for (unsigned i = 0; i < more; i++)
        v = v << 6 | ((unsigned char)l->at[i] & 0x3f);
    l->at += more;
    return v;
}

/* The next character or, of a narrow literal, byte; *universal says that it is to be encoded. */
static uint32_t next_char(struct literal *l, bool *universal)
{
    *universal = false;
    if (*l->at == '\\') {
        l->at++;
        return escape(l, universal);
    }
    if (l->unit > 1 && (unsigned char)*l->at >= 0x80) {
        *universal = true;
        return decode_utf8(l);
    }
    return (unsigned char)*l->at++;
}

static size_t encode_utf8(uint32_t c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n; i-- > 1; c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(0xf00u >> n | c);
    return n;
}

/* One unit in the target's byte order. */
static size_t put_unit(const struct program *program, uint32_t v, unsigned unit, char *out)
{
    for (unsigned i = 0; i < unit; i++) {
        unsigned at = program->target->little_endian ? i : unit - 1 - i;
        out[at] = (char)(v >> (8 * i));
    }
    return unit;
}

static size_t put_char(const struct program *program, const struct literal *l, uint32_t v,
                       bool universal, char *out)
{
    if (l->unit == 1)
        return universal ? encode_utf8(v, out) : put_unit(program, v, 1, out);
    if (l->unit == 2 && universal && v >= 0x10000) {
        size_t n = put_unit(program, 0xd800 + ((v - 0x10000) >> 10), 2, out);
        return n + put_unit(program, 0xdc00 + ((v - 0x10000) & 0x3ff), 2, out + n);
    }
    return put_unit(program, v, l->unit, out);
}

struct node *parse_char(struct parser *p)
{
    struct program *program = p->program;
    uint32_t begin = p->tok.begin;
    struct literal l = open_literal(p);
    struct type *t = lang_basic(program, TYPE_INT);
    uint32_t value = 0;
    unsigned count = 0;
    bool universal;
    if (l.at == l.end)
        parse_error_at(p, begin, "empty character constant");
    for (; l.at < l.end; count++) {
        uint32_t c = next_char(&l, &universal);
        value = l.unit == 1 ? value << 8 | (c & 0xff) : c;
    }
    if (l.wrong)
        parse_error_at(p, begin, "%s", l.wrong);
    u128 wide = value;
    if (l.prefix[0] == 'L')
        t = lang_wchar_type(program);
    else if (l.prefix[0])
        t = l.unit == 1 ? lang_basic(program, TYPE_UCHAR)
                        : lang_int_of_size(program, l.unit, false);
    else if (count == 1 && program->target->char_signed)
        wide = lang_sign_extend(value, 8);
    else if (count > 1)
        wide = lang_sign_extend(value, 32);
    tok_next(p);
    struct node *n = with_extent(p, lang_int(program, wide, t), begin);
    n->flags = NODE_CHAR;
    return n;
}

/* ---- strings ---------------------------------------------------------------------------- */

/* Adjacent strings are one; its prefix is that of any that has one (C11 6.4.5p5). */
struct node *parse_string(struct parser *p)
{
    struct program *program = p->program;
    uint32_t begin = p->tok.begin;
    struct literal parts[8], *all = parts;
    size_t count = 0, room = LENGTH(parts), most = 8;
    struct literal kind = {.prefix = "", .unit = 1};
    if (p->tok.kind != TOKEN_STRING)
        tok_expect(p, TOKEN_STRING);
    for (; p->tok.kind == TOKEN_STRING; tok_next(p)) {
        if (count == room) {
            room *= 2;
            all = arena_grow(&p->scratch, all, count, room, sizeof *all);
        }
        all[count] = open_literal(p);
        most += (size_t)(all[count].end - all[count].at);
        if (all[count].prefix[0] && kind.prefix[0] && strcmp(all[count].prefix, kind.prefix) != 0)
            parse_error_at(p, p->tok.begin, "concatenation of string literals of different kinds");
        if (all[count].prefix[0])
            kind = all[count];
        count++;
    }
    char *bytes = arena_alloc(&program->arena, most * kind.unit);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        struct literal l = all[i];
        l.unit = kind.unit;
        while (l.at < l.end) {
            bool universal;
            uint32_t c = next_char(&l, &universal);
            n += put_char(program, &l, c, universal, bytes + n);
        }
        if (l.wrong)
            parse_error_at(p, begin, "%s", l.wrong);
    }
    struct string *s = NEW(&program->arena, struct string);
    *s = (struct string){bytes, n + kind.unit, (uint8_t)kind.unit, kind.prefix};
    return with_extent(p, lang_string(program, s), begin);
}
