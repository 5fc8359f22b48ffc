/* Variable arguments without a prototype in scope (C11 6.5.2.2p6). */
#include <stdarg.h>
#include <stdio.h>

static int sum(int n, ...);
static int two();

int main(void)
{
#if CASE == 1
    return ((int (*)())sum)(2, 3, 4) != 7;
#elif CASE == 2
    int (*f)() = (int (*)())sum;
    return f(0) != 0;
#elif CASE == 3
    return sum(2, 3, 4) != 7;
#else
    return two(3, 4) != 7 || sum(0);
#endif
}

static int sum(int n, ...)
{
    va_list list;
    va_start(list, n);
    int s = 0;
    while (n--)
        s += va_arg(list, int);
    va_end(list);
    return s;
}

static int two(int a, int b)
{
    return a + b;
}
