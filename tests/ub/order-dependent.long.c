/* order-dependent: CASE 1 and 2 have it, 3 and 4 are near and defined: operands that access more than
 * could be remembered one by one, in loops and in recursion. */
#include <stdlib.h>
struct node {
    struct node *next;
    int value;
};
static int last, many[1000], table[2][100000];
static struct node nodes[2][50000];
static int count(int k)
{
    for (int i = 0; i < 200000; i++)
        many[i % 1000] += i & 1;
    last = k;
    return many[k];
}
static int scatter(int *t, unsigned step)
{
    int n = 0;
    for (unsigned i = 0; i < 300000; i++)
        n += t[i * step % 100000]++ & 1;
    return n;
}
static struct node *chain(struct node *n)
{
    for (int i = 0; i < 49999; i++)
        n[i].next = &n[i + 1];
    return n;
}
static int walk(struct node *n) { return n ? ++n->value + walk(n->next) : 0; }
int main(void)
{
#if CASE == 1
    int n = count(1) + count(2);
    return last + (n & 0);
#elif CASE == 2
    return scatter(table[0], 7919) == 2 * scatter(table[0], 3);
#elif CASE == 3
    return scatter(table[0], 7919) - scatter(table[1], 7919);
#else
    return walk(chain(nodes[0])) - walk(chain(nodes[1]));
#endif
}
