/* report: a finding as people and scripts want to see it.  Takes a struct finding, yields the files
 * of its folder: the program, what was expected and what happened, report.txt, reproduce.sh and
 * finding.json.  Nothing in the folder needs cupel to be read or run. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "finding/finding.h"

/* Everything, into the folder, which is made; what stands there already is written over. */
bool report_write_folder(const char *folder, const struct finding *f, struct err *e);
/* report.txt: what, where, and why we believe it. */
void report_text(const struct finding *f, struct text *out);
/* reproduce.sh: exits 1 while the bug is there. */
void report_script(const struct finding *f, struct text *out);

#endif
