/* Statement expressions beside other operands: all of one comes before them, or after. */
int d[3];
int main(void)
{
    int x = 1;
#if CASE == 1
    return d[0] + ({ d[0]++; d[0]; });
#elif CASE == 2
    x += ({ x = 4; x; });
    return x;
#elif CASE == 3
    d[1] += ({ int k = x; d[2] = k; k + x; });
    return d[1] - 2;
#else
    x = x + ({ int k = 0; for (int i = 0; i < 3; i++) k += i; k + x; });
    return x - 5;
#endif
}
