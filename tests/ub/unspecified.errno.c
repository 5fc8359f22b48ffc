/* Errors of functions of math.h that compilers compute themselves. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
int main(void)
{
    volatile double small = 1e-300, zero = 0, minus = -1, large = 1e300;
    errno = 0;
#if CASE == 1
    small = pow(small, 2.0);
#elif CASE == 2
    zero = pow(zero, -1.0);
#elif CASE == 3
    minus = sqrt(minus) != sqrt(minus);
#else
    large = exp(large) > pow(large, large - 1) || log(zero) < 0;
#endif
    printf("%d\n", errno);
    return 0;
}
