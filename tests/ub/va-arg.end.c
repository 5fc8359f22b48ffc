/* va_end: once, where va_start was (C11 7.16.1.3p2). */
#include <stdarg.h>
#include <stdio.h>

static int last(int n, va_list list)
{
    int v = 0;
    while (n--)
        v = va_arg(list, int);
#if CASE == 1
    va_end(list);
#endif
    return v;
}

static int of(int n, ...)
{
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    int v = last(n, list);
#if CASE == 2
    va_end(list);
#elif CASE == 4
    v += va_arg(copy, int);
#endif
    va_end(copy);
    va_end(list);
    return v;
}

int main(void)
{
    printf("%d\n", of(3, 1, 2, 3));
    return 0;
}
