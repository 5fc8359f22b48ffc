/* GCC's culprit, in three ways: debug counters (-fdbg-cnt), passes (-fdisable-X), options (-fno-X).
 * Each has an order of things that can be switched off, latest in the pipeline first; the least
 * number of them from the start that makes the bug go away ends in the culprit.  So of several
 * culprits the last one in pipeline order is named, in a handful of compilations.
 *
 * Counters are there at -O0 too; what happens there is no pass's and no option's. */
#include "triage/private.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* One thing that can be switched off. */
struct knob {
    const char *name;
    size_t total; /* of a counter: how often it counts */
    int rank;     /* low ones are switched off first */
};

struct knobs {
    struct knob *at;
    size_t n, room;
};

static void add_knob(struct arena *a, struct knobs *k, struct knob knob)
{
    size_t i = k->n;
    if (k->n == k->room) {
        k->room = k->room ? 2 * k->room : 64;
        k->at = arena_grow(a, k->at, k->n, k->room, sizeof *k->at);
    }
    for (; i && k->at[i - 1].rank > knob.rank; i--)
        k->at[i] = k->at[i - 1];
    k->at[i] = knob;
    k->n++;
}

/* The next line, and past it; NULL at the end. */
static char *take_line(struct arena *a, const char **text)
{
    const char *p = *text;
    if (!*p)
        return NULL;
    size_t n = strcspn(p, "\n");
    *text = p + n + (p[n] == '\n');
    return arena_copy(a, p, n);
}

/* The least number of knobs without which it does not happen; 0 for none. */
static size_t find_culprit(struct search *s, const struct knobs *k, search_words_fn *words)
{
    if (!k->n || search_ask(s, words(s, k, k->n)) != ANSWER_GONE)
        return 0;
    return search_least(s, words, k, 0, k->n, ANSWER_GONE);
}

static char **one_word(struct search *s, const char *word)
{
    struct list words = {0};
    list_add(s->a, &words, (char *)word);
    list_add(s->a, &words, NULL);
    return (char **)words.at;
}

/* ---- counters ------------------------------------------------------------------------- */

/* Where in the pipeline it counts; late ones are low, and -1 is one to leave alone. */
static int counter_rank(const char *name)
{
    static const char *const order[] = {
#define COUNTER(name) #name,
#define UNSAFE(name)
#include "triage/counter.def"
    };
    static const char *const unsafe[] = {
#define COUNTER(name)
#define UNSAFE(name) #name,
#include "triage/counter.def"
    };
    for (size_t i = 0; i < LENGTH(unsafe); i++)
        if (strcmp(unsafe[i], name) == 0)
            return -1;
    for (size_t i = 0; i < LENGTH(order); i++)
        if (strcmp(order[i], name) == 0)
            return (int)i;
    return LENGTH(order);
}

/* "  vect_loop      3      unset" */
static void read_counters(struct arena *a, const char *said, struct knobs *out)
{
    for (char *line; (line = take_line(a, &said));) {
        char name[64], state[8];
        unsigned long total;
        if (sscanf(line, " %63[a-z0-9_] %lu %5[unset]", name, &total, state) == 3 && total &&
            counter_rank(name) >= 0)
            add_knob(a, out,
                     (struct knob){arena_string(a, name), (size_t)total, counter_rank(name)});
    }
}

/* The first n never count. */
static char **counters_off(struct search *s, const void *context, size_t n)
{
    const struct knobs *k = context;
    struct text list = {0};
    for (size_t i = 0; i < n; i++)
        text_printf(&list, "%s%s:0", i ? "," : "-fdbg-cnt=", k->at[i].name);
    char **words = one_word(s, arena_string(s->a, text_str(&list)));
    text_free(&list);
    return words;
}

static char **counter_up_to(struct search *s, const void *context, size_t n)
{
    const struct knob *k = context;
    return one_word(s, arena_printf(s->a, "-fdbg-cnt=%s:%zu", k->name, n));
}

/* Which of its counts, when it is enough to stop this one. */
static void find_count(struct search *s, const struct knob *k)
{
    if (search_ask(s, counter_up_to(s, k, 0)) != ANSWER_GONE) {
        s->out->detail = "together with others";
        return;
    }
    size_t n = search_least(s, counter_up_to, k, 0, k->total, ANSWER_SHOWN);
    if (!n)
        return;
    s->out->detail = arena_printf(s->a, "count %zu of %zu", n, k->total);
    s->out->switches = *counter_up_to(s, k, n - 1);
}

void blame_COUNTER(struct search *s)
{
    const char *said;
    struct knobs counters = {0};
    if (search_listen(s, one_word(s, "-fdbg-cnt-list"), &said) != ANSWER_SHOWN)
        return;
    read_counters(s->a, said, &counters);
    size_t n = find_culprit(s, &counters, counters_off);
    if (!n)
        return;
    s->out->pass = arena_printf(s->a, "dbg-cnt %s", counters.at[n - 1].name);
    s->out->switches = *counters_off(s, &counters, n);
    if (!s->job->roughly)
        find_count(s, &counters.at[n - 1]);
}

/* ---- passes --------------------------------------------------------------------------- */

/* Without these there is no code, or no sound one. */
static bool is_lowering(const char *name)
{
    static const char *const names[] = {
#define LOWERING(name) name,
#include "triage/lowering.def"
    };
    for (size_t i = 0; i < LENGTH(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* "   tree-vrp1      :  ON": in the order of the pipeline. */
static void read_passes(struct arena *a, const char *said, struct knobs *out)
{
    int place = 0;
    for (char *line; (line = take_line(a, &said));) {
        char *colon = strstr(line, ":  ON");
        char *name = line + strspn(line, " ");
        if (!colon || *name == '*')
            continue;
        while (colon > name && isspace((unsigned char)colon[-1]))
            colon--;
        *colon = '\0';
        if (!is_lowering(pass_name_gcc(a, name)))
            add_knob(a, out, (struct knob){name, 0, -place++});
    }
}

/* The loop vectoriser cannot be disabled as a pass: if-conversion leaves it the rest of its work.
 */
static const char *pass_off(struct arena *a, const char *name)
{
    return strcmp(name, "tree-vect") == 0 ? "-fno-tree-loop-vectorize"
                                          : arena_printf(a, "-fdisable-%s", name);
}

static char **passes_off(struct search *s, const void *context, size_t n)
{
    const struct knobs *k = context;
    struct list words = {0};
    for (size_t i = 0; i < n; i++)
        list_add(s->a, &words, (char *)pass_off(s->a, k->at[i].name));
    list_add(s->a, &words, NULL);
    return (char **)words.at;
}

void blame_DISABLE(struct search *s)
{
    const char *said;
    struct knobs passes = {0};
    if (search_listen(s, one_word(s, "-fdump-passes"), &said) != ANSWER_SHOWN)
        return;
    read_passes(s->a, said, &passes);
    if (!passes.n || search_shows_plainly(s))
        return;
    size_t n = find_culprit(s, &passes, passes_off);
    if (!n)
        return;
    const char *name = passes.at[n - 1].name, *alone = pass_off(s->a, name);
    s->out->pass = pass_name_gcc(s->a, name);
    s->out->detail = name;
    if (!s->job->roughly && search_ask(s, one_word(s, alone)) == ANSWER_GONE)
        s->out->switches = alone;
}

/* ---- options -------------------------------------------------------------------------- */

/* What `-Q --help=optimizers` says of the claim's configuration at a level; NULL: its own. */
static const char *ask_options(struct search *s, const char *level)
{
    static char *const words[] = {"-Q", "--help=optimizers", NULL};
    struct cc_config config = *s->job->claim->config;
    if (level)
        config = cc_config_at(s->a, &config, level);
    config = cc_config_with(s->a, &config, words);
    const char *said = cc_ask(s->job->lab, s->a, config.argv);
    return said ? said : "";
}

/* "  -ftree-vrp                  [enabled]" to "tree-vrp"; NULL for another line. */
static const char *enabled_option(struct arena *a, const char *line)
{
    char name[80], state[16];
    if (sscanf(line, " -f%79[a-z0-9-] [%15[a-z]", name, state) != 2 || strcmp(state, "enabled"))
        return NULL;
    return arena_string(a, name);
}

/* What optimisation switches on.  The rest is the language. */
static void read_options(struct search *s, struct knobs *out)
{
    struct map always = {0};
    const char *plain = ask_options(s, "-O0"), *own = ask_options(s, NULL);
    const char *name;
    for (char *line; (line = take_line(s->a, &plain));)
        if ((name = enabled_option(s->a, line)))
            map_set(s->a, &always, name, &always);
    for (char *line; (line = take_line(s->a, &own));)
        if ((name = enabled_option(s->a, line)) && !map_get(&always, name))
            add_knob(s->a, out, (struct knob){name, 0, 0});
}

static char **options_off(struct search *s, const void *context, size_t n)
{
    const struct knobs *k = context;
    struct list words = {0};
    for (size_t i = 0; i < n; i++)
        list_add(s->a, &words, arena_printf(s->a, "-fno-%s", k->at[i].name));
    list_add(s->a, &words, NULL);
    return (char **)words.at;
}

void blame_FLAG(struct search *s)
{
    struct knobs options = {0};
    if (search_shows_plainly(s))
        return;
    read_options(s, &options);
    size_t n = find_culprit(s, &options, options_off);
    if (!n)
        return;
    const char *alone = arena_printf(s->a, "-fno-%s", options.at[n - 1].name);
    s->out->pass = arena_printf(s->a, "-f%s", options.at[n - 1].name);
    if (!s->job->roughly && search_ask(s, one_word(s, alone)) == ANSWER_GONE)
        s->out->switches = alone;
}
