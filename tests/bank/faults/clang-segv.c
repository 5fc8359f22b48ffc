int printf(const char *, ...);
volatile unsigned x = 1;
int main(void) { printf("%x\n", __builtin_clz(x)); return 0; }
