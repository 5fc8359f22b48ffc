/* unsequenced: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { int i = 0; i = i++ + 1; return i; }
#elif CASE == 2
int a[3]; int main(void) { int *p = a, *q = a; return (*p = 1) + *q; }
#elif CASE == 3
int main(void) { int i = 0; i = (i++, 0); return i; }
#elif CASE == 4
int a[3]; int main(void) { int *p = a, *q = a + 1; return (*p = 1) + *q - 1; }
#endif
