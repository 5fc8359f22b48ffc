/* What an initialiser stores, while it is being resolved: init.c walks the lists, item.c keeps the
 * items apart.  An invariant: no two items share a bit, so their order means nothing; but for an
 * initialiser that is mixed, whose items nobody may use. */
#ifndef LANG_ITEM_H
#define LANG_ITEM_H

#include "lang/lang.h"

enum { MAX_RANGES = 64 };

/* Where the ranges of a designator repeat what is said of the first place: [a ... b].c[d ... e]. */
struct ranges {
    struct {
        uint64_t n, stride;
    } by[MAX_RANGES]; /* outer ones first */
    uint32_t count;
};

/* Which member of the unions at these places was chosen last. */
struct chosen {
    uint64_t offset, repeat, stride;
    const struct type *type;
    uint64_t index;
};

struct filler {
    struct program *p;
    struct init_item *items;
    struct chosen *chosen;
    uint32_t count, room, chosen_count, chosen_room;
    uint64_t high;  /* behind the last byte that any item covers */
    bool unordered; /* items may begin before one that was added earlier, or are many places */
    bool mixed;     /* gcc and clang do not agree on what it means */
};

/* A value for the subobject there, of which nothing is said. */
void item_add(struct filler *f, uint64_t offset, struct field *field, struct type *type,
              struct node *value);
/* What was added since item `from` happens in all places of the ranges. */
void item_repeat(struct filler *f, uint32_t from, const struct ranges *r);
/* A subobject is initialised anew: what was said about it before is void (C11 6.7.9p19). */
void item_forget(struct filler *f, uint64_t offset, const struct type *type,
                 const struct field *field, const struct ranges *r);
/* A member of the union there is initialised next: what was said about another one is void. */
void item_choose(struct filler *f, uint64_t offset, const struct type *type, uint64_t index,
                 const struct ranges *r);

#endif
