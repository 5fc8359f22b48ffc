/* Items of an initialiser, in an order that C leaves open. */
int n;
int f(void) { return ++n; }
int g(int x) { return x; }
int main(void)
{
#if CASE == 1
    int a[2] = {f(), f()};
    return a[0] * 2 + a[1];
#elif CASE == 2
    struct { int x, y; } s = {n++, n++};
    return s.x;
#elif CASE == 3
    int a[3] = {g(1), g(2), [2] = f()};
    return a[0] + a[1] + a[2] - 4;
#else
    int a[4] = {[0 ... 3] = f()}, b[2] = {n, n};
    return a[0] + a[3] - b[0] - b[1];
#endif
}
