/* printf and its family: every conversion is checked against the argument's type. */
#include "machine/lib/private.h"

#include <stdio.h>
#include <string.h>

/* Where arguments come from: the call itself, or a va_list. */
struct source {
    struct cursor own, *cursor;
};

enum length { LEN_NONE, LEN_HH, LEN_H, LEN_L, LEN_LL, LEN_J, LEN_Z, LEN_T, LEN_LD };

struct spec {
    char flags[8];
    int width, precision; /* -1: none */
    enum length length;
    char conversion;
};

static const uint64_t *next_argument(struct lib_call *c, struct source *s, const struct type **type)
{
    const uint64_t *v = cursor_next(c->m, s->cursor, type);
    if (!v)
        lib_undefined(c, UB_FORMAT, "there are too few arguments");
    return v;
}

static bool mismatch(struct lib_call *c, const struct spec *s, const struct type *type)
{
    struct text name = {0};
    lang_print_type(c->p, type, NULL, &name);
    lib_undefined(c, UB_FORMAT, "%%%c meets an argument of type '%s'", s->conversion,
                  text_str(&name));
    text_free(&name);
    return false;
}

static unsigned integer_size(const struct lib_call *c, enum length length)
{
    const struct target *t = c->p->target;
    switch (length) {
    case LEN_L:
        return t->long_.size;
    case LEN_LL:
    case LEN_J:
        return 8;
    case LEN_Z:
    case LEN_T:
        return t->pointer.size;
    default:
        return t->int_.size;
    }
}

static bool get_integer(struct lib_call *c, struct source *from, const struct spec *s, uint64_t *v)
{
    const struct type *type;
    const uint64_t *slot = next_argument(c, from, &type);
    if (!slot)
        return false;
    unsigned size = integer_size(c, s->length);
    if (!lang_is_integer(type) || lang_sizeof(c->p, type) != size)
        return mismatch(c, s, type);
    *v = *slot;
    bool is_signed = s->conversion == 'd' || s->conversion == 'i';
    unsigned width = s->length == LEN_HH ? 8 : s->length == LEN_H ? 16 : 8 * size;
    u128 wide = is_signed ? lang_sign_extend(*v, width) : lang_wrap(*v, width);
    *v = (uint64_t)wide;
    return true;
}

static bool get_star(struct lib_call *c, struct source *from, int *v)
{
    struct spec s = {.conversion = '*'};
    const struct type *type;
    const uint64_t *slot = next_argument(c, from, &type);
    if (!slot)
        return false;
    if (!lang_is_integer(type) || lang_sizeof(c->p, type) != c->p->target->int_.size)
        return mismatch(c, &s, type);
    *v = (int32_t)*slot;
    return true;
}

/* ---- parsing ---------------------------------------------------------------------------- */

static const char *parse_length(const char *f, struct spec *s)
{
    switch (*f) {
    case 'h':
        s->length = f[1] == 'h' ? LEN_HH : LEN_H;
        return f + (f[1] == 'h' ? 2 : 1);
    case 'l':
        s->length = f[1] == 'l' ? LEN_LL : LEN_L;
        return f + (f[1] == 'l' ? 2 : 1);
    case 'q':
        s->length = LEN_LL;
        return f + 1;
    case 'j':
        s->length = LEN_J;
        return f + 1;
    case 'z':
        s->length = LEN_Z;
        return f + 1;
    case 't':
        s->length = LEN_T;
        return f + 1;
    case 'L':
        s->length = LEN_LD;
        return f + 1;
    default:
        return f;
    }
}

static const char *parse_number(const char *f, int *v)
{
    *v = 0;
    while (*f >= '0' && *f <= '9' && *v < 100000000)
        *v = *v * 10 + (*f++ - '0');
    return f;
}

/* From behind the %; NULL when an argument was wrong. */
static const char *parse_spec(struct lib_call *c, struct source *from, const char *f,
                              struct spec *s)
{
    unsigned n = 0;
    *s = (struct spec){.width = -1, .precision = -1};
    for (; *f && strchr("-+ #0'", *f); f++)
        if (n < sizeof s->flags - 1 && !strchr(s->flags, *f))
            s->flags[n++] = *f;
    if (*f == '*') {
        f++;
        if (!get_star(c, from, &s->width))
            return NULL;
        if (s->width < 0) {
            s->width = s->width == INT32_MIN ? 0 : -s->width;
            if (!strchr(s->flags, '-'))
                s->flags[n++] = '-';
        }
    } else if (*f >= '0' && *f <= '9') {
        f = parse_number(f, &s->width);
    }
    if (*f == '.') {
        f++;
        if (*f == '*') {
            f++;
            if (!get_star(c, from, &s->precision))
                return NULL;
            if (s->precision < 0)
                s->precision = -1;
        } else {
            f = parse_number(f, &s->precision);
        }
    }
    f = parse_length(f, s);
    s->conversion = *f;
    return *f ? f + 1 : f;
}

/* ---- writing ---------------------------------------------------------------------------- */

static void host_format(char *to, size_t size, const struct spec *s, const char *length)
{
    char width[16] = "", precision[16] = "";
    if (s->width >= 0)
        snprintf(width, sizeof width, "%d", s->width);
    if (s->precision >= 0)
        snprintf(precision, sizeof precision, ".%d", s->precision);
    snprintf(to, size, "%%%s%s%s%s%c", s->flags, width, precision, length, s->conversion);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static bool put_integer(struct lib_call *c, struct source *from, const struct spec *s,
                        struct text *out)
{
    char format[64];
    uint64_t v;
    if (!get_integer(c, from, s, &v))
        return false;
    host_format(format, sizeof format, s, "ll");
    text_printf(out, format, (unsigned long long)v);
    return true;
}

static bool put_floating(struct lib_call *c, struct source *from, const struct spec *s,
                         struct text *out)
{
    char format[64];
    const struct type *type;
    const uint64_t *slot = next_argument(c, from, &type);
    if (!slot)
        return false;
    enum kind want = s->length == LEN_LD ? KIND_LDOUBLE : KIND_F64;
    if (kind_of(c->p, type) != want)
        return mismatch(c, s, type);
    host_format(format, sizeof format, s, want == KIND_LDOUBLE ? "L" : "");
    if (want == KIND_LDOUBLE) {
        long double v = 0;
        memcpy(&v, slot, 10);
        text_printf(out, format, v);
    } else {
        double v;
        memcpy(&v, slot, sizeof v);
        text_printf(out, format, v);
    }
    return true;
}

static bool is_text_pointer(const struct type *t)
{
    t = t->canon;
    return t->kind == TYPE_POINTER;
}

static bool put_string(struct lib_call *c, struct source *from, const struct spec *s,
                       struct text *out)
{
    const struct type *type;
    const uint64_t *slot = next_argument(c, from, &type);
    if (!slot)
        return false;
    if (!is_text_pointer(type))
        return mismatch(c, s, type);
    if (s->length != LEN_NONE) {
        lib_unsupported(c, "wide strings");
        return false;
    }
    uint64_t n, limit = s->precision >= 0 ? (uint64_t)s->precision : UINT64_MAX;
    const char *bytes = lib_text_n(c, *slot, limit, &n);
    if (!bytes)
        return false;
    uint64_t pad = s->width > 0 && (uint64_t)s->width > n ? (uint64_t)s->width - n : 0;
    bool left = strchr(s->flags, '-');
    for (uint64_t i = 0; !left && i < pad; i++)
        text_putc(out, ' ');
    text_add(out, bytes, n);
    for (uint64_t i = 0; left && i < pad; i++)
        text_putc(out, ' ');
    return true;
}

static bool put_char(struct lib_call *c, struct source *from, const struct spec *s,
                     struct text *out)
{
    uint64_t v;
    struct spec as = *s;
    as.length = LEN_NONE;
    if (!get_integer(c, from, &as, &v))
        return false;
    uint64_t pad = s->width > 1 ? (uint64_t)s->width - 1 : 0;
    bool left = strchr(s->flags, '-');
    for (uint64_t i = 0; !left && i < pad; i++)
        text_putc(out, ' ');
    text_putc(out, (char)v);
    for (uint64_t i = 0; left && i < pad; i++)
        text_putc(out, ' ');
    return true;
}

static bool put_pointer(struct lib_call *c, struct source *from, const struct spec *s,
                        struct text *out)
{
    const struct type *type;
    const uint64_t *slot = next_argument(c, from, &type);
    if (!slot)
        return false;
    if (!is_text_pointer(type))
        return mismatch(c, s, type);
    if (*slot) {
        lib_unsupported(c, "the output would show an address");
        return false;
    }
    text_printf(out, "%*s", s->width < 0 ? 0 : s->width, "(nil)");
    return true;
}

static bool put_count(struct lib_call *c, struct source *from, const struct spec *s,
                      struct text *out)
{
    const struct type *type;
    const uint64_t *slot = next_argument(c, from, &type);
    if (!slot)
        return false;
    if (!is_text_pointer(type))
        return mismatch(c, s, type);
    uint64_t n = out->n;
    unsigned size = s->length == LEN_HH ? 1 : s->length == LEN_H ? 2 : integer_size(c, s->length);
    return lib_store(c, *slot, &n, size);
}

static bool convert(struct lib_call *c, struct source *from, const struct spec *s, struct text *out)
{
    switch (s->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        return put_integer(c, from, s, out);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        return put_floating(c, from, s, out);
    case 'c':
        return put_char(c, from, s, out);
    case 's':
        return put_string(c, from, s, out);
    case 'p':
        return put_pointer(c, from, s, out);
    case 'n':
        return put_count(c, from, s, out);
    case '%':
        text_putc(out, '%');
        return true;
    default:
        lib_undefined(c, UB_FORMAT, "unknown conversion '%%%c'", s->conversion);
        return false;
    }
}

static bool format(struct lib_call *c, uint64_t address, struct source *from, struct text *out)
{
    uint64_t n;
    const char *f = lib_text(c, address, &n);
    while (f && *f) {
        if (*f != '%') {
            size_t run = strcspn(f, "%");
            text_add(out, f, run);
            f += run;
            continue;
        }
        struct spec s;
        f = parse_spec(c, from, f + 1, &s);
        if (!f || !convert(c, from, &s, out))
            return false;
        if (out->n > c->m->options.output) {
            machine_stop(c->m, MACHINE_MEMORY, "the program prints too much");
            return false;
        }
    }
    return f;
}

/* ---- the functions ---------------------------------------------------------------------- */

static struct source own_arguments(const struct lib_call *c, uint32_t first)
{
    return (struct source){.own = {c->site, c->r, first, 0, true}};
}

static struct source list_arguments(struct lib_call *c, uint32_t i)
{
    uint64_t list = arg(c, i);
    struct source s = {0};
    if (list && list <= c->m->cursor_count && c->m->cursors[list - 1].open)
        s.cursor = &c->m->cursors[list - 1];
    else
        lib_undefined(c, UB_VA_ARG, "the va_list is not open");
    return s;
}

static void print_to(struct lib_call *c, int file, uint32_t at, struct source s)
{
    struct text out = {0};
    if (!s.cursor)
        s.cursor = &s.own;
    if (!c->m->ended && file >= 0 && format(c, arg(c, at), &s, &out)) {
        lib_print(c, file, out.s, out.n);
        give_int(c, (int64_t)out.n);
    }
    text_free(&out);
}

/* Into memory: at most size bytes with the terminator, or all when size is UINT64_MAX. */
static void print_into(struct lib_call *c, uint64_t size, uint32_t at, struct source s)
{
    struct text out = {0};
    if (!s.cursor)
        s.cursor = &s.own;
    if (!c->m->ended && format(c, arg(c, at), &s, &out)) {
        uint64_t n = out.n < size ? out.n : size - 1;
        if (size && lib_write(c, arg(c, 0), n + 1)) {
            uint8_t *to = lib_write(c, arg(c, 0), n + 1);
            if (n)
                memcpy(to, out.s, n);
            to[n] = 0;
        }
        give_int(c, (int64_t)out.n);
    }
    text_free(&out);
}

void lib_printf(struct lib_call *c)
{
    print_to(c, 1, 0, own_arguments(c, 1));
}

void lib_fprintf(struct lib_call *c)
{
    print_to(c, lib_file(c, arg(c, 0)), 1, own_arguments(c, 2));
}

void lib_sprintf(struct lib_call *c)
{
    print_into(c, UINT64_MAX, 1, own_arguments(c, 2));
}

void lib_snprintf(struct lib_call *c)
{
    print_into(c, arg(c, 1), 2, own_arguments(c, 3));
}

void lib_vprintf(struct lib_call *c)
{
    print_to(c, 1, 0, list_arguments(c, 1));
}

void lib_vfprintf(struct lib_call *c)
{
    print_to(c, lib_file(c, arg(c, 0)), 1, list_arguments(c, 2));
}

void lib_vsprintf(struct lib_call *c)
{
    print_into(c, UINT64_MAX, 1, list_arguments(c, 2));
}

void lib_vsnprintf(struct lib_call *c)
{
    print_into(c, arg(c, 1), 2, list_arguments(c, 3));
}
