int printf(const char *, ...);
enum e { E = 1 };
volatile enum e v = 300;
int main(void) { printf("%d\n", (int)v); return 0; }
