/* Functions that read one array and write another, which may not overlap (C11 7.21.6.7p2, 7.22.8p1,
 * 7.27.3.5p3, 7.29.4). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
int main(void)
{
    char text[32] = "abc def";
    wchar_t wide[8] = L"abc";
    struct tm t = {.tm_year = 100};
#if CASE == 1
    return sscanf(text, "%*s %s", text) != 1;
#elif CASE == 2
    return wcstombs((char *)wide, wide, 4) != 3;
#elif CASE == 3
    char format[] = "%Y";
    return sscanf(text, "%*s %s", text + 8) != 1 || strftime(text, 5, format, &t) != 4;
#else
    return wcstombs((char *)(wide + 4), wide, 4) != 3 ||
           memccpy(text + 2, text, 'b', 8) != text + 4;
#endif
}
