/* Small structures by value, as parameters and results (C11 6.5.2.2p4).  What pcc 1.2.0 makes of
 * it crashes. */
int printf(const char *, ...);

struct small {
    char c[3];
};
struct mixed {
    double d;
    int i;
};
struct floats {
    float f[2];
};

static struct small make(int x)
{
    struct small s = {{(char)x, (char)(x + 1), (char)(x + 2)}};
    return s;
}

static struct mixed mix(struct floats f, struct small s)
{
    struct mixed m = {f.f[0] + f.f[1], s.c[0] + s.c[2]};
    return m;
}

int main(void)
{
    struct floats f = {{1.5f, 2.25f}};
    struct mixed m = mix(f, make(40));
    struct small s = make(7);
    printf("%d %d %d\n", s.c[1], (int)(m.d * 100), m.i);
    return 0;
}
