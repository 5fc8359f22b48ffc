/* A restrict pointer against accesses in functions that are called, and in the library. */
#include <string.h>
int g;
static void set(int *q, int v) { *q = v; }
static void set_global(void) { g = 3; }
#if CASE == 1
static int f(int *restrict p) { *p = 1; set_global(); return *p; }
int main(void) { return f(&g) == 0; }
#elif CASE == 2
static int f(int *restrict p, int *q) { int v = 2; *p = 1; memcpy(q, &v, sizeof v); return *p; }
int main(void) { int x; return f(&x, &x) == 0; }
#elif CASE == 3
static int f(int *restrict p, int *q) { set(p, 1); set(q, 2); set_global(); memset(p, 0, sizeof *p); return *p; }
int main(void) { int x, y; return f(&x, &y); }
#else
static int f(int *restrict p, int **where) { *where = p; set(*where, 4); return *p; }
int main(void) { int x, *y; return f(&x, &y) - 4; }
#endif
