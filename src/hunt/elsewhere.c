/* What a person asks about findings whose compiler this machine has not: it is written into the
 * database as an errand, a node that has the compiler does it, and we wait for the answer.  Takes a
 * campaign; asks nobody about one that is a folder, or about a compiler that is here. */
#include "hunt/private.h"

#include <string.h>

bool elsewhere_open(struct elsewhere *x, const char *dir, struct err *e)
{
    struct conf conf;
    *x = (struct elsewhere){0};
    x->site = site_of(&x->arena, dir);
    if (x->site.dir)
        return true;
    x->store = site_open(&x->site, STORE_WRITE, NULL, e);
    if (!x->store || !site_read_conf(&x->arena, &x->site, x->store, &conf, e) ||
        !store_compilers(x->store, &x->arena, &x->compilers, &x->n, e))
        return false;
    x->lease = conf.lease;
    return true;
}

void elsewhere_close(struct elsewhere *x)
{
    for (size_t i = 0; x->store && i < x->asked.n; i++)
        store_drop_errand(x->store, *(uint64_t *)x->asked.at[i], NULL);
    store_close(x->store);
    arena_free(&x->arena);
}

/* ---- where it is --------------------------------------------------------------------------- */

static const char *first_word(struct arena *a, const char *command)
{
    char **words = str_split_command(a, command, NULL);
    return words && words[0] ? words[0] : "";
}

static bool is_here(struct elsewhere *x, const char *command, const char *hash)
{
    const char *known = map_get(&x->hashes, command);
    if (!known && sys_find_program(&x->arena, command))
        map_set(&x->arena, &x->hashes, command,
                (void *)(known = kit_file_hash(&x->arena, command)));
    return known && strcmp(known, hash) == 0;
}

static const struct store_compiler *find_id(const struct elsewhere *x, const char *id)
{
    for (size_t i = 0; i < x->n; i++)
        if (strcmp(x->compilers[i].id, id) == 0)
            return &x->compilers[i];
    return NULL;
}

/* One of that name that somebody has. */
static const struct store_compiler *find_name(const struct elsewhere *x, const char *name)
{
    for (size_t i = 0; i < x->n; i++)
        if (strcmp(x->compilers[i].name, name) == 0 && *x->compilers[i].nodes)
            return &x->compilers[i];
    return NULL;
}

static const struct store_compiler *own_compiler(struct elsewhere *x, const struct finding *f)
{
    struct store_finding row;
    bool found;
    if (!store_finding(x->store, &x->arena, f->id, &row, &found, NULL) || !found)
        return NULL;
    const struct store_compiler *c = find_id(x, row.compiler_id);
    return c && !is_here(x, first_word(&x->arena, f->claim.config), c->hash) ? c : NULL;
}

const struct store_compiler *elsewhere_find(struct elsewhere *x, const struct finding *f,
                                            const char *command)
{
    const char *name = command ? first_word(&x->arena, command) : NULL;
    if (!x->store)
        return NULL;
    if (!name)
        return own_compiler(x, f);
    return sys_find_program(&x->arena, name) ? NULL : find_name(x, name);
}

/* ---- asking ---------------------------------------------------------------------------------- */

bool elsewhere_ask(struct elsewhere *x, const struct store_errand *errand, uint64_t *id,
                   struct err *e)
{
    uint64_t *kept = NEW(&x->arena, uint64_t);
    if (!store_ask_errand(x->store, errand, id, e))
        return false;
    *kept = *id;
    list_add(&x->arena, &x->asked, kept);
    return true;
}

bool elsewhere_wait(struct elsewhere *x, uint64_t id, struct errand_reply *out, struct err *e)
{
    static const double pause = 0.5;
    struct store_reply reply;
    *out = (struct errand_reply){.state = RECHECK_UNCLEAR,
                                 .note = "no machine that takes part has this compiler: `cupel "
                                         "hunt --worker-of` where it is"};
    for (;;) {
        if (!store_read_reply(x->store, &x->arena, id, x->lease, &reply, e))
            return false;
        if (*reply.answer)
            errand_reply_from_text(&x->arena, reply.answer, out);
        if (*reply.answer || reply.hopeless)
            return true;
        if (sys_cancelled())
            return fail(e, "interrupted");
        sys_peers_wait(NULL, 0, pause);
    }
}

/* ---- triage --------------------------------------------------------------------------------- */

static bool triage(struct elsewhere *x, const struct finding *f, bool *done, struct err *e)
{
    const struct store_compiler *c = elsewhere_find(x, f, NULL);
    struct errand_reply reply;
    uint64_t id;
    *done = c != NULL;
    if (!c)
        return true;
    struct store_errand errand = {.finding = f->id,
                                  .kind = errand_kind_name(ERRAND_TRIAGE),
                                  .command = "",
                                  .compiler_id = c->id};
    if (*c->nodes)
        log_note("%s is not here: asking %s", c->name, c->nodes);
    return elsewhere_ask(x, &errand, &id, e) && elsewhere_wait(x, id, &reply, e) &&
           (!*reply.note || fail(e, "finding %llu: %s", (unsigned long long)f->id, reply.note));
}

bool hunt_triage_elsewhere(const char *dir, const struct finding *f, bool *done, struct err *e)
{
    struct elsewhere x;
    *done = false;
    bool ok = elsewhere_open(&x, dir, e) && triage(&x, f, done, e);
    elsewhere_close(&x);
    return ok;
}
