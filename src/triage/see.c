/* The functions that probes call, as C text: one for each type, which prints the value and hands it
 * on.  Only those that a program needs are written: not every compiler has every type. */
#include "triage/private.h"

#include <string.h>

/* The function, up to what it hands on. */
static const struct {
    const char *type, *function;
} rows[SEE_COUNT] = {
#define SEE(kind, name, type, format, arguments)                                                  \
    [SEE_##kind] = {type,                                                                         \
                    type " cupel_see_" #name "(int id, " type                                     \
                         " v)\n{\n    if (cupel_wanted(id)) {\n        printf(\"\\n\\1%d " format \
                         "\\n\", id, " arguments ");\n        fflush(0);\n    }\n"},
#include "triage/see.def"
};

static const char *const names[SEE_COUNT] = {
#define SEE(kind, name, ...) [SEE_##kind] = #name,
#include "triage/see.def"
};

const char *see_name(enum see s)
{
    return names[s];
}

enum see see_of(const struct type *type)
{
    const struct type *t = type->canon->unqual;
    if (t->kind == TYPE_ENUM && t->u.enumeration->base)
        t = t->u.enumeration->base->canon->unqual;
    switch (t->kind) {
#define SEE(kind, ...) \
    case TYPE_##kind:  \
        return SEE_##kind;
#include "triage/see.def"
    default:
        return SEE_NONE;
    }
}

void see_put_declarations(unsigned used, struct text *out)
{
    for (unsigned i = 0; i < SEE_COUNT; i++)
        if (rows[i].type && used & 1u << i)
            text_printf(out, "%s cupel_see_%s(int, %s);\n", rows[i].type, names[i], rows[i].type);
    text_puts(out, "void cupel_see_bytes(int, void *, unsigned long);\n");
}

static void put_bytes(struct text *out)
{
    text_puts(out, "void cupel_see_bytes(int id, void *p, unsigned long n)\n{\n"
                   "    unsigned char *b = p;\n    unsigned long long h = 1469598103934665603ull;\n"
                   "    unsigned long i;\n    for (i = 0; i < n; i++)\n"
                   "        h = (h ^ b[i]) * 1099511628211ull;\n    cupel_see_ull(id, h);\n}\n");
}

/* ---- what is right instead --------------------------------------------------------------- */

static bool is_hexadecimal(const char *value)
{
    return *value && value[strspn(value, "0123456789abcdef")] == '\0' && strlen(value) <= 16;
}

/* "-0x1.8p+3"; neither infinite nor a NaN. */
static bool is_floating(const char *value)
{
    return str_has_prefix(value, "0x") || str_has_prefix(value, "-0x");
}

bool see_can_heal(const struct healing *h)
{
    bool floats = h->see == SEE_FLOAT || h->see == SEE_DOUBLE;
    for (size_t i = 0; i < h->values.n; i++)
        if (!(floats ? is_floating(h->values.at[i]) : is_hexadecimal(h->values.at[i])))
            return false;
    return h->see != SEE_NONE && h->values.n;
}

static void put_healing(const struct healing *h, struct text *out)
{
    bool floats = h->see == SEE_FLOAT || h->see == SEE_DOUBLE;
    text_printf(out, "    if (id == %zu) {\n        static %s right[] = {", h->probe,
                rows[h->see].type);
    for (size_t i = 0; i < h->values.n; i++) {
        const char *value = h->values.at[i], *comma = i ? ", " : "";
        if (floats)
            text_printf(out, "%s%s", comma, value);
        else
            text_printf(out, "%s(%s)0x%s", comma, rows[h->see].type, value);
    }
    text_printf(out,
                "};\n        static int turn;\n        if (turn != %zu)\n"
                "            return right[turn++];\n    }\n",
                h->values.n);
}

static void put_function(unsigned see, const struct list *healed, struct text *out)
{
    text_puts(out, rows[see].function);
    for (size_t i = 0; i < healed->n; i++) {
        const struct healing *h = healed->at[i];
        if (h->see == see)
            put_healing(h, out);
    }
    text_puts(out, "    return v;\n}\n");
}

void see_put_functions(unsigned used, const struct list *healed, struct text *out)
{
    used |= 1u << SEE_ULLONG; /* of put_bytes */
    see_put_declarations(used, out);
    text_printf(out,
                "int printf(const char *, ...);\nint fflush(void *);\n"
                "static int cupel_left = %d, cupel_seen[%d];\n"
                "static int cupel_wanted(int id)\n{\n"
                "    if (cupel_left <= 0 || cupel_seen[id %% %d] >= %d)\n        return 0;\n"
                "    cupel_left--;\n    cupel_seen[id %% %d]++;\n    return 1;\n}\n",
                SEE_MOST, SEE_PROBES, SEE_PROBES, SEE_EACH, SEE_PROBES);
    for (unsigned i = 0; i < SEE_COUNT; i++)
        if (rows[i].type && used & 1u << i)
            put_function(i, healed, out);
    put_bytes(out);
}
