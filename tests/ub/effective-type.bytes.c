/* Allocated memory that had a type, and was written by characters since (C11 6.5p6). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *p = malloc(2 * sizeof *p);
    unsigned char *bytes = (unsigned char *)p, from[] = {1, 2, 3, 4};
    short *s = (short *)p;
    int n = 7;
    *p = 5;
#if CASE == 1
    bytes[4] = 1;
    printf("%d\n", *s);
#elif CASE == 2
    bytes[0] = bytes[1] = 1;
    memcpy(bytes, &n, sizeof n);
    printf("%d\n", *s);
#elif CASE == 3
    for (int i = 0; i < 2; i++)
        bytes[i] = (unsigned char)(i + 1);
    printf("%d %d\n", *s, bytes[2]);
#else
    memcpy(bytes, &n, sizeof n);
    memcpy(bytes, from, sizeof from);
    printf("%d\n", s[0] + s[1]);
#endif
    free(p);
    return 0;
}
