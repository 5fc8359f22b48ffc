int printf(const char *, ...);
volatile int a = 3, b = 5;
int main(void) { printf("%d\n", a | b); return 0; }
