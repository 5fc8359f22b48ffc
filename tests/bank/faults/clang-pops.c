int printf(const char *, ...);
volatile int a = 3;
__attribute__((noinline)) static int twice(int x, int y) { printf("%d\n", x); printf("%d\n", y); return x + y; }
int main(void) { int x = a, y = a + 1; int z = twice(x, y); printf("%d %d %d\n", x, y, z); return 0; }
