/* access: the volatile accesses that a program must make, and those that a compiled one made.
 *
 * C11 5.1.2.3p6 makes accesses to volatile objects part of what a program does, like its output:
 * which object, which bytes, read or written, which value, and in which order.  The machine knows
 * them (machine_volatiles); a loaded program is observed instruction by instruction (outcome.trace
 * of cc).  Here the two are compared.
 *
 * What the standard or the processor leaves open is not claimed: accesses of one full expression
 * may come in any order, and to what no single instruction accesses (bit-fields, what is wider than
 * a register or packed) there must be as many as are expected, and no more is said of them.  A
 * program that could reach a volatile object otherwise than through volatile lvalues is not looked
 * at.
 *
 * Runs nothing.  Everything lives in the caller's arena. */
#ifndef ACCESS_ACCESS_H
#define ACCESS_ACCESS_H

#include "base/base.h"
#include "cc/cc.h"
#include "lang/lang.h"
#include "machine/machine.h"

struct access {
    uint32_t watch; /* number of the object */
    uint32_t group; /* accesses of one group may come in any order */
    uint64_t offset;
    uint64_t bits;               /* the value, if known_bits: of integers */
    uint32_t line;               /* of an expected one; 0: nowhere */
    const struct sys_access *by; /* of one that was made: the instruction */
    uint8_t size;
    bool is_write, known_bits;
};

/* Why a volatile object is not watched: gap.def. */
enum access_gap {
#define GAP(id, phrase) ACCESS_GAP_##id,
#include "access/gap.def"
    ACCESS_GAP_COUNT
};

/* What a byte of an object is a part of. */
enum access_byte {
    ACCESS_INTEGER = 1, /* an integer: its value is compared */
    ACCESS_PLAIN = 2,   /* a member that is not volatile; padding is not such a one */
    ACCESS_COUNTED = 4, /* accesses that touch it are counted only: those of a bit-field, or close
                           to one, of something wider than a register ... */
    ACCESS_BITS = 8,    /* some of its bits are a bit-field's */
    ACCESS_MIXED = 16   /* close to it members share bytes, or some bit-fields are not volatile */
};

/* An automatic object, or a part of one that is accessed by itself. */
struct access_local {
    const char *name;
    uint64_t offset;
};

/* What a program must do. */
struct access_plan {
    struct sys_watch *watches;
    const uint8_t **bytes; /* of each, for each of its bytes: enum access_byte, or-ed */
    size_t watch_count;
    struct access_local *locals; /* their numbers follow those of the watches */
    size_t local_count;
    bool steppable; /* the compiled program can be stepped through: others have no locals here */
    const char *why_unstepped; /* "it executes too much", where it cannot; else NULL */
    struct access *expected;
    size_t count;
    struct access *counted; /* those to bytes that are ACCESS_COUNTED, of static objects */
    size_t counted_count;
    size_t gaps[ACCESS_GAP_COUNT]; /* accesses that the program makes and that are not compared */
    const char *why;               /* nothing can be said about this program; NULL: it can */
};

/* Needs: m executed p, alone, and the execution is defined. */
void access_expect(struct arena *a, struct program *p, const struct machine *m,
                   struct access_plan *out);

/* "4 accesses to what is not of static storage; ..."; "" when all are compared.  In the arena. */
const char *access_describe_gaps(struct arena *a, const struct access_plan *plan);
const char *access_gap_phrase(enum access_gap g);

enum access_kind {
    ACCESS_FINE,
#define KIND(id, ...) ACCESS_##id,
#include "access/kind.def"
    ACCESS_KIND_COUNT
};
const char *access_kind_name(enum access_kind k);
const char *access_kind_phrase(enum access_kind k);

/* What a compiled program did of that. */
struct access_judgement {
    enum access_kind kind;
    const char *why;                       /* it could not be observed; NULL: it was */
    size_t compared;                       /* expected accesses to objects that were found */
    bool skipped;                          /* automatic objects: it could not be stepped through */
    const struct access *expected, *other; /* the first that differ; either may be NULL */
    size_t at; /* how many are as expected before that; of a lost one, how many are expected */
};

void access_compare(struct arena *a, const struct access_plan *plan,
                    const struct outcome_trace *trace, struct access_judgement *out);

/* "write of 4 bytes to v+8, value 5"; in the arena. */
const char *access_describe(struct arena *a, const struct access_plan *plan,
                            const struct access *x);

/* The instructions of the lines where what is wrong must be accessed, each after a tab, under
 * "line 9:"; "" for none.  Needs: assembly that says lines (-g).  In the arena; code.c */
const char *access_find_code(struct arena *a, const struct access_plan *plan,
                             const struct access_judgement *j, const char *assembly);

/* ---- instructions: decode.c, decode.def --------------------------------------------------- */

/* What an instruction does to its operand in memory. */
struct access_operand {
    unsigned size; /* bytes */
    bool reads, writes;
};

/* narrow: of i386, not of x86-64.  False for what the table does not have, and for instructions
 * without such an operand. */
bool access_decode(const uint8_t code[16], bool narrow, struct access_operand *out);

#endif
