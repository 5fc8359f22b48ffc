int printf(const char *, ...);
volatile signed char c = -3;
int main(void) { printf("%d\n", c); return 0; }
