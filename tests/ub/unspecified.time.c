/* What time it is, where, and how long something took. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void)
{
    struct timespec t;
#if CASE == 1
    srand((unsigned)time(NULL));
    printf("%d\n", rand() % 100);
#elif CASE == 2
    time_t at = 0;
    clock_gettime(CLOCK_MONOTONIC, &t);
    printf("%d %ld\n", localtime(&at)->tm_hour, t.tv_nsec);
#elif CASE == 3
    time_t then = time(NULL);
    srand(7);
    printf("%d %d\n", time(NULL) >= then, rand() % 100);
#else
    time_t at = 0;
    clock_t c = clock();
    int r = clock_gettime(CLOCK_REALTIME, &t);
    printf("%d %d %d\n", gmtime(&at)->tm_hour, c <= clock(), r == 0 && t.tv_nsec < 1000000000);
#endif
    return 0;
}
