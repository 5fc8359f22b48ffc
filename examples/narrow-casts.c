/* Conversions between narrow types: each operand is first converted to its own type, then
 * promoted to int (C11 6.3.1.1p2, 6.3.1.3).  tcc 0.9.27 drops one of the conversions. */
int printf(const char *, ...);

static signed char minus_one = -1;
static unsigned u = 0x99999999u;

int main(void)
{
    int a = (unsigned short)minus_one ^ (signed char)0x99;
    int b = (unsigned short)minus_one ^ (signed char)u;
    int c = (unsigned char)minus_one - (unsigned short)minus_one;
    int d = (short)(unsigned char)minus_one;
    printf("%d %d %d %d\n", a, b, c, d);
    return 0;
}
