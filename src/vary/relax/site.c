/* Wrappers, by their shape: a function whose body is one value of its parameters, a statement
 * expression, or assignments to variables of its own and then a value.  Takes a program, yields
 * every occurrence.  Knows no names: what Csmith calls safe_add_func_int16_t_s_s and what a user
 * calls clamp are found alike. */
#include "vary/relax/private.h"

#include <string.h>

/* ---- values of bindings ------------------------------------------------------------------- */

/* A function without effects that reads no memory. */
static bool is_arithmetic_call(const struct node *callee)
{
    static const char *const names[] = {"fabs", "fabsf", "__builtin_fabs", "__builtin_fabsf"};
    const struct node *n = callee;
    while (n->kind == NODE_CAST && n->flags & NODE_IMPLICIT)
        n = n->kid[0];
    for (size_t i = 0; n->kind == NODE_NAME && i < LENGTH(names); i++)
        if (strcmp(n->u.decl->name, names[i]) == 0)
            return true;
    return false;
}

bool relax_is_bound(const struct site *s, const struct decl *d)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->bindings[i].decl == d)
            return true;
    return false;
}

/* Pure, over nothing but bindings and constants; of kinds that relax_rebuild knows. */
static bool is_value(const struct site *s, const struct node *n)
{
    uint32_t from = 0;
    switch (n->kind) {
    case NODE_INT:
    case NODE_FLOAT:
        return true;
    case NODE_SIZEOF:
        return !n->count || !n->kid[0];
    case NODE_NAME:
        return n->u.decl->kind == DECL_ENUMERATOR || relax_is_bound(s, n->u.decl);
    case NODE_UNARY:
        if (n->op <= OP_DEREF)
            return false;
        break;
    case NODE_BINARY:
        if (n->op == OP_COMMA)
            return false;
        break;
    case NODE_COND:
        if (!n->kid[1])
            return false;
        break;
    case NODE_CAST:
        if (!lang_is_arithmetic(n->type))
            return false;
        break;
    case NODE_CALL:
        if (!is_arithmetic_call(n->kid[0]))
            return false;
        from = 1;
        break;
    default:
        return false;
    }
    for (uint32_t i = from; i < n->count; i++)
        if (n->kid[i] && !is_value(s, n->kid[i]))
            return false;
    return true;
}

/* The COND that the value is, below conversions. */
static struct node *check_of(struct node *n)
{
    while (n->kind == NODE_CAST)
        n = n->kid[0];
    return n->kind == NODE_COND ? n : NULL;
}

static const struct node *below_casts(const struct node *n)
{
    while (n->kind == NODE_CAST)
        n = n->kid[0];
    return n;
}

/* Without a check, only an operator is worth being freed of its wrapper. */
static bool is_operator(const struct node *n)
{
    n = below_casts(n);
    return n->kind == NODE_BINARY || n->kind == NODE_UNARY;
}

static uint32_t count_nodes(const struct node *n)
{
    uint32_t count = 1;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            count += count_nodes(n->kid[i]);
    return count;
}

static uint32_t count_names(const struct node *n, const struct decl *d)
{
    uint32_t count = n->kind == NODE_NAME && n->u.decl == d;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            count += count_names(n->kid[i], d);
    return count;
}

/* Is one of them an operator, or a conversion, and the other a constant or an operand of it? */
static bool is_operand_of(const struct node *less, const struct node *more)
{
    less = below_casts(less);
    while (more->kind == NODE_CAST && more->flags & NODE_IMPLICIT)
        more = more->kid[0];
    if (more->kind == NODE_NAME || more->kind == NODE_INT || more->kind == NODE_FLOAT)
        return false;
    return less->kind != NODE_NAME || count_names(more, less->u.decl);
}

/* unsafe(a, b) ? a : a op b has the operator on the other side; b != 0 ? a / b : a on this one; a
 * clamp, i >= n ? n - 1 : i, on neither. */
static struct way way_of(const struct node *check)
{
    bool first = count_nodes(below_casts(check->kid[1])) <= count_nodes(below_casts(check->kid[2]));
    const struct node *less = check->kid[first ? 1 : 2], *more = check->kid[first ? 2 : 1];
    return (struct way){.fires = first, .either = !is_operand_of(less, more)};
}

bool relax_learn_way(struct way *w, bool taken, bool untaken)
{
    if (w->either && taken != untaken)
        w->fires = untaken;
    return w->fires ? !taken : !untaken;
}

/* Those in the arm that is left when the check goes, one in the other. */
static void find_nested(struct site *s)
{
    struct node *check = s->check;
    struct way way = s->way;
    while (check && s->nested_count < SITE_NESTED) {
        check = check_of(check->kid[way.fires ? 2 : 1]);
        if (check) {
            way = way_of(check);
            s->nested[s->nested_count++] = (struct nested){.check = check, .way = way};
        }
    }
}

static bool finish_site(struct site *s, struct node *value, struct type *type)
{
    s->value = value;
    s->type = type;
    s->check = check_of(value);
    if (s->check)
        s->way = way_of(s->check);
    if (!s->count || !lang_is_real(type) || !lang_is_real(value->type) || !is_value(s, value))
        return false;
    find_nested(s);
    return s->check || is_operator(value);
}

static bool bind(struct site *s, struct decl *d, struct type *type, struct node *value)
{
    if (s->count == SITE_BINDINGS || !lang_is_real(type) || d->address_taken ||
        type->canon->quals & (QUAL_VOLATILE | QUAL_ATOMIC) || type->canon->align)
        return false;
    s->bindings[s->count++] = (struct binding){d, type, value ? vary_written(value) : NULL};
    return true;
}

/* ---- functions ---------------------------------------------------------------------------- */

static struct node *returned_value(const struct function *f)
{
    const struct node *body = f->body;
    if (!body || body->count != 1 || body->kid[0]->kind != NODE_RETURN)
        return NULL;
    return body->kid[0]->kid[0];
}

/* The site as a call of f would be one; its operands are still to come. */
static bool wrapper_of(const struct function *f, struct site *s)
{
    const struct decl *d = f->decl;
    struct node *value = returned_value(f);
    *s = (struct site){.kind = SITE_CALL, .name = d->name};
    if (!value || d->weak || d->type->canon->flags & TYPE_VARIADIC ||
        !(d->type->canon->flags & TYPE_PROTOTYPE) || d->linkage != LINKAGE_INTERNAL)
        return false;
    for (uint32_t i = 0; i < f->param_count; i++) {
        struct decl *x = f->params[i];
        if (!bind(s, x, x->written ? x->written : x->type, NULL))
            return false;
    }
    return finish_site(s, value, d->type->canon->base);
}

bool relax_is_wrapper(const struct function *f)
{
    struct site s;
    return wrapper_of(f, &s);
}

/* Only the file is asked for: lang_place also counts lines. */
bool relax_is_own_place(const struct vary *v, const struct node *n)
{
    const struct program *p = v->p;
    uint32_t low = 0, high = p->marker_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->markers[middle].offset <= n->begin)
            low = middle + 1;
        else
            high = middle;
    }
    const struct line_marker *at = low ? &p->markers[low - 1] : NULL;
    return !at || !(at->system || (at->file && str_has_suffix(at->file, ".h")));
}

bool relax_is_own(const struct vary *v, const struct function *f)
{
    return f->body && f->body->id < v->node_count && v->function[f->body->id] &&
           !relax_is_wrapper(f) && relax_is_own_place(v, f->node);
}

/* The result's type as the definition writes it, when that is a plain name. */
static struct type *written_result(const struct function *f)
{
    struct type *t = f->node ? f->node->type : NULL;
    struct type *result = f->decl->type->canon->base;
    return t && t->kind == TYPE_TYPEDEF && t->canon->unqual == result->unqual ? t : result;
}

static bool is_call_site(struct node *n, struct site *s)
{
    const struct node *callee = vary_written(n->kid[0]);
    if (callee->kind != NODE_NAME || callee->u.decl->kind != DECL_FUNC || !callee->u.decl->body)
        return false;
    const struct function *f = callee->u.decl->body;
    if (n->count != f->param_count + 1 || !wrapper_of(f, s))
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        s->bindings[i].value = vary_written(n->kid[i + 1]);
    s->type = written_result(f);
    return true;
}

/* ---- statement expressions ---------------------------------------------------------------- */

static bool bind_declaration(struct site *s, const struct node *n)
{
    for (uint32_t i = 0; i < n->count; i++) {
        const struct node *d = n->kid[i];
        if (!d || d->kind != NODE_DECLARATOR || !d->count || !d->kid[0] ||
            d->kid[0]->kind == NODE_INIT || d->u.declarator->decl->is_static ||
            !bind(s, d->u.declarator->decl, d->u.declarator->type, d->kid[0]))
            return false;
    }
    return true;
}

/* A name that one operand binds must not be what another one means. */
static bool names_binding(const struct site *s, const struct node *n)
{
    if (n->kind == NODE_NAME && relax_is_bound(s, n->u.decl))
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && names_binding(s, n->kid[i]))
            return true;
    return false;
}

static bool operands_are_apart(const struct site *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (names_binding(s, s->bindings[i].value))
            return false;
    return true;
}

static bool is_block_site(struct node *n, struct site *s)
{
    const struct node *block = n->kid[0];
    *s = (struct site){.kind = SITE_BLOCK, .name = "({ ... })"};
    if (block->count < 2 || block->kid[block->count - 1]->kind != NODE_EXPR_STMT)
        return false;
    for (uint32_t i = 0; i + 1 < block->count; i++)
        if (block->kid[i]->kind != NODE_DECL || !bind_declaration(s, block->kid[i]))
            return false;
    return finish_site(s, block->kid[block->count - 1]->kid[0], n->type) && operands_are_apart(s);
}

/* ---- assignments, then a value ------------------------------------------------------------ */

static bool bind_assignments(struct site *s, struct node *n)
{
    n = vary_written(n);
    if (n->kind == NODE_BINARY && n->op == OP_COMMA)
        return bind_assignments(s, n->kid[0]) && bind_assignments(s, n->kid[1]);
    if (n->kind != NODE_ASSIGN || n->op != OP_ASSIGN || n->kid[0]->kind != NODE_NAME)
        return false;
    struct decl *d = n->kid[0]->u.decl;
    return d->kind == DECL_VAR && d->owner && !d->is_static &&
           bind(s, d, d->type->canon->unqual, n->kid[1]);
}

static bool are_its_own(const struct site *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const struct decl *d = s->bindings[i].decl;
        if (count_names(d->owner->body, d) != count_names(s->node, d))
            return false;
    }
    return true;
}

/* n is the cast that stands around the comma. */
static bool is_comma_site(struct node *n, struct site *s)
{
    struct node *comma = vary_written(n->kid[0]);
    *s = (struct site){.kind = SITE_COMMA, .name = "(x = a, ...)", .node = n};
    if (comma->kind != NODE_BINARY || comma->op != OP_COMMA || !bind_assignments(s, comma->kid[0]))
        return false;
    return finish_site(s, comma->kid[1], n->u.operand) && operands_are_apart(s) && are_its_own(s);
}

/* ---- all of them -------------------------------------------------------------------------- */

bool relax_is_site(struct node *n, struct site *s)
{
    switch (n->kind) {
    case NODE_CALL:
        return is_call_site(n, s);
    case NODE_STMT_EXPR:
        return is_block_site(n, s);
    case NODE_CAST:
        return !(n->flags & NODE_IMPLICIT) && is_comma_site(n, s);
    default:
        return false;
    }
}

static void look_for_sites(struct vary *v, struct arena *a, struct node *n, struct list *sites)
{
    struct site found;
    if (!(v->place[n->id] & PLACE_CONSTANT) && relax_is_site(n, &found) &&
        relax_means_the_same(v, &found, n)) {
        struct site *s = NEW(a, struct site);
        *s = found;
        s->node = n;
        list_add(a, sites, s);
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            look_for_sites(v, a, n->kid[i], sites);
}

void relax_find_sites(struct vary *v, struct arena *a, struct list *sites)
{
    for (size_t i = 0; i < v->p->functions.n; i++) {
        const struct function *f = v->p->functions.at[i];
        if (relax_is_own(v, f))
            look_for_sites(v, a, f->body, sites);
    }
}
