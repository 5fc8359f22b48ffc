/* Bit-fields that have their bytes to themselves. */
#include <stdio.h>

struct bits {
    unsigned low : 8, high : 16, a : 4, b : 4;
};

static int set(struct bits *restrict p, struct bits *restrict q)
{
#if CASE == 1
    p->low = 1;
    q->low = 2;
#elif CASE == 2
    p->high = q->high + 1;
#elif CASE == 3
    p->low = 1;
    q->high = 2;
#else
    p->a = 1;
    q->b = p->a++;
#endif
    return p->low;
}

int main(void)
{
    struct bits x = {1, 2, 3, 4};
    printf("%d\n", set(&x, &x));
    return 0;
}
