/* What longjmp finds in variables that changed since setjmp (C11 7.13.2.1p3). */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;

static void leave(int value)
{
    longjmp(place, value);
}

int main(void)
{
    int tries = 0;
    int list[2] = {1, 2};
#if CASE == 1
    if (setjmp(place) == 0) {
        tries = 1;
        leave(1);
    }
    printf("%d\n", tries);
#elif CASE == 2
    if (setjmp(place) == 0) {
        list[1] = 3;
        leave(1);
    }
    printf("%d\n", list[1]);
#elif CASE == 3
    volatile int kept = 0;
    if (setjmp(place) == 0) {
        kept = 1;
        leave(1);
    }
    printf("%d %d %d\n", kept, tries, list[1]);
#else
    if (setjmp(place) < 3) {
        tries = 1;
        list[0] = 3;
        leave(3);
    }
    tries = 2; /* set again, and list[0] is not read */
    printf("%d %d\n", tries, list[1]);
#endif
    return 0;
}
