/* Mutated HTTP requests for `cupel serve`, over real sockets to the real server in this process,
 * which is built with ASan and UBSan.  web CAMPAIGN COUNT SEED.  Says how many requests got which
 * status, and why the others got none.  Exit status: 0 it lives and answers, 1 it does not, or
 * left a whole request without an answer, or called a request's fault its own (a 5xx other than
 * 505); a crash is the sanitizer's to tell. */
#include "web/web.h"

#include "sys/sys.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *const seeds[] = {
    "GET /style.css HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /live.js HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept: */*\r\nConnection: close\r\n\r\n",
    "HEAD /nothing HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
    "GET /file/1/../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /file/1/%2e%2e%2f%00passwd HTTP/1.1\r\nHost: localhost\r\nCookie: a=b\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
    "PUT /bug/1 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
    "chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "GET /bugs?verdict=wrong-code&q=%3Cscript%3E&page=0 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "GET / HTTP/1.0\r\nHost: localhost\r\nAuthorization: Basic bWU6c2VjcmV0\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \r\n\r\n"};
/* Those that read the campaign take a hundred times as long. */
static const char *const costly[] = {
    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /bugs?verdict=a&compiler=b&grade=c&strategy=d&q=e&page=18446744073709551615 HTTP/1.1\r\n"
    "Host: localhost\r\n\r\n",
    "GET /bug/1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /bug/18446744073709551616 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /file/1/program.c HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-5\r\n\r\n",
    "GET /api/list?all=1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /api/show/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static unsigned port;

static void note_port(void *context, const char *url)
{
    (void)context;
    pthread_mutex_lock(&lock);
    port = (unsigned)atoi(strrchr(url, ':') + 1);
    pthread_cond_signal(&started);
    pthread_mutex_unlock(&lock);
}

static void *serve(void *options)
{
    struct err e;
    if (!web_serve(options, &e)) {
        fprintf(stderr, "web: %s\n", e.msg);
        exit(1);
    }
    return NULL;
}

/* ---- requests ------------------------------------------------------------------------------- */

static void mutate(struct rng *r, struct text *t)
{
    static const char *const words[] = {"\r\n", "%00", "../",  "\0",   "?",    "&&=", "Host: ",
                                        "%",    "/",   "\x80", "HTTP", "9999", ":",   "[[]"};
    size_t at = t->n ? rng_below(r, t->n) : 0;
    uint64_t how = rng_below(r, 5);
    struct text out = {0};
    text_add(&out, t->s, at);
    if (how == 0) {
        text_putc(&out, (char)rng_next(r));
    } else if (how == 1) {
        text_puts(&out, words[rng_below(r, LENGTH(words))]);
    } else if (how == 2) {
        for (uint64_t n = rng_below(r, 3000); n; n--)
            text_putc(&out, (char)('a' + n % 26));
    } else if (how == 3) {
        size_t length = rng_below(r, t->n - at + 1);
        text_add(&out, t->s + at, length);
        text_add(&out, t->s + at, length);
    }
    size_t skip = how == 4 ? rng_below(r, t->n - at + 1) : how == 0;
    text_add(&out, t->s + at + skip, t->n - at - skip);
    text_free(t);
    *t = out;
}

static int dial(double seconds)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval patience = {.tv_sec = (time_t)seconds,
                               .tv_usec = (suseconds_t)(1e6 * (seconds - (double)(long)seconds))};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
        return fd;
    close(fd);
    return -1;
}

/* What became of a request. */
enum end {
    END_ANSWERED,
    END_UNFINISHED, /* no first line of three words, or no end of its head, when we hung up */
    END_CLOSED,     /* the server hung up on a whole one */
    END_LATE,       /* it was still busy when we hung up */
    END_COUNT
};
static const char *const end_names[] = {"answered", "no whole request, so not answered",
                                        "closed without an answer", "not answered in time"};

/* METHOD PATH VERSION, and later a blank line, however lines end. */
static bool is_request(const struct text *request)
{
    const char *line = request->s + strspn(text_str(request), "\r\n");
    size_t word = strcspn(line, " \t\r\n");
    const char *path = line + word + strspn(line + word, " \t");
    char after = path[strcspn(path, " \t\r\n")];
    if (!word || path == line + word || (after != ' ' && after != '\t'))
        return false;
    return memmem(request->s, request->n, "\n\r\n", 3) || memmem(request->s, request->n, "\n\n", 2);
}

/* The first bytes of the answer; what is left open is closed by us. */
static enum end ask(const struct text *request, double patience, char *answer, size_t room)
{
    int fd = dial(patience);
    ssize_t n = -1;
    answer[0] = 0;
    if (fd < 0)
        return END_LATE;
    errno = 0;
    if (send(fd, request->s, request->n, MSG_NOSIGNAL) >= 0) {
        shutdown(fd, SHUT_WR);
        n = recv(fd, answer, room - 1, 0);
    }
    bool late = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    close(fd);
    answer[n > 0 ? n : 0] = 0;
    return n > 0                 ? END_ANSWERED
           : late                ? END_LATE
           : is_request(request) ? END_CLOSED
                                 : END_UNFINISHED;
}

static void make_request(struct rng *r, struct text *t)
{
    enum { ONE_IN = 50, MOST_CHANGES = 4 };
    const char *seed = rng_below(r, ONE_IN) ? seeds[rng_below(r, LENGTH(seeds))]
                                            : costly[rng_below(r, LENGTH(costly))];
    text_puts(t, seed);
    for (uint64_t n = 1 + rng_below(r, MOST_CHANGES); n && t->n; n--)
        mutate(r, t);
}

/* Does it still answer what is asked properly? */
static bool lives(void)
{
    struct text t = {0};
    char answer[200];
    bool ok = false;
    text_puts(&t, seeds[0]);
    for (int i = 0; i < 200 && !ok; i++)
        ok = ask(&t, 1, answer, sizeof answer) == END_ANSWERED &&
             str_has_prefix(answer, "HTTP/1.1 200");
    text_free(&t);
    return ok;
}

struct tally {
    uint64_t status[600], ends[END_COUNT];
};

/* What was not answered at once is given time: a server that is busy is none that is dead. */
static void try_request(const struct text *request, struct tally *t)
{
    static const double hasty = 0.02, patient = 5;
    char answer[200];
    enum end end = ask(request, hasty, answer, sizeof answer);
    if (end == END_LATE)
        end = ask(request, patient, answer, sizeof answer);
    t->ends[end]++;
    unsigned status = end == END_ANSWERED && strlen(answer) > 12 &&
                              str_has_prefix(answer, "HTTP/1.")
                          ? (unsigned)strtoul(answer + 9, NULL, 10)
                          : 0;
    if (end == END_ANSWERED)
        t->status[status < LENGTH(t->status) ? status : 0]++;
    if (end == END_CLOSED && t->ends[END_CLOSED] <= 3)
        fprintf(stderr, "closed: %.300s\n", text_str(request));
}

/* True when no fault of a request's was called the server's. */
static bool print_tally(const struct tally *t)
{
    enum { SERVER = 500, VERSION = 505 }; /* 505: that version of HTTP is not spoken here */
    bool ok = true;
    for (size_t i = 0; i < LENGTH(t->status); i++) {
        if (t->status[i])
            printf("%6llu got %zu\n", (unsigned long long)t->status[i], i);
        ok &= !t->status[i] || i < SERVER || i == VERSION;
    }
    for (size_t i = 1; i < END_COUNT; i++)
        printf("%6llu %s\n", (unsigned long long)t->ends[i], end_names[i]);
    return ok && !t->ends[END_CLOSED] && !t->ends[END_LATE];
}

int main(int argc, char **argv)
{
    struct web_options o = {.address = "127.0.0.1", .token = NULL, .ready = note_port};
    pthread_t server;
    static struct tally tally;
    uint64_t count, seed;
    struct err e;
    if (argc != 4 || !str_parse_uint(argv[2], INT64_MAX, &count, &e) ||
        !str_parse_uint(argv[3], INT64_MAX, &seed, &e))
        return 2;
    o.campaign = argv[1];
    pthread_create(&server, NULL, serve, &o);
    pthread_mutex_lock(&lock);
    while (!port)
        pthread_cond_wait(&started, &lock);
    pthread_mutex_unlock(&lock);
    struct rng r = rng_seed(seed);
    for (uint64_t i = 0; i < count; i++) {
        struct text t = {0};
        make_request(&r, &t);
        try_request(&t, &tally);
        text_free(&t);
        if (i % 1000 == 999 && !lives())
            return 1;
    }
    bool ok = print_tally(&tally) && lives();
    sys_cancel(SIGTERM);
    pthread_join(server, NULL);
    return ok ? 0 : 1;
}
