/* Flags, lengths and precisions that a conversion does not have. */
#include <stdio.h>
int main(void)
{
#if CASE == 1
    printf("%#d\n", 3);
#elif CASE == 2
    printf("%hs %.3c\n", "x", 'c');
#elif CASE == 3
    printf("%#x %05d %+.3f %-5s|\n", 3, 3, 3.5, "x");
#else
    printf("%hhd %.3s %lf %Lf\n", 3, "xyz", 1.5, 2.5L);
#endif
    return 0;
}
