/* sprintf into what it reads. */
#include <stdio.h>
int main(void)
{
    char a[40] = "abc", b[] = "%s!";
#if CASE == 1
    sprintf(a, "%s!", a);
#elif CASE == 2
    snprintf(b, sizeof b, b, a);
#elif CASE == 3
    sprintf(a + 4, "%s!", a);
#else
    snprintf(a, 0, "%s", a);
    sprintf(a, "%d", a[1]);
#endif
    return 0;
}
