/* What must have happened before, and numbers that do not fit. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void again(void) { exit(1); }
static void once(void) { puts("end"); }
int main(void)
{
    char s[] = "a b";
#if CASE == 1
    return strtok(0, " ") != 0 || atoi("99999999999");
#elif CASE == 2
    atexit(again);
    exit(0);
#elif CASE == 3
    atexit(once);
    strtok(s, " ");
    return strtok(0, " ") != s + 2 || strtok(0, " ") || strtok(0, " ") || atoi("-2147483648") > 0;
#else
    fclose(stdin);
    return !isalpha((unsigned char)'a') || isdigit(EOF);
#endif
}
