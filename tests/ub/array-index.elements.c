/* &x.a[k] + i, i + x.a, x.b - i: elements of x.a and x.b, and no others. */
struct pair {
    int a[3];
    int b[3];
};
int main(void)
{
    struct pair x = {{1, 2, 3}, {4, 5, 6}};
    int rows[2][3] = {{1, 2, 3}, {4, 5, 6}}, i = CASE <= 2 ? 3 : 2;
#if CASE == 1
    return *(&x.a[1] + i) != 5;
#elif CASE == 2
    return *(i - 4 + x.b) != 3;
#elif CASE == 3
    int *end = &x.a[0] + 3;
    return *(&x.a[0] + i) != 3 || (&x.a[2])[-i] != 1 || end - x.a != 3 || *(x.b + 2 - i) != 4;
#else
    return *(&rows[0][0] + i + 2) != 5 || (&rows[0][0])[5] != 6 || *((char *)&x.a[0] + 12) != 4;
#endif
}
