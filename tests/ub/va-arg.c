/* va-arg: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
#include <stdarg.h>
int f(int n, ...) { va_list a; va_start(a, n); int r = va_arg(a, int); va_end(a); return r; } int main(void) { return f(1, 1.0); }
#elif CASE == 2
#include <stdarg.h>
int f(int n, ...) { va_list a; va_start(a, n); int r = va_arg(a, int) + va_arg(a, int); va_end(a); return r; } int main(void) { return f(1, 1); }
#elif CASE == 3
#include <stdarg.h>
int f(int n, ...) { va_list a; va_start(a, n); int r = va_arg(a, int); va_end(a); return r; } int main(void) { return f(1, 0u); }
#elif CASE == 4
#include <stdarg.h>
int f(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); int r = va_arg(a, int) - va_arg(b, int); va_end(b); va_end(a); return r; } int main(void) { return f(1, 7); }
#endif
