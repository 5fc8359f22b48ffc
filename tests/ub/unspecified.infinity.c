/* glibc's isinf tells the sign of an infinity, gcc's own does not. */
#include <math.h>
#include <stdio.h>
int main(void)
{
    volatile double below = -INFINITY, above = INFINITY;
#if CASE == 1
    printf("%d\n", (isinf)(below));
#elif CASE == 2
    return (isinf)(below) < 0;
#elif CASE == 3
    printf("%d %d\n", (isinf)(above), __builtin_isinf_sign(below));
#else
    printf("%d\n", (isinf)(below) != 0);
#endif
    return 0;
}
