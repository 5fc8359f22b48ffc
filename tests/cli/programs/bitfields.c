#include <stdio.h>
#include <stdbool.h>
struct bf { unsigned a : 3; int b : 5; unsigned long long c : 40; signed char d : 4; _Bool e : 1; unsigned f : 32; int : 0; unsigned short g : 9; };
struct neg { int x : 1; unsigned y : 1; };
enum en { A, B, C = 5 }; struct eb { enum en e : 3; unsigned z : 29; };
int main(void)
{
    struct bf s = {0}; s.a = 9; s.b = -17 + 0; s.c = 0xfffffffffffULL; s.d = 7; s.e = 5; s.f = -1; s.g = 1023;
    printf("%u %d %llu %d %d %u %u\n", s.a, s.b, (unsigned long long)s.c, s.d, s.e, s.f, s.g);
    printf("%d %d %d\n", s.a - 8 < 0, s.a > -1, (s.f > -1));
    s.a++; s.a++; s.b += 3; s.d <<= 0; s.g = ~s.g; printf("%u %d %d %u\n", s.a, s.b, s.d, s.g);
    struct neg n = {-1, 1}; printf("%d %d\n", n.x, n.y); n.x = 0; printf("%d\n", n.x | n.y);
    int r = (s.a = 10); printf("%d\n", r); r = s.a--; printf("%d %d\n", r, s.a);
    unsigned char uc = 255; printf("%d %d %d\n", uc + 1, (unsigned char)(uc + 1), ~uc); uc++; printf("%d\n", uc); signed char sc = 127; sc++; printf("%d\n", sc);
    short sh = 32767; sh += 1; printf("%d\n", sh); unsigned short us = 65535; printf("%d %u\n", us * 1, (unsigned)us * us); 
    bool b = 0.1; b += 5; printf("%d\n", b); b--; printf("%d\n", b); b = !b; printf("%d %zu\n", b, sizeof(b + b));
    struct eb e = {C, 7}; printf("%d %d\n", e.e, e.e > B); 
    printf("%d %d\n", (1 ? -1 : 0u) > 0, sizeof(char) - 2 > 0); printf("%d\n", -1 < sizeof 1);
    long long ll = 1LL << 40; int t = (int)ll; printf("%d %d\n", t, (char)300); printf("%lld\n", (long long)(unsigned)-1);
    unsigned u = 1; u <<= 31; printf("%u %d\n", u, u >> 31 == 1); printf("%d\n", -7 / 2 * 2 + -7 % 2);
    printf("%d\n", '\377' == -1); printf("%d\n", (int)L'\x7f'); printf("%u\n", 0xffffffff + 1); printf("%d\n", 2147483647 == -1u / 2);
    return 0;
}
