/* Padding that was copied into something else: C11 6.2.6.1p6. */
#include <stdio.h>
#include <string.h>

struct s {
    char c;
    int i;
};

int main(void)
{
    struct s a = {1, 2}, b;
    unsigned long v;
    unsigned char bytes[sizeof a];
    int set = 0;
    b.c = 3;
    b.i = 4;
    memcpy(&v, CASE % 2 ? &a : &b, sizeof v);
    memcpy(bytes, &a, sizeof bytes);
#if CASE == 1
    printf("%lx\n", v);
#elif CASE == 2
    for (unsigned i = 0; i < sizeof bytes; i++)
        set += bytes[i] != 0;
    printf("%d %lx\n", set, v >> 32);
#elif CASE == 3
    v &= 0xffffffff000000ff;
    printf("%lx\n", v);
#else
    for (unsigned i = 0; i < sizeof bytes; i++)
        set += bytes[i] != 0 || bytes[i] == 0;
    printf("%d %lx\n", set, v >> 32);
#endif
    return 0;
}
