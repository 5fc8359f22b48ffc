int printf(const char *, ...);
struct s { long a[40]; } x = {{1}}, y;
int main(void) { x.a[39] = 7; __asm__ volatile("" ::: "memory"); y = x; __asm__ volatile("" ::: "memory"); printf("%ld\n", y.a[39]); return 0; }
