/* Restrict pointers that are reached through a pointer, and elements of an array. */
static void set(int *restrict *pp, int n)
{
    for (int i = 0; i < n; i++)
        pp[i][0] = i;
}
static int both(int *restrict *pp, int *q)
{
    int before = **pp;
    *q = before + 1;
    return before + **pp;
}
int main(void)
{
#if CASE == 1
    int x, *restrict a[2] = {&x, &x};
    set(a, 2);
#elif CASE == 2
    int x = 0, *restrict a = &x;
    return both(&a, &x) < 0;
#elif CASE == 3
    int x[4] = {0}, *restrict a[2] = {x, x + 2};
    set(a, 2);
    return a[0][0] + a[1][0] - 1;
#else
    int x = 0, y, *restrict a = &x;
    return both(&a, &y);
#endif
    return 0;
}
