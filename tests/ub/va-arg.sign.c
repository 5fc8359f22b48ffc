/* Signed and unsigned are read as each other only where both have the value (C11 7.16.1.1p2). */
#include <stdarg.h>
#include <stdio.h>
static unsigned as_unsigned(int n, ...)
{
    va_list a;
    va_start(a, n);
    unsigned v = va_arg(a, unsigned);
    va_end(a);
    return v;
}
static long long as_signed(int n, ...)
{
    va_list a;
    va_start(a, n);
    long long v = va_arg(a, long long);
    va_end(a);
    return v;
}
int main(void)
{
#if CASE == 1
    return as_unsigned(1, -1) == 0;
#elif CASE == 2
    return as_signed(1, 1ULL << 63) == 0;
#elif CASE == 3
    return as_unsigned(1, 2147483647) == 0 || as_unsigned(1, 3000000000u) == 0;
#else
    printf("%u %d\n", 7, 8u);
    return as_signed(1, (1ULL << 63) - 1) < 0 || as_signed(1, -1LL) > 0;
#endif
}
