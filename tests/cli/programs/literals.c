#include <stdio.h>
#include <string.h>
struct s { int a; char b[4]; };
static struct s *keep; static int total;
static int use(const struct s *p) { return p->a + p->b[0]; }
static int *pick(int *a, int *b) { return *a > *b ? a : b; }
static const char *name(int i) { return ((const char *[]){"zero", "one", "two"})[i]; }
static struct s *glob = &(struct s){7, "ab"};
static int (*table[])(const struct s *) = {use};
int main(void)
{
    struct s *p = &(struct s){1, "x"}; p->a++; printf("%d %s\n", p->a, p->b);
    for (int i = 0; i < 3; i++) { int *q = (int[]){i, i + 1}; q[0] += 10; total += q[0] + q[1]; } printf("%d\n", total);
    printf("%d\n", use(&(struct s){3, "c"})); printf("%d\n", *pick(&(int){3}, &(int){4}));
    puts(name(2)); glob->a++; printf("%d %s\n", glob->a, glob->b);
    int k = 0; int *last = 0;
loop:; int *lit = &(int){k}; if (last) printf("%d ", last == lit); last = lit; if (++k < 3) goto loop; puts("");
    struct s arr[] = {[1] = {1, "q"}, [0].a = 5, [2] = *p}; printf("%d %d %d %zu\n", arr[0].a, arr[1].a, arr[2].a, sizeof arr / sizeof *arr);
    char str[] = "abc" "def"; char *e = (char[]){"literal"}; e[0] = 'L'; puts(e); printf("%zu\n", sizeof str);
    struct { int x; struct { int y; int z[2]; }; } anon = {1, {2, {3, 4}}}; printf("%d\n", anon.z[1] + anon.y);
    struct s x = (struct s){1, "z"}, y; y = x.a ? x : (struct s){0}; printf("%s %d\n", y.b, table[0](&y));
    int m[2][3] = {1, 2, 3, 4}; int (*pm)[3] = m; printf("%d %d %zu\n", pm[1][0], (*(pm + 1))[1], sizeof *pm);
    printf("%d\n", (int){5} + ((struct s){.a = 6}).a);
    return 0;
}
