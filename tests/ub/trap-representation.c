/* trap-representation: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
#include <string.h>
int main(void) { _Bool b; unsigned char c = 2; memcpy(&b, &c, 1); return b; }
#elif CASE == 2
union { unsigned char c; _Bool b; } u; int main(void) { u.c = 255; return u.b; }
#elif CASE == 3
#include <string.h>
int main(void) { _Bool b; unsigned char c = 1; memcpy(&b, &c, 1); return !b; }
#elif CASE == 4
int main(void) { _Bool b = 2; return b - 1; }
#endif
