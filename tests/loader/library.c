/* the C library's variables and functions, by address and by callback */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf out;
static int order(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
static void caught(int sig)
{
    (void)sig;
    longjmp(out, 5);
}
static void last(void)
{
    puts("at exit");
}
static int sum(int n, ...)
{
    va_list v;
    int s = 0;
    va_start(v, n);
    while (n--)
        s += va_arg(v, int);
    va_end(v);
    return s;
}
int main(void)
{
    int (*print)(const char *, ...) = printf;
    int v[] = {3, 1, 2};
    char *copy = malloc(10);
    atexit(last);
    qsort(v, 3, sizeof *v, order);
    strcpy(copy, "copied");
    print("%d%d%d %s %.3f %d\n", v[0], v[1], v[2], copy, sqrt(2.0), sum(3, 1, 2, 3));
    fprintf(stdout, "%d\n", print == printf);
    fprintf(stderr, "to stderr\n");
    signal(SIGFPE, caught);
    if (setjmp(out) == 0)
        raise(SIGFPE);
    else
        puts("caught");
    free(copy);
    return 3;
}
