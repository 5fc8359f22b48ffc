/* A member of an atomic structure (C11 6.5.2.3p5). */
#include <stdio.h>

struct pair {
    int a, b;
};

static _Atomic struct pair shared;

int main(void)
{
    struct pair p = {1, 2};
#if CASE == 1
    shared.a = 3;
    printf("%d\n", p.a);
#elif CASE == 2
    _Atomic struct pair *at = &shared;
    printf("%d\n", at->b);
#elif CASE == 3
    shared = p;
    p = shared;
    printf("%d\n", p.b);
#else
    _Atomic int n = p.a;
    n += p.b;
    printf("%d\n", n);
#endif
    return 0;
}
