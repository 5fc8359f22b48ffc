/* Programs ask where their code, their frames and the linker's own objects are. */
#include <stdio.h>
extern char end[], etext[] __attribute__((weak));
static char *returns_to, *top = 0;
__attribute__((noinline)) static int where(int n)
{
#if CASE == 1
    returns_to = __builtin_return_address(0);
    return n + (returns_to > (char *)where);
#elif CASE == 2
    top = end;
    return n + (int)(top - etext);
#elif CASE == 3
    return n;
    returns_to = __builtin_frame_address(0);
#else
    static int end = 7; /* its own, which no linker makes */
    return n + end;
#endif
}
int main(void)
{
    printf("%d\n", where(3) + (returns_to == top));
    return 0;
}
