/* In the condition of if and loops, too, the result of a call ends with it (C11 6.2.4p8, 6.8p4). */
#include <stdio.h>

struct pair {
    int at[2];
};

static struct pair make(int n)
{
    struct pair p = {{n, n + 1}};
    return p;
}

int main(void)
{
    int *p, i = 0;
#if CASE == 1
    if ((p = make(1).at)[0])
        printf("%d\n", p[1]);
#elif CASE == 2
    while ((p = make(i).at)[0] < 2)
        i += p[1];
#elif CASE == 3
    if ((p = make(1).at)[0] && p[1] == 2)
        puts("both");
#else
    for (p = &i; make(i).at[0] < 2 && make(*p).at[1]; i++)
        printf("%d\n", *p);
#endif
    return 0;
}
