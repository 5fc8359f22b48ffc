/* A bit-field narrower than int is promoted to int, even an unsigned one (C11 6.3.1.1p2), so
 * that a difference may be negative.  chibicc keeps it unsigned. */
int printf(const char *, ...);

static struct {
    unsigned low : 3;
    unsigned high : 5;
    int sign : 4;
} s = {2, 17, -3};

int main(void)
{
    int negative = s.low - 5 < 0;
    long wide = s.low - 5;
    printf("%d %ld %d %d\n", negative, wide, s.high > -1, s.sign * s.high);
    return 0;
}
