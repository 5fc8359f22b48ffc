/* Comparisons that contradict themselves or change the array; arrays that are not in order (C11
 * 7.22.5). */
#include <stdio.h>
#include <stdlib.h>

static int list[] = {3, 1, 2, 1};

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

#if CASE == 1
static int compare(const void *a, const void *b)
{
    return *(const int *)a < *(const int *)b ? -1 : 1;
}
#elif CASE == 2
#define compare by_value
#else
static int calls;
static int compare(const void *a, const void *b)
{
    const int *p = a;
    calls += p >= list && p < list + 4; /* they point to elements */
    return *(const int *)b - *(const int *)a;
}
#endif

int main(void)
{
    int key = 2;
#if CASE != 2
    qsort(list, 4, sizeof *list, compare);
#endif
#if CASE == 4
    qsort(list, 4, sizeof *list, by_value);
    int *at = bsearch(&key, list, 4, sizeof *list, by_value);
    printf("%d\n", at == list + 2);
#elif CASE == 2
    printf("%d\n", bsearch(&key, list, 4, sizeof *list, compare) != NULL);
#else
    printf("%d %d\n", list[0], key);
#endif
    return 0;
}
