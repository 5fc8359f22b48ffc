int printf(const char *, ...);
volatile int a = 2;
int main(void)
{
    switch (a) {
    case 0: printf("zero\n"); break;
    case 1: printf("one\n"); break;
    case 2: printf("two, and more\n"); return 0;
    case 3: printf("three\n"); break;
    case 4: return 4;
    case 5: printf("five\n"); return 5;
    }
    return 1;
}
