/* One restrict pointer in memory that is reached in two ways, changed, or copied by a callee. */
struct vector { int *restrict v; };
static int *kept;
static void keep(const struct vector *a) { kept = a->v; }
static int *first(const struct vector *a) { return a->v; }
static void add(const struct vector *a, const struct vector *b)
{
    for (int i = 0; i < 2; i++)
        a->v[i] += b->v[i];
}
/* modifying what a->v points to modifies a->v: C11 6.7.3.1p4 */
static void each(struct vector *restrict a, struct vector *restrict b) { a->v[0] = 1, b->v[1] = 2; }
static int spread(struct vector *a, int *other)
{
    int *p = first(a);
    keep(a);
    a->v[0] = 1;
    *p = 2, *kept += 3;
    a->v = other; /* a new value, and so a new life */
    a->v[0] = *kept;
    return a->v[0];
}
int main(void)
{
    int x[4] = {1, 2, 3, 4};
    struct vector a = {x};
#if CASE == 1
    struct vector b = {x + 1};
    add(&a, &b);
#elif CASE == 2
    each(&a, &a);
#elif CASE == 3
    add(&a, &a);
#else
    return spread(&a, &(int){0}) - 5;
#endif
    return 0;
}
