/* Quadruple precision: constants, operators, conversions, calls, bit for bit. */
#include <stdio.h>
#include <string.h>
typedef __float128 Q;
static Q g = 1.1Q, t[2] = {0.1f128, 3};
struct s { char c; Q q; } s = {1, 2.5Q};
static void p(const char *n, Q q) { unsigned char b[16]; memcpy(b, &q, 16); printf("%s ", n); for (int i = 15; i >= 0; i--) printf("%02x", b[i]); printf(" %.15g\n", (double)q); }
static Q f(Q a, Q b) { return a / b; }
#include <stdarg.h>
static Q va(int n, ...) { va_list l; va_start(l, n); Q r = 0; while (n--) r += va_arg(l, Q); va_end(l); return r; }
int main(void)
{
    Q a = 1, b = 3;
    p("g", g); p("t0", t[0]); p("s", s.q); p("third", f(a, b)); p("sum", a + b); p("prod", f(a,b) * g); p("neg", -g);
    p("int", 12345678901234567890ULL); p("d", 0.1); p("ld", 0.1L); p("va", va(2, g, b));
    printf("%d %d %d %d %d\n", a < b, a == b, a != b, !a, (int)(g * 10)); printf("%ld %lu\n", (long)-g, (unsigned long)(b * 1e18Q));
    a++; p("inc", a); a += 0.5; p("plus", a); a *= b; p("times", a); p("cond", a ? b : g);
    __int128 w = (__int128)(1e30Q); p("w", w); p("f", (float)g); p("back", (long double)g);
    Q z = 0; printf("%d\n", (z ? 1 : 2)); _Bool q = 1e-4940Q; printf("%d\n", q); p("tiny", 1e-4940Q);
    for (Q i = 0; i < 3; i++) p("i", i);
    volatile Q v = 7; v -= 2; p("v", v); p("mix", 2 * v + 1);
    return 0;
}
