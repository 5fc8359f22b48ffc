/* Variadic functions of the library that are called without a prototype (C11 6.5.2.2p6). */
#if CASE == 1
int printf();
#elif CASE == 2
int sprintf();
#elif CASE == 3
int printf(const char *, ...);
#endif
int puts();
int main(void)
{
    char text[10];
#if CASE == 2
    sprintf(text, "%d", 3);
    puts(text);
#elif CASE == 4
    text[0] = 'a';
    text[1] = 0;
    puts(text);
#else
    printf("%d\n", 3);
#endif
    return 0;
}
