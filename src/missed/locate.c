/* Which assignment is it?  Each of a large program, alone, with those that it reads, and far behind
 * the known objects that it reads, becomes a function of one file, so that two compilations tell
 * which of them get code of different quality.
 * What is found so is looked at again as a program of its own: another function than main may be
 * compiled otherwise. */
#include "missed/private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_READ = 5, MOST_TRIED = 6 };

struct part {
    struct arith *program;
    double r;
};

/* ---- parts -------------------------------------------------------------------------------- */

/* The assignment of the variable; their number: it has none. */
static size_t assignment_of(const struct arith *p, const struct variable *v)
{
    size_t i = 0;
    while (i < p->assignments.n && ((struct assignment *)p->assignments.at[i])->to != v)
        i++;
    return i;
}

/* Keeps what assigns the variables that the term reads, while there is room. */
static void keep_read(const struct arith *p, const struct term *t, bool *kept, unsigned *room)
{
    if (t->kind == TERM_VARIABLE && t->variable->assigned && *room) {
        size_t i = assignment_of(p, t->variable);
        *room -= !kept[i];
        kept[i] = true;
    }
    for (unsigned i = 0; i < 2; i++)
        if (t->kid[i])
            keep_read(p, t->kid[i], kept, room);
}

/* Each takes the last one that it is about with others; NULL when that is nothing new. */
typedef struct arith *take_fn(const struct arith *p, size_t last);

static struct arith *take_alone(const struct arith *p, size_t last)
{
    struct arena a = {0};
    bool *kept = NEW_ARRAY(&a, p->assignments.n, bool);
    kept[last] = true;
    struct arith *part = arith_part(p->a, p, kept);
    arena_free(&a);
    return part;
}

/* With those that it needs, the nearest first. */
static struct arith *take_with_read(const struct arith *p, size_t last)
{
    struct arena a = {0};
    bool *kept = NEW_ARRAY(&a, p->assignments.n, bool);
    unsigned room = MOST_READ;
    kept[last] = true;
    for (size_t i = last + 1; i-- > 0 && room;)
        if (kept[i])
            keep_read(p, ((struct assignment *)p->assignments.at[i])->value, kept, &room);
    struct arith *part = room < MOST_READ ? arith_part(p->a, p, kept) : NULL;
    arena_free(&a);
    return part;
}

static struct arith *take_far(const struct arith *p, size_t last)
{
    struct arena a = {0};
    bool *late = NEW_ARRAY(&a, p->assignments.n, bool);
    late[last] = true;
    struct arith *part = arith_far_part(p->a, p, late);
    arena_free(&a);
    return part;
}

/* All of them at once: what little each shows may add up. */
static struct arith *take_all_far(const struct arith *p, size_t last)
{
    struct arena a = {0};
    bool *late = NEW_ARRAY(&a, p->assignments.n, bool);
    for (size_t i = 0; i < p->assignments.n; i++)
        late[i] = arith_reads_known(((struct assignment *)p->assignments.at[i])->value);
    struct arith *part = last ? NULL : arith_far_part(p->a, p, late);
    arena_free(&a);
    return part;
}

static void take_parts(const struct arith *p, take_fn *take, struct list *out)
{
    for (size_t i = 0; i < p->assignments.n; i++) {
        struct arith *program = take(p, i);
        if (!program)
            continue;
        struct part *part = NEW(p->a, struct part);
        *part = (struct part){.program = program, .r = 1};
        list_add(p->a, out, part);
    }
}

/* ---- which of them ------------------------------------------------------------------------ */

static const char *part_name(struct arena *a, size_t i)
{
    return arena_printf(a, ARITH_PART "%zu", i + 1);
}

static bool compile_parts(struct bench *b, const struct list *parts, const struct arith_form *form,
                          struct arena *a, struct missed_code *code, struct err *e)
{
    struct text t = {0};
    for (size_t i = 0; i < parts->n; i++) {
        struct arith_form numbered = *form;
        numbered.part = (unsigned)i + 1;
        arith_write(((struct part *)parts->at[i])->program, &numbered, &t);
    }
    bool ok = bench_compile(b, b->own, text_str(&t), a, code, e);
    text_free(&t);
    return ok;
}

static int by_r(const void *x, const void *y)
{
    const struct part *a = *(struct part *const *)x, *b = *(struct part *const *)y;
    return (a->r > b->r) - (a->r < b->r);
}

/* Sets r of those that differ, which then come first. */
static bool measure_parts(struct bench *b, struct list *parts, const struct arith_form *forms,
                          struct arena *a, struct err *e)
{
    struct missed_code whole[2];
    for (unsigned i = 0; i < 2; i++)
        if (!compile_parts(b, parts, &forms[i], a, &whole[i], e))
            return false;
    for (size_t i = 0; i < parts->n; i++) {
        struct part *part = parts->at[i];
        struct missed_code codes[2];
        for (unsigned k = 0; k < 2; k++)
            codes[k] = missed_read_code(a, b->own->isa, whole[k].whole, part_name(a, i));
        enum missed_side side = missed_worse_side(&codes[0], &codes[1], b->threshold);
        bool turned = side == MISSED_OPT;
        if (side != MISSED_NEITHER)
            part->r = missed_compare(&codes[turned], &codes[!turned]).r;
    }
    if (parts->n)
        qsort(parts->at, parts->n, sizeof *parts->at, by_r);
    return true;
}

/* ---- public ------------------------------------------------------------------------------- */

static bool locate(enum missed_oracle oracle, struct bench *b, struct arith *p, take_fn *take,
                   struct err *e, bool *found)
{
    struct arena a = {0};
    struct list parts = {0};
    struct sight s;
    take_parts(p, take, &parts);
    bool ok = !parts.n || measure_parts(b, &parts, oracle_twins(oracle), &a, e);
    for (size_t i = 0; ok && !*found && i < parts.n && i < MOST_TRIED; i++) {
        const struct part *part = parts.at[i];
        if (!(part->r < b->threshold))
            break;
        ok = oracle_look(oracle, b, part->program, &a, &s, e);
        *found = ok && s.seen;
        if (*found)
            *p = *part->program;
    }
    arena_free(&a);
    return ok;
}

bool sight_locate(enum missed_oracle oracle, struct bench *b, struct arith *p, bool *located,
                  struct err *e)
{
    static take_fn *const takes[] = {take_alone, take_with_read, take_far, take_all_far};
    bool ok = true;
    *located = !oracle_twins(oracle) || p->assignments.n < 2;
    for (size_t i = 0; ok && !*located && i < LENGTH(takes); i++)
        ok = locate(oracle, b, p, takes[i], e, located);
    return ok;
}
