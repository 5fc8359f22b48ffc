/* Cycles by llvm-mca, where one is installed: what a processor would need for code that runs from
 * its first line to its last.  A second opinion beside the table of mnemonic.def, for findings
 * only. */
#include "missed/private.h"

#include <stdlib.h>
#include <string.h>

/* The newest one, under Debian's names too. */
static char *find_mca(struct arena *a)
{
    char *found = sys_find_program(a, "llvm-mca");
    for (unsigned version = 30; version >= 11 && !found; version--)
        found = sys_find_program(a, arena_printf(a, "llvm-mca-%u", version));
    return found;
}

static const char *triple_of(const struct missed_compiler *by)
{
    if (by->isa == MISSED_AARCH64)
        return "-mtriple=aarch64";
    return strcmp(by->target, lang_target(TARGET_ILP32)->name) == 0 ? "-mtriple=i386"
                                                                    : "-mtriple=x86_64";
}

bool mca_cycles(struct cc_lab *lab, const struct missed_compiler *by, const char *code,
                struct arena *a, double *cycles, struct err *e)
{
    static const char words[] = "Total Cycles:";
    char *mca = find_mca(a), *path = arena_printf(a, "%s-code.s", lab->dir);
    *cycles = 0;
    if (!mca || !*code)
        return true;
    if (!sys_write_file(path, code, strlen(code), e))
        return false;
    char *argv[] = {mca,
                    (char *)triple_of(by),
                    "-iterations=100",
                    "-instruction-info=0",
                    "-resource-pressure=0",
                    path,
                    NULL};
    const char *said = cc_ask(lab, a, argv);
    const char *at = said ? strstr(said, words) : NULL;
    *cycles = at ? strtod(at + strlen(words), NULL) : 0;
    return true;
}
