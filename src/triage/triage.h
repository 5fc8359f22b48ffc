/* triage: what a developer wants to know of a bug before looking.  Takes a claim that holds (a
 * configuration, a verdict, a program) and finds out by compiling it again with other flags, never
 * by reading prose: which pass is to blame.
 *
 * Whatever a compiler does is an answer; a function returns false only when our own machine fails
 * us.  Everything handed out lives in the arena.  The same claim gives the same answer. */
#ifndef TRIAGE_TRIAGE_H
#define TRIAGE_TRIAGE_H

#include "base/base.h"
#include "cc/cc.h"
#include "judge/judge.h"

/* How the culprit was found: method.def. */
enum triage_method {
    METHOD_NONE,
#define METHOD(id, ...) METHOD_##id,
#include "triage/method.def"
    METHOD_COUNT
};
const char *triage_method_name(enum triage_method m); /* "" for METHOD_NONE */
enum triage_method triage_method_named(const char *name);

/* Who is to blame. */
struct triage_blame {
    /* the same for the same bug in every version: "loop-vectorize", "dbg-cnt vect_loop",
     * "tree-vrp", "-ftree-vrp", "-O1"; "" when nothing could be found out */
    const char *pass;
    const char *detail;   /* for people: which instance, in which function; "" for nothing */
    const char *switches; /* flags with which it does not happen; "" for none */
    enum triage_method method;
    unsigned compiles;
    double seconds; /* of the clock */
};

struct triage_job {
    struct cc_lab *lab;
    const struct judge_claim *claim;
    unsigned most; /* compilations that it may cost; 0: TRIAGE_MOST */
    bool roughly;  /* the name is enough: no instance, no counter's value */
};

enum { TRIAGE_MOST = 60 };

/* The guilty pass, at a cost of about 13 compilations for Clang and GCC; the search stops, with
 * what it has, after job->most. */
bool triage_blame(const struct triage_job *job, struct arena *a, struct triage_blame *out,
                  struct err *e);

#endif
