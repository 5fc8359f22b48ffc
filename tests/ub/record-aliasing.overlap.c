/* Two structures of one type that overlap in part: record-aliasing in CASE 1 and 2, not in 3 and 4. */
#include <stdlib.h>
struct pair { int a, b; };
static int through(struct pair *p, struct pair *q) { p->b = 1; q->a = 2; return p->b; }
static int copied(struct pair *p, char *at)
{
    struct pair *q = (struct pair *)at;
    *p = (struct pair){1, 2};
    return q->a;
}
int main(void)
{
    int r = 0;
#if CASE == 1
    int *m = calloc(3, sizeof *m);
    r = m ? through((struct pair *)m, (struct pair *)(m + 1)) : 0;
#elif CASE == 2
    struct pair *m = malloc(3 * sizeof *m);
    if (m)
        m[1].a = 0, r = copied(m, (char *)m + sizeof(int));
#elif CASE == 3
    int *m = calloc(5, sizeof *m);
    r = m ? through((struct pair *)m, (struct pair *)(m + 3)) - 1 : 0;
#else
    struct pair *m = malloc(3 * sizeof *m);
    if (m)
        m[1].a = 3, r = copied(m, (char *)m + sizeof *m) - 3;
    if (m) { /* what is stored anew lies otherwise */
        struct pair *q = (struct pair *)((char *)m + sizeof(int));
        q->a = q->b = 4;
        r += q->a - q->b;
    }
#endif
    free(m);
    return r;
}
