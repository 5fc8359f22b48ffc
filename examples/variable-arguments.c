/* Valid C that clang up to 19 gets wrong, found with programs of cupel gen: five registers are
 * taken when a __int128 comes that needs two, so it is passed in memory, and the union behind it in
 * the sixth register.  clang-13 to clang-16 take the union from memory, clang-19 from elsewhere. */
int printf(const char *, ...);

union word {
    unsigned int whole;
    unsigned char bytes[4];
};

static int take(int a, int b, int c, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, c);
    long d = __builtin_va_arg(list, long);
    long e = __builtin_va_arg(list, long);
    __int128 wide = __builtin_va_arg(list, __int128);
    union word u = __builtin_va_arg(list, union word);
    __builtin_va_end(list);
    return printf("%d %ld %ld %ld %x\n", a + b + c, d, e, (long)wide, u.whole) > 0;
}

int main(void)
{
    union word u = {0xfffff00};
    return !take(1, 2, 3, 4L, 5L, (__int128)6, u);
}
