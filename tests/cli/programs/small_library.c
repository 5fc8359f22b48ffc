/* Strings, the calendar, the environment, and the rest of math.h. */
#define _GNU_SOURCE
#include <fenv.h>
#include <inttypes.h>
#include <libgen.h>
#undef basename
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void strings(void)
{
    char list[] = "a,b;;c", *rest, path[] = "x::y", *at = path, *text, d[10];
    for (char *p = strtok_r(list, ",;", &rest); p; p = strtok_r(NULL, ",;", &rest))
        puts(p);
    for (char *p; (p = strsep(&at, ":"));)
        printf("[%s]", p);
    int n = asprintf(&text, "%d-%s", 5, "z");
    printf("%d %s\n", n, text);
    free(text);
    printf("%s %s\n", strcasestr("HeLLo", "ll"), strchrnul("abc", 'x') - 1);
    printf("%s %zu %s\n", (char *)memrchr("abcb", 'b', 4), strxfrm(NULL, "abc", 0),
           (char *)memmem("hello", 5, "ll", 2));
    memset(d, '#', sizeof d);
    printf("%d", (int)(stpncpy(d, "ab", 5) - d));
    printf(" %d\n", d[4]);
    printf("%d\n", (int)((char *)memccpy(d, "hello", 'l', 10) - d));
}

static void paths(void)
{
    static const char *const all[] = {"/usr/lib/x.c", "x", "usr/", "/", "///", "a//b//", "", "/a", "a/b"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char one[20], two[20], three[20];
        strcpy(one, all[i]);
        strcpy(two, all[i]);
        strcpy(three, all[i]);
        printf("[%s] [%s] [%s]\n", __xpg_basename(one), (basename)(two), dirname(three));
    }
    printf("%d\n", (int)MB_CUR_MAX);
}

static void calendar(void)
{
    time_t t = 86400 * 365;
    char b[60];
    struct tm *g = gmtime(&t), m = {.tm_year = 100, .tm_mon = 13, .tm_mday = 1};
    strftime(b, sizeof b, "%Y-%m-%d %H:%M:%S %j %a %B", g);
    puts(b);
    printf("%s", asctime(g));
    printf("%zu\n", strlen(ctime(&t)));
    long made = (long)mktime(&m); /* in which zone nobody knows */
    printf("%ld %d %d %d\n", made % 60, m.tm_year, m.tm_mon, m.tm_wday);
    printf("%.1f %d\n", difftime(5, 3), localtime(&t)->tm_sec);
}

int main(void)
{
    volatile double x = 2.5;
    int q;
    strings();
    paths();
    calendar();
    setenv("CUPEL_TEST", "1", 1);
    setenv("CUPEL_TEST", "2", 0);
    puts(getenv("CUPEL_TEST"));
    unsetenv("CUPEL_TEST");
    putenv("CUPEL_TEST=3");
    puts(getenv("CUPEL_TEST"));
    double r = remquo(x, 2, &q);
    printf("%.5f %d %.17g %.3f %.3f\n", r, q, nexttoward(x, 3.0L), j0(x), y1(x));
    printf("%d %d %.10f %.10f\n", fpclassify(x) == FP_NORMAL, ilogb(x), tgamma(x), erfc(x));
    imaxdiv_t i = imaxdiv(-17, 5);
    printf("%jd %jd %d\n", i.quot, i.rem, fegetround() == FE_TONEAREST);
    return 0;
}
