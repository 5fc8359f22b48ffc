/* __builtin_constant_p and __builtin_object_size: each place has its own answer. */
#include <stdio.h>
#include <string.h>
int x, y;
char text[8], *at = text;
static int known(int v) { return __builtin_constant_p(v); }
static int twice(int v) { return __builtin_constant_p(v) ? v + v : v * 2; }
int main(void)
{
#if CASE == 1
    puts(__builtin_constant_p(x) == __builtin_constant_p(y) ? "alike" : "not");
#elif CASE == 2
    puts(known(3) == known(x) ? "alike" : "not");
#elif CASE == 3
    printf("%d %d\n", twice(3) + twice(x), __builtin_constant_p(3));
#else
    size_t room = __builtin_object_size(at, 0);
    puts(room == (size_t)-1 || room >= strlen(at) ? "fits" : "not");
#endif
    return 0;
}
