/* Whole messages over a socket.  Part of cupel, of the runner and of the compile server, so it
 * stands on the C library alone. */
#include "sys/protocol.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

bool wire_read(int fd, void *to, size_t n)
{
    for (char *p = to; n;) {
        ssize_t got = read(fd, p, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        n -= (size_t)got;
    }
    return true;
}

bool wire_write(int fd, const void *from, size_t n)
{
    for (const char *p = from; n;) {
        ssize_t put = send(fd, p, n, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        p += put;
        n -= (size_t)put;
    }
    return true;
}
