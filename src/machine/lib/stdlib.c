/* stdlib.h, assert.h: memory, numbers from text, sorting, leaving. */
#include "machine/lib/private.h"

#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ----------------------------------------------------------------------------- */

enum { ADDRESS_BITS = 46 };

/* More than any address space: the library says no.  A compiler that leaves out an allocation,
 * because nothing of what is kept there matters, takes it to have succeeded; of that object nothing
 * can be used.
 */
static uint64_t granted(struct lib_call *c, uint64_t size)
{
    if (size >> ADDRESS_BITS == 0)
        return size;
    if (machine_choose(c->m, CHOICE_ALLOCATION, c->site->unit, c->site->node))
        return 0;
    lib_set_errno(c, ENOMEM);
    return size;
}

struct object *lib_allocate(struct lib_call *c, uint64_t size, uint32_t align, bool zero)
{
    size = granted(c, size);
    if (size >> ADDRESS_BITS)
        return NULL;
    struct object *o = memory_new(&c->m->memory, size, align, zero ? NEW_ZERO : 0);
    if (!o) {
        machine_stop(c->m, MACHINE_MEMORY, "out of memory: %s asks for %llu bytes, limit %llu",
                     c->func->name, (unsigned long long)size,
                     (unsigned long long)c->m->memory.budget);
        return NULL;
    }
    o->kind = OBJECT_HEAP;
    return o;
}

void lib_malloc(struct lib_call *c)
{
    struct object *o = lib_allocate(c, arg(c, 0), 16, false);
    give(c, o ? o->base : 0);
}

void lib_calloc(struct lib_call *c)
{
    u128 size = (u128)arg(c, 0) * arg(c, 1);
    struct object *o = lib_allocate(c, size >> ADDRESS_BITS ? UINT64_MAX : (uint64_t)size, 16,
                                    true);
    give(c, o ? o->base : 0);
}

static void aligned(struct lib_call *c, uint64_t align, uint64_t size)
{
    if (align == 0 || align & (align - 1) || align > 1 << 24) {
        lib_undefined(c, UB_LIB_ARG, "the alignment is %llu", (unsigned long long)align);
        return;
    }
    struct object *o = lib_allocate(c, size, (uint32_t)align, false);
    give(c, o ? o->base : 0);
}

void lib_aligned_alloc(struct lib_call *c)
{
    aligned(c, arg(c, 0), arg(c, 1));
}

void lib_memalign(struct lib_call *c)
{
    aligned(c, arg(c, 0), arg(c, 1));
}

void lib_posix_memalign(struct lib_call *c)
{
    struct object *o = lib_allocate(c, arg(c, 2), (uint32_t)arg(c, 1), false);
    uint64_t base = o ? o->base : 0;
    if (base)
        lib_store(c, arg(c, 0), &base, lib_pointer_size(c));
    give_int(c, base ? 0 : ENOMEM);
}

/* The allocated object at this address; NULL when freeing it is undefined. */
struct object *lib_allocated(struct lib_call *c, uint64_t address)
{
    struct object *o = memory_find(&c->m->memory, address);
    if (o && o->kind == OBJECT_HEAP && o->base == address)
        return o;
    const struct grave *g = o ? NULL : memory_grave(&c->m->memory, address);
    if (g && g->kind == OBJECT_HEAP && g->base == address)
        lib_undefined(c, UB_DOUBLE_FREE, "%s", machine_describe(c->m, address));
    else
        lib_undefined(c, UB_BAD_FREE, "%s", machine_describe(c->m, address));
    return NULL;
}

void lib_free(struct lib_call *c)
{
    struct object *o = arg(c, 0) ? lib_allocated(c, arg(c, 0)) : NULL;
    if (o)
        memory_kill(&c->m->memory, o);
}

static void reallocate(struct lib_call *c, uint64_t size)
{
    struct object *old = NULL;
    if (arg(c, 0) && !(old = lib_allocated(c, arg(c, 0))))
        return;
    if (old && size == 0) { /* glibc frees, clang's folding allocates; C11 7.22.3p1 allows both */
        memory_kill(&c->m->memory, old);
        bool other = machine_choose(c->m, CHOICE_REALLOC, c->site->unit, c->site->node);
        const struct object *none = other ? lib_allocate(c, 0, 16, false) : NULL;
        if (none)
            give(c, none->base);
        return;
    }
    struct object *o = lib_allocate(c, size, 16, false);
    if (!o)
        return;
    uint64_t n = old ? (old->size < size ? old->size : size) : 0;
    if (n && !access_copy(c->m, c->pc, o->base, old->base, n))
        return;
    if (old) {
        uint64_t was = old->base;
        memory_kill(&c->m->memory, old);
        memory_settle(&c->m->memory, o, was);
    }
    give(c, o->base);
}

void lib_realloc(struct lib_call *c)
{
    reallocate(c, arg(c, 1));
}

void lib_reallocarray(struct lib_call *c)
{
    uint64_t size;
    bool over = __builtin_mul_overflow(arg(c, 1), arg(c, 2), &size);
    reallocate(c, over ? UINT64_MAX : size);
}

void lib_malloc_usable_size(struct lib_call *c)
{
    struct object *o = arg(c, 0) ? lib_allocated(c, arg(c, 0)) : NULL;
    give(c, o ? o->size : 0);
    if (o)
        lib_unspecified(c, "it is the library's choice");
}

/* And all else that asks where code and frames lie, or what the program's file holds. */
void lib___builtin_return_address(struct lib_call *c)
{
    lib_unspecified(c, "every compiler lays code and frames out in its own way");
}

/* Lives until the function that calls it returns. */
void lib_alloca(struct lib_call *c)
{
    uint64_t align = c->site->count > 1 ? arg(c, 1) / 8 : 16; /* the builtin's are bits */
    struct object *o = lib_allocate(c, arg(c, 0), align < 16 ? 16 : (uint32_t)align, false);
    if (!o)
        return;
    o->kind = OBJECT_AUTO;
    o->owner = c->m->frames[c->m->depth].serial;
    if (exec_own(c->m, o))
        give(c, o->base);
}

void lib___builtin_stack_save(struct lib_call *c)
{
    give(c, 0);
}

void lib___builtin_stack_restore(struct lib_call *c)
{
    (void)c;
}

/* ---- leaving ---------------------------------------------------------------------------- */

void lib_exit(struct lib_call *c)
{
    int status = arg_int(c, 0);
    if (c->m->lib->exiting) { /* C11 7.22.4.4p2 */
        lib_undefined(c, UB_LIB_ARG, "the program is exiting already");
        return;
    }
    lib_at_exit(c->m);
    lib_leave(c, status);
}

/* Ends without exit: what stdio holds back is written or lost, as the implementation likes (C11
 * 7.22.4.1p2, 7.22.4.5p2). */
void lib_leave_abruptly(struct lib_call *c, int status)
{
    if (c->m->result.output.n > c->m->lib->flushed)
        lib_unspecified(c, "what was printed and not flushed may be lost");
    lib_leave(c, status);
}

void lib__exit(struct lib_call *c)
{
    lib_leave_abruptly(c, arg_int(c, 0));
}

/* By a signal, here SIGILL. */
void lib___builtin_trap(struct lib_call *c)
{
    if (c->m->lib->handler[SIGILL] || c->m->lib->action[SIGILL])
        lib_unsupported(c, "the signal of a trap is handled");
    lib_leave_abruptly(c, 128 + SIGILL);
}

static void add_exit(struct lib_call *c, struct exits *to)
{
    struct func *f = lib_function(c, arg(c, 0));
    lib_note_state(c, STATE_EXITS, true);
    if (f && !f->body)
        lib_unsupported(c, "a function of the library");
    else if (f && to->count < LENGTH(to->list))
        to->list[to->count++] = f;
    else if (f)
        lib_unsupported(c, "more than %u functions", to->count);
}

void lib_atexit(struct lib_call *c)
{
    add_exit(c, &c->m->lib->at_exit);
}

void lib_at_quick_exit(struct lib_call *c)
{
    add_exit(c, &c->m->lib->at_quick_exit);
}

/* C11 7.22.4.7 */
void lib_quick_exit(struct lib_call *c)
{
    if (c->m->lib->exiting) {
        lib_undefined(c, UB_LIB_ARG, "the program is exiting already");
        return;
    }
    c->m->lib->exiting = true;
    if (lib_run_exits(c->m, &c->m->lib->at_quick_exit))
        lib_leave_abruptly(c, arg_int(c, 0));
}

void lib___assert_fail(struct lib_call *c)
{
    uint64_t n;
    const char *text = lib_text(c, arg(c, 0), &n), *file = lib_text(c, arg(c, 1), &n);
    const char *where = arg(c, 3) ? lib_text(c, arg(c, 3), &n) : "?";
    if (!text || !file || !where)
        return;
    text_printf(&c->m->result.errors, "%s: %s:%u: %s: Assertion `%s' failed.\n", c->m->options.name,
                file, (unsigned)arg(c, 2), where, text);
    lib_abort(c); /* C11 7.2.1.1p2 */
}

/* ---- numbers ---------------------------------------------------------------------------- */

static unsigned result_width(const struct lib_call *c)
{
    return lang_int_width(c->p, c->site->result);
}

/* A structure of a quotient and a remainder, in this order on our targets. */
void lib_div(struct lib_call *c)
{
    int64_t x = (int64_t)arg(c, 0), y = (int64_t)arg(c, 1);
    const struct type *t = c->site->result->canon;
    uint64_t size = lang_is_record(t) ? lang_sizeof(c->p, t) / 2 : 0;
    int64_t low = size == 4 ? INT32_MIN : INT64_MIN;
    if ((size != 4 && size != 8) || c->pc->b == NO_SLOT) {
        lib_unsupported(c, "this result");
        return;
    }
    if (y == 0 || (x == low && y == -1)) { /* C11 7.22.6.2p2, p3 */
        lib_undefined(c, UB_LIB_ARG, "%lld / %lld", (long long)x, (long long)y);
        return;
    }
    int64_t parts[2] = {x / y, x % y};
    uint64_t to = c->r[c->pc->b];
    give(c, to);
    if (lib_store(c, to, &parts[0], size))
        lib_store(c, to + size, &parts[1], size);
}

void lib_abs(struct lib_call *c)
{
    int32_t v = arg_int(c, 0);
    if (v == INT32_MIN)
        lib_undefined(c, UB_OVERFLOW, "the result does not fit");
    give_int(c, v < 0 ? -(int64_t)v : v);
}

void lib_labs(struct lib_call *c)
{
    int64_t v = (int64_t)arg(c, 0);
    if ((u128)(u128)(uint64_t)v == (u128)1 << (result_width(c) - 1) || v == INT64_MIN)
        lib_undefined(c, UB_OVERFLOW, "the result does not fit");
    give(c, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

static void end_pointer(struct lib_call *c, const char *s, const char *end)
{
    uint64_t to = arg(c, 0) + (uint64_t)(end - s);
    if (arg(c, 1))
        lib_store(c, arg(c, 1), &to, lib_pointer_size(c));
}

bool lib_takes_base(struct lib_call *c, int base)
{
    bool good = base == 0 || (base >= 2 && base <= 36);
    if (!good) {
        lib_set_errno(c, EINVAL);
        give(c, 0);
    }
    return good;
}

void lib_strtol(struct lib_call *c)
{
    uint64_t n;
    char *end;
    const char *s = lib_text(c, arg(c, 0), &n);
    if (!s || !lib_takes_base(c, arg_int(c, 2)))
        return;
    errno = 0;
    long long v = strtoll(s, &end, arg_int(c, 2));
    if (result_width(c) == 32 && (v > INT32_MAX || v < INT32_MIN)) {
        v = v > 0 ? INT32_MAX : INT32_MIN;
        errno = ERANGE;
    }
    if (errno)
        lib_set_errno(c, errno);
    end_pointer(c, s, end);
    give(c, (uint64_t)v);
}

void lib_strtoul(struct lib_call *c)
{
    uint64_t n;
    char *end;
    const char *s = lib_text(c, arg(c, 0), &n);
    if (!s || !lib_takes_base(c, arg_int(c, 2)))
        return;
    errno = 0;
    unsigned long long v = strtoull(s, &end, arg_int(c, 2));
    /* a number with a minus is negated in its own type, after its size was looked at */
    bool minus = s[strspn(s, " \t\n\v\f\r")] == '-';
    if (result_width(c) == 32 && !errno && (minus ? 0 - v : v) > UINT32_MAX) {
        v = UINT32_MAX;
        errno = ERANGE;
    }
    if (errno)
        lib_set_errno(c, errno);
    end_pointer(c, s, end);
    give(c, (uint64_t)lang_wrap(v, result_width(c)));
}

void lib_strtod(struct lib_call *c)
{
    uint64_t n;
    char *end;
    const char *s = lib_text(c, arg(c, 0), &n);
    if (!s)
        return;
    errno = 0;
    double v = strtod(s, &end);
    if (errno)
        lib_set_errno(c, errno);
    end_pointer(c, s, end);
    memcpy(c->result, &v, sizeof v);
}

void lib_strtof(struct lib_call *c)
{
    uint64_t n;
    char *end;
    const char *s = lib_text(c, arg(c, 0), &n);
    if (!s)
        return;
    errno = 0;
    float v = strtof(s, &end);
    if (errno)
        lib_set_errno(c, errno);
    end_pointer(c, s, end);
    memcpy(c->result, &v, sizeof v);
}

void lib_strtold(struct lib_call *c)
{
    uint64_t n;
    char *end;
    const char *s = lib_text(c, arg(c, 0), &n);
    if (!s)
        return;
    errno = 0;
    long double v = strtold(s, &end);
    if (errno)
        lib_set_errno(c, errno);
    double d = strtod(s, NULL);
    end_pointer(c, s, end);
    if (kind_of(c->p, c->site->result) == KIND_LDOUBLE)
        memcpy(c->result, &v, 10);
    else
        memcpy(c->result, &d, sizeof d);
}

/* C11 7.22.1p1: a number that cannot be represented. */
static void convert_whole(struct lib_call *c)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 0), &n);
    if (!s)
        return;
    errno = 0;
    long long v = strtoll(s, NULL, 10);
    unsigned width = result_width(c);
    if (errno || (width < 64 && v >> (width - 1) != 0 && v >> (width - 1) != -1))
        lib_undefined(c, UB_LIB_ARG, "the number does not fit");
    give(c, (uint64_t)v);
}

void lib_atoi(struct lib_call *c)
{
    convert_whole(c);
}

void lib_atol(struct lib_call *c)
{
    convert_whole(c);
}

void lib_atof(struct lib_call *c)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 0), &n);
    errno = 0;
    double v = s ? strtod(s, NULL) : 0;
    if (errno && (v > 1 || v < -1)) /* C11 7.22.1p1: infinite */
        lib_undefined(c, UB_LIB_ARG, "%s does not fit", s);
    memcpy(c->result, &v, sizeof v);
}

/* glibc's additive feedback generator, so that programs print what they print natively. */
static void seed_random(struct library *l, uint32_t seed)
{
    int64_t word = (int32_t)(seed ? seed : 1);
    l->random[0] = (int32_t)word;
    for (int i = 1; i < 31; i++) {
        word = 16807 * (word % 127773) - 2836 * (word / 127773);
        if (word < 0)
            word += 2147483647;
        l->random[i] = (int32_t)word;
    }
    l->random_front = 0;
    l->random_ready = true;
}

static int32_t next_random(struct library *l)
{
    unsigned f = l->random_front % 31;
    uint32_t v = (uint32_t)l->random[f] + (uint32_t)l->random[(f + 28) % 31];
    l->random[f] = (int32_t)v;
    l->random_front = (f + 1) % 31;
    return (int32_t)(v >> 1);
}

static void start_random(struct library *l, uint32_t seed)
{
    seed_random(l, seed);
    l->random_front = 3; /* r[i] += r[i - 3], 31 words round */
    for (int i = 0; i < 310; i++)
        next_random(l);
}

void lib_srand(struct lib_call *c)
{
    lib_note_state(c, STATE_RANDOM, true);
    start_random(c->m->lib, (uint32_t)arg(c, 0));
}

void lib_rand(struct lib_call *c)
{
    lib_note_state(c, STATE_RANDOM, true);
    if (!c->m->lib->random_ready)
        start_random(c->m->lib, 1);
    give_int(c, next_random(c->m->lib));
}

void lib_rand_r(struct lib_call *c)
{
    const uint8_t *at = lib_read(c, arg(c, 0), 4);
    unsigned seed;
    if (!at)
        return;
    memory_get(c->m, &seed, at, 4);
    int v = rand_r(&seed);
    if (lib_store(c, arg(c, 0), &seed, 4))
        give_int(c, v);
}

/* POSIX's generator of 48 bits: its next word. */
static uint64_t next48(uint64_t word)
{
    return (word * UINT64_C(0x5deece66d) + 0xb) & UINT64_C(0xffffffffffff);
}

static void give_fraction(struct lib_call *c, uint64_t word)
{
    double v = (double)word / (double)(UINT64_C(1) << 48);
    memcpy(c->result, &v, sizeof v);
}

/* The library's own word goes on. */
static uint64_t step48(struct lib_call *c)
{
    lib_note_state(c, STATE_RANDOM, true);
    return c->m->lib->random48 = next48(c->m->lib->random48);
}

void lib_srand48(struct lib_call *c)
{
    lib_note_state(c, STATE_RANDOM, true);
    c->m->lib->random48 = (arg(c, 0) & 0xffffffff) << 16 | 0x330e;
}

void lib_drand48(struct lib_call *c)
{
    give_fraction(c, step48(c));
}

void lib_lrand48(struct lib_call *c)
{
    give_int(c, (int64_t)(step48(c) >> 17));
}

void lib_mrand48(struct lib_call *c)
{
    give_int(c, (int32_t)(step48(c) >> 16));
}

/* The word of three shorts that the program keeps goes on. */
static bool step_given(struct lib_call *c, uint64_t *word)
{
    uint16_t part[3];
    const uint8_t *at = lib_read(c, arg(c, 0), sizeof part);
    if (!at)
        return false;
    for (unsigned i = 0; i < 3; i++)
        memory_get(c->m, &part[i], at + 2 * i, 2);
    *word = next48(part[0] | (uint64_t)part[1] << 16 | (uint64_t)part[2] << 32);
    for (unsigned i = 0; i < 3; i++) {
        part[i] = (uint16_t)(*word >> (16 * i));
        if (!lib_store(c, arg(c, 0) + 2 * i, &part[i], 2))
            return false;
    }
    return true;
}

void lib_erand48(struct lib_call *c)
{
    uint64_t word;
    if (step_given(c, &word))
        give_fraction(c, word);
}

void lib_nrand48(struct lib_call *c)
{
    uint64_t word;
    if (step_given(c, &word))
        give_int(c, (int64_t)(word >> 17));
}

void lib_jrand48(struct lib_call *c)
{
    uint64_t word;
    if (step_given(c, &word))
        give_int(c, (int32_t)(word >> 16));
}

/* ---- the world, which is empty ---------------------------------------------------------- */

/* "C" is the only one; "" means it too, in an empty environment. */
void lib_setlocale(struct lib_call *c)
{
    struct library *l = c->m->lib;
    uint64_t n;
    const char *name = arg(c, 1) ? lib_text(c, arg(c, 1), &n) : "C";
    if (!name)
        return;
    if (*name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0) {
        lib_unsupported(c, "whether there is a locale \"%s\"", name);
        return;
    }
    if (arg(c, 0) > 12) {
        lib_set_errno(c, EINVAL);
        return; /* no category of glibc's: null */
    }
    if (!l->locale_name) {
        l->locale_name = memory_new(&c->m->memory, 2, 1, NEW_ZERO);
        if (!l->locale_name)
            BUG("no memory for a locale");
        l->locale_name->kind = OBJECT_LIBRARY;
        l->locale_name->tag = TAG_CHAR;
        l->locale_name->bytes[0] = 'C';
        l->locale_name->is_const = CONST_ALL; /* C11 7.11.1.1p8 */
    }
    give(c, l->locale_name->base);
}

/* The "C" locale: a point, and nothing else. */
void lib_localeconv(struct lib_call *c)
{
    struct library *l = c->m->lib;
    unsigned size = lib_pointer_size(c);
    if (!l->locale) {
        struct object *text = memory_new(&c->m->memory, 2, 1, NEW_ZERO);
        struct object *o = memory_new(&c->m->memory, 10 * (uint64_t)size + 16, 16, NEW_ZERO);
        if (!text || !o)
            BUG("no memory for a locale");
        text->bytes[0] = '.';
        text->kind = o->kind = OBJECT_LIBRARY;
        text->name = o->name = "lconv";
        text->is_const = o->is_const = CONST_ALL; /* C11 7.11.2.1p8 */
        memset(o->bytes + 10 * size, 127, 16);
        for (unsigned i = 0; i < 10; i++) {
            uint64_t to = text->base + (i > 0);
            memory_put(c->m, o->bytes + i * size, &to, size);
        }
        l->locale = o;
    }
    give(c, l->locale->base);
}

/* A text of the library's that may not be changed. */
static void give_text(struct lib_call *c, const char *s, const char *name)
{
    struct object *o = memory_new(&c->m->memory, strlen(s) + 1, 1, NEW_KNOWN);
    if (!o)
        return;
    memcpy(o->bytes, s, strlen(s) + 1);
    o->kind = OBJECT_LIBRARY;
    o->name = name;
    o->is_const = CONST_ALL; /* C11 7.24.6.2p3 */
    give(c, o->base);
}

/* The text of a number that is not known is made when it is asked for, over the one before (C11
 * 7.24.6.2p3). */
void lib_strerror(struct lib_call *c)
{
    struct library *l = c->m->lib;
    int error = arg_int(c, 0);
    if (strerrorname_np(error) || error == 0) {
        give_text(c, strerror(error), "strerror");
        return;
    }
    enum { ROOM = 40 };
    char text[ROOM] = {0};
    snprintf(text, sizeof text, "Unknown error %d", error);
    lib_note_state(c, STATE_MESSAGE, true);
    if (!l->message)
        l->message = lib_new(c->m, ROOM, "strerror");
    l->message->tag = TAG_CHAR;
    l->message->is_const = CONST_ALL;
    memcpy(l->message->bytes, text, sizeof text);
    give(c, l->message->base);
}

/* GNU's gives a text of its own, and leaves the program's buffer alone. */
void lib_strerror_r(struct lib_call *c)
{
    int error = arg_int(c, 0);
    if (strerrorname_np(error))
        give_text(c, strerror(error), "strerror");
    else
        lib_unsupported(c, "the error %d", error);
}

void lib___xpg_strerror_r(struct lib_call *c)
{
    const char *text = strerror(arg_int(c, 0));
    bool fits = strerrorname_np(arg_int(c, 0)) && strlen(text) < arg(c, 2);
    if (!fits)
        lib_unsupported(c, "an error that is not known, or a text that does not fit");
    else if (lib_store(c, arg(c, 1), text, strlen(text) + 1))
        give_int(c, 0);
}

void lib_nl_langinfo(struct lib_call *c)
{
    give_text(c, nl_langinfo(arg_int(c, 0)), "nl_langinfo");
}

void lib_strsignal(struct lib_call *c)
{
    give_text(c, strsignal(arg_int(c, 0)), "strsignal");
}
