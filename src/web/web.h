/* web: a campaign in a browser, read-only.  Takes a campaign's folder or database, yields pages
 * that need no script, the JSON of `--json` under /api, and what changes as server-sent events.
 *
 * Nothing is written, nothing but the campaign is read, and no address leads to a file: a download
 * is made from the finding.  What programs and compilers printed is data, escaped everywhere. */
#ifndef WEB_WEB_H
#define WEB_WEB_H

#include "base/base.h"

struct web_options {
    const char *campaign;
    const char *address; /* an IP address */
    uint16_t port;       /* 0: any that is free */
    const char *token;   /* whoever asks must have it; NULL: nobody must */
    struct list names;   /* char *: further names under which we may be asked, without port */
    void (*ready)(void *context, const char *url);
    void *context;
};

/* Does only this machine reach the address? */
bool web_is_loopback(const char *address);
/* Until sys_cancelled. */
bool web_serve(const struct web_options *o, struct err *e);

/* ---- one request ----------------------------------------------------------------------- */

struct web_request {
    const char *method, *path; /* the path as it was decoded */
    const char *host;          /* header; NULL: there is none */
    struct map query;          /* name to value: char * */
    bool allowed;              /* the token was right */
};

enum web_kind { WEB_BODY, WEB_LIVE }; /* LIVE: goes on as server-sent events */

struct web_response {
    enum web_kind kind;
    unsigned status;
    const char *type;     /* of the content */
    const char *download; /* the file name to save it under; NULL: it is to be shown */
    struct text body;     /* the caller's to free */
};

/* What the request gets; whatever it says, there is an answer. */
void web_answer(const struct web_options *o, const struct web_request *r, struct web_response *out);
/* What is told live: one line of JSON. */
void web_put_news(const struct web_options *o, struct text *out);

#endif
