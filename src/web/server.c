/* HTTP by libmicrohttpd: bounds, headers, who may ask, and server-sent events.  A thread for each
 * connection, of which there are a few dozen at most. */
#include "web/web.h"

#include "sys/sys.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    CONNECTIONS = 64,
    PER_ADDRESS = 32,
    TIMEOUT_SECONDS = 30,
    MEMORY = 64 << 10, /* of one connection: its request cannot be longer */
    MOST_PARAMETERS = 50
};
static const double news_every = 2;

struct server {
    const struct web_options *o;
    pthread_mutex_t lock;
    struct text news; /* what was told last, and when it was looked at */
    double looked;
    uint64_t edition; /* counts its changes */
};

/* ---- live ----------------------------------------------------------------------------------- */

struct listener {
    struct server *server;
    uint64_t edition; /* that it has been told */
    struct text waiting;
    size_t sent;
};

/* Looked at once for all who listen. */
static void look(struct server *s)
{
    struct text news = {0};
    if (s->looked > 0 && sys_now() - s->looked < news_every)
        return;
    web_put_news(s->o, &news);
    s->looked = sys_now();
    if (news.n != s->news.n || memcmp(text_str(&news), text_str(&s->news), news.n) != 0) {
        text_free(&s->news);
        s->news = news;
        s->edition++;
        return;
    }
    text_free(&news);
}

/* What is new, or a comment by which both ends see that the other is there. */
static void fetch(struct listener *l)
{
    struct server *s = l->server;
    pthread_mutex_lock(&s->lock);
    look(s);
    text_clear(&l->waiting);
    l->sent = 0;
    if (l->edition != s->edition)
        text_printf(&l->waiting, "data: %s\n\n", text_str(&s->news));
    else
        text_puts(&l->waiting, ":\n\n");
    l->edition = s->edition;
    pthread_mutex_unlock(&s->lock);
}

static ssize_t tell(void *context, uint64_t position, char *to, size_t room)
{
    struct listener *l = context;
    if (sys_cancelled())
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (l->sent == l->waiting.n) {
        if (position)
            sys_peers_wait(NULL, 0, news_every);
        fetch(l);
    }
    size_t n = l->waiting.n - l->sent;
    n = n < room ? n : room;
    memcpy(to, l->waiting.s + l->sent, n);
    l->sent += n;
    return (ssize_t)n;
}

static void forget_listener(void *context)
{
    struct listener *l = context;
    text_free(&l->waiting);
    free(l);
}

static struct MHD_Response *respond_live(struct server *s)
{
    enum { BLOCK = 1024 };
    struct listener *l = calloc(1, sizeof *l);
    if (!l)
        BUG("out of memory");
    l->server = s;
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, tell, l, forget_listener);
}

/* ---- a request ------------------------------------------------------------------------------ */

/* Takes as long for a wrong one as for the right one. */
static bool is_same_secret(const char *given, const char *token)
{
    size_t n = strlen(token), given_length = strlen(given);
    unsigned difference = given_length != n;
    for (size_t i = 0; i < n; i++)
        difference |= (unsigned)(token[i] ^ (i < given_length ? given[i] : 0));
    return difference == 0;
}

/* A browser sends it as a password, a script as a bearer's. */
static bool has_token(struct MHD_Connection *c, const char *token)
{
    const char *header = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Authorization");
    char *password = NULL;
    if (!token)
        return true;
    if (header && str_has_prefix(header, "Bearer "))
        return is_same_secret(header + strlen("Bearer "), token);
    char *user = MHD_basic_auth_get_username_password(c, &password);
    bool same = password && is_same_secret(password, token);
    MHD_free(user);
    MHD_free(password);
    return same;
}

struct parameters {
    struct arena arena;
    struct map *to;
};

static enum MHD_Result take_parameter(void *context, enum MHD_ValueKind kind, const char *name,
                                      const char *value)
{
    struct parameters *p = context;
    (void)kind;
    if (p->to->n < MOST_PARAMETERS && value)
        map_set(&p->arena, p->to, name, arena_string(&p->arena, value));
    return MHD_YES;
}

static void put_headers(struct MHD_Response *response, const struct web_response *w)
{
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
         "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cache-Control", "no-store"}};
    char disposition[100];
    for (size_t i = 0; i < LENGTH(headers); i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    MHD_add_response_header(response, "Content-Type", w->type);
    if (w->download) { /* a name of our own */
        snprintf(disposition, sizeof disposition, "attachment; filename=\"%s\"", w->download);
        MHD_add_response_header(response, "Content-Disposition", disposition);
    }
    if (w->status == MHD_HTTP_UNAUTHORIZED)
        MHD_add_response_header(response, "WWW-Authenticate", "Basic realm=\"cupel\"");
    if (w->status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, "Allow", "GET, HEAD");
}

static enum MHD_Result reply(struct server *s, struct MHD_Connection *c, struct web_response *w)
{
    struct MHD_Response *response = w->kind == WEB_LIVE ? respond_live(s)
                                                        : MHD_create_response_from_buffer(
                                                              w->body.n, (void *)text_str(&w->body),
                                                              MHD_RESPMEM_MUST_COPY);
    put_headers(response, w);
    enum MHD_Result result = MHD_queue_response(c, w->status, response);
    MHD_destroy_response(response);
    text_free(&w->body);
    return result;
}

/* A body is refused before it is read. */
static enum MHD_Result handle(void *context, struct MHD_Connection *c, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    struct server *s = context;
    struct web_request r = {.method = method, .path = path};
    struct parameters p = {.to = &r.query};
    struct web_response w;
    (void)version;
    (void)upload;
    (void)state;
    if (*upload_size) {
        *upload_size = 0;
        return MHD_NO;
    }
    r.host = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host");
    r.allowed = has_token(c, s->o->token);
    MHD_get_connection_values(c, MHD_GET_ARGUMENT_KIND, take_parameter, &p);
    web_answer(s->o, &r, &w);
    arena_free(&p.arena);
    return reply(s, c, &w);
}

/* ---- the server ----------------------------------------------------------------------------- */

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static bool parse_address(const char *text, uint16_t port, union address *out, bool *v6)
{
    memset(out, 0, sizeof *out);
    *v6 = strchr(text, ':') != NULL;
    if (*v6) {
        out->v6.sin6_family = AF_INET6;
        out->v6.sin6_port = htons(port);
        return inet_pton(AF_INET6, text, &out->v6.sin6_addr) == 1;
    }
    out->v4.sin_family = AF_INET;
    out->v4.sin_port = htons(port);
    return inet_pton(AF_INET, text, &out->v4.sin_addr) == 1;
}

bool web_is_loopback(const char *address)
{
    union address a;
    bool v6;
    if (!parse_address(address, 0, &a, &v6))
        return false;
    return v6 ? IN6_IS_ADDR_LOOPBACK(&a.v6.sin6_addr)
              : ntohl(a.v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

static struct MHD_Daemon *start(struct server *s, struct err *e)
{
    const struct web_options *o = s->o;
    union address a;
    bool v6;
    if (!parse_address(o->address, o->port, &a, &v6)) {
        fail(e, "'%s' is no IP address: --listen 127.0.0.1:8080", o->address);
        return NULL;
    }
    unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
                     MHD_USE_AUTO | (v6 ? MHD_USE_IPv6 : 0);
    struct MHD_Daemon *d = MHD_start_daemon(
        flags, o->port, NULL, NULL, handle, s, MHD_OPTION_SOCK_ADDR, &a.any,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        (unsigned)PER_ADDRESS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY, MHD_OPTION_END);
    if (!d)
        fail_errno(e, "cannot listen on %s:%u", o->address, o->port);
    return d;
}

static void tell_ready(const struct web_options *o, struct MHD_Daemon *d)
{
    char url[200];
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT);
    bool v6 = strchr(o->address, ':') != NULL;
    snprintf(url, sizeof url, "http://%s%s%s:%u/", v6 ? "[" : "", o->address, v6 ? "]" : "",
             info ? info->port : o->port);
    if (o->ready)
        o->ready(o->context, url);
}

bool web_serve(const struct web_options *o, struct err *e)
{
    static const double tick = 0.5;
    struct server s = {.o = o, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct MHD_Daemon *d = start(&s, e);
    if (!d)
        return false;
    tell_ready(o, d);
    while (!sys_cancelled())
        sys_peers_wait(NULL, 0, tick);
    MHD_stop_daemon(d);
    text_free(&s.news);
    return true;
}
