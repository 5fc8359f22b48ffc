/* Private to emi. */
#ifndef EMI_PRIVATE_H
#define EMI_PRIVATE_H

#include "emi/emi.h"

/* Preprocesses and parses; e has the first error.  Without `whole`, the program's text has lost
 * what headers declare in vain. */
bool emi_parse(const struct front_source *source, bool whole, struct program **program,
               enum emi_refusal *why, struct err *e);
/* The compiler whose program was seen to run, without optimisation: facts that are not the
 * machine's are of that. */
bool emi_facts_config(const struct emi_subject *s, struct arena *a, struct cc_config *out,
                      struct err *e);
/* Fills s->facts by compiling and running the program with marks in it. */
bool emi_coverage(struct emi_subject *s, enum emi_source how, struct cc_lab *lab, struct err *e);
/* What an instrumented unit needs in front of it: hits go to the file at path, which is there and
 * has count + 1 bytes. */
void emi_probe_prologue(struct text *out, const char *path, uint32_t count);
/* After so many layouts, counted from 1, each string has lain at each distance from a multiple
 * of 16. */
enum { EMI_LAYOUTS = 16 };
/* Goes before a unit, and moves what it has in memory: strings by as many bytes as the layout says,
 * if cc reads GNU's assembly; constants and variables by other numbers. */
void emi_move_things(struct text *out, const char *cc, unsigned layout, uint64_t unit);
/* The unit as it is, but for everything's place in memory: code, frames, strings and variables. */
void emi_moved_text(struct program *p, const char *cc, unsigned layout, struct text *out);
/* Runs it again, with everything elsewhere in memory: does nothing run that the facts do not have?
 */
bool emi_facts_hold(const struct emi_subject *s, struct cc_lab *lab, bool *hold, struct err *e);

/* Compilers of other families than this one, for the same machine: struct cc_config.  Those of
 * `others` come first. */
void emi_second_opinions(struct arena *a, const struct cc_config *config,
                         const struct cc_config *others, size_t n, struct list *out);

/* What an object holds, but for what only debuggers read; 0 when there is no such file. */
uint64_t emi_code_hash(const char *path);

/* What the builds of a project under one configuration have given so far.  An object is a name
 * that tells the command, its sources and the code that came of them. */
struct emi_builds {
    struct map objects; /* whose they were first */
    struct map results; /* of whole builds: int */
    bool late;          /* the tests compile, too: objects tell nothing before these have run */
};

/* The objects that the wrapper has noted in this folder. */
bool emi_objects_list(struct arena *a, const char *folder, struct list *objects, struct err *e);
/* What became of an earlier build with all the same objects; NULL when there was none. */
const int *emi_builds_find(const struct emi_builds *b, struct arena *a, const struct list *objects);
void emi_builds_add(struct emi_builds *b, struct arena *a, const struct list *objects, int result);
/* Counts a variant's objects; with no count, those of the original. */
void emi_builds_count(struct emi_builds *b, struct arena *a, const struct list *objects,
                      struct emi_objects *count);

#endif
