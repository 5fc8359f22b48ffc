/* Functions that are tried one by one: each with what it needs and its wrapper is a program, which
 * the machine executes on all inputs. */
#include "real/private.h"

#include "front/front.h"
#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 16, DRAWS = 4, FUEL = 300000, STEPS_PER_FUEL = 4 };

/* One file, and what was found in it. */
struct taking {
    struct program *p;
    const struct target *target;
    bool (*stop)(void);
    struct real_material *out;
    const struct function *roots[REAL_FUNCTIONS];
    size_t root_count;
};

/* ---- names ------------------------------------------------------------------------------ */

static bool is_mentioned(const struct program *p, const struct decl *d)
{
    const struct list *const lists[] = {&p->mentioned, &p->deallocators};
    for (size_t k = 0; k < LENGTH(lists); k++)
        for (size_t i = 0; i < lists[k]->n; i++)
            if (lists[k]->at[i] == d)
                return true;
    return false;
}

static bool is_defined_here(const struct decl *d)
{
    if (d->kind == DECL_FUNC)
        return d->body && strcmp(d->name, "main") != 0;
    return d->kind == DECL_VAR && d->name && !d->owner && d->linkage != LINKAGE_NONE &&
           d->storage != STORAGE_EXTERN;
}

/* typedef struct { ... } name: a wrapper needs a tag to name it by. */
static void tag_all(struct program *p)
{
    for (size_t i = 0; i < p->decls.n; i++) {
        const struct decl *d = p->decls.at[i];
        const struct type *t = d->type ? d->type->canon : NULL;
        if (d->kind == DECL_TYPEDEF && d->name && t && lang_is_record(t) && !t->u.record->tag &&
            t->u.record->complete)
            t->u.record->tag = arena_printf(&p->arena, "%s_%zu", d->name, i);
    }
}

/* What the file defines gets other names, which no generated program uses: functions and objects,
 * and the tags of structures. */
static void rename_all(struct program *p)
{
    tag_all(p);
    for (size_t i = 0; i < p->decls.n; i++) {
        struct decl *d = p->decls.at[i];
        if (is_defined_here(d) && !is_mentioned(p, d))
            d->name = arena_printf(&p->arena, "r_%s", d->name);
    }
    for (size_t i = 0; i < p->records.n; i++) {
        struct record *r = p->records.at[i];
        if (r->tag)
            r->tag = arena_printf(&p->arena, "r_%s", r->tag);
    }
}

/* ---- one function ------------------------------------------------------------------------ */

static bool is_root(void *context, const struct node *item)
{
    const struct taking *t = context;
    for (size_t i = 0; i < t->root_count; i++)
        if (t->roots[i]->node == item)
            return true;
    return false;
}

/* Does the declaration name it? */
static bool declares(const struct node *item, const char *name)
{
    for (uint32_t i = 0; item->kind == NODE_DECL && i < item->count; i++) {
        const struct node *d = item->kid[i];
        if (d && d->kind == NODE_DECLARATOR && d->u.declarator->decl->name &&
            strcmp(d->u.declarator->decl->name, name) == 0)
            return true;
    }
    return false;
}

/* Does a header of the system declare it?  Then a library has it, also where the project declares
 * it again. */
static bool is_library(const struct program *p, const char *name)
{
    for (uint32_t i = 0; i < p->unit->count; i++) {
        const struct node *item = p->unit->kid[i];
        if (declares(item, name) && lang_place(p, item->begin).system)
            return true;
    }
    return false;
}

/* Is it declared and used, and defined in another file of the project? */
static bool is_elsewhere(const struct taking *t, const struct decl *d)
{
    bool function = d->kind == DECL_FUNC && !d->body && !d->builtin &&
                    d->type->kind == TYPE_FUNCTION;
    bool object = d->kind == DECL_VAR && d->storage == STORAGE_EXTERN && !d->init;
    return (function || object) && d->used && !d->implicit && !is_library(t->p, d->name);
}

/* A call of a function that nothing declares: no program with it links. */
static bool is_undeclared(const struct decl *d)
{
    return d->kind == DECL_FUNC && d->used && !d->body && !d->builtin && d->implicit;
}

/* The type of a function, with names for its parameters. */
static struct type *with_names(struct program *p, const struct type *t)
{
    uint32_t n = t->u.function->count;
    struct decl **params = NEW_ARRAY(&p->arena, n ? n : 1, struct decl *);
    for (uint32_t i = 0; i < n; i++)
        params[i] = lang_decl_new(p, DECL_PARAM, arena_printf(&p->arena, "p%u", i),
                                  t->u.function->types[i]);
    return lang_function(p, t->base, params, n, t->flags);
}

/* int f(int p0) { __builtin_trap(); } and T v; for each of those: the program would not link
 * without them.  No input comes to the functions, or the machine says so. */
static bool put_stubs(const struct taking *t, struct text *out)
{
    bool ok = true;
    struct front_options options = {.target = t->target};
    struct unit u = front_parse(text_str(out), out->n, &options);
    struct program *p = u.program;
    for (size_t i = 0; u.error_count == 0 && i < p->decls.n; i++) {
        const struct decl *d = p->decls.at[i];
        ok = ok && !is_undeclared(d);
        if (!is_elsewhere(t, d))
            continue;
        bool object = d->kind == DECL_VAR;
        lang_print_type(p, object ? d->type : with_names(p, d->type->canon), d->name, out);
        text_puts(out, object ? ";\n" : "\n{\n    __builtin_trap();\n}\n\n");
    }
    lang_program_free(p);
    return ok;
}

/* The roots with what they need; false when that is not to be had. */
static bool print_needed(struct taking *t, struct text *out)
{
    size_t n;
    const struct edit *edits = lang_unneeded(t->p, is_root, t, &n);
    lang_print(t->p, edits, n, out);
    text_putc(out, '\n');
    return put_stubs(t, out);
}

/* A line of hexadecimal digits. */
static bool read_line(const char **at, uint64_t *value)
{
    char *end;
    if (!**at || !strchr("0123456789abcdef", **at))
        return false;
    *value = strtoull(*at, &end, 16);
    *at = end + 1;
    return *end == '\n';
}

/* A line for every input, and again from the last to the first, and nothing else: what the function
 * itself printed would stand there too.  Functions that remember are no use, nor those that always
 * give the same. */
static bool read_results(const struct text *output, struct real_function *f)
{
    const char *at = text_str(output);
    unsigned distinct = 0;
    uint64_t again;
    for (int i = 0; i < REAL_INPUTS; i++) {
        if (!read_line(&at, &f->results[i]))
            return false;
        distinct += i > 0 && f->results[i] != f->results[i - 1];
    }
    for (int i = REAL_INPUTS; i-- > 0;)
        if (!read_line(&at, &again) || again != f->results[i])
            return false;
    return *at == '\0' && distinct >= 2;
}

/* Executes the text, which has a main. */
static bool execute(const struct taking *t, const struct text *text, struct real_function *f)
{
    struct front_options options = {.target = t->target};
    struct machine_options limits = {.fuel = FUEL, .stop = t->stop, .steady = true};
    struct unit u = front_parse(text_str(text), text->n, &options);
    bool fit = u.error_count == 0;
    if (fit) {
        struct machine_unit unit = {u.program, NULL, 0};
        struct machine_execution x = machine_execute(&unit, 1, &limits);
        fit = x.defined && x.run->status == 0 && !x.run->errors.n &&
              read_results(&x.run->output, f);
        f->cost = 8 + x.run->steps * STEPS_PER_FUEL / (2 * REAL_INPUTS);
        machine_execution_free(&x);
    }
    lang_program_free(u.program);
    return fit;
}

/* Is the function, called by this wrapper, defined on all inputs? */
static bool is_defined(struct taking *t, const struct text *needs, const struct text *wrapper,
                       struct real_function *f)
{
    struct text whole = {0};
    text_add(&whole, text_str(needs), needs->n);
    text_add(&whole, text_str(wrapper), wrapper->n);
    text_printf(&whole,
                "int printf(const char *, ...);\nint main(void)\n{\n"
                "    for (unsigned x = 0; x < %d; x++)\n"
                "        printf(\"%%llx\\n\", %s(x));\n"
                "    for (unsigned x = %d; x-- > 0;)\n"
                "        printf(\"%%llx\\n\", %s(x));\n    return 0;\n}\n",
                REAL_INPUTS, f->name, REAL_INPUTS, f->name);
    bool ok = execute(t, &whole, f);
    text_free(&whole);
    return ok;
}

/* Tries a few draws of arguments; adds the wrapper to the text when one will do. */
static bool try_function(struct taking *t, const struct function *f, struct rng *r,
                         struct text *wrappers)
{
    struct taking alone = {.p = t->p, .target = t->target, .stop = t->stop};
    struct text needs = {0};
    struct arena *a = &t->out->arena;
    struct real_function *made = &t->out->functions[t->out->n];
    bool ok = false;
    alone.roots[alone.root_count++] = f;
    bool whole = print_needed(&alone, &needs);
    *made = (struct real_function){.of = arena_string(a, f->decl->name + strlen("r_")),
                                   .name = arena_printf(a, "real_%zu", t->out->n)};
    for (int i = 0; i < DRAWS && whole && !ok; i++) {
        struct text wrapper = {0};
        real_write_wrapper(t->p, f, made->name, r, &wrapper);
        ok = is_defined(t, &needs, &wrapper, made);
        if (ok)
            text_add(wrappers, text_str(&wrapper), wrapper.n);
        text_free(&wrapper);
    }
    text_free(&needs);
    return ok;
}

/* ---- all --------------------------------------------------------------------------------- */

static void take_some(struct taking *t, struct list found, struct rng *r)
{
    struct text wrappers = {0};
    for (int i = 0; i < CANDIDATES && found.n && t->out->n < REAL_FUNCTIONS; i++) {
        size_t which = (size_t)rng_below(r, found.n);
        struct function *f = found.at[which];
        found.at[which] = found.at[--found.n];
        if (t->stop && t->stop())
            break;
        if (!try_function(t, f, r, &wrappers))
            continue;
        t->roots[t->root_count++] = f;
        t->out->n++;
    }
    if (t->out->n)
        print_needed(t, &t->out->code);
    text_add(&t->out->code, text_str(&wrappers), wrappers.n);
    text_free(&wrappers);
}

void real_take(const struct text *text, const struct target *target, uint64_t seed,
               bool (*stop)(void), struct real_material *out)
{
    struct front_options options = {.target = target};
    struct rng root = rng_seed(seed), r = rng_fork(&root, "real");
    *out = (struct real_material){0};
    struct unit u = front_parse(text_str(text), text->n, &options);
    if (u.error_count == 0) {
        struct taking t = {.p = u.program, .target = target, .stop = stop, .out = out};
        rename_all(u.program);
        take_some(&t, real_candidates(&out->arena, u.program), &r);
    }
    lang_program_free(u.program);
}

void real_free(struct real_material *m)
{
    text_free(&m->code);
    arena_free(&m->arena);
    *m = (struct real_material){0};
}
