/* An object that was never set may be read where its value is not wanted, and floats be copied. */
#include <stdio.h>
struct pair {
    float x, y;
};
static void swap(float *a, float *b)
{
    float t = *a;
    *a = *b;
    *b = t;
}
int main(void)
{
    int a[2], *p = a;
    struct pair f, g;
    f.x = 1, g.x = 2;
#if CASE == 1
    (void)(p[1] + 1);
#elif CASE == 2
    swap(&f.y, &g.y);
    printf("%g\n", f.y);
#elif CASE == 3
    (void)*p;
    a[1];
    p[0], puts("");
    int **q = &p;
    *(*q++)++;
#else
    swap(&f.x, &g.x);
    swap(&f.y, &g.y);
    printf("%g\n", f.x);
#endif
    (void)a, (void)p, (void)f, (void)g;
    return 0;
}
