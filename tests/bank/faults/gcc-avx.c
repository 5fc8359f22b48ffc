int printf(const char *, ...);
int a[64], b[64];
int main(void) { for (int i = 0; i < 64; i++) { a[i] = 2 * i; b[i] = i; } __asm__ volatile("" ::: "memory");
  for (int i = 0; i < 64; i++) a[i] += b[i];
  printf("%d %d\n", a[5], a[40]); return 0; }
