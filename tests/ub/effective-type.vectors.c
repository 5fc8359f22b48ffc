/* Vectors that may alias everything, and those that may not. */
#include <stdlib.h>
typedef long long plain __attribute__((vector_size(16)));
typedef long long any __attribute__((vector_size(16), may_alias));
int main(void)
{
    short *p = malloc(32), i;
    int r = 0;
    for (i = 0; i < 16; i++)
        p[i] = i;
#if CASE == 1
    *(plain *)p = (plain){0, 0};
    r = p[0];
#elif CASE == 2
    ((plain *)p)[1] = (plain){1, 2};
    r = *(p + 9);
#elif CASE == 3
    *(any *)p = (any){0, 0};
    r = p[0]++;
#else
    any v = *(any *)(p + 8);
    *(any *)p = v;
    r = p[0] - 8;
#endif
    free(p);
    return r;
}
