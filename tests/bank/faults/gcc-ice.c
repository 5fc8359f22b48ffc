int printf(const char *, ...);
volatile unsigned x = 1;
int main(void) { printf("%x\n", __builtin_bswap32(x)); return 0; }
