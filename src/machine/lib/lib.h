/* lib: the C library as the program sees it.
 *
 * Takes calls that the program makes to functions that it does not define, with arguments whose
 * number and types exec.c has checked against the row's.  Yields results, output, and changes of
 * the program's memory through the same checked accesses as its own.  Preconditions that do not
 * hold (C11 7.1.4) are undefined, what is not modelled is unsupported; nothing of the host is read
 * but the input and arguments in the options. */
#ifndef MACHINE_LIB_LIB_H
#define MACHINE_LIB_LIB_H

#include "machine/private.h"

/* One call of a library function. */
struct lib_call {
    struct machine *m;
    const struct call_site *site;
    struct func *func;
    const struct insn *pc;
    uint64_t *r;      /* the caller's slots */
    uint64_t *result; /* one or two slots */
    struct program *p;
    bool wide; /* a function of wide characters */
};

typedef void lib_fn(struct lib_call *c);

struct lib_row {
    const char *name;
    lib_fn *run;
    const char *types; /* of its parameters, a letter each: see functions.def */
};

const struct lib_row *lib_find(const char *name);
struct object *lib_object(struct machine *m, const char *name, struct unit_state *u,
                          struct decl *d);
void lib_start(struct machine *m);
void lib_end(struct machine *m);
void lib_at_exit(struct machine *m);
/* Calls a function of the program that returns nothing, with an int or without arguments.  False
 * when it did not come back. */
bool lib_run(struct machine *m, struct func *f, uint32_t count, int32_t argument);
bool lib_arguments(struct machine *m, int *argc, uint64_t *argv, uint64_t *environ_);

#endif
