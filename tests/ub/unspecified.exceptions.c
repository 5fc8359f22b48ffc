/* Whether arithmetic raised an exception, which the compiler may fold or move. */
#include <stdio.h>
#include <xmmintrin.h>
int main(void)
{
    volatile double one = 1, three = 3;
    double third = one / three;
#if CASE == 1
    printf("%d %g\n", _mm_getcsr() & 0x20 ? 1 : 0, third);
#elif CASE == 2
    printf("%x %g\n", _mm_getcsr(), third);
#elif CASE == 3
    printf("%x %g\n", _mm_getcsr() & 0x6000, third);
#else
    unsigned old = _mm_getcsr();
    _mm_setcsr(old);
    printf("%g\n", third);
#endif
    return 0;
}
