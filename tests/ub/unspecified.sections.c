/* Where sections begin and end, and in which order they hold what is put there. */
#include <stdio.h>
int a __attribute__((section("numbers"), used)) = 1, b __attribute__((section("numbers"), used)) = 2;
#if CASE == 1
extern int __start_numbers[], __stop_numbers[];
#elif CASE == 2
extern char first[] __asm__("__init_array_start"), last[] __asm__("__init_array_end");
#elif CASE == 4
int __start_numbers[1] = {7}; /* its own */
#endif
int main(void)
{
#if CASE == 1
    for (int *p = __start_numbers; p < __stop_numbers; p++)
        printf("%d\n", *p);
#elif CASE == 2
    printf("%d\n", last - first > 8);
#elif CASE == 4
    printf("%d\n", __start_numbers[0]);
#endif
    printf("%d\n", a + b);
    return 0;
}
