/* Who passed a list on may not use it once it was read there (C11 7.16p3). */
#include <stdarg.h>
#include <stdio.h>

static int next(va_list list)
{
    return va_arg(list, int);
}

static int next_of(va_list *list)
{
    return va_arg(*list, int);
}

static int all(int n, va_list list)
{
    return n ? va_arg(list, int) + all(n - 1, list) : 0;
}

static int two(va_list list)
{
#if CASE == 1
    int r = next(list);
    return r + va_arg(list, int);
#else
    return all(2, list);
#endif
}

static int sum(int n, ...)
{
    va_list list;
    va_start(list, n);
#if CASE == 2
    int r = next(list) + next(list);
#elif CASE == 3
    int r = next_of(&list) + next_of(&list) + va_arg(list, int);
#else
    int r = two(list);
#endif
    va_end(list);
    return r;
}

int main(void)
{
    printf("%d\n", sum(3, 1, 2, 3));
    return 0;
}
