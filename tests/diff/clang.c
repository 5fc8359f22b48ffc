/* Compares our types and constants with clang's, expression by expression.
 *
 *   clang-diff FILE.i FILE.json      the json is clang -Xclang -ast-dump=json of the same text
 *
 * Clang's expressions are matched with ours by kind and extent.  Its type names are read by our
 * own parser: each distinct one becomes a typedef behind the program, so that typedefs, tags and
 * declarators mean what they mean there.  Prints what differs, then one line of counts.
 * Exit status: 0 the same, 1 something differs, 2 could not do it. */
#include "front/front.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct found {
    uint32_t begin, end;
    const char *kind, *type, *value, *op;
    const char *implicit; /* type after the implicit casts around it, or NULL */
};

struct diff {
    struct arena arena;
    struct found *found;
    size_t count, room;
    struct map types; /* name to 1 + number */
    size_t compared, constants, bad, unmatched, unread;
};

/* ---- clang's side ----------------------------------------------------------------------- */

static long long offset_of(json_t *place, const char *key)
{
    json_t *expansion = json_object_get(place, "expansionLoc");
    json_t *value = json_object_get(expansion ? expansion : place, key);
    return value ? json_integer_value(value) : -1;
}

static const char *type_of(json_t *node)
{
    return json_string_value(json_object_get(json_object_get(node, "type"), "qualType"));
}

static const char *copy(struct diff *d, const char *s)
{
    return s ? arena_string(&d->arena, s) : NULL;
}

static void add_found(struct diff *d, json_t *node, const char *kind, const char *implicit)
{
    json_t *range = json_object_get(node, "range");
    json_t *begin = json_object_get(range, "begin"), *end = json_object_get(range, "end");
    long long from = offset_of(begin, "offset"), to = offset_of(end, "offset");
    long long last = offset_of(end, "tokLen");
    if (from < 0 || to < 0 || last < 0 || !type_of(node))
        return;
    if (d->count == d->room) {
        d->room = d->room ? d->room * 2 : 4096;
        d->found = arena_grow(&d->arena, d->found, d->count, d->room, sizeof *d->found);
    }
    json_t *value = json_object_get(node, "value");
    d->found[d->count++] = (struct found){
        (uint32_t)from,
        (uint32_t)(to + last),
        copy(d, kind),
        copy(d, type_of(node)),
        json_is_string(value) ? copy(d, json_string_value(value)) : NULL,
        copy(d, json_string_value(json_object_get(node, "opcode"))),
        implicit};
    const char *names[] = {type_of(node), implicit};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (names[i] && !map_get(&d->types, names[i]))
            map_set(&d->arena, &d->types, names[i], (void *)(uintptr_t)(d->types.n + 1));
}

static void walk(struct diff *d, json_t *node, const char *implicit)
{
    const char *kind = json_string_value(json_object_get(node, "kind"));
    json_t *inner = json_object_get(node, "inner");
    size_t n = json_array_size(inner);
    if (!kind)
        return;
    bool cast = strcmp(kind, "ImplicitCastExpr") == 0;
    bool around = cast || strcmp(kind, "ConstantExpr") == 0 || strcmp(kind, "ParenExpr") == 0;
    size_t length = strlen(kind);
    bool expression = (length > 4 && strcmp(kind + length - 4, "Expr") == 0) ||
                      strstr(kind, "Operator") || strstr(kind, "Literal");
    if (expression && !cast && strcmp(kind, "ParenExpr") != 0)
        add_found(d, node, kind, implicit);
    const char *passed = cast && !implicit ? copy(d, type_of(node)) : around ? implicit : NULL;
    for (size_t i = 0; i < n; i++)
        walk(d, json_array_get(inner, i), passed);
}

/* ---- our side --------------------------------------------------------------------------- */

static const struct {
    const char *clang;
    uint8_t kind;
} pairs[] = {
    {"IntegerLiteral", NODE_INT},
    {"CharacterLiteral", NODE_INT},
    {"FloatingLiteral", NODE_FLOAT},
    {"StringLiteral", NODE_STRING},
    {"DeclRefExpr", NODE_NAME},
    {"UnaryOperator", NODE_UNARY},
    {"BinaryOperator", NODE_BINARY},
    {"CompoundAssignOperator", NODE_ASSIGN},
    {"ConditionalOperator", NODE_COND},
    {"CStyleCastExpr", NODE_CAST},
    {"CallExpr", NODE_CALL},
    {"ArraySubscriptExpr", NODE_INDEX},
    {"MemberExpr", NODE_MEMBER},
    {"UnaryExprOrTypeTraitExpr", NODE_SIZEOF},
    {"CompoundLiteralExpr", NODE_LITERAL},
    {"StmtExpr", NODE_STMT_EXPR},
};

static int kind_for(const struct found *f)
{
    if (f->op && strcmp(f->op, "=") == 0)
        return NODE_ASSIGN;
    for (size_t i = 0; i < LENGTH(pairs); i++)
        if (strcmp(pairs[i].clang, f->kind) == 0)
            return pairs[i].kind;
    return -1;
}

/* Our nodes by begin, linked. */
struct index {
    uint32_t *first, *next;
};

static struct index index_nodes(struct diff *d, const struct program *p)
{
    struct index x = {NEW_ARRAY(&d->arena, p->text_size + 1, uint32_t),
                      NEW_ARRAY(&d->arena, p->node_count + 1, uint32_t)};
    for (uint32_t i = 0; i < p->node_count; i++) {
        const struct node *n = p->nodes[i];
        x.next[i + 1] = x.first[n->begin];
        x.first[n->begin] = i + 1;
    }
    return x;
}

static const struct node *match(const struct program *p, const struct index *x,
                                const struct found *f, int kind)
{
    for (uint32_t i = x->first[f->begin]; i; i = x->next[i]) {
        const struct node *n = p->nodes[i - 1];
        bool same_kind = n->kind == kind || (kind == NODE_SIZEOF && n->kind == NODE_ALIGNOF);
        if (same_kind && n->end == f->end && !(n->flags & NODE_IMPLICIT) && n->type)
            return n;
    }
    return NULL;
}

/* The type after all implicit casts that have this node at their bottom. */
static const struct type *converted(const struct program *p, const struct index *x,
                                    const struct node *n)
{
    const struct type *t = NULL;
    const struct node *at = n;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = x->first[n->begin]; i && !more; i = x->next[i]) {
            const struct node *c = p->nodes[i - 1];
            if (c->kind == NODE_CAST && c->flags & NODE_IMPLICIT && c->kid[0] == at) {
                at = c;
                t = c->type;
                more = true;
            }
        }
    }
    return t;
}

/* ---- comparison ------------------------------------------------------------------------- */

static struct type *named_type(const struct program *p, struct diff *d, const char *name)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, "cupel_type_%zu", (size_t)(uintptr_t)map_get(&d->types, name));
    static struct map by_name; /* filled once: this program reads one file */
    static struct arena arena;
    if (by_name.n == 0)
        for (size_t i = 0; i < p->decls.n; i++) {
            struct decl *decl = p->decls.at[i];
            if (decl->kind == DECL_TYPEDEF && strncmp(decl->name, "cupel_type_", 11) == 0)
                map_set(&arena, &by_name, decl->name, decl->type);
        }
    return map_get(&by_name, wanted);
}

static void complain(const struct program *p, struct diff *d, const struct found *f,
                     const char *what, const struct type *ours, const char *theirs)
{
    struct text t = {0};
    struct place place = lang_place(p, f->begin);
    if (ours)
        lang_print_type(p, ours, NULL, &t);
    if (d->bad++ < 20)
        printf("%s:%u:%u: %s %.*s: ours '%s', clang's '%s'\n", place.file, place.line, place.column,
               what, (int)(f->end - f->begin > 60 ? 60 : f->end - f->begin), p->text + f->begin,
               text_str(&t), theirs);
    text_free(&t);
}

static bool same(const struct program *p, const struct type *a, const struct type *b)
{
    return lang_same_type(a, b) || lang_compatible(p, a, b);
}

/* Clang promotes operands of && and ||, leaves subscripts as they are, and brings compared
 * pointers to one type; C asks for none of these, and they change no value.  A promotion that
 * matters shows in the type of the whole expression. */
static bool as_good(const struct program *p, const struct node *n, const struct type *a,
                    const struct type *b)
{
    if (same(p, a, b))
        return true;
    if (n->kind == NODE_MEMBER && n->u.field->is_bitfield && lang_is_integer(b))
        return true;
    if (lang_is_kind(a, TYPE_POINTER) && lang_is_kind(b, TYPE_POINTER))
        return true;
    return lang_is_integer(a) && lang_is_integer(b) &&
           (lang_promoted(p, a) == lang_unqualified(b) ||
            lang_promoted(p, b) == lang_unqualified(a));
}

static void compare_constant(const struct program *p, struct diff *d, const struct found *f,
                             const struct node *n)
{
    u128 value;
    if (!f->value || !lang_is_integer(n->type) || !lang_constant(p, n, &value))
        return;
    long long theirs = strtoll(f->value, NULL, 10);
    if (f->value[0] != '-')
        theirs = (long long)strtoull(f->value, NULL, 10);
    d->constants++;
    u128 wanted = lang_wrap((u128)(i128)theirs, lang_int_width(p, n->type));
    if (lang_wrap(value, 64) != lang_wrap(wanted, 64))
        complain(p, d, f, "value of", NULL, f->value);
}

static void compare(const struct program *p, struct diff *d, const struct index *x,
                    const struct found *f)
{
    int kind = kind_for(f);
    if (kind < 0)
        return;
    const struct node *n = match(p, x, f, kind);
    if (!n) {
        d->unmatched++;
        return;
    }
    const struct type *theirs = named_type(p, d, f->type);
    if (!theirs || strstr(f->type, "va_list")) {
        d->unread++;
        return;
    }
    d->compared++;
    bool literal = n->kind == NODE_STRING || n->type->kind == TYPE_COMPLEX;
    if (!literal && !same(p, n->type, theirs)) /* clang gives a string its object's type */
        complain(p, d, f, "type of", n->type, f->type);
    const struct type *after = f->implicit ? converted(p, x, n) : NULL;
    const struct type *clangs = f->implicit ? named_type(p, d, f->implicit) : NULL;
    if (!literal && after && clangs && !strstr(f->implicit, "va_list") &&
        !as_good(p, n, after, clangs))
        complain(p, d, f, "conversion of", after, f->implicit);
    compare_constant(p, d, f, n);
}

static bool read_all(const char *path, struct text *out)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    char buffer[65536];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        text_add(out, buffer, n);
    fclose(f);
    return true;
}

int main(int argc, char **argv)
{
    struct diff d = {0};
    struct text source = {0};
    json_error_t error;
    if (argc != 3 || !read_all(argv[1], &source)) {
        fprintf(stderr, "usage: clang-diff FILE.i FILE.json\n");
        return 2;
    }
    json_t *root = json_load_file(argv[2], JSON_DISABLE_EOF_CHECK, &error);
    if (!root) {
        fprintf(stderr, "%s:%d: %s\n", argv[2], error.line, error.text);
        return 2;
    }
    walk(&d, root, NULL);
    size_t original = source.n;
    for (size_t i = 0; i < d.types.n; i++)
        text_printf(&source, "\ntypedef __typeof__(%s) cupel_type_%zu;", d.types.entries[i].key,
                    i + 1);
    text_putc(&source, '\n');
    struct front_options options = {.file = argv[1], .max_errors = 100000};
    struct unit u = front_parse(source.s, source.n, &options);
    if (u.error_count && u.errors[0].offset < original) {
        u.error_count = 1;
        text_clear(&source);
        front_print_errors(&u, &source);
        fputs(text_str(&source), stderr);
        return 2;
    }
    struct index x = index_nodes(&d, u.program);
    for (size_t i = 0; i < d.count; i++)
        compare(u.program, &d, &x, &d.found[i]);
    printf("%zu expressions, %zu constants compared, %zu differ; %zu without a partner, "
           "%zu of types that cannot be named\n",
           d.compared, d.constants, d.bad, d.unmatched, d.unread);
    json_decref(root);
    lang_program_free(u.program);
    text_free(&source);
    arena_free(&d.arena);
    return d.bad ? 1 : 0;
}
