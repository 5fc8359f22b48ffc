/* The wrapper of a function: buffers for what its pointers point to, arguments out of four bits of
 * a number, and a fold of what comes back. */
#include "real/private.h"

#include <stdio.h>

enum { ELEMENTS = 32 };

/* What is being written. */
struct wrapper {
    struct program *p;
    const struct function *f;
    struct rng *r;
    struct text *out;
    uint64_t manner; /* of the arguments: small, sizes, any */
    bool filled;     /* the numbers of structures are not zero */
};

static const struct type *param(const struct wrapper *w, uint32_t i)
{
    return w->f->params[i]->type->canon;
}

/* What the buffer of a pointer holds: its numbers, or bytes. */
static struct type *element(const struct wrapper *w, const struct type *pointer)
{
    return pointer->base->kind == TYPE_VOID ? lang_basic(w->p, TYPE_UCHAR)
                                            : lang_unqualified(pointer->base);
}

/* Letters and digits in bytes, small numbers in others; 0 at the end. */
static void put_elements(struct wrapper *w, bool bytes)
{
    for (int i = 0; i + 1 < ELEMENTS; i++) {
        uint64_t v = bytes ? 'a' + rng_below(w->r, 26) : rng_below(w->r, 40);
        if (bytes && rng_below(w->r, 3) == 0)
            v = '0' + rng_below(w->r, 10);
        text_printf(w->out, "%llu, ", (unsigned long long)v);
    }
    text_puts(w->out, "0");
}

/* base + (x >> shift & mask) * step */
static void put_number(struct wrapper *w)
{
    static const uint64_t bases[] = {6, 17, UINT64_C(1) << 33}, steps[] = {2, 4, 1u << 20};
    uint64_t base = rng_below(w->r, bases[w->manner]), step = 1 + rng_below(w->r, steps[w->manner]);
    unsigned shift = (unsigned)rng_below(w->r, 3);
    unsigned mask = (2u << rng_below(w->r, 3)) - 1;
    text_printf(w->out, "%lluULL + (x >> %u & %u) * %lluULL", (unsigned long long)base, shift, mask,
                (unsigned long long)step);
}

/* struct S b1 = {0}; b1.n = 3ULL + (x & 1) * 2ULL; ... */
static void put_record(struct wrapper *w, struct type *of, const char *name)
{
    const struct record *record = of->canon->u.record;
    lang_print_type(w->p, of, name, w->out);
    text_puts(w->out, " = {0};\n");
    for (uint32_t i = 0; w->filled && i < record->count; i++) {
        if (!real_is_member(record, i) || record->fields[i]->type->canon->kind == TYPE_ARRAY)
            continue;
        text_printf(w->out, "    %s.%s = ", name, record->fields[i]->name);
        put_number(w);
        text_puts(w->out, ";\n");
    }
}

/* T b0[32] = {...}; or a structure */
static void put_buffer(struct wrapper *w, uint32_t i)
{
    struct type *of = element(w, param(w, i));
    char name[16];
    snprintf(name, sizeof name, "b%u", i);
    text_puts(w->out, "    ");
    if (lang_is_record(of)) {
        put_record(w, of, name);
        return;
    }
    lang_print_type(w->p, lang_array(w->p, of, ELEMENTS), name, w->out);
    text_puts(w->out, " = {");
    put_elements(w, lang_sizeof(w->p, of) == 1);
    text_puts(w->out, "};\n");
}

static void put_argument(struct wrapper *w, uint32_t i)
{
    const struct type *t = param(w, i);
    if (t->kind == TYPE_POINTER) {
        text_printf(w->out, "%sb%u", lang_is_record(t->base) ? "&" : "", i);
        return;
    }
    if (lang_is_floating(t)) {
        text_puts(w->out, "(int)(");
        put_number(w);
        text_puts(w->out, ") / 4.0");
        return;
    }
    put_number(w);
}

static void put_call(struct wrapper *w)
{
    const struct type *t = w->f->decl->type->canon->base;
    text_puts(w->out, "    ");
    if (lang_is_floating(t))
        text_puts(w->out, "r = (unsigned long long)(long long)(4 * ");
    else if (t->kind != TYPE_VOID)
        text_puts(w->out, "r = (unsigned long long)(");
    text_printf(w->out, "%s(", w->f->decl->name);
    for (uint32_t i = 0; i < w->f->param_count; i++) {
        text_puts(w->out, i ? ", " : "");
        put_argument(w, i);
    }
    text_puts(w->out, t->kind == TYPE_VOID ? ");\n" : "));\n");
}

/* for (...) r = r * 31 + b0[i]; */
static void put_fold_row(struct wrapper *w, const char *name, uint64_t count)
{
    text_printf(w->out,
                "    for (int i = 0; i < %llu; i++)\n"
                "        r = r * 31 + (unsigned long long)%s[i];\n",
                (unsigned long long)count, name);
}

/* r = r * 31 + b0.n; of its numbers, and of rows of them */
static void put_fold_record(struct wrapper *w, const struct record *record, uint32_t i)
{
    for (uint32_t k = 0; k < record->count; k++) {
        const struct type *t = record->fields[k]->type->canon;
        if (!real_is_member(record, k))
            continue;
        char *name = arena_printf(&w->p->arena, "b%u.%s", i, record->fields[k]->name);
        if (t->kind == TYPE_ARRAY)
            put_fold_row(w, name, t->u.count);
        else
            text_printf(w->out, "    r = r * 31 + (unsigned long long)%s;\n", name);
    }
}

/* What the function may have written. */
static void put_fold(struct wrapper *w, uint32_t i)
{
    const struct type *t = param(w, i);
    if (t->kind != TYPE_POINTER || t->base->quals & QUAL_CONST)
        return;
    if (lang_is_record(t->base))
        put_fold_record(w, t->base->canon->u.record, i);
    else
        put_fold_row(w, arena_printf(&w->p->arena, "b%u", i), ELEMENTS);
}

void real_write_wrapper(struct program *p, const struct function *f, const char *name,
                        struct rng *r, struct text *out)
{
    struct wrapper w = {.p = p, .f = f, .r = r, .out = out};
    w.manner = rng_below(r, 3);
    w.filled = rng_below(r, 2);
    text_printf(out, "static unsigned long long %s(unsigned x)\n{\n", name);
    for (uint32_t i = 0; i < f->param_count; i++)
        if (param(&w, i)->kind == TYPE_POINTER)
            put_buffer(&w, i);
    text_printf(out, "    unsigned long long r = 0;\n    x %%= %d;\n", REAL_INPUTS);
    put_call(&w);
    for (uint32_t i = 0; i < f->param_count; i++)
        put_fold(&w, i);
    text_puts(out, "    return r;\n}\n");
}
