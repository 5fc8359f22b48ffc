/* pointer-order: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int a[4], b[4]; int main(void) { return a < b; }
#elif CASE == 2
int x, y; int main(void) { int *p = &x, *q = &y; return p >= q; }
#elif CASE == 3
int a[4], b[4]; int main(void) { return a == b; }
#elif CASE == 4
struct { int x, y; } s; int main(void) { int *p = &s.x, *q = &s.y; return p > q; }
#endif
