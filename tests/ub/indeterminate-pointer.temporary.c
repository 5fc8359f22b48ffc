/* The result of a call lives until the full expression ends (C11 6.2.4p8). */
#include <stdio.h>

struct triple {
    int at[3];
};

static struct triple make(int n)
{
    struct triple t = {{n, n + 1, n + 2}};
    return t;
}

static int sum(const int *p)
{
    return p[0] + p[1] + p[2];
}

int main(void)
{
    const int *p;
#if CASE == 1
    p = make(1).at;
    printf("%d\n", p[1]);
#elif CASE == 2
    p = make(2).at + 1;
    int n = sum(p - 1);
    printf("%d\n", n);
#elif CASE == 3
    printf("%d %d\n", (p = make(1).at, p[1]), sum(make(4).at));
#else
    struct triple t = make(5);
    p = t.at;
    for (int i = 0; i < 3; i++)
        printf("%d\n", make(i).at[i] + sum(p));
#endif
    return 0;
}
