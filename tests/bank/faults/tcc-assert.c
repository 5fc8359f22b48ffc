int printf(const char *, ...);
int x = 1, *p = &x, **p2 = &p;
int main(void) { printf("%d\n", **p2); return 0; }
