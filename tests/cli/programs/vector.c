#include <stdio.h>
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef long l2 __attribute__((vector_size(16)));
typedef short s8 __attribute__((vector_size(16)));
typedef short s4 __attribute__((vector_size(8)));
static void show(const char *n, v4 v) { printf("%s %d %d %d %d\n", n, v[0], v[1], v[2], v[3]); }
static v4 rotate(v4 v, int by) { v4 m = {by, by + 1, by + 2, by + 3}; return __builtin_shuffle(v, m); }
int main(void)
{
    v4 a = {1, 2, 3, 4}, b = {5, 6, 7, 8};
    show("one", __builtin_shuffle(a, (v4){3, 2, 1, 0}));
    show("two", __builtin_shuffle(a, b, (v4){0, 5, 2, 7}));
    show("wrap", __builtin_shuffle(a, b, (v4){8, -1, 12, 1000}));
    for (int i = 0; i < 5; i++) show("rotate", rotate(a, i));
    f4 f = __builtin_shuffle((f4){1.5f, 2.5f, 3.5f, 4.5f}, (v4){2, 2, 0, 1});
    printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    d2 d = __builtin_shuffle((d2){1.25, 2.25}, (d2){3.25, 4.25}, (l2){3, 0});
    printf("%g %g\n", d[0], d[1]);
    b16 c = {0}; for (int i = 0; i < 16; i++) c[i] = i * 3;
    b16 m; for (int i = 0; i < 16; i++) m[i] = 255 - i;
    c = __builtin_shuffle(c, m);
    for (int i = 0; i < 16; i++) printf("%d ", c[i]);
    printf("\n");
    show("sv", __builtin_shufflevector(a, b, 7, 0, 3, 4));
    s8 s = {1, 2, 3, 4, 5, 6, 7, 8};
    s4 h = __builtin_shufflevector(s, s, 1, 3, 5, 15);
    printf("%d %d %d %d %zu\n", h[0], h[1], h[2], h[3], sizeof h);
    s8 w = __builtin_shufflevector(h, h, 0, 1, 2, 3, 4, 5, 6, 7);
    printf("%d %d %zu\n", w[0], w[7], sizeof w);
    v4 cv = __builtin_convertvector(f * 2, v4); show("cv", cv);
    f4 fc = __builtin_convertvector(a, f4); printf("%g\n", fc[3]);
    return 0;
}
