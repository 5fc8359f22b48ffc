/* Streams on memory, regular expressions, texts of the system, and clocks whose answers do not
 * matter. */
#define _GNU_SOURCE
#include <errno.h>
#include <langinfo.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

static void written(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "%d-%s", 42, "abc");
    fflush(f);
    printf("%zu %s\n", size, text);
    const char *before = text;
    fflush(f);
    printf("%d\n", before == text);
    for (int i = 0; i < 300; i++)
        fputc('a' + i % 26, f);
    fclose(f);
    printf("%zu %zu %.12s\n", size, strlen(text), text);
    free(text);
    f = open_memstream(&text, &size);
    fclose(f);
    printf("%zu [%s]\n", size, text);
    free(text);
}

static void given(void)
{
    char lines[40] = "one 1\ntwo 2\n", out[16] = "................", word[8];
    int n;
    FILE *f = fmemopen(lines, strlen(lines), "r");
    while (fscanf(f, "%7s %d", word, &n) == 2)
        printf("%s=%d\n", word, n);
    printf("%d %ld\n", feof(f) != 0, ftell(f));
    rewind(f);
    printf("%d\n", fgetc(f));
    fclose(f);
    f = fmemopen(out, sizeof out, "w");
    fputs("hello", f);
    fclose(f);
    printf("%s %d\n", out, out[6]);
}

static void match(const char *pattern, const char *text, int flags)
{
    regex_t r;
    regmatch_t m[4];
    char why[60];
    int status = regcomp(&r, pattern, flags);
    if (status) {
        printf("%zu ", regerror(status, &r, why, sizeof why));
        puts(why);
        return;
    }
    printf("%s: %zu", pattern, r.re_nsub);
    status = regexec(&r, text, 4, m, 0);
    for (int i = 0; !status && !(flags & REG_NOSUB) && i < 4; i++)
        printf(" %d,%d", (int)m[i].rm_so, (int)m[i].rm_eo);
    puts(status == REG_NOMATCH ? " none" : "");
    regfree(&r);
}

int main(void)
{
    struct timespec a, b;
    struct timeval v;
    struct tms used;
    char text[40];
    printf("%s %s %s\n", nl_langinfo(RADIXCHAR), nl_langinfo(DAY_3), strerror_r(ENOENT, text, sizeof text));
    times(&used);
    printf("%d %d\n", used.tms_utime >= 0, (int)used.tms_cutime);
    written();
    given();
    match("a(b|c)*d", "xabcbd", REG_EXTENDED);
    match("^[[:alpha:]_]+=([0-9]+)$", "key_a=123", REG_EXTENDED);
    match("\\(a\\)\\1", "xaab", 0);
    match("a{2,3}", "caaaa", REG_EXTENDED);
    match("ABC", "xabc", REG_ICASE | REG_NOSUB);
    match("(", "x", REG_EXTENDED);
    match("z", "abc", 0);
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%d\n", b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
    int status = gettimeofday(&v, NULL);
    return status + (v.tv_usec >= 1000000);
}
