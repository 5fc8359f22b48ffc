/* Flexible array members of every element type, initialised. */
#include <stdio.h>
struct in { short s; char c; };
struct f { int n; struct in a[]; };
struct f x = {2, {{1,'a'},{2,'b'}}};
struct d { char n; double a[]; } y = {3, {1.5, 2.5, 3.5}};
struct p { int n; const char *a[]; } z = {2, {"x","yy"}};
struct q { int n; int a[][2]; } w = {2, {{1,2},{3,4}}};
struct u { int n; union { int i; char c; } a[]; } v = {1, {{7}}};
struct bf { int n; struct { int a:3, b:5; } a[]; } bb = {1, {{1,2}}};
static struct l { long n; long a[]; } ll = {.n=1, .a={[1]=5}};
int main(void){ for(int i=0;i<2;i++) printf("%d %c ",x.a[i].s,x.a[i].c); printf("%g %g %g %s %s %d %d %d %d %ld\n", y.a[0],y.a[1],y.a[2],z.a[0],z.a[1],w.a[1][1],v.a[0].i,bb.a[0].a,bb.a[0].b,ll.a[1]); int s=0; for(int i=0;i<w.n;i++) for(int j=0;j<2;j++) s+=w.a[i][j]; return s-10; }
