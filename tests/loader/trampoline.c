/* code on the stack: for the linker */
#include <stdio.h>

static int sum(int (*f)(int), int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += f(i);
    return s;
}

int main(void)
{
    int k = 3;
#if defined __GNUC__ && !defined __clang__
    int add(int x) { return x + k++; }
    printf("%d\n", sum(add, 10));
#else
    printf("%d\n", sum(NULL, k - 3));
#endif
    return k;
}
