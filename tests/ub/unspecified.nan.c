/* The sign of a NaN, seen as bits; and where two things lie of which one has no bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
union bits {
    double d;
    uint64_t u;
    uint16_t part[4];
};
int main(void)
{
    volatile double zero = 0;
    double none = zero / zero;
    union bits b;
    uint64_t u;
    struct {
    } a, c;
    b.d = none;
    memcpy(&u, &none, sizeof u);
#if CASE == 1
    printf("%d\n", (int)(u >> 63));
#elif CASE == 2
    int *p = realloc(malloc(4), 0);
    printf("%d %d %d\n", (int)(b.u >> 60), p != NULL, (void *)&a == (void *)&c);
#elif CASE == 3
    printf("%d %d\n", (u << 1) > (uint64_t)0x7ff << 53, (b.u & 7) == 0);
#else
    b.u = (uint64_t)0xfff8 << 48;
    printf("%d %d\n", (int)(b.u >> 63), b.d != b.d);
    none = 1 / zero;
    memcpy(&u, &none, sizeof u);
    printf("%d\n", (int)(u >> 52));
    b.d = 6; /* and then it is one no more */
    b.part[3] = b.part[2] = b.part[1] = b.part[0] = 0xffff;
    b.part[0]--;
    printf("%d\n", (int)(b.u >> 63));
    b.d = 6;
    b.part[3] = 0xffff;
    printf("%d\n", (int)(b.u >> 63));
#endif
    (void)a, (void)c;
    return 0;
}
