/* finding: what a campaign found, as one type from the worker that saw it to the report that a
 * person reads.  Its JSON (finding.json in a finding's folder, the store's detail, `cupel show
 * --json`) is written and read in json.c only.
 *
 * Strings and bytes belong to whoever made the finding: an arena, mostly. */
#ifndef FINDING_FINDING_H
#define FINDING_FINDING_H

#include "base/base.h"
#include "judge/judge.h"

struct json_t;

/* Who is accused of what. */
struct finding_claim {
    const char *key;       /* equal for what is taken to be the same bug */
    enum verdict verdict;  /* VERDICT_NONE: only the key is known, it was seen before */
    const char *config;    /* the command with its flags: "gcc-12 -O3" */
    const char *compiler;  /* that without its level */
    const char *family;    /* gcc; of an unknown one the command itself */
    const char *version;   /* the first line that it says of itself */
    const char *levels;    /* at which it happens: "-O2 -O3" */
    const char *signature; /* what tells bugs of this verdict apart; "" for nothing */
    double limit;          /* see struct judge_claim */
    struct list affected;  /* configurations of the family that show it too: char * */
};

/* Why we believe it. */
struct finding_evidence {
    enum grade grade;
    struct rung_result rungs[RUNG_COUNT];
};

/* The program, and what is known of it. */
struct finding_subject {
    const char *strategy; /* which, with the number, means this program for ever */
    uint64_t number;
    const char *origin; /* the command that makes it again */
    const char *target; /* its data model */
    struct bytes program, expected;
    struct bytes original; /* of a variant: what it was made from; else empty */
    bool compile_only;     /* it is not to be run */
    bool runs, valid;      /* see struct judge_expectation */
    int status;            /* that it is expected to exit with */
    const char *undefined; /* see struct judge_expectation; "" for NULL there */
};

/* What happened instead. */
struct finding_seen {
    const char *end, *message;
    struct bytes output;
    double compile_seconds, compile_megabytes;
};

/* How to show it again. */
struct finding_again {
    const char *command, *emulator;
    double run_timeout, compile_timeout;
};

/* The smallest program so far that shows it. */
struct finding_reduced {
    struct bytes program, expected; /* empty: none yet */
    int status;
    uint64_t lines, bytes, tries;
    double cpu;               /* seconds that it took so far */
    bool complete;            /* nothing is left to try, or it cannot be tried: see why */
    const char *why;          /* that it cannot be reduced; "" when it can */
    bool slid;                /* an earlier result showed another bug: what goes wrong is kept */
    enum grade grade;         /* of the evidence for it; only when complete */
    struct finding_seen seen; /* what happens with it; its strings are NULL when nobody looked */
};

/* What is to blame. */
struct finding_blame {
    const char *pass;   /* or the shape of what goes wrong first; "" when it is not known */
    const char *detail; /* which instance, where; "" for nothing */
    const char *wrong;  /* the first expression that goes wrong, as written; "" for nothing */
    bool done;
};

/* Code that could be better: the program is subject.program, its twin, which means the same and
 * gets better code, subject.original.  All "" for other verdicts. */
struct finding_missed {
    const char *identity;  /* one line: what the compiler did not see */
    const char *code;      /* of the program, by the accused */
    const char *twin_code; /* of the twin, by the accused; "" without one */
    const char *better;    /* the command of who does better; "" for nobody */
    const char *better_code;
};

struct finding {
    uint64_t id, count;  /* in its campaign; 0 for none yet */
    int64_t first, last; /* seconds since 1970 */
    bool muted;
    uint64_t same_as;   /* the finding that stands for this bug; 0: this one does */
    uint64_t merged;    /* others that this one stands for: their counts are in its own */
    const char *bug;    /* the signature that triage gave it; "" before that */
    const char *triage; /* what triage found out, as triage.h's JSON; "" for nothing */
    bool named;         /* triage has had its say */
    const char *what;   /* of one that is brief: see finding_put_what */
    struct finding_claim claim;
    struct finding_evidence evidence;
    struct finding_subject subject;
    struct finding_seen seen;
    struct finding_again again;
    struct finding_reduced reduced;
    struct finding_blame blame;
    struct finding_missed missed;
};

/* What is wrong, on one line and never empty: what.c. */
void finding_put_what(const struct finding *f, struct text *out);
/* What of that a list shows: a message can be megabytes. */
void finding_put_line(const struct finding *f, struct text *out);

/* BRIEF: what a list shows; FULL: everything. */
enum finding_detail { FINDING_BRIEF, FINDING_FULL };

/* The caller's to free. */
struct json_t *finding_to_json(const struct finding *f, enum finding_detail detail);
/* Copies into the arena; false for what is no finding. */
bool finding_from_json(struct arena *a, const struct json_t *j, struct finding *out);
/* The same from and to text, for the store. */
char *finding_to_text(struct arena *a, const struct finding *f);
bool finding_from_text(struct arena *a, const char *text, struct finding *out);

/* Its claim as judge knows it; *expect is filled in and belongs to the caller. */
struct judge_claim finding_judge_claim(const struct finding *f, struct judge_expectation *expect);

#endif
