int printf(const char *, ...);
volatile int x = -8;
int main(void) { printf("%d\n", x >> 1); return 0; }
