/* Passes on calls: by the function's body, without an argument. */
#include "reduce/private.h"

#include <string.h>

/* The bracket that opens the parameters of a declarator, or the arguments of a call, as a token
 * behind the name; false when there is none. */
static bool find_list(const struct pass *p, uint32_t name, uint32_t *open)
{
    const struct tokens *t = &p->v->tokens;
    uint32_t i = tokens_at(t, name) + 1;
    *open = i;
    return i < t->n && token_is(p->v->text, &t->at[i], "(") && t->at[i].match > i;
}

/* Is the function named for nothing but to be called? */
static bool is_only_called(const struct view *v, const struct decl *d)
{
    for (size_t i = 0; i < v->names[d->id].n; i++) {
        struct node *name = v->names[d->id].at[i], *up = view_up(v, name);
        if (!up || up->kind != NODE_CALL || view_written(up->kid[0]) != name)
            return false;
    }
    return true;
}

static bool is_main(const struct decl *d)
{
    return d->name && strcmp(d->name, "main") == 0;
}

/* ---- inlining --------------------------------------------------------------------------- */

/* The text [begin, end) with the parameters replaced by the call's arguments. */
static const char *with_arguments(struct pass *p, const struct function *f, const struct node *call,
                                  uint32_t begin, uint32_t end)
{
    struct text out = {0};
    struct arena *a = &p->h->arena;
    uint32_t at = begin;
    const struct tokens *t = &p->v->tokens;
    for (uint32_t i = tokens_at(t, begin); i < t->n && t->at[i].begin < end; i++)
        for (uint32_t k = 0; k < f->param_count && k + 1 < call->count; k++) {
            if (!f->params[k]->name || !token_is(p->v->text, &t->at[i], f->params[k]->name))
                continue;
            const struct node *arg = call->kid[k + 1];
            text_add(&out, p->v->text + at, t->at[i].begin - at);
            text_printf(&out, "(%.*s)", (int)(arg->end - arg->begin), p->v->text + arg->begin);
            at = t->at[i].end;
        }
    text_add(&out, p->v->text + at, end - at);
    char *copy = arena_copy(a, text_str(&out), out.n);
    text_free(&out);
    return copy;
}

/* A function that is one return: each call becomes its expression. */
static void offer_expression(struct pass *p, const struct function *f, const struct node *value)
{
    const struct list *names = &p->v->names[f->decl->id];
    pass_begin(p);
    pass_drop_function(p, f->decl);
    for (size_t i = 0; i < names->n; i++) {
        const struct node *call = view_up(p->v, names->at[i]);
        const char *text = with_arguments(p, f, call, value->begin, value->end);
        pass_replace(p, call, arena_printf(&p->h->arena, "(%s)", text));
    }
    pass_end(p);
}

/* The parameters as local variables, each with its argument. */
static void put_parameters(struct pass *p, const struct function *f, const struct node *call,
                           struct text *out)
{
    uint32_t open, begin, end;
    if (!find_list(p, f->decl->node->begin, &open))
        return;
    for (uint32_t k = 0; k < f->param_count && k + 1 < call->count; k++) {
        const struct node *arg = call->kid[k + 1];
        if (!pass_list_part(p, open, k, &begin, &end))
            continue;
        text_add(out, p->v->text + begin, end - begin);
        text_puts(out, " = ");
        text_add(out, p->v->text + arg->begin, arg->end - arg->begin);
        text_puts(out, "; ");
    }
}

/* The body in front of the statement that the call is in, and the result in the call's place. */
static void offer_body(struct pass *p, const struct function *f, const struct node *call,
                       bool by_names)
{
    const struct node *body = f->body, *last = body->count ? body->kid[body->count - 1] : NULL;
    struct node *statement = view_statement(p->v, (struct node *)call);
    const struct node *alone = view_alone(p->v, (struct node *)call);
    bool returns = last && last->kind == NODE_RETURN;
    struct text out = {0};
    if (!statement || statement->begin >= statement->end)
        return;
    text_puts(&out, statement->kind == NODE_DECL ? "" : "{ ");
    if (!by_names)
        put_parameters(p, f, call, &out);
    uint32_t begin = body->begin + 1, end = returns ? last->begin : body->end - 1;
    text_puts(&out, by_names ? with_arguments(p, f, call, begin, end)
                             : view_source(p->v, &p->h->arena, begin, end));
    if (!alone) {
        const struct node *value = returns ? last->kid[0] : NULL;
        text_add(&out, p->v->text + statement->begin, call->begin - statement->begin);
        text_printf(&out, "(%s)",
                    !value     ? "0"
                    : by_names ? with_arguments(p, f, call, value->begin, value->end)
                               : view_source(p->v, &p->h->arena, value->begin, value->end));
        text_add(&out, p->v->text + call->end, statement->end - call->end);
    }
    text_puts(&out, statement->kind == NODE_DECL ? "" : " }");
    pass_begin(p);
    pass_drop_function(p, f->decl);
    pass_replace(p, statement, text_str(&out));
    pass_end(p);
    text_free(&out);
}

void pass_INLINE(struct pass *p)
{
    const struct view *v = p->v;
    for (size_t i = 0; i < v->p->functions.n; i++) {
        const struct function *f = v->p->functions.at[i];
        const struct list *names = &v->names[f->decl->id];
        if (is_main(f->decl) || names->n == 0 || !is_only_called(v, f->decl))
            continue;
        const struct node *only = f->body->count == 1 ? f->body->kid[0] : NULL;
        if (only && only->kind == NODE_RETURN && only->kid[0])
            offer_expression(p, f, only->kid[0]);
        if (names->n == 1) {
            offer_body(p, f, view_up(v, names->at[0]), false);
            offer_body(p, f, view_up(v, names->at[0]), true);
        }
    }
}

/* ---- calls through pointers ------------------------------------------------------------- */

/* The function's type when the call goes through a pointer, else NULL. */
static const struct type *called_through_pointer(const struct node *call)
{
    const struct type *pointer = call->kid[0]->type->canon;
    const struct node *callee = view_written(call->kid[0]);
    bool named = callee->kind == NODE_NAME && callee->u.decl->kind == DECL_FUNC;
    if (named || pointer->kind != TYPE_POINTER || callee->begin >= callee->end)
        return NULL;
    const struct type *function = pointer->base->canon;
    return function->kind == TYPE_FUNCTION ? function : NULL;
}

/* Which one it is, a candidate tells: mostly few have the type. */
static void offer_direct(struct pass *p, const struct node *call, const struct type *type)
{
    enum { MOST = 4 };
    const struct view *v = p->v;
    unsigned offered = 0;
    for (size_t i = 0; i < v->p->functions.n && offered < MOST; i++) {
        const struct decl *d = ((const struct function *)v->p->functions.at[i])->decl;
        if (is_only_called(v, d) || !lang_compatible(v->p, d->type->canon, type))
            continue;
        pass_offer(p, view_written(call->kid[0]), d->name);
        offered++;
    }
}

void pass_DIRECT(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        const struct type *type = n->kind == NODE_CALL ? called_through_pointer(n) : NULL;
        if (type)
            offer_direct(p, n, type);
    }
}

/* ---- parameters ------------------------------------------------------------------------- */

/* Takes the k-th one away everywhere; what uses it gets the text, or the value that it had. */
static void offer_without(struct pass *p, const struct function *f, uint32_t k, const char *instead)
{
    const struct view *v = p->v;
    const struct list *names = &v->names[f->decl->id], *places = &v->places[f->decl->id];
    uint32_t open, begin, end;
    pass_begin(p);
    for (size_t i = 0; i < places->n; i++) {
        const struct node *n = places->at[i];
        if (find_list(p, n->begin, &open) && pass_list_part(p, open, k, &begin, &end))
            pass_drop_listed(p, begin, end);
    }
    for (size_t i = 0; i < names->n; i++) {
        const struct node *name = names->at[i];
        if (find_list(p, name->begin, &open) && pass_list_part(p, open, k, &begin, &end))
            pass_drop_listed(p, begin, end);
    }
    for (size_t i = 0; i < v->names[f->params[k]->id].n; i++) {
        struct node *use = v->names[f->params[k]->id].at[i];
        const char *known = subject_constant(p->s, v, use, &p->h->arena);
        pass_replace(p, use, instead ? instead : known ? known : "0");
    }
    pass_end(p);
}

static void offer_parameters(struct pass *p, const struct function *f)
{
    const struct view *v = p->v;
    const struct list *names = &v->names[f->decl->id];
    for (uint32_t k = f->param_count; k-- > 0;) {
        offer_without(p, f, k, NULL);
        const struct node *call = names->n ? view_up(v, names->at[0]) : NULL;
        if (!call || k + 1 >= call->count || !v->names[f->params[k]->id].n)
            continue;
        const struct node *arg = call->kid[k + 1];
        const char *text = view_source(v, &p->h->arena, arg->begin, arg->end);
        offer_without(p, f, k, arena_printf(&p->h->arena, "(%s)", text));
    }
}

/* Does an argument say what follows, as printf's does? */
static bool has_format(const struct node *call)
{
    for (uint32_t k = 1; k < call->count; k++) {
        const struct node *arg = view_written(call->kid[k]);
        if (arg->kind == NODE_STRING && memchr(arg->u.string->bytes, '%', arg->u.string->size))
            return true;
    }
    return false;
}

/* What a call gives to `...`. */
static void offer_variadic(struct pass *p, const struct node *call)
{
    const struct type *f = call->kid[0]->type->base;
    if (has_format(call))
        return;
    for (uint32_t k = call->count; f->flags & TYPE_VARIADIC && k-- > f->u.function->count + 1;) {
        const struct node *arg = view_written(call->kid[k]);
        pass_begin(p);
        if (arg->begin < arg->end)
            pass_drop_listed(p, arg->begin, arg->end);
        pass_end(p);
    }
}

/* A function that is declared, and nothing else: each parameter, and all of them. */
static void offer_declared(struct pass *p, const struct decl *d)
{
    const struct tokens *t = &p->v->tokens;
    uint32_t open, begin, end;
    for (size_t i = 0; i < p->v->places[d->id].n; i++) {
        const struct node *n = p->v->places[d->id].at[i];
        if (!find_list(p, n->begin, &open))
            continue;
        pass_begin(p);
        pass_patch(p, t->at[open].end, t->at[t->at[open].match].begin, "");
        pass_end(p);
        for (uint32_t k = 0; pass_list_part(p, open, k, &begin, &end); k++) {
            pass_begin(p);
            pass_drop_listed(p, begin, end);
            pass_end(p);
        }
    }
}

void pass_PARAMETERS(struct pass *p)
{
    const struct view *v = p->v;
    for (size_t i = 0; i < v->p->decls.n; i++) {
        const struct decl *d = v->p->decls.at[i];
        if (d->kind == DECL_FUNC && !d->body && v->names[d->id].n == 0)
            offer_declared(p, d);
    }
    for (size_t i = 0; i < v->order.n; i++) {
        const struct node *n = v->order.at[i];
        if (n->kind == NODE_CALL && lang_is_kind(n->kid[0]->type, TYPE_POINTER) &&
            lang_is_kind(n->kid[0]->type->base, TYPE_FUNCTION))
            offer_variadic(p, n);
    }
    for (size_t i = 0; i < v->p->functions.n; i++) {
        const struct function *f = v->p->functions.at[i];
        uint32_t open, begin, end;
        if (!f->decl->node || !find_list(p, f->decl->node->begin, &open))
            continue;
        if (f->param_count == 0 && pass_list_part(p, open, 0, &begin, &end)) {
            pass_begin(p);
            pass_patch(p, begin, end, "");
            pass_end(p);
        } else if (is_only_called(v, f->decl)) {
            offer_parameters(p, f);
        }
    }
}
