#include <stdio.h>

int main(void)
{
    volatile int a = 6;
    a |= 3;
    printf("%d\n", a);
    return 0;
}
