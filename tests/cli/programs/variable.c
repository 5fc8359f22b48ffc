#include <stdio.h>
#include <string.h>
static int sum(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; return s; }
static int f(int n)
{
    int r = 0, k = 0;
again:;
    int v[n + k];
    for (int i = 0; i < n + k; i++) v[i] = i;
    r += v[n + k - 1] + (int)sizeof v;
    if (k++ < 3) goto again;
    {
        int w[n][n]; memset(w, 0, sizeof w); w[n - 1][n - 1] = 9; r += sum(n, n, w);
        if (n > 100) goto out;
    }
    switch (n) { case 3: { int x[n]; x[0] = 1; r += x[0]; break; } default: { char y[n * 2]; y[n] = 2; r += y[n]; } }
out:
    return r;
}
static int g(int n) { typedef int row[n]; row *p, a[2]; n = 100; p = a; p[1][0] = 4; return (int)sizeof(row) + (int)sizeof a + p[1][0]; }
static int h(int n) { int (*p)[n] = 0; return (int)sizeof *p + (int)sizeof(int[n++]) + n; }
static void rev(int n, char s[static n]) { for (int i = 0, j = n - 1; i < j; i++, j--) { char t = s[i]; s[i] = s[j]; s[j] = t; } }
int main(void)
{
    for (int n = 1; n < 6; n++) printf("%d %d %d\n", f(n), g(n), h(n));
    char s[] = "reverse"; rev(7, s); puts(s);
    int tot = 0; for (int i = 1; i < 5; i++) { int a[i]; if (i == 3) continue; a[i - 1] = i; tot += a[i - 1]; } printf("%d\n", tot);
    int n = 4; int (*m)[n] = (int(*)[n]) & (int[4][4]){{1}, {2}, {3}, {4}}; printf("%d\n", sum(4, n, m));
    return 0;
}
