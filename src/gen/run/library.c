/* Library functions and builtins with effects, executed on the objects of the running program:
 * memcpy and its like, strings, arithmetic with an overflow flag. */
#include "gen/run/run.h"

#include <stdio.h>
#include <string.h>

/* -1, 0 or 1, as the program's int has them. */
static u128 sign(const struct gen *g, int d)
{
    return d < 0 ? gen_int_most(g, lang_basic(g->p, TYPE_UINT)) : d > 0;
}

static void memory_compare(const struct gen *g, const struct val *a, const struct val *b,
                           uint64_t n, u128 *r)
{
    *r = sign(g, memcmp(a->link.to->bytes + a->link.at, b->link.to->bytes + b->link.at, n));
}

bool run_memory(struct gen *g, const struct decl *d, const struct val *a, struct val *v)
{
    uint64_t size = (uint64_t)a[2].bits;
    v->link = a[0].link;
    switch (d->builtin) {
    case BUILTIN_memcpy:
    case BUILTIN_memmove:
        run_mem_copy(g, a[0].link.to, (uint64_t)a[0].link.at, a[1].link.to, (uint64_t)a[1].link.at,
                     size);
        return true;
    case BUILTIN_memset:
        memset(a[0].link.to->bytes + a[0].link.at, (int)(uint8_t)a[1].bits, size);
        return true;
    case BUILTIN_memcmp:
        memory_compare(g, &a[0], &a[1], size, &v->bits);
        return true;
    default:
        return false;
    }
}

/* What compilers may answer as they like: nothing depends on it. */
bool run_question(struct gen *g, const struct decl *d, const struct val *a, struct val *v)
{
    switch (d->builtin) {
    case BUILTIN_assume_aligned:
        v->link = a[0].link;
        return true;
    case BUILTIN_object_size:
        v->bits = gen_int_most(g, lang_size_type(g->p));
        return true;
    case BUILTIN_constant_p:
        v->bits = 0;
        return true;
    case BUILTIN_prefetch:
        return true;
    default:
        return false;
    }
}

/* ---- results by address ----------------------------------------------------------------- */

/* An integer as sign and size. */
struct wide {
    u128 size;
    bool minus;
};

static struct wide widened(const struct gen *g, const struct type *t, u128 bits)
{
    struct wide w = {bits, false};
    if (gen_int_signed(g, t) && bits >> (gen_int_width(g, t) - 1) & 1)
        w = (struct wide){lang_wrap(-bits, gen_int_width(g, t)), true};
    return w;
}

static struct wide add_wide(struct wide a, struct wide b)
{
    if (a.minus == b.minus)
        return (struct wide){a.size + b.size, a.minus};
    return a.size >= b.size ? (struct wide){a.size - b.size, a.minus}
                            : (struct wide){b.size - a.size, b.minus};
}

static const struct overflow {
    uint16_t builtin;
    uint8_t op;
    bool asks; /* and stores nothing */
} overflows[] = {
    {BUILTIN_add_overflow, OP_ADD, false},  {BUILTIN_sub_overflow, OP_SUB, false},
    {BUILTIN_mul_overflow, OP_MUL, false},  {BUILTIN_add_overflow_p, OP_ADD, true},
    {BUILTIN_sub_overflow_p, OP_SUB, true}, {BUILTIN_mul_overflow_p, OP_MUL, true},
};

static const struct overflow *overflow_row(const struct decl *d)
{
    for (size_t i = 0; i < LENGTH(overflows); i++)
        if (overflows[i].builtin == d->builtin)
            return &overflows[i];
    return NULL;
}

bool run_overflow(struct gen *g, const struct node *n, const struct decl *d, const struct val *a,
                  struct val *v)
{
    const struct overflow *row = overflow_row(d);
    if (!row)
        return false;
    struct wide x = widened(g, n->kid[1]->type, a[0].bits);
    struct wide y = widened(g, n->kid[2]->type, a[1].bits), r;
    if (row->op == OP_SUB)
        y.minus = !y.minus;
    if (row->op == OP_MUL)
        r = (struct wide){x.size * y.size, x.minus != y.minus};
    else
        r = add_wide(x, y);
    struct type *t = row->asks ? n->kid[3]->type->unqual : n->kid[3]->type->base->unqual;
    u128 most = gen_int_most(g, t), least = gen_int_least(g, t);
    v->bits = r.size != 0 && (r.minus ? r.size > least : r.size > most);
    struct spot s = {a[2].link.to, (uint64_t)a[2].link.at, t, NULL};
    struct val stored = {.bits = lang_wrap(r.minus ? -r.size : r.size, gen_int_width(g, t))};
    if (!row->asks)
        run_mem_store(g, &s, &stored);
    return true;
}

/* ---- strings ---------------------------------------------------------------------------- */

static char *at(const struct val *v)
{
    return (char *)v->link.to->bytes + v->link.at;
}

static void point(const struct val *s, const char *to, struct val *v)
{
    v->link = (struct link){to ? s->link.to : NULL, to ? to - (char *)s->link.to->bytes : 0};
}

/* The int that the argument is, whatever its width. */
static int number(const struct gen *g, const struct val *a)
{
    return (int)(uint32_t)lang_sign_extend(a->bits, g->width[TYPE_INT]);
}

/* The formats have one or two numbers, of an int's width. */
static void print(const struct gen *g, const struct val *a, struct val *v)
{
    char text[64];
    const char *format = at(&a[2]), *percent = strchr(format, '%');
    unsigned u = (unsigned)a[3].bits, y = (unsigned)a[4].bits;
    int x = number(g, &a[3]), n;
    if (strcmp(format, "<%d,%u>") == 0)
        n = snprintf(text, sizeof text, "<%d,%u>", x, y);
    else if (strcmp(percent, "%x") == 0)
        n = snprintf(text, sizeof text, "%x", u);
    else if (strcmp(percent, "%05d") == 0)
        n = snprintf(text, sizeof text, "%05d", x);
    else
        n = snprintf(text, sizeof text, "%.*s%d", (int)(percent - format), format, x);
    size_t room = (size_t)a[1].bits, used = (size_t)n < room ? (size_t)n : room - 1;
    memcpy(at(&a[0]), text, used);
    at(&a[0])[used] = '\0';
    v->bits = (unsigned)n;
}

bool run_text(const struct gen *g, const struct decl *d, const struct val *a, struct val *v)
{
    size_t n = (size_t)a[2].bits;
    v->link = a[0].link;
    switch (d->builtin) {
    case BUILTIN_strlen:
        v->bits = strlen(at(&a[0]));
        return true;
    case BUILTIN_strcpy:
        strcpy(at(&a[0]), at(&a[1]));
        return true;
    case BUILTIN_strncpy:
        strncpy(at(&a[0]), at(&a[1]), n);
        return true;
    case BUILTIN_strcat:
        strcat(at(&a[0]), at(&a[1]));
        return true;
    case BUILTIN_strcmp:
        v->bits = sign(g, strcmp(at(&a[0]), at(&a[1])));
        return true;
    case BUILTIN_strncmp:
        v->bits = sign(g, strncmp(at(&a[0]), at(&a[1]), n));
        return true;
    case BUILTIN_strchr:
        point(&a[0], strchr(at(&a[0]), (int)(uint32_t)a[1].bits), v);
        return true;
    case BUILTIN_strrchr:
        point(&a[0], strrchr(at(&a[0]), (int)(uint32_t)a[1].bits), v);
        return true;
    case BUILTIN_memchr:
        point(&a[0], memchr(at(&a[0]), (int)(uint32_t)a[1].bits, n), v);
        return true;
    case BUILTIN_snprintf:
        print(g, a, v);
        return true;
    default:
        return false;
    }
}

/* ---- variable arguments ----------------------------------------------------------------- */

u128 run_fold(const struct gen *g, const struct val *args, uint32_t n)
{
    u128 sum = 7;
    for (uint32_t i = 1; i < n; i++)
        sum = lang_wrap(sum * 31, g->width[TYPE_UINT]) ^ args[i].bits;
    return sum;
}
