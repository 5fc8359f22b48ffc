/* An allocation that fails: clang leaves one out whose object is never used, and takes it to have
 * succeeded. */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    size_t huge = (size_t)-1 / 2;
#if CASE == 1
    char *p = malloc(huge);
    printf("%d\n", p != NULL);
    free(p);
#elif CASE == 2
    int *p = calloc(huge, sizeof *p);
    puts(p ? "there is room" : "there is none");
#elif CASE == 3
    char *p = malloc(huge);
    free(p);
    puts("nothing depends on it");
#else
    char *p = malloc(huge >> 55);
    puts(p ? "there is room" : "there is none");
    free(p);
#endif
    return 0;
}
