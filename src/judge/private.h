/* Private to judge: the functions that verdict.def names in its column `again`, and what they
 * need. */
#ifndef JUDGE_PRIVATE_H
#define JUDGE_PRIVATE_H

#include "judge/judge.h"

#define VERDICT(id, name, subject, signature, shown, again, ...) verdict_again_fn again_##again;
#include "judge/verdict.def"

/* A hash of everything in an ELF object that is executed, and of the names of the sections that it
 * stands in: object.c.  False for what is no object. */
bool object_hash_code(const struct text *object, uint64_t *hash);

/* What other sanitizers said: sanitizer.c. */
struct sanitizer_votes {
    size_t reports, silent;
};
bool sanitizer_ask_others(struct cc_lab *lab, const struct judge_claim *c,
                          const struct judge_tools *tools, struct arena *a,
                          struct sanitizer_votes *out, struct err *e);
verdict_signature_fn signature_REPORT;

#endif
