/* Integers that were never set may be copied from memory, not used (C11 6.2.6.1p5, 6.3.2.1p2). */
#include <stdio.h>
#include <stdlib.h>
struct state {
    unsigned length, last, match;
};
static int numbers[4];
int main(void)
{
    struct state *s = malloc(sizeof *s);
    char text[6] = {'a', 'b'}, *part = malloc(4);
    int from[4], n = 0;
    from[0] = 7;
    part[0] = 'x';
    s->length = 1, s->last = s->match;
#if CASE == 1
    n = s->last > 3;
#elif CASE == 2
    for (int i = 3; i >= 0; i--) {
        char c = part[i];
        if (c)
            n++;
    }
#elif CASE == 3
    for (int i = 0; i < 4; i++)
        numbers[i] = from[i];
    for (int i = 3; i >= 0; i--) {
        char c = part[i];
        if (i > 0)
            continue;
        if (c)
            n++;
    }
#else
    for (int i = 0; i < 2; i++) {
        int t = from[i];
        from[i] = from[3 - i];
        from[3 - i] = t;
    }
    s->match = s->length;
    s->last = s->match;
    n = from[3] + (int)s->last;
#endif
    printf("%d %d %c\n", n, numbers[0], text[0]);
    free(s), free(part);
    return 0;
}
