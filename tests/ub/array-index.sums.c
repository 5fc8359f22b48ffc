/* *(x.a + i) is x.a[i] (C11 6.5.2.1p2). */
#include <stdio.h>

struct pair {
    int a[3];
    int b;
};

int main(void)
{
    struct pair x = {{1, 2, 3}, 4};
    int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int i = CASE <= 2 ? 3 : 2;
#if CASE == 1
    return *(x.a + i) != 4;
#elif CASE == 2
    return *(rows[0] + i) != 4;
#elif CASE == 3
    int *end = x.a + 3;
    return *(x.a + i) != 3 || &*(x.a + 3) != end || end[-1] != 3;
#else
    return *(rows[1] + i) != 6 || *(*rows + i) != 3;
#endif
}
