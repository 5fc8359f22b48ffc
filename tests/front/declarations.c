/* Declarations of every shape; the round trip must keep each. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct node node;
struct node {
    node *next, **back;
    int (*visit)(node *, int depth, ...);
    union {
        struct {
            unsigned low : 5, : 3, high : 8;
            long long wide : 40;
        };
        unsigned char bytes[sizeof(void *)];
    };
    enum color { RED = 1, GREEN, BLUE = GREEN << 3 } color : 8;
    char name[];
};

struct __attribute__((packed)) tight {
    char tag;
    int value;
    short pair[2] __attribute__((aligned(4)));
};

#pragma pack(push, 2)
struct pragma_packed {
    char a;
    double b;
};
#pragma pack(pop)

typedef int unaligned_int __attribute__((aligned(1), may_alias));
typedef float v4sf __attribute__((vector_size(16)));
typedef unsigned long word __attribute__((mode(word)));
typedef int callback(void *, size_t);

extern int counter, *pointer, table[][3];
int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
int counter = sizeof(struct tight) + sizeof(struct pragma_packed) + offsetof(struct tight, pair);
int *pointer = &table[1][2];
static const char *const names[] = {"one", "two" "and a half", [4] = "four"};
_Thread_local int per_thread = 3;
_Alignas(32) char buffer[7];
_Static_assert(sizeof(word) == sizeof(void *), "word");
static callback *callbacks[2];
int renamed(int) __asm__("other_name");
const volatile struct node *(*const resolver(int which))(callback *);

static int call(callback *f, void *p) { return f ? f(p, 3) : (*callbacks[0])(p, sizeof *callbacks); }

const volatile struct node *(*const resolver(int which))(callback *)
{
    (void)which;
    return 0;
}

int old_style(a, b, c)
    char a, *b;
    float c;
{
    return a + *b + (int)c;
}

int sum(int n, ...)
{
    va_list ap;
    int total = 0;
    va_start(ap, n);
    while (n-- > 0)
        total += va_arg(ap, int);
    va_end(ap);
    return total;
}

int lengths(int n, int m, int a[static n], int b[n][m + 1])
{
    int local[n * m], (*row)[m + 1] = b;
    return sizeof local + sizeof *row + a[n - 1] + row[0][m] + (int)sizeof(int[n][m]);
}

v4sf scale(v4sf v, float by) { return v * by + (v4sf){1, 2, 3, 4}; }

int load(const char *p) { return *(const unaligned_int *)p; }

int use(struct node *n, struct tight *t)
{
    n->low = 17;
    n->wide -= n->high;
    n->color = BLUE;
    t->value += n->bytes[1];
    return call(callbacks[1], n->name) + renamed(per_thread) + names[1][0] + buffer[2];
}
