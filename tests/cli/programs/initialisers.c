/* Initialisers that say something anew (C11 6.7.9p19): bit-fields beside other members, unions,
 * strings, and GNU's ranges, whole and in part. */
#include <stdio.h>

struct triple {
    int a, b, c;
};

struct bits {
    int a : 8;
    char b;
    int c : 4, d : 4;
};

union choice {
    long a;
    char b;
    struct {
        char x;
        short y;
    } c;
    int d : 5;
    int e;
};

struct holder {
    union choice u;
    int k;
};

static struct triple reversed[3] = {[1] = {5, 6}, [0 ... 2] = {3}};
static struct triple replaced[3] = {[0 ... 2] = {1, 2}, [1] = {3}};
static struct triple partly[3] = {[0 ... 1].a = 1, 2, 3};
static int rows[3][4] = {[0 ... 1][0] = 5, 6, [2][1 ... 2] = 7, 8};
static int cubes[2][3][2] = {
    [0 ... 1] = {[0 ... 2] = {[0 ... 1] = 1}}, [1][1] = {2}, [0][0 ... 1][1] = 7, 8};

static int number;

static int next(void)
{
    return ++number;
}

static void show(const char *name, const int *v, int n)
{
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %d", v[i]);
    putchar('\n');
}

static void show_triples(const char *name, const struct triple *v, int n)
{
    for (int i = 0; i < n; i++)
        printf("%s %d %d %d\n", name, v[i].a, v[i].b, v[i].c);
}

int main(void)
{
    show_triples("reversed", reversed, 3);
    show_triples("replaced", replaced, 3);
    show_triples("partly", partly, 3);
    for (int i = 0; i < 3; i++)
        show("rows", rows[i], 4);
    for (int i = 0; i < 6; i++)
        show("cubes", cubes[i / 3][i % 3], 2);
    struct bits b = {.b = 5, .a = 1}, c = {.d = 1, .c = 3, .d = 2, .b = 4, .a = 6};
    printf("%d %d, %d %d %d %d\n", b.a, b.b, c.a, c.b, c.c, c.d);
    union choice u = {.d = 3, .e = 1000}, v = {.e = 1000, .d = 3}, w = {.c.y = 1, .a = 5, .c.x = 2};
    printf("%d %d %d %d\n", u.e, v.d, w.c.x, w.c.y);
    struct holder h[3] = {[1].u.b = 1, [0 ... 2].u.e = 70000, [2].u.c = {1, 2}, [2].u.c.y = 7};
    printf("%d %d %d %d\n", h[0].u.e, h[1].u.e, h[2].u.c.x, h[2].u.c.y);
    struct holder k[3] = {[0 ... 2].u.c = {1, 2}, [1].u.c.x = 9, [2].u.e = 5, [2].u.c.y = 3};
    for (int i = 0; i < 3; i++)
        printf("%d %d\n", k[i].u.c.x, k[i].u.c.y);
    char s[3][4] = {[0 ... 2] = "abc", [1][0] = 'X', [2] = {'q'}};
    for (int i = 0; i < 3; i++)
        printf("%d %d %d %d\n", s[i][0], s[i][1], s[i][2], s[i][3]);
    struct {
        struct triple p[2];
        int t;
    } q[2] = {{.p = {{1, 2, 3}, {4, 5, 6}}, 7},
              [0].p[1] = {.b = 9},
              [1] = {.t = 3},
              [1].p[0 ... 1].c = 8,
              [0].p[0].a = next()};
    for (int i = 0; i < 4; i++)
        show_triples("q", &q[i / 2].p[i % 2], 1);
    int n[6] = {[0 ... 3] = next(), [5] = 9};
    show("n", n, 6);
    printf("%d %d\n", q[0].t, q[1].t);
    return 0;
}
