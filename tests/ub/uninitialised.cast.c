/* Characters that were never set may go through variables and casts of their size, not be used. */
#include <stdio.h>
struct gap {
    char c, rest[7];
    long l;
};
int main(void)
{
    struct gap a, b;
    unsigned char *from = (unsigned char *)&a, *to = (unsigned char *)&b, t;
    int n = 0;
    a.c = 1, a.l = 2;
#if CASE == 1
    n = from[3];
    n++;
#elif CASE == 2
    for (unsigned i = 0; i < sizeof a; i++)
        n += (i & 1 ? from[i] : from[i]) > 3;
#elif CASE == 3
    for (unsigned i = 0; i < sizeof a; i++) {
        if (i & 1)
            t = from[i];
        else
            t = *(from + i);
        to[i] = (unsigned char)t;
    }
    n = b.c + (int)b.l;
#else
    for (unsigned i = 0; i < sizeof a; i++) {
        const signed char s = (signed char)from[i];
        to[i] = (unsigned char)s;
    }
    n = b.c + (int)b.l;
#endif
    (void)to, (void)b, (void)t;
    printf("%d\n", n);
    return 0;
}
