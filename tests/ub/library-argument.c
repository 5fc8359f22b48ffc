/* library-argument: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
#include <ctype.h>
int main(void) { return (toupper)(1000); }
#elif CASE == 2
#include <string.h>
int main(void) { char *p = 0, c = 1; memcpy(p, &c, 0); return 0; }
#elif CASE == 3
#include <ctype.h>
int main(void) { return (toupper)(-1) + 1; }
#elif CASE == 4
#include <string.h>
int main(void) { char a = 0, c = 1; memcpy(&a, &c, 0); return a; }
#endif
