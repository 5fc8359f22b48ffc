/* wchar.h, wctype.h and the multibyte functions of stdlib.h, in the "C" locale, whose characters
 * are those of ASCII; wide characters have four bytes on every target of glibc. */
#include "machine/lib/private.h"

#include <ctype.h>
#include <errno.h>
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
    if (to < from + (n + 1) * WIDE && from < to + size * WIDE && size)
        lib_undefined(c, UB_OVERLAP, "source and destination overlap");
    else if (put_text(c, to, text, n, size))
        give(c, arg(c, 0));
}

void lib_wcscpy(struct lib_call *c)
{
    copy(c, 0, UINT64_MAX, false);
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
    compare(c, arg(c, 2), true);
}

void lib_wmemcmp(struct lib_call *c)
{
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
    for (uint64_t i = 0; i < arg(c, 2); i++)
        if (!put_wide(c, arg(c, 0) + i * WIDE, arg_int(c, 1)))
            return;
    give(c, arg(c, 0));
}

void lib_wmemcpy(struct lib_call *c)
{
    uint64_t to = arg(c, 0), from = arg(c, 1), n = arg(c, 2) * WIDE;
    if (n && to < from + n && from < to + n && to != from)
        lib_undefined(c, UB_OVERLAP, "source and destination overlap");
    else if (n == 0 || access_copy(c->m, c->pc, to, from, n))
        give(c, to);
}

void lib_wmemmove(struct lib_call *c)
{
    if (arg(c, 2) == 0 || access_copy(c->m, c->pc, arg(c, 0), arg(c, 1), arg(c, 2) * WIDE))
        give(c, arg(c, 0));
}

void lib_wcstol(struct lib_call *c)
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
    errno = 0;
    long long v = wcstoll(text, &end, arg_int(c, 2));
    if (errno)
        lib_set_errno(c, errno);
    uint64_t to = arg(c, 0) + (uint64_t)(end - text) * WIDE;
    if (!arg(c, 1) || lib_store(c, arg(c, 1), &to, lib_pointer_size(c)))
        give(c, (uint64_t)v);
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
    else if (byte && (!to || put_wide(c, to, *byte)))
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
    uint64_t size = arg(c, 0) ? arg(c, 2) : UINT64_MAX;
    for (uint64_t i = 0; text && i < size && i <= n; i++) {
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
    for (uint64_t i = 0; text && i < size && i <= n; i++) {
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
