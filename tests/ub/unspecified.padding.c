/* Padding, and the rest of a union, hold what compilers left there (C11 6.2.6.1p6, p7). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct gap {
    long l;
    char c;
};
union part {
    char c;
    struct gap g;
};
static struct gap same(struct gap g)
{
    return g;
}
static int sum(const void *of, size_t n)
{
    const unsigned char *p = of;
    int s = 0;
    while (n--)
        s += *p++;
    return s;
}
int main(int argc, char **argv)
{
    struct gap a = {argc, 1}, b = {0}, *h = calloc(1, sizeof *h);
    union part u = {.c = 1}, v = {.g = {argc}};
    long double x;
    (void)argv;
    memset(&x, 0, sizeof x);
#if CASE == 1
    printf("%d\n", sum(&a, sizeof a));
#elif CASE == 2
    x = argc;
    *h = (struct gap){argc, 2};
    b = same(b);
    printf("%d %d\n", memcmp(&x, &x, sizeof x), argc > 5 ? sum(h, sizeof *h) : sum(&b, sizeof b));
#elif CASE == 3
    printf("%d %d %d\n", sum(&b, sizeof b), u.c, v.g.c + (int)v.g.l);
    h->c = 1;
    b.c = 2;
    printf("%d %d\n", sum(h, sizeof *h), sum(&b, sizeof b));
#else
    static struct gap s = {3, 4};
    b = a;
    *h = same(a);
    memcpy(&a, h, sizeof a);
    x = a.c;
    printf("%d %d %d %d\n", (int)b.l, a.c, sum(&s, sizeof s), sum(&x, 10) > 0);
#endif
    free(h);
    return 0;
}
