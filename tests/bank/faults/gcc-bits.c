int printf(const char *, ...);
struct { unsigned a : 3, b : 5; } s;
volatile unsigned x = 9;
int main(void) { s.b = x; __asm__ volatile("" ::: "memory"); printf("%d\n", s.b); return 0; }
