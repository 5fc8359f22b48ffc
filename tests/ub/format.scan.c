/* A number that is read into an object that cannot hold it. */
#include <stdio.h>
int main(void)
{
    int d;
    short h;
    unsigned u;
#if CASE == 1
    return sscanf("99999999999", "%d", &d) - 1;
#elif CASE == 2
    return sscanf("40000", "%hd", &h) - 1;
#elif CASE == 3
    return sscanf("2147483647 -32768", "%d %hd", &d, &h) - 2;
#else
    return sscanf("-1", "%u", &u) - 1;
#endif
}
