/* How much two pieces of assembly differ.  Takes the text that -S writes (AT&T or AArch64), counts
 * the instructions of one function by what they do, and compares counts.  Directives, labels,
 * comments and other functions are not looked at; nothing is assembled or run. */
#include "missed/missed.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- mnemonics ---------------------------------------------------------------------------- */

enum form { FORM_PLAIN, FORM_SIZED, FORM_START };

struct mnemonic {
    enum missed_isa isa;
    const char *name;
    enum form form;
    const char *kind;
    unsigned cost;
};

static const struct mnemonic mnemonics[] = {
#define MNEMONIC(isa, name, form, kind, cost) {MISSED_##isa, name, FORM_##form, kind, cost},
#include "missed/mnemonic.def"
};

static bool is_prefix_word(struct bytes word)
{
    static const char *const words[] = {"rep",  "repe",    "repz",   "repne",
                                        "lock", "notrack", "data16", "bnd"};
    for (size_t i = 0; i < LENGTH(words); i++)
        if (strlen(words[i]) == word.n && memcmp(words[i], word.s, word.n) == 0)
            return true;
    return false;
}

/* How well the row fits: 0 for not at all. */
static size_t fit(const struct mnemonic *m, struct bytes word)
{
    size_t n = strlen(m->name);
    if (n > word.n || memcmp(m->name, word.s, n) != 0)
        return 0;
    if (n == word.n)
        return 1000;
    if (m->form == FORM_SIZED && n + 1 == word.n && strchr("bwlq", word.s[n]))
        return 900;
    return m->form == FORM_START ? n : 0;
}

static const struct mnemonic *find_mnemonic(enum missed_isa isa, struct bytes word)
{
    const struct mnemonic *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < LENGTH(mnemonics); i++) {
        size_t fits = mnemonics[i].isa == isa ? fit(&mnemonics[i], word) : 0;
        if (fits > most) {
            most = fits;
            best = &mnemonics[i];
        }
    }
    return best;
}

/* ---- lines -------------------------------------------------------------------------------- */

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '.' || c == '_' || c == '$';
}

static struct bytes next_line(const char **at)
{
    size_t n = strcspn(*at, "\n");
    struct bytes line = {*at, n};
    *at += n + ((*at)[n] == '\n');
    while (line.n && isspace((unsigned char)line.s[0])) {
        line.s++;
        line.n--;
    }
    return line;
}

/* Without the comment that clang ends a line with. */
static struct bytes without_comment(struct bytes line, enum missed_isa isa)
{
    static const char *const begin[] = {[MISSED_X86] = "#", [MISSED_AARCH64] = "//"};
    size_t n = strlen(begin[isa]), end = 0;
    while (end + n <= line.n && memcmp(line.s + end, begin[isa], n) != 0)
        end++;
    line.n = end + n <= line.n ? end : line.n;
    while (line.n && isspace((unsigned char)line.s[line.n - 1]))
        line.n--;
    return line;
}

static struct bytes first_word(struct bytes line)
{
    struct bytes word = {line.s, 0};
    while (word.n < line.n && is_word_char(line.s[word.n]))
        word.n++;
    return word;
}

static bool is_label(struct bytes line)
{
    struct bytes word = first_word(line);
    return word.n && word.n < line.n && line.s[word.n] == ':';
}

/* The name itself, or a part that the compiler split from it: main.cold, main.part.0. */
static bool is_part_of(struct bytes label, const char *function)
{
    size_t n = strlen(function);
    return label.n >= n && memcmp(label.s, function, n) == 0 && (label.n == n || label.s[n] == '.');
}

static bool begins(struct bytes line, const char *with)
{
    size_t n = strlen(with);
    return line.n >= n && memcmp(line.s, with, n) == 0;
}

/* A label that is not the compiler's own begins another function or object. */
static bool is_foreign_label(struct bytes line)
{
    return is_label(line) && line.s[0] != '.' && !isdigit((unsigned char)line.s[0]);
}

/* Of debugging and unwinding: nothing jumps there. */
static bool is_idle_label(struct bytes line)
{
    static const char *const idle[] = {".LFB", ".LFE", ".LFSB", ".Lfunc_", ".Ltmp", ".Lcfi"};
    for (size_t i = 0; i < LENGTH(idle); i++)
        if (begins(line, idle[i]))
            return true;
    return false;
}

static void count(struct arena *a, struct missed_code *code, enum missed_isa isa, struct bytes line)
{
    struct bytes word = first_word(line);
    while (is_prefix_word(word)) {
        line.s += word.n;
        line.n -= word.n;
        while (line.n && isspace((unsigned char)line.s[0])) {
            line.s++;
            line.n--;
        }
        word = first_word(line);
    }
    if (!word.n)
        return;
    const struct mnemonic *m = find_mnemonic(isa, word);
    missed_count(a, code, m ? m->kind : arena_copy(a, word.s, word.n), 1);
    code->cost += m ? m->cost : 1;
}

/* ---- public ------------------------------------------------------------------------------- */

void missed_count(struct arena *a, struct missed_code *code, const char *kind, unsigned n)
{
    size_t i = 0;
    while (i < code->kind_count && strcmp(code->kinds[i].name, kind) != 0)
        i++;
    if (i == code->kind_count) {
        if (i == code->room) {
            code->room = i ? 2 * i : 32;
            code->kinds = arena_grow(a, code->kinds, i, code->room, sizeof *code->kinds);
        }
        code->kinds[code->kind_count++] = (struct missed_kind){kind, 0};
    }
    code->kinds[i].n += n;
    code->instructions += n;
}

struct missed_code missed_read_code(struct arena *a, enum missed_isa isa, const char *assembly,
                                    const char *function)
{
    struct missed_code code = {.whole = assembly};
    struct text lines = {0};
    bool inside = false;
    for (const char *at = assembly; *at;) {
        struct bytes line = without_comment(next_line(&at), isa);
        if (is_foreign_label(line))
            inside = is_part_of(first_word(line), function);
        else if (begins(line, ".size") || begins(line, ".cfi_endproc"))
            inside = false; /* a section does not end it: tables of jumps stand in between */
        if (!inside || (is_label(line) && is_idle_label(line)))
            continue;
        if (is_label(line) || (line.n && line.s[0] != '.' && is_word_char(line.s[0]))) {
            text_printf(&lines, "%s%.*s\n", is_label(line) ? "" : "\t", (int)line.n, line.s);
            if (!is_label(line))
                count(a, &code, isa, line);
        }
    }
    code.text = arena_string(a, text_str(&lines));
    text_free(&lines);
    return code;
}

static unsigned count_of(const struct missed_code *code, const char *kind)
{
    for (size_t i = 0; i < code->kind_count; i++)
        if (strcmp(code->kinds[i].name, kind) == 0)
            return code->kinds[i].n;
    return 0;
}

struct missed_measure missed_compare(const struct missed_code *org, const struct missed_code *opt)
{
    struct missed_measure m = {1, 1, 1};
    unsigned equal = 0;
    if (!org->instructions || !opt->instructions)
        return m;
    for (size_t i = 0; i < org->kind_count; i++)
        equal += org->kinds[i].n == count_of(opt, org->kinds[i].name);
    m.r1 = (double)opt->instructions / org->instructions;
    m.r2 = equal / ((double)(org->kind_count + opt->kind_count) / 2);
    m.r = sqrt(m.r1 * m.r2);
    return m;
}

enum missed_side missed_worse_side(const struct missed_code *org, const struct missed_code *opt,
                                   double threshold)
{
    const struct missed_code *low = org->cost < opt->cost ? org : opt;
    const struct missed_code *high = low == org ? opt : org;
    if (low->cost == high->cost || low->instructions > high->instructions ||
        missed_compare(high, low).r >= threshold)
        return MISSED_NEITHER;
    return high == org ? MISSED_ORG : MISSED_OPT;
}
