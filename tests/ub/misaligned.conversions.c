/* A pointer that becomes one to a type that it is not aligned for. */
int main(void)
{
    static char room[16] __attribute__((aligned(8)));
    void *v = room + 2;
#if CASE == 1
    int *p = (int *)(room + 1);
    return p == 0;
#elif CASE == 2
    double *p = v;
    return p == 0;
#elif CASE == 3
    short *p = v;
    return p == 0 || (int *)-1 == 0;
#else
    struct __attribute__((packed)) s { int x; } *p = v;
    return p == 0;
#endif
}
