int printf(const char *, ...);
volatile unsigned a = 3, b = 3;
int main(void) { printf("%d\n", a < b); return 0; }
