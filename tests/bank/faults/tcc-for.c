int printf(const char *, ...);
int main(void) { int n = 0; for (int i = 0; i <= 3; i++) n++; printf("%d\n", n); return 0; }
