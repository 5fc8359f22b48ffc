/* Lengths that a conversion does not have: glibc takes an ll there as a long double. */
#include <stdio.h>
int main(void)
{
#if CASE == 1
    printf("%llf\n", 1.5);
#elif CASE == 2
    float f = 0;
    sscanf("1.5", "%llf", &f);
#elif CASE == 3
    printf("%lf %Lf %lld %qd %Ld %Zu\n", 1.5, 1.5L, 1ll, 2ll, 3ll, sizeof(int));
#else
    float f = 0;
    double d = 0;
    long long n = 0;
    short h = 0;
    sscanf("1.5 2.5 4 7", "%f %lf %Ld %hd", &f, &d, &n, &h);
    return f != 1.5f || d != 2.5 || n != 4 || h != 7;
#endif
    return 0;
}
