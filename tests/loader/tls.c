/* thread-local storage: for the linker */
#include <stdio.h>
static _Thread_local int x = 5;
int main(void)
{
    printf("%d\n", ++x);
    return 0;
}
