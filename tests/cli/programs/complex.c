/* Complex values: every operator and conversion, parts, initialisers, calls, complex.h. */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <stdarg.h>
static double complex g = 1.0 + 2.0 * I;
static float _Complex gf[3] = { 1.5f, 2.0fi, CMPLXF(3, -4) };
struct s { int k; double complex z; char c; } st = { 1, 3.0 - 1.0i, 'x' };
static void p(const char *n, double complex z) { printf("%s = %g %g\n", n, creal(z), cimag(z)); }
static double complex square(double complex z) { return z * z; }
static float complex mean(int n, ...) { va_list a; va_start(a, n); float complex s = 0; for (int i = 0; i < n; i++) s += va_arg(a, float complex); va_end(a); return s / n; }
static long double complex lsq(long double complex z) { return z * z - 1; }
int main(void)
{
    double complex a = 1.0 + 2.0i, b = 3.0 - 4.0i, c;
    p("sum", a + b); p("diff", a - b); p("prod", a * b); p("quot", (a * b) / b);
    p("g", g); p("gf0", gf[0]); p("gf1", gf[1]); p("gf2", gf[2]); p("st", st.z);
    p("neg", -a); p("conj", ~a); p("conjf", conj(b)); p("r+", 2.0 + a); p("r-", 2.0 - a); p("-r", a - 2.0);
    p("r*", 2 * a); p("/r", a / 2); p("r/", 10.0 / b);
    c = a; c += b; p("c+=", c); c *= 2; p("c*=", c); c -= 1i; p("c-=", c); c /= 2i; p("c/=", c);
    double x = 3; x += a; printf("%g\n", x); x *= a; printf("%g\n", x);
    __real__ c = 7; __imag__ c = 8; p("parts", c); (__imag__ c)++; p("parts", c);
    c++; p("inc", c); p("post", c--); p("dec", c);
    printf("%d %d %d %d %d\n", a == a, a != b, a == 1, (1.0 + 0i) == 1, !a);
    if (a) puts("true"); if (!(0.0 + 0i)) puts("false");
    printf("%d\n", a && b); 
    p("cond", x > 3 ? a : b); p("square", square(a)); p("mean", mean(2, (float complex)a, (float complex)b));
    long double complex l = lsq(2 + 3.0Li); printf("%Lg %Lg\n", creall(l), cimagl(l));
    double complex *h = malloc(3 * sizeof *h); for (int i = 0; i < 3; i++) h[i] = i + i * 1.0i; p("heap", h[2]);
    double *d = (double *)&h[1]; printf("%g %g\n", d[0], d[1]); free(h);
    printf("%zu %zu %zu\n", sizeof a, sizeof(float _Complex), sizeof(long double _Complex));
    printf("%d\n", (int)(3.7 + 2i)); _Bool t = 0.0 + 1i; printf("%d\n", t);
    p("int", (double complex)(int)2); float complex f = a; p("f", f);
    volatile double complex v = 2; v = v * v; p("v", v);
    _Complex int ci = 3 + 4i; ci = ci * ci; printf("%d %d\n", __real__ ci, __imag__ ci);
    p("cimag", CMPLX(0.0, -0.0)); printf("%g\n", cabs(b)); printf("%g\n", carg(-1.0 + 0i));
    p("csqrt", csqrt(-4.0)); p("cexp", cexp(0)); p("cpow", cpow(2, 3));
    p("comma", (a, b)); p("stmt", ({ double complex q = a; q + 1; }));
    printf("%g\n", __imag__ 3.0); printf("%g\n", __real__ 3.0);
    p("cproj", cproj(a));
    printf("%g %g\n", creal(a), __imag__ (a + b));
    return 0;
}
