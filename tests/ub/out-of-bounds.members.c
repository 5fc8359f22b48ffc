/* The library's functions stay in the member that they are given (C11 7.24.1p1). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char name[8], note[8];
    int n;
};
struct text {
    int n;
    char at[4];
};

int main(void)
{
    struct record r = {"a", "b", 3};
    struct text *t = malloc(sizeof *t + 8);
#if CASE == 1
    memcpy(r.name, "0123456789abcde", sizeof r.name + sizeof r.note);
#elif CASE == 2
    strcpy(r.name + 4, "abcd");
#elif CASE == 3
    memcpy(r.name, r.note, sizeof r.note);
    strcpy(r.name + 4, "abc");
    memset(&r, 'x', sizeof r - sizeof r.n);
#else
    strcpy(t->at, "12345678"); /* old C: the last one may go on */
    char *p = r.name;
    memset(p, 0, 16);
#endif
    printf("%.3s %d\n", r.name, r.n);
    free(t);
    return 0;
}
