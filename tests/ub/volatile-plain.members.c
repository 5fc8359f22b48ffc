/* Volatile members through plain lvalues; the others of the same structure. */
struct port { int plain; volatile int now; struct { volatile char c[2]; } in; };
int main(void)
{
    struct port p = {1, 2, {{3, 4}}};
    const struct port *q = &p;
#if CASE == 1
    return *(int *)&p.now == 0;
#elif CASE == 2
    return *((char *)&q->in.c[0] + 1) == 0;
#elif CASE == 3
    int *plain = &p.plain;
    return *(volatile int *)(int *)&p.now + *plain - 3;
#else
    int x = 1;
    volatile int *v = &x;
    return *(int *)v - 1;
#endif
}
