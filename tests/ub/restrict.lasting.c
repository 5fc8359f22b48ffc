/* restrict pointers of file scope. */
#include <stdlib.h>
static int data[8], other[8];
static int *restrict left, *restrict right;
static void add(int n)
{
    for (int i = 0; i < n; i++)
        left[i] += right[i];
}
static int by_name(void)
{
    left[0] = 1;
    data[0] = 2;
    return left[0];
}
static int through(int *p)
{
    left[0] = 1;
    p[0] = 2; /* may be left's own value */
    return left[0];
}
int main(void)
{
    left = data;
#if CASE == 1
    right = data + 1;
    add(4);
#elif CASE == 2
    return by_name() != 2;
#elif CASE == 3
    right = other;
    add(4);
    return through(left) != 2;
#else
    right = data; /* only read */
    left = malloc(sizeof *left);
    *left = right[1];
    int status = *left + data[1];
    return free(left), status;
#endif
    return 0;
}
