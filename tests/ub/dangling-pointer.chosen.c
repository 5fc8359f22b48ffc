/* An array in a structure that is no lvalue lives until the full expression ends, C11 6.2.4p8. */
struct in {
    int a[3];
};
struct out {
    int n;
    struct in in;
} s = {1, {{1, 2, 3}}};
static struct out get(void)
{
    return s;
}
int main(void)
{
#if CASE == 1
    int *p = get().in.a;
    return *p - 1;
#elif CASE == 2
    int *p = (s.n ? s : get()).in.a;
    return *p - 1;
#elif CASE == 3
    int *p = s.in.a;
    return *p - 1;
#else
    int v = *get().in.a + *(s.n ? s : get()).in.a;
    return v - 2;
#endif
}
