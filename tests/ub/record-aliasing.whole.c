/* A structure that is read or written as a whole. */
#include <stdio.h>
#include <stdlib.h>

struct a {
    int x, y;
};
struct b {
    int x, y;
};
struct both {
    struct a a;
    struct b b;
};

static int set(struct a *p, struct b *q)
{
    *p = (struct a){1, 2};
    *q = (struct b){3, 4};
    return p->x;
}

int main(void)
{
    struct both both;
    void *m = malloc(sizeof both);
    struct a *p = m;
    struct b *q = m;
    int r = 0;
#if CASE == 1
    r = set(&both.a, (struct b *)&both.a);
#elif CASE == 2
    p->x = p->y = 1;
    struct b t = *q;
    r = t.x;
#elif CASE == 3
    r = set(&both.a, &both.b);
#else
    p->x = p->y = 1;
    q->x = 2; /* the rest of it may never have been set */
    struct b t = *q;
    r = t.x;
#endif
    printf("%d\n", r);
    free(m);
    return 0;
}
