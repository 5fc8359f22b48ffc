/* pthread.h, threads.h and semaphore.h in a program of one thread: what keeps threads apart finds
 * nobody to keep apart.  Objects are laid out as glibc's are, so that what an initialiser made, or
 * a copy holds, means here what it means there.
 *
 * Starting a thread is unsupported, and so is whatever would wait for another one. */
#include "machine/lib/private.h"

#include <errno.h>
#include <limits.h>

static bool get_word(struct lib_call *c, uint64_t at, int32_t *v)
{
    const uint8_t *bytes = lib_read(c, at, sizeof *v);
    if (bytes)
        memory_get(c->m, v, bytes, sizeof *v);
    return bytes;
}

static bool put_word(struct lib_call *c, uint64_t at, int32_t v)
{
    return lib_store(c, at, &v, sizeof v);
}

static void wait_for_ever(struct lib_call *c, const char *what)
{
    lib_unsupported(c, "waiting for another thread: %s", what);
}

/* An object of the library's begins: all zeros. */
static bool begin(struct lib_call *c)
{
    const struct type *type;
    give_int(c, 0);
    return lib_clear(c, 0, &type);
}

/* ---- mutexes ---------------------------------------------------------------------------- */

enum { LOCKED_AT = 0, COUNT_AT = 4 };
/* Of a mutex: as settype has it, but that a normal one which was asked for differs from what nobody
 * said anything of.  Only the latter may not be locked again. */
enum { KIND_DEFAULT, KIND_RECURSIVE, KIND_ERRORCHECK, KIND_ADAPTIVE, KIND_NORMAL = 512 };
enum { KIND_NONE = -1 }; /* destroyed */

struct mutex {
    uint64_t at;
    int32_t locked, count, kind;
};

static uint64_t kind_at(const struct lib_call *c)
{
    return arg(c, 0) + (lib_pointer_size(c) == 8 ? 16 : 12);
}

static bool get_mutex(struct lib_call *c, struct mutex *x)
{
    x->at = arg(c, 0);
    if (!get_word(c, x->at + LOCKED_AT, &x->locked) || !get_word(c, x->at + COUNT_AT, &x->count) ||
        !get_word(c, kind_at(c), &x->kind))
        return false;
    if (x->kind == KIND_NONE)
        lib_undefined(c, UB_LIB_ARG, "the mutex was destroyed");
    else if (x->kind & ~(KIND_ADAPTIVE | KIND_NORMAL))
        lib_unsupported(c, "a mutex of another kind");
    return !c->m->ended;
}

static bool set_mutex(struct lib_call *c, const struct mutex *x, int32_t locked, int32_t count)
{
    return put_word(c, x->at + LOCKED_AT, locked) && put_word(c, x->at + COUNT_AT, count);
}

/* With a result for a mutex that is locked already; 0: there is none. */
static void lock(struct lib_call *c, const struct mutex *x, int busy)
{
    give_int(c, 0);
    if (!x->locked || x->kind == KIND_RECURSIVE)
        set_mutex(c, x, 1, x->kind == KIND_RECURSIVE ? x->count + 1 : 0);
    else if (busy)
        give_int(c, busy);
    else if (x->kind == KIND_ERRORCHECK)
        give_int(c, EDEADLK);
    else if (x->kind == KIND_DEFAULT)
        lib_undefined(c, UB_LIB_ARG, "the mutex is locked already");
    else
        wait_for_ever(c, "the mutex is locked already");
}

void lib_pthread_mutex_lock(struct lib_call *c)
{
    struct mutex x;
    if (get_mutex(c, &x))
        lock(c, &x, 0);
}

void lib_pthread_mutex_trylock(struct lib_call *c)
{
    struct mutex x;
    if (get_mutex(c, &x))
        lock(c, &x, EBUSY);
}

void lib_mtx_trylock(struct lib_call *c)
{
    enum { BUSY = 1 };
    struct mutex x;
    if (get_mutex(c, &x))
        lock(c, &x, BUSY);
}

static void unlock(struct lib_call *c, bool tells)
{
    struct mutex x;
    if (!get_mutex(c, &x))
        return;
    give_int(c, 0);
    bool checks = x.kind == KIND_RECURSIVE || x.kind == KIND_ERRORCHECK;
    if (x.locked)
        set_mutex(c, &x, x.count > 1, x.count > 1 ? x.count - 1 : 0);
    else if (checks && tells)
        give_int(c, EPERM);
    else
        lib_undefined(c, UB_LIB_ARG, "the mutex is not locked");
}

void lib_pthread_mutex_unlock(struct lib_call *c)
{
    unlock(c, true);
}

/* C11 7.26.4.6p2 */
void lib_mtx_unlock(struct lib_call *c)
{
    unlock(c, false);
}

void lib_pthread_mutex_destroy(struct lib_call *c)
{
    struct mutex x;
    if (!get_mutex(c, &x))
        return;
    give_int(c, 0);
    if (x.locked)
        lib_undefined(c, UB_LIB_ARG, "the mutex is locked");
    else
        put_word(c, kind_at(c), KIND_NONE);
}

void lib_pthread_mutex_init(struct lib_call *c)
{
    int32_t kind = KIND_DEFAULT;
    if ((!arg(c, 1) || get_word(c, arg(c, 1), &kind)) && begin(c))
        put_word(c, kind_at(c), kind);
}

void lib_mtx_init(struct lib_call *c)
{
    enum { RECURSIVE = 1, TIMED = 2 };
    int32_t type = arg_int(c, 1);
    if (type & ~(RECURSIVE | TIMED))
        lib_undefined(c, UB_LIB_ARG, "%d is no type of a mutex", type);
    else if (begin(c))
        put_word(c, kind_at(c), type & RECURSIVE ? KIND_RECURSIVE : KIND_DEFAULT);
}

/* Of attributes, a condition, a semaphore: glibc forgets nothing with them. */
void lib_pthread_mutexattr_init(struct lib_call *c)
{
    begin(c);
}

void lib_pthread_mutexattr_destroy(struct lib_call *c)
{
    int32_t v;
    give_int(c, 0);
    get_word(c, arg(c, 0), &v);
}

void lib_pthread_mutexattr_settype(struct lib_call *c)
{
    int32_t kind = arg_int(c, 1);
    give_int(c, EINVAL);
    if (kind >= KIND_DEFAULT && kind <= KIND_ADAPTIVE &&
        put_word(c, arg(c, 0), kind == KIND_DEFAULT ? KIND_NORMAL : kind))
        give_int(c, 0);
}

void lib_pthread_mutexattr_gettype(struct lib_call *c)
{
    int32_t kind;
    give_int(c, 0);
    if (get_word(c, arg(c, 0), &kind))
        put_word(c, arg(c, 1), kind & ~KIND_NORMAL);
}

/* ---- locks for readers and writers ------------------------------------------------------- */

static uint64_t writer_of(const struct lib_call *c)
{
    return arg(c, 0) + (lib_pointer_size(c) == 8 ? 24 : 28);
}

static bool get_rwlock(struct lib_call *c, int32_t *readers, int32_t *writer)
{
    give_int(c, 0);
    return get_word(c, arg(c, 0), readers) && get_word(c, writer_of(c), writer);
}

/* With a result for a lock that this thread has, in a way that excludes the one asked for. */
static void lock_rw(struct lib_call *c, bool writes, int busy)
{
    int32_t readers, writer;
    if (!get_rwlock(c, &readers, &writer))
        return;
    if (!writer && !(writes && readers))
        put_word(c, writes ? writer_of(c) : arg(c, 0), writes ? 1 : readers + 1);
    else if (busy || writer)
        give_int(c, busy ? busy : EDEADLK);
    else
        wait_for_ever(c, "the lock is held for reading");
}

void lib_pthread_rwlock_rdlock(struct lib_call *c)
{
    lock_rw(c, false, 0);
}

void lib_pthread_rwlock_wrlock(struct lib_call *c)
{
    lock_rw(c, true, 0);
}

void lib_pthread_rwlock_tryrdlock(struct lib_call *c)
{
    lock_rw(c, false, EBUSY);
}

void lib_pthread_rwlock_trywrlock(struct lib_call *c)
{
    lock_rw(c, true, EBUSY);
}

void lib_pthread_rwlock_unlock(struct lib_call *c)
{
    int32_t readers, writer;
    if (!get_rwlock(c, &readers, &writer))
        return;
    if (writer)
        put_word(c, writer_of(c), 0);
    else if (readers > 0)
        put_word(c, arg(c, 0), readers - 1);
    else
        lib_undefined(c, UB_LIB_ARG, "the lock is not held");
}

void lib_pthread_rwlock_destroy(struct lib_call *c)
{
    int32_t readers, writer;
    if (get_rwlock(c, &readers, &writer) && (readers || writer))
        lib_undefined(c, UB_LIB_ARG, "the lock is held");
}

/* ---- semaphores ------------------------------------------------------------------------- */

static void give_errno(struct lib_call *c, int error)
{
    lib_set_errno(c, error);
    give_int(c, -1);
}

void lib_sem_init(struct lib_call *c)
{
    int32_t value = arg_int(c, 2); /* unsigned in the prototype */
    if (value < 0)
        give_errno(c, EINVAL);
    else if (begin(c))
        put_word(c, arg(c, 0), value);
}

/* One less, if there is one. */
static void take(struct lib_call *c, bool waits)
{
    int32_t value;
    give_int(c, 0);
    if (!get_word(c, arg(c, 0), &value))
        return;
    if (value > 0)
        put_word(c, arg(c, 0), value - 1);
    else if (waits)
        wait_for_ever(c, "the semaphore is 0");
    else
        give_errno(c, EAGAIN);
}

void lib_sem_wait(struct lib_call *c)
{
    take(c, true);
}

void lib_sem_trywait(struct lib_call *c)
{
    take(c, false);
}

void lib_sem_post(struct lib_call *c)
{
    int32_t value;
    give_int(c, 0);
    if (!get_word(c, arg(c, 0), &value))
        return;
    if (value == INT_MAX)
        give_errno(c, EOVERFLOW);
    else
        put_word(c, arg(c, 0), value + 1);
}

void lib_sem_getvalue(struct lib_call *c)
{
    int32_t value;
    give_int(c, 0);
    if (get_word(c, arg(c, 0), &value))
        put_word(c, arg(c, 1), value);
}

/* ---- once, and for each thread ------------------------------------------------------------ */

void lib_pthread_once(struct lib_call *c)
{
    enum { NOT_YET, NOW, DONE };
    int32_t state;
    give_int(c, 0);
    if (!get_word(c, arg(c, 0), &state) || state == DONE)
        return;
    struct func *f = state == NOT_YET ? lib_function(c, arg(c, 1)) : NULL;
    if (state != NOT_YET)
        wait_for_ever(c, "it is being done right now");
    else if (f && put_word(c, arg(c, 0), NOW) && lib_run(c->m, f, 0, 0))
        put_word(c, arg(c, 0), DONE);
}

/* Which numbers keys have is not laid down. */
static uint32_t key_base(struct lib_call *c)
{
    return machine_choose(c->m, CHOICE_IDENTITY, c->site->unit, c->site->node) ? 7 : 0;
}

static struct thread_key *key_of(struct lib_call *c)
{
    struct library *l = c->m->lib;
    uint32_t i = (uint32_t)arg(c, 0) - key_base(c);
    lib_note_state(c, STATE_KEYS, true);
    if (i < THREAD_KEYS && l->keys[i].used)
        return &l->keys[i];
    lib_undefined(c, UB_LIB_ARG, "there is no such key");
    return NULL;
}

/* What is to be called when a thread ends: the first one ends with the program, without. */
void lib_pthread_key_create(struct lib_call *c)
{
    struct library *l = c->m->lib;
    lib_note_state(c, STATE_KEYS, true);
    for (uint32_t i = 0; i < THREAD_KEYS; i++)
        if (!l->keys[i].used) {
            l->keys[i] = (struct thread_key){.used = true};
            give_int(c, 0);
            put_word(c, arg(c, 0), (int32_t)(i + key_base(c)));
            return;
        }
    lib_unsupported(c, "more than %d keys", THREAD_KEYS);
}

void lib_pthread_key_delete(struct lib_call *c)
{
    struct thread_key *k = key_of(c);
    if (k)
        k->used = false;
    give_int(c, 0);
}

void lib_pthread_getspecific(struct lib_call *c)
{
    const struct thread_key *k = key_of(c);
    if (k)
        give(c, k->value);
}

void lib_pthread_setspecific(struct lib_call *c)
{
    struct thread_key *k = key_of(c);
    if (k)
        k->value = arg(c, 1);
    give_int(c, 0);
}

/* ---- the thread itself -------------------------------------------------------------------- */

void lib_pthread_equal(struct lib_call *c)
{
    give_int(c, arg(c, 0) == arg(c, 1));
}

/* Conditions have nobody to wake; there is nobody to make room for. */
void lib_sched_yield(struct lib_call *c)
{
    give_int(c, 0);
}

/* Both ways of being cancelled, which never comes. */
static void set_cancel(struct lib_call *c, int32_t *state)
{
    int32_t now = arg_int(c, 0), was = *state;
    give_int(c, EINVAL);
    if (now < 0 || now > 1 || (arg(c, 1) && !put_word(c, arg(c, 1), was)))
        return;
    *state = now;
    give_int(c, 0);
}

void lib_pthread_setcancelstate(struct lib_call *c)
{
    set_cancel(c, &c->m->lib->cancel_state);
}

void lib_pthread_setcanceltype(struct lib_call *c)
{
    set_cancel(c, &c->m->lib->cancel_type);
}
