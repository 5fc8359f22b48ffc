/* Pointers to different types are different types: compilers take them for different objects. */
#include <stdio.h>
#include <stdlib.h>

struct one {
    int n;
};
struct two {
    int n;
};

static int set(int **p, float **q, int *x, float *y)
{
    *p = x;
    *q = y;
    return *p == x;
}

int main(void)
{
    int x = 1, r = 0;
    float y = 2;
    struct one one = {1}, *to = &one;
#if CASE == 1
    void *m = malloc(sizeof(void *));
    r = set(m, m, &x, &y);
    free(m);
#elif CASE == 2
    *(struct two **)&to = NULL;
    r = to == NULL;
#elif CASE == 3
    void *m[2] = {&x, &y};
    const struct one **same = (const struct one **)&to;
    unsigned *p = (unsigned *)*(int **)m;
    r = *p + *(float *)m[1] + (*same)->n;
#else
    void **any = (void **)&to;
    char *text = "12x";
    r = strtol(text, (char **)&(unsigned char *){NULL}, 10) + (*any == &one);
#endif
    printf("%d %d %g\n", r, x, y);
    return 0;
}
