/* An array in a structure that is no lvalue, whatever gave it, is not to be modified, C11 6.2.4p8. */
struct row {
    int a[3];
} s = {{1, 2, 3}}, t;
int main(void)
{
#if CASE == 1
    (s.a[0] ? s : t).a[0] = 7;
#elif CASE == 2
    int *p;
    p = (t = s).a, p[0] = 7;
#elif CASE == 3
    (*(s.a[0] ? &s : &t)).a[0] = 7;
#else
    return (s.a[0] ? s : t).a[0] - 1 + (t = s).a[1] - 2;
#endif
    return 0;
}
