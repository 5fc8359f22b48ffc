/* The buffer of a stream lives as long as the stream is open (C11 7.21.5.6p2). */
#include <stdio.h>

static void give(FILE *f)
{
    char room[BUFSIZ];
    setbuf(f, room);
    if (CASE == 3) {
        fputs("text", f);
        fclose(f);
    }
}

int main(void)
{
    static char lasting[BUFSIZ];
    char room[BUFSIZ];
#if CASE == 1
    setbuf(stdout, room);
#elif CASE == 2
    give(stdout);
#elif CASE == 3
    give(tmpfile());
#else
    setbuf(stdout, lasting);
#endif
    puts("hello");
    (void)room;
    (void)lasting;
    return 0;
}
