/* Which assignment is it?  Each of a large program, alone, with those that it reads, and far after
 * the known objects that it reads, becomes a function of one file, so that two compilations tell
 * which of them get code of different quality, or in which of them a dead call is kept.
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

/* One of the two codes that an oracle compares. */
struct side {
    const struct missed_compiler *by;
    const struct arith_form *form;
};

static bool compile_parts(struct bench *b, const struct list *parts, const struct side *by,
                          struct arena *a, struct missed_code *code, struct err *e)
{
    struct text t = {0};
    for (size_t i = 0; i < parts->n; i++) {
        struct arith_form numbered = *by->form;
        numbered.part = (unsigned)i + 1;
        arith_write(((struct part *)parts->at[i])->program, &numbered, &t);
    }
    bool ok = bench_compile(b, by->by, text_str(&t), a, code, e);
    text_free(&t);
    return ok;
}

/* How much the two codes of a part differ, as r: 1 when they show nothing. */
typedef double differ_fn(const struct bench *b, const struct part *part,
                         const struct missed_code codes[2]);

static double differ_in_quality(const struct bench *b, const struct part *part,
                                const struct missed_code codes[2])
{
    (void)part;
    enum missed_side side = missed_worse_side(&codes[0], &codes[1], b->threshold);
    bool turned = side == MISSED_OPT;
    return side == MISSED_NEITHER ? 1 : missed_compare(&codes[turned], &codes[!turned]).r;
}

/* All or nothing: a call is there, or it is not. */
static double differ_in_calls(const struct bench *b, const struct part *part,
                              const struct missed_code codes[2])
{
    struct arena a = {0};
    struct text t = {0};
    (void)b;
    arith_write(part->program, &(struct arith_form){.dead = true}, &t);
    bool kept = codes[1].instructions &&
                marker_kept(&a, text_str(&t), codes[0].text, codes[1].text) != NULL;
    text_free(&t);
    arena_free(&a);
    return kept ? 0 : 1;
}

/* What an oracle compares; by NULL: it is not asked so. */
struct comparison {
    struct side sides[2];
    differ_fn *differ;
};

static struct comparison comparison_of(enum missed_oracle oracle, const struct bench *b)
{
    static const struct arith_form dead = {.dead = true};
    const struct arith_form *twins = oracle_twins(oracle);
    if (oracle == MISSED_DEAD)
        return (struct comparison){{{b->own, &dead}, {b->peer, &dead}}, differ_in_calls};
    if (twins)
        return (struct comparison){{{b->own, &twins[0]}, {b->own, &twins[1]}}, differ_in_quality};
    return (struct comparison){0};
}

static int by_r(const void *x, const void *y)
{
    const struct part *a = *(struct part *const *)x, *b = *(struct part *const *)y;
    return (a->r > b->r) - (a->r < b->r);
}

/* Sets r of those that differ, which then come first. */
static bool measure_parts(struct bench *b, struct list *parts, const struct comparison *c,
                          struct arena *a, struct err *e)
{
    struct missed_code whole[2];
    for (unsigned i = 0; i < 2; i++)
        if (!compile_parts(b, parts, &c->sides[i], a, &whole[i], e))
            return false;
    for (size_t i = 0; i < parts->n; i++) {
        struct part *part = parts->at[i];
        struct missed_code codes[2];
        for (unsigned k = 0; k < 2; k++)
            codes[k] = missed_read_code(a, c->sides[k].by->isa, whole[k].whole, part_name(a, i));
        part->r = c->differ(b, part, codes);
    }
    if (parts->n)
        qsort(parts->at, parts->n, sizeof *parts->at, by_r);
    return true;
}

/* ---- public ------------------------------------------------------------------------------- */

static bool locate(enum missed_oracle oracle, struct bench *b, struct arith *p, take_fn *take,
                   struct err *e, bool *found)
{
    struct comparison c = comparison_of(oracle, b);
    struct arena a = {0};
    struct list parts = {0};
    struct sight s;
    take_parts(p, take, &parts);
    bool ok = !parts.n || measure_parts(b, &parts, &c, &a, e);
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
    *located = !comparison_of(oracle, b).differ || p->assignments.n < 2;
    for (size_t i = 0; ok && !*located && i < LENGTH(takes); i++)
        ok = locate(oracle, b, p, takes[i], e, located);
    return ok;
}
