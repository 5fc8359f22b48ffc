#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
struct flex { int n; double d; char data[]; };
struct flex0 { short n; int data[0]; };
struct flex1 { int n; char data[1]; };
static struct flex st = { 3, 1.5, "abc" };
struct nest { struct flex1 f; };
int main(void)
{
    struct flex *f = malloc(sizeof *f + 10); f->n = 10; for (int i = 0; i < 10; i++) f->data[i] = 'a' + i;
    printf("%zu %zu %.10s %s %zu\n", sizeof *f, offsetof(struct flex, data), f->data, st.data, sizeof st);
    struct flex *g = malloc(offsetof(struct flex, data) + 3); g->n = 1; g->d = 2; memcpy(g->data, "xy", 3); puts(g->data);
    struct flex0 *z = malloc(sizeof *z + 4 * sizeof(int)); for (int i = 0; i < 4; i++) z->data[i] = i * i; printf("%d\n", z->data[3]);
    struct flex1 *o = malloc(sizeof *o + 7); strcpy(o->data, "hello"); puts(o->data); o->data[6] = 1;
    struct flex c = *f; printf("%d\n", c.n);
    struct flex *copy = malloc(sizeof *copy + 10); *copy = *f; memcpy(copy->data, f->data, 10); printf("%c\n", copy->data[9]);
    free(f); free(g); free(z); free(o); free(copy);
    return 0;
}
