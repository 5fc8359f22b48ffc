/* assign-overlap: members of one union, by name and through pointers. */
union value {
    int i;
    float f;
    short s[4];
    long l;
};
static void convert(float *to, const int *from)
{
    *to = *from;
}
int main(void)
{
    union value a = {5}, b = {7};
#if CASE == 1
    a.s[1] = a.i;
#elif CASE == 2
    convert(&a.f, &a.i);
#elif CASE == 3
    a.f = (float)a.i;
    a.l = b.i;
    int *p = &b.i, *q = p;
    *p = *q;
#else
    convert(&a.f, &b.i);
    b.i = b.i;
    a.i = (int)(a.f + 1);
#endif
    return 0;
}
