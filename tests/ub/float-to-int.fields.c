/* Bit-fields that cannot hold the value. */
struct s { unsigned u : 3; int i : 4; } x;
int main(void)
{
    volatile double d = 7.9, e = 9, f = -8.5, g = -9;
#if CASE == 1
    x.u = e;
#elif CASE == 2
    x.i = g;
#elif CASE == 3
    x.u = d;
    return x.u - 7;
#else
    x.i = f;
    x.u = (unsigned)e;
    return x.i + 8;
#endif
    return 0;
}
