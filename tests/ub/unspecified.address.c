/* Addresses as numbers, and objects that may follow one another. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static void move(char *to, const char *from, int n)
{
    if ((uintptr_t)to < (uintptr_t)from)
        while (n--)
            *to++ = *from++;
    else
        while (n--)
            to[n] = from[n];
}
int main(void)
{
    int a = 1, b = 2, *p = &a;
    char s[] = "abc", t[4];
#if CASE == 1
    printf("%d\n", (int)((uintptr_t)&a % 64) + ((uintptr_t)&a < (uintptr_t)&b));
#elif CASE == 2
    printf("%d %d\n", &a + 1 == &b, *(unsigned char *)&p);
#elif CASE == 3
    move(t, s, 4);
    printf("%s %d %d\n", t, (uintptr_t)&b % 4 == 0, &a == &b);
#else
    uintptr_t n = (uintptr_t)p;
    *(int *)n += 5;
    printf("%d %d\n", a, &a + 1 == &a + 1);
#endif
    return 0;
}
