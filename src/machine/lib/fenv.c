/* fenv.h.  Where FENV_ACCESS is off, compilers take it that nobody tests the status flags and that
 * the modes are the default ones: they move arithmetic across these calls and fold it, and who
 * looks all the same has undefined behaviour (C11 7.6.1p2).  What asks for the default is harmless.
 */
#include "machine/lib/private.h"

#include <fenv.h>

enum { MODES = 0xffc0, DEFAULT_MODES = 0x1f80, RAISED = 0x3f }; /* of mxcsr */

static void look_at_environment(struct lib_call *c)
{
    if (c->p->has_environment)
        lib_unsupported(c, "the floating-point environment");
    else
        lib_undefined(c, UB_FENV, "looks at it, or changes it");
}

/* Of every function that reads flags or sets modes. */
void lib_fetestexcept(struct lib_call *c)
{
    look_at_environment(c);
}

void lib_fesetenv(struct lib_call *c)
{
    if (arg(c, 0) != (uint64_t)-1 && arg(c, 0) != UINT32_MAX) /* FE_DFL_ENV */
        look_at_environment(c);
    give_int(c, 0);
}

/* Flags that nobody tests. */
void lib_feraiseexcept(struct lib_call *c)
{
    give_int(c, 0);
}

void lib_feenableexcept(struct lib_call *c)
{
    if (arg_int(c, 0) & FE_ALL_EXCEPT)
        look_at_environment(c);
    give_int(c, 0);
}

/* One rounding direction: the default. */
void lib_fegetround(struct lib_call *c)
{
    give_int(c, FE_TONEAREST);
}

void lib_fesetround(struct lib_call *c)
{
    if (arg_int(c, 0) != FE_TONEAREST)
        look_at_environment(c);
    give_int(c, 0);
}

void lib___builtin_ia32_ldmxcsr(struct lib_call *c)
{
    if ((arg(c, 0) & MODES) != DEFAULT_MODES)
        look_at_environment(c);
}

void lib___builtin_ia32_stmxcsr(struct lib_call *c)
{
    bool raised = machine_choose(c->m, CHOICE_RAISED, c->site->unit, c->site->node);
    give_int(c, DEFAULT_MODES | (raised ? RAISED : 0));
}
