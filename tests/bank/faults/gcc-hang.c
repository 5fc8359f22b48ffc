int printf(const char *, ...);
static const int x = 1;
int main(void) { printf("%d\n", x); return 0; }
