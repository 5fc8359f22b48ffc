int printf(const char *, ...);
volatile int x = 5;
int main(void) { printf("%d\n", -x); return 0; }
