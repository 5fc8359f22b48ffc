/* Bit-precise integers (C23 6.2.5p5): no promotion, widths that fill no byte, two words. */
int printf(const char *, ...);
typedef unsigned _BitInt(17) u17;
typedef _BitInt(5) s5;
typedef _BitInt(100) wide;
struct s {
    char c;
    _BitInt(37) x;
    unsigned _BitInt(3) b;
    _BitInt(70) y;
    unsigned _BitInt(9) f : 4;
} g = {1, -5, 6, -7, 9}, copies[2];
static u17 array[4] = {1, 2, 131071, 4};
volatile s5 v = -16;

static wide product(wide a, wide b)
{
    return a * b;
}

int main(void)
{
    u17 a = 131071, *p = &array[3];
    s5 s = v, t = 7;
    a += 2;
    printf("%u %d %d %d\n", (unsigned)a, (int)(s + t), (int)(s5)(t * 3), (int)(s >> 1));
    printf("%d %d %d %d %d\n", (int)sizeof(u17), (int)sizeof(struct s), (int)_Alignof(wide),
           (int)sizeof(wide), (int)sizeof(_BitInt(65)));
    for (int i = 0; i < 4; i++)
        array[i] = array[i] * 3u + 1;
    *p -= 14;
    for (int i = 0; i < 4; i++)
        printf("%u ", (unsigned)array[i]);
    g.x -= 100;
    g.b += 3;
    g.y *= 1000000007;
    g.f += 9;
    copies[1] = g;
    printf("%lld %d %lld %d\n", (long long)copies[1].x, (int)copies[1].b, (long long)copies[1].y,
           (int)copies[1].f);
    wide x = product((wide)1 << 60, -12345);
    printf("%lld %llu\n", (long long)(x >> 64), (unsigned long long)x);
    printf("%d %d %d\n", _Generic(a + 1, int: 2, u17: 3, default: 4),
           _Generic((unsigned _BitInt(40))1 + 1, int: 2, unsigned _BitInt(40): 3, default: 4),
           _Generic((_BitInt(32))1 + 1u, unsigned: 5, default: 6));
    printf("%d %f %d %d\n", (int)(s5)3.9, (double)(_BitInt(33))-4294967296ll, !s, (int)~t);
    printf("%d %d\n", (int)(3wb + 4uwb), 7wb == 7);
    switch (a) {
    case 1:
        printf("one\n");
    }
    return (int)(unsigned _BitInt(7))200;
}
