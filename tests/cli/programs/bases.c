/* strtol, strtoul and strtoull: every kind of base, sign and overflow; long has 32 or 64 bits. */
#include <stdio.h>
#include <stdlib.h>
extern int *__errno_location(void);
#define ERROR (*__errno_location())
static char *end;
static void start(const char *s)
{
    end = (char *)s;
    ERROR = 0;
}
static void tell(const char *s)
{
    printf(" %d %d", ERROR, (int)(end - s));
}
static void read(const char *s, int base)
{
    start(s);
    printf("%lu", strtoul(s, &end, base));
    tell(s);
    start(s);
    printf(" %ld", strtol(s, &end, base));
    tell(s);
    start(s);
    printf(" %llu", strtoull(s, &end, base));
    tell(s);
    puts("");
}
int main(void)
{
    static const char *const texts[] = {"12", "-1", "-18446744073709551615", "4294967296", "4294967295", " -4294967296",
                                        "99999999999999999999999", "-99999999999999999999999", "0x", "-0xg", "", "zz", "-",
                                        "2147483648", "-2147483649", "\t+017"};
    static const int bases[] = {0, 1, 2, 8, 10, 16, 36, 37, -1};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned k = 0; k < sizeof bases / sizeof *bases; k++)
            read(texts[i], bases[k]);
    return 0;
}
