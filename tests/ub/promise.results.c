/* What alloc_size, malloc and access promise of pointers. */
#include <stdio.h>
#include <stdlib.h>
__attribute__((alloc_size(1, 2))) static void *take(size_t n, size_t size)
{
    return n > 100 ? NULL : malloc(n);
}
__attribute__((malloc)) static int *refreshed(int *old)
{
    return *old ? old : malloc(sizeof *old);
}
__attribute__((access(read_only, 1, 2))) static int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
int main(void)
{
    int x = CASE == 2, a[3] = {1, 2, 3};
#if CASE == 1
    void *p = take(4, 4);
#elif CASE == 2
    int *p = refreshed(&x);
#elif CASE == 3
    void *p = x ? NULL : take(4, 1);
#else
    int *p = refreshed(&x);
#endif
    printf("%d %d\n", p != NULL, sum(a, 3));
    if (p != (void *)&x)
        free(p);
    return 0;
}
