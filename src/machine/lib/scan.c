/* scanf and its family, on standard input and on strings: what is read, and where it stops, as
 * glibc does it. */
#include "machine/lib/private.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan {
    struct lib_call *c;
    const char *text; /* NULL: from the stream */
    struct stream *stream;
    uint64_t at, size;
    uint64_t used;
    struct cursor own, *cursor; /* the arguments: of the call, or a va_list's */
    uint32_t first;             /* the cursor's next when the call began: %1$ is that one */
    int stored;
    bool ended;     /* the input was at its end before anything was matched */
    unsigned width; /* characters that this conversion may still read */
};

/* To memory, but not into the string that is read (C11 7.21.6.7p2). */
static bool put(struct scan *s, uint64_t to, const void *bytes, uint64_t size)
{
    uint64_t read = s->text ? (s->size + 1) * (s->c->wide ? 4 : 1) : 0;
    return lib_apart(s->c, to, size, arg(s->c, 0), read) && lib_store(s->c, to, bytes, size);
}

static int get(struct scan *s)
{
    int ch;
    if (s->text)
        ch = s->at < s->size ? (unsigned char)s->text[s->at++] : EOF;
    else
        ch = lib_getc(s->c, s->stream);
    if (s->c->wide && ch >= 128) {
        lib_unsupported(s->c, "a wide character that is not ASCII");
        return EOF;
    }
    if (ch != EOF)
        s->used++;
    return ch;
}

static void back(struct scan *s, int ch)
{
    if (ch == EOF)
        return;
    s->used--;
    if (s->text)
        s->at--;
    else
        lib_unread(s->c, s->stream, ch);
}

static void skip_blanks(struct scan *s)
{
    int ch;
    do
        ch = get(s);
    while (ch != EOF && isspace(ch));
    back(s, ch);
}

/* A character of the field; EOF also when its width is used up. */
static int get_field(struct scan *s)
{
    if (s->width == 0)
        return EOF;
    s->width--;
    return get(s);
}

/* Where the next value goes, and the type that the argument points to. */
static bool target(struct scan *s, int position, uint64_t *address, const struct type **to)
{
    struct lib_call *c = s->c;
    const struct type *type;
    if (position)
        s->cursor->next = s->first + (uint32_t)position - 1;
    const uint64_t *slot = cursor_next(c->m, s->cursor, &type);
    if (!slot) {
        lib_undefined(c, UB_FORMAT, "there are too few arguments");
        return false;
    }
    if (type->canon->kind != TYPE_POINTER) {
        lib_undefined(c, UB_FORMAT, "an argument is no pointer");
        return false;
    }
    *address = *slot;
    *to = type->canon->base;
    return true;
}

/* One conversion as it is written. */
struct conversion_spec {
    char conversion;
    unsigned width; /* 0: none given */
    bool assign, allocate;
    bool empty;   /* the width is 0, which it may not be (C11 7.21.6.2p3) */
    int length;   /* -2 hh, -1 h, 0, 1 l, 2 ll, 3 L, 4 z or t, 5 j */
    int position; /* of its argument, from 1; 0: the next one */
};

/* Is that the kind of value that a conversion gives? */
static bool holds(const struct conversion_spec *v, const struct type *to)
{
    if (v->allocate)
        return lang_is_kind(to, TYPE_POINTER);
    return strchr("aefgAEFG", v->conversion) ? lang_is_floating(to) : lang_is_integer(to);
}

static bool store(struct scan *s, const struct conversion_spec *v, const void *bytes, uint64_t size)
{
    uint64_t address;
    const struct type *to;
    if (!target(s, v->position, &address, &to))
        return false;
    if (lang_is_scalar(to) && !holds(v, to)) {
        lib_undefined(s->c, UB_FORMAT, "%%%c meets a pointer to a value of another kind",
                      v->conversion);
        return false;
    }
    if (to->kind != TYPE_VOID && lang_sizeof(s->c->p, to) != size) {
        lib_undefined(s->c, UB_FORMAT, "an argument points to %llu bytes, not %llu",
                      (unsigned long long)lang_sizeof(s->c->p, to), (unsigned long long)size);
        return false;
    }
    if (!put(s, address, bytes, size))
        return false;
    s->stored++;
    return true;
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* What a number is read into; what does not fit is a number all the same, and too long. */
struct digits {
    char text[256];
    unsigned n;
};

static void add_digit(struct digits *d, int ch)
{
    if (d->n + 1 < sizeof d->text)
        d->text[d->n++] = (char)ch;
    d->text[d->n] = 0;
}

/* The first character after blanks; EOF when the input is at its end. */
static int first_of_number(struct scan *s)
{
    skip_blanks(s);
    int ch = get_field(s);
    s->ended = ch == EOF;
    return ch;
}

static bool is_digit_of(int ch, int base)
{
    return base == 16 ? isxdigit(ch) : isdigit(ch) && ch - '0' < base;
}

/* As glibc reads it: 0x is eaten even if no digit follows, and is 0 then. */
static bool collect_integer(struct scan *s, struct digits *d, int *base)
{
    int ch = first_of_number(s);
    if (ch == '+' || ch == '-') {
        add_digit(d, ch);
        ch = get_field(s);
    }
    if (ch == '0') {
        add_digit(d, ch);
        ch = get_field(s);
        if (tolower(ch) == 'x' && (*base == 0 || *base == 16)) {
            *base = 16;
            ch = get_field(s);
        } else if (*base == 0) {
            *base = 8;
        }
    }
    *base = *base ? *base : 10;
    for (; ch != EOF && is_digit_of(ch, *base); ch = get_field(s))
        add_digit(d, ch);
    back(s, ch);
    return d->n > (d->text[0] == '+' || d->text[0] == '-');
}

/* C11 7.21.6.2p10: a number that the object cannot hold. */
static bool fits(struct scan *s, const char *text, int base, bool is_signed, unsigned size)
{
    errno = 0;
    long long v = strtoll(text, NULL, base);
    bool small = errno == 0;
    errno = 0;
    unsigned long long u = strtoull(text, NULL, base);
    unsigned bits = 8 * size;
    if (is_signed && small && (v >> (bits - 1) == 0 || v >> (bits - 1) == -1))
        return true;
    /* a minus before an unsigned number is allowed, as for strtoul */
    if (!is_signed && errno == 0 && (bits == 64 || u >> bits == 0 || -u >> bits == 0))
        return true;
    lib_undefined(s->c, UB_FORMAT, "%s does not fit", text);
    return false;
}

static bool scan_integer(struct scan *s, const struct conversion_spec *v, unsigned size)
{
    struct digits d = {.n = 0};
    bool is_signed = v->conversion == 'd' || v->conversion == 'i';
    int base = v->conversion == 'i'                           ? 0
               : v->conversion == 'o'                         ? 8
               : v->conversion == 'x' || v->conversion == 'X' ? 16
                                                              : 10;
    if (!collect_integer(s, &d, &base))
        return false;
    if (!v->assign)
        return true;
    if (!fits(s, d.text, base, is_signed, size))
        return false;
    unsigned long long bits = is_signed ? (unsigned long long)strtoll(d.text, NULL, base)
                                        : strtoull(d.text, NULL, base);
    return store(s, v, &bits, size);
}

/* The rest of a word, whatever its case; all of it, or it is no number. */
static bool collect_word(struct scan *s, struct digits *d, const char *word)
{
    for (; *word; word++) {
        int ch = get_field(s);
        if (ch == EOF || tolower(ch) != *word)
            return false;
        add_digit(d, ch);
    }
    return true;
}

static bool collect_infinity(struct scan *s, struct digits *d)
{
    if (!collect_word(s, d, "nf"))
        return false;
    int ch = get_field(s);
    if (ch == EOF || tolower(ch) != 'i') {
        back(s, ch);
        return true;
    }
    add_digit(d, ch);
    return collect_word(s, d, "nity");
}

/* Digits, a dot, an exponent; as glibc reads them. */
static bool collect_digits(struct scan *s, struct digits *d, int ch)
{
    unsigned sign = d->n;
    bool hex = false, digit = false, dot = false, exponent = false;
    if (ch == '0') {
        add_digit(d, ch);
        ch = get_field(s);
        hex = tolower(ch) == 'x' && s->width; /* a digit may follow */
        digit = !hex;
        if (hex) {
            add_digit(d, ch);
            ch = get_field(s);
        }
    }
    char mark = hex ? 'p' : 'e';
    for (; ch != EOF; ch = get_field(s)) {
        if (isdigit(ch) || (hex && !exponent && isxdigit(ch)))
            digit = true;
        else if (digit && !exponent && tolower(ch) == mark)
            exponent = dot = true;
        else if (ch == '.' && !dot)
            dot = true;
        else if (!(exponent && tolower(d->text[d->n - 1]) == mark && (ch == '-' || ch == '+')))
            break;
        add_digit(d, ch);
    }
    back(s, ch);
    return d->n > sign + (hex ? 2 : 0);
}

static bool collect_floating(struct scan *s, struct digits *d)
{
    int ch = first_of_number(s);
    if (ch == '+' || ch == '-') {
        add_digit(d, ch);
        if ((ch = get_field(s)) == EOF)
            return false;
    }
    if (ch == EOF)
        return false;
    if (tolower(ch) != 'n' && tolower(ch) != 'i')
        return collect_digits(s, d, ch);
    add_digit(d, ch);
    return tolower(ch) == 'n' ? collect_word(s, d, "an") : collect_infinity(s, d);
}

static bool scan_floating(struct scan *s, const struct conversion_spec *v)
{
    struct digits d = {.n = 0};
    char *end;
    if (!collect_floating(s, &d))
        return false;
    long double wide = strtold(d.text, &end);
    double number = strtod(d.text, NULL);
    float single = strtof(d.text, NULL);
    if (end == d.text)
        return false;
    if (!v->assign)
        return true;
    if (v->length == 1)
        return store(s, v, &number, 8);
    return v->length == 3 ? store(s, v, &wide, s->c->p->target->ldouble.size)
                          : store(s, v, &single, 4);
}

/* ---- characters ------------------------------------------------------------------------- */

static bool in_set(const char *set, const char *end, bool negated, int ch)
{
    bool found = false;
    for (const char *p = set; p < end; p++) {
        if (p + 2 < end && p[1] == '-') {
            found = found || (ch >= (unsigned char)p[0] && ch <= (unsigned char)p[2]);
            p += 2;
        } else {
            found = found || ch == (unsigned char)*p;
        }
    }
    return found != negated;
}

/* Does it belong to what %s, %c or %[ reads? */
static bool wanted(char conversion, const char *set, const char *end, int ch)
{
    if (conversion == '[')
        return in_set(set + (*set == '^'), end, *set == '^', ch);
    return conversion == 'c' || !isspace(ch);
}

/* POSIX %ms: what was read goes to memory that is allocated for it. */
static bool give_allocated(struct scan *s, const struct conversion_spec *v, const struct text *t)
{
    bool text = v->conversion != 'c';
    struct object *o = lib_allocate(s->c, t->n + text, 1, false);
    if (!o)
        return false;
    uint64_t pointer = o->base;
    memcpy(o->bytes, text_str(t), t->n + text);
    memory_need_init(o);
    memset(o->init, 0xff, o->size);
    return store(s, v, &pointer, lib_pointer_size(s->c));
}

/* One character to its place in an array, of bytes or of wide characters. */
static bool store_char(struct scan *s, const struct conversion_spec *v, uint64_t to, size_t i,
                       int ch)
{
    uint8_t byte = (uint8_t)ch;
    uint32_t wide = byte;
    if (v->length == 0)
        return put(s, to + i, &byte, 1);
    if (byte < 128)
        return put(s, to + i * 4, &wide, 4);
    lib_unsupported(s->c, "a wide character that is not ASCII");
    return false;
}

/* %s, %c and %[: characters into an array. */
static bool scan_text(struct scan *s, const struct conversion_spec *v, const char *set,
                      const char *end)
{
    uint64_t to = 0;
    const struct type *type;
    struct text read = {0};
    if (v->conversion == 's')
        skip_blanks(s);
    if (v->conversion == 'c' && !v->width)
        s->width = 1;
    bool into = v->assign && !v->allocate, done = !into || target(s, v->position, &to, &type);
    if (done && into && !lib_may_be_text(s->c, type, v->length != 0)) {
        lib_undefined(s->c, UB_FORMAT, "%%%c meets a pointer to no characters", v->conversion);
        return false;
    }
    int ch = EOF;
    while (done && (ch = get_field(s)) != EOF) {
        if (!wanted(v->conversion, set, end, ch)) {
            back(s, ch);
            break;
        }
        done = !into || store_char(s, v, to, read.n, ch);
        text_putc(&read, (char)ch);
    }
    s->ended = read.n == 0 && ch == EOF;
    done = done && read.n != 0;
    if (done && into && v->conversion != 'c')
        done = store_char(s, v, to, read.n, 0);
    if (done && v->allocate)
        done = give_allocated(s, v, &read);
    s->stored += done && into;
    text_free(&read);
    return done;
}

static const char *parse_length(const char *f, int *length)
{
    static const struct {
        char text[3];
        int8_t length;
    } lengths[] = {{"hh", -2}, {"h", -1}, {"ll", 2}, {"l", 1}, {"L", 3},
                   {"q", 2},   {"j", 5},  {"z", 4},  {"t", 4}};
    for (size_t i = 0; i < LENGTH(lengths); i++) {
        size_t n = strlen(lengths[i].text);
        if (strncmp(f, lengths[i].text, n) == 0) {
            *length = lengths[i].length;
            return f + n;
        }
    }
    return f;
}

/* C11 7.21.6.2p11; glibc has L as ll before integers, too. */
static bool fits_length(const struct conversion_spec *v)
{
    if (strchr("aefgAEFG", v->conversion))
        return v->length == 0 || v->length == 1 || v->length == 3;
    if (strchr("cs[", v->conversion))
        return v->length == 0 || v->length == 1;
    return v->length == 0 || !strchr("p%", v->conversion);
}

static const char *parse(const char *f, struct conversion_spec *v)
{
    char *end;
    *v = (struct conversion_spec){.assign = true};
    unsigned long n = isdigit((unsigned char)*f) ? strtoul(f, &end, 10) : 0;
    if (n && *end == '$') {
        v->position = (int)n;
        f = end + 1;
    }
    if (*f == '*') {
        v->assign = false;
        f++;
    }
    while (*f == '\'')
        f++;
    v->empty = *f == '0';
    while (*f >= '0' && *f <= '9')
        v->width = v->width * 10 + (unsigned)(*f++ - '0');
    v->empty = v->empty && v->width == 0;
    v->allocate = *f == 'm';
    f = parse_length(f + v->allocate, &v->length);
    v->conversion = *f;
    if (*f == 'S' || *f == 'C') { /* POSIX: %ls, %lc */
        v->conversion = *f == 'S' ? 's' : 'c';
        v->length = 1;
    }
    return f;
}

static unsigned size_of_length(const struct lib_call *c, int length)
{
    const struct target *t = c->p->target;
    static const uint8_t small[] = {1, 2, 4};
    if (length <= 0)
        return small[length + 2];
    return length == 1 ? t->long_.size : length == 4 ? t->pointer.size : 8;
}

static bool scan_percent(struct scan *s)
{
    skip_blanks(s);
    int ch = get(s);
    if (ch != '%')
        back(s, ch);
    s->ended = ch == EOF;
    return ch == '%';
}

static bool scan_count(struct scan *s, const struct conversion_spec *v)
{
    uint64_t used = s->used;
    bool done = store(s, v, &used, size_of_length(s->c, v->length));
    s->stored -= done;
    return done;
}

/* Behind the [: the set, up to its ], which may also be its first character; NULL: it has none. */
static const char *set_end(const char *set)
{
    set += *set == '^';
    return *set ? strchr(set + 1, ']') : NULL;
}

static bool scan_one(struct scan *s, const char **format)
{
    struct conversion_spec v;
    const char *f = parse(*format, &v), *end;
    s->width = v.width ? v.width : UINT32_MAX;
    *format = *f ? f + 1 : f;
    if (v.empty) {
        lib_undefined(s->c, UB_FORMAT, "%%%c has a width of 0", v.conversion);
        return false;
    }
    if (!fits_length(&v)) {
        lib_undefined(s->c, UB_FORMAT, "%%%c has no such length", v.conversion);
        return false;
    }
    switch (v.conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        return scan_integer(s, &v, size_of_length(s->c, v.length));
    case 'a':
    case 'e':
    case 'f':
    case 'g':
    case 'A':
    case 'E':
    case 'F':
    case 'G':
        return scan_floating(s, &v);
    case '[':
    case 'c':
    case 's':
        end = v.conversion == '[' ? set_end(f + 1) : f;
        if (!end) {
            lib_undefined(s->c, UB_FORMAT, "the set of %%[ has no end");
            return false;
        }
        *format = end + 1;
        if (v.length == 0 || !v.allocate)
            return scan_text(s, &v, f + 1, end);
        lib_unsupported(s->c, "this length of a text");
        return false;
    case 'n':
        return scan_count(s, &v);
    case '%':
        return scan_percent(s);
    case 'p':
        lib_unsupported(s->c, "the conversion %%%c", v.conversion);
        return false;
    default:
        lib_undefined(s->c, UB_FORMAT, "unknown conversion '%%%c'", v.conversion);
        return false;
    }
}

/* In the "C" locale what is wide has an ASCII character for each. */
static const char *given_text(struct lib_call *c, uint32_t at, uint64_t *n)
{
    return c->wide ? lib_wide_text(c, arg(c, at), n) : lib_text(c, arg(c, at), n);
}

static void scan_all(struct scan *s, uint32_t at)
{
    uint64_t n;
    if (!s->cursor)
        s->cursor = &s->own;
    s->first = s->cursor->next;
    const char *f = s->c->m->ended ? NULL : given_text(s->c, at, &n);
    while (f && *f) {
        if (isspace((unsigned char)*f)) {
            skip_blanks(s);
            f++;
        } else if (*f != '%') {
            int ch = get(s);
            if (ch != (unsigned char)*f) {
                s->ended = ch == EOF;
                back(s, ch);
                break;
            }
            f++;
        } else {
            f++;
            if (!scan_one(s, &f))
                break;
        }
    }
    give_int(s->c, s->stored == 0 && s->ended ? EOF : s->stored);
}

static struct scan own_arguments(struct lib_call *c, uint32_t first)
{
    return (struct scan){.c = c, .own = lib_own_list(c, first)};
}

static struct scan list_arguments(struct lib_call *c, uint32_t i)
{
    return (struct scan){.c = c, .cursor = lib_list(c, i)};
}

static void scan_string(struct scan *s)
{
    s->text = given_text(s->c, 0, &s->size);
    if (s->text)
        scan_all(s, 1);
}

/* From a stream; at: the argument that is the format. */
static void scan_stream(struct scan *s, struct stream *from, uint32_t at)
{
    s->stream = from;
    if (!from)
        return;
    if (lib_reads(s->c, from))
        scan_all(s, at);
    else
        give_int(s->c, EOF);
}

void lib_scanf(struct lib_call *c)
{
    struct scan s = own_arguments(c, 1);
    scan_stream(&s, lib_standard(c, 0), 0);
}

void lib_vscanf(struct lib_call *c)
{
    struct scan s = list_arguments(c, 1);
    scan_stream(&s, lib_standard(c, 0), 0);
}

void lib_fscanf(struct lib_call *c)
{
    struct scan s = own_arguments(c, 2);
    scan_stream(&s, lib_stream(c, arg(c, 0)), 1);
}

void lib_vfscanf(struct lib_call *c)
{
    struct scan s = list_arguments(c, 2);
    scan_stream(&s, lib_stream(c, arg(c, 0)), 1);
}

void lib_sscanf(struct lib_call *c)
{
    struct scan s = own_arguments(c, 2);
    scan_string(&s);
}

void lib_vsscanf(struct lib_call *c)
{
    struct scan s = list_arguments(c, 2);
    scan_string(&s);
}

/* ---- from wide characters --------------------------------------------------------------- */

void lib_wscanf(struct lib_call *c)
{
    c->wide = true;
    lib_scanf(c);
}

void lib_vwscanf(struct lib_call *c)
{
    c->wide = true;
    lib_vscanf(c);
}

void lib_fwscanf(struct lib_call *c)
{
    c->wide = true;
    lib_fscanf(c);
}

void lib_vfwscanf(struct lib_call *c)
{
    c->wide = true;
    lib_vfscanf(c);
}

void lib_swscanf(struct lib_call *c)
{
    c->wide = true;
    lib_sscanf(c);
}

void lib_vswscanf(struct lib_call *c)
{
    c->wide = true;
    lib_vsscanf(c);
}
