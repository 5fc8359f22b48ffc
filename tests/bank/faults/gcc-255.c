int printf(const char *, ...);
volatile int x = 0;
int main(void) { x = 255; printf("%d\n", x); return 0; }
