/* Small string and number helpers of the command line. */
#include "base/base.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool str_has_prefix(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool str_has_suffix(const char *s, const char *suffix)
{
    size_t n = strlen(s), k = strlen(suffix);
    return n >= k && strcmp(s + n - k, suffix) == 0;
}

/* Reads one word at *p into word; false for an open quote. */
static bool read_word(const char **p, struct text *word)
{
    char quote = 0;
    for (; **p && (quote || !isspace((unsigned char)**p)); ++*p) {
        char c = **p;
        if (quote && c == quote)
            quote = 0;
        else if (!quote && (c == '\'' || c == '"'))
            quote = c;
        else if (c == '\\' && quote != '\'' && (*p)[1])
            text_putc(word, *++*p);
        else
            text_putc(word, c);
    }
    return quote == 0;
}

char **str_split_command(struct arena *a, const char *command, struct err *e)
{
    struct list words = {0};
    struct text word = {0};
    bool ok = true;
    for (const char *p = command; ok;) {
        while (isspace((unsigned char)*p))
            p++;
        if (!*p)
            break;
        text_clear(&word);
        ok = read_word(&p, &word);
        list_add(a, &words, arena_string(a, text_str(&word)));
    }
    text_free(&word);
    if (!ok) {
        fail(e, "a quote is left open in: %s", command);
        return NULL;
    }
    list_add(a, &words, NULL);
    return (char **)words.at;
}

static bool is_plain_word(const char *s)
{
    if (!*s)
        return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr("-_./=+,:@%^", *s))
            return false;
    return true;
}

void str_join_command(struct text *out, char *const *words)
{
    for (size_t i = 0; words[i]; i++) {
        if (i)
            text_putc(out, ' ');
        if (is_plain_word(words[i])) {
            text_puts(out, words[i]);
            continue;
        }
        text_putc(out, '\'');
        for (const char *p = words[i]; *p; p++)
            if (*p == '\'')
                text_puts(out, "'\\''");
            else
                text_putc(out, *p);
        text_putc(out, '\'');
    }
}

char *str_first_line(struct arena *a, const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    size_t n = strcspn(s, "\n");
    while (n && isspace((unsigned char)s[n - 1]))
        n--;
    return arena_copy(a, s, n);
}

/* Ten years: what is longer was not meant, and would not fit where times are added up. */
enum { LONGEST_SECONDS = 10 * 365 * 86400 };

bool str_parse_duration(const char *s, double *seconds, struct err *e)
{
    char *end;
    double value = strtod(s, &end);
    double unit = 1;
    if (strcmp(end, "ms") == 0)
        unit = 1e-3;
    else if (strcmp(end, "m") == 0)
        unit = 60;
    else if (strcmp(end, "h") == 0)
        unit = 3600;
    else if (strcmp(end, "d") == 0)
        unit = 86400;
    else if (strcmp(end, "s") != 0 && *end)
        end = (char *)s;
    if (end == s || !isdigit((unsigned char)*s) || !isfinite(value))
        return fail(e, "'%s' is not a time: write 30, 1.5s, 2m or 1h", s);
    if (value <= 0)
        return fail(e, "'%s' is no time at all: write 30, 1.5s, 2m or 1h", s);
    if (value * unit > (double)LONGEST_SECONDS)
        return fail(e, "'%s' is more than ten years: write 30, 1.5s, 2m, 1h or 7d", s);
    *seconds = value * unit;
    return true;
}

bool str_parse_uint(const char *s, uint64_t max, uint64_t *value, struct err *e)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(s, &end, 10);
    if (!isdigit((unsigned char)*s) || *end || errno || v > max)
        return fail(e, "'%s' is not a whole number from 0 to %llu", s, (unsigned long long)max);
    *value = v;
    return true;
}

bool str_parse_size(const char *s, uint64_t *bytes, struct err *e)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long long v = strtoull(s, &end, 10);
    const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    bool whole = !*end || (unit && !end[1]);
    if (!isdigit((unsigned char)*s) || !whole || errno || v > UINT64_MAX >> shift)
        return fail(e, "'%s' is not a size: write 4096, 512K, 64M or 2G", s);
    *bytes = (uint64_t)v << shift;
    return true;
}
