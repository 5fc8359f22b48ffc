/* pointer-arithmetic: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int a[4]; int main(void) { int *p = a; p += 5; return p == a; }
#elif CASE == 2
int a[4]; int main(void) { int *p = a; --p; return p == a; }
#elif CASE == 3
int a[4]; int main(void) { int *p = a; p += 4; return p == a; }
#elif CASE == 4
int a[4]; int main(void) { int *p = a + 4; p -= 4; return p != a; }
#endif
