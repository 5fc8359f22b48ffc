/* printf and its family: every conversion is checked against the argument's type, and every flag,
 * precision and length against what the conversion may have (C11 7.21.6.1p5 to p9).  What POSIX and
 * glibc document beyond C (%1$d, %'d, %m, %C, %S, %Ld) is done as they do it. */
#include "machine/lib/private.h"

#include <stdio.h>
#include <string.h>

/* Strings that a call has read, the format first. */
struct range {
    uint64_t at, size;
};
enum { MOST_READ = 64 };

/* Where arguments come from: the call itself, or a va_list. */
struct source {
    struct cursor own, *cursor;
    uint32_t first; /* the cursor's next when the call began: %1$ is that one */
    struct range read[MOST_READ];
    unsigned read_count;    /* further ones are not remembered */
    bool numbered, in_turn; /* arguments were taken by their number; or one after the other */
};

enum length { LEN_NONE, LEN_HH, LEN_H, LEN_L, LEN_LL, LEN_J, LEN_Z, LEN_T, LEN_LD };

struct spec {
    char flags[8];
    int width, precision; /* -1: none */
    enum length length;
    char conversion;
    int position; /* of its argument, from 1; 0: the next one */
};

static const uint64_t *next_argument(struct lib_call *c, struct source *s, int position,
                                     const struct type **type)
{
    s->numbered = s->numbered || position;
    s->in_turn = s->in_turn || !position;
    if (s->numbered && s->in_turn) { /* POSIX leaves that undefined */
        lib_undefined(c, UB_FORMAT, "arguments with and without a number");
        return NULL;
    }
    if (position)
        s->cursor->next = s->first + (uint32_t)position - 1;
    const uint64_t *v = cursor_next(c->m, s->cursor, type);
    if (!v)
        lib_undefined(c, UB_FORMAT, "there are too few arguments");
    return v;
}

static bool mismatch(struct lib_call *c, const struct spec *s, const struct type *type)
{
    static const char *const lengths[] = {"", "hh", "h", "l", "ll", "j", "z", "t", "L"};
    struct text name = {0};
    lang_print_type(c->p, type, NULL, &name);
    lib_undefined(c, UB_FORMAT, "%%%s%c meets an argument of type '%s'", lengths[s->length],
                  s->conversion, text_str(&name));
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
    case LEN_LD: /* glibc: L is ll here */
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
    const uint64_t *slot = next_argument(c, from, s->position, &type);
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
    case 'Z': /* glibc's older name */
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

/* POSIX: 12$; else nothing. */
static const char *parse_position(const char *f, int *position)
{
    int n;
    const char *end = parse_number(f, &n);
    *position = end > f && *end == '$' ? n : 0;
    return *position ? end + 1 : f;
}

/* From behind the *: an argument, the next one or as its number says; NULL when it was wrong. */
static const char *get_star(struct lib_call *c, struct source *from, const char *f, int *v)
{
    struct spec s = {.conversion = '*'};
    const struct type *type;
    f = parse_position(f, &s.position);
    const uint64_t *slot = next_argument(c, from, s.position, &type);
    if (!slot)
        return NULL;
    if (!lang_is_integer(type) || lang_sizeof(c->p, type) != c->p->target->int_.size) {
        mismatch(c, &s, type);
        return NULL;
    }
    *v = (int32_t)*slot;
    return f;
}

/* From behind the %; NULL when an argument was wrong. */
static const char *parse_spec(struct lib_call *c, struct source *from, const char *f,
                              struct spec *s)
{
    unsigned n = 0;
    *s = (struct spec){.width = -1, .precision = -1};
    f = parse_position(f, &s->position);
    for (; *f && strchr("-+ #0'", *f); f++)
        if (n < sizeof s->flags - 1 && !strchr(s->flags, *f))
            s->flags[n++] = *f;
    if (*f == '*') {
        if (!(f = get_star(c, from, f + 1, &s->width)))
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
            if (!(f = get_star(c, from, f + 1, &s->precision)))
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
    const uint64_t *slot = next_argument(c, from, s->position, &type);
    if (!slot)
        return false;
    enum kind want = s->length == LEN_LD ? kind_of(c->p, lang_basic(c->p, TYPE_LDOUBLE)) : KIND_F64;
    if (kind_of(c->p, type) != want)
        return mismatch(c, s, type);
    host_format(format, sizeof format, s, want == KIND_LDOUBLE ? "L" : "");
    if (want == KIND_LDOUBLE) {
        long double v = 0;
        memcpy(&v, slot, 10);
        text_printf(out, format, lib_nan_sign(c, v));
    } else {
        double v;
        memcpy(&v, slot, sizeof v);
        text_printf(out, format, (double)lib_nan_sign(c, v));
    }
    return true;
}

static void pad(struct text *out, const struct spec *s, uint64_t n, bool left)
{
    bool on_left = !strchr(s->flags, '-');
    for (uint64_t i = n; on_left == left && s->width > 0 && i < (uint64_t)s->width; i++)
        text_putc(out, ' ');
}

static void note_read(struct source *from, uint64_t at, uint64_t size)
{
    if (from->read_count < MOST_READ)
        from->read[from->read_count++] = (struct range){at, size};
}

/* In the "C" locale each wide character is one byte, or cannot be written at all. */
static bool narrow(struct lib_call *c, uint32_t wide, char *byte)
{
    if (wide > 0x7f) {
        lib_unsupported(c, "a wide character that is not ASCII");
        return false;
    }
    *byte = (char)wide;
    return true;
}

static bool put_wide_string(struct lib_call *c, struct source *from, uint64_t address,
                            const struct spec *s, struct text *out)
{
    struct text bytes = {0};
    uint32_t wide = 1;
    bool ok = true;
    for (uint64_t i = 0; ok && (s->precision < 0 || i < (uint64_t)s->precision); i++) {
        const uint8_t *at = lib_read(c, address + 4 * i, 4);
        char byte;
        if ((ok = at != NULL))
            memory_get(c->m, &wide, at, 4);
        if (ok && !wide)
            break;
        if (ok && (ok = narrow(c, wide, &byte)))
            text_putc(&bytes, byte);
    }
    if (ok) {
        note_read(from, address, (bytes.n + !wide) * 4);
        pad(out, s, bytes.n, true);
        text_add(out, text_str(&bytes), bytes.n);
        pad(out, s, bytes.n, false);
    }
    text_free(&bytes);
    return ok;
}

static bool put_string(struct lib_call *c, struct source *from, const struct spec *s,
                       struct text *out)
{
    const struct type *type;
    const uint64_t *slot = next_argument(c, from, s->position, &type);
    if (!slot)
        return false;
    bool wide = s->length == LEN_L;
    if (!lang_is_kind(type, TYPE_POINTER) || !lib_may_be_text(c, type->canon->base, wide))
        return mismatch(c, s, type);
    if (wide)
        return put_wide_string(c, from, *slot, s, out);
    uint64_t n, limit = s->precision >= 0 ? (uint64_t)s->precision : UINT64_MAX;
    const char *bytes = lib_text_n(c, *slot, limit, &n);
    if (!bytes)
        return false;
    note_read(from, *slot, n + (n < limit));
    pad(out, s, n, true);
    text_add(out, bytes, n);
    pad(out, s, n, false);
    return true;
}

static bool put_char(struct lib_call *c, struct source *from, const struct spec *s,
                     struct text *out)
{
    uint64_t v;
    char byte;
    struct spec as = *s;
    as.length = LEN_NONE;
    if (!get_integer(c, from, &as, &v))
        return false;
    byte = (char)v;
    if (s->length == LEN_L && !narrow(c, (uint32_t)v, &byte))
        return false;
    pad(out, s, 1, true);
    text_putc(out, byte);
    pad(out, s, 1, false);
    return true;
}

static bool put_pointer(struct lib_call *c, struct source *from, const struct spec *s,
                        struct text *out)
{
    const struct type *type;
    const uint64_t *slot = next_argument(c, from, s->position, &type);
    if (!slot)
        return false;
    if (!lang_is_kind(type, TYPE_POINTER))
        return mismatch(c, s, type);
    if (*slot && !access_alive(c->m, c->pc, *slot))
        return false;
    if (*slot) {
        lib_unspecified(c, "the output would show an address");
        return false;
    }
    pad(out, s, strlen("(nil)"), true);
    text_puts(out, "(nil)");
    pad(out, s, strlen("(nil)"), false);
    return true;
}

static bool put_count(struct lib_call *c, struct source *from, const struct spec *s,
                      struct text *out)
{
    const struct type *type;
    const uint64_t *slot = next_argument(c, from, s->position, &type);
    if (!slot)
        return false;
    uint64_t n = out->n;
    unsigned size = s->length == LEN_HH ? 1 : s->length == LEN_H ? 2 : integer_size(c, s->length);
    const struct type *to = lang_is_kind(type, TYPE_POINTER) ? type->canon->base : NULL;
    if (!to || (lang_is_scalar(to) && !(lang_is_integer(to) && lang_sizeof(c->p, to) == size)))
        return mismatch(c, s, type);
    return lib_store(c, *slot, &n, size);
}

/* glibc: what errno means; no argument is taken. */
static bool put_message(struct lib_call *c, struct source *from, const struct spec *s,
                        struct text *out)
{
    const char *message = strerror(lib_errno(c));
    size_t n = strlen(message);
    (void)from;
    if (s->precision >= 0 && (size_t)s->precision < n)
        n = (size_t)s->precision;
    pad(out, s, n, true);
    text_add(out, message, n);
    pad(out, s, n, false);
    return true;
}

static bool put_percent(struct lib_call *c, struct source *from, const struct spec *s,
                        struct text *out)
{
    (void)c;
    (void)from;
    (void)s;
    text_putc(out, '%');
    return true;
}

typedef bool put_fn(struct lib_call *c, struct source *from, const struct spec *s,
                    struct text *out);

/* What a conversion may have beside - and a width, by C11 7.21.6.1p6 and p7, and by glibc: flags,
 * lengths (h stands for hh too, q for ll), and a precision. */
static const struct {
    char conversion;
    put_fn *put;
    const char *flags, *lengths;
    bool precision;
} conversions[] = {
    {'d', put_integer, "-+ 0'", "hlqjztL", true}, {'i', put_integer, "-+ 0'", "hlqjztL", true},
    {'u', put_integer, "-+ 0'", "hlqjztL", true}, {'o', put_integer, "-+ #0", "hlqjztL", true},
    {'x', put_integer, "-+ #0", "hlqjztL", true}, {'X', put_integer, "-+ #0", "hlqjztL", true},
    {'e', put_floating, "-+ #0", "lL", true},     {'E', put_floating, "-+ #0", "lL", true},
    {'f', put_floating, "-+ #0'", "lL", true},    {'F', put_floating, "-+ #0'", "lL", true},
    {'g', put_floating, "-+ #0'", "lL", true},    {'G', put_floating, "-+ #0'", "lL", true},
    {'a', put_floating, "-+ #0", "lL", true},     {'A', put_floating, "-+ #0", "lL", true},
    {'c', put_char, "-+ ", "l", false},           {'s', put_string, "-+ ", "l", true},
    {'p', put_pointer, "-+ ", "", false},         {'n', put_count, "", "hlqjzt", false},
    {'m', put_message, "-+ ", "", true},          {'%', put_percent, "", "", false},
};

static bool wrong(struct lib_call *c, const struct spec *s, const char *what)
{
    lib_undefined(c, UB_FORMAT, "%%%c has no %s", s->conversion, what);
    return false;
}

static bool convert(struct lib_call *c, struct source *from, struct spec *s, struct text *out)
{
    static const char letters[] = {[LEN_HH] = 'h', [LEN_H] = 'h', [LEN_L] = 'l', [LEN_LL] = 'q',
                                   [LEN_J] = 'j',  [LEN_Z] = 'z', [LEN_T] = 't', [LEN_LD] = 'L'};
    if (s->conversion == 'C' || s->conversion == 'S') { /* XSI */
        s->conversion = s->conversion == 'C' ? 'c' : 's';
        s->length = LEN_L;
    }
    size_t i = 0;
    while (i < LENGTH(conversions) && conversions[i].conversion != s->conversion)
        i++;
    if (s->conversion && strchr("bBwI", s->conversion)) { /* C23, glibc: other digits */
        lib_unsupported(c, "conversion '%%%c'", s->conversion);
        return false;
    }
    if (i == LENGTH(conversions)) {
        lib_undefined(c, UB_FORMAT, "unknown conversion '%%%c'", s->conversion);
        return false;
    }
    if (s->flags[strspn(s->flags, conversions[i].flags)])
        return wrong(c, s, "such flag");
    if (s->precision >= 0 && !conversions[i].precision)
        return wrong(c, s, "precision");
    if (s->length && !strchr(conversions[i].lengths, letters[s->length]))
        return wrong(c, s, "such length");
    return conversions[i].put(c, from, s, out);
}

static bool format(struct lib_call *c, uint64_t address, struct source *from, struct text *out)
{
    uint64_t n;
    const char *f = c->wide ? lib_wide_text(c, address, &n) : lib_text(c, address, &n);
    from->first = from->cursor->next;
    note_read(from, address, (n + 1) * (c->wide ? 4 : 1));
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
    return (struct source){.own = lib_own_list(c, first)};
}

static struct source list_arguments(struct lib_call *c, uint32_t i)
{
    return (struct source){.cursor = lib_list(c, i)};
}

static bool is_ascii(struct lib_call *c, const struct text *t)
{
    for (size_t i = 0; i < t->n; i++)
        if ((unsigned char)t->s[i] > 0x7f) {
            lib_unsupported(c, "a wide character that is not ASCII");
            return false;
        }
    return true;
}

static void print_to(struct lib_call *c, struct stream *to, uint32_t at, struct source s)
{
    struct text out = {0};
    if (!s.cursor)
        s.cursor = &s.own;
    if (!c->m->ended && to && format(c, arg(c, at), &s, &out) && (!c->wide || is_ascii(c, &out)))
        give_int(c, lib_print(c, to, out.s, out.n) ? (int64_t)out.n : -1);
    text_free(&out);
}

/* C11 7.21.6.6p2: is one of the strings, or the format, where the result goes? */
static bool reads_target(const struct lib_call *c, const struct source *s, uint64_t size)
{
    uint64_t to = arg(c, 0);
    for (unsigned i = 0; i < s->read_count; i++)
        if (s->read[i].at < to + size && to < s->read[i].at + s->read[i].size)
            return true;
    return false;
}

/* Into memory: at most size bytes with the terminator, or all when size is UINT64_MAX. */
static void print_into(struct lib_call *c, uint64_t size, uint32_t at, struct source s)
{
    struct text out = {0};
    if (!s.cursor)
        s.cursor = &s.own;
    if (!c->m->ended && format(c, arg(c, at), &s, &out)) {
        uint64_t n = out.n < size ? out.n : size - 1;
        if (size && reads_target(c, &s, n + 1)) {
            lib_undefined(c, UB_OVERLAP, "it writes where it reads");
        } else if (size && lib_write(c, arg(c, 0), n + 1)) {
            uint8_t *to = lib_write(c, arg(c, 0), n + 1);
            if (n)
                memcpy(to, out.s, n);
            to[n] = 0;
        }
        give_int(c, (int64_t)out.n);
    }
    text_free(&out);
}

/* Into memory that is allocated for it: argument 0 says where its address goes. */
static void print_allocated(struct lib_call *c, struct source s)
{
    struct text out = {0};
    if (!s.cursor)
        s.cursor = &s.own;
    if (!c->m->ended && format(c, arg(c, 1), &s, &out)) {
        struct object *o = lib_allocate(c, out.n + 1, 16, false);
        uint64_t base = o ? o->base : 0;
        uint8_t *to = o ? lib_write(c, base, out.n + 1) : NULL;
        if (to && out.n)
            memcpy(to, out.s, out.n);
        if (to)
            to[out.n] = 0;
        if (to && lib_store(c, arg(c, 0), &base, lib_pointer_size(c)))
            give_int(c, (int64_t)out.n);
    }
    text_free(&out);
}

bool lib_format(struct lib_call *c, uint32_t text, bool list, struct text *out)
{
    struct source s = list ? list_arguments(c, text + 1) : own_arguments(c, text + 1);
    if (!s.cursor)
        s.cursor = &s.own;
    return !c->m->ended && format(c, arg(c, text), &s, out);
}

void lib_asprintf(struct lib_call *c)
{
    print_allocated(c, own_arguments(c, 2));
}

void lib_vasprintf(struct lib_call *c)
{
    print_allocated(c, list_arguments(c, 2));
}

void lib_printf(struct lib_call *c)
{
    print_to(c, lib_standard(c, 1), 0, own_arguments(c, 1));
}

void lib_fprintf(struct lib_call *c)
{
    print_to(c, lib_stream(c, arg(c, 0)), 1, own_arguments(c, 2));
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
    print_to(c, lib_standard(c, 1), 0, list_arguments(c, 1));
}

void lib_vfprintf(struct lib_call *c)
{
    print_to(c, lib_stream(c, arg(c, 0)), 1, list_arguments(c, 2));
}

void lib_vsprintf(struct lib_call *c)
{
    print_into(c, UINT64_MAX, 1, list_arguments(c, 2));
}

void lib_vsnprintf(struct lib_call *c)
{
    print_into(c, arg(c, 1), 2, list_arguments(c, 3));
}

/* ---- wide characters -------------------------------------------------------------------- */

/* C11 7.29.2.3p3: negative where it does not fit.  What is in the array then is not laid down. */
static void print_wide(struct lib_call *c, struct source s)
{
    struct text out = {0};
    c->wide = true;
    if (!s.cursor)
        s.cursor = &s.own;
    if (!c->m->ended && format(c, arg(c, 2), &s, &out) && is_ascii(c, &out)) {
        if (out.n >= arg(c, 1))
            lib_unsupported(c, "wide characters that do not fit");
        else if (reads_target(c, &s, (out.n + 1) * 4))
            lib_undefined(c, UB_OVERLAP, "it writes where it reads");
        else if (lib_put_wide(c, arg(c, 0), text_str(&out), out.n))
            give_int(c, (int64_t)out.n);
    }
    text_free(&out);
}

void lib_swprintf(struct lib_call *c)
{
    print_wide(c, own_arguments(c, 3));
}

void lib_vswprintf(struct lib_call *c)
{
    print_wide(c, list_arguments(c, 3));
}

void lib_wprintf(struct lib_call *c)
{
    c->wide = true;
    lib_printf(c);
}

void lib_fwprintf(struct lib_call *c)
{
    c->wide = true;
    lib_fprintf(c);
}

void lib_vwprintf(struct lib_call *c)
{
    c->wide = true;
    lib_vprintf(c);
}

void lib_vfwprintf(struct lib_call *c)
{
    c->wide = true;
    lib_vfprintf(c);
}
