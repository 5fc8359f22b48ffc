/* Initialisers that read the object that they are for. */
#include <stddef.h>
struct item {
    struct item *next;
    int a, b, rest[2];
};
int main(void)
{
    int sum = 0;
#if CASE == 1
    struct item x = {NULL, x.b, 1};
#elif CASE == 2
    struct item x = x;
#elif CASE == 3
    struct item x = {&x, sizeof x.b, 1};
    sum = x.next->b - 1;
#else
    struct item x = {.b = 1, .a = x.b - 1};
    int list[3] = {*(&list + 1) - list, list[0]};
    sum = list[1] - 3 + list[2];
#endif
    return x.a == 7 || x.rest[1] || sum;
}
