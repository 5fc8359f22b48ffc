#include <stdio.h>

int main(void)
{
    volatile int a = 6;
    a = ~a;
    printf("%d\n", a);
    return 0;
}
