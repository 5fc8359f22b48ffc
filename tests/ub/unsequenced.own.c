/* A value that is read where finding it had a side effect on it, and where it had one on another. */
#include <stdio.h>
struct pair {
    int n;
    struct pair *next;
} one = {1, 0}, two = {2, &one}, *at = &two;
int a[3] = {1, 1, 2};
int *p = a + 2;
static int down(int *q)
{
    return --*q;
}
int main(void)
{
#if CASE == 1
    return printf("%d\n", a[a[1]--]) < 0;
#elif CASE == 2
    return printf("%d\n", *(a + (a[2] = 2))) < 0;
#elif CASE == 3
    return printf("%d %d %d\n", a[a[0]--], *p++, (at = at->next)->n) < 0;
#else
    return printf("%d %d\n", a[down(&a[0])], a[(a[1]--, 1)]) < 0;
#endif
}
