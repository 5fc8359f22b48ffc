/* const-write: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
const int x = 1; int main(void) { int *p = (int *)&x; *p = 2; return 0; }
#elif CASE == 2
int main(void) { const int a[2] = {1, 2}; int *p = (int *)a; p[1] = 3; return 0; }
#elif CASE == 3
int x = 1; int main(void) { const int *p = &x; *(int *)p = 0; return x; }
#elif CASE == 4
#include <stdlib.h>
int main(void) { const int *p = malloc(4); *(int *)p = 0; int r = *p; free((void *)p); return r; }
#endif
