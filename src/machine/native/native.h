/* native: code that ran often, as instructions of the host.
 *
 * Takes code from compile/ and changes nothing that a run can show: the same slots, counters, facts
 * and ends as exec.c.  Where it cannot (another host, no memory, too long a function) the code
 * stays interpreted, and nobody has to ask. */
#ifndef MACHINE_NATIVE_NATIVE_H
#define MACHINE_NATIVE_NATIVE_H

#include "machine/private.h"

/* Compiles what was warmed often enough; where that cannot be done it stays interpreted. */
void native_compile(struct machine *m, struct code *code);
/* Goes on natively from pc on, until something that the interpreter must do: that is returned,
 * or NULL when the run has ended.  The frame on top may be another then. */
const struct insn *native_run(struct machine *m, const struct insn *pc);
/* Gives all native code back; none may be running. */
void native_end(struct machine *m);

/* One more call or iteration of this code. */
static inline void native_warm(struct machine *m, struct code *code)
{
    if (++code->heat == m->options.heat)
        native_compile(m, code);
}

#endif
