/* Bit-fields that overlap in part, or have other types. */
#include <stdio.h>

union bits {
    struct {
        unsigned low : 4, high : 12;
    } a;
    struct {
        unsigned low : 8, high : 8;
    } b;
    unsigned char first;
};

int main(void)
{
    union bits u = {{5, 9}}, *p = &u;
#if CASE == 1
    u.b.low = u.a.high;
#elif CASE == 2
    p->a.low = p->first;
#elif CASE == 3
    u.b.high = u.a.low;
    u.b.low = u.b.low;
#else
    u.b.low = u.a.high + 0;
    p->b.high = p->first;
#endif
    printf("%u %u\n", u.b.low, u.b.high);
    return 0;
}
