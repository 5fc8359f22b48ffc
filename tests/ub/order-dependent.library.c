/* What the library keeps from call to call: C11 7.1.4p4, 6.5.2.2p10. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void last(void)
{
    puts("last");
}

int main(void)
{
    setenv("NAME", "1", 1);
#if CASE == 1
    printf("%d %s\n", setenv("NAME", "2", 1), getenv("NAME"));
#elif CASE == 2
    fclose(fopen("own", "w"));
    printf("%d %d\n", rename("own", "other"), remove("other"));
#elif CASE == 3
    printf("%d %s\n", setenv("OTHER", "2", 1), getenv("NAME"));
    printf("%d\n", (signal(SIGINT, SIG_IGN) == SIG_DFL) + (signal(SIGTERM, SIG_IGN) == SIG_DFL));
#else
    fclose(fopen("own", "w"));
    printf("%d\n", (fclose(fopen("third", "w")) != 0) + rename("own", "other"));
    printf("%d %d\n", atexit(last), atexit(last)); /* one or the other first: it is the same */
    return remove("other");
#endif
    return 0;
}
