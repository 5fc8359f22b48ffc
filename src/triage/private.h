/* Private to triage: one search for a culprit, and the ways to go about it. */
#ifndef TRIAGE_PRIVATE_H
#define TRIAGE_PRIVATE_H

#include "triage/triage.h"

/* What one more compilation, with other flags, shows. */
enum answer {
    ANSWER_NONE,  /* nobody was asked: the budget is spent */
    ANSWER_SHOWN, /* the bug is there */
    ANSWER_GONE,  /* the compiler does its work */
    ANSWER_OTHER  /* neither: the flags are refused, something else goes wrong */
};

struct search {
    const struct triage_job *job;
    struct arena *a;
    struct err *e;
    struct triage_blame *out;
    enum answer plain; /* at -O0, when it was asked; else ANSWER_NONE */
    bool failed;       /* our machine did: e says why, and every answer is ANSWER_NONE */
};

/* Tries the claim's configuration with these words behind it. */
enum answer search_ask(struct search *s, char *const *words);
/* The same, and what the compiler said on stderr. */
enum answer search_listen(struct search *s, char *const *words, const char **said);
/* The same at another level. */
enum answer search_level(struct search *s, const char *level);

/* The claim's own configuration, where another version may say the same crash in other words. */
enum answer search_like(struct search *s);
/* Does it happen without optimisation? */
bool search_shows_plainly(struct search *s);

/* The words that ask for step n of some order; they end with NULL.  In the arena. */
typedef char **search_words_fn(struct search *s, const void *context, size_t n);
/* Finds the least n in (low, high] whose answer is `want` though n - 1 answers otherwise.  Needs:
 * high answers `want`, low does not.  0 when the budget is spent. */
size_t search_least(struct search *s, search_words_fn *words, const void *context, size_t low,
                    size_t high, enum answer want);

/* The name that a step of Clang's pipeline has in every version: "InstCombinePass" and
 * "instcombine" are one. */
const char *pass_name_llvm(struct arena *a, const char *printed);
/* A pass of GCC's without the number of its instance: tree-vrp1 is tree-vrp. */
const char *pass_name_gcc(struct arena *a, const char *printed);

/* A way: fills in search.out's pass, detail and switches; leaves pass "" when it found nothing. */
typedef void blame_fn(struct search *s);
#define METHOD(id, ...) blame_fn blame_##id;
#include "triage/method.def"

#endif
