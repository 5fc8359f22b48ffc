#include <stdio.h>
#include <math.h>
#include <float.h>
#include <limits.h>
#include <string.h>
#include <stddef.h>
int main(void)
{
    double d[] = {0, -0.0, 1, -1, 0.1, 1e10, 1e-10, 123456789.125, 1e300, 5e-324, DBL_MAX, DBL_MIN, INFINITY, -INFINITY, NAN, 0.5, 1.5, 2.5, 99.995, 9.9999995, 1e15, 1e16, 1e17, 100000, 1000000, 0.0001, 0.00001, 12345.678};
    const char *f[] = {"%f", "%e", "%g", "%a", "%.0f", "%.0e", "%.0g", "%#.0f", "%#g", "%10.3f|", "%-12.2e|", "%+g", "% g", "%012.4f", "%.15g", "%.17g", "%.3a", "%A", "%G", "%#x"};
    for (unsigned i = 0; i < sizeof d / sizeof *d; i++) for (unsigned j = 0; j < 19; j++) { printf(f[j], d[i]); putchar(j == 18 ? '\n' : ' '); }
    for (int w = -8; w <= 8; w += 4) for (int p = -1; p < 4; p++) printf("[%*.*f] ", w, p, 3.14159); puts("");
    printf("%hhd %hhu %hd %hu %hhx\n", 300, 300, 70000, 70000, -1);
    printf("%5d|%-5d|%05d|%+d|% d|%x|%X|%#x|%o|%#o|%.3d|%8.3d|%-8.3d|%.0d|%#.0o\n", 42, 42, 42, 42, 42, 255, 255, 255, 8, 8, 5, 5, 5, 0, 0);
    printf("%ld %lld %zu %td %jd %lu %llx\n", LONG_MIN, LLONG_MIN, (size_t)-1, (ptrdiff_t)-5, (__INTMAX_TYPE__)7, ULONG_MAX, ULLONG_MAX);
    printf("%s|%10s|%-10s|%.2s|%*.*s|%c|%5c|%-5c|%%\n", "abc", "abc", "abc", "abc", 6, 1, "abc", 'x', 'y', 'z');
    printf("%Lf %Le %Lg %La %.20Lg\n", 1.1L, 1e100L, 0.1L, 1.0L, 1.0L / 3);
    int n; printf("12345%n6\n", &n); printf("%d\n", n); printf("%.0s|%.*s|\n", "zz", 0, "q");
    char b[20]; int r = snprintf(b, 5, "%d-%s", 12345, "abc"); printf("%d %s\n", r, b); r = snprintf(0, 0, "%f", 1e10); printf("%d\n", r); sprintf(b, "%s", ""); printf("[%s]\n", b);
    long double ld = 1; for (int i = 0; i < 70; i++) ld /= 3; printf("%.15Lg %d\n", ld, ld > 0); ld = LDBL_MAX; printf("%Lg %Lg\n", ld, ld * 2 - ld); printf("%d %zu\n", (int)3.99L, sizeof ld);
    printf("%.20f %.30g\n", 0.1, 0.1); printf("%g %g\n", 1.0f / 3, (double)(0.1f + 0.2f)); printf("%d\n", 0.1f + 0.2f == 0.3f); printf("%d\n", 0.1 + 0.2 == 0.3);
    printf("%g %g %g %g\n", fmod(-7, 3), remainder(7, 4), floor(-0.5), ceil(-0.5)); printf("%g %g\n", round(2.5), rint(2.5)); printf("%d %d\n", isnan(NAN), isinf(-INFINITY) != 0); printf("%d\n", signbit(-0.0) != 0);
    printf("%g %g\n", nextafter(1, 2) - 1, ldexp(0.75, 4)); int ex; double fr = frexp(48, &ex); printf("%g %d\n", fr, ex); double ip; fr = modf(-3.75, &ip); printf("%g %g\n", fr, ip);
    float ff = 16777216.0f; ff += 1; printf("%.1f\n", ff); printf("%u %d\n", (unsigned)3e9, (int)-2147483648.0); printf("%lld\n", (long long)9e18); printf("%g\n", (double)(float)1e-50);
    printf("%d %d %d\n", NAN == NAN, NAN < 1, !(NAN >= 1)); unsigned long long big = 18446744073709551615ULL; printf("%.0f %.0f\n", (double)big, (double)(float)big);
    return 0;
}
