int printf(const char *, ...);
volatile int x = 1;
int main(void) { if (__builtin_expect(x, 0)) printf("%d\n", x); return 0; }
