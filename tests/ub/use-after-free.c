/* use-after-free: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
#include <stdlib.h>
int main(void) { int *p = malloc(4); *p = 1; free(p); return *p; }
#elif CASE == 2
#include <stdlib.h>
int main(void) { int *p = malloc(4), *q = p; *p = 1; p = realloc(p, 400); *q = 2; return 0; }
#elif CASE == 3
#include <stdlib.h>
int main(void) { int *p = malloc(4); *p = 0; int r = *p; free(p); return r; }
#elif CASE == 4
#include <stdlib.h>
int main(void) { int *p = malloc(4); *p = 0; p = realloc(p, 400); int r = *p; free(p); return r; }
#endif
