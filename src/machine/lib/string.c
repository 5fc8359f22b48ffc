/* string.h and ctype.h. */
#include "machine/lib/private.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- bytes ------------------------------------------------------------------------------ */

static bool ranges_overlap(uint64_t a, uint64_t b, uint64_t n)
{
    return n && (a < b ? b - a : a - b) < n;
}

/* Is what lies there, as far as its type is written in the call, something without pointers? */
static bool becomes_numbers(const struct lib_call *c, uint64_t to)
{
    for (uint32_t i = 0; i < 2 && i + 1 < c->site->node->count; i++) {
        const struct node *a = c->site->node->kid[i + 1];
        while (a->kind == NODE_CAST && a->op == CONV_PTR)
            a = a->kid[0];
        if (arg(c, i) == to && a->type->canon->kind == TYPE_POINTER)
            return a->type->canon->base->kind != TYPE_VOID &&
                   !memory_holds_pointer(a->type->canon->base);
    }
    return false;
}

/* Copies with everything that is known about the bytes; n may be 0 with any valid pointers. */
static bool copy(struct lib_call *c, uint64_t to, uint64_t from, uint64_t n)
{
    if (n == 0) {
        if (!to || !from)
            lib_undefined(c, UB_LIB_ARG, "a null pointer");
        return !c->m->ended;
    }
    if (becomes_numbers(c, to))
        access_note_address(c->m, c->pc, from, n);
    return access_copy(c->m, c->pc, to, from, n);
}

void lib_memcpy(struct lib_call *c)
{
    if (arg(c, 0) != arg(c, 1) && ranges_overlap(arg(c, 0), arg(c, 1), arg(c, 2))) {
        lib_undefined(c, UB_OVERLAP, "%llu bytes, %lld apart", (unsigned long long)arg(c, 2),
                      (long long)(arg(c, 0) - arg(c, 1)));
        return;
    }
    if (copy(c, arg(c, 0), arg(c, 1), arg(c, 2)))
        give(c, arg(c, 0));
}

void lib_memmove(struct lib_call *c)
{
    if (copy(c, arg(c, 0), arg(c, 1), arg(c, 2)))
        give(c, arg(c, 0));
}

void lib_mempcpy(struct lib_call *c)
{
    lib_memcpy(c);
    give(c, arg(c, 0) + arg(c, 2));
}

void lib_bcopy(struct lib_call *c)
{
    copy(c, arg(c, 1), arg(c, 0), arg(c, 2));
}

static void fill(struct lib_call *c, uint64_t to, int byte, uint64_t n)
{
    if (n == 0) {
        if (!to)
            lib_undefined(c, UB_LIB_ARG, "a null pointer");
        return;
    }
    uint8_t *bytes = lib_write(c, to, n);
    if (bytes)
        memset(bytes, byte, n);
}

void lib_memset(struct lib_call *c)
{
    fill(c, arg(c, 0), arg_int(c, 1), arg(c, 2));
    give(c, arg(c, 0));
}

void lib_bzero(struct lib_call *c)
{
    fill(c, arg(c, 0), 0, arg(c, 1));
}

/* C11 7.24.1p2: pointers are valid even where nothing is looked at. */
static bool looks_at_nothing(struct lib_call *c, uint64_t n)
{
    if (n == 0 && (!arg(c, 0) || !arg(c, 1)))
        lib_undefined(c, UB_LIB_ARG, "a null pointer");
    return n == 0;
}

void lib_memcmp(struct lib_call *c)
{
    uint64_t n = arg(c, 2);
    if (looks_at_nothing(c, n))
        return;
    const uint8_t *a = lib_read(c, arg(c, 0), n), *b = a ? lib_read(c, arg(c, 1), n) : NULL;
    for (uint64_t i = 0; b && i < n; i++)
        if (a[i] != b[i]) {
            give_sign(c, a[i] - b[i]);
            return;
        }
}

void lib_memchr(struct lib_call *c)
{
    if (arg(c, 2) == 0 && !arg(c, 0))
        lib_undefined(c, UB_LIB_ARG, "a null pointer");
    /* C11 7.24.5.1: characters behind the one that is found are not looked at */
    for (uint64_t i = 0; i < arg(c, 2); i++) {
        const uint8_t *at = lib_read(c, arg(c, 0) + i, 1);
        if (!at)
            return;
        if (*at == (uint8_t)arg(c, 1)) {
            give(c, arg(c, 0) + i);
            return;
        }
    }
}

/* ---- strings ---------------------------------------------------------------------------- */

void lib_strlen(struct lib_call *c)
{
    uint64_t n;
    if (lib_text(c, arg(c, 0), &n))
        give(c, n);
}

void lib_strnlen(struct lib_call *c)
{
    uint64_t n;
    if (lib_text_n(c, arg(c, 0), arg(c, 1), &n))
        give(c, n);
}

/* Copies n characters and a terminator to an address. */
static bool put_text(struct lib_call *c, uint64_t to, uint64_t from, uint64_t n)
{
    uint64_t apart = to < from ? from - to : to - from;
    if (apart < n + 1 && c->func->lib->run != lib_strdup) {
        lib_undefined(c, UB_OVERLAP, "source and destination are %llu bytes apart",
                      (unsigned long long)apart);
        return false;
    }
    if (!lib_write(c, to, n + 1) || (n && !access_copy(c->m, c->pc, to, from, n)))
        return false;
    return lib_store(c, to + n, "", 1);
}

void lib_strcpy(struct lib_call *c)
{
    uint64_t n;
    if (lib_text(c, arg(c, 1), &n) && put_text(c, arg(c, 0), arg(c, 1), n))
        give(c, arg(c, 0));
}

void lib_stpcpy(struct lib_call *c)
{
    uint64_t n;
    if (lib_text(c, arg(c, 1), &n) && put_text(c, arg(c, 0), arg(c, 1), n))
        give(c, arg(c, 0) + n);
}

void lib_strncpy(struct lib_call *c)
{
    uint64_t n, size = arg(c, 2);
    give(c, arg(c, 0));
    if (!lib_text_n(c, arg(c, 1), size, &n) || size == 0)
        return;
    if (ranges_overlap(arg(c, 0), arg(c, 1), size < n + 1 ? size : n + 1)) {
        lib_undefined(c, UB_OVERLAP, "source and destination overlap");
        return;
    }
    uint8_t *to = lib_write(c, arg(c, 0), size);
    if (!to)
        return;
    memset(to, 0, size);
    if (n)
        access_copy(c->m, c->pc, arg(c, 0), arg(c, 1), n);
}

void lib_strcat(struct lib_call *c)
{
    uint64_t n, at;
    if (lib_text(c, arg(c, 0), &at) && lib_text(c, arg(c, 1), &n) &&
        put_text(c, arg(c, 0) + at, arg(c, 1), n))
        give(c, arg(c, 0));
}

void lib_strncat(struct lib_call *c)
{
    uint64_t n, at;
    if (lib_text(c, arg(c, 0), &at) && lib_text_n(c, arg(c, 1), arg(c, 2), &n) &&
        put_text(c, arg(c, 0) + at, arg(c, 1), n))
        give(c, arg(c, 0));
}

static void compare(struct lib_call *c, uint64_t limit, bool fold)
{
    if (looks_at_nothing(c, limit))
        return;
    for (uint64_t i = 0; i < limit; i++) {
        const uint8_t *a = lib_read(c, arg(c, 0) + i, 1);
        const uint8_t *b = a ? lib_read(c, arg(c, 1) + i, 1) : NULL;
        if (!b)
            return;
        int x = fold ? tolower(*a) : *a, y = fold ? tolower(*b) : *b;
        if (x != y || x == 0) {
            give_sign(c, x - y);
            return;
        }
    }
}

void lib_strcmp(struct lib_call *c)
{
    compare(c, UINT64_MAX, false);
}

void lib_strncmp(struct lib_call *c)
{
    compare(c, arg(c, 2), false);
}

void lib_strcasecmp(struct lib_call *c)
{
    compare(c, UINT64_MAX, true);
}

void lib_strncasecmp(struct lib_call *c)
{
    compare(c, arg(c, 2), true);
}

static void find(struct lib_call *c, bool last)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 0), &n);
    char ch = (char)arg(c, 1);
    const char *at = !s ? NULL : last ? strrchr(s, ch) : strchr(s, ch);
    give(c, at ? arg(c, 0) + (uint64_t)(at - s) : 0);
}

void lib_strchr(struct lib_call *c)
{
    find(c, false);
}

void lib_strrchr(struct lib_call *c)
{
    find(c, true);
}

void lib_strstr(struct lib_call *c)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 0), &n), *t = s ? lib_text(c, arg(c, 1), &n) : NULL;
    const char *at = t ? strstr(s, t) : NULL;
    give(c, at ? arg(c, 0) + (uint64_t)(at - s) : 0);
}

void lib_strpbrk(struct lib_call *c)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 0), &n), *t = s ? lib_text(c, arg(c, 1), &n) : NULL;
    const char *at = t ? strpbrk(s, t) : NULL;
    give(c, at ? arg(c, 0) + (uint64_t)(at - s) : 0);
}

void lib_strspn(struct lib_call *c)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 0), &n), *t = s ? lib_text(c, arg(c, 1), &n) : NULL;
    if (t)
        give(c, strspn(s, t));
}

void lib_strcspn(struct lib_call *c)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 0), &n), *t = s ? lib_text(c, arg(c, 1), &n) : NULL;
    if (t)
        give(c, strcspn(s, t));
}

static void duplicate(struct lib_call *c, uint64_t limit)
{
    uint64_t n;
    if (!lib_text_n(c, arg(c, 0), limit, &n))
        return;
    struct object *o = lib_allocate(c, n + 1, 16, false);
    if (!o)
        return;
    if (n)
        access_copy(c->m, c->pc, o->base, arg(c, 0), n);
    if (lib_store(c, o->base + n, "", 1))
        give(c, o->base);
}

void lib_strdup(struct lib_call *c)
{
    duplicate(c, UINT64_MAX);
}

void lib_strndup(struct lib_call *c)
{
    duplicate(c, arg(c, 1));
}

void lib_strtok(struct lib_call *c)
{
    struct library *l = c->m->lib;
    uint64_t n, start = arg(c, 0) ? arg(c, 0) : l->token;
    lib_note_state(c, STATE_TOKEN, true);
    l->has_token = l->has_token || arg(c, 0);
    if (!l->has_token)
        lib_undefined(c, UB_LIB_ARG, "there is no string to go on with");
    if (!start)
        return;
    const char *s = lib_text(c, start, &n), *set = s ? lib_text(c, arg(c, 1), &n) : NULL;
    if (!set)
        return;
    size_t skip = strspn(s, set), length = strcspn(s + skip, set);
    l->token = 0;
    if (length == 0)
        return;
    if (s[skip + length]) {
        if (!lib_store(c, start + skip + length, "", 1))
            return;
        l->token = start + skip + length + 1;
    }
    give(c, start + skip);
}

/* ---- characters ------------------------------------------------------------------------- */

/* C11 7.4p1 */
static bool is_character(struct lib_call *c, int ch)
{
    if (ch >= -1 && ch <= 255)
        return true;
    lib_undefined(c, UB_LIB_ARG, "%d is neither a character nor EOF", ch);
    return false;
}

#define CLASS(name)                                                  \
    void lib_##name(struct lib_call *c)                              \
    {                                                                \
        int ch = arg_int(c, 0);                                      \
        give_sign(c, is_character(c, ch) && ch >= 0 ? name(ch) : 0); \
    }
CLASS(isalnum)
CLASS(isalpha)
CLASS(isblank)
CLASS(iscntrl)
CLASS(isdigit)
CLASS(isgraph)
CLASS(islower)
CLASS(isprint)
CLASS(ispunct)
CLASS(isspace)
CLASS(isupper)
CLASS(isxdigit)

void lib_isascii(struct lib_call *c)
{
    give_int(c, (arg_int(c, 0) & ~0x7f) == 0);
}

void lib_toascii(struct lib_call *c)
{
    give_int(c, arg_int(c, 0) & 0x7f);
}

void lib_tolower(struct lib_call *c)
{
    int ch = arg_int(c, 0);
    give_int(c, is_character(c, ch) && ch >= 0 ? tolower(ch) : ch);
}

void lib_toupper(struct lib_call *c)
{
    int ch = arg_int(c, 0);
    give_int(c, is_character(c, ch) && ch >= 0 ? toupper(ch) : ch);
}

/* glibc's tables behind the macros: 384 entries, from -128 on. */
static uint16_t class_bits(int ch)
{
    static int (*const tests[])(int) = {isupper, islower, isalpha, isdigit, isxdigit, isspace,
                                        isprint, isgraph, isblank, iscntrl, ispunct,  isalnum};
    unsigned bits = 0;
    for (unsigned i = 0; ch >= 0 && i < LENGTH(tests); i++)
        if (tests[i](ch))
            bits |= i < 8 ? 256u << i : 1u << (i - 8);
    return (uint16_t)bits;
}

static void table(struct lib_call *c, unsigned which)
{
    struct library *l = c->m->lib;
    unsigned size = which ? 4 : 2;
    if (!l->ctype_object[which]) {
        struct object *o = memory_new(&c->m->memory, 384 * (uint64_t)size, 16, NEW_ZERO);
        struct object *p = memory_new(&c->m->memory, 8, 16, NEW_ZERO);
        if (!o || !p)
            BUG("no memory for a table");
        for (int i = 0; i < 384; i++) {
            int ch = i - 128;
            uint16_t bits = class_bits(ch < 256 ? ch : -1);
            int32_t mapped = which == 1 ? tolower(ch < 0 ? ch + 256 : ch)
                                        : toupper(ch < 0 ? ch + 256 : ch);
            if (ch < 0)
                mapped = ch;
            memory_put(c->m, o->bytes + (unsigned)i * size, which ? (void *)&mapped : (void *)&bits,
                       size);
        }
        /* glibc has entries for negative characters; C11 7.4p1 has none but EOF's */
        memory_need_init(o);
        memset(o->init, 0, 127 * (uint64_t)size);
        o->kind = p->kind = OBJECT_LIBRARY;
        o->is_const = CONST_ALL;
        o->name = p->name = "ctype";
        uint64_t middle = o->base + 128 * (uint64_t)size;
        memory_put(c->m, p->bytes, &middle, lib_pointer_size(c));
        l->ctype_object[which] = o;
        l->ctype_pointer[which] = p;
    }
    give(c, l->ctype_pointer[which]->base);
}

void lib___ctype_b_loc(struct lib_call *c)
{
    table(c, 0);
}

void lib___ctype_tolower_loc(struct lib_call *c)
{
    table(c, 1);
}

void lib___ctype_toupper_loc(struct lib_call *c)
{
    table(c, 2);
}

/* ---- GNU and POSIX ---------------------------------------------------------------------- */

/* A pointer in the program's memory; false when it cannot be read. */
static bool get_pointer(struct lib_call *c, uint64_t at, uint64_t *value)
{
    const uint8_t *bytes = lib_read(c, at, lib_pointer_size(c));
    *value = 0;
    if (bytes)
        memory_get(c->m, value, bytes, lib_pointer_size(c));
    return bytes;
}

/* Here the program keeps the place: at the terminator, not null, when all is read. */
void lib_strtok_r(struct lib_call *c)
{
    uint64_t n, start = arg(c, 0);
    if (!start && !get_pointer(c, arg(c, 2), &start))
        return;
    const char *s = start ? lib_text(c, start, &n) : NULL,
               *set = s ? lib_text(c, arg(c, 1), &n) : NULL;
    if (!start) {
        lib_undefined(c, UB_LIB_ARG, "there is no string to go on with");
        return;
    }
    if (!set)
        return;
    size_t skip = strspn(s, set), length = strcspn(s + skip, set);
    uint64_t end = start + skip + length, next = end + (s[skip + length] != 0);
    if (length && s[skip + length] && !lib_store(c, end, "", 1))
        return;
    if (lib_store(c, arg(c, 2), length ? &next : &end, lib_pointer_size(c)) && length)
        give(c, start + skip);
}

void lib_strsep(struct lib_call *c)
{
    uint64_t n, start, next = 0;
    if (!get_pointer(c, arg(c, 0), &start) || !start)
        return;
    const char *s = lib_text(c, start, &n), *set = s ? lib_text(c, arg(c, 1), &n) : NULL;
    if (!set)
        return;
    size_t length = strcspn(s, set);
    if (s[length]) {
        next = start + length + 1;
        if (!lib_store(c, start + length, "", 1))
            return;
    }
    if (lib_store(c, arg(c, 0), &next, lib_pointer_size(c)))
        give(c, start);
}

void lib_strcasestr(struct lib_call *c)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 0), &n), *t = s ? lib_text(c, arg(c, 1), &n) : NULL;
    const char *at = t ? strcasestr(s, t) : NULL;
    give(c, at ? arg(c, 0) + (uint64_t)(at - s) : 0);
}

void lib_strchrnul(struct lib_call *c)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 0), &n);
    if (s)
        give(c, arg(c, 0) + (uint64_t)(strchrnul(s, arg_int(c, 1)) - s));
}

void lib_strverscmp(struct lib_call *c)
{
    uint64_t n;
    const char *a = lib_text(c, arg(c, 0), &n), *b = a ? lib_text(c, arg(c, 1), &n) : NULL;
    if (b)
        give_sign(c, strverscmp(a, b));
}

/* One that is there, as far as the object goes. */
void lib_rawmemchr(struct lib_call *c)
{
    uint64_t room = access_room(c->m, arg(c, 0)), n = 0;
    const struct object *o = memory_find(&c->m->memory, arg(c, 0));
    const uint8_t *s = o ? o->bytes + (arg(c, 0) - o->base) : NULL;
    while (s && n < room && s[n] != (uint8_t)arg_int(c, 1))
        n++;
    if (lib_read(c, arg(c, 0), n + 1))
        give(c, arg(c, 0) + n);
}

void lib_memrchr(struct lib_call *c)
{
    const uint8_t *s = lib_read(c, arg(c, 0), arg(c, 2));
    const uint8_t *at = s ? memrchr(s, arg_int(c, 1), arg(c, 2)) : NULL;
    give(c, at ? arg(c, 0) + (uint64_t)(at - s) : 0);
}

void lib_memmem(struct lib_call *c)
{
    const uint8_t *s = lib_read(c, arg(c, 0), arg(c, 1));
    const uint8_t *t = s ? lib_read(c, arg(c, 2), arg(c, 3)) : NULL;
    const uint8_t *at = t ? memmem(s, arg(c, 1), t, arg(c, 3)) : NULL;
    give(c, at ? arg(c, 0) + (uint64_t)(at - s) : 0);
}

void lib_memccpy(struct lib_call *c)
{
    uint64_t to = arg(c, 0), from = arg(c, 1);
    for (uint64_t i = 0; i < arg(c, 3); i++) {
        const uint8_t *byte = lib_read(c, from + i, 1);
        uint8_t value = byte ? *byte : 0;
        if (!byte || !lib_apart(c, to, i + 1, from, i + 1) || !lib_store(c, to + i, &value, 1))
            return;
        if (value == (uint8_t)arg(c, 2)) {
            give(c, to + i + 1);
            return;
        }
    }
}

void lib_stpncpy(struct lib_call *c)
{
    uint64_t n;
    if (!lib_text_n(c, arg(c, 1), arg(c, 2), &n))
        return;
    lib_strncpy(c);
    give(c, arg(c, 0) + n);
}

/* In the "C" locale a string is its own transformation. */
void lib_strxfrm(struct lib_call *c)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 1), &n);
    if (!s)
        return;
    if (n < arg(c, 2) && !put_text(c, arg(c, 0), arg(c, 1), n))
        return;
    give(c, n);
}
