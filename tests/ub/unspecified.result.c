/* String literals, how far strcmp is from zero, what the compiler knows, what abort flushes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    const char *s = "xabc", *t = "abc";
#if CASE == 1
    printf("%d %d\n", s + 1 == t, "abc" == t);
#elif CASE == 2
    printf("%d %d\n", strcmp(s, t), __builtin_constant_p(argc));
#elif CASE == 3
    int r = strcmp(s, t);
    printf("%d %d %d %d\n", strcmp(s, t) > 0, !memcmp(s, t, 1), r > 0 ? 1 : r < 0, t == t);
#else
    printf("%d\n", __builtin_constant_p(3) + (signbit(-1.0) ? 2 : 0));
    fflush(stdout);
    if (argc > 5)
        abort();
#endif
    return 0;
}
