/* Signals that the program raises, and leaving by quick_exit. */
#include <assert.h>
#include <setjmp.h>
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

static jmp_buf after;

static void leave(int s)
{
    longjmp(after, s);
}

int main(void)
{
    signal(SIGABRT, leave);
    int why = setjmp(after);
    if (!why)
        assert(seen == 1 && "is told by abort, which raises SIGABRT");
    printf("%d\n", why == SIGABRT);
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
