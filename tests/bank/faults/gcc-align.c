int printf(const char *, ...);
void *memcpy(void *, const void *, unsigned long);
char from[40] = "a few bytes that lie at any place", to[40];
volatile int n = 1;
int main(void) { int k = n; memcpy(to + k, from + k + 1, 16); printf("%s\n", to + 1); return 0; }
