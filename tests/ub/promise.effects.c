/* Functions declared pure or const have effects that callers see: volatile objects, output, the end
 * of the program, state of the library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile int port = 3;
__attribute__((const)) static int read_port(int x)
{
    return x + port;
}
__attribute__((__pure__)) static int noisy(int x)
{
    static int told;
    if (!told++)
        puts("called");
    return x;
}
__attribute__((pure)) static size_t measure(const char *s)
{
    volatile size_t n = strlen(s); /* its own */
    return n;
}
__attribute__((const)) static int half(int x)
{
    char text[20];
    sprintf(text, "%d", x / 2);
    return atoi(text);
}
int main(void)
{
    int (*f)(int) = noisy;
#if CASE == 1
    printf("%d\n", read_port(1));
#elif CASE == 2
    printf("%d\n", f(1));
#elif CASE == 3
    printf("%d %d\n", (int)measure("four"), f != NULL);
#else
    printf("%d\n", half(8));
#endif
    return 0;
}
