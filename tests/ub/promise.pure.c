/* Functions declared pure write, or declared const read, what others see. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int calls, table[4] = {1, 2, 3, 4};
static const int fixed[4] = {1, 2, 3, 4};
__attribute__((pure)) static int counted(int n)
{
    calls++;
    return n * 2;
}
__attribute__((const)) static int first(const int *p)
{
    return *p;
}
__attribute__((pure)) static int sum(const int *p, int n)
{
    static int seen[8]; /* nobody else can see it */
    int copy[4], s = 0, *heap = malloc(sizeof copy);
    memcpy(copy, p, sizeof copy);
    memcpy(heap, copy, sizeof copy);
    for (int i = 0; i < n; i++)
        s += heap[i];
    seen[n]++;
    free(heap);
    return s;
}
__attribute__((const)) static int lookup(unsigned n)
{
    return fixed[n % 4] + "abcd"[n % 4];
}
int main(void)
{
    int r = 0;
#if CASE == 1
    r = counted(3);
#elif CASE == 2
    r = first(table);
#elif CASE == 3
    r = sum(table, 4);
#else
    r = lookup(6);
#endif
    printf("%d\n", r + calls);
    return 0;
}
