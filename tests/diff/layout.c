/* Random records, and a C program that checks our layout of them.
 *
 *   layout-diff SEED TARGET > t.c      gcc -w t.c -o t && ./t
 *
 * Sizes, alignments and offsets are static assertions; where bits lie is looked at when it
 * runs, which for ilp32 is not needed to compile it. */
#include "front/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned width; /* of a bit-field at most, in both data models */
} types[] = {
    {"char", 8},
    {"signed char", 8},
    {"unsigned char", 8},
    {"short", 16},
    {"unsigned short", 16},
    {"int", 32},
    {"unsigned", 32},
    {"long", 32},
    {"unsigned long", 32},
    {"long long", 64},
    {"unsigned long long", 64},
    {"_Bool", 1},
    {"float", 0},
    {"double", 0},
    {"long double", 0},
    {"void *", 0},
};

static const char *pick(struct rng *r, const char *const *from, size_t n)
{
    return from[rng_below(r, n)];
}

static const char *field_attribute(struct rng *r)
{
    static const char *const all[] = {"",
                                      "",
                                      "",
                                      "",
                                      "",
                                      "",
                                      "__attribute__((packed))",
                                      "__attribute__((aligned(1)))",
                                      "__attribute__((aligned(4)))",
                                      "__attribute__((aligned(16)))"};
    return pick(r, all, LENGTH(all));
}

static void add_field(struct rng *r, struct text *out, unsigned record, unsigned k)
{
    size_t t = rng_below(r, LENGTH(types));
    if (record && rng_chance(r, 10)) {
        text_printf(out, "struct s%u f%u %s; ", (unsigned)rng_below(r, record), k,
                    field_attribute(r));
    } else if (types[t].width && rng_chance(r, 65)) {
        unsigned width = (unsigned)rng_below(r, types[t].width + 1);
        if (width == 0 || rng_chance(r, 12))
            text_printf(out, "%s : %u; ", types[t].name, width);
        else
            text_printf(out, "%s f%u : %u %s; ", types[t].name, k, width, field_attribute(r));
    } else {
        text_printf(out, "%s f%u%s %s; ", types[t].name, k, rng_chance(r, 30) ? "[3]" : "",
                    field_attribute(r));
    }
}

/* Unions hide in structures, so that every record is struct sN. */
static void add_record(struct rng *r, struct text *out, unsigned record)
{
    static const char *const attributes[] = {"",
                                             "",
                                             "",
                                             "__attribute__((packed))",
                                             "__attribute__((aligned(2)))",
                                             "__attribute__((aligned(16)))"};
    unsigned pack = rng_chance(r, 30) ? 1u << rng_below(r, 4) : 0;
    bool inner = rng_chance(r, 20);
    if (pack)
        text_printf(out, "#pragma pack(push, %u)\n", pack);
    text_printf(out, "struct s%u { ", record);
    uint64_t n = 1 + rng_below(r, 7);
    for (unsigned k = 0; k < n; k++) {
        if (inner && k == 1)
            text_puts(out, "union { ");
        add_field(r, out, record, k);
    }
    text_printf(out, "%s} %s;\n", inner && n > 1 ? "}; " : "",
                pick(r, attributes, LENGTH(attributes)));
    if (pack)
        text_puts(out, "#pragma pack(pop)\n");
}

static void check_bits(const char *record, const struct field *f, uint64_t base)
{
    printf("    { static union { struct %s s; unsigned char b[sizeof(struct %s)]; } x;\n"
           "      x.s.%s = -1; bad += differs(x.b, sizeof x.b, %llu, %u); }\n",
           record, record, f->name, (unsigned long long)(8 * (base + f->offset) + f->bit),
           f->width);
}

static void check_fields(const char *record, const struct record *r, uint64_t base, bool bits)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const struct field *f = r->fields[i];
        if (!f->name && lang_is_record(f->type))
            check_fields(record, f->type->canon->u.record, base + f->offset, bits);
        else if (f->name && f->is_bitfield && bits)
            check_bits(record, f, base);
        else if (f->name && !f->is_bitfield && !bits)
            printf("_Static_assert(__builtin_offsetof(struct %s, %s) == %llu, \"%s.%s\");\n",
                   record, f->name, (unsigned long long)(base + f->offset), record, f->name);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3 || !lang_target_named(argv[2]))
        return fputs("usage: layout-diff SEED TARGET\n", stderr), 2;
    struct rng r = rng_seed(strtoull(argv[1], NULL, 10));
    struct text source = {0};
    for (unsigned i = 0; i < 150; i++)
        add_record(&r, &source, i);
    struct front_options o = {.target = lang_target_named(argv[2])};
    struct unit u = front_parse(source.s, source.n, &o);
    if (u.error_count) {
        fprintf(stderr, "%s\n", u.errors[0].message);
        return 2;
    }
    fputs(source.s, stdout);
    puts("static int differs(const unsigned char *b, int n, int first, int width)\n{\n"
         "    int bad = 0;\n    for (int i = 0; i < 8 * n; i++)\n"
         "        bad += (b[i / 8] >> i % 8 & 1) != (i >= first && i < first + width);\n"
         "    return bad;\n}");
    for (size_t i = 0; i < u.program->records.n; i++) {
        const struct record *record = u.program->records.at[i];
        if (!record->tag)
            continue;
        printf("_Static_assert(sizeof(struct %s) == %llu && _Alignof(struct %s) == %u, \"%s\");\n",
               record->tag, (unsigned long long)record->size, record->tag, record->align,
               record->tag);
        check_fields(record->tag, record, 0, false);
    }
    puts("int main(void)\n{\n    int bad = 0;");
    for (size_t i = 0; i < u.program->records.n; i++) {
        const struct record *record = u.program->records.at[i];
        if (record->tag)
            check_fields(record->tag, record, 0, true);
    }
    puts("    return bad != 0;\n}");
    text_free(&source);
    lang_program_free(u.program);
    return 0;
}
