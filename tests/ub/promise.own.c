/* promise: CASE 1 and 2 have it, 3 and 4 are near and defined: what a const function has of its own,
 * its parameters reached by pointer or index too, and what belongs to its caller. */
struct s {
    int a, m[2];
};
static volatile int v = 1;
__attribute__((const, noinline)) static int own(int n, struct s p)
{
    int i = p.a;
    p.m[0] ^= n;
    return n > 0 ? own(n - 1, p) + *(p.m + i) : p.m[i];
}
__attribute__((const, noinline)) static int others(const struct s *p) { return p->m[1]; }
__attribute__((pure, noinline)) static int looks(int n) { return n + v; }
__attribute__((pure, noinline)) static int reads(const struct s *p) { return p->m[p->a]; }
int main(void)
{
    struct s x = {1, {2, 3}};
#if CASE == 1
    return others(&x) != 3;
#elif CASE == 2
    return looks(0) != 1;
#elif CASE == 3
    return own(3, x) != 12;
#else
    return reads(&x) != 3;
#endif
}
