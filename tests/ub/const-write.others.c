/* Compound literals that are const, and what the library keeps. */
#include <string.h>
int main(void)
{
#if CASE == 1
    *(int *)&(const int){5} = 6;
#elif CASE == 2
    strerror(2)[0] = 'x';
#elif CASE == 3
    for (int i = 0; i < 2; i++)
        if (*(const int *)&(const int){i} != i)
            return 1;
#else
    *&(int){5} = 6;
    return strerror(2)[0] != 'N';
#endif
    return 0;
}
