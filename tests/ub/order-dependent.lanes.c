/* A vector or a structure that is assigned, or computed with in place, beside a function that changes it. */
typedef int lanes __attribute__((vector_size(16)));
lanes v = {1, 2, 3, 4}, w[2];
static int change(void)
{
    v[0] = 7;
    return 1;
}
int main(void)
{
#if CASE == 1
    w[change()] = v;
    return w[1][0];
#elif CASE == 2
    v *= change();
    return v[0];
#elif CASE == 3
    w[change()] = -v;
    return w[1][1] + 2;
#else
    v *= change();
    return v[1] - 2;
#endif
}
