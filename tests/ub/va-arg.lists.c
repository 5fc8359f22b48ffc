/* Lists that are not ended, were read elsewhere, or begin after a parameter that is promoted. */
#include <stdarg.h>
#include <stdio.h>
static int next(va_list a) { return va_arg(a, int); }
static int through(va_list *a) { return va_arg(*a, int); }
static int first(int n, ...)
{
    va_list a, b;
    va_start(a, n);
    va_copy(b, a);
#if CASE == 1
    next(a);
    int r = va_arg(a, int);
#elif CASE == 2
    int r = va_arg(a, int);
    return r;
#elif CASE == 3
    int r = through(&a) + va_arg(a, int) - 2;
#else
    int r = next(a) + va_arg(b, int) - 1;
#endif
    va_end(a);
    va_end(b);
    return r;
}
int main(void) { return first(2, 1, 2) - 1; }
