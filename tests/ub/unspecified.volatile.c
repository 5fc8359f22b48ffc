/* Padding that an assignment copied, and that a volatile object receives byte by byte. */
#include <stdio.h>
struct gap {
    long l;
    char c;
};
static volatile unsigned char one;
int main(void)
{
    struct gap a = {1, 2}, b;
    volatile unsigned char all[sizeof a];
    volatile struct gap whole;
    unsigned char *bytes = (unsigned char *)&b;
    b = a;
#if CASE == 1
    one = bytes[sizeof(long) + 1];
#elif CASE == 2
    for (size_t i = 0; i < sizeof b; i++)
        all[i] = bytes[i];
#elif CASE == 3
    whole = b;
    all[0] = bytes[sizeof(long)];
    printf("%d %d\n", whole.c, all[0]);
#else
    unsigned char plain[sizeof b];
    for (size_t i = 0; i < sizeof b; i++)
        plain[i] = bytes[i];
    all[0] = one = plain[0];
#endif
    return 0;
}
