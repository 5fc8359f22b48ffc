/* keep: the predicates of a reduction.  Says whether a smaller program still shows what the
 * original showed: the same verdict on a compiler, a difference between two configurations, or
 * whatever a script of the user's looks for.
 *
 * Takes the candidates of reduce; yields yes or no.  What the program is expected to do is the
 * machine's prediction, computed anew for each candidate; where the machine cannot execute it, a
 * reference configuration says it, and sanitizers vouch for the program. */
#ifndef KEEP_KEEP_H
#define KEEP_KEEP_H

#include "judge/judge.h"
#include "reduce/reduce.h"

struct keep_options {
    const char *cc, *emulator; /* the configuration; emulator NULL: as its name asks for */
    const char *against;       /* a second one that is right, or NULL */
    const char *script; /* instead of both: exits 0 in a folder with an interesting program */
    char *const *names; /* of the units' files, without folders */
    size_t count;
    char *const *args;                   /* of the program; NULL ends */
    const char *input;                   /* file for its stdin, or NULL */
    double compile_timeout, run_timeout; /* seconds */
    double script_timeout; /* 0: a minute for the original, then by what that one took */
    unsigned jobs;
    bool trust_compilers; /* see struct cc_lab_options */
    bool defined;         /* with a script: the program must stay defined */
    bool slide;           /* another bug that shows the same verdict will do */
    /* is it the same bug?  Asked of what would be kept, with the candidate's files; NULL: no */
    bool (*same)(void *context, struct cc_lab *lab, const struct judge_claim *c, bool *same,
                 struct err *e);
    void *context;
};

struct keep;

struct keep *keep_open(const struct keep_options *o, struct err *e);
void keep_close(struct keep *k);

/* Lays the program out anew, finds out what it shows, and sets filter, test, confirm, predicate
 * and, of a compiler's program, target of the options, whose other fields are there already.  False
 * with one line in e when there is nothing to keep: no verdict, an undefined program, a predicate
 * that does not hold or does so by chance. */
bool keep_decide(struct keep *k, struct reduce_options *r, struct text *units, struct err *e);

/* Does the result of the reduction hold, by every check and through the compiler's own driver?
 * False with one line in e when it does not. */
bool keep_settle(struct keep *k, const struct reduce_options *r, const struct text *units,
                 struct err *e);

/* After a result that did not settle: would it help to give every candidate the time that the
 * result is given?  True, and it is so from here on, for a compiler that only seemed to hang. */
bool keep_wait_longer(struct keep *k);

/* What is kept, for people: "wrong-code of gcc-12 -O3". */
const char *keep_phrase(const struct keep *k);
/* VERDICT_NONE with a script. */
enum verdict keep_verdict(const struct keep *k);
/* Equal for the same question about the same compiler: for resuming. */
uint64_t keep_key(const struct keep *k);

/* The ladder of evidence for the claim with this program; strings live in the arena.  Needs a
 * verdict. */
bool keep_gather(struct keep *k, const struct text *units, const struct reduce_expect *x,
                 struct arena *a, struct evidence *out, struct err *e);

/* A script that asks the same of the files in the current folder, for creduce and cvise; with
 * sanitizers as guards where the program is run. */
bool keep_write_script(struct keep *k, struct text *out, struct err *e);

#endif
