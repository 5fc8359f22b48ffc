/* Words on our command line that are the compiler's: its flags, and whole commands. */
#ifndef CMD_CFLAGS_H
#define CMD_CFLAGS_H

#include "base/base.h"
#include "cc/cc.h"
#include "cmd/cmd.h"
#include "lang/lang.h"

struct cflags {
    struct list flags;     /* -I, -D, -U, -std=, -include, -isystem, -iquote, -f..., -m..., -O... */
    struct list libraries; /* -l, -L, -pthread */
};

/* Moves them with their values out of argv, but for the values of the command's own options; a NULL
 * stands behind the last of each list. */
void cmd_take_cflags(const struct usage *u, int *argc, char **argv, struct cflags *out);
/* The first flag (NULL at the end) that gives types another size, sign or layout than the target's;
 * NULL: none does. */
const char *cmd_odd_flag(char *const *flags, const struct target *target);
/* The first one that has characters encoded, or floats computed, in another way than the machine
 * does; NULL: none. */
const char *cmd_odd_character_flag(char *const *flags);
const char *cmd_odd_float_flag(char *const *flags);
/* Puts the flags behind those that each configuration has. */
void cmd_apply_cflags(struct arena *a, const struct cflags *f, struct cc_config *configs, size_t n);

/* The configuration with the words that another one gives its preprocessor (-D, -I, -std= ...) in
 * place of its own.  *word: one that only one of them has; NULL when they have the same. */
struct cc_config cmd_with_text_of(struct arena *a, const struct cc_config *config,
                                  const struct cc_config *other, const char **word);
/* --cc TEXT [--run TEXT] ..., as OPTION_TAGGED collects them, in order. */
bool cmd_read_configs(struct arena *a, const struct list *tagged, struct cc_config **out, size_t *n,
                      struct err *e);

#endif
