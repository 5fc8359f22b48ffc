int printf(const char *, ...);
volatile char c = -1;
int main(void) { printf("%d\n", c < 0); return 0; }
