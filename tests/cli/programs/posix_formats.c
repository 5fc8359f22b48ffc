/* Formats of POSIX and glibc, and what scanf does at the edges. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void print(void)
{
    char b[50];
    printf("%2$s %1$d|%1$d %1$d|%2$*3$s|\n", 5, "x", 4);
    printf("%'d %Ld %C %S %ls %5lc|\n", 1234567, 5LL, L'a', L"wide", L"more", L'z');
    errno = ENOENT;
    printf("%m %.3m|%-30m|\n");
    sprintf(b, "%-10p|%10p|", (void *)0, (void *)0);
    puts(b);
}

static void scan(void)
{
    char *p, b[50];
    int x, y, n = sscanf("hello world", "%ms", &p);
    double d;
    printf("%d %s\n", n, p);
    free(p);
    n = sscanf("abc:def", "%m[^:]", &p);
    printf("%d %s\n", n, p);
    free(p);
    n = sscanf("1 2", "%2$d %1$d", &x, &y);
    printf("%d %d %d\n", n, x, y);
    n = sscanf("abc", "%5c", b);
    printf("%d %.3s\n", n, b);
    printf("%d ", sscanf("a-z]", "%[a-z]", b));
    printf("%d ", sscanf("]x", "%[]x]", b));
    printf("%d %s\n", sscanf("12abc", "%[^a-c]", b), b);
    printf("%d %s\n", sscanf("nanx inf", "%lf%s", &d, b), b);
}

int main(void)
{
    print();
    scan();
    return 0;
}
