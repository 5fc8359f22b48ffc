int printf(const char *, ...);
volatile int a = 3, b = 4;
int main(void) { int x = a, y = b; printf("%d\n", x > y ? x : y); return 0; }
