/* Lengths in one declarator, and other results that gcc and clang have each their own way of. */
#include <math.h>
#include <stdio.h>
static int n = 1;
static int more(void)
{
    return ++n;
}
int main(void)
{
    int e = 7;
#if CASE == 1
    int a[more()][n + 1];
    printf("%zu %zu\n", sizeof a, sizeof a[0]);
#elif CASE == 2
    double d = frexp(INFINITY, &e);
    printf("%g %d %d\n", d, e, __func__ == (const char *)"main");
#elif CASE == 3
    int a[more()], b[n + 1][n];
    int c[more() + 1][4];
    printf("%zu %zu %zu\n", sizeof a, sizeof b, sizeof c);
#else
    double d = frexp(INFINITY, &e);
    printf("%g %d\n", d, __func__ == __func__);
    d = frexp(12.0, &e);
    printf("%g %d\n", d, e);
#endif
    return 0;
}
