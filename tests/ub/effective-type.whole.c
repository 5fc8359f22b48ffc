/* A structure, union or vector as a whole may touch what it has among its members (C11 6.5p7). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int x, y;
};
struct block {
    char bytes[8];
};
typedef int four __attribute__((vector_size(16)));

int main(void)
{
    long word = 5;
    float *numbers = aligned_alloc(16, 32);
    int *counts = aligned_alloc(16, 32);
    struct pair p = {0, 0};
    four v = {0};
    for (int i = 0; i < 8; i++)
        numbers[i] = counts[i] = i;
#if CASE == 1
    p = *(struct pair *)&word;
#elif CASE == 2
    v = *(four *)numbers;
#elif CASE == 3
    *(struct block *)&p = *(struct block *)&word;
    *(struct pair *)numbers = p;
    p = *(struct pair *)numbers;
#else
    v = *(four *)counts;
    p = *(struct pair *)(counts + 2);
    memcpy(&p, &word, sizeof p);
#endif
    printf("%d %d\n", p.x, v[1]);
    free(numbers);
    free(counts);
    return 0;
}
