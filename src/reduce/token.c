/* Passes on tokens: qualifiers, types, constants, names; and for what cannot be read lines,
 * brackets and single tokens. */
#include "reduce/private.h"

#include <stdlib.h>
#include <string.h>

static bool is_one_of(const struct pass *p, const struct token *t, const char *const *words)
{
    for (; *words; words++)
        if (token_is(p->v->text, t, *words))
            return true;
    return false;
}

/* The declaration of a function of the library's that is used: not ours to change. */
static bool is_foreign(const struct pass *p, const struct token *t)
{
    const struct node *unit = p->v->p ? p->v->p->unit : NULL;
    uint32_t low = 0, high = unit ? unit->count : 0;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (unit->kid[middle]->begin <= t->begin)
            low = middle;
        else
            high = middle;
    }
    const struct node *item = high > low ? unit->kid[low] : NULL;
    if (!item || item->kind != NODE_DECL || item->count == 0)
        return false;
    const struct decl *d = item->kid[0]->u.declarator->decl;
    return d->kind == DECL_FUNC && !d->body && p->v->names[d->id].n > 0;
}

static void offer_tokens(struct pass *p, uint32_t first, uint32_t last, const char *text)
{
    const struct tokens *t = &p->v->tokens;
    pass_begin(p);
    pass_patch(p, t->at[first].begin, t->at[last].end, text);
    pass_end(p);
}

/* ---- qualifiers and types --------------------------------------------------------------- */

/* The name of a parameter in a declaration of the library's. */
static bool names_parameter(const struct pass *p, uint32_t i)
{
    static const char *const types[] = {"char",  "short",  "int",   "long", "unsigned", "signed",
                                        "float", "double", "_Bool", "void", "const",    NULL};
    static const char *const tagged[] = {"struct", "union", "enum", NULL};
    const struct tokens *t = &p->v->tokens;
    if (i < 2 || i + 1 >= t->n || t->at[i].kind != TOKEN_WORD || is_one_of(p, &t->at[i], types))
        return false;
    const struct token *last = &t->at[i - 1], *next = &t->at[i + 1];
    bool ends = token_is(p->v->text, next, ",") || token_is(p->v->text, next, ")");
    return ends && (token_is(p->v->text, last, "*") ||
                    (last->kind == TOKEN_WORD && !is_one_of(p, last, tagged)));
}

/* What a declaration of the library's can do without. */
static void offer_foreign(struct pass *p, uint32_t i)
{
    static const char *const loose[] = {"extern", "restrict", "__restrict", "__extension__", NULL};
    if (is_one_of(p, &p->v->tokens.at[i], loose) || names_parameter(p, i))
        offer_tokens(p, i, i, "");
}

/* Each of __attribute__((a, b(1))) alone; the word is the i-th token. */
static void offer_attributes(struct pass *p, uint32_t i)
{
    uint32_t begin, end;
    for (uint32_t k = 0; pass_list_part(p, i + 2, k, &begin, &end); k++) {
        pass_begin(p);
        pass_drop_listed(p, begin, end);
        pass_end(p);
    }
}

void pass_QUALIFIERS(struct pass *p)
{
    static const char *const loose[] = {
        "static",     "const",     "volatile", "register",     "inline",  "restrict",      "extern",
        "__restrict", "__inline",  "auto",     "__inline__",   "_Atomic", "__extension__", "signed",
        "unsigned",   "_Noreturn", "__const",  "__volatile__", NULL};
    static const char *const with_list[] = {"__attribute__", "_Alignas", "__attribute", "__asm__",
                                            NULL};
    const struct tokens *t = &p->v->tokens;
    for (uint32_t i = 0; i < t->n; i++) {
        if (is_foreign(p, &t->at[i])) {
            offer_foreign(p, i);
            continue;
        }
        bool list = i + 1 < t->n && t->at[i + 1].match > i + 1;
        if (is_one_of(p, &t->at[i], loose))
            offer_tokens(p, i, i, "");
        else if (list && is_one_of(p, &t->at[i], with_list)) {
            offer_tokens(p, i, t->at[i + 1].match, "");
            offer_attributes(p, i);
        } else if (t->at[i].kind == TOKEN_LINE)
            offer_tokens(p, i, i, "");
    }
}

/* enum t, enum {...}: the token behind it; the same when there is none. */
static uint32_t enum_end(const struct pass *p, uint32_t i)
{
    const struct tokens *t = &p->v->tokens;
    if (!token_is(p->v->text, &t->at[i], "enum"))
        return i;
    i += i + 1 < t->n && t->at[i + 1].kind == TOKEN_WORD ? 2 : 1;
    return i < t->n && token_is(p->v->text, &t->at[i], "{") ? t->at[i].match + 1 : i;
}

void pass_TYPES(struct pass *p)
{
    static const char *const basic[] = {"char",     "short",    "int",      "long",
                                        "unsigned", "signed",   "float",    "double",
                                        "_Bool",    "__int128", "_Float16", NULL};
    const struct tokens *t = &p->v->tokens;
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t end = enum_end(p, i);
        if (end > i)
            offer_tokens(p, i, end - 1, "int");
        for (end = i; end < t->n && is_one_of(p, &t->at[end], basic);)
            end++;
        if (end == i || is_foreign(p, &t->at[i]))
            continue;
        if (end - i > 1 || !token_is(p->v->text, &t->at[i], "int"))
            offer_tokens(p, i, end - 1, "int");
        if (end - i > 1)
            for (uint32_t k = i; k < end; k++)
                offer_tokens(p, k, k, "");
        i = end - 1;
    }
}

/* ---- constants -------------------------------------------------------------------------- */

/* What to try for a number, the best first; NULL when there are no more. */
static const char *smaller(struct arena *a, const char *word, unsigned choice)
{
    static const unsigned long long tries[] = {0, 1, 2, 3, 9, 10, 99};
    static const unsigned shifts[] = {48, 32, 16, 8, 4, 1};
    char *end;
    unsigned long long value = strtoull(word, &end, 0);
    bool real = strpbrk(word, ".pP") || (*end && strchr("eEfF", *end));
    if (real) {
        const char *suffix = word + strlen(word) - (strchr("fFlL", word[strlen(word) - 1]) != NULL);
        return choice < 2   ? choice ? "1" : "0"
               : choice < 4 ? arena_printf(a, "%u.%s", choice - 2, suffix)
                            : NULL;
    }
    if (choice == 0)
        return arena_printf(a, "%llu", value); /* without its suffix */
    if (choice <= LENGTH(tries))
        return tries[choice - 1] < value ? arena_printf(a, "%llu", tries[choice - 1]) : NULL;
    unsigned long long less = value >> shifts[choice - 1 - LENGTH(tries)];
    return less > tries[LENGTH(tries) - 1] ? arena_printf(a, "%llu", less) : NULL;
}

static const char *simpler(struct pass *p, const struct token *k, unsigned choice)
{
    if (k->kind == TOKEN_NUMBER)
        return smaller(&p->h->arena, view_source(p->v, &p->h->arena, k->begin, k->end), choice);
    if (k->kind != TOKEN_QUOTED || choice)
        return NULL;
    return p->v->text[k->begin] == '\'' ? "0" : k->end - k->begin > 2 ? "\"\"" : NULL;
}

/* The same choice for all of them, then the next; in a program that is still long only the first
 * few. */
void pass_CONSTANTS(struct pass *p)
{
    enum { CHOICES = 14, FEW = 4, LONG = 4096 }; /* as smaller() has */
    const struct tokens *t = &p->v->tokens;
    for (unsigned choice = 0; choice < (p->v->size > LONG ? FEW : CHOICES); choice++)
        for (uint32_t i = 0; i < t->n; i++) {
            const char *text = simpler(p, &t->at[i], choice);
            if (text && !token_is(p->v->text, &t->at[i], text))
                offer_tokens(p, i, i, text);
        }
}

/* ---- names ------------------------------------------------------------------------------ */

/* a .. z, then aa ..: the n-th. */
static const char *short_name(struct arena *a, size_t n)
{
    char name[16], *at = name + sizeof name - 1;
    *at = 0;
    do {
        *--at = (char)('a' + n % 26);
        n /= 26;
    } while (n-- > 0);
    return arena_string(a, at);
}

/* Is the word one that the program gives a meaning of its own, everywhere the same? */
static void collect_names(const struct pass *p, struct arena *a, struct map *own)
{
    const struct program *program = p->v->p;
    bool runs = p->options->has_main || p->options->filter == REDUCE_DEFINED;
    for (size_t i = 0; i < program->decls.n; i++) {
        const struct decl *d = program->decls.at[i];
        bool foreign = d->kind == DECL_FUNC && !d->body && p->v->names[d->id].n > 0;
        bool outside = d->kind == DECL_VAR && d->storage == STORAGE_EXTERN && !d->init;
        bool starts = runs && d->name && strcmp(d->name, "main") == 0;
        if (d->name && !foreign && !outside && !d->implicit && !starts)
            map_set(a, own, d->name, own);
    }
    for (size_t i = 0; i < program->records.n; i++) {
        const struct record *r = program->records.at[i];
        if (r->tag)
            map_set(a, own, r->tag, own);
        for (uint32_t k = 0; k < r->count; k++)
            if (r->fields[k]->name)
                map_set(a, own, r->fields[k]->name, own);
    }
    for (size_t i = 0; i < program->enumerations.n; i++)
        if (((const struct enumeration *)program->enumerations.at[i])->tag)
            map_set(a, own, ((const struct enumeration *)program->enumerations.at[i])->tag, own);
    for (size_t i = 0; i < program->functions.n; i++) {
        const struct function *f = program->functions.at[i];
        for (size_t k = 0; k < f->labels.n; k++)
            map_set(a, own, ((const struct label *)f->labels.at[k])->name, own);
    }
}

/* Every word of the text: a new name must be none of them. */
static void collect_words(const struct pass *p, struct arena *a, struct map *words)
{
    for (size_t u = 0; u < p->s->count; u++) {
        const struct view *v = &p->s->views[u];
        for (uint32_t i = 0; i < v->tokens.n; i++)
            if (v->tokens.at[i].kind == TOKEN_WORD)
                map_set(a, words, view_source(v, a, v->tokens.at[i].begin, v->tokens.at[i].end),
                        words);
    }
}

static void rename_word(struct pass *p, const char *from, const char *to)
{
    const struct tokens *t = &p->v->tokens;
    pass_begin(p);
    for (uint32_t i = 0; i < t->n; i++)
        if (t->at[i].kind == TOKEN_WORD && token_is(p->v->text, &t->at[i], from))
            pass_patch(p, t->at[i].begin, t->at[i].end, to);
    pass_end(p);
}

/* Of one unit only: between several a name may be what links them. */
void pass_NAMES(struct pass *p)
{
    struct map own = {0}, words = {0};
    struct arena *a = &p->h->arena;
    if (!p->v->p || p->s->count > 1)
        return;
    collect_names(p, a, &own);
    collect_words(p, a, &words);
    size_t next = 0;
    for (size_t i = 0; i < words.n; i++) {
        const char *word = words.entries[i].key, *name;
        if (!map_get(&own, word))
            continue;
        do
            name = short_name(a, next++);
        while (map_get(&words, name));
        if (strlen(name) >= strlen(word)) {
            next--;
            continue;
        }
        rename_word(p, word, name);
    }
}

/* ---- what cannot be read ---------------------------------------------------------------- */

void pass_LINES(struct pass *p)
{
    const char *text = p->v->text;
    for (uint32_t begin = 0; begin < p->v->size;) {
        const char *newline = memchr(text + begin, '\n', p->v->size - begin);
        uint32_t end = newline ? (uint32_t)(newline - text) + 1 : p->v->size;
        pass_begin(p);
        pass_patch(p, begin, end, "");
        pass_end(p);
        begin = end;
    }
}

/* What stands between two brackets, with them and without; and just them. */
static void offer_bracket(struct pass *p, uint32_t open, uint32_t close)
{
    const struct tokens *t = &p->v->tokens;
    offer_tokens(p, open, close, "");
    if (close > open + 1)
        offer_tokens(p, open + 1, close - 1, "");
    pass_begin(p);
    pass_patch(p, t->at[open].begin, t->at[open].end, "");
    pass_patch(p, t->at[close].begin, t->at[close].end, "");
    pass_end(p);
}

void pass_BRACKETS(struct pass *p)
{
    const struct tokens *t = &p->v->tokens;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->at[i].match > i)
            offer_bracket(p, i, t->at[i].match);
}

void pass_TOKENS(struct pass *p)
{
    const struct tokens *t = &p->v->tokens;
    for (uint32_t i = 0; i < t->n; i++)
        offer_tokens(p, i, i, "");
    for (uint32_t i = 0; i + 1 < t->n; i++)
        offer_tokens(p, i, i + 1, "");
}

/* The last net, for what no other pass thought of: cheap, since next to nothing of it parses. */
void pass_SPARE(struct pass *p)
{
    enum { SMALL = 2048, PAIR = 2 };
    const struct tokens *t = &p->v->tokens;
    if (!p->v->p || p->v->size > SMALL)
        return;
    for (uint32_t size = 1; size <= PAIR; size++)
        for (uint32_t i = 0; i + size <= t->n; i++)
            if (!is_foreign(p, &t->at[i]) && !is_foreign(p, &t->at[i + size - 1]))
                offer_tokens(p, i, i + size - 1, "");
    for (uint32_t i = 0; i < t->n; i++)
        if (t->at[i].match > i && !is_foreign(p, &t->at[i]))
            offer_bracket(p, i, t->at[i].match);
}
