/* past-the-end: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int a[4]; int main(void) { int *p = a + 4; return *p; }
#elif CASE == 2
#include <stdlib.h>
int main(void) { int *p = malloc(sizeof *p); p[0] = 0; p++; *p = 1; return 0; }
#elif CASE == 3
int a[4]; int main(void) { int *p = a + 4; return *--p; }
#elif CASE == 4
int x; int main(void) { int *p = &x + 1; return p == &x; }
#endif
