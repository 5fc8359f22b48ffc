/* Which of two objects lies below the other, whatever way the numbers went. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static uintptr_t number(const void *p)
{
    return (uintptr_t)p;
}
static int by_address(const void *a, const void *b)
{
    uintptr_t x = number(*(char *const *)a), y = number(*(char *const *)b);
    return (x > y) - (x < y);
}
int main(void)
{
    static char one[3] = "1", two[3] = "2";
    char *list[] = {one, two}, *parts[] = {one + 1, one};
#if CASE == 1
    uintptr_t a = number(one), b = number(two);
    printf("%d\n", a < b);
#elif CASE == 2
    qsort(list, 2, sizeof *list, by_address);
    printf("%s%s\n", list[0], list[1]);
#elif CASE == 3
    qsort(parts, 2, sizeof *parts, by_address);
    printf("%d\n", parts[0] == one);
#else
    qsort(list, 2, sizeof *list, by_address);
    printf("%d\n", number(list[0]) < number(list[1]));
#endif
    return 0;
}
