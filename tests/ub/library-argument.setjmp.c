/* longjmp to where nobody is any more (C11 7.13.2.1p2). */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf place;

static int mark(void)
{
    return setjmp(place);
}

static void throw(int value)
{
    longjmp(place, value);
}

static int compare(const void *a, const void *b)
{
    if (a != b)
        throw(5);
    return 0;
}

int main(void)
{
#if CASE == 1
    if (mark() == 0)
        throw(1);
#elif CASE == 2
    jmp_buf never;
    for (unsigned i = 0; i < sizeof never; i++)
        ((char *)never)[i] = 0;
    longjmp(never, 1);
#elif CASE == 3
    volatile int n = 0;
    int value = setjmp(place);
    n++;
    if (value < 3)
        throw(value + 1);
    printf("%d %d\n", value, n);
#else
    int list[3] = {3, 1, 2};
    switch (setjmp(place)) {
    case 0:
        qsort(list, 3, sizeof *list, compare);
        mark();
        break;
    case 5:
        puts("left");
    }
#endif
    return 0;
}
