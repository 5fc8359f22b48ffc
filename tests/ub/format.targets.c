/* What an argument points to is of another kind; conversions that are not whole (C11 7.21.6.1p8,
 * 7.21.6.2p3, p12). */
#include <stdio.h>
#include <wchar.h>
int main(void)
{
    char text[8] = {0};
    unsigned char bytes[] = "ab";
    float f = 0;
    int n = 0;
    (void)f;
#if CASE == 1
    printf("%ls\n", text);
    (void)bytes, (void)n;
#elif CASE == 2
    (void)bytes, (void)n;
    return sscanf("1", "%d", (int *)text) + sscanf("a", "%[a", text);
#elif CASE == 3
    printf("%s%ls %n\n", bytes, L"c", &n);
    return n != 4;
#else
    return sscanf("]a 05 1.5", "%[]a]%03d %f%n", bytes, &n, &f, &n) != 3 || n != 9 || f != 1.5;
#endif
    return 0;
}
