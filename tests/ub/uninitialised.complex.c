/* Complex objects of which no part, or one, is set. */
#include <complex.h>
#include <stdio.h>
struct point {
    double complex at;
};
int main(int argc, char **argv)
{
    double complex z, w = 1.0i;
    struct point p, q;
    (void)argv;
#if CASE == 1
    w += z;
#elif CASE == 2
    __real__ z = argc;
    w = z;
#elif CASE == 3
    __real__ z = argc;
    __imag__ z = 2;
    w = z;
#else
    p = q;
    __real__ p.at = 1;
    printf("%g\n", __real__ p.at);
#endif
    printf("%g %g\n", creal(w), cimag(w));
    return 0;
}
