/* out-of-bounds: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
#include <stdlib.h>
int main(void) { char *p = malloc(6); int *q = (int *)p; p[0] = 0; q[1] = 1; free(p); return 0; }
#elif CASE == 2
struct a { int x, y; }; struct b { int x; } o; int main(void) { struct a *p = (void *)&o; p->y = 1; return 0; }
#elif CASE == 3
#include <stdlib.h>
int main(void) { char *p = malloc(8); int *q = (int *)p; q[1] = 0; int r = q[1]; free(p); return r; }
#elif CASE == 4
int o[2]; int main(void) { int *p = o; p[1] = 1; return p[0]; }
#endif
