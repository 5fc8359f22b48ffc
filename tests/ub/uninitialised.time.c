/* Which members of a broken-down time are looked at (C11 7.27.3.5p3). */
#include <stdio.h>
#include <time.h>
int main(void)
{
    struct tm t;
    char text[40];
    t.tm_year = 100;
    t.tm_wday = 1;
#if CASE == 1
    strftime(text, sizeof text, "%Y %H", &t);
#elif CASE == 2
    t.tm_mon = 1;
    strftime(text, sizeof text, "%F", &t);
#elif CASE == 3
    strftime(text, sizeof text, "%Y %a%n%%", &t);
#else
    t.tm_hour = t.tm_min = t.tm_sec = 9;
    strftime(text, sizeof text, "%T %I %p %y", &t);
#endif
    puts(text);
    return 0;
}
