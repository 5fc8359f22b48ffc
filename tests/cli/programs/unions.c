#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <stdint.h>
/* unions and effective types */
union u { int i; float f; struct { short a, b; } s; unsigned char c[8]; long long ll; };
struct tagged { int kind; union { double d; char *s; struct { int x, y; } p; } v; };
static double area(const struct tagged *t) { switch (t->kind) { case 0: return t->v.d; case 1: return strlen(t->v.s); default: return t->v.p.x * t->v.p.y; } }
static int pun(float f) { union { float f; int i; } u = { .f = f }; return u.i; }
static int pun2(float f) { return ((union u){ .f = f }).i; }
struct head { int type; }; struct a { int type; int x; }; struct b { int type; double y; };
union ab { struct head h; struct a a; struct b b; };
static int common(union ab *p) { return p->h.type + (p->a.type == 1 ? p->a.x : (int)p->b.y); }
int main(void)
{
    union u u; memset(&u, 0, sizeof u);
    u.f = 1.0f; printf("%x %d %d\n", u.i, u.s.a, u.s.b);
    u.ll = 0x0102030405060708LL; for (int i = 0; i < 8; i++) printf("%d ", u.c[i]); puts("");
    struct tagged t[3] = {{0, {.d = 2.5}}, {1, {.s = "hey"}}, {2, {.p = {3, 4}}}};
    for (int i = 0; i < 3; i++) printf("%g\n", area(&t[i]));
    printf("%x %x\n", pun(3.5f), pun2(-0.0f));
    union ab x; x.a = (struct a){1, 5}; printf("%d\n", common(&x)); x.b = (struct b){2, 7.5}; printf("%d\n", common(&x));
    void *m = malloc(64);
    *(int *)m = 5; int k = *(int *)m; *(float *)m = 2.0f; printf("%d %g\n", k, *(float *)m);
    double d = 3.25; memcpy(m, &d, sizeof d); printf("%g\n", *(double *)m);
    long l; memcpy(&l, m, sizeof l); printf("%lx\n", l);
    struct a arr[2] = {{1, 2}, {3, 4}}; memcpy(m, arr, sizeof arr); struct a *pa = m; printf("%d\n", pa[1].x);
    memmove((char *)m + 4, m, 8); printf("%d %d\n", ((struct a *)((char *)m + 4))->type, ((int *)m)[2]);
    unsigned char *bytes = m; for (int i = 0; i < 16; i++) bytes[i] = i; uint32_t w; memcpy(&w, bytes + 3, 4); printf("%x\n", w);
    char buf[sizeof(double)]; memcpy(buf, &d, sizeof d); double e; memcpy(&e, buf, sizeof e); printf("%g\n", e);
    uint32_t *q = calloc(4, 4); printf("%u %g\n", q[1], (double)*(float *)&q[2]); free(q);
    int *r = realloc(m, 128); printf("%d\n", r != 0); free(r);
    const union u cu = {.c = {1, 2, 3, 4}}; printf("%x\n", cu.i);
    union u *pu = malloc(sizeof *pu); pu->f = 1; printf("%d\n", pu->i == 0x3f800000); pu->s.a = 7; printf("%d\n", pu->c[0]); free(pu);
    return 0;
}
