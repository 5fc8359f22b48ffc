/* A variable that is initialised with itself. */
int main(void)
{
#if CASE == 1
    int x = x;
    return x;
#elif CASE == 2
    int x = 1 + (x & 0);
    return x - 1;
#elif CASE == 3
    int x = sizeof x - sizeof(int);
    return x;
#else
    void *p = &p;
    return p != (void *)&p;
#endif
}
