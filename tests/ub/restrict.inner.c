/* Variables of inner blocks that lead to restrict pointers, or hold them. */
#include <stdio.h>

struct part {
    int *restrict at;
};

static int add(struct part *parts, int n)
{
    int all = 0;
    for (struct part *p = parts; p < parts + n; p++) {
        int *q = p->at;
        *q += 1;
        all += *q++;
    }
    return all;
}

int main(void)
{
    int x = 1, y = 2;
    struct part different[2] = {{&x}, {&y}};
#if CASE == 1
    struct part same[2] = {{&x}, {&x}};
    printf("%d\n", add(same, 2));
#elif CASE == 2
    for (int i = 0; i < 2; i++) {
        struct part p = {&x};
        *p.at += 1;
        x++;
    }
#elif CASE == 3
    printf("%d\n", add(different, 2));
#else
    for (int i = 0; i < 2; i++) {
        {
            struct part p = {&x};
            *p.at += 1;
        }
        x++;
    }
#endif
    return different[0].at != &x || y == 0;
}
