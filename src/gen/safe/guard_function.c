/* Guards that are functions of the program: one per operator (or kind of check) and types. */
#include "gen/safe/private.h"

/* Functions that check, one per operator (or key) and types. */
struct guard_function {
    struct fn *fn;
    uint8_t key;
    struct type *t, *u;
};

static struct fn *find_guard(struct gen *g, unsigned key, struct type *t, struct type *u)
{
    for (size_t i = 0; i < g->guards.n; i++) {
        struct guard_function *f = g->guards.at[i];
        if (f->key == key && f->t == t && f->u == u)
            return f->fn;
    }
    return NULL;
}

static struct decl *param(struct gen *g, struct fn *fn, const char *name, struct type *t)
{
    struct decl *d = lang_decl_new(g->p, DECL_PARAM, name, t);
    list_add(&g->arena, &fn->vars, gen_var_new(g, d, NULL));
    return d;
}

/* static T name(T a[, U b]); its body is still to come. */
static struct fn *add_guard(struct gen *g, const char *name, struct guard_function key,
                            uint32_t count)
{
    struct fn *fn = NEW(&g->arena, struct fn);
    struct decl **params = NEW_ARRAY(&g->p->arena, 2, struct decl *);
    params[0] = param(g, fn, "a", count == 1 ? key.u : key.t);
    if (count == 2)
        params[1] = param(g, fn, "b", key.u);
    fn->decl = lang_decl_new(g->p, DECL_FUNC,
                             arena_printf(&g->p->arena, "safe_%s_%zu", name, g->guards.n),
                             lang_function(g->p, key.t, params, count, TYPE_PROTOTYPE));
    fn->decl->storage = STORAGE_STATIC;
    fn->decl->linkage = LINKAGE_INTERNAL;
    fn->class = CLASS_LOCAL;
    fn->function = lang_define(g->p, fn->decl, params, count);
    gen_about(g, fn->decl)->fn = fn;
    struct guard_function *f = NEW(&g->arena, struct guard_function);
    *f = key;
    f->fn = fn;
    list_add(&g->arena, &g->guards, f);
    return fn;
}

static void give_back(struct gen *g, struct fn *fn, struct node *n)
{
    struct node *back = lang_return(g->p, fn->function, n);
    if (!back)
        BUG("guard: %s", g->p->err.msg);
    lang_append(g->p, fn->function->body, back);
}

/* static T safe_add(T a, U b) { return unsafe ? a : a + b; } */
struct fn *safe_operator_function(struct gen *g, enum op op, struct type *t, struct type *u)
{
    struct fn *fn = find_guard(g, op, t, u);
    if (fn)
        return fn;
    fn = add_guard(g, safe_rows[op].name, (struct guard_function){NULL, (uint8_t)op, t, u}, 2);
    struct node *a = lang_rvalue(g->p, lang_name(g->p, fn->function->params[0]));
    struct node *b = lang_rvalue(g->p, lang_name(g->p, fn->function->params[1]));
    give_back(g, fn, safe_checked(g, op, a, b, t));
    return fn;
}

/* static T safe_name(U a) { return build(a); } called on the node. */
struct node *safe_through(struct gen *g, struct node *a, struct type *t, unsigned key,
                          value_fn *build)
{
    static const char *const names[] = {"int", "number", "nonzero", "not_least"};
    struct type *u = a->type->unqual;
    struct fn *fn = find_guard(g, key, t, u);
    if (!fn) {
        fn = add_guard(g, names[key - OP_COUNT], (struct guard_function){NULL, (uint8_t)key, t, u},
                       1);
        fn->number = key == KEY_NUMBER;
        give_back(g, fn, build(g, lang_rvalue(g->p, lang_name(g->p, fn->function->params[0])), t));
    }
    g->counts.guards++;
    return lang_call(g->p, lang_name(g->p, fn->decl), &a, 1);
}

struct function *safe_guard_function(const struct gen *g, size_t i)
{
    return ((const struct guard_function *)g->guards.at[i])->fn->function;
}
