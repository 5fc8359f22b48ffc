/* Functions that compilers know: their types from the signatures of builtins.def. */
#include "lang/private.h"

#include <string.h>

#define PREFIX "__builtin_"

struct builtin_row {
    const char *name; /* without the prefix, if it has one */
    const char *signature;
    bool prefixed, library; /* library: known without the prefix too */
};

static const struct builtin_row rows[] = {
    {"", "", false, false},
#define B(name, signature) {#name, signature, true, false},
#define L(name, signature) {#name, signature, true, true},
#define X(name, signature) {#name, signature, false, false},
#include "lang/builtins.def"
};

/* Letters of signatures that stand for one basic type. */
static const struct {
    char letter;
    uint8_t kind;
} letters[] = {
    {'v', TYPE_VOID},     {'b', TYPE_BOOL},    {'c', TYPE_CHAR},   {'h', TYPE_SHORT},
    {'H', TYPE_USHORT},   {'i', TYPE_INT},     {'u', TYPE_UINT},   {'l', TYPE_LONG},
    {'m', TYPE_ULONG},    {'q', TYPE_LLONG},   {'Q', TYPE_ULLONG}, {'n', TYPE_INT128},
    {'N', TYPE_UINT128},  {'f', TYPE_FLOAT},   {'d', TYPE_DOUBLE}, {'e', TYPE_LDOUBLE},
    {'E', TYPE_FLOAT128}, {'a', TYPE_VA_LIST},
};

static struct type *pointer_letter(struct program *p, char letter)
{
    struct type *to = lang_basic(p, letter == 's' || letter == 'S' ? TYPE_CHAR : TYPE_VOID);
    if (letter == 'S' || letter == 'P')
        to = lang_qualified(p, to, QUAL_CONST);
    if (letter == 'k')
        to = lang_qualified(p, to, QUAL_CONST | QUAL_VOLATILE);
    return lang_pointer(p, to);
}

/* NULL for letters that depend on the call. */
static struct type *letter_type(struct program *p, char letter)
{
    for (size_t i = 0; i < LENGTH(letters); i++)
        if (letters[i].letter == letter)
            return lang_basic(p, letters[i].kind);
    switch (letter) {
    case '6':
        return lang_basic(p, p->target->long_.size == 8 ? TYPE_ULONG : TYPE_ULLONG);
    case 'z':
        return lang_size_type(p);
    case 't':
        return lang_ptrdiff_type(p);
    case 'x':
        return lang_complex(p, lang_basic(p, TYPE_FLOAT));
    case 'y':
        return lang_complex(p, lang_basic(p, TYPE_DOUBLE));
    case 'Y':
        return lang_complex(p, lang_basic(p, TYPE_LDOUBLE));
    case 'p':
    case 'P':
    case 's':
    case 'S':
    case 'k':
        return pointer_letter(p, letter);
    default:
        return NULL;
    }
}

static size_t row_named(const char *name)
{
    bool prefixed = str_has_prefix(name, PREFIX);
    const char *bare = prefixed ? name + strlen(PREFIX) : name;
    for (size_t i = 1; i < LENGTH(rows); i++) {
        const char *wanted = rows[i].prefixed ? bare : name;
        bool may_be = !rows[i].prefixed || prefixed || rows[i].library;
        if (may_be && *rows[i].name == *wanted && strcmp(rows[i].name, wanted) == 0)
            return i;
    }
    static const struct {
        const char *prefix;
        size_t row;
    } families[] = {
        {PREFIX "ia32_", BUILTIN_unknown_to_us},
        {PREFIX "elementwise_", BUILTIN_unknown_like_first},
        {PREFIX "reduce_", BUILTIN_unknown_element},
    };
    for (size_t i = 0; i < LENGTH(families); i++)
        if (str_has_prefix(name, families[i].prefix))
            return families[i].row;
    return 0;
}

/* The function's type; where the call decides, int stands in. */
static struct type *signature_type(struct program *p, const char *s)
{
    struct type *result = letter_type(p, *s), *int_type = lang_basic(p, TYPE_INT);
    struct list params = {0};
    unsigned flags = TYPE_PROTOTYPE;
    for (s += 2; *s; s++) {
        if (*s == '.') {
            flags |= TYPE_VARIADIC;
            continue;
        }
        struct type *t = letter_type(p, *s);
        list_add(&p->arena, &params, lang_decl_new(p, DECL_PARAM, NULL, t ? t : int_type));
    }
    return lang_function(p, result ? result : int_type, (struct decl **)params.at,
                         (uint32_t)params.n, flags);
}

struct decl *lang_builtin(struct program *p, const char *name)
{
    size_t row = row_named(name);
    if (!row)
        return NULL;
    struct decl *d = lang_decl_new(p, DECL_FUNC, arena_string(&p->arena, name),
                                   signature_type(p, rows[row].signature));
    d->builtin = (uint16_t)row;
    d->implicit = true;
    d->linkage = LINKAGE_EXTERNAL;
    return d;
}

static struct type *pointee(struct node **args, uint32_t n)
{
    if (n == 0 || !lang_is_kind(args[0]->type, TYPE_POINTER))
        return NULL;
    return lang_unqualified(args[0]->type->base);
}

/* The result of a builtin whose signature has a ! there. */
static struct type *decided(struct program *p, struct node **args, uint32_t n)
{
    return n ? lang_complex(p, args[0]->type) : lang_basic(p, TYPE_INT);
}

/* As many elements as there are indices behind two vectors. */
static struct type *shuffled(struct program *p, struct node **args, uint32_t n)
{
    if (n < 3 || !lang_is_kind(args[0]->type, TYPE_VECTOR) ||
        !lang_is_kind(args[1]->type, TYPE_VECTOR))
        return NULL;
    const struct type *of = args[0]->type->canon;
    return of->u.count == n - 2 ? args[0]->type : lang_vector(p, of->base, n - 2);
}

static struct type *result_type(struct program *p, char letter, struct node **args, uint32_t n)
{
    switch (letter) {
    case '*':
        return pointee(args, n);
    case '1':
        return n ? args[0]->type : NULL;
    case '@':
        return n && lang_is_kind(args[0]->type, TYPE_VECTOR) ? args[0]->type->canon->base : NULL;
    case '#':
        return shuffled(p, args, n);
    case '!':
        return decided(p, args, n);
    case '?':
        return lang_basic(p, TYPE_UNKNOWN);
    default:
        return letter_type(p, letter);
    }
}

/* One argument; p->err and NULL when it does not fit. */
static struct node *argument(struct program *p, char letter, struct node **args, uint32_t i)
{
    if (letter == '?') {
        /* va_start and friends take the list itself, not its value */
        return lang_is_kind(args[i]->type, TYPE_VA_LIST) ? args[i] : lang_rvalue(p, args[i]);
    }
    if (letter == '.')
        return lang_promote(p, args[i]);
    struct type *t = letter == '*' ? pointee(args, i) : result_type(p, letter, args, i);
    return t ? lang_convert(p, args[i], t) : lang_refuse(p, "argument of a wrong type");
}

/* Arguments that must be constants, from 0 on. */
static const struct {
    uint16_t builtin;
    uint8_t argument, most;
} constants[] = {
    {BUILTIN_object_size, 1, 3},
    {BUILTIN_dynamic_object_size, 1, 3},
    {BUILTIN_return_address, 0, 255},
    {BUILTIN_frame_address, 0, 255},
};

static bool has_constants(struct program *p, const struct decl *d, struct node **args, uint32_t n)
{
    for (size_t i = 0; i < LENGTH(constants); i++) {
        u128 value;
        if (constants[i].builtin == d->builtin && constants[i].argument < n &&
            (!lang_constant(p, args[constants[i].argument], &value) || value > constants[i].most))
            return false;
    }
    return true;
}

/* Where an argument of any type is taken: of which kind it has to be all the same. */
enum demand { WANTS_FLOATING, WANTS_OVERFLOW, WANTS_MASK };
static const struct {
    uint16_t builtin;
    uint8_t demand;
} demands[] = {
    {BUILTIN_isnan, WANTS_FLOATING},         {BUILTIN_isinf, WANTS_FLOATING},
    {BUILTIN_isfinite, WANTS_FLOATING},      {BUILTIN_isnormal, WANTS_FLOATING},
    {BUILTIN_isinf_sign, WANTS_FLOATING},    {BUILTIN_signbit, WANTS_FLOATING},
    {BUILTIN_isgreater, WANTS_FLOATING},     {BUILTIN_isgreaterequal, WANTS_FLOATING},
    {BUILTIN_isless, WANTS_FLOATING},        {BUILTIN_islessequal, WANTS_FLOATING},
    {BUILTIN_islessgreater, WANTS_FLOATING}, {BUILTIN_isunordered, WANTS_FLOATING},
    {BUILTIN_add_overflow, WANTS_OVERFLOW},  {BUILTIN_sub_overflow, WANTS_OVERFLOW},
    {BUILTIN_mul_overflow, WANTS_OVERFLOW},  {BUILTIN_shuffle, WANTS_MASK},
};

/* Two integers, and where the result goes. */
static bool is_overflow(struct node **args)
{
    const struct type *to = args[2]->type->canon, *of = to->base;
    return lang_is_integer(args[0]->type) && lang_is_integer(args[1]->type) &&
           to->kind == TYPE_POINTER && lang_is_integer(of) && of->canon->kind != TYPE_BOOL &&
           of->canon->kind != TYPE_ENUM && !((of->quals | of->canon->quals) & QUAL_CONST);
}

static bool is_mask(const struct type *t)
{
    return t->canon->kind == TYPE_VECTOR && lang_is_integer(t->canon->base);
}

static bool fits_demand(const struct decl *d, struct node **args, uint32_t n)
{
    for (size_t i = 0; i < LENGTH(demands); i++) {
        if (demands[i].builtin != d->builtin)
            continue;
        if (demands[i].demand == WANTS_OVERFLOW)
            return is_overflow(args);
        if (demands[i].demand == WANTS_MASK)
            return n > 1 && is_mask(args[n - 1]->type);
        return lang_is_floating(args[0]->type) || (n > 1 && lang_is_floating(args[1]->type));
    }
    return true;
}

struct type *lang_builtin_args(struct program *p, const struct decl *d, struct node **args,
                               uint32_t n)
{
    const char *signature = rows[d->builtin].signature, *s = signature + 2;
    for (uint32_t i = 0; i < n; i++) {
        if (!*s)
            return lang_refuse(p, "too many arguments to function '%s'", d->name);
        args[i] = argument(p, *s, args, i);
        if (!args[i])
            return NULL;
        s += *s != '.';
    }
    if (*s && *s != '.')
        return lang_refuse(p, "too few arguments to function '%s'", d->name);
    if (!fits_demand(d, args, n))
        return lang_refuse(p, "argument of '%s' has a wrong type", d->name);
    if (!has_constants(p, d, args, n))
        return lang_refuse(p, "argument of '%s' is not a small constant", d->name);
    struct type *t = result_type(p, signature[0], args, n);
    return t ? t : lang_refuse(p, "bad first argument to '%s'", d->name);
}

/* A FILE is any pointer to the table of builtins: parameters are only counted. */
static bool looks_like(const struct program *p, const struct type *known, const struct type *t)
{
    known = known->canon;
    t = t->canon;
    return lang_compatible(p, known->base, t->base) &&
           known->u.function->count == t->u.function->count;
}

bool lang_is_of_library(struct program *p, const struct decl *d)
{
    const struct decl *known = d->kind == DECL_FUNC && d->name
                                   ? lang_builtin(p, arena_printf(&p->arena, PREFIX "%s", d->name))
                                   : NULL;
    return known && looks_like(p, known->type, d->type);
}

const struct decl *lang_redefined(struct program *p)
{
    for (size_t i = 0; i < p->functions.n; i++) {
        const struct decl *d = ((const struct function *)p->functions.at[i])->decl;
        bool system = p->text && d->node && lang_place(p, d->node->begin).system;
        if (d->linkage == LINKAGE_EXTERNAL && !system && lang_is_of_library(p, d))
            return d;
    }
    return NULL;
}
