/* The sign of a NaN that arithmetic made, and the last digit of what a function gives. */
#include <math.h>
#include <stdio.h>
int main(void)
{
    volatile double zero = 0, x = 0.75;
#if CASE == 1
    printf("%f\n", zero / zero);
#elif CASE == 2
    printf("%a\n", tgamma(x + 6.5));
#elif CASE == 3
    printf("%f %d\n", NAN, isnan(zero / zero) != 0);
#else
    printf("%a %.9f\n", sqrt(x), tgamma(x + 6.5));
#endif
    return 0;
}
