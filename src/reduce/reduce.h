/* reduce: shrinks a program while a predicate holds.
 *
 * Takes the preprocessed texts of a program's units and a callback that says whether a smaller
 * program is still interesting.  Sees no compiler: what "interesting" means is the caller's.
 *
 * A candidate is the program with some hints applied.  A hint is a set of patches of the text,
 * made by a pass (a row of passes.def) from the typed tree and from what the machine knows of the
 * execution; one hint may touch many places, such as a function and all of its calls.  Every
 * candidate is read, and printed anew, before anybody else sees it, so it parses and type-checks;
 * and where the program must be defined, it is executed exactly: an undefined candidate costs less
 * than a millisecond and no compiler.  What cannot be read at all is shrunk by tokens and lines,
 * with the same machinery.
 *
 * Nothing is random, and nothing depends on the number of jobs: the same program and predicate
 * give the same result. */
#ifndef REDUCE_REDUCE_H
#define REDUCE_REDUCE_H

#include "base/base.h"
#include "lang/lang.h"

/* What a candidate must be before the predicate is asked. */
enum reduce_filter {
    REDUCE_TEXT,   /* anything */
    REDUCE_VALID,  /* a program that we can read */
    REDUCE_DEFINED /* and whose execution is defined and ends */
};

/* The machine's prediction; known only with REDUCE_DEFINED. */
struct reduce_expect {
    bool known;
    const char *out;
    size_t out_size;
    int status;
};

struct reduce_size {
    size_t tokens, words, bytes; /* words: names and keywords among the tokens */
    size_t lines;                /* without blank lines */
};

struct reduce_candidate {
    const struct text *units;
    size_t count;
    struct reduce_expect expect;
};

/* Is it still interesting?  Called from up to `jobs` threads, worker being 0 .. jobs-1.  False with
 * e set when the world fails: that ends the reduction. */
typedef bool reduce_test_fn(void *context, const struct reduce_candidate *c, unsigned worker,
                            bool *holds, struct err *e);

struct reduce_progress {
    const char *pass;
    struct reduce_size first, now;
    size_t tries;    /* candidates that the predicate saw */
    size_t rejected; /* that it never saw: ill-formed, undefined, endless */
    size_t kept;
    double share; /* of what could be gained that seems to be done, 0 .. 1; a guess */
};

struct reduce_options {
    enum reduce_filter filter;
    const struct target *target; /* NULL: lp64 */
    bool guard;        /* with REDUCE_VALID: what can be executed after all must be defined */
    bool has_main;     /* with REDUCE_VALID: main and what it needs must stay */
    bool main_returns; /* main must end with a return: somebody does not know that it need not */
    bool keeps_output; /* what is printed is not moved into the exit status: somebody gets that
                          wrong */
    const char *input; /* the program's stdin */
    size_t input_size;
    char *const *args; /* its arguments, NULL at the end; NULL: none */
    unsigned jobs;
    double cpu; /* seconds of ours and of our jobs, then it stops; 0: no limit */
    reduce_test_fn *test;
    reduce_test_fn *confirm; /* asked of what would be kept, by worker 0: costly checks; or NULL */
    bool lazy; /* while the program is large confirm may wait: what it refuses then is undone */
    void *predicate;             /* context of these two; that of the others is below */
    bool (*stop)(void *context); /* or NULL */
    void (*progress)(void *context, const struct reduce_progress *p); /* or NULL */
    /* The best so far has changed: for keeping it on disk; or NULL. */
    void (*better)(void *context, const struct text *units, size_t count);
    void *context;
};

/* What a pass did. */
struct reduce_pass_report {
    const char *name, *phrase;
    size_t runs, hints, tries, kept; /* hints made, candidates tried and kept */
    size_t tokens, bytes;            /* that went */
};

struct reduce_report {
    struct reduce_size first, last;
    size_t tries, rejected, kept, cycles;
    double cpu, wall;
    bool complete; /* nothing is left to try; false after a stop or at the end of the budget */
    struct reduce_expect expect; /* of the result; in the report's arena */
    struct reduce_pass_report *passes;
    size_t pass_count;
    struct arena arena;
};

/* How much of it can be read and executed: what the filter may be at most.  Strings are in the
 * arena. */
struct reduce_reach {
    enum reduce_filter filter;
    struct reduce_expect expect; /* of the program as it is */
    const char *why;             /* what stands in the way of the next; "" when nothing does */
    bool undefined;              /* it is executed, and that is undefined: not merely unknown */
    const char *open;            /* what C leaves open and it depends on; NULL when nothing is */
};
/* No further than o->filter. */
void reduce_reach(const struct reduce_options *o, const struct text *units, size_t count,
                  struct arena *a, struct reduce_reach *out);

/* Shrinks in place.  Needs: the program as it is passes the filter and the predicate (reduce_check
 * says so).  The report is the caller's to free with reduce_report_free. */
bool reduce_run(const struct reduce_options *o, struct text *units, size_t count,
                struct reduce_report *r, struct err *e);
void reduce_report_free(struct reduce_report *r);

/* Does the predicate hold for the program as it is, as the passes will show it? */
bool reduce_check(const struct reduce_options *o, const struct text *units, size_t count,
                  bool *holds, struct err *e);

/* ---- pairs: pair.c ------------------------------------------------------------------------ */

/* A question about two texts made from one program: does the compiler do as well with the second,
 * which does the same, as with the first? */
struct reduce_pair {
    const struct reduce_options *options; /* those of the reduction: how the second text is read */
    /* Makes the second program from the first, each unit into an empty text; *made false when there
     * is nothing to make: then the candidate is not interesting.  Called from many threads. */
    bool (*make)(void *context, const struct reduce_candidate *first, unsigned worker,
                 struct text *second, bool *made, struct err *e);
    /* Is the pair interesting?  Asked only when the second passes the filter, too, and, if the
     * reduction knows what the first does, does the same by the machine's word.  It is laid out as
     * the first is, and its expectation is the same. */
    bool (*test)(void *context, const struct reduce_candidate *first,
                 const struct reduce_candidate *second, unsigned worker, bool *holds,
                 struct err *e);
    void *context;
};
/* As `test` of the options, whose predicate is then a struct reduce_pair. */
reduce_test_fn reduce_test_pair;

/* The units as the passes will show them: printed anew, or, when they cannot be read, without
 * comments. */
void reduce_lay_out(const struct reduce_options *o, struct text *units, size_t count);

/* The same tokens in as few bytes as they need, when the predicate holds for that, too. */
bool reduce_pack(const struct reduce_options *o, const struct reduce_expect *x, struct text *units,
                 size_t count, struct err *e);

struct reduce_size reduce_measure(const struct text *units, size_t count);

#endif
