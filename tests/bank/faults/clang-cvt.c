int printf(const char *, ...);
volatile double d = 2.75;
int main(void) { printf("%d\n", (int)d); return 0; }
