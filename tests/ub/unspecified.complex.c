/* How a complex product or quotient is rounded, and how exactly a function computes. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
int main(void)
{
    double complex a = 0.1 + 0.7i, b = 0.3 - 1.9i, c = 3.0 - 4.0i;
#if CASE == 1
    printf("%a %a\n", creal(a * b), cimag(a * b));
#elif CASE == 2
    double complex q = a / b;
    printf("%a %a\n", creal(q), cimag(q));
#elif CASE == 3
    double complex q = a / b, p = a * b;
    printf("%.6f %.6f %.6f %.6f\n", creal(q), cimag(q), creal(p), cimag(p));
#else
    printf("%a %a %a %a\n", creal(c * c), cimag(c * c), creal(c * c / c), cabs(c));
    printf("%a %a\n", creal(a * 0.3), cimag(a - b));
#endif
    return 0;
}
