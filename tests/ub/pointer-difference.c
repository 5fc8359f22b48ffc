/* pointer-difference: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int a[4], b[4]; int main(void) { return (int)(&a[1] - &b[1]); }
#elif CASE == 2
#include <stdlib.h>
int main(void) { char *p = malloc(4), *q = malloc(4); return (int)(p - q); }
#elif CASE == 3
int a[4]; int main(void) { return (int)(&a[1] - &a[1]); }
#elif CASE == 4
int a[4]; int main(void) { int *p = a + 4, *q = a; return (int)(p - q) - 4; }
#endif
