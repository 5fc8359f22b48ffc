/* Bit-fields beside others that were set are no padding. */
struct bits {
    unsigned a : 4, b : 4;
};
struct item {
    int n;
    struct bits list[2];
};
static struct bits passed(struct bits x) { return x; }
int main(void)
{
    struct bits x;
    struct item y = {1, {{2, 3}}};
    x.a = 1;
#if CASE == 1
    return x.b == 9;
#elif CASE == 2
    return passed(x).b == y.n;
#elif CASE == 3
    y.list[1] = passed(x);
    return y.list[1].a != 1;
#else
    x.b = y.list[1].a;
    return y.list[1].b + x.b + x.a - 1;
#endif
}
