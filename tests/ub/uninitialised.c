/* uninitialised: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { int x; return x; }
#elif CASE == 2
#include <stdlib.h>
int main(void) { int *p = malloc(8); p[0] = 1; int r = p[1]; free(p); return r; }
#elif CASE == 3
int main(void) { int x, y = 0; if (y) return x; x = 0; return x; }
#elif CASE == 4
#include <string.h>
struct s { char c; int i; }; int main(void) { struct s a, b; a.i = 0; b = a; memcpy(&a, &b, sizeof a); return a.i; }
#endif
