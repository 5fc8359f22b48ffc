/* Functions in functions (GNU): captured variables, addresses passed down, recursion of both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int apply(int (*f)(int), int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += f(i);
    return sum;
}

/* The classic of compiler tests: each A has its own k, and the B's remember theirs. */
static int a(int k, int (*x1)(void), int (*x2)(void), int (*x3)(void), int (*x4)(void),
             int (*x5)(void))
{
    int b(void)
    {
        k--;
        return a(k, b, x1, x2, x3, x4);
    }
    if (k > 0)
        return b();
    int four = x4();
    return four + x5();
}
static int one(void)
{
    return 1;
}
static int minus(void)
{
    return -1;
}
static int zero(void)
{
    return 0;
}

static int levels(int n)
{
    int hits = 0;
    char text[8] = "abc";
    struct pair {
        int x, y;
    } p = {1, 2};
    int outer(int m)
    {
        int local = m + n;
        int inner(int k)
        {
            hits++;
            p.x += k;
            text[k % 3]++;
            static int calls;
            return local + n + k + ++calls;
        }
        return m ? inner(m) + outer(m - 1) : apply(inner, 2);
    }
    int r = outer(n);
    printf("%d %d %s\n", hits, p.x + p.y, text);
    return r;
}

static void sort(int *list, int n, int down)
{
    int compare(const void *x, const void *y)
    {
        int d = *(const int *)x - *(const int *)y;
        return down ? -d : d;
    }
    qsort(list, (size_t)n, sizeof *list, compare);
}

static int blocks(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        auto int later(int);
        int (*f)(int) = later;
        int later(int x)
        {
            return x * i;
        }
        switch (i) {
        case 1: {
            int twice(int x)
            {
                if (x > 10)
                    goto out;
                return later(x) * 2;
            out:
                return 0;
            }
            sum += twice(5);
            break;
        }
        default:
            sum += f(3) + later(1);
        }
    }
    return sum;
}

int main(void)
{
    int list[] = {3, 1, 2};
    double _Complex z = 1.0 + 2.0i;
    double _Complex turn(double _Complex w)
    {
        return w * z;
    }
    int variadic(const char *f, ...)
    {
        return printf("%s %d\n", f, list[0]);
    }
    printf("%d\n", a(6, one, minus, minus, one, zero));
    int r = levels(3);
    printf("%d\n", r);
    sort(list, 3, 1);
    printf("%d %d %d\n", list[0], list[1], list[2]);
    sort(list, 3, 0);
    variadic("x", 1, 2);
    printf("%d\n", blocks(4));
    printf("%g %g\n", __real__ turn(2.0i), __imag__ turn(z));
    return 0;
}
