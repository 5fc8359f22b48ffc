/* noreturn-returns: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
_Noreturn void f(void) { } int main(void) { f(); return 0; }
#elif CASE == 2
_Noreturn void f(int x) { if (x) return; for (;;) ; } int main(void) { f(1); return 0; }
#elif CASE == 3
#include <stdlib.h>
_Noreturn void f(void) { exit(0); } int main(void) { f(); }
#elif CASE == 4
void f(void) { } int main(void) { f(); return 0; }
#endif
