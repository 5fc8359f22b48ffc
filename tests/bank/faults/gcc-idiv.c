int printf(const char *, ...);
volatile long a = -100, b = 7;
int main(void) { printf("%ld\n", a / b); return 0; }
