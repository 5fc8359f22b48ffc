/* setjmp.h: the program's buffer holds the number of a place that jump.c keeps. */
#include "machine/lib/private.h"

#include <string.h>

#define MARK ((uint64_t)0x6a6d7062 << 32)

/* What jmp_buf takes. */
struct room {
    uint64_t size;
    uint32_t align;
};

/* A program that declares setjmp in words of its own, without setjmp.h, must have room for glibc's
 * on x86, and elsewhere for the largest, powerpc's, which vector registers are stored in. */
static struct room room_of(const struct lib_call *c)
{
    const struct type *t = c->site->types[0]->canon;
    const struct type *to = t->kind == TYPE_POINTER ? t->base->canon : t;
    if (lang_is_record(to) && !(to->flags & TYPE_UNSIZED))
        return (struct room){lang_sizeof(c->p, to), 1}; /* conversions look at its alignment */
    if (strcmp(c->func->name, "__builtin_setjmp") == 0) /* GNU: five words, whatever the machine */
        return (struct room){5 * (uint64_t)lib_pointer_size(c), 1};
    if (c->p->target == lang_target(TARGET_LP64))
        return (struct room){200, 1};
    if (c->p->target == lang_target(TARGET_ILP32))
        return (struct room){156, 1};
    return (struct room){656, 16};
}

static bool has_room(struct lib_call *c)
{
    struct room room = room_of(c);
    uint64_t at = arg(c, 0);
    const struct object *o = memory_find(&c->m->memory, at);
    if (!o || room.size > o->size - (at - o->base))
        lib_write(c, at, room.size); /* which tells why */
    else if (((at - o->base) | o->align) & (room.align - 1))
        lib_undefined(c, UB_LIB_ARG, "the buffer need not be aligned to %u", room.align);
    return !c->m->ended;
}

void lib_setjmp(struct lib_call *c)
{
    if (!has_room(c))
        return;
    if (!c->m->frames[c->m->depth].code->marks) {
        lib_unsupported(c, "called by another name");
        return;
    }
    uint64_t id = jump_new(c->m), word = MARK | id;
    if (lib_store(c, arg(c, 0), &word, sizeof word))
        jump_set(c->m, c->pc, id);
    give_int(c, 0);
}

void lib_sigsetjmp(struct lib_call *c)
{
    lib_setjmp(c);
}

/* C11 7.13.2.1p2 */
void lib_longjmp(struct lib_call *c)
{
    uint64_t word = 0;
    const uint8_t *bytes = lib_read(c, arg(c, 0), sizeof word);
    if (!bytes)
        return;
    memory_get(c->m, &word, bytes, sizeof word);
    if ((word & ~(uint64_t)UINT32_MAX) != MARK) {
        lib_undefined(c, UB_LIB_ARG, "setjmp did not set the buffer");
        return;
    }
    if (c->m->lib->exiting) { /* C11 7.22.4.4p2 */
        lib_undefined(c, UB_LIB_ARG, "the program is exiting already");
        return;
    }
    int32_t value = arg_int(c, 1);
    lib_note_leaving(c);
    enum jump_answer answer = jump_back(c->m, word & UINT32_MAX, (uint64_t)(value ? value : 1));
    if (answer == JUMP_GONE)
        lib_undefined(c, UB_LIB_ARG, "the function that called setjmp has returned");
    else if (answer == JUMP_BLOCK)
        lib_unsupported(c, "into a block that was left");
}
