/* A variable that was given a restrict pointer from memory, and moves. */
#include <stdio.h>

struct row {
    int n;
    int *restrict at;
};

static void add(const struct row *to, const struct row *from)
{
    int *p = to->at, *q = from->at, n = to->n;
    while (n--)
        *p++ += *q++;
}

static int product(const struct row *a, const struct row *b)
{
    const int *p = a->at, *q = b->at;
    int all = 0;
    for (int n = a->n; n; n--, p++)
        all += *p * *q++;
    return all;
}

int main(void)
{
    int x[6] = {1, 2, 3, 4, 5, 6};
    struct row a = {3, x}, b = {3, x + CASE}, c = {3, x + 3};
#if CASE <= 2
    add(&b, &a);
#elif CASE == 3
    add(&c, &a);
#else
    (void)b;
    return product(&a, &a) != 14 || product(&a, &c) != 32;
#endif
    return 0;
}
