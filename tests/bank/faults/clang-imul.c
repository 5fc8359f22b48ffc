int printf(const char *, ...);
volatile int x = 5;
int main(void) { printf("%d\n", x * 100); return 0; }
