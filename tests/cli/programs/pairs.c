/* Switches on 128 bits, and differences of pointers to arrays of variable length. */
#include <limits.h>
#include <stdio.h>

typedef __int128 wide;
typedef unsigned __int128 uwide;

static int of_signed(wide x)
{
    switch (x) {
    case -1: return 1;
    case 0: return 2;
    case 5 ... 9: return 3;
    case LONG_MIN: return 4;
    case LONG_MAX: return 5;
    default: return 0;
    }
}

static int of_unsigned(uwide x)
{
    switch (x) {
    case 0: return 1;
    case ULONG_MAX: return 2;
    case 1ull << 63 ...(1ull << 63) + 5: return 3;
    }
    return 9;
}

static int rows(int n)
{
    int m[4][n], sum = 0;
    int(*p)[n] = m, (*end)[n] = m + 4;
    for (; p < end; p++)
        sum = sum * 10 + (int)(end - p);
    return sum + (int)(&m[1] - &m[3]);
}

int main(void)
{
    wide t[] = {-1, 0, 5, 7, 9, 10, LONG_MIN, LONG_MAX, (wide)1 << 64, ((wide)1 << 64) + 5,
                (wide)LONG_MAX + 1, (wide)LONG_MIN - 1, -((wide)1 << 64), 5 - ((wide)1 << 64)};
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++)
        printf("%d%d ", of_signed(t[i]), of_unsigned(t[i]));
    printf("%d %d %d\n", of_unsigned(ULONG_MAX), of_unsigned((1ull << 63) + 2),
           of_unsigned((uwide)ULONG_MAX + 1));
    for (int n = 1; n < 300; n++)
        if (rows(n) != 4319)
            printf("%d\n", rows(n));
    return 0;
}
