/* The memory of the abstract machine: objects that live, and what their bytes are.
 *
 * Addresses.  Every object gets an address that no other object ever had or will have, with a gap
 * after it.  So the address alone says which object a pointer points into (or one past), and
 * whether it still lives, whatever way the pointer took: through bytes, integers or unions.  A
 * pointer value is that number; nothing else has to be remembered beside it.
 *
 * Invariants.  The bytes of an object are host memory of o->size bytes and stay where they are
 * while it lives.  Where o->init is set, a bit of o->bytes means something only if its bit there
 * is one.  An object that died is recycled, so nobody keeps a struct object * across anything that
 * can end a lifetime, but for the caches in instructions, which compare base first. */
#ifndef MACHINE_MEMORY_H
#define MACHINE_MEMORY_H

#include "machine/machine.h"

/* What may access what (C11 6.5p7), a byte per byte.  Signed and unsigned share a tag; so do
 * pointers to them, to all functions, to all pointers, and to structures of some tags. */
enum tag {
    TAG_ANY,  /* of memory: nothing is known yet; of an access: not checked */
    TAG_CHAR, /* of memory: declared as characters; as an access: may touch anything */
    TAG_BOOL,
    TAG_SHORT,
    TAG_INT,
    TAG_LONG,
    TAG_LLONG,
    TAG_INT128,
    TAG_HALF,
    TAG_FLOAT,
    TAG_DOUBLE,
    TAG_LDOUBLE,
    TAG_QUAD,
    TAG_BITINT,
    TAG_POINTER, /* to void, or to what is told apart from nothing */
    TAG_TO_CHAR, /* to what has each of the tags from TAG_CHAR to TAG_BITINT */
    TAG_TO_LAST = TAG_TO_CHAR + TAG_BITINT - TAG_CHAR,
    TAG_TO_POINTER,
    TAG_TO_FUNCTION,
    TAG_TO_RECORD, /* without a tag of its own; then those with one */
    TAG_TO_LAST_RECORD = TAG_TO_RECORD + 8,
    TAG_LIST,
    TAG_PADDING, /* of memory: no member, or not the one that was initialised */
    TAG_UNION,   /* in maps only: what was stored last decides */
    TAG_MIXED,   /* of an object: see its map or its tags */
};

static inline bool tag_is_pointer(uint8_t tag)
{
    return tag >= TAG_POINTER && tag <= TAG_TO_LAST_RECORD;
}

/* May what has the one tag be accessed with the other? */
static inline bool tag_fits(uint8_t a, uint8_t b)
{
    bool records = a >= TAG_TO_RECORD && b >= TAG_TO_RECORD && tag_is_pointer(a) &&
                   tag_is_pointer(b) && (a == TAG_TO_RECORD || b == TAG_TO_RECORD);
    return a == b || records || (a == TAG_POINTER && tag_is_pointer(b)) ||
           (b == TAG_POINTER && tag_is_pointer(a));
}

/* Of a byte of allocated memory: the structure through which it was stored, and where in that. */
struct owner {
    uint16_t record; /* its number (record.c); 0: none */
    uint16_t off;
};

enum object_kind {
    OBJECT_STATIC,
    OBJECT_AUTO,
    OBJECT_HEAP,
    OBJECT_STRING,
    OBJECT_FUNCTION,
    OBJECT_TEMPORARY,
    OBJECT_LIBRARY,
};

/* What of an object may not be written. */
enum constness { CONST_NONE, CONST_ALL, CONST_PARTS }; /* parts: as its consts say */

struct object {
    uint64_t base; /* address; ~0 when it is dead */
    uint64_t size;
    uint8_t *bytes;
    uint8_t *init;      /* bit for bit: is it initialised?  NULL: all of it */
    uint8_t *tags;      /* effective types that stores gave; NULL: tag or map decide */
    const uint8_t *map; /* tags of its declared type, repeating each period bytes */
    uint64_t period;
    struct owner *owners;  /* a byte each; NULL: nobody asks, or nothing was stored (owner.c) */
    const uint8_t *consts; /* which bits of a period are members declared const; NULL: none */
    uint8_t tag;           /* of all its bytes, or TAG_MIXED */
    uint8_t kind;
    uint8_t is_const; /* enum constness */
    bool is_volatile; /* declared so, or has a member that is */
    bool has_walls;   /* it has arrays as members that pointers may not leave (wall.c) */
    bool is_shared;   /* it has a union whose structures were reached through pointers */
    bool is_loose;    /* declared with less alignment than something in it usually has */
    uint8_t room;     /* log2 of the bytes allocated at bytes */
    uint32_t index;   /* in the table of objects */
    uint32_t reached; /* the structure that it was reached as, and may be again; 0: none */
    uint32_t phase;   /* where in it that one lies: its offset modulo its size */
    uint32_t align;   /* what its declaration, or who allocated it, guarantees */
    const char *name; /* for messages; NULL without one */
    uint64_t owner;   /* serial of its frame */
    const struct function *home; /* whose static local it is; NULL: no such object */
    struct object *next;         /* in its frame, or in the free list */
    struct func *func;           /* OBJECT_FUNCTION */
    const struct type *type; /* as declared; NULL: allocated, or not a structure or array of them */
    const struct program *program; /* that the type belongs to */
};

/* Objects that died, for messages. */
struct grave {
    uint64_t base, size;
    const char *name;
    uint8_t kind;
};

enum { ROOMS = 48, GRAVES = 1024, QUICK = 1 << 15 };

struct memory {
    struct object **live; /* as they were made, and so by address; NULL where one died */
    size_t count, room, dead;
    uint64_t next, limit; /* the next address; behind the last */
    uint8_t layout;       /* where objects lie: memory.c; 0: from low addresses on */
    bool down;            /* each object below those before it */
    uint32_t placed;      /* objects that were given an address */
    bool reuse;           /* an object may lie where one died: what is undefined is not seen then */
    uint64_t used, peak, budget;
    struct object *free[ROOMS];
    struct object *quick[QUICK]; /* by address / 32: where a lookup went last */
    struct grave graves[GRAVES];
    size_t grave_count;
    struct arena arena; /* the objects themselves */
};

enum new_flag { NEW_ZERO = 1, NEW_KNOWN = 2 }; /* zeroed; or bytes that the caller will fill */

/* layout, reuse of m say where objects are to lie: to be set before. */
void memory_start(struct memory *m, const struct target *target, uint64_t budget);
void memory_end(struct memory *m);
/* NULL when the budget or the addresses are used up. */
struct object *memory_new(struct memory *m, uint64_t size, uint32_t align, unsigned flags);
void memory_kill(struct memory *m, struct object *o);
/* Was it given out when m->next was this? */
bool memory_was_given(const struct memory *m, uint64_t address, uint64_t next);
/* Where an object may lie where one died: the newest one moves to where one lay, if it can. */
void memory_settle(struct memory *m, struct object *newest, uint64_t base);
/* The object that an address points into, or one past the end of; NULL when there is none. */
struct object *memory_find(struct memory *m, uint64_t address);
const struct grave *memory_grave(const struct memory *m, uint64_t address);
void memory_need_init(struct object *o);
void memory_need_tags(struct object *o);
/* Declares what lies in it. */
void memory_declare(struct machine *m, struct object *o, const struct program *p,
                    const struct type *t);
/* Has a structure of that type, or an array of them, members that are qualified so? */
bool memory_has_parts(const struct type *t, unsigned qual);
/* Has a value of this type an address in it, or a number that may be a NaN?  Their bits are open.
 */
bool memory_holds_open(const struct type *t);
/* Has a value of this type an address in it? */
bool memory_holds_pointer(const struct type *t);
/* Is some byte of an object that may not be written everywhere among these? */
bool memory_is_const(const struct object *o, uint64_t off, uint64_t size);
/* Of a bit-field. */
bool memory_bits_const(const struct object *o, uint64_t off, unsigned bit, unsigned width);
/* May something that needs mask + 1 bytes of alignment lie there?  Where the object guarantees
 * less, it does not count that its address happens to fit. */
static inline bool memory_is_aligned(const struct object *o, uint64_t off, uint32_t mask)
{
    return !((o->is_loose ? off | o->align : o->base + off) & mask);
}
/* The tags of all that a value of this type has in it, bit by bit; whoever may touch anything: all
 * of them. */
uint64_t memory_tags_in(const struct program *p, const struct type *t);
/* The tag of a scalar type as an access. */
uint8_t memory_tag(const struct program *p, const struct type *t);

#endif
