/* Indices in the middle of an array of variable lengths, also of one that is allocated. */
#include <stdlib.h>
int main(void)
{
    int n = 3, a[2][n][n], r = 0;
    int(*p)[n][n] = calloc(2, sizeof *p); /* evaluates n, follows nothing */
    a[1][n - 1][0] = 4;
#if CASE == 1
    a[0][n][0] = 1;
    r = a[1][0][0];
#elif CASE == 2
    r = p[0][n][0];
#elif CASE == 3
    int *end = a[0][n];
    r = end - a[0][0] - n * n + (p[1][n - 1][n - 1] != 0);
#else
    int k = 0;
    r = sizeof a[k++][0] != sizeof(int[n]) || k != 1;
#endif
    free(p);
    return r;
}
