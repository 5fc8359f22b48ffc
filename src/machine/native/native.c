/* Hot code as instructions of the host: x86-64 only, everything else stays interpreted.
 *
 * Takes a function's struct insn, yields bytes that do exactly the same to the same slots, objects,
 * counters and facts: see native.h for who writes what.  Here is what concerns a function as a
 * whole: where it can be entered, what is written behind it, and running it.  What is hot is
 * decided by native_warm, in private.h. */
#include "machine/native/private.h"

#include <string.h>
#include <sys/mman.h>

#ifdef __x86_64__
enum { HOST_FITS = 1 };
#else
enum { HOST_FITS = 0 };
#endif

const uint8_t *native_entry(const struct code *code, const struct insn *pc)
{
    const struct native *n = code->native;
    uint64_t i = (uint64_t)(pc - code->insn);
    return n && i < n->count && n->entry[i] ? n->map + n->entry[i] : NULL;
}

/* ---- writing one function --------------------------------------------------------------- */

static bool jumps(const struct insn *i)
{
    rule_fn *f = native_rules[i->op].write;
    return f == rule_jump || f == rule_back || f == rule_branch || f == rule_branch_if;
}

static void find_leaders(struct writer *w)
{
    const struct code *code = w->code;
    w->leader[1] = true;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct insn *at = &code->insn[i];
        if (jumps(at))
            w->leader[(int64_t)i + at->k + 1] = true;
        rule_fn *f = native_rules[at->op].write;
        if (f == rule_flow || f == rule_call)
            w->leader[i + 1] = true;
        if (at->op != I_SWITCH && at->op != I_SWITCH_PAIR)
            continue;
        const struct switch_table *t = at->u.table;
        w->leader[(int64_t)i + t->otherwise + 1] = true;
        for (uint32_t k = 0; k < t->count; k++)
            w->leader[(int64_t)i + t->target[k] + 1] = true;
    }
    for (size_t i = 0; code->labels && code->func->body && i < code->func->body->labels.n; i++)
        w->leader[code->labels[i]] = true;
}

static void write_insn(struct writer *w, uint32_t i)
{
    const struct insn *at = &w->code->insn[i];
    w->insn = i;
    w->now = NULL;
    w->native->entry[i] = 0;
    if (w->leader[i]) {
        native_forget(w);
        w->native->entry[i] = (uint32_t)(w->x->at - w->native->map);
    }
    const struct rule *rule = &native_rules[at->op];
    if (rule->write)
        rule->write(w, at, rule);
    else
        native_step(w);
    if (w->now) {
        w->now->back = w->x->at;
        w->now->slot = w->cached;
    }
}

static void write_trouble(struct writer *w, const struct trouble *t)
{
    const struct insn *i = &w->code->insn[t->insn];
    const int64_t fact = (int64_t)i->fact * (int64_t)sizeof(struct fact);
    for (uint8_t k = 0; k < t->count; k++)
        x86_land(w->x, t->from[k], w->x->at);
    w->insn = t->insn;
    switch ((enum trouble_kind)t->kind) {
    case TROUBLE_LOW:
        x86_memory(w->x, WIDE | STORE, RAX, R13, fact + (int64_t)offsetof(struct fact, low));
        break;
    case TROUBLE_HIGH:
        x86_memory(w->x, WIDE | STORE, RAX, R13, fact + (int64_t)offsetof(struct fact, high));
        break;
    case TROUBLE_FUEL:
        x86_memory_constant(w->x, WIDE | ADD, R12, offsetof(struct machine, fuel), 1);
        rule_quit(w, i, NULL);
        return;
    case TROUBLE_STEP:
        native_step(w);
        if (t->slot != NO_SLOT)
            native_load(w, RAX, t->slot);
        break;
    }
    x86_land(w->x, x86_jump(w->x), t->back);
}

static void write_code(struct writer *w)
{
    const struct code *code = w->code;
    struct native *n = w->native;
    find_leaders(w);
    native_write_ends(w);
    uint8_t **start = NEW_ARRAY(&w->m->arena, code->count + 1, uint8_t *);
    for (uint32_t i = 0; i < code->count && !w->x->full; i++) {
        start[i] = w->x->at;
        write_insn(w, i);
    }
    rule_quit(w, NULL, NULL); /* nothing falls off the end, but if it did */
    for (size_t i = 0; i < w->trouble_count && !w->x->full; i++)
        write_trouble(w, &w->troubles[i]);
    for (size_t i = 0; i < w->aim_count && !w->x->full; i++)
        x86_land(w->x, w->aims[i].at, start[w->aims[i].target]);
    n->count = code->count;
    n->enter = n->map + n->entry[1];
}

/* ---- the whole -------------------------------------------------------------------------- */

enum { PAGE = 4096, BYTES_PER_INSN = 320 };

void native_compile(struct machine *m, struct code *code)
{
    if (!HOST_FITS || m->swapped)
        return;
    size_t size = (code->count * (size_t)BYTES_PER_INSN + 2 * PAGE) / PAGE * PAGE;
    struct native n = {.size = size, .older = m->native.all};
    n.map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    if (n.map == MAP_FAILED)
        return;
    n.entry = NEW_ARRAY(&m->arena, code->count, uint32_t);
    struct x86 x = {.at = n.map, .end = n.map + size};
    struct writer w = {.x = &x, .m = m, .code = code, .native = &n, .cached = NO_SLOT};
    w.leader = NEW_ARRAY(&m->arena, code->count + 1, bool);
    w.aims = NEW_ARRAY(&m->arena, code->count, struct aim);
    w.troubles = NEW_ARRAY(&m->arena, code->count * (size_t)3 + 1, struct trouble);
    write_code(&w);
    if (x.full || mprotect(n.map, size, PROT_READ | PROT_EXEC) != 0) {
        munmap(n.map, size);
        return;
    }
    code->native = NEW(&m->arena, struct native);
    *code->native = n;
    m->native.all = code->native;
}

/* Clang's UBSan reads a type's signature in front of every function that is called through a
 * pointer; what was written here has none. */
#if defined __clang__ && defined __has_attribute
#if __has_attribute(no_sanitize)
#define NO_SIGNATURE __attribute__((no_sanitize("function")))
#endif
#endif
#ifndef NO_SIGNATURE
#define NO_SIGNATURE
#endif

NO_SIGNATURE
const struct insn *native_run(struct machine *m, const struct insn *pc)
{
    typedef const struct insn *start_fn(struct machine * m, const uint8_t *at);
    const struct frame *f = &m->frames[m->depth];
    const struct native *n = f->code->native;
    const uint8_t *at = native_entry(f->code, pc);
    if (!at)
        return pc;
    m->native.r = f->r;
    m->native.first = f->code->insn;
    start_fn *start;
    memcpy(&start, &n->start, sizeof start);
    return start(m, at);
}

void native_end(struct machine *m)
{
    for (struct native *n = m->native.all; n; n = n->older)
        munmap(n->map, n->size);
}
