/* indeterminate-pointer: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
#include <stdlib.h>
int main(void) { int *p = malloc(4), *q = p; free(p); return p != q; }
#elif CASE == 2
int main(void) { int *p, *q; { int x; p = &x; } q = p; return p + 1 == q; }
#elif CASE == 3
#include <stdlib.h>
int main(void) { int *p = malloc(4), *q = p; int r = p != q; free(p); return r; }
#elif CASE == 4
#include <stdlib.h>
int main(void) { int *p = malloc(4); free(p); p = 0; return p != 0; }
#endif
