/* Numbers that the system gives: parts of them, and what does not depend on them. */
#include <stdio.h>
#include <unistd.h>
int main(void)
{
#if CASE == 1
    return printf("%d\n", getpid() / 4 % 2) < 0;
#elif CASE == 2
    return printf("%d\n", (getuid() >> 5 & 1) + getppid() % 5) < 0;
#elif CASE == 3
    return printf("%d\n", getpid() >= 1) < 0;
#else
    return printf("%d\n", getpid() - getpid() + (getppid() != 0)) < 0;
#endif
}
