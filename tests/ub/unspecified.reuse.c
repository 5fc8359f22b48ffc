/* Bytes of an address that no conversion shows, and objects that may lie where others died. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
union word {
    int *pointer;
    uintptr_t number;
    unsigned char bytes[8];
};
static unsigned hash(const void *p, size_t n)
{
    const unsigned char *b = p;
    unsigned h = 0;
    while (n--)
        h = h * 31 + *b++;
    return h;
}
static uintptr_t place(void)
{
    int here = 0;
    return (uintptr_t)&here + (unsigned)here;
}
int main(void)
{
    int a = 1, *p = &a;
    union word u = {.pointer = p};
    unsigned char copy[sizeof p];
#if CASE == 1
    memcpy(copy, &p, sizeof p);
    printf("%u %d\n", hash(&p, sizeof p), (int)(u.number >> 4 & 1) + copy[1]);
#elif CASE == 2
    char *q = malloc(10);
    uintptr_t before = (uintptr_t)q;
    q = realloc(q, 20);
    printf("%d %d\n", before == (uintptr_t)q, place() == place());
    free(q);
#elif CASE == 3
    union word v = {.number = 5};
    int *back;
    memcpy(copy, &p, sizeof p);
    memcpy(&back, copy, sizeof p);
    printf("%u %d %d\n", hash(&a, sizeof a), (int)v.number + v.bytes[0], *back);
#else
    uintptr_t at = place();
    printf("%d %d\n", at != 0, u.number == (uintptr_t)p);
#endif
    return 0;
}
