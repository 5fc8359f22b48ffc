/* The guilty pass: the ways of method.def, one after the other, until one of them names a culprit.
 */
#include "triage/private.h"

#include <string.h>

struct method {
    const char *name, *family;
    blame_fn *blame;
};

static const struct method methods[METHOD_COUNT] = {
    [METHOD_NONE] = {"", NULL, NULL},
#define METHOD(id, name, family) [METHOD_##id] = {name, family, blame_##id},
#include "triage/method.def"
};

const char *triage_method_name(enum triage_method m)
{
    return methods[m].name;
}

enum triage_method triage_method_named(const char *name)
{
    for (size_t i = 1; i < METHOD_COUNT; i++)
        if (strcmp(methods[i].name, name) == 0)
            return (enum triage_method)i;
    return METHOD_NONE;
}

/* A compiler of an unknown name may be anything. */
static bool is_for(const struct method *m, const struct cc_config *config)
{
    enum cc_family family;
    return !m->family || !cc_family_of(config->argv[0], &family) ||
           strcmp(cc_family_name(family), m->family) == 0;
}

bool triage_can_ask(const struct cc_config *config)
{
    enum cc_family family;
    bool can = false;
    for (size_t i = 1; i < METHOD_COUNT && cc_family_of(config->argv[0], &family); i++)
        can |= methods[i].family && is_for(&methods[i], config);
    return can;
}

bool triage_blame(const struct triage_job *job, struct arena *a, struct triage_blame *out,
                  struct err *e)
{
    struct triage_job bounded = *job;
    struct search s = {.job = &bounded, .a = a, .e = e, .out = out};
    double start = sys_now();
    if (!bounded.most)
        bounded.most = TRIAGE_MOST;
    *out = (struct triage_blame){.pass = "", .detail = "", .switches = ""};
    for (size_t i = 1; i < METHOD_COUNT && !*out->pass && !s.failed; i++)
        if (is_for(&methods[i], job->claim->config)) {
            methods[i].blame(&s);
            out->method = *out->pass ? (enum triage_method)i : METHOD_NONE;
        }
    out->seconds = sys_now() - start;
    return !s.failed;
}

bool triage_find_worker(const struct triage_job *job, struct arena *a, struct triage_blame *out,
                        struct err *e)
{
    if (job->claim->verdict != VERDICT_MISSED || !job->claim->reached)
        BUG("a pass is responsible for better code only");
    return triage_blame(job, a, out, e);
}
