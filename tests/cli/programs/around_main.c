/* Constructors and destructors; weak names; labels before declarations; an enumeration that is
 * declared among parameters. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void begin(void)
{
    puts("begin");
}

__attribute__((constructor(101))) static void earlier(void)
{
    puts("earlier");
}

__attribute__((destructor)) static void end(void)
{
    puts("end");
}

__attribute__((destructor(101))) static void later(void)
{
    puts("later");
}

static void at_exit(void)
{
    puts("atexit");
}

extern int nowhere __attribute__((weak));
extern void nobody(void) __attribute__((weak));
int somewhere __attribute__((weak)) = 4;

static int next(enum digit { ZERO, ONE, TWO } d, struct pair { int a, b; } *p)
{
    struct pair q = {ONE, TWO};
    return d == ONE ? q.b : p->a;
}

int main(void)
{
    int i = 0;
    atexit(at_exit);
    printf("%d %d %d %d\n", &nowhere == 0, nobody == 0, somewhere, next(1, 0));
again:;
    int x = i;
    if (i++ < 2)
        goto again;
here:
    int y = 4;
    switch (i) {
    case 3:
        int z = 9;
        printf("%d\n", z);
    }
    printf("%d %d\n", x, y);
    return 0;
}
