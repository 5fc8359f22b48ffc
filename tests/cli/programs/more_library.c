/* What real programs ask of the library beside the usual: the same as glibc says. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <wchar.h>

static void draw(void)
{
    unsigned short own[3] = {1, 2, 3};
    unsigned seed = 7;
    for (int i = 0; i < 2; i++) {
        printf("%.17g\n", drand48());
        printf("%ld\n", lrand48());
        printf("%ld\n", mrand48());
        srand48(-5);
    }
    printf("%.17g\n", erand48(own));
    printf("%ld\n", nrand48(own));
    printf("%ld\n", jrand48(own));
    printf("%d\n", own[1]);
    int a = rand_r(&seed), b = rand_r(&seed);
    printf("%d %d %u\n", a, b, seed);
}

static void scan(void)
{
    wchar_t wide[16] = L"zzzzz";
    char narrow[16];
    int i = 0, n;
    double d = 0;
    n = swscanf(L"  12 word 0x1.8p3 rest", L"%d %s %lf%*[ ]%ls", &i, narrow, &d, wide);
    printf("%d: %d '%s' %g '%ls'\n", n, i, narrow, d, wide);
    n = swscanf(L"abc,def", L"%l[a-c],%2lc", wide, wide + 8);
    printf("%d: '%ls' %d %d\n", n, wide, wide[8], wide[9]);
    n = sscanf("q wx", "%lc%ls", wide, wide + 1);
    printf("%d: %d '%ls'\n", n, wide[0], wide + 1);
    n = sscanf("st uv", "%S %C", wide, wide + 8);
    printf("%d: '%ls' %d\n", n, wide, wide[8]);
    printf("%d %d\n", swscanf(L"", L"%d", &i), swscanf(L"x", L"%d", &i));
    while (wscanf(L"%d%ls", &i, wide) == 2)
        printf("%d-%ls\n", i, wide);
}

int main(void)
{
    struct tm t = {.tm_year = 100, .tm_mon = 1, .tm_mday = 30, .tm_hour = 25};
    wchar_t to[8] = L"unset", *end;
    struct timespec now;
    printf("%d %d %d\n", !!isnan(nan("")), !!isnan(nanf("")), !!isnan(nanl("")));
    long long seconds = timegm(&t);
    printf("%lld %d-%d %d\n", seconds, t.tm_mon, t.tm_mday, t.tm_wday);
    printf("%d %d\n", timespec_get(&now, TIME_UTC) == TIME_UTC, timespec_get(&now, 99));
    printf("%jd %ju\n", wcstoimax(L"-17x", &end, 0), wcstoumax(L"0xff", NULL, 0));
    printf("%lc %zu\n", (wint_t)*end, wcsxfrm(to, L"abc", 8));
    printf("%ls %zu\n", to, wcsxfrm(NULL, L"longer", 0));
    int *p = reallocarray(NULL, 3, sizeof *p);
    for (int i = 0; i < 3; i++)
        p[i] = i;
    p = reallocarray(p, 5, sizeof *p);
    printf("%d\n", p[2]);
    free(p);
    draw();
    scan();
    return 0;
}
