/* errno after math functions, strtol and allocation that fail. */
#include <stdio.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
volatile double z=0, m1=-1, big=1e308, tiny=1e-308, h=800; volatile float fz=0, fm=-1;
#define T(e) do { errno=0; volatile double r=(e); printf(#e " %g %d\n", isnan(r) ? fabs(r) : r, errno); } while(0)
#define F(e) do { errno=0; volatile float r=(e); printf(#e " %g %d\n", isnan(r) ? fabs(r) : r, errno); } while(0)
int main(void){ T(sqrt(m1)); T(log(z)); T(log(m1)); T(exp(h)); T(exp(-h)); T(pow(z,m1)); T(pow(big, 3)); T(pow(m1,0.5)); T(acos(2+z)); T(asin(2+z)); T(fmod(1,z)); T(log10(z)); T(log2(m1)); T(log1p(m1)); T(atanh(1+z)); T(cosh(h)); T(sinh(h)); T(hypot(big,big)); T(ldexp(1,5000)); T(ldexp(1,-5000)); T(sin(INFINITY+z)); T(tan(INFINITY+z)); T(exp2(2000+z)); T(remainder(1,z)); T(scalbn(1,5000)); T(acosh(z)); T(expm1(h));
 F(sqrtf(fm)); F(logf(fz)); F(expf(200+fz)); 
 T(floor(z)); T(atan2(z,z)); T(cbrt(m1)); T(fma(big,big,z));
 char *e;
#define N(f, x) do { errno = 0; volatile __typeof__(x) r = (x); printf(f " %d\n", r, errno); } while (0)
 N("%ld", strtol("99999999999999999999", &e, 10)); N("%lu", strtoul("-1", &e, 10)); N("%g", strtod("1e999", &e));
 N("%g", strtod("1e-999", &e)); N("%ld", strtol("zz", &e, 99)); N("%ld", strtol("", &e, 10));
 N("%lld", strtoll("-9223372036854775809", &e, 10)); N("%g", (double)strtof("1e50", &e));
 return 0; }
