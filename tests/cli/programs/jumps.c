/* setjmp and longjmp: across calls, out of callbacks and handlers, nested. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf place;
static int sum;

static void deep(int n)
{
    int list[4];
    list[n & 3] = n;
    if (n == 0)
        longjmp(place, 7);
    sum += list[n & 3];
    deep(n - 1);
}

static int compare(const void *a, const void *b)
{
    if (*(const int *)a > 2)
        longjmp(place, 3);
    return *(const int *)a - *(const int *)b;
}

struct context {
    jmp_buf place;
    struct context *outer;
    volatile int status;
} * top;

static void fail(int n)
{
    top->status = n;
    longjmp(top->place, 1);
}

static int protect(void (*f)(int), int n)
{
    struct context c;
    c.status = 0;
    c.outer = top;
    top = &c;
    if (setjmp(c.place) == 0)
        f(n);
    top = c.outer;
    return c.status;
}

static void inner(int n)
{
    if (n > 2)
        fail(n);
}

static void outer(int n)
{
    int status = protect(inner, n);
    fail(status + 1);
}

static void handler(int number)
{
    longjmp(place, number);
}

int main(void)
{
    volatile int round = 0;
    int value = setjmp(place);
    printf("%d in round %d\n", value, round);
    if (round++ < 3)
        deep(5);
    printf("%d\n", sum);
    int list[] = {2, 1, 3, 0};
    switch (setjmp(place)) {
    case 0:
        qsort(list, 4, sizeof *list, compare);
        break;
    case 3:
        puts("left the sort");
    }
    volatile int total = 0;
    for (volatile int i = 0; i < 3000; i++)
        total += protect(inner, i % 5);
    printf("%d %d\n", total, protect(outer, 4));
    if ((value = setjmp(place)) == 0) {
        signal(SIGABRT, handler);
        abort();
    }
    printf("%d\n", value == SIGABRT);
    return 0;
}
