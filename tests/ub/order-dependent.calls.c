/* The function against its arguments, structures, and more than two arguments. */
struct s { int a[4]; };
struct s whole = {{1}};
int n;
int one(int x) { return x + 1; }
int two(int x) { return x + 2; }
int (*p)(int) = one;
int change(void) { p = two; whole.a[0] = 5; return 0; }
int set(int x) { return n = x; }
int first(struct s x, int y) { return x.a[0] + y; }
int last(int a, int b, int c) { return n * (a + b + c); }
int main(void)
{
#if CASE == 1
    return p(change());
#elif CASE == 2
    return last(set(1), set(2), set(1));
#elif CASE == 3
    return first(whole, set(2)) - 3;
#else
    return last(set(1), one(0), two(0)) - 4;
#endif
}
