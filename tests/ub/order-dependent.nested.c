/* A nested function changes what another operand reads. */
#include <stdio.h>
int main(void)
{
    int k = 1, other = 2;
    int bump(void)
    {
        return ++k;
    }
#if CASE == 1
    printf("%d\n", k + bump());
#elif CASE == 2
    int (*f)(void) = bump;
    printf("%d %d\n", f(), k);
#elif CASE == 3
    printf("%d\n", other + bump());
#else
    int before = k;
    printf("%d\n", before + bump());
#endif
    return 0;
}
