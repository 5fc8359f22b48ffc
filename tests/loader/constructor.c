/* constructors and destructors: for the linker */
#include <stdio.h>
static int x;
__attribute__((constructor)) static void before(void)
{
    x = 7;
}
__attribute__((destructor)) static void after(void)
{
    printf("after %d\n", x);
}
int main(void)
{
    printf("%d\n", x++);
    return 0;
}
