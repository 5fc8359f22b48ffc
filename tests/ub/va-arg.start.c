/* va_start names the last parameter, which is no register (C11 7.16.1.4p4). */
#include <stdarg.h>
#include <stdio.h>

#if CASE == 1
static int sum(int n, int unused, ...)
#elif CASE == 2
static int sum(register int n, ...)
#elif CASE == 3
static int sum(int unused, int n, ...)
#else
static int sum(int n, ...)
#endif
{
    va_list list;
    int all = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        all += va_arg(list, int);
    va_end(list);
    return all;
}

int main(void)
{
    printf("%d\n", sum(1, 1, 3, 4));
    return 0;
}
