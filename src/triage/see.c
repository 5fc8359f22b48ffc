/* The functions that probes call, as C text: one for each type, which prints the value and hands it
 * on.  Only those that a program needs are written: not every compiler has every type. */
#include "triage/private.h"

static const struct {
    const char *type, *function;
} rows[SEE_COUNT] = {
#define SEE(kind, name, type, format, arguments)                                             \
    [SEE_##kind] = {type, type                                                               \
                    " cupel_see_" #name "(int id, " type                                     \
                    " v)\n{\n    if (cupel_wanted(id)) {\n        printf(\"\\n\\1%d " format \
                    "\\n\", id, " arguments ");\n        fflush(0);\n    }\n    return v;\n}\n"},
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

void see_put_functions(unsigned used, struct text *out)
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
            text_puts(out, rows[i].function);
    put_bytes(out);
}
