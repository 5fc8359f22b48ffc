/* Calls of functions that are declared pure or const (gcc's manual, 6.33): what they touch.
 *
 * The call runs with every access logged (sequence.c).  Addresses are given out once, so what was
 * given out when the call begins was there before it: writing it, or, of a const function,
 * reading it where it may change, is seen by the callers that compilers drop.  So are accesses to
 * volatile objects, input, output, other state of the library, and not to return.  What a function
 * keeps for itself in static locals is its own affair, if nobody can see by it how often it was
 * called: that is a choice (CHOICE_CALLS).  Made the other way, each outermost call finds these
 * objects as the first one did, as if all calls before it had been left out. */
#include "machine/private.h"

#include <stdlib.h>
#include <string.h>

/* ---- calls that leave no trace ------------------------------------------------------------ */

/* A static local before a call. */
struct kept {
    struct object *object;
    uint8_t *bytes, *init; /* init: NULL, all of it is set */
};

/* Larger objects, and more than so much in all, stay as the calls leave them. */
enum { LARGEST = 1 << 16, MOST_BYTES = 1 << 30 };

static uint8_t *copy(const uint8_t *bytes, size_t n)
{
    uint8_t *c = malloc(n ? n : 1);
    if (!c)
        BUG("out of memory");
    return memcpy(c, bytes, n);
}

void pure_free(struct machine *m)
{
    struct keeping *k = &m->keeping;
    for (size_t i = 0; i < k->count; i++) {
        free(k->all[i].bytes);
        free(k->all[i].init);
    }
    free(k->all);
    k->all = NULL;
    k->count = k->room = 0;
    k->depth = 0;
}

static bool is_keeping(const struct machine *m)
{
    const struct keeping *k = &m->keeping;
    return k->depth && k->depth <= m->depth && m->frames[k->depth].serial == k->serial;
}

void pure_keep(struct machine *m, struct object *o)
{
    struct keeping *k = &m->keeping;
    if (!is_keeping(m) || !o->home || o->is_const == CONST_ALL || o->size > LARGEST ||
        k->bytes > MOST_BYTES)
        return;
    if (k->count == k->room) {
        k->room = k->room ? k->room * 2 : 8;
        k->all = realloc(k->all, k->room * sizeof *k->all);
        if (!k->all)
            BUG("out of memory");
    }
    k->bytes += o->size;
    k->all[k->count++] = (struct kept){o, copy(o->bytes, o->size),
                                       o->init ? copy(o->init, o->size) : NULL};
}

/* The function on top, if no other that promised is active. */
static void keep_all(struct machine *m)
{
    if (is_keeping(m))
        return;
    pure_free(m);
    m->keeping.depth = m->depth;
    m->keeping.serial = m->frames[m->depth].serial;
    for (size_t i = 0; i < m->homely.n; i++)
        pure_keep(m, m->homely.at[i]);
}

static void put_back(struct machine *m)
{
    for (size_t i = 0; i < m->keeping.count; i++) {
        const struct kept *k = &m->keeping.all[i];
        memcpy(k->object->bytes, k->bytes, k->object->size);
        if (k->init && k->object->init)
            memcpy(k->object->init, k->init, k->object->size);
    }
    pure_free(m);
}

uint64_t pure_begin(struct machine *m)
{
    seq_mark(m);
    if (m->options.choices >> CHOICE_CALLS & 1)
        keep_all(m);
    return m->memory.next;
}

/* ---- what they touch ---------------------------------------------------------------------- */

/* Is it a static local of the function on top, or of one that it called?  A caller's is not. */
static bool is_own(const struct machine *m, const struct object *o)
{
    const struct function *f = m->frames[m->depth].code->func->body;
    for (uint32_t i = 1; i < m->depth; i++)
        if (m->frames[i].code->func->body == o->home && o->home != f)
            return false;
    return o->home;
}

/* What a call did that a caller can see, and was not to; NULL: nothing that is certain. */
static const char *breach(struct machine *m, const struct touch *t, uint64_t before, bool is_const)
{
    if (!memory_was_given(&m->memory, t->address / 8, before))
        return NULL;
    const struct object *o = memory_find(&m->memory, t->address / 8);
    if (!o || o->kind == OBJECT_TEMPORARY) /* an argument, or where the result goes */
        return NULL;
    if (t->is_volatile) /* C11 5.1.2.3p2: whoever it belongs to */
        return t->write ? "writes the volatile" : "reads the volatile";
    if (o->kind == OBJECT_LIBRARY) /* streams and other state; errno may be lost */
        return t->write && strcmp(o->name, "errno") != 0 ? "uses" : NULL;
    if (is_own(m, o)) {
        if (t->write)
            machine_choose(m, CHOICE_CALLS, t->unit, m->units[t->unit].p->nodes[t->node]);
        return NULL;
    }
    if (!t->write && !is_const)
        return NULL;
    if (t->write)
        return "writes";
    return o->kind != OBJECT_STRING && o->is_const != CONST_ALL ? "reads" : NULL;
}

static const char *promised(const struct func *f)
{
    return f->purity == PROMISE_CONST ? "const" : "pure";
}

/* From i on in the log: what is to be looked at.  A function that this one called, and that has
 * kept the same promise, did nothing that it may not do either. */
static size_t next_touch(const struct machine *m, const struct func *f, size_t i)
{
    return m->seq.done_promise >= f->purity ? seq_skip_done(&m->seq, i) : i;
}

/* Since the last mark. */
static bool check(struct machine *m, uint64_t before)
{
    const struct sequence *s = &m->seq;
    const struct func *f = m->frames[m->depth].code->func;
    size_t i = s->given_up ? s->count : s->marks[s->mark_count - 1];
    for (; (i = next_touch(m, f, i)) < s->count; i++) {
        const struct touch *t = &s->log[i];
        const char *what = breach(m, t, before, f->purity == PROMISE_CONST);
        if (!what)
            continue;
        machine_undefined(m, UB_PROMISE, t->unit, m->units[t->unit].p->nodes[t->node],
                          "'%s' is declared %s, and %s %s here", f->name, promised(f), what,
                          machine_describe(m, t->address / 8));
        return false;
    }
    return true;
}

bool pure_end(struct machine *m, uint64_t before)
{
    if (!check(m, before))
        return false;
    seq_end(m);
    if (is_keeping(m) && m->keeping.depth == m->depth)
        put_back(m);
    return true;
}

bool pure_may_leave(struct machine *m, const struct call_site *site)
{
    for (uint32_t i = 1; i <= m->depth; i++) {
        const struct func *f = m->frames[i].code->func;
        if (!f->purity)
            continue;
        machine_undefined(m, UB_PROMISE, site->unit, site->node,
                          "'%s' is declared %s, and ends the program", f->name, promised(f));
        return false;
    }
    return true;
}
