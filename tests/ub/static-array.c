/* static-array: CASE 1 and 2 have it, 3 and 4 are near and defined. */
static int sum(int n, int a[static 3]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int main(void)
{
    int two[2] = {1, 2}, five[5] = {1, 2, 3, 4, 5};
#if CASE == 1
    return sum(2, two) - 3;
#elif CASE == 2
    return sum(0, 0) + sum(1, five + 3);
#elif CASE == 3
    return sum(3, five) - 6;
#else
    return sum(3, five + 2) - 12;
#endif
}
