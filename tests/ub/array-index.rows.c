/* Rows of arrays of variable length, and sums of an array and an index. */
struct s { int a[2][3], last; };
int main(void)
{
    int n = 3, v[2][n];
    struct s x = {{{0}}, 0};
    v[1][2] = 0;
#if CASE == 1
    v[0][n] = 1;
    return v[1][0];
#elif CASE == 2
    return *(x.a[0] + 4);
#elif CASE == 3
    int *end = v[0] + n, *p = &v[0][n - 1];
    *p = 0;
    return end - p - 1;
#else
    int *p = x.a[1] + 3;
    return *(x.a[1] + 2) + p[-1];
#endif
}
