int printf(const char *, ...);
volatile unsigned long x = 100;
int main(void) { unsigned __int128 y = (unsigned __int128)x << 64; printf("%lx\n", (unsigned long)(y / (y - x))); return 0; }
