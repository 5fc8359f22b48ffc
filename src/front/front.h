/* front: C text to program.
 *
 * Text is preprocessed as the user's own compiler does it (see cpp), or by that compiler.  A
 * hand-written parser reads the result: C11, the GNU C that real projects and glibc's headers use,
 * and the parts of C23 that gcc and clang share.
 *
 * Consumes preprocessed text with its line markers.  Yields a struct program (see lang.h) and
 * diagnostics in the original source's places.  Never crashes, hangs or leaks on any input:
 * nesting is bounded, and all memory belongs to the program.
 */
#ifndef FRONT_FRONT_H
#define FRONT_FRONT_H

#include "base/base.h"
#include "lang/lang.h"

struct front_options {
    const struct target *target; /* NULL: lp64 */
    const char *file;            /* the name to use where no line marker says one */
    unsigned max_errors;         /* stop after so many; 0: 20 */
};

struct diagnostic {
    uint32_t offset; /* into the program's text */
    struct place place;
    const char *message;
};

struct unit {
    struct program *program; /* never NULL; complete only when error_count is 0 */
    struct diagnostic *errors;
    uint32_t error_count;
};

/* Parses preprocessed text, which is copied.  The program is the caller's to free. */
struct unit front_parse(const char *text, size_t size, const struct front_options *options);

/* What to read, and how the user's compiler preprocesses it. */
struct front_source {
    const char *path;            /* "-" is stdin; *.i is taken as preprocessed already */
    const char *cc;              /* command, with or without flags; NULL: gcc */
    char *const *flags;          /* -I, -D, -std=... as given; NULL-terminated, or NULL */
    const struct target *target; /* NULL: as the flags say */
    double timeout;              /* seconds; 0: 60 */
    double cpu;                  /* seconds of CPU time; then timeout follows from it; 0: any */
    bool trusted;                /* it may write where we may: -MD of a project's own build */
    bool inside;                 /* never start the compiler: fail where cpp declines */
};

/* Flags by which gcc says that it is as old as clang and others say that they are: glibc's headers
 * give newer ones what no other compiler reads.  NULL ends. */
extern const char *const front_portable_flags[];

/* Appends the preprocessed text.  False when the file cannot be read, the compiler not be
 * started, or it complains: the first line of what it said is in e. */
bool front_preprocess(const struct front_source *s, struct text *out, struct err *e);
/* The same into an emptied text, and by gcc where the source's own compiler cannot. */
bool front_preprocess_anyhow(const struct front_source *s, struct text *out, struct err *e);
/* What the flags say about the target. */
struct front_options front_options_of(const struct front_source *s);

/* "file:line:col: error: message", the line and a caret, for each error. */
void front_print_errors(const struct unit *u, struct text *out);

#endif
