/* Restrict variables that are given their values by assignment. */
int g;
#if CASE == 1
int main(void) { int x, *restrict p; p = &x; *p = 1; x = 2; return *p == 0; }
#elif CASE == 2
static int f(int *q, int n) { int *restrict p; for (int i = 0; i < n; i++) { p = q + i; *p = 1; g++; } return *q; }
int main(void) { return f(&g, 1) == 0; }
#elif CASE == 3
static int f(int *q, int n) { int *restrict p; for (int i = 0; i < n; i++) { p = q + i; *p = 1; g++; } return n - *q; }
int main(void) { int x[2]; return f(x, 2) - 1; }
#else
static void f(int *x, int *y) { int *restrict p; p = x; *p++ = 1; p = y; *p = 2; p[0]++; }
int main(void) { int x, y; f(&x, &y); return x + y - 4; }
#endif
