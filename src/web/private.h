/* Private to web: what its pages share. */
#ifndef WEB_PRIVATE_H
#define WEB_PRIVATE_H

#include "web/web.h"

#include "hunt/hunt.h"
#include "report/report.h"

/* A request on its way to an answer. */
struct visit {
    const struct web_options *o;
    const struct web_request *r;
    struct web_response *out;
    struct arena arena;
    const char *rest; /* of the path, after the route's own part */
};

/* The value of a parameter; "" when there is none. */
const char *visit_query(const struct visit *v, const char *name);
/* A page that says what went wrong. */
void visit_fail(struct visit *v, unsigned status, const char *why);

/* Head and foot of every page. */
void page_begin(struct visit *v, const char *title);
void page_end(struct visit *v);
void page_put(struct visit *v, const char *html);   /* ours, as it is */
void page_put_text(struct visit *v, const char *s); /* anybody's, escaped */
/* A part of an address, after ? or =. */
void page_put_parameter(struct visit *v, const char *s);

/* Each route of route.def. */
typedef void route_fn(struct visit *v);
#define ROUTE(id, prefix, exact) route_fn route_##id;
#include "web/route.def"

extern const char web_script[], web_style[];

#endif
