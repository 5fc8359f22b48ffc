/* How far labels lie from each other is the compiler's; adding it to one of them again is not. */
#include <stdio.h>
static int run(const unsigned char *code)
{
    static const int to[] = {0, &&add - &&push, &&end - &&push};
    int top = 0;
    goto *(&&push + to[*code]);
push:
    top += 2;
    goto *(&&push + to[*++code]);
add:
    top *= 3;
    goto *(&&push + to[*++code]);
end:
    return top;
}
static int order(int n)
{
    static void *const at[] = {&&one, &&two, &&three};
#if CASE == 1
    printf("%ld\n", (long)((char *)at[1] - (char *)at[0]));
#elif CASE == 2
    printf("%d\n", at[0] < at[2]);
#else
    printf("%d\n", at[0] != at[2]);
#endif
    goto *at[n];
one:
    n++;
two:
    n++;
three:
    return n;
}
int main(void)
{
#if CASE == 4
    static const unsigned char code[] = {0, 1, 0, 1, 2};
#else
    static const unsigned char code[] = {0, 2};
#endif
    printf("%d %d\n", run(code), order(CASE % 3));
    return 0;
}
