/* overlap: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
#include <string.h>
char a[8]; int main(void) { memcpy(a, a + 1, 4); return 0; }
#elif CASE == 2
#include <string.h>
int main(void) { char a[8] = "abc"; strcpy(a + 1, a); return 0; }
#elif CASE == 3
#include <string.h>
char a[8]; int main(void) { memmove(a, a + 1, 4); return 0; }
#elif CASE == 4
#include <string.h>
char a[8]; int main(void) { memcpy(a, a + 4, 4); return 0; }
#endif
