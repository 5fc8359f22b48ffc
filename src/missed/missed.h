/* missed: optimisations that a compiler could have made and did not.
 *
 * Two programs that mean the same must compile to code that is equally good; where it is not, the
 * better one proves what was possible.  After Hashimoto and Ishiura, "Detecting Arithmetic
 * Optimization Opportunities for C Compilers by Randomly Generated Equivalent Programs".
 *
 *   measures   counts of instructions by kind, and how much two of them differ: measure.c
 *
 * Never runs what was compiled: the assembly is all that is looked at.
 */
#ifndef MISSED_MISSED_H
#define MISSED_MISSED_H

#include "base/base.h"

/* ---- programs: draw.c ----------------------------------------------------------------------- */

/* What generated programs are made of. */
struct missed_shape {
    unsigned operators; /* about so many: 1 to MISSED_MOST_OPERATORS */
    bool remainders;    /* % too: it makes more noise than findings */
};
enum { MISSED_MOST_OPERATORS = 10000 };

/* ---- measures: measure.c, mnemonic.def --------------------------------------------------- */

enum missed_isa { MISSED_X86, MISSED_AARCH64 }; /* x86-64 and i386 share their mnemonics */

struct missed_kind {
    const char *name;
    unsigned n;
};

/* The code of one function. */
struct missed_code {
    struct missed_kind *kinds; /* in order of first appearance */
    size_t kind_count, room;
    unsigned instructions;
    unsigned cost;    /* by the table: to order two codes, no prediction of cycles */
    const char *text; /* its instructions and labels, one a line; NULL when only counted */
};

/* Adds n instructions of the kind.  The name is kept. */
void missed_count(struct arena *a, struct missed_code *code, const char *kind, unsigned n);
/* The function's instructions, with those of the parts that the compiler split from it (main.cold).
 * Empty when there is no such function. */
struct missed_code missed_read_code(struct arena *a, enum missed_isa isa, const char *assembly,
                                    const char *function);

/* r1: instructions of opt for one of org.  r2: kinds with equal counts, as a share of the mean
 * number of kinds.  r = sqrt(r1 r2).  All 1 when one of the two is empty. */
struct missed_measure {
    double r1, r2, r;
};
struct missed_measure missed_compare(const struct missed_code *org, const struct missed_code *opt);

enum missed_side { MISSED_NEITHER, MISSED_ORG, MISSED_OPT };
/* Which of the two could have been better: r, with the worse one as org, is below the threshold,
 * and the worse one has the higher cost and no fewer instructions.  MISSED_NEITHER when they are
 * alike, or merely different. */
enum missed_side missed_worse_side(const struct missed_code *org, const struct missed_code *opt,
                                   double threshold);

#endif
