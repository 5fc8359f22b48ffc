/* A machine from its units to the end of main. */
#include "machine/lib/lib.h"
#include "machine/native/native.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    STACK_BYTES = 1 << 29,
    LEAST_FRAME = 96, /* bytes that an unoptimised call takes */
    TANK = 1 << 22,   /* fuel between two looks at whether to stop */
};

static const struct machine_options defaults = {
    .fuel = (uint64_t)1 << 29,
    .memory = (uint64_t)1 << 30,
    .output = (uint64_t)1 << 24,
    .depth = 200000,
    .heat = 1000,
    .name = "a.out",
};

static void apply_defaults(struct machine_options *o)
{
    o->fuel = o->fuel ? o->fuel : defaults.fuel;
    o->memory = o->memory ? o->memory : defaults.memory;
    o->output = o->output ? o->output : defaults.output;
    o->depth = o->depth ? o->depth : defaults.depth;
    o->heat = o->heat ? o->heat : defaults.heat;
    o->name = o->name ? o->name : defaults.name;
    if (o->stack && o->depth > o->stack / LEAST_FRAME)
        o->depth = (uint32_t)(o->stack / LEAST_FRAME);
}

static void unit_start(struct machine *m, struct unit_state *u, const struct machine_unit *from)
{
    u->p = from->program;
    u->edits = from->edit_count ? from->edits : NULL;
    u->edit_count = from->edit_count;
    link_grow(m, u);
    for (size_t i = 0; i < u->edit_count; i++) {
        const struct edit *e = &u->edits[i];
        if (e->kind == EDIT_REPLACE)
            u->edited[e->node] = e->with;
        if (e->kind == EDIT_INSERT)
            u->inserts = u->inserted[e->node] = true;
        if (e->kind == EDIT_DROP)
            u->dropped[e->node] = true;
    }
}

bool machine_refuel(struct machine *m)
{
    bool stop = m->options.stop && m->options.stop();
    if (stop || m->fuel_left == 0) {
        machine_stop(m, MACHINE_FUEL, stop ? "interrupted" : "out of fuel");
        return false;
    }
    uint64_t portion = m->fuel_left < TANK ? m->fuel_left : TANK;
    m->fuel_left -= portion;
    m->fuel = portion - 1; /* what it was asked for is spent */
    return true;
}

struct machine *machine_new(const struct machine_unit *units, size_t n,
                            const struct machine_options *options)
{
    struct machine *m = calloc(1, sizeof *m);
    if (!m)
        BUG("out of memory");
    if (options)
        m->options = *options;
    apply_defaults(&m->options);
    m->target = units[0].program->target;
    m->swapped = !m->target->little_endian;
    m->fuel_left = m->options.fuel;
    m->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m->stack == MAP_FAILED)
        BUG("no address space for the stack");
    uint64_t stack = m->options.stack && m->options.stack < STACK_BYTES ? m->options.stack
                                                                        : STACK_BYTES;
    m->stack_end = m->stack + stack / sizeof *m->stack;
    if (m->options.elsewhere || m->options.choices >> CHOICE_ADDRESS & 1)
        m->memory.layout = (uint8_t)(1 + m->options.way);
    m->memory.reuse = m->options.choices >> CHOICE_REUSE & 1;
    memory_start(&m->memory, units[0].program->target, m->options.memory);
    m->fact_room = m->fact_count = 1; /* the first one is nobody's */
    m->facts = calloc(1, sizeof *m->facts);
    m->count_room = 64;
    m->count_count = 1;
    m->counts = calloc(64, sizeof *m->counts);
    m->region_parent = calloc(64, sizeof *m->region_parent);
    m->region_order = calloc(64, sizeof *m->region_order);
    m->frame_room = 64;
    m->frames = calloc(64, sizeof *m->frames);
    if (!m->facts || !m->counts || !m->frames || !m->region_parent || !m->region_order)
        BUG("out of memory");
    m->init_func.name = "(initialiser)";
    static struct code nothing;
    m->frames[0].code = NEW(&m->arena, struct code);
    *m->frames[0].code = nothing;
    m->frames[0].code->func = &m->init_func;
    m->frames[0].r = m->stack;
    m->unit_count = (uint32_t)n;
    m->units = NEW_ARRAY(&m->arena, n, struct unit_state);
    for (uint32_t i = 0; i < m->unit_count; i++) {
        m->units[i].index = i;
        unit_start(m, &m->units[i], &units[i]);
    }
    lib_start(m);
    return m;
}

void machine_free(struct machine *m)
{
    if (!m)
        return;
    lib_end(m);
    jump_end(m);
    native_end(m);
    for (uint32_t i = 0; i <= m->depth; i++)
        if (m->frames[i].watch)
            restrict_end(m, &m->frames[i]);
    memory_end(&m->memory);
    text_free(&m->result.output);
    text_free(&m->result.errors);
    free(m->facts);
    free(m->counts);
    free(m->region_parent);
    free(m->region_order);
    free(m->frames);
    free(m->cursors);
    pure_free(m);
    free(m->seq.log);
    free(m->seq.marks);
    free(m->conflicts);
    free(m->volatiles);
    free(m->cuts);
    munmap(m->stack, STACK_BYTES);
    arena_free(&m->arena);
    free(m);
}

/* ---- main ------------------------------------------------------------------------------- */

static bool mentions(const struct unit_state *u, const struct node *n, const struct decl *d)
{
    n = edited_node(u, n);
    if (n->kind == NODE_NAME && n->u.decl == d)
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && mentions(u, n->kid[i], d))
            return true;
    return false;
}

/* C11 5.1.2.2.1p1: an int, and pointers.  What is in a parameter of another type is anyone's guess:
 * half of an address, or what lay in a register. */
static bool takes_what_is_given(struct machine *m, const struct func *f)
{
    for (uint32_t i = 0; i < f->body->param_count; i++) {
        const struct decl *d = f->body->params[i];
        bool fits = i ? lang_is_kind(d->type, TYPE_POINTER)
                      : lang_is_integer(d->type) &&
                            lang_sizeof(m->units[f->unit].p, d->type) == m->target->int_.size;
        if (fits || !mentions(&m->units[f->unit], f->body->body, d))
            continue;
        machine_unspecified(m, f->unit, f->decl->node, "what main gets as '%s'", d->name);
        return false;
    }
    return true;
}

/* main may take nothing, or argc and argv, or envp too as compilers allow. */
static bool call_main(struct machine *m, struct func *f, uint64_t *status)
{
    uint64_t args[3] = {0, 0, 0};
    int argc = 0;
    if (f->body->param_count > 3) {
        machine_stop(m, MACHINE_UNLINKED, "main takes %u parameters", f->body->param_count);
        return false;
    }
    if (!takes_what_is_given(m, f))
        return false;
    if (!lib_arguments(m, &argc, &args[1], &args[2]))
        return false;
    args[0] = (uint64_t)argc;
    struct call_site *site = NEW(&m->arena, struct call_site);
    site->unit = f->unit;
    site->count = f->body->param_count;
    site->function = f->decl->type->canon;
    site->result = site->function->base;
    static const uint32_t slots[3] = {4, 5, 6};
    site->slot = (uint32_t *)(uintptr_t)slots;
    site->types = NEW_ARRAY(&m->arena, 3, const struct type *);
    for (uint32_t i = 0; i < site->count; i++)
        site->types[i] = f->body->params[i]->type;
    site->used = lang_is_integer(site->result);
    struct callback c = exec_prepare(m, f, site);
    return exec_callback(m, &c, args, status);
}

/* C11 5.1.2.2.3p1: what main returns that is no int, or nothing, gives no status that is known.  Of
 * other integers, everybody takes the lowest byte. */
static void finish(struct machine *m, const struct func *main)
{
    if (m->ended)
        return;
    if (!lang_is_integer(main->decl->type->canon->base)) {
        machine_unspecified(m, main->unit, main->decl->node,
                            "main returns, but not an int: the exit status");
        return;
    }
    m->ended = true;
    m->result.end = MACHINE_FINISHED;
}

/* Every call that is active was cut short: what stands behind it did not run. */
static void note_cuts(struct machine *m)
{
    for (uint32_t i = 1; i <= m->depth; i++)
        jump_count(m, m->frames[i].site, 1);
    jump_count(m, m->exit_site, 1);
}

const struct machine_result *machine_run(struct machine *m)
{
    struct func *f = link_start(m) ? link_main(m) : NULL;
    uint64_t status = 0;
    if (f)
        link_run_constructors(m);
    if (f && !m->ended && call_main(m, f, &status)) {
        m->result.status = (int)(status & 0xff);
        lib_at_exit(m);
        finish(m, f);
    }
    note_cuts(m);
    m->result.steps = m->options.fuel - m->fuel_left - (m->fuel > TANK ? 0 : m->fuel);
    m->result.peak = m->memory.peak;
    return &m->result;
}

const struct machine_result *machine_result(const struct machine *m)
{
    return &m->result;
}

bool machine_is_other(const struct machine *m)
{
    const struct machine_options *o = &m->options;
    return o->order.place.node || o->order.drawn || o->choices || o->elsewhere;
}
