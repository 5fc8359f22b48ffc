/* Signals that the program raises, and leaving by quick_exit. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t seen;

static void note(int number)
{
    seen = number;
}

static void first(void)
{
    puts("first");
    fflush(stdout);
}

static void second(void)
{
    puts("second");
}

static void never(void)
{
    puts("never");
}

int main(void)
{
    printf("%d\n", signal(SIGUSR1, note) == SIG_DFL);
    raise(SIGUSR1);
    raise(SIGUSR1);
    printf("%d\n", seen == SIGUSR1);
    signal(SIGTERM, SIG_IGN);
    printf("%d\n", raise(SIGTERM));
    printf("%d\n", signal(SIGUSR1, SIG_DFL) == note);
    raise(SIGCHLD);
    at_quick_exit(first);
    at_quick_exit(second);
    atexit(never);
    quick_exit(0);
}
