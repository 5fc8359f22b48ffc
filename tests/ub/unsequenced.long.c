/* unsequenced: CASE 1 and 2 have it, 3 and 4 are near and defined: operands of a hundred accesses. */
#define TEN(x, n) (x[n] + x[n + 1] + x[n + 2] + x[n + 3] + x[n + 4] + x[n + 5] + x[n + 6] + x[n + 7] + x[n + 8] + x[n + 9])
#define HUNDRED(x) (TEN(x, 0) + TEN(x, 10) + TEN(x, 20) + TEN(x, 30) + TEN(x, 40) + TEN(x, 50) + TEN(x, 60) + TEN(x, 70) + TEN(x, 80) + TEN(x, 90))
static int a[100], b[100];
static int sum(int x, int y) { return x + y; }
int main(void)
{
    int *p = a, *q = b;
#if CASE == 1
    q = a;
    return HUNDRED(p) + (HUNDRED(q) + ++q[63]) == 0;
#elif CASE == 2
    return sum(p[99]++ + HUNDRED(q), HUNDRED(p)) == 0;
#elif CASE == 3
    return HUNDRED(p) + (HUNDRED(p) + ++q[63]) == 0;
#else
    return sum(p[99]++ + HUNDRED(q), HUNDRED(q)) == 7;
#endif
}
