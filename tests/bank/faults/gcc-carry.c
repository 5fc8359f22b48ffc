int printf(const char *, ...);
volatile unsigned long a = -1ul, b = 1;
int main(void) { unsigned __int128 x = (unsigned __int128)a << 64 | a; x += (unsigned __int128)b << 64 | b; printf("%lx %lx\n", (unsigned long)(x >> 64), (unsigned long)x); return 0; }
