/* Operands beside a call that does not come back: may they have been evaluated before it? */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf back;
static int leave(int status)
{
    exit(status);
}
static int jump(int n)
{
    longjmp(back, n);
}
static int say(const char *s)
{
    puts(s);
    return 0;
}
static int both(int a, int b)
{
    return a + b;
}
int main(void)
{
    int n = setjmp(back);
    if (n)
        return printf("%d\n", n) < 0;
#if CASE == 1
    return both(leave(0), say("a"));
#elif CASE == 2
    return jump(1) + jump(2);
#elif CASE == 3
    return say("a") || both(leave(0), 3) + n;
#else
    return say("a"), jump(1) ? 1 : jump(2);
#endif
}
