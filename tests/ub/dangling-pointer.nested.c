/* A nested function is called when the block that it belongs to has ended. */
#include <stdio.h>
static int (*kept)(int);
static int leave(int k)
{
    int add(int x)
    {
        return x + k;
    }
    kept = add;
    return add(1);
}
static int call(int k)
{
    int add(int x)
    {
        return x + k;
    }
    kept = add;
    return kept(2);
}
int main(void)
{
    int sum = leave(1);
#if CASE == 1
    sum += kept(1);
#elif CASE == 2
    for (int i = 0; i < 2; i++) {
        int times(int x)
        {
            return x * i;
        }
        if (i == 0)
            kept = times;
        else
            sum += kept(3);
    }
#elif CASE == 3
    sum += call(3);
    sum += call(4);
#else
    for (int i = 0; i < 2; i++) {
        int times(int x)
        {
            return x * i;
        }
        kept = times;
        sum += kept(3);
    }
#endif
    printf("%d\n", sum);
    return 0;
}
