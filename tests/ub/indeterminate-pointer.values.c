/* The value of a pointer to freed memory is used: tested, copied, passed, turned into a number. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
struct buffer { char *text; int size; };
static int is_null(const char *p) { return !p; }
int main(void)
{
    struct buffer b = {malloc(4), 4}, c;
    char *q = b.text;
    free(b.text);
#if CASE == 1
    if (q)
        puts("set");
#elif CASE == 2
    printf("%d\n", is_null(b.text));
#elif CASE == 3
    c = b; /* as a structure */
    c.text = q = NULL;
    printf("%d %d\n", c.size, is_null(q) + !c.text);
#else
    (void)q;
    q = malloc(2);
    printf("%d\n", is_null(q) && (uintptr_t)q == 0);
    free(q);
#endif
    return 0;
}
