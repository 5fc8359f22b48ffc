/* bad-free: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
#include <stdlib.h>
int x; int main(void) { free(&x); return 0; }
#elif CASE == 2
#include <stdlib.h>
int main(void) { char *p = malloc(4); free(p + 1); return 0; }
#elif CASE == 3
#include <stdlib.h>
int main(void) { free(0); return 0; }
#elif CASE == 4
#include <stdlib.h>
int main(void) { char *p = malloc(4); p++; free(p - 1); return 0; }
#endif
