/* order-dependent: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
#include <stdio.h>
int f(void) { return printf("f"); } int g(void) { return printf("g"); } int main(void) { return f() + g() - 2; }
#elif CASE == 2
int n; int f(void) { return n++; } int main(void) { return f() - f() + 1 + n - 2; }
#elif CASE == 3
#include <stdio.h>
int f(void) { return printf("f"); } int main(void) { return f() && f() ? 0 : 1; }
#elif CASE == 4
int n; int f(void) { n++; return 1; } int main(void) { return f() + f() + n == 4 ? 0 : f() + f() - 2; }
#endif
