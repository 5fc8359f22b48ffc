/* record-aliasing: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#include <stdlib.h>
struct a { int x, y; };
struct b { int x, y; };
struct outer { struct a in; int z; };
static int both(struct a *p, struct b *q) { p->x = 1; q->x = 2; return p->x; }
static int whole(struct a *p, struct b *q) { p[1].y = 1; q[1] = (struct b){2, 3}; return (*(p + 1)).y; }
static int inner(struct outer *o, struct a *p) { o->in.y = 1; p->y = 2; return o->in.y; }
static int again(struct a *p, struct b *q) { p->x = 1; q->x = 2; return q->x; }
int main(void)
{
    int r = 0;
    void *m = calloc(4, sizeof(struct b));
    if (!m)
        return 0;
#if CASE == 1
    r = both(m, m);
#elif CASE == 2
    r = whole(m, m);
#elif CASE == 3
    r = inner(m, m) - 2;
#else
    r = again(m, m);
    r += *(int *)m - 4;
#endif
    free(m);
    return r;
}
