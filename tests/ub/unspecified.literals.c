/* A compound literal of zeros is zero in its members only: C11 6.2.6.1p6. */
#include <stdio.h>
#include <string.h>
struct gap {
    char c;
    int i;
    long bits : 8;
};
static int sum(const void *of, size_t n)
{
    const unsigned char *p = of;
    int s = 0;
    while (n--)
        s += *p++;
    return s;
}
int main(void)
{
    struct gap a = {0}, b;
    struct full {
        int i, k;
    } f;
    memset(&b, 1, sizeof b);
#if CASE == 1
    b = (struct gap){.c = 0};
    printf("%d\n", sum(&b, sizeof b));
#elif CASE == 2
    struct gap *p = &(struct gap){0};
    printf("%d\n", memcmp(p, &a, sizeof a) == 0);
#elif CASE == 3
    b = (struct gap){.c = 0};
    printf("%d %d\n", b.i + b.c + (int)b.bits, sum(&a, sizeof a));
#else
    f = (struct full){0};
    printf("%d %d %d\n", sum(&f, sizeof f), sum(&(struct full){0}, sizeof f),
           memcmp(&(int[3]){0}, &(int[3]){0}, sizeof(int[3])));
#endif
    return 0;
}
