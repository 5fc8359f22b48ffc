/* What is uncommon in a program: feature.def.  Takes a parsed program, yields "program with ..." in
 * the order of the table, "" for nothing.  Pure. */
#include "triage/private.h"

#include <string.h>

typedef bool of_type_fn(const struct type *t);
typedef bool of_node_fn(const struct node *n);

/* Of objects and functions that are declared, and of expressions. */
static bool any_type(const struct program *p, of_type_fn *is)
{
    for (size_t i = 0; i < p->decls.n; i++) {
        const struct decl *d = p->decls.at[i];
        if (!d->implicit && d->type && is(d->type->canon))
            return true;
    }
    for (uint32_t i = 0; i < p->node_count; i++)
        if (p->nodes[i] && p->nodes[i]->type && is(p->nodes[i]->type->canon))
            return true;
    return false;
}

static bool any_node(const struct program *p, of_node_fn *is)
{
    for (uint32_t i = 0; i < p->node_count; i++)
        if (p->nodes[i] && is(p->nodes[i]))
            return true;
    return false;
}

static bool calls(const struct program *p, const char *const *names)
{
    for (size_t i = 0; i < p->decls.n; i++) {
        const struct decl *d = p->decls.at[i];
        for (size_t k = 0; d->kind == DECL_FUNC && d->used && names[k]; k++)
            if (strcmp(d->name, names[k]) == 0)
                return true;
    }
    return false;
}

/* ---- of types --------------------------------------------------------------------------- */

static bool is_variable(const struct type *t)
{
    return t->flags & TYPE_VARIABLE;
}

static bool is_vector(const struct type *t)
{
    return t->kind == TYPE_VECTOR;
}

static bool is_complex(const struct type *t)
{
    return t->kind == TYPE_COMPLEX;
}

static bool is_wide(const struct type *t)
{
    return t->kind == TYPE_INT128 || t->kind == TYPE_UINT128;
}

static bool is_precise(const struct type *t)
{
    return t->kind == TYPE_BITINT;
}

static bool is_long_double(const struct type *t)
{
    return t->kind == TYPE_LDOUBLE;
}

static bool is_atomic(const struct type *t)
{
    return t->quals & QUAL_ATOMIC;
}

static bool is_record(const struct type *t)
{
    return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
}

/* ---- of nodes --------------------------------------------------------------------------- */

static bool jumps_to_value(const struct node *n)
{
    return n->kind == NODE_GOTO_VALUE;
}

static bool takes_argument(const struct node *n)
{
    return n->kind == NODE_VA_ARG;
}

static bool passes_record(const struct node *n)
{
    bool passes = n->kind == NODE_CALL && n->type && is_record(n->type->canon);
    for (uint32_t i = 1; n->kind == NODE_CALL && i < n->count && !passes; i++)
        passes = n->kid[i] && n->kid[i]->type && is_record(n->kid[i]->type->canon);
    return passes;
}

/* ---- rows ------------------------------------------------------------------------------- */

static bool has_VARIABLE(const struct program *p)
{
    return any_type(p, is_variable);
}

static bool has_ALLOCA(const struct program *p)
{
    static const char *const names[] = {"alloca", "__builtin_alloca", NULL};
    return calls(p, names);
}

static bool has_SETJMP(const struct program *p)
{
    static const char *const names[] = {"setjmp", "_setjmp", "sigsetjmp", "__builtin_setjmp", NULL};
    return calls(p, names);
}

static bool has_COMPUTED_GOTO(const struct program *p)
{
    return any_node(p, jumps_to_value);
}

static bool has_VA_ARG(const struct program *p)
{
    return any_node(p, takes_argument);
}

static bool has_BITFIELD(const struct program *p)
{
    for (size_t i = 0; i < p->records.n; i++) {
        const struct record *r = p->records.at[i];
        for (uint32_t k = 0; k < r->count; k++)
            if (r->fields[k]->is_bitfield)
                return true;
    }
    return false;
}

static bool has_BY_VALUE(const struct program *p)
{
    return any_node(p, passes_record);
}

static bool has_VECTOR(const struct program *p)
{
    return any_type(p, is_vector);
}

static bool has_COMPLEX(const struct program *p)
{
    return any_type(p, is_complex);
}

static bool has_WIDE(const struct program *p)
{
    return any_type(p, is_wide);
}

static bool has_PRECISE(const struct program *p)
{
    return any_type(p, is_precise);
}

static bool has_LONG_DOUBLE(const struct program *p)
{
    return any_type(p, is_long_double);
}

static bool has_ATOMIC(const struct program *p)
{
    return any_type(p, is_atomic);
}

static bool has_THREAD(const struct program *p)
{
    for (size_t i = 0; i < p->decls.n; i++)
        if (((const struct decl *)p->decls.at[i])->thread)
            return true;
    return false;
}

static bool has_NESTED(const struct program *p)
{
    for (size_t i = 0; i < p->functions.n; i++)
        if (((const struct function *)p->functions.at[i])->outer)
            return true;
    return false;
}

const char *feature_list(struct arena *a, const struct program *p)
{
    static const struct {
        const char *name;
        bool (*has)(const struct program *p);
    } rows[] = {
#define FEATURE(name, function) {name, has_##function},
#include "triage/feature.def"
    };
    struct text out = {0};
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (rows[i].has(p))
            text_printf(&out, "%s%s", out.n ? ", " : "program with ", rows[i].name);
    const char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}
