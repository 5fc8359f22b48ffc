/* Pointers into a structure that were made from one to the whole of it, and such that were not. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct rows {
    int a[4], b[4], n;
};

static int sum(const int *p, int n)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all += p[i];
    return all;
}

int main(void)
{
    struct rows r = {{1, 2, 3, 4}, {5, 6, 7, 8}, 9}, other;
    memset(&other, 0, sizeof other);
    int *p = (int *)((char *)&other + offsetof(struct rows, a[2]));
    p[3] = 1;
#if CASE == 1
    printf("%d\n", sum(r.a + 2, 3));
#elif CASE == 2
    p = &r.b[1];
    printf("%d\n", p[-2]);
#elif CASE == 3
    p = (int *)((char *)&r + offsetof(struct rows, a[2]));
    p[3] = 10;
    printf("%d %d\n", sum(p, 7), other.b[1]);
#else
    p = (int *)&r + 5;
    p -= 4;
    printf("%d\n", *p);
#endif
    return 0;
}
