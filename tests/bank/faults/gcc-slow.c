int printf(const char *, ...);
volatile int x = 1;
int main(void) { int y; printf("%d\n", __builtin_add_overflow(x, 5, &y)); return 0; }
