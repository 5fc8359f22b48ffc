/* misaligned: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int a[2]; int main(void) { char *c = (char *)a; int *p = (int *)(c + 1); return *p; }
#elif CASE == 2
struct __attribute__((packed)) s { char c; int i; } s; int main(void) { int *p = &s.i; *p = 1; return 0; }
#elif CASE == 3
int a[2]; int main(void) { char *c = (char *)a; int *p = (int *)(c + 4); return *p; }
#elif CASE == 4
struct __attribute__((packed)) s { char c; int i; } s; int main(void) { s.i = 1; return s.i - 1; }
#endif
