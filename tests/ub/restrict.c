/* restrict: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int f(int *restrict p, int *restrict q) { *p = 1; return *q; } int main(void) { int x = 0; return f(&x, &x) - 1; }
#elif CASE == 2
int g; void f(int *restrict p) { *p = 1; g = 2; } int main(void) { f(&g); return 0; }
#elif CASE == 3
int f(int *restrict p, int *restrict q) { return *p + *q; } int main(void) { int x = 0; return f(&x, &x); }
#elif CASE == 4
int f(int *restrict p, int *restrict q) { *p = 1; return *q; } int main(void) { int x = 0, y = 0; return f(&x, &y); }
#endif
