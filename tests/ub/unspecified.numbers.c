/* Bits and remainders of numbers that nobody can know: addresses, processes, users. */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
int x, y;
int main(void)
{
#if CASE == 1
    printf("%d\n", (int)(getpid() / 4 % 2 + getpid() % 41));
#elif CASE == 2
    if (((uintptr_t)&x - (uintptr_t)&y) / sizeof x % 2)
        puts("odd");
#elif CASE == 3
    printf("%d %d\n", getpid() > 0 && getpid() == getpid(), getuid() == geteuid());
#else
    printf("%d %d\n", (int)((uintptr_t)&x % sizeof x), (uintptr_t)&x != (uintptr_t)&y);
#endif
    return 0;
}
