/* floating-environment: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#include <fenv.h>
#include <stdio.h>
int main(void)
{
    volatile double one = 1, three = 3;
#if CASE == 1
    double down = one / three;
    fesetround(FE_UPWARD);
    double up = one / three;
    printf("%d\n", up > down);
#elif CASE == 2
    feclearexcept(FE_ALL_EXCEPT);
    double third = one / three;
    printf("%d %g\n", fetestexcept(FE_INEXACT) != 0, third);
#elif CASE == 3
    fesetround(FE_TONEAREST);
    feclearexcept(FE_ALL_EXCEPT);
    printf("%d\n", fegetround() == FE_TONEAREST && one / three < 1);
#else
    fesetenv(FE_DFL_ENV);
    feraiseexcept(FE_INVALID);
    printf("%g\n", one / three);
#endif
    return 0;
}
