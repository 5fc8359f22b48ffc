int printf(const char *, ...);
volatile double z;
int main(void) { double n = z / z; printf("%d\n", n != n); return 0; }
