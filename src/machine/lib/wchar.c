/* wchar.h, wctype.h and the multibyte functions of stdlib.h, in the "C" locale, whose characters
 * are those of ASCII; wide characters have four bytes on every target of glibc. */
#include "machine/lib/private.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum { WIDE = 4 };

/* ---- wide strings ----------------------------------------------------------------------- */

static bool get_wide(struct lib_call *c, uint64_t at, int32_t *v)
{
    const uint8_t *bytes = lib_read(c, at, WIDE);
    if (bytes)
        memory_get(c->m, v, bytes, WIDE);
    return bytes;
}

static bool put_wide(struct lib_call *c, uint64_t at, int32_t v)
{
    return lib_store(c, at, &v, WIDE);
}

/* A copy of the string at an address, of at most limit characters; NULL when it cannot be read. */
static wchar_t *wide_text(struct lib_call *c, uint64_t at, uint64_t limit, uint64_t *n)
{
    int32_t ch = 1;
    if (lang_sizeof(c->p, lang_wchar_type(c->p)) != WIDE) {
        lib_unsupported(c, "wide characters of another size");
        return NULL;
    }
    for (*n = 0; *n < limit; ++*n) {
        if (!get_wide(c, at + *n * WIDE, &ch))
            return NULL;
        if (!ch)
            break;
    }
    wchar_t *text = NEW_ARRAY(&c->m->arena, *n + 1, wchar_t);
    for (uint64_t i = 0; i < *n; i++) {
        get_wide(c, at + i * WIDE, &ch);
        text[i] = ch;
    }
    return text;
}

/* n characters of a text, and zeros up to size, to an address. */
static bool put_text(struct lib_call *c, uint64_t to, const wchar_t *text, uint64_t n,
                     uint64_t size)
{
    for (uint64_t i = 0; i < size; i++)
        if (!put_wide(c, to + i * WIDE, i < n ? (int32_t)text[i] : 0))
            return false;
    return true;
}

void lib_wcslen(struct lib_call *c)
{
    uint64_t n;
    if (wide_text(c, arg(c, 0), UINT64_MAX, &n))
        give(c, n);
}

static void copy(struct lib_call *c, uint64_t at, uint64_t limit, bool pads)
{
    uint64_t n;
    const wchar_t *text = wide_text(c, arg(c, 1), limit, &n);
    uint64_t size = pads ? limit : n + 1, from = arg(c, 1), to = arg(c, 0) + at * WIDE;
    if (!text)
        return;
    if (lib_apart(c, to, size * WIDE, from, (n + 1) * WIDE) && put_text(c, to, text, n, size))
        give(c, arg(c, 0));
}

void lib_wcscpy(struct lib_call *c)
{
    copy(c, 0, UINT64_MAX, false);
}

void lib_wcsxfrm(struct lib_call *c)
{
    uint64_t n;
    const wchar_t *text = wide_text(c, arg(c, 1), UINT64_MAX, &n);
    uint64_t size = (n + 1) * WIDE;
    if (text && (n >= arg(c, 2) || (lib_apart(c, arg(c, 0), size, arg(c, 1), size) &&
                                    put_text(c, arg(c, 0), text, n, n + 1))))
        give(c, n);
}

void lib_wcsncpy(struct lib_call *c)
{
    copy(c, 0, arg(c, 2), true);
}

void lib_wcscat(struct lib_call *c)
{
    uint64_t n;
    if (wide_text(c, arg(c, 0), UINT64_MAX, &n))
        copy(c, n, UINT64_MAX, false);
}

void lib_wcsncat(struct lib_call *c)
{
    uint64_t n;
    if (wide_text(c, arg(c, 0), UINT64_MAX, &n))
        copy(c, n, arg(c, 2), false);
}

/* C11 7.29.4p2: the first pointers are valid even where nothing is looked at. */
static bool are_there(struct lib_call *c, uint32_t pointers, uint64_t n)
{
    for (uint32_t i = 0; n == 0 && i < pointers; i++)
        if (!arg(c, i))
            lib_undefined(c, UB_LIB_ARG, "a null pointer");
    return !c->m->ended;
}

/* strings: they end at a zero. */
static void compare(struct lib_call *c, uint64_t limit, bool strings)
{
    for (uint64_t i = 0; i < limit; i++) {
        int32_t a, b;
        if (!get_wide(c, arg(c, 0) + i * WIDE, &a) || !get_wide(c, arg(c, 1) + i * WIDE, &b))
            return;
        if (a != b)
            give_sign(c, a < b ? -1 : 1);
        if (a != b || (strings && a == 0))
            return;
    }
}

void lib_wcscmp(struct lib_call *c)
{
    compare(c, UINT64_MAX, true);
}

void lib_wcsncmp(struct lib_call *c)
{
    if (are_there(c, 2, arg(c, 2)))
        compare(c, arg(c, 2), true);
}

void lib_wmemcmp(struct lib_call *c)
{
    if (are_there(c, 2, arg(c, 2)))
        compare(c, arg(c, 2), false);
}

/* A place in the first argument's string. */
static void give_place(struct lib_call *c, const wchar_t *text, const wchar_t *at)
{
    give(c, at ? arg(c, 0) + (uint64_t)(at - text) * WIDE : 0);
}

#define FINDS(name)                                                    \
    void lib_##name(struct lib_call *c)                                \
    {                                                                  \
        uint64_t n;                                                    \
        const wchar_t *text = wide_text(c, arg(c, 0), UINT64_MAX, &n); \
        if (text)                                                      \
            give_place(c, text, name(text, (wchar_t)arg_int(c, 1)));   \
    }
FINDS(wcschr)
FINDS(wcsrchr)

#define SEARCHES(name, result)                                                      \
    void lib_##name(struct lib_call *c)                                             \
    {                                                                               \
        uint64_t n;                                                                 \
        const wchar_t *text = wide_text(c, arg(c, 0), UINT64_MAX, &n);              \
        const wchar_t *set = text ? wide_text(c, arg(c, 1), UINT64_MAX, &n) : NULL; \
        if (set)                                                                    \
            result;                                                                 \
    }
SEARCHES(wcsstr, give_place(c, text, wcsstr(text, set)))
SEARCHES(wcspbrk, give_place(c, text, wcspbrk(text, set)))
SEARCHES(wcsspn, give(c, wcsspn(text, set)))
SEARCHES(wcscspn, give(c, wcscspn(text, set)))

void lib_wmemset(struct lib_call *c)
{
    if (!are_there(c, 1, arg(c, 2)))
        return;
    for (uint64_t i = 0; i < arg(c, 2); i++)
        if (!put_wide(c, arg(c, 0) + i * WIDE, arg_int(c, 1)))
            return;
    give(c, arg(c, 0));
}

void lib_wmemcpy(struct lib_call *c)
{
    uint64_t to = arg(c, 0), from = arg(c, 1), n = arg(c, 2) * WIDE;
    if (are_there(c, 2, n) && (to == from || lib_apart(c, to, n, from, n)) &&
        (n == 0 || access_copy(c->m, c->pc, to, from, n)))
        give(c, to);
}

void lib_wmemmove(struct lib_call *c)
{
    if (are_there(c, 2, arg(c, 2)) &&
        (arg(c, 2) == 0 || access_copy(c->m, c->pc, arg(c, 0), arg(c, 1), arg(c, 2) * WIDE)))
        give(c, arg(c, 0));
}

/* Where a number ended, to where argument 1 points. */
static bool store_end(struct lib_call *c, const wchar_t *text, const wchar_t *end)
{
    uint64_t to = arg(c, 0) + (uint64_t)(end - text) * WIDE;
    return !arg(c, 1) || lib_store(c, arg(c, 1), &to, lib_pointer_size(c));
}

static void give_integer(struct lib_call *c, bool is_signed)
{
    uint64_t n;
    wchar_t *end;
    const wchar_t *text = wide_text(c, arg(c, 0), UINT64_MAX, &n);
    if (!text)
        return;
    if (lang_int_width(c->p, c->site->result) != 64) {
        lib_unsupported(c, "this width");
        return;
    }
    if (!lib_takes_base(c, arg_int(c, 2)))
        return;
    errno = 0;
    uint64_t v = is_signed ? (uint64_t)wcstoll(text, &end, arg_int(c, 2))
                           : wcstoull(text, &end, arg_int(c, 2));
    if (errno)
        lib_set_errno(c, errno);
    if (store_end(c, text, end))
        give(c, v);
}

void lib_wcstol(struct lib_call *c)
{
    give_integer(c, true);
}

void lib_wcstoul(struct lib_call *c)
{
    give_integer(c, false);
}

void lib_wcstod(struct lib_call *c)
{
    uint64_t n;
    wchar_t *end;
    const wchar_t *text = wide_text(c, arg(c, 0), UINT64_MAX, &n);
    if (!text)
        return;
    errno = 0;
    uint64_t size = lang_sizeof(c->p, c->site->result);
    long double v = size == 4   ? wcstof(text, &end)
                    : size == 8 ? wcstod(text, &end)
                                : wcstold(text, &end);
    if (errno)
        lib_set_errno(c, errno);
    if (store_end(c, text, end))
        give_number(c, v);
}

/* As strtok_r: argument 2 says where it goes on. */
void lib_wcstok(struct lib_call *c)
{
    uint64_t n, start = arg(c, 0);
    const uint8_t *kept = start ? NULL : lib_read(c, arg(c, 2), lib_pointer_size(c));
    if (!start && !kept)
        return;
    if (kept)
        memory_get(c->m, &start, kept, lib_pointer_size(c));
    if (!start)
        return; /* nothing left: null */
    const wchar_t *set = wide_text(c, arg(c, 1), UINT64_MAX, &n);
    const wchar_t *text = set ? wide_text(c, start, UINT64_MAX, &n) : NULL;
    if (!text)
        return;
    uint64_t skip = wcsspn(text, set), length = wcscspn(text + skip, set), next = 0;
    uint64_t end = start + (skip + length) * WIDE;
    if (text[skip + length]) {
        if (!put_wide(c, end, 0))
            return;
        next = end + WIDE;
    }
    if (lib_store(c, arg(c, 2), &next, lib_pointer_size(c)))
        give(c, length ? start + skip * WIDE : 0);
}

void lib_wmemchr(struct lib_call *c)
{
    if (!are_there(c, 1, arg(c, 2)))
        return;
    for (uint64_t i = 0; i < arg(c, 2); i++) {
        int32_t ch;
        if (!get_wide(c, arg(c, 0) + i * WIDE, &ch))
            return;
        if (ch == arg_int(c, 1)) {
            give(c, arg(c, 0) + i * WIDE);
            return;
        }
    }
}

bool lib_put_wide(struct lib_call *c, uint64_t to, const char *text, uint64_t n)
{
    for (uint64_t i = 0; i <= n; i++)
        if (!put_wide(c, to + i * WIDE, i < n ? text[i] : 0))
            return false;
    return true;
}

const char *lib_wide_text(struct lib_call *c, uint64_t address, uint64_t *length)
{
    *length = 0;
    const wchar_t *wide = wide_text(c, address, UINT64_MAX, length);
    if (!wide)
        return NULL;
    char *text = arena_alloc(&c->m->arena, *length + 1);
    for (uint64_t i = 0; i < *length; i++) {
        if (wide[i] < 0 || wide[i] > 0x7f) {
            lib_unsupported(c, "a wide character that is not ASCII");
            return NULL;
        }
        text[i] = (char)wide[i];
    }
    return text;
}

/* ---- classes ---------------------------------------------------------------------------- */

#define CLASS(name)                                           \
    void lib_isw##name(struct lib_call *c)                    \
    {                                                         \
        int ch = arg_int(c, 0);                               \
        give_sign(c, ch >= 0 && ch < 128 ? is##name(ch) : 0); \
    }
CLASS(alnum)
CLASS(alpha)
CLASS(blank)
CLASS(cntrl)
CLASS(digit)
CLASS(graph)
CLASS(lower)
CLASS(print)
CLASS(punct)
CLASS(space)
CLASS(upper)
CLASS(xdigit)

/* By name (C11 7.30.2.2): a class is its row and one, which programs only hand on. */
static const struct {
    const char *name;
    int (*test)(int);
} classes[] = {
    {"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
    {"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
    {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit},
};

void lib_wctype(struct lib_call *c)
{
    uint64_t n;
    const char *name = lib_text(c, arg(c, 0), &n);
    for (size_t i = 0; name && i < LENGTH(classes); i++)
        if (strcmp(classes[i].name, name) == 0)
            give(c, i + 1);
}

void lib_iswctype(struct lib_call *c)
{
    uint64_t class = arg(c, 1);
    int ch = arg_int(c, 0);
    if (class > LENGTH(classes))
        lib_undefined(c, UB_LIB_ARG, "no class that wctype gave");
    else if (class && ch >= 0 && ch < 128)
        give_sign(c, classes[class - 1].test(ch));
}

enum { TO_LOWER = 1, TO_UPPER };

void lib_wctrans(struct lib_call *c)
{
    uint64_t n;
    const char *name = lib_text(c, arg(c, 0), &n);
    if (name)
        give(c, strcmp(name, "tolower") == 0   ? TO_LOWER
                : strcmp(name, "toupper") == 0 ? TO_UPPER
                                               : 0);
}

void lib_towctrans(struct lib_call *c)
{
    int ch = arg_int(c, 0);
    uint64_t how = arg(c, 1);
    bool ascii = ch >= 0 && ch < 128;
    if (how > TO_UPPER)
        lib_undefined(c, UB_LIB_ARG, "nothing that wctrans gave");
    else
        give(c, (uint32_t)(ascii && how == TO_LOWER   ? tolower(ch)
                           : ascii && how == TO_UPPER ? toupper(ch)
                                                      : ch));
}

void lib_towlower(struct lib_call *c)
{
    int ch = arg_int(c, 0);
    give(c, (uint32_t)(ch >= 0 && ch < 128 ? tolower(ch) : ch));
}

void lib_towupper(struct lib_call *c)
{
    int ch = arg_int(c, 0);
    give(c, (uint32_t)(ch >= 0 && ch < 128 ? toupper(ch) : ch));
}

void lib_btowc(struct lib_call *c)
{
    int ch = arg_int(c, 0);
    give(c, (uint32_t)(ch >= 0 && ch < 128 ? ch : -1));
}

void lib_wctob(struct lib_call *c)
{
    int ch = arg_int(c, 0);
    give_int(c, ch >= 0 && ch < 128 ? ch : -1);
}

/* ---- multibyte characters: of one byte -------------------------------------------------- */

static void give_failure(struct lib_call *c)
{
    lib_set_errno(c, EILSEQ);
    give(c, ~(uint64_t)0);
}

/* A character of at most limit bytes to an address, or nowhere; nothing: what an empty one gives.
 */
static void convert_char(struct lib_call *c, uint64_t to, uint64_t from, uint64_t limit,
                         uint64_t nothing)
{
    if (!from)
        return; /* no shift states: 0 */
    const uint8_t *byte = limit ? lib_read(c, from, 1) : NULL;
    if (limit == 0)
        give(c, nothing);
    else if (byte && *byte >= 128)
        give_failure(c);
    else if (byte && (!to || (lib_apart(c, to, WIDE, from, 1) && put_wide(c, to, *byte))))
        give(c, *byte != 0);
}

void lib_mblen(struct lib_call *c)
{
    convert_char(c, 0, arg(c, 0), arg(c, 1), ~(uint64_t)0);
}

void lib_mbtowc(struct lib_call *c)
{
    convert_char(c, arg(c, 0), arg(c, 1), arg(c, 2), ~(uint64_t)0);
}

void lib_mbrlen(struct lib_call *c)
{
    convert_char(c, 0, arg(c, 0), arg(c, 1), ~(uint64_t)1);
}

void lib_mbrtowc(struct lib_call *c)
{
    convert_char(c, arg(c, 0), arg(c, 1), arg(c, 2), ~(uint64_t)1);
}

static void put_char(struct lib_call *c, uint64_t nothing)
{
    int32_t ch = arg_int(c, 1);
    uint8_t byte = (uint8_t)ch;
    if (!arg(c, 0))
        give(c, nothing);
    else if (ch < 0 || ch >= 128)
        give_failure(c);
    else if (lib_store(c, arg(c, 0), &byte, 1))
        give(c, 1);
}

void lib_wctomb(struct lib_call *c)
{
    put_char(c, 0);
}

void lib_wcrtomb(struct lib_call *c)
{
    put_char(c, 1);
}

void lib_mbsinit(struct lib_call *c)
{
    give_int(c, 1);
}

void lib_mbstowcs(struct lib_call *c)
{
    uint64_t n;
    const char *text = lib_text(c, arg(c, 1), &n);
    uint64_t size = arg(c, 0) ? arg(c, 2) : UINT64_MAX, most = n < size ? n + 1 : size;
    if (!text || (arg(c, 0) && !lib_apart(c, arg(c, 0), most * WIDE, arg(c, 1), most)))
        return;
    for (uint64_t i = 0; i < most; i++) {
        if ((unsigned char)text[i] >= 128) {
            give_failure(c);
            return;
        }
        if (arg(c, 0) && !put_wide(c, arg(c, 0) + i * WIDE, text[i]))
            return;
    }
    give(c, n < size ? n : size);
}

void lib_wcstombs(struct lib_call *c)
{
    uint64_t n, size = arg(c, 0) ? arg(c, 2) : UINT64_MAX;
    const wchar_t *text = wide_text(c, arg(c, 1), size, &n);
    uint64_t most = n < size ? n + 1 : size;
    if (!text || (arg(c, 0) && !lib_apart(c, arg(c, 0), most, arg(c, 1), most * WIDE)))
        return;
    for (uint64_t i = 0; i < most; i++) {
        uint8_t byte = (uint8_t)text[i];
        if (text[i] < 0 || text[i] >= 128) {
            give_failure(c);
            return;
        }
        if (arg(c, 0) && !lib_store(c, arg(c, 0) + i, &byte, 1))
            return;
    }
    give(c, n);
}

/* ---- strings that are converted in parts ------------------------------------------------ */

/* The address at argument 1; false when it cannot be read. */
static bool get_source(struct lib_call *c, uint64_t *from)
{
    const uint8_t *bytes = lib_read(c, arg(c, 1), lib_pointer_size(c));
    *from = 0;
    if (bytes)
        memory_get(c->m, from, bytes, lib_pointer_size(c));
    return bytes;
}

/* C11 7.29.6.4: one character after the other, until the zero, or size of them are there; where it
 * is to go on becomes argument 1's, unless there is no target.  in, out: bytes of a character. */
static void convert_string(struct lib_call *c, unsigned in, unsigned out)
{
    uint64_t from, to = arg(c, 0), size = to ? arg(c, 2) : UINT64_MAX, i = 0;
    if (!get_source(c, &from))
        return;
    for (; i < size; i++) {
        const uint8_t *bytes = lib_read(c, from + i * in, in);
        uint32_t ch = 0;
        if (!bytes)
            return;
        memory_get(c->m, &ch, bytes, in);
        if (ch > 0x7f) {
            lib_unsupported(c, "a character that is not ASCII");
            return;
        }
        if (to && (!lib_apart(c, to, (i + 1) * out, from, (i + 1) * in) ||
                   !lib_store(c, to + i * out, &ch, out)))
            return;
        if (!ch)
            break;
    }
    uint64_t next = i < size ? 0 : from + i * in;
    if (!to || lib_store(c, arg(c, 1), &next, lib_pointer_size(c)))
        give(c, i);
}

void lib_mbsrtowcs(struct lib_call *c)
{
    convert_string(c, 1, WIDE);
}

void lib_wcsrtombs(struct lib_call *c)
{
    convert_string(c, WIDE, 1);
}

/* ---- streams of wide characters --------------------------------------------------------- */

static const uint32_t wide_end = 0xffffffffu; /* WEOF */

static void put_one(struct lib_call *c, struct stream *s)
{
    int32_t ch = arg_int(c, 0);
    char byte = (char)ch;
    c->wide = true;
    if (ch < 0 || ch > 0x7f)
        lib_unsupported(c, "a wide character that is not ASCII");
    else if (s)
        give(c, lib_print(c, s, &byte, 1) ? (uint32_t)ch : wide_end);
}

void lib_fputwc(struct lib_call *c)
{
    put_one(c, lib_stream(c, arg(c, 1)));
}

void lib_putwchar(struct lib_call *c)
{
    put_one(c, lib_standard(c, 1));
}

void lib_fputws(struct lib_call *c)
{
    uint64_t n;
    const char *text = lib_wide_text(c, arg(c, 0), &n);
    struct stream *s = text ? lib_stream(c, arg(c, 1)) : NULL;
    c->wide = true;
    if (s)
        give_int(c, lib_print(c, s, text, n) ? 1 : -1);
}

/* A character, or EOF; false when the run has ended. */
static bool get_one(struct lib_call *c, struct stream *s, int *ch)
{
    *ch = lib_getc(c, s);
    if (*ch > 0x7f)
        lib_unsupported(c, "a character that is not ASCII");
    return !c->m->ended;
}

static void read_one(struct lib_call *c, struct stream *s)
{
    int ch = EOF;
    c->wide = true;
    if (s && (!lib_reads(c, s) || get_one(c, s, &ch)))
        give(c, ch == EOF ? wide_end : (uint32_t)ch);
}

void lib_fgetwc(struct lib_call *c)
{
    read_one(c, lib_stream(c, arg(c, 0)));
}

void lib_getwchar(struct lib_call *c)
{
    read_one(c, lib_standard(c, 0));
}

void lib_fgetws(struct lib_call *c)
{
    struct stream *s = lib_stream(c, arg(c, 2));
    int32_t most = arg_int(c, 1), n = 0;
    int ch = 0;
    c->wide = true;
    if (!s || !lib_reads(c, s))
        return;
    while (n + 1 < most && ch != '\n') {
        if (!get_one(c, s, &ch))
            return;
        if (ch == EOF)
            break;
        if (!put_wide(c, arg(c, 0) + (uint64_t)n++ * WIDE, ch))
            return;
    }
    if (most > 0 && (n || most == 1) && put_wide(c, arg(c, 0) + (uint64_t)n * WIDE, 0))
        give(c, arg(c, 0));
}

void lib_ungetwc(struct lib_call *c)
{
    struct stream *s = lib_stream(c, arg(c, 1));
    int32_t ch = arg_int(c, 0);
    c->wide = true;
    if (s && (!s->reads || s->unread != EOF || ch < 0 || ch > 0x7f)) {
        lib_unsupported(c, "no ASCII, a second character, or to a stream that is not read");
        return;
    }
    if (!s || !lib_reads(c, s))
        return;
    lib_unread(c, s, ch);
    give(c, (uint32_t)ch);
}

void lib_fwide(struct lib_call *c)
{
    struct stream *s = lib_stream(c, arg(c, 0));
    int mode = arg_int(c, 1);
    if (s && mode && !s->width)
        s->width = mode > 0 ? 1 : -1;
    if (s)
        give_sign(c, s->width);
}
