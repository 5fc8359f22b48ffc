/* Pointers in memory that were never set may be copied, not used. */
#include <stdlib.h>
#include <string.h>
struct parser {
    int type;
    void *data;
};
static void start(struct parser *p)
{
    void *data = p->data; /* the caller's, if he has set it */
    memset(p, 0, sizeof *p);
    p->data = data;
}
int main(void)
{
    struct parser p, q;
    char **v = malloc(2 * sizeof *v);
    int r = 0;
#if CASE == 1
    v[0] = v[1];
    r = v[0] != 0;
#elif CASE == 2
    start(&p);
    r = p.data == v;
#elif CASE == 3
    start(&p);
    r = p.type;
#else
    q.data = v;
    start(&q);
    p = q;
    r = p.data != v;
    v[0] = v[1];
#endif
    free(v);
    return r;
}
