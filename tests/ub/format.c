/* format: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
#include <stdio.h>
int main(void) { long x = 1; printf("%d\n", x); return 0; }
#elif CASE == 2
#include <stdio.h>
int main(void) { printf("%s %d\n", "a"); return 0; }
#elif CASE == 3
#include <stdio.h>
int main(void) { unsigned x = 1; printf("%d %c %5.2f\n", x, 65, 1.0f); return 0; }
#elif CASE == 4
#include <stdio.h>
int main(void) { int x; int n = sscanf("12 z", "%d", &x); return n - 1 + x - 12; }
#endif
