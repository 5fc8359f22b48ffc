/* Errands: what a person asks about a finding goes to a node that has the compiler.  Here is the
 * node's side of it, a coordinator that hands them to its workers before anything else; elsewhere.c
 * is that of whoever asks.  An answer is written once, by the node that has the errand. */
#include "hunt/campaign.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is said ------------------------------------------------------------------------ */

static const char *const kinds[] = {[ERRAND_RECHECK] = "recheck", [ERRAND_TRIAGE] = "triage"};

const char *errand_kind_name(enum errand_kind k)
{
    return kinds[k];
}

/* Of a newer cupel's kinds we know nothing. */
static bool find_kind(const char *name, enum errand_kind *out)
{
    for (size_t i = 0; i < LENGTH(kinds); i++)
        if (strcmp(kinds[i], name) == 0) {
            *out = (enum errand_kind)i;
            return true;
        }
    return false;
}

static const char *name_of_state(unsigned s)
{
    return recheck_state_name((enum recheck_state)s);
}

static const struct record_names states = {name_of_state, RECHECK_UNCLEAR + 1, RECHECK_UNCLEAR};

static const struct record_field reply_fields[] = {
    {.key = "state",
     .kind = RECORD_NAMED,
     .names = &states,
     .offset = offsetof(struct errand_reply, state)},
    RECORD_FIELD(struct errand_reply, note, RECORD_STRING, "note"),
};
const struct record_layout errand_reply_record = RECORD_OF(reply_fields);

static char *reply_to_text(struct arena *a, const struct errand_reply *r)
{
    json_t *j = json_object();
    record_to_json(&errand_reply_record, r, j);
    char *text = json_dumps(j, JSON_COMPACT);
    char *copy = arena_string(a, text ? text : "{}");
    free(text);
    json_decref(j);
    return copy;
}

void errand_reply_from_text(struct arena *a, const char *text, struct errand_reply *out)
{
    json_t *j = json_loads(text, JSON_ALLOW_NUL, NULL);
    *out = (struct errand_reply){.state = RECHECK_UNCLEAR, .note = ""};
    if (json_is_object(j))
        record_from_json(&errand_reply_record, a, j, out);
    json_decref(j);
}

/* ---- the node's side ----------------------------------------------------------------------- */

struct answer {
    uint64_t id;
    const struct errand_reply *reply;
};

static bool write_answer(struct campaign *c, void *what, struct err *e)
{
    struct arena a = {0};
    const struct answer *x = what;
    bool ok = store_answer_errand(c->store, &c->node, x->id, reply_to_text(&a, x->reply), e);
    arena_free(&a);
    return ok;
}

bool errand_answer(struct campaign *c, struct hand *h, const struct errand_reply *r, struct err *e)
{
    struct answer answer = {h->errand, r};
    h->errand = 0;
    return database_do(c, write_answer, &answer, e);
}

struct asked {
    struct arena *arena; /* for its words */
    struct store_errand errand;
};

static bool lease(struct campaign *c, void *what, struct err *e)
{
    struct asked *asked = what;
    return store_lease_errand(c->store, asked->arena, &c->node, &asked->errand, e);
}

/* The finding that it is about, in the hand's arena. */
static bool read_subject(struct campaign *c, struct hand *h, const struct store_errand *errand,
                         struct message *m)
{
    enum errand_kind kind;
    const char *detail = store_detail(c->store, &h->arena, errand->finding);
    if (!find_kind(errand->kind, &kind) || !detail ||
        !finding_from_text(&h->arena, detail, &m->finding))
        return false;
    m->finding.id = errand->finding;
    m->type = kind == ERRAND_RECHECK ? MESSAGE_RECHECK : MESSAGE_NAME;
    m->command = arena_string(&h->arena, errand->command);
    h->reducing = kind == ERRAND_TRIAGE ? errand->finding : 0;
    return true;
}

bool errand_give(struct campaign *c, struct hand *h, struct message *m, struct err *e)
{
    static const double every = 1;
    static const struct errand_reply lost = {RECHECK_UNCLEAR, "the finding cannot be read there"};
    struct asked asked = {.arena = &h->arena};
    m->type = MESSAGE_FAILED;
    if (!campaign_is_shared(c) || sys_now() - c->last_errand < every)
        return true;
    arena_reset(&h->arena);
    if (!database_do(c, lease, &asked, e))
        return false;
    h->errand = asked.errand.id;
    if (!h->errand) {
        c->last_errand = sys_now();
        return true;
    }
    return read_subject(c, h, &asked.errand, m) || errand_answer(c, h, &lost, e);
}
