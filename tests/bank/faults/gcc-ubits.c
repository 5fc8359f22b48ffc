int printf(const char *, ...);
volatile struct { int b : 3; } s;
int main(void) { s.b = -1; printf("%d\n", s.b); return 0; }
