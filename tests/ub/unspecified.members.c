/* Structures of one union that are reached through pointers, one after the other: compilers take their
 * members for different objects.  Once the union itself is stored to, it is another one. */
#include <stdio.h>
#include <string.h>

struct a {
    int x;
};
struct b {
    int y;
};
struct slot {
    int kind;
    union {
        struct a a;
        struct b b;
    } u;
} stack[2];

static int read_a(const struct a *p) { return p->x; }
static int read_b(const struct b *p) { return p->y; }
static int both(struct a *p, struct b *q)
{
    p->x = 1;
    q->y = 2;
    return p->x;
}

int main(void)
{
    int r = 0;
    stack[0].u.a.x = 4;
#if CASE == 1
    r = both(&stack[0].u.a, &stack[0].u.b);
#elif CASE == 2
    r = read_a(&stack[0].u.a) + read_b(&stack[0].u.b);
#elif CASE == 3
    r = read_a(&stack[0].u.a);
    stack[0].u.b.y = 5;
    r += read_b(&stack[0].u.b);
    memset(stack, 0, sizeof stack);
    r += read_a(&stack[0].u.a);
#else
    struct slot s = {1, .u.b = {7}};
    r = read_a(&stack[0].u.a);
    stack[0] = s;
    r += read_b(&stack[0].u.b);
#endif
    printf("%d\n", r);
    return both(&stack[1].u.a, &(struct b){3}) != 1;
}
