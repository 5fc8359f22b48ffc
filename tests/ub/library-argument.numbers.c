/* Numbers that cannot be represented (C11 7.22.1p1), and those that are only small. */
#include <locale.h>
#include <stdlib.h>
int main(void)
{
#if CASE == 1
    return atof("-1e999") > 0;
#elif CASE == 2
    return atol("9223372036854775808") > 0;
#elif CASE == 3
    return atof("1e-310") <= 0 || atof("1e-999") != 0 || atof("inf") < 1;
#else
    return strtod("1e999", NULL) < 1 || setlocale(99, "C") || !setlocale(LC_TIME, "C");
#endif
}
