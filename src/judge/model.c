/* A compiler's data model, by trying: which target of targets.def its programs are for.  What a
 * program can see of the machine decides, not the compiler's name; so flags that change it
 * (-funsigned-char, -m32) are seen too. */
#include "judge/judge.h"

#include <stdio.h>
#include <string.h>

/* Sizes and alignments; digits of long double; byte order, plain char, the first bit-field's byte;
 * wchar_t; whether a * b + c is rounded once; floating-point arithmetic as it is written, ASCII,
 * enumerations and plain bit-fields as int. */
static const char probe_text[] =
    "int printf(const char *, ...);\n"
    "#if defined __FAST_MATH__ || (defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__) || \\\n"
    "    defined __ASSOCIATIVE_MATH__ || defined __RECIPROCAL_MATH__\n"
    "enum { PLAIN = 0 };\n"
    "#else\n"
    "enum { PLAIN = 1 };\n"
    "#endif\n"
    "static struct { int f : 2; } narrow = {-1};\n"
    "#define SHOW(type) { struct s { char c; type t; }; \\\n"
    "    printf(\"%d.%d \", (int)sizeof(type), (int)((char *)&((struct s *)0)->t - (char *)0)); }\n"
    "struct field { unsigned f : 1; };\n"
    "enum small { SMALL };\n"
    "union bits { struct field s; unsigned char b[sizeof(unsigned)]; };\n"
    "static union bits bits;\n"
    "static int one = 1;\n"
    "volatile double x = 134217729.0, y = -18014398777917440.0;\n"
    "int main(void)\n"
    "{\n"
    "    volatile long double e = 1, t = 2;\n"
    "    double r = x * x + y;\n"
    "    int digits = 0;\n"
    "    bits.s.f = 1;\n"
    "    while (digits < 200) {\n"
    "        t = 1 + e;\n"
    "        if (t == 1)\n"
    "            break;\n"
    "        e = e / 2;\n"
    "        digits++;\n"
    "    }\n"
    "    SHOW(short) SHOW(int) SHOW(long) SHOW(long long) SHOW(void *) SHOW(float) SHOW(double)\n"
    "    SHOW(long double)\n"
    "    printf(\"%d %d %d %d %d %d %d %d %d %d %d\\n\", digits, *(char *)&one, (char)-1 < 0,\n"
    "           bits.b[0], (int)sizeof(struct field), L'\\0' - 1 < 0, r != 0, PLAIN, 'A' == 65,\n"
    "           sizeof(enum small) == sizeof(int), narrow.f < 0);\n"
    "    return 0;\n"
    "}\n";

enum column { SHORT, INT, LONG, LLONG, POINTER, FLOAT, DOUBLE, LDOUBLE, COLUMNS };
static const char *const column_names[COLUMNS] = {
    [SHORT] = "short",     [INT] = "int",     [LONG] = "long",     [LLONG] = "long long",
    [POINTER] = "pointer", [FLOAT] = "float", [DOUBLE] = "double", [LDOUBLE] = "long double"};

struct seen {
    struct size_align at[COLUMNS];
    unsigned digits, little, is_signed, first_bits, field_size, wchar_signed, rounded_once;
    unsigned plain_math, ascii, int_enums, signed_fields;
};

static bool read_seen(const char *line, struct seen *s)
{
    int used = 0;
    for (size_t i = 0; i < COLUMNS; i++, line += used) {
        unsigned size, align;
        if (sscanf(line, "%u.%u %n", &size, &align, &used) != 2 || size > 64 || align > 64)
            return false;
        s->at[i] = (struct size_align){(uint8_t)size, (uint8_t)align};
    }
    return sscanf(line, "%u %u %u %u %u %u %u %u %u %u %u", &s->digits, &s->little, &s->is_signed,
                  &s->first_bits, &s->field_size, &s->wchar_signed, &s->rounded_once,
                  &s->plain_math, &s->ascii, &s->int_enums, &s->signed_fields) == 11;
}

static bool same(struct size_align a, struct size_align b)
{
    return a.size == b.size && a.align == b.align;
}

/* What the target has otherwise, in words; NULL: nothing that a program without long double and
 * wide characters could see. */
static const char *unlike(const struct target *t, const struct seen *s)
{
    const struct size_align has[] = {
        [SHORT] = t->short_,    [INT] = t->int_,     [LONG] = t->long_,     [LLONG] = t->llong,
        [POINTER] = t->pointer, [FLOAT] = t->float_, [DOUBLE] = t->double_,
    };
    for (size_t i = 0; i < LENGTH(has); i++)
        if (!same(has[i], s->at[i]))
            return column_names[i];
    if (t->little_endian != s->little)
        return "byte order";
    if (s->first_bits != (s->little ? 1 : 128))
        return "order of bit-fields";
    if ((s->field_size > 1) != t->bitfields_align)
        return "layout of bit-fields";
    return t->char_signed != s->is_signed ? "plain char" : NULL;
}

/* How much of the rest is alike: up to ALIKE. */
enum { ALIKE = 3 };

static int likeness(const struct target *t, const struct seen *s)
{
    static const unsigned digits[] = {[FLOAT_DOUBLE] = 53, [FLOAT_X87] = 64, [FLOAT_QUAD] = 113};
    bool wchar_signed = t->wchar_type == TYPE_INT || t->wchar_type == TYPE_LONG;
    return 2 * (same(t->ldouble, s->at[LDOUBLE]) && digits[t->ldouble_format] == s->digits) +
           (wchar_signed == s->wchar_signed);
}

/* What no target has, in words; NULL: nothing.  What its own flags let it do to arithmetic is
 * looked into elsewhere (cc/licence.def). */
static const char *strange(const struct seen *s, const struct cc_config *config)
{
    bool told = cc_licences(config) & 1u << CC_LICENCE_FLOATS;
    return !s->plain_math && !told ? "floating-point arithmetic"
           : !s->ascii             ? "the character set"
           : !s->int_enums         ? "enumerations"
           : !s->signed_fields     ? "plain bit-fields"
                                   : NULL;
}

static void find_target(const struct seen *s, struct judge_model *m)
{
    int best = -1;
    for (size_t i = 0; i < TARGET_COUNT; i++) {
        const struct target *t = lang_target((enum target_id)i);
        const char *other = unlike(t, s);
        if (i == 0 || (!m->target && other && strcmp(other, "plain char") == 0))
            m->unlike = other;
        if (!other && likeness(t, s) > best) {
            best = likeness(t, s);
            m->target = t;
        }
    }
}

bool judge_keeps_abi(const struct cc_config *config)
{
    static const char *const harmless[] = {
        "-m32",   "-m64",   "-march=",    "-mtune=",        "-msse",      "-mavx",
        "-mfma",  "-mno-",  "-mfpmath=",  "-ffp-contract=", "-fsanitize", "-fno-inline",
        "-fPIC",  "-fpic",  "-fPIE",      "-fpie",          "-flto",      "-fwrapv",
        "-ftree", "-fvect", "-fno-tree-", "-fno-strict-",   "-funroll-",  "-mllvm"};
    enum cc_family family;
    if (!cc_family_of(config->argv[0], &family))
        return false; /* a script, for all we know, with flags of its own */
    for (char *const *word = config->argv + 1; *word; word++) {
        bool changes = str_has_prefix(*word, "-f") || str_has_prefix(*word, "-m") ||
                       str_has_prefix(*word, "-target") || str_has_prefix(*word, "--target") ||
                       str_has_prefix(*word, "-X");
        for (size_t i = 0; i < LENGTH(harmless); i++)
            changes = changes && !str_has_prefix(*word, harmless[i]);
        if (changes)
            return false;
    }
    return true;
}

bool judge_learn_model(struct cc_lab *lab, const struct cc_config *config, struct arena *a,
                       struct judge_model *out, struct err *e)
{
    static char *const none[] = {NULL};
    char *path = arena_printf(a, "%s-model.c", lab->dir);
    char *units[] = {path, NULL};
    struct cc_case c = {.units = units,
                        .inputs = none,
                        .args = none,
                        .compile_timeout = 20,
                        .run_timeout = 10,
                        .compile_memory = (uint64_t)4 << 30,
                        .run_memory = (uint64_t)1 << 30};
    struct outcome o;
    struct seen s;
    *out = (struct judge_model){.unlike = "cannot be run here"};
    if (!sys_write_file(path, probe_text, strlen(probe_text), e) ||
        !cc_try(lab, config, &c, a, &o, e))
        return false;
    out->compiles = outcome_info(o.kind)->weight == WEIGHT_FINE || o.kind == OUTCOME_NOT_RUN;
    if (o.run_count == 1 && o.runs[0].end == SYS_EXITED && o.runs[0].code == 0 &&
        read_seen(o.runs[0].out, &s)) {
        out->contracts = s.rounded_once;
        find_target(&s, out);
        const struct target *t = out->target;
        bool own = (t == lang_target(TARGET_LP64) || t == lang_target(TARGET_ILP32)) &&
                   !config->emulator[0];
        if (strange(&s, config))
            *out = (struct judge_model){out->compiles, NULL, strange(&s, config), out->contracts};
        else if (own && likeness(t, &s) < ALIKE)
            *out = (struct judge_model){out->compiles, NULL, "long double or wide characters",
                                        out->contracts};
    }
    return true;
}

static bool is_narrow(const struct cc_config *config)
{
    bool narrow = false;
    for (char *const *word = config->argv + 1; *word; word++)
        narrow = strcmp(*word, "-m32") == 0 || (narrow && strcmp(*word, "-m64") != 0);
    return narrow;
}

bool judge_find_target(struct cc_lab *lab, const struct cc_config *config, struct arena *a,
                       const struct target **out, struct err *e)
{
    struct judge_model model;
    *out = lang_target(is_narrow(config) ? TARGET_ILP32 : TARGET_LP64);
    if (!config->emulator[0])
        return true;
    if (!judge_learn_model(lab, config, a, &model, e))
        return false;
    if (model.target)
        *out = model.target;
    return true;
}
