/* signal.h: signals that the program raises itself; no other ever comes.
 *
 * As glibc's signal has it, a handler stays, and its signal is blocked while it runs; a handler
 * that is left by longjmp leaves it blocked, so what raise does then is unsupported. */
#include "machine/lib/private.h"

#include <errno.h>
#include <signal.h>

static bool is_signal(struct lib_call *c, uint32_t i)
{
    int32_t number = arg_int(c, i);
    if (number > 0 && number < SIGNALS)
        return true;
    lib_set_errno(c, EINVAL);
    give(c, ~(uint64_t)0);
    return false;
}

void lib_signal(struct lib_call *c)
{
    if (!is_signal(c, 0))
        return;
    struct library *l = c->m->lib;
    int32_t number = arg_int(c, 0);
    lib_note_state(c, STATE_SIGNALS, true);
    if (l->action[number]) {
        lib_unsupported(c, "signal after sigaction");
        return;
    }
    if (number == SIGKILL || number == SIGSTOP) {
        lib_set_errno(c, EINVAL);
        give(c, ~(uint64_t)0);
        return;
    }
    give(c, l->handler[number]);
    l->handler[number] = arg(c, 1);
}

void lib_sigemptyset(struct lib_call *c)
{
    const struct type *type;
    if (lib_clear(c, 0, &type))
        give_int(c, 0);
}

void lib_sigaddset(struct lib_call *c)
{
    if (!is_signal(c, 1))
        return;
    uint32_t bit = (uint32_t)arg_int(c, 1) - 1;
    uint8_t *byte = lib_write(c, arg(c, 0) + bit / 8, 1);
    if (!byte)
        return;
    *byte |= (uint8_t)(1 << bit % 8);
    give_int(c, 0);
}

void lib_sigismember(struct lib_call *c)
{
    if (!is_signal(c, 1))
        return;
    uint32_t bit = (uint32_t)arg_int(c, 1) - 1;
    const uint8_t *byte = lib_read(c, arg(c, 0) + bit / 8, 1);
    if (byte)
        give_int(c, *byte >> bit % 8 & 1);
}

/* A new action like one that signal sets: blocks no other signal, and has no flags but for what
 * never matters here.  False: some other, or the run has ended. */
static bool is_plain(struct lib_call *c, uint64_t action, uint64_t *handler)
{
    const struct type *t = c->site->types[1]->canon->base->canon->unqual;
    struct arena *a = &c->m->arena;
    struct list path = {0};
    const struct field *flags = NULL, *mask = NULL;
    if (lang_is_record(t)) {
        flags = lang_field_find(t->u.record, "sa_flags", &path, a);
        mask = lang_field_find(t->u.record, "sa_mask", &path, a);
    }
    if (!flags || !mask)
        return false;
    int32_t on = 0;
    uint64_t size = lang_sizeof(c->p, mask->type);
    const uint8_t *at = lib_read(c, action, lib_pointer_size(c));
    const uint8_t *with = at ? lib_read(c, action + flags->offset, sizeof on) : NULL;
    const uint8_t *blocked = with ? lib_read(c, action + mask->offset, size) : NULL;
    if (!blocked)
        return false;
    memory_get(c->m, handler, at, lib_pointer_size(c)); /* the union of handlers is first */
    memory_get(c->m, &on, with, sizeof on);
    for (uint64_t i = 0; i < size; i++)
        if (blocked[i])
            return false;
    return (on & ~SA_RESTART) == 0;
}

/* The old action is known only where there was none. */
void lib_sigaction(struct lib_call *c)
{
    if (!is_signal(c, 0))
        return;
    struct library *l = c->m->lib;
    int32_t number = arg_int(c, 0);
    const struct type *type;
    lib_note_state(c, STATE_SIGNALS, true);
    if (arg(c, 2) && (l->action[number] || l->handler[number])) {
        lib_unsupported(c, "asking for the action of a signal that has one");
        return;
    }
    if (arg(c, 2) && !lib_clear(c, 2, &type))
        return;
    uint64_t handler = 0;
    bool plain = arg(c, 1) && number != SIGKILL && number != SIGSTOP &&
                 is_plain(c, arg(c, 1), &handler);
    if (plain)
        l->handler[number] = handler;
    if (arg(c, 1))
        l->action[number] = !plain;
    give_int(c, 0);
}

/* ---- raising ---------------------------------------------------------------------------- */

/* What the system does when nobody handles it: signal(7). */
static void default_action(struct lib_call *c, int32_t number)
{
    if (number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT)
        return;
    if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
        lib_unsupported(c, "stopping");
    else
        lib_leave_abruptly(c, 128 + number);
}

/* False when the program ended, or the handler was left by longjmp. */
static bool deliver(struct lib_call *c, int32_t number)
{
    struct library *l = c->m->lib;
    lib_note_state(c, STATE_SIGNALS, false);
    uint64_t handler = l->handler[number];
    if (l->action[number] || l->blocked[number]) {
        lib_unsupported(c, l->blocked[number] ? "a signal that is blocked" : "after sigaction");
        return false;
    }
    if (handler == (uint64_t)(uintptr_t)SIG_DFL) {
        default_action(c, number);
        return !c->m->ended;
    }
    if (handler == (uint64_t)(uintptr_t)SIG_IGN)
        return true;
    struct func *f = lib_function(c, handler);
    if (!f)
        return false;
    if (!f->body) {
        lib_unsupported(c, "a handler that is the library's");
        return false;
    }
    l->blocked[number] = true;
    if (!lib_run(c->m, f, 1, number))
        return false;
    l->blocked[number] = false;
    return true;
}

void lib_raise(struct lib_call *c)
{
    if (is_signal(c, 0) && deliver(c, arg_int(c, 0)))
        give_int(c, 0);
}

/* C11 7.22.4.1p2: unless a handler does not return. */
void lib_abort(struct lib_call *c)
{
    bool handled = c->m->lib->handler[SIGABRT] > (uint64_t)(uintptr_t)SIG_IGN;
    if (handled && !deliver(c, SIGABRT))
        return;
    if (c->m->lib->action[SIGABRT])
        lib_unsupported(c, "after sigaction");
    lib_leave_abruptly(c, 128 + SIGABRT);
}
