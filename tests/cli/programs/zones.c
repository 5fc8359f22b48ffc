/* Time in zones that the program sets: members that glibc adds, too. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static void show(const struct tm *t)
{
    printf("%d-%02d-%02d %02d:%02d:%02d %d %d %d %ld %s\n", t->tm_year + 1900, t->tm_mon + 1,
           t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec, t->tm_wday, t->tm_yday, t->tm_isdst,
           t->tm_gmtoff, t->tm_zone);
}
int main(void)
{
    time_t t = 1000000000;
    show(gmtime(&t));
    const char *const zones[] = {"EST5",         "CET-1",       "UTC0", "",
                                 "<+0330>-3:30", "ABC+1:02:03", "GMT0"};
    for (int i = 0; i < 7; i++) {
        setenv("TZ", zones[i], 1);
        struct tm *l = localtime(&t), c = *l;
        show(l);
        printf("%ld\n", (long)mktime(&c) - t);
        c.tm_mday += 40;
        c.tm_hour -= 100;
        printf("%ld\n", (long)mktime(&c) - t);
        show(&c);
        printf("%s", ctime(&t));
        struct tm r;
        localtime_r(&t, &r);
        show(&r);
    }
    struct tm g = {.tm_year = 70, .tm_mday = 1};
    printf("%ld\n", (long)timegm(&g));
    show(&g);
    return 0;
}
