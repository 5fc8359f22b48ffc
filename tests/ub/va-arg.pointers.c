/* Pointers among variable arguments (C11 7.16.1.1p2; C23 lets what they point to differ in its
 * qualifiers). */
#include <stdarg.h>
#include <stdio.h>

struct node {
    int value;
};

static int first(int n, ...)
{
    va_list list;
    va_start(list, n);
#if CASE == 1
    int *p = va_arg(list, int *);
#elif CASE == 2
    void **p = va_arg(list, void **);
#elif CASE == 3
    const unsigned char *p = va_arg(list, const unsigned char *);
#else
    const struct node *p = va_arg(list, const struct node *);
    p = va_arg(list, const struct node *);
#endif
    va_end(list);
    return p != NULL;
}

int main(void)
{
    int x = 1, *to = &x;
    char text[] = "a";
    struct node node = {1};
#if CASE == 1
    printf("%d\n", first(1, text));
#elif CASE == 2
    printf("%d\n", first(1, &to));
#elif CASE == 3
    printf("%d\n", first(1, text));
#else
    printf("%d\n", first(2, &node, NULL));
#endif
    return *to + node.value + text[0] - 'a' - 2;
}
