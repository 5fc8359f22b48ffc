/* A member of a union is read where no such union can lie. */
#include <stdio.h>
#include <stdlib.h>

union word {
    int i;
    float f;
    short half[2];
};
union wide {
    double d;
    struct {
        float re, im;
    } c;
};

int main(void)
{
    long n = 5;
    int counts[2] = {1, 2};
    void *m = malloc(16);
    union word *p = (union word *)&n;
    union wide *w = m;
    int r;
#if CASE == 1
    r = p->half[0];
#elif CASE == 2
    *(long *)m = 3;
    r = w->c.re > 1;
#elif CASE == 3
    p = (union word *)counts;
    r = p[1].half[0] != 2;
#else
    w->d = 2;
    r = w->c.re > 1;
#endif
    printf("%d %ld\n", r, n + (p != NULL));
    free(m);
    return 0;
}
