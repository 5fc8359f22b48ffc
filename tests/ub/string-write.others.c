/* By subscript of the literal itself. */
int main(void)
{
#if CASE == 1
    "abc"[1] = 'x';
#elif CASE == 2
    *("abc" + 1) = 'x';
#elif CASE == 3
    (char[]){"abc"}[1] = 'x';
#else
    return "abc"[1] != 'b';
#endif
    return 0;
}
