/* CASE 1 and 2 show how often functions that promise to be pure are called, 3 and 4 are near and
 * defined: what they remember in static locals makes no difference. */
#include <stdio.h>
static int next(void)
{
    static int n = 3;
    return ++n;
}
__attribute__((pure, noinline)) static int number(int x) { return x + next(); }
__attribute__((pure, noinline)) static const char *name(int x)
{
    static char text[20];
    text[0] = (char)('a' + x);
    return text;
}
__attribute__((const, noinline)) static int lazy(int x)
{
    static int table[40], made, asked;
    asked++;
    for (; !made; made = 1)
        for (int i = 0; i < 40; i++)
            table[i] = i * i + 2;
    return table[x];
}
__attribute__((pure, noinline)) static long fibonacci(int n)
{
    static long known[64];
    if (n < 2)
        return n;
    if (!known[n])
        known[n] = fibonacci(n - 1) + fibonacci(n - 2);
    return known[n];
}
int main(void)
{
#if CASE == 1
    printf("%d\n", number(1) + number(2));
#elif CASE == 2
    const char *one = name(1), *two = name(2);
    printf("%s %s\n", one, two);
#elif CASE == 3
    printf("%d\n", lazy(3) + lazy(4) + lazy(3));
#else
    for (int i = 0; i < 100; i++)
        printf("%ld\n", fibonacci(60) - fibonacci(i % 60));
#endif
    return 0;
}
