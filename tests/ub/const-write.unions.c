/* What every member of a union declares const may not be written. */
#include <stdio.h>

union all {
    const int a;
    const unsigned b;
};

union some {
    const int a;
    unsigned b;
};

struct part {
    int n;
    union {
        struct {
            const int key;
            int value;
        } x;
        struct {
            const int key;
            float value;
        } y;
    } u;
};

int main(void)
{
    union all all = {1};
    union some some = {1};
    struct part part = {1, {{2, 3}}};
#if CASE == 1
    *(int *)&all.a = 2;
#elif CASE == 2
    *(int *)&part.u.x.key = 4;
#elif CASE == 3
    some.b = 2;
#else
    part.u.y.value = 2;
    *(unsigned *)&some = 3;
#endif
    printf("%d %d %d\n", all.a, some.a, part.u.x.key);
    return 0;
}
