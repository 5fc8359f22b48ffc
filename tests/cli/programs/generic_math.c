/* tgmath.h: which function is meant (C11 7.25). */
#include <stdio.h>
#include <tgmath.h>

int main(void)
{
    float f = 2;
    double d = 2;
    long double l = 2;
    int i = 2, q;
    float complex z = 3 + 4 * I;
    printf("%zu %zu %zu %zu\n", sizeof sqrt(f), sizeof sqrt(d), sizeof sqrt(l), sizeof sqrt(i));
    printf("%.9g %.17g %.20Lg %.17g\n", sqrt(f), sqrt(d), sqrt(l), sqrt(i));
    printf("%zu %zu %zu %zu\n", sizeof pow(f, f), sizeof pow(f, d), sizeof pow(f, i), sizeof pow(l, f));
    printf("%zu %zu %zu\n", sizeof sqrt(z), sizeof pow(z, d), sizeof fma(f, f, d));
    printf("%g %g %zu\n", (double)fabs(z), (double)fabs(-1.5f), sizeof fabs(z));
    printf("%g %zu %g\n", creal(z), sizeof creal(z), cimag(d));
    printf("%d %ld %g\n", (int)ldexp(f, 3), lround(2.5f), remquo(7.0f, 2.f, &q));
    printf("%g %zu\n", (double)nexttoward(f, 2.0L), sizeof nexttoward(f, 1));
    return 0;
}
