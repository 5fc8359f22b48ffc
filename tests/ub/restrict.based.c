/* A restrict pointer against plain ones, copies, and pointers that are moved; assignment between
 * restrict pointers of one block. */
int g;
#if CASE == 1
int f(int *restrict p, int *q) { int *r = p + 0; *r = 1; *q = 2; return *p; }
int main(void) { return f(&g, &g) - 2; }
#elif CASE == 2
int main(void) { int x[4] = {0}; int *restrict p = x, *restrict q = x + 1; p = q; return *p; }
#elif CASE == 3
int f(int *restrict p, int *q) { int *r = p; *r++ = 1; *q = 2; r = p; return *r; }
int main(void) { int x; return f(&g, &x) - 1; }
#else
int f(int *restrict p, const int *q) { int s = 0; for (int i = 0; i < 3; i++) s += p[i] + q[i]; return s; }
int main(void) { int x[3] = {0}; int *restrict p = x; { int *restrict q = p; q[1] = 0; } return f(p, p) + *p; }
#endif
