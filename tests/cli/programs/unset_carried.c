/* Padding that is swapped and copied through character variables. */
#include <string.h>
#include <stdio.h>
struct s { char c; int i; };
static void swap(void *a, void *b, unsigned n) { char *p=a,*q=b; while(n--) { char t=*p; *p++=*q; *q++=t; } }
static void swap2(void *a, void *b, unsigned n) { unsigned char *p=a,*q=b,t; while(n--) { t=*p; *p++=*q; *q++=t; } }
static void swap3(void *a, void *b, unsigned n) { for (char *p=a,*q=b;n;n--,p++,q++) { register char t=*p, u=*q; *p=u; *q=t; } }
static void copy(void *a, void *b, unsigned n) { unsigned char x; while (n) { x = ((unsigned char*)b)[--n]; ((unsigned char*)a)[n] = x; } }
int main(void){ struct s a,b,d; a.c=1;a.i=2;b.c=3;b.i=4; swap(&a,&b,sizeof a); swap2(&a,&b,sizeof a); swap3(&a,&b,sizeof a); copy(&d,&a,sizeof d); printf("%d %d %d %d %d\n",a.c,a.i,b.c,b.i,d.i); return 0; }
