/* The result of a call is not to be modified (C11 6.2.4p8). */
#include <stdio.h>

struct triple {
    int at[3];
};

static struct triple make(int n)
{
    struct triple t = {{n, n + 1, n + 2}};
    return t;
}

static int change(int *p)
{
#if CASE == 2
    p[1] = 0;
#endif
    return p[1];
}

int main(void)
{
#if CASE == 1
    make(1).at[0] = 5;
#elif CASE == 4
    struct triple t = make(1);
    t.at[0] = 5;
    printf("%d\n", t.at[0]);
#endif
    printf("%d %d\n", make(1).at[2], change(make(3).at));
    return 0;
}
