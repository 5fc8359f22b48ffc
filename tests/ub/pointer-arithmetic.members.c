/* A pointer that leaves an array which is a member, and stays in the structure. */
#include <stdio.h>

struct point {
    int x, y;
};
struct shape {
    int a[3], b[3];
    struct point corners[4];
    int n;
};

static int sum(const int *p, int n)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all += p[i];
    return all;
}

int main(void)
{
    struct shape s = {{1, 2, 3}, {4, 5, 6}, {{7, 8}}, 1};
    const struct point *p = &s.corners[2];
    int r = 0;
#if CASE == 1
    r = sum(s.a, 4);
#elif CASE == 2
    p -= 3;
    r = p != &s.corners[0];
#elif CASE == 3
    const int *end = s.a + 3;
    r = sum(s.a, 3) + end[-3] + sum(s.b, 3);
#else
    for (p = s.corners; p < s.corners + 4; p++)
        r += p->x;
    r += p[-4].y;
#endif
    printf("%d\n", r);
    return 0;
}
