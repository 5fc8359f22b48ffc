#include <stdio.h>

int main(void)
{
    volatile int a = 6;
    a = a >= 6;
    printf("%d\n", a);
    return 0;
}
