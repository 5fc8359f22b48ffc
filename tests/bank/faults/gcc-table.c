int printf(const char *, ...);
volatile int a = 3, b = 4;
int main(void) {
  int x = a, y = b;
  switch (x) {
  case 0: y = y * x; break; case 1: y = 12; break; case 2: printf("two\n"); break;
  case 3: y = y * x; printf("three\n"); break; case 4: y -= x; break; case 5: y += x; break;
  case 6: printf("six\n"); break;
  }
  printf("%d\n", y * x); return 0; }
