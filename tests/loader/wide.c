/* helpers of the compiler's library, computed jumps, jump tables, constants of all sorts */
#include <stdio.h>
static int classify(int x)
{
    switch (x) {
    case 0:
        return 5;
    case 1:
        return 9;
    case 2:
        return 1;
    case 3:
        return 7;
    case 4:
        return 3;
    case 5:
        return 8;
    default:
        return -1;
    }
}
int main(int argc, char **argv)
{
    static void *const targets[] = {&&one, &&two};
    long double ld = 1.25L * argc;
    unsigned long long big = ~0ull / (unsigned)(argc + 2);
    (void)argv;
    goto *targets[argc & 1];
one:
    puts("one");
two:
    printf("%d %d %.2Lf %.3f %llu\n", classify(argc + 1), classify(9), ld, 0.1f + argc, big);
    return 0;
}
