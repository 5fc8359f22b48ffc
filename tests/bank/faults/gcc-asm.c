int printf(const char *, ...);
volatile signed char c = -1;
volatile short s;
int main(void) { s = c; printf("%d\n", s); return 0; }
