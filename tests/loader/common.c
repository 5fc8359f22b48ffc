/* common symbols, weak names, aligned data, pointers in initialisers */
#include <stdint.h>
#include <stdio.h>
int tentative;
long another[100];
extern int nowhere __attribute__((weak));
int weak_one __attribute__((weak)) = 3;
static _Alignas(256) char wide[300];
static int *const chain[] = {&tentative, &weak_one, 0};
static const char *names[] = {"a", "bc", "def"};
int main(void)
{
    tentative = 4;
    printf("%d %d %d %d %s %d\n", *chain[0], *chain[1], &nowhere == 0, (int)((uintptr_t)wide % 256),
           names[2], (int)another[99]);
    return 0;
}
