/* Which findings are one bug.  Takes what is known, yields a string that is equal for the same bug:
 * a crash is named by its words and frames; wrong code by its pass and the versions that have it;
 * where nobody can name a pass, by what goes wrong first, and where that says nothing, by what the
 * reduced program is made of.  Starts nothing. */
#include "triage/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- crashes -------------------------------------------------------------------------- */

/* The digits after a colon, as in "expr.c:1234": past them; NULL for something else. */
static const char *after_line_number(const char *p)
{
    size_t n = *p == ':' ? strspn(p + 1, "0123456789") : 0;
    return n ? p + 1 + n : NULL;
}

/* gcc 12 renamed its *.c to *.cc, and every version has other lines. */
const char *triage_crash_name(struct arena *a, const char *signature)
{
    struct text out = {0};
    for (const char *p = signature; *p;) {
        const char *next = after_line_number(p);
        if (next) {
            p = next;
        } else if (str_has_prefix(p, ".cc") && !isalnum((unsigned char)p[3])) {
            text_puts(&out, ".c");
            p += 3;
        } else {
            text_putc(&out, *p++);
        }
    }
    const char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}

/* "crash; pass X; llvm::A::f; ..." to the length up to the innermost function, and in *name where
 * its own name begins; 0 for a signature that is not of that form. */
static size_t innermost(const char *signature, const char **name)
{
    static const char start[] = "crash; ";
    const char *frame = signature + sizeof start - 1;
    if (!str_has_prefix(signature, start))
        return 0;
    if (str_has_prefix(frame, "pass ") && strstr(frame, "; "))
        frame = strstr(frame, "; ") + 2;
    *name = frame;
    for (const char *p = frame; *p && *p != ';'; p++)
        if (str_has_prefix(p, "::"))
            *name = p + 2;
    return (size_t)(frame - signature);
}

bool triage_crash_alike(struct arena *a, const char *x, const char *y)
{
    const char *f, *g;
    size_t n = innermost(x, &f), m = innermost(y, &g);
    if (strcmp(triage_crash_name(a, x), triage_crash_name(a, y)) == 0)
        return true;
    return n && n == m && strncmp(x, y, n) == 0 && strcspn(f, ";") == strcspn(g, ";") &&
           strncmp(f, g, strcspn(f, ";")) == 0;
}

/* ---- programs ------------------------------------------------------------------------- */

/* What the tokens of a C program are, apart from names and numbers, which are the generator's. */
static size_t token_length(const char *p)
{
    static const char *const longest[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                          "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                          "*=",  "/=",  "%=",  "&=", "|=", "^="};
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    for (size_t i = 0; !n && i < LENGTH(longest); i++)
        if (str_has_prefix(p, longest[i]))
            n = strlen(longest[i]);
    return n ? n : 1;
}

static bool is_telling(const char *token)
{
    static const char *const words[] = {
        "for",   "while", "do",       "switch",   "goto",   "char",  "short",
        "long",  "float", "double",   "unsigned", "signed", "_Bool", "struct",
        "union", "enum",  "volatile", "static",   "return", "if",    "__int128"};
    if (isalnum((unsigned char)*token) || *token == '_') {
        for (size_t i = 0; i < LENGTH(words); i++)
            if (strcmp(words[i], token) == 0)
                return true;
        return false;
    }
    return !strchr(" \t\n;,(){}\"'\\#.", *token);
}

static int by_text(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

/* The distinct keywords, types and operators, in order. */
static const char *ingredients(struct arena *a, const char *program)
{
    struct map seen = {0};
    struct list found = {0};
    struct text out = {0};
    for (const char *p = program; *p;) {
        size_t n = token_length(p);
        char *token = arena_copy(a, p, n);
        p += n;
        if (*token == '"' && strchr(p, '"'))
            p = strchr(p, '"') + 1;
        if (is_telling(token) && !map_get(&seen, token)) {
            map_set(a, &seen, token, token);
            list_add(a, &found, token);
        }
    }
    if (found.n)
        qsort(found.at, found.n, sizeof *found.at, by_text);
    for (size_t i = 0; i < found.n; i++)
        text_printf(&out, " %s", (const char *)found.at[i]);
    const char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}

/* ---- all of it ------------------------------------------------------------------------ */

/* What the program does instead, crash, hang or print something else, is chance. */
static const char *verdict_of(const struct triage_identity *who)
{
    enum verdict v = who->verdict;
    bool behaves = verdict_info(v)->subject == SUBJECT_RUN && !judge_is_about_volatiles(v);
    return verdict_info(behaves ? VERDICT_WRONG_CODE : v)->name;
}

/* Is the first bad version merely the oldest here?  Then nobody knows since when. */
static bool is_oldest(const struct triage_matrix *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (!m->rows[i].other)
            return strcmp(m->rows[i].compiler, m->first_bad) == 0;
    return false;
}

static const char *dates_of(struct arena *a, const struct triage_matrix *m)
{
    if (!m || !*m->first_bad)
        return "";
    return arena_printf(a, is_oldest(m) ? " in %s already%s%s" : " since %s%s%s", m->first_bad,
                        *m->fixed_in ? " until " : "", m->fixed_in);
}

const char *triage_signature(struct arena *a, const struct triage_identity *who)
{
    const char *verdict = verdict_of(who), *stage = triage_stage_name(who->stage);
    if (who->crash && *who->crash)
        return arena_printf(a, "%s %s: %s%s%s", verdict, who->family, stage, *stage ? ": " : "",
                            triage_crash_name(a, who->crash));
    bool shaped = who->shape && *who->shape;
    bool named = who->method != METHOD_NONE && who->method != METHOD_LEVEL;
    bool dated = who->matrix && (*who->matrix->last_good || *who->matrix->fixed_in);
    const char *since = dates_of(a, who->matrix), *pass = who->pass ? who->pass : "";
    if (shaped && who->alone)
        return arena_printf(a, "%s %s: %s%s", verdict, who->family, who->shape, dated ? since : "");
    if (named && shaped && who->plain)
        pass = "-O0";
    else if (named)
        return arena_printf(a, "%s %s: %s%s", verdict, who->family, pass, since);
    if (shaped)
        return arena_printf(a, "%s %s: %s: %s%s", verdict, who->family, pass, who->shape,
                            dated ? since : "");
    if (who->features && *who->features)
        return arena_printf(a, "%s %s: %s: %s%s", verdict, who->family, pass, who->features,
                            dated ? since : "");
    return arena_printf(a, "%s %s: %s%s%s%s", verdict, who->family, pass, since,
                        who->program ? ":" : "", who->program ? ingredients(a, who->program) : "");
}
