/* Restrict members, variables of inner blocks, pointers from memory, and restrict pointers to const. */
struct pair { int *restrict a, *restrict b; };
int *from;
#if CASE == 1
static int f(const struct pair *p) { p->a[0] = 1; p->b[0] = 2; return p->a[0]; }
int main(void) { int x; struct pair p = {&x, &x}; return f(&p) == 0; }
#elif CASE == 2
static int f(const int *restrict p) { int before = *p; *(int *)p = 2; return before; }
int main(void) { int x = 0; return f(&x); }
#elif CASE == 3
static int f(struct pair p, int n) { for (int i = 0; i < n; i++) p.a[i] = p.b[i] + n; return p.a[0]; }
int main(void) { int x[4] = {1, 2, 3, 4}; struct pair p = {x, x + 2}; return f(p, 2) - 5; }
#else
static int f(const int *restrict p) { int s = *p; for (int *q = from; q < from + 2; q++) s += *q; return s; }
int main(void)
{
    int x[2] = {1, 2};
    from = x;
    for (int i = 0; i < 3; i++) {
        { int *restrict p = x; p[0] = i; }
        from[0]++;
    }
    return f(x + 1) - 7;
}
#endif
