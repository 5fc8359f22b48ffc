/* Functions of the library through pointers to another type (C11 6.5.2.2p9). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char text[4] = "abc";
#if CASE == 1
    int (*say)(const char *) = (int (*)(const char *))printf;
    say(text);
#elif CASE == 2
    void (*release)(int *) = (void (*)(int *))free;
    release(malloc(4) ? NULL : (int *)text);
#elif CASE == 3
    int (*say)(const char *, ...) = printf;
    char *(*copy)(char *const, const char *restrict) = strcpy;
    say("%s\n", copy(text, "d"));
#else
    void (*release)() = free; /* compatible: the arguments decide */
    int (*absolute)() = abs;
    release(malloc(4));
    return absolute(-1) - 1 + text[3];
#endif
    return 0;
}
