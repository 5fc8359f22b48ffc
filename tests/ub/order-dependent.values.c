/* Values that lie in memory, or in a variable's slot, are as they were when they were read: an operand
 * that is evaluated later may change the object. */
typedef int lanes __attribute__((vector_size(16)));
struct row {
    int a[4];
};
lanes v = {1, 2, 3, 4};
struct row s = {{1}}, t;
lanes change(void)
{
    v[0] = 5;
    return v;
}
int index_of(void)
{
    s.a[0] = 7;
    return 0;
}
int main(void)
{
    int x = 5, a[2] = {0};
#if CASE == 1
    return (v + change())[0];
#elif CASE == 2
    *({ x = 6; a + 1; }) = x;
    return a[1] + (t = s).a[index_of()];
#elif CASE == 3
    *({ x = 6; a + 1; }) = a[1] + 3;
    return a[1] - 3 + (t = s).a[1 + index_of()];
#else
    return (v + change())[1] - 4;
#endif
}
