/* A program from a seed, start to end. */
#include "gen/state.h"
#include "gen/unit.h"
#include "gen/build.h"
#include "gen/run/run.h"
#include "gen/safe/safe.h"
#include "gen/make/make.h"
#include "gen/shape/shape.h"
#include "gen/dead/dead.h"

#include <stdlib.h>

/* What main may take: room for long loops in small programs, and more for each statement. */
enum { STEPS = 6000, STEPS_PER_STATEMENT = 50 };

static const struct statement statements[] = {
#define STMT(stage, name, where, least, otherwise, ...) \
    [GEN_stmt_##name] = {stage##_stmt_##name, WHERE_##where, least, GEN_stmt_##otherwise},
#include "gen/policy.def"
};

const struct gen_hooks gen_hooks = {
    .next = make_stmt_next,
    .fill = make_fill_hole,
    .guard = safe_guard,
    .global = make_global_of_type,
    .small_function = shape_small_function,
    .statements = statements,
};

static struct fn *define_main(struct gen *g)
{
    struct fn *fn = NEW(&g->arena, struct fn);
    struct type *t = lang_function(g->p, lang_basic(g->p, TYPE_INT), NULL, 0, TYPE_PROTOTYPE);
    fn->decl = lang_decl_new(g->p, DECL_FUNC, "main", t);
    fn->decl->linkage = LINKAGE_EXTERNAL;
    fn->class = CLASS_FULL;
    fn->active = 1;
    fn->allowance = STEPS + (uint64_t)g->o->size * STEPS_PER_STATEMENT;
    fn->function = lang_define(g->p, fn->decl, NULL, 0);
    gen_about(g, fn->decl)->fn = fn;
    list_add(&g->arena, &g->functions, fn);
    return fn;
}

static struct region *open_main(struct gen *g, struct fn *fn)
{
    struct rng draw = rng_fork(&g->rng, "main");
    struct region outer = {.fn = fn, .context = (uint16_t)gen_pick(g, &draw, GEN_GROUP_context)};
    struct region *r = make_region(g, &outer, UINT32_MAX);
    r->block = fn->function->body;
    gen_set_region(g, r->block, r);
    r->nesting = 0;
    return r;
}

/* g ^= zero, where zero is volatile: the compiler no longer knows g. */
static void hide_values(struct gen *g, struct region *r)
{
    if (g->opaque.n == 0)
        return;
    struct type *t = lang_qualified(g->p, lang_basic(g->p, TYPE_INT), QUAL_VOLATILE);
    struct decl *d = lang_decl_new(g->p, DECL_VAR, "zero", t);
    d->is_static = true;
    d->linkage = LINKAGE_EXTERNAL;
    gen_about(g, d)->object = run_mem_new(g, t, d);
    run_mem_zero(gen_about(g, d)->object);
    list_add(&g->arena, &g->early, lang_declare(g->p, d, NULL));
    for (size_t i = 0; i < g->opaque.n; i++) {
        struct var *v = g->opaque.at[i];
        struct node *n = lang_assign(g->p, OP_XOR, lang_name(g->p, v->decl), lang_name(g->p, d));
        make_attach(g, r, lang_expr_stmt(g->p, n));
    }
}

static void start(struct gen *g, const struct gen_options *o, struct text *out)
{
    g->p = lang_program_new(o->target);
    g->o = o;
    g->hooks = &gen_hooks;
    g->out = out;
    g->rng = rng_seed(o->seed);
    g->constants = rng_fork(&g->rng, "repairs");
    g->budget = o->size;
    gen_policy_draw(g);
}

/* Functions that nothing calls, or only what never runs. */
static void dead_functions(struct gen *g, struct region *r)
{
    struct ctx c = make_ctx_start(g, r);
    struct rng draw = rng_fork(&g->rng, "dead functions");
    for (uint64_t n = rng_below(&draw, 5); n > 0 && gen_chance(g, &draw, GEN_share_dead); n--)
        make_fn_new(g, &c, CLASS_FULL, false);
}

/* if (sum >> n & 1) ...: a function that is always undefined takes nothing else with it. */
static void call_perhaps(struct gen *g, struct region *r, struct node *call, uint32_t n)
{
    struct node *sum = lang_rvalue(g->p, lang_name(g->p, g->sum_decl));
    struct node *bit = build_op(g, OP_AND, build_op(g, OP_SHR, sum, build_int(g, n % 64)),
                                build_int(g, 1));
    struct node *block = lang_node(g->p, NODE_BLOCK, NULL, 0);
    if (lang_is_arithmetic(call->type))
        make_sum(g, r, block, call);
    else
        lang_append(g->p, block, lang_expr_stmt(g->p, call));
    make_attach(g, r, build_if(g, bit, block, NULL));
}

/* A program that is compiled and never run: the rules of live code are lifted from all of it.
 * main calls every function and prints a sum of all globals, so that nothing is dropped before the
 * optimiser proper has seen it. */
static void never_run(struct gen *g, struct region *r)
{
    static const uint8_t classes[] = {CLASS_FULL, CLASS_FULL, CLASS_READS, CLASS_LOCAL};
    struct ctx c = make_ctx_start(g, r);
    for (uint32_t n = gen_setting(g, GEN_count_functions); n > 0; n--) {
        struct fn *fn = n % 4 == 3 && gen_setting(g, GEN_share_helper)
                            ? shape_small_function(g)
                            : make_fn_new(g, &c, classes[n % 4], false);
        call_perhaps(g, r, dead_call_of(g, r, fn), n);
    }
    gen_unit_show(g, r);
    r->open = false;
}

static void write_program(struct gen *g, struct generated *out)
{
    make_types_start(g);
    gen_unit_start(g);
    struct fn *main_fn = define_main(g);
    make_globals_start(g);
    struct region *r = open_main(g, main_fn);
    g->running = main_fn;
    if (g->o->mode == GEN_CRASH) {
        never_run(g, r);
    } else {
        hide_values(g, r);
        run_exec_block(g, r->block);
        gen_unit_checksum(g, r);
        dead_functions(g, r);
    }
    dead_fill(g);
    make_fn_keep_promises(g);
    gen_unit_assemble(g);
    out->macros = safe_macros(g, &out->macro_count, &out->definitions);
    g->counts.steps = g->steps;
    out->program = g->p;
    out->policy = g->policy;
    out->counts = g->counts;
}

/* What outlives giving up must not be a local variable that has changed since (C11 7.13.2.1p3). */
struct work {
    struct gen g;
    struct gen_options own;
    struct generated out;
};

struct generated gen_program(const struct gen_options *o)
{
    struct work *w = calloc(1, sizeof *w);
    if (!w)
        BUG("out of memory");
    w->own = *o;
    if (o->target->pointer.size < 8) /* nor do its compilers have it */
        w->own.features &= ~(UINT64_C(1) << GEN_HAS_INT128);
    if (!o->target->plain_floats)
        w->own.features &= ~(UINT64_C(1) << GEN_HAS_FLOAT | UINT64_C(1) << GEN_HAS_EXTENDED);
    if (o->target->ldouble_format != FLOAT_X87)
        w->own.features &= ~(UINT64_C(1) << GEN_HAS_EXTENDED);
    start(&w->g, &w->own, &w->out.expect);
    if (setjmp(w->g.given_up) == 0) {
        write_program(&w->g, &w->out);
    } else {
        w->out.program = w->g.p;
        gen_free(&w->out);
    }
    struct generated out = w->out;
    arena_free(&w->g.arena);
    free(w);
    return out;
}

void gen_free(struct generated *g)
{
    lang_program_free(g->program);
    text_free(&g->expect);
    text_free(&g->definitions);
    *g = (struct generated){0};
}

void gen_print(const struct generated *g, struct text *out)
{
    text_add(out, text_str(&g->definitions), g->definitions.n);
    lang_print(g->program, g->macros, g->macro_count, out);
}

/* ---- three files ------------------------------------------------------------------------ */

static void print_line(const struct generated *g, const struct node *n, struct text *out)
{
    lang_print_edited(g->program, n, g->macros, g->macro_count, out);
    text_putc(out, '\n');
}

/* Types, prototypes, extern declarations and static functions go into the header, variables and
 * main into the driver, the rest is the test. */
static void place_node(const struct generated *g, const struct node *n, struct gen_split *out)
{
    if (n->kind == NODE_FUNCTION) {
        const struct decl *d = n->u.function->decl;
        bool is_main = d->name[0] == 'm' && d->name[1] == 'a' && d->name[2] == 'i';
        bool own = d->storage == STORAGE_STATIC;
        print_line(g, n, own ? &out->header : is_main ? &out->driver : &out->test);
        return;
    }
    const struct node *declarator = n->count ? n->kid[0] : NULL;
    const struct decl *d = declarator ? declarator->u.declarator->decl : NULL;
    if (!d || d->kind != DECL_VAR) {
        print_line(g, n, &out->header);
        return;
    }
    text_puts(&out->header, "extern ");
    lang_print_type(g->program, d->type, d->name, &out->header);
    text_puts(&out->header, ";\n");
    print_line(g, n, &out->driver);
}

void gen_print_split(const struct generated *g, const char *header_name, struct gen_split *out)
{
    text_printf(&out->test, "#include \"%s\"\n", header_name);
    text_printf(&out->driver, "#include \"%s\"\n", header_name);
    text_add(&out->header, text_str(&g->definitions), g->definitions.n);
    for (uint32_t i = 0; i < g->program->unit->count; i++)
        place_node(g, g->program->unit->kid[i], out);
}
