/* signed-overflow.vectors: lanes of GNU vectors are not promoted, and signed ones must not overflow: gcc
 * folds them as it does scalars.  1 and 2 have it, 3 and 4 are near and defined. */
typedef int ints __attribute__((vector_size(16)));
typedef unsigned words __attribute__((vector_size(16)));
typedef signed char bytes __attribute__((vector_size(8)));
volatile int big = 2147483647;
volatile signed char high = 127;
#if CASE == 1
int main(void)
{
    ints a = {1, big, 3, 4}, b = {1, 1, 1, 1};
    a = a + b;
    return a[0] - 2;
}
#elif CASE == 2
int main(void)
{
    bytes a = {high, 1, 2, 3, 4, 5, 6, 7};
    a += 1;
    return a[1] - 2;
}
#elif CASE == 3
int main(void)
{
    words a = {1, (unsigned)big * 2 + 1, 3, 4}, b = {1, 1, 1, 1};
    a = a + b;
    return (int)a[1];
}
#elif CASE == 4
int main(void)
{
    bytes a = {high, 1, 2, 3, 4, 5, 6, 7};
    a -= 1;
    a = -a;
    return a[0] + 126;
}
#endif
