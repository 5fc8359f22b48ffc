/* array-index: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int a[2][3]; int main(void) { int i = 4; return a[0][i]; }
#elif CASE == 2
struct { int a[4], b; } s; int main(void) { int i = 4; s.a[i] = 1; return 0; }
#elif CASE == 3
int a[2][3]; int main(void) { int *p = &a[0][0]; return p[4]; }
#elif CASE == 4
int a[4]; int main(void) { int i = 4; int *end = &a[i]; return end - a - 4; }
#endif
