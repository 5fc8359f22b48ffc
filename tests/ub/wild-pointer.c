/* wild-pointer: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { int *p = (int *)0x7ffff0001000; return *p; }
#elif CASE == 2
int f(void) { void *p = (void *)0x7ffff0001000; goto *p; l: return &&l == p; } int main(void) { return f(); }
#elif CASE == 3
int x; int main(void) { unsigned long n = (unsigned long)&x; int *p = (int *)n; return *p; }
#elif CASE == 4
int f(void) { void *p = &&l; goto *p; l: return 0; } int main(void) { return f(); }
#endif
