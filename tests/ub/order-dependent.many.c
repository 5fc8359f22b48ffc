/* So many operands conflict that trying each pair takes long: the last one still counts. */
int g;
static int add(int a)
{
    g += a;
    return a;
}
static int set(int a)
{
    g = a;
    return a;
}
#define FOUR add(1) + add(2), add(2) + add(3), add(3) + add(4), add(4) + add(5)
#define LOTS FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR
int main(void)
{
    volatile int n = CASE % 2 ? 0 : 500000;
    while (n)
        n--;
    (LOTS);
#if CASE <= 2
    return set(1) + set(2) - g;
#else
    return add(1) + set(2) - 3;
#endif
}
