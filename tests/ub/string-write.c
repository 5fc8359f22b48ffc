/* string-write: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { char *s = "abc"; s[0] = 'x'; return 0; }
#elif CASE == 2
#include <string.h>
int main(void) { char *s = "abc"; strcpy(s, "de"); return 0; }
#elif CASE == 3
int main(void) { char s[] = "abc"; s[0] = 0; return s[0]; }
#elif CASE == 4
int main(void) { char *s = "abc"; return s[3]; }
#endif
