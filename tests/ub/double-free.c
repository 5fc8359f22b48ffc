/* double-free: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
#include <stdlib.h>
int main(void) { char *p = malloc(4); free(p); free(p); return 0; }
#elif CASE == 2
#include <stdlib.h>
int main(void) { char *p = malloc(4); char *q = realloc(p, 64); free(p); free(q); return 0; }
#elif CASE == 3
#include <stdlib.h>
int main(void) { char *p = malloc(4); free(p); p = malloc(4); free(p); return 0; }
#elif CASE == 4
#include <stdlib.h>
int main(void) { char *p = malloc(4); p = realloc(p, 64); free(p); return 0; }
#endif
