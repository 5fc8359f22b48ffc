/* Labs: a runner and a folder for each thread that compiles and runs. */
#include "cc/cc.h"

#include <stdio.h>

bool cc_labs_open(struct cc_labs *labs, const struct cc_lab_options *o, struct err *e)
{
    *labs = (struct cc_labs){.n = o->count};
    labs->scratch.lock_fd = -1;
    if (!sys_scratch_open(&labs->scratch, e))
        return false;
    labs->at = NEW_ARRAY(&labs->arena, o->count, struct cc_lab);
    for (unsigned i = 0; i < o->count; i++) {
        struct cc_lab *lab = &labs->at[i];
        snprintf(lab->dir, sizeof lab->dir, "%s/lab%u", labs->scratch.path, i);
        lab->guests = !o->trust_compilers;
        struct runner_options options = {.scratch = labs->scratch.path,
                                         .readable = o->readable,
                                         .workshop = lab->guests ? lab->dir : NULL};
        if (sys_make_dirs(lab->dir, e))
            lab->runner = sys_runner_open(&options, e);
        if (!lab->runner) {
            cc_labs_close(labs);
            return false;
        }
    }
    return true;
}

void cc_labs_close(struct cc_labs *labs)
{
    for (unsigned i = 0; labs->at && i < labs->n; i++)
        if (labs->at[i].runner)
            sys_runner_hang_up(labs->at[i].runner);
    for (unsigned i = 0; labs->at && i < labs->n; i++)
        sys_runner_close(labs->at[i].runner);
    sys_scratch_close(&labs->scratch);
    arena_free(&labs->arena);
    *labs = (struct cc_labs){0};
    labs->scratch.lock_fd = -1;
}
