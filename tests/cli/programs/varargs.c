#include <stdio.h>
#include <stdarg.h>
struct s1 { char c; }; struct s2 { long a, b, c; }; struct s3 { double d; int i; }; struct s4 { float f[3]; };
static void show(int n, ...) { va_list ap; va_start(ap, n); for (int i = 0; i < n; i++) { 
  struct s1 a = va_arg(ap, struct s1); struct s2 b = va_arg(ap, struct s2); struct s3 c = va_arg(ap, struct s3); struct s4 d = va_arg(ap, struct s4); long double ld = va_arg(ap, long double); int ch = va_arg(ap, int); double fl = va_arg(ap, double); unsigned u = va_arg(ap, unsigned); char *s = va_arg(ap, char *);
  printf("%d %ld %g %d %g %Lg %d %g %u %s\n", a.c, b.c, c.d, c.i, d.f[2], ld, ch, fl, u, s); } va_end(ap); }
static int vsum(int n, va_list ap) { int s = 0; while (n--) s += va_arg(ap, int); return s; }
static int sum2(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); int x = vsum(n, a), y = vsum(n, b); va_end(a); va_end(b); return x * 100 + y; }
static int viaptr(va_list *ap) { return va_arg(*ap, int); }
static int three(int n, ...) { va_list a; va_start(a, n); int x = viaptr(&a); x = x * 10 + viaptr(&a); x = x * 10 + va_arg(a, int); va_end(a); return x; }
static void out(const char *f, ...) { char b[100]; va_list ap; va_start(ap, f); int n = vsnprintf(b, sizeof b, f, ap); va_end(ap); va_start(ap, f); vprintf(f, ap); va_end(ap); printf(" [%d] %s\n", n, b); }
int main(void)
{
    struct s1 a = {'x'}; struct s2 b = {1, 2, 3}; struct s3 c = {1.5, 4}; struct s4 d = {{1, 2, 3}};
    short sh = -3; float f = 0.5f; unsigned char uc = 200;
    show(1, a, b, c, d, 1.25L, sh, f, uc, "end");
    printf("%d %d\n", sum2(3, 1, 2, 3), three(0, 4, 5, 6));
    out("%d %s %5.2f|%-5d|%+d", 1, "two", 3.14159, 4, 5);
    return 0;
}
