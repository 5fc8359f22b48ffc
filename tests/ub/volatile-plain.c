/* volatile-plain: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#include <stdio.h>
struct pair {
    int x, y;
};
static int read(int *p)
{
    return *p;
}
static int read_volatile(const volatile int *p)
{
    return *p;
}
int main(void)
{
    volatile int v = 3;
    volatile struct pair pairs[2] = {{1, 2}, {3, 4}};
    int plain = 5;
    volatile int *to = &plain;
#if CASE == 1
    printf("%d\n", read((int *)&v));
#elif CASE == 2
    struct pair *p = (struct pair *)&pairs[1];
    p->y = v;
#elif CASE == 3
    printf("%d %d\n", read_volatile(&v), read((int *)to));
#else
    int *p = (int *)&v;
    printf("%d %d\n", p == &plain, pairs[1].x + *to);
#endif
    return 0;
}
