/* Valid C that small compilers get wrong, found with programs of cupel gen:
 * chibicc leaves out what stands behind a bit-field that designators skip, does not extend the
 * sign of an enum, and truncates case labels of 64 bits; pcc takes the type of ?: to be signed. */
int printf(const char *, ...);

struct s {
    int a;
    int b : 5;
    long c;
};
struct s skipped = {.a = 1, .c = 3};

enum e { MINUS = -6, PLUS = 18 } number = MINUS;

long most = 9223372036854775807L;
unsigned long eight = 8;

int main(void)
{
    long widened = number + (short)0;
    printf("%ld %ld\n", skipped.c, widened);
    switch (most) {
    case 9223372036854775807L:
        printf("most\n");
        break;
    default:
        printf("other\n");
    }
    printf("%d\n", -15L > (eight ? 4 * sizeof(long) : 3));
    return 0;
}
