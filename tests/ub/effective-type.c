/* effective-type: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int x = 1; int main(void) { float *p = (float *)&x; return *p > 1; }
#elif CASE == 2
#include <stdlib.h>
int main(void) { long *p = malloc(8); *p = 1; double *q = (double *)p; int r = *q > 1; free(p); return r; }
#elif CASE == 3
int x = 1; int main(void) { unsigned *p = (unsigned *)&x; char *c = (char *)&x; return *p - 1 + *c - 1; }
#elif CASE == 4
union { int i; float f; } u; int main(void) { u.i = 0; return u.f != 0; }
#endif
