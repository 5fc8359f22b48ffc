/* A constant that decides something is executed, too, converted or not. */
#include <limits.h>
#include <stdio.h>
int main(void)
{
    int g = 3;
#if CASE == 1
    g = (long)(INT_MAX + 1) ? 1 : 2;
#elif CASE == 2
    do
        g++;
    while (g < 9 && (short)(INT_MIN - 1));
#elif CASE == 3
    g = (long)(INT_MAX - 1) ? 1 : 2;
#else
    for (; (unsigned char)(255 + 1) || g < 5; g++)
        ;
#endif
    printf("%d\n", g);
    return 0;
}
