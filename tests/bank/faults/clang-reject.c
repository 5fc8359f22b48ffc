int printf(const char *, ...);
volatile int x = -1;
int main(void) { switch (x) { case -1: printf("minus\n"); } return 0; }
