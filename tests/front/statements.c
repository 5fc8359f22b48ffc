/* Statements and expressions of every kind; the round trip must keep each. */
int printf(const char *, ...);
static volatile int sink;

static int control(int n)
{
    int total = 0;
    for (int i = 0, j = n; i < j; i++, j--) {
        if (i & 1)
            if (j & 2)
                total++;
            else
                total--;
        else if (i == 4)
            continue;
        switch (i) {
        case 0:
        case 2 ... 3:
            total += 2;
            __attribute__((fallthrough));
        case -1:
            do
                total ^= i;
            while (total < 0 && ++total);
            break;
        default:
            while (1) {
                if (total-- <= 0)
                    goto out;
                break;
            }
        }
    }
    if (n) {
        if (n > 3)
            total = 1;
    } else
        total = 2;
out:
    return total;
}

static int duff(const char *from, int n)
{
    int sum = 0;
    switch (n % 4)
    case 0:
        do {
            sum += *from++;
    case 3:
            sum += *from++;
    case 2:
            sum += *from++;
    case 1:
            sum += *from++;
        } while ((n -= 4) > 0);
    return sum;
}

static int computed(int i)
{
    static void *const targets[] = {&&zero, &&one, &&two};
    goto *targets[i % 3];
zero:
    return 10;
one:
    i++;
two:
    return i;
}

static unsigned operators(int a, unsigned b, long c, unsigned char d, double e)
{
    unsigned r = a + b * c - d / (a | 1) % 7;
    r ^= a << (d & 7) | b >> 3 & ~c;
    r += - -a + +a - (-a) + !b + (a, b) + (a ? b : c) + (a ?: d);
    r -= a == b || c != d && e < 2.5 || !(a <= c) == (b >= d);
    r *= sizeof(a) + sizeof a + _Alignof(long) + __alignof__(e);
    a += d, d <<= 1, c -= e, e *= a;
    r += (unsigned)(short)a + (unsigned char)e + (_Bool)c + d++ - --d + a-- + ++b;
    r += ({
        int inner = r > 3 ? 1 : 2;
        inner *inner;
    });
    r += *&a + (&a)[0] + 0 [&a] + "abc"[a & 1] + *"xyz" + 'q' + L'w' + '\377';
    r += __builtin_expect(a, 0) + __builtin_popcount(b) + __builtin_choose_expr(1, a, "no");
    r += _Generic(e, float: 1, double: 2, default: 3) + __builtin_types_compatible_p(int, long);
    __asm__ volatile("" : "+r"(r) : "g"(a) : "memory");
    return r;
}

struct pair {
    int x, y;
};

static struct pair swap(struct pair p) { return (struct pair){.y = p.x, .x = p.y}; }

int main(void)
{
    __auto_type big = 0x123456789abcLL;
    __typeof__(big) other = 1e3 + 0x1.8p1 + .5f + 07 + 0b11;
    int (*f)(int) = control;
    struct pair p = swap((struct pair){1, 2}), *q = &p;
    sink = f(7) + (*f)(3) + (**control)(2) + duff("duff's device", 13) + computed(4);
    sink += operators(1, 2, 3, 4, 5.5) + q->x + swap(p).y + (&p)->y;
    printf("%d %s \"%c\"\n\t\\ ??/ %lld\n", sink, __func__, '"', big + other);
    return sink ? 0 : 1;
}
