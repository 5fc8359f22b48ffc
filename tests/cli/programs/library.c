/* The C library inside the machine, against the real one: see check.bats. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <math.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <inttypes.h>
#include <stdarg.h>
static int cmp(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
struct p { const char *n; double v; };
static int cmps(const void *a, const void *b) { return strcmp(((const struct p *)a)->n, ((const struct p *)b)->n); }
static void say(const char *f, ...) { va_list a; char buf[200]; va_start(a, f); vsnprintf(buf, sizeof buf, f, a); va_end(a); puts(buf); }
static void bye(void) { puts("bye"); }
int main(void)
{
    atexit(bye);
    int a[50]; srand(42);
    for (int i = 0; i < 50; i++) a[i] = rand() % 1000;
    qsort(a, 50, sizeof *a, cmp);
    for (int i = 0; i < 50; i += 7) printf("%d ", a[i]);
    int key = a[20]; int *f = bsearch(&key, a, 50, sizeof *a, cmp);
    printf("%d\n", *f == key);
    struct p ps[] = {{"zeta", 1.5}, {"alpha", 2.25}, {"mid", -0.0}};
    qsort(ps, 3, sizeof *ps, cmps);
    for (int i = 0; i < 3; i++) printf("%-8s|%8.3f|%e|%g\n", ps[i].n, ps[i].v, ps[i].v, ps[i].v);
    printf("%5d|%-5d|%05d|%+d|% d|%x|%#X|%o|%#o|%u|%c|%%|%s|%.2s|%10.3s|\n", 42, 42, 42, 42, 42, 255, 255, 8, 8, 3000000000u, 'x', "str", "str", "string");
    printf("%ld %lld %hd %hhd %zu %td %jd %p\n", LONG_MIN, LLONG_MAX, (short)70000, (char)300, sizeof(int), (ptrdiff_t)-3, (intmax_t)7, (void *)0);
    printf("%*d|%-*d|%.*f|%Lf\n", 6, 7, 6, 7, 3, 3.14159265, 2.5L);
    printf("%a %A %G %.0f %.15g\n", 1.0, 0.1, 1e-10, 2.5, 0.1);
    char *end; long first = strtol("  -123abc", &end, 10); printf("%ld %s|", first, end); printf("%lu %ld %ld\n", strtoul("0xff", 0, 0), strtol("077", 0, 0), strtol("zz", 0, 36));
    errno = 0; long big = strtol("99999999999999999999", 0, 10); printf("%ld %d\n", big, errno == ERANGE);
    printf("%g %g\n", strtod("1.5e3x", &end), atof("-.25"));
    int i, j; unsigned u; char w[20], c; double d; float fl; long l; short h;
    int n = sscanf("12 -7 ff word z 2.5 1e2 123456789012 9 %", "%d %d %x %19s %c %lf %f %ld %hd", &i, &j, &u, w, &c, &d, &fl, &l, &h);
    printf("%d %d %d %u %s %c %g %g %ld %d\n", n, i, j, u, w, c, d, (double)fl, l, h);
    n = sscanf("key=value;rest", "%[^=]=%[a-z];%n", w, (char[20]){0}, &i); printf("%d %s %d\n", n, w, i);
    char buf[64]; strcpy(buf, "hello"); strcat(buf, " world"); strncat(buf, "!!!", 2); printf("%s %zu\n", buf, strlen(buf));
    printf("%s %s %s %d %d\n", strchr(buf, 'w'), strrchr(buf, 'o'), strstr(buf, "lo"), strcmp("a", "b") < 0, strncmp("abc", "abd", 2));
    char tok[] = "a,b;;c"; for (char *t = strtok(tok, ",;"); t; t = strtok(0, ",;")) printf("<%s>", t);
    puts("");
    memmove(buf + 2, buf, 5); printf("%s %d %zu %zu\n", buf, memcmp("abc", "abd", 3) < 0, strspn("aabbc", "ab"), strcspn("xyz,", ","));
    for (int ch = 0; ch < 128; ch += 13) printf("%d%d%d%d%c ", !!isalpha(ch), !!isdigit(ch), !!isspace(ch), !!ispunct(ch), isprint(toupper(ch)) ? toupper(ch) : '.');
    puts("");
    printf("%.10f %.10f %.10f %.10f %f %f\n", sin(1), pow(2, .5), exp(1), log(10), floor(-2.5), fmod(7, 3));
    printf("%d %d %ld %d\n", abs(-5), (int)labs(-7L), lround(2.5), isnan(NAN) != 0);
    say("%s-%d-%.1f", "va", 5, 2.5);
    uint64_t q = UINT64_C(0x123456789abcdef0); printf("%" PRIx64 " %" PRIu32 "\n", q, (uint32_t)q);
    int *z = calloc(4, sizeof *z); z = realloc(z, 8 * sizeof *z); z[7] = 3; printf("%d %d\n", z[0], z[7]); free(z);
    long double ld = 1.0L / 3; printf("%.18Lf %d\n", ld, (int)(ld * 100));
    __int128 big1 = (__int128)1 << 100; printf("%llu\n", (unsigned long long)(big1 >> 64));
    fprintf(stderr, "err\n"); fputs("out\n", stdout); putchar('q'); putc('\n', stdout);
    char s2[10]; printf("%d %s\n", snprintf(s2, sizeof s2, "%d-%s", 12345, "abcdefgh"), s2);
    exit(7);
}
