/* floating-environment: by other names. */
#define _GNU_SOURCE
#include <fenv.h>
#include <stdio.h>
#include <xmmintrin.h>
int main(void)
{
    volatile double one = 1, three = 3;
#if CASE == 1
    _mm_setcsr(_mm_getcsr() | 0x8040); /* small numbers are zero */
    printf("%g\n", one / three);
#elif CASE == 2
    fenv_t old;
    feholdexcept(&old);
    printf("%g\n", one / three);
    feupdateenv(&old);
#elif CASE == 3
    _mm_setcsr(_mm_getcsr() & ~0x3fu);
    printf("%g %d\n", one / three, (_mm_getcsr() & 0x6000) == 0);
#else
    fedisableexcept(FE_DIVBYZERO);
    feupdateenv(FE_DFL_ENV);
    printf("%g\n", one / three);
#endif
    return 0;
}
