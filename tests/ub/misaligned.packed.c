/* What a declaration guarantees counts, not where an object happens to lie. */
struct pair {
    int a, b;
};
struct __attribute__((packed)) tight {
    int i;
    char c;
    struct pair p;
};
#pragma pack(1)
struct pragma {
    char c;
    int i;
};
#pragma pack()
static struct tight plain, many[4];
static struct tight whole __attribute__((aligned(4)));
static int get(const int *p)
{
    return *p;
}
static int by_member(const struct tight *t, const struct pragma *u)
{
    return t->i + t->p.b + u->i;
}
int main(void)
{
    struct pragma u = {1, 0};
    struct pair p = {0, 0};
#if CASE == 1
    return get(&plain.i);
#elif CASE == 2
    const struct pair *q = &many[1].p;
    p = *q;
    return p.a;
#elif CASE == 3
    plain.p = p;
    return by_member(&plain, &u) + many[3].p.a;
#else
    struct __attribute__((packed, aligned(4))) { int i; char c; } one = {0, 1};
    return get(&whole.i) + get(&one.i);
#endif
}
