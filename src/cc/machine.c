/* Which machine a command's programs are for, and what runs them there.  Takes a command or a
 * triple, yields the emulator's words; starts nothing. */
#include "cc/probe.h"

#include <string.h>

static const struct {
    const char *start, *command;
    unsigned share;
} rows[] = {
#define EMULATOR(start, command, rounding, share) {start, command, share},
#include "cc/emulator.def"
};

/* Where Debian has the machine's libraries: its triple without the vendor, who may be named, and
 * without a compiler's name. */
static const char *folder_of(struct arena *a, const char *triple)
{
    static const char *const vendors[] = {"-unknown-", "-none-", "-pc-"};
    const char *gcc = strstr(triple, "-gcc");
    size_t n = gcc ? (size_t)(gcc - triple) : strlen(triple);
    for (size_t i = 0; i < LENGTH(vendors); i++) {
        const char *vendor = strstr(triple, vendors[i]);
        if (vendor && vendor < triple + n)
            return arena_printf(a, "%.*s%.*s", (int)(vendor - triple), triple,
                                (int)(triple + n - (vendor + strlen(vendors[i]) - 1)),
                                vendor + strlen(vendors[i]) - 1);
    }
    return arena_printf(a, "%.*s", (int)n, triple);
}

const char *machine_emulator_of(struct arena *a, const char *triple)
{
    for (size_t i = 0; i < LENGTH(rows); i++) {
        if (!str_has_prefix(triple, rows[i].start))
            continue;
        const char *place = strstr(rows[i].command, "%s");
        return arena_printf(a, "%.*s%s", (int)(place - rows[i].command), rows[i].command,
                            folder_of(a, triple));
    }
    return "";
}

/* The machine that the words name, as clang takes it; NULL for none. */
static const char *named_target(char *const *argv)
{
    const char *triple = NULL;
    for (size_t i = 1; argv[i]; i++)
        if (str_has_prefix(argv[i], "--target="))
            triple = argv[i] + strlen("--target=");
        else if (strcmp(argv[i], "-target") == 0 && argv[i + 1])
            triple = argv[i + 1];
    return triple;
}

const char *cc_config_machine(const struct cc_config *config)
{
    const char *triple = named_target(config->argv), *slash = strrchr(config->argv[0], '/');
    return triple ? triple : slash ? slash + 1 : config->argv[0];
}

bool cc_config_is_bare(const struct cc_config *config)
{
    size_t i = 1;
    while (config->argv[i])
        if (str_has_prefix(config->argv[i], "--target="))
            i++;
        else if (strcmp(config->argv[i], "-target") == 0 && config->argv[i + 1])
            i += 2;
        else
            return false;
    return true;
}

/* What runs its programs.  Where the words name the machine they may be meant to be compiled only:
 * then a machine that cannot be had is none. */
const char *machine_emulator(struct arena *a, const struct cc_config *config)
{
    const char *command = machine_emulator_of(a, cc_config_machine(config));
    char **words = str_split_command(a, command, NULL);
    bool there = words && words[0] && sys_find_program(a, words[0]);
    for (size_t i = 1; there && words[i]; i++)
        there = words[i][0] != '/' || sys_file_stamp(a, words[i]);
    return there || !named_target(config->argv) ? command : "";
}

/* ---- machines beside a compiler's own ------------------------------------------------------ */

/* Can programs for it be linked and run here, as a cross compiler shows? */
static bool is_machine(const struct cc *cc)
{
    return cc->runnable && *cc->emulator && strstr(cc->target, "-linux-");
}

static unsigned share_of(const char *triple)
{
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (str_has_prefix(triple, rows[i].start))
            return rows[i].share;
    return 0;
}

static bool contains(const struct list *triples, const char *triple)
{
    for (size_t i = 0; i < triples->n; i++)
        if (strcmp(triples->at[i], triple) == 0)
            return true;
    return false;
}

void cc_draw_machines(struct arena *a, const struct cc_list *found, struct rng r, size_t n,
                      struct list *triples)
{
    while (triples->n < n) {
        const char *chosen = NULL;
        uint64_t sum = 0;
        for (size_t i = 0; i < found->n; i++) {
            const struct cc *cc = &found->at[i];
            unsigned share = is_machine(cc) && !contains(triples, cc->target) ? share_of(cc->target)
                                                                              : 0;
            sum += share;
            if (share && rng_below(&r, sum) < share)
                chosen = cc->target;
        }
        if (!chosen)
            return;
        list_add(a, triples, (char *)chosen);
    }
}
