/* judge: outcomes to verdict.  Takes what each configuration did with one program and says who
 * behaves alike, who is right, and who has to answer for something.  Runs nothing.
 *
 * Behaviour is compared between configurations for the same machine only: another machine's
 * int, char or byte order may rightly give another output. */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "base/base.h"
#include "cc/cc.h"

enum judge_mark {
    MARK_AGREES,  /* behaves as expected, or as the majority does */
    MARK_DIFFERS, /* behaves otherwise */
    MARK_UNCLEAR, /* behaviours differ and there is no majority */
    MARK_FAULT,   /* the compiler crashed, hung ... */
    MARK_REFUSED, /* rejects what others accept */
    MARK_SILENT   /* says nothing: could not be tried, or too slow to tell */
};

/* One distinct behaviour: the same output, exit status or signal on every input. */
struct judge_group {
    size_t first;   /* an outcome that behaves so */
    size_t members; /* configurations */
    bool expected;  /* prints what was expected */
};

struct judge_case {
    const struct cc_config *configs;
    const struct outcome *outcomes;
    size_t n;
    /* wanted stdout per input, or NULL: then the majority is taken to be right */
    const struct text *expected;
    uint32_t expected_machine; /* the expectation is for this machine only; 0: for all */
    double run_timeout;
};

struct judgement {
    enum judge_mark *marks; /* per outcome */
    int *group_of;          /* per outcome, index into groups; -1 when it did not run */
    bool *slow, *large;     /* per outcome: compile time or memory far above its siblings */
    struct judge_group *groups;
    size_t group_count;
    size_t counts[MARK_SILENT + 1];
    bool built;     /* at least one configuration compiled and ran it */
    bool too_slow;  /* some runs were cut off, and others were not much faster */
    bool no_answer; /* something of ours failed: a full disk, a missing compiler ... */
};

/* Needs: every outcome is filled in.  Everything in the judgement lives in the arena. */
void judge_outcomes(struct arena *a, const struct judge_case *c, struct judgement *out);

/* Is anything there to report? */
bool judge_found_something(const struct judgement *j);

#endif
