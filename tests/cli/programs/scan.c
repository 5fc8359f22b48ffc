#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <errno.h>
#include <ctype.h>
static int cmp(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
int main(void)
{
    int a, b, c, n; char s[20], t[20], ch; float f; double d; long l; short h; unsigned u; signed char hh; void *p = 0; (void)p;
    printf("%d ", sscanf("12 -34 0x1f", "%d %d %i", &a, &b, &c)); printf("%d %d %d\n", a, b, c);
    printf("%d ", sscanf("abc:def ghi", "%[a-z]:%s%n", s, t, &n)); printf("%s %s %d\n", s, t, n);
    printf("%d ", sscanf("3.5e2 1e-3 7", "%f %lf %ld", &f, &d, &l)); printf("%g %g %ld\n", f, d, l);
    printf("%d ", sscanf("12345", "%2d%3hd", &a, &h)); printf("%d %d\n", a, h); printf("%d ", sscanf("x", "%d", &a)); printf("%d\n", sscanf("", "%d", &a));
    printf("%d ", sscanf("  z", " %c", &ch)); printf("%c\n", ch); printf("%d ", sscanf("777 ff", "%o %x", &u, (unsigned *)&a)); printf("%u %d\n", u, a); printf("%d ", sscanf("5 6 7", "%*d %d %hhd", &a, &hh)); printf("%d %d\n", a, hh);
    printf("%d ", sscanf("1,2,3", "%d,%d;%d", &a, &b, &c)); printf("%d %d\n", a, b); printf("%d ", sscanf("a]b", "%[]a]%c", s, &ch)); printf("%s %c\n", s, ch); printf("%d ", sscanf("50%", "%d%%%n", &a, &n)); printf("%d %d\n", a, n); printf("%d ", sscanf("nan inf 0x1p3", "%f %lf", &f, &d)); printf("%d %g\n", f != f, d);
    char *e; printf("%ld ", strtol("  -0x1Fz", &e, 0)); puts(e); printf("%ld ", strtol("077", 0, 0)); printf("%lu ", strtoul("-1", 0, 10)); errno = 0; l = strtol("99999999999999999999", 0, 10); printf("%ld %d\n", l, errno == ERANGE); printf("%g ", strtod("1e400", 0)); printf("%g ", strtod("0x1.8p1q", &e)); puts(e); printf("%ld ", strtol("zz", &e, 36)); printf("%d %d\n", atoi("42abc"), *e);
    char buf[30] = "a,b,,c"; for (char *q = strtok(buf, ","); q; q = strtok(0, ",")) printf("<%s>", q); puts(""); printf("%s %s %zu %zu\n", strchr("hello", 'l'), strrchr("hello", 'l'), strspn("aabbc", "ab"), strcspn("hello", "l")); printf("%d %d %d\n", strcmp("a", "b") < 0, strncmp("abc", "abd", 2), memcmp("a\0b", "a\0c", 3) < 0);
    strncpy(s, "hi", 6); printf("%d %d\n", s[2], s[5]); strcat(s, " you"); strncat(s, "rs!!", 2); puts(s); printf("%s\n", strstr("haystack", "st")); printf("%p\n", (void *)0); printf("%d%d%d%d\n", !!isalpha('a'), !!isdigit('a'), !!isspace('\t'), !!ispunct('!')); printf("%c%c\n", toupper('q'), tolower('Q')); 
    int arr[] = {5, 3, 9, 1, 7}; 
    qsort(arr, 5, sizeof *arr, cmp); for (int i = 0; i < 5; i++) printf("%d ", arr[i]); int key = 7; int *r = bsearch(&key, arr, 5, sizeof *arr, cmp); printf("%td\n", r - arr); div_t dv = div(-7, 2); printf("%d %d\n", dv.quot, dv.rem); printf("%ld\n", labs(-5L)); srand(1); int r1 = rand(); srand(1); printf("%d\n", r1 == rand()); return 0;
}
