/* A constant that decides something is executed, too, converted or not. */
#include <stdio.h>
int main(void)
{
    int g = 3;
#if CASE == 1
    g = (short)((short)-1L << 0u) && g < 5;
#elif CASE == 2
    if ((char)(-1 << 2))
        g = 9;
#elif CASE == 3
    g = sizeof(short[(short)(2 << 1)]) && (short)(1 << 3);
#else
    while ((short)0 || (char)(unsigned char)2) {
        g++;
        break;
    }
#endif
    printf("%d\n", g);
    return 0;
}
