/* Private to emi. */
#ifndef EMI_PRIVATE_H
#define EMI_PRIVATE_H

#include "emi/emi.h"

/* Preprocesses and parses; e has the first error.  Without `whole`, the program's text has lost
 * what headers declare in vain. */
bool emi_parse(const struct front_source *source, bool whole, struct program **program,
               struct err *e);
/* Fills s->facts by compiling and running the program with marks in it. */
bool emi_coverage(struct emi_subject *s, enum emi_source how, struct cc_lab *lab, struct err *e);
/* What an instrumented unit needs in front of it: hits go to the file at path, which is there and
 * has count + 1 bytes. */
void emi_probe_prologue(struct text *out, const char *path, uint32_t count);

#endif
