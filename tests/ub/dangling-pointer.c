/* dangling-pointer: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { int *p; { int x = 0; p = &x; } return *p; }
#elif CASE == 2
int *f(int x) { int *p = &x; return p; } int main(void) { int *p = f(1); return *p; }
#elif CASE == 3
int main(void) { int *p, x = 0; { p = &x; } return *p; }
#elif CASE == 4
int *f(void) { static int x; return &x; } int main(void) { return *f(); }
#endif
