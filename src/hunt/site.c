/* Where a campaign is: a folder on this machine, or a database that several share.  What lies
 * beside the store in a folder (cupel.conf, findings, doubts) lies in the store of a database;
 * whoever wants it as files has it laid out. */
#include "hunt/private.h"

#include "missed/missed.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct site site_of(struct arena *a, const char *name)
{
    bool shared = store_is_address(name);
    return (struct site){.name = store_public_name(a, name),
                         .dir = shared ? NULL : name,
                         .store = shared ? name : arena_printf(a, "%s/cupel.db", name)};
}

const char *site_path(struct arena *a, const struct site *p, const char *name)
{
    return arena_printf(a, "%s/%s", p->dir, name);
}

static bool is_campaign(const struct site *p, struct err *e)
{
    struct arena a = {0};
    bool is = !p->dir || access(site_path(&a, p, "cupel.conf"), R_OK) == 0;
    if (!is && missed_is_folder(p->dir))
        fail(e, "%s is a folder of cupel missed: `cupel missed %s --list` has its findings", p->dir,
             p->dir);
    else if (!is)
        fail(e, "%s is no campaign: `cupel hunt %s` begins one", p->dir, p->dir);
    arena_free(&a);
    return is;
}

struct store *site_open(const struct site *p, enum store_access how, enum store_trouble *trouble,
                        struct err *e)
{
    if (trouble)
        *trouble = STORE_UNUSABLE;
    return is_campaign(p, e) ? store_open(p->store, how, trouble, e) : NULL;
}

/* ---- choices --------------------------------------------------------------------------- */

bool site_has_conf(const struct site *p, struct store *s)
{
    struct arena a = {0};
    bool has = p->dir ? access(site_path(&a, p, "cupel.conf"), F_OK) == 0
                      : store_get(s, &a, "conf") != NULL;
    arena_free(&a);
    return has;
}

const char *site_conf_text(struct arena *a, const struct site *p, struct store *s, struct err *e)
{
    enum { MOST = 1 << 20 };
    struct text text = {0};
    const char *kept = NULL;
    if (!p->dir)
        kept = store_get(s, a, "conf");
    else if (sys_read_file(site_path(a, p, "cupel.conf"), MOST, &text, e))
        kept = arena_string(a, text_str(&text));
    text_free(&text);
    if (!kept && !p->dir)
        fail(e, "%s holds no campaign: `cupel hunt %s` begins one", p->name, p->name);
    return kept;
}

bool site_read_conf(struct arena *a, const struct site *p, struct store *s, struct conf *out,
                    struct err *e)
{
    if (p->dir)
        return conf_read(a, site_path(a, p, "cupel.conf"), out, e);
    const char *text = site_conf_text(a, p, s, e);
    return text && conf_parse(a, arena_printf(a, "the choices of %s", p->name), text, out, e);
}

bool site_write_conf(const struct site *p, struct store *s, const struct conf *conf, struct err *e)
{
    struct arena a = {0};
    struct text text = {0};
    conf_write(conf, &text);
    bool ok = p->dir ? sys_write_file(site_path(&a, p, "cupel.conf"), text_str(&text), text.n, e)
                     : store_set_first(s, &a, "conf", text_str(&text), e) != NULL;
    text_free(&text);
    arena_free(&a);
    return ok;
}

bool site_set_conf_text(const struct site *p, struct store *s, const char *text, struct err *e)
{
    struct arena a = {0};
    bool ok = p->dir ? sys_write_file(site_path(&a, p, "cupel.conf"), text, strlen(text), e)
                     : store_set(s, "conf", text, e);
    arena_free(&a);
    return ok;
}

/* A database that does not answer has not changed. */
void site_stamp(const struct site *p, struct store *s, uint64_t *stamp)
{
    struct arena a = {0};
    const char *conf = p->dir ? NULL : store_get(s, &a, "conf");
    const char *seeds = p->dir ? NULL : store_get(s, &a, "seeds");
    if (conf && store_trouble(s) == STORE_NO_TROUBLE)
        *stamp = hash_pair(hash_string(conf), hash_string(seeds ? seeds : ""));
    arena_free(&a);
}

bool hunt_choices(struct arena *a, const char *dir, const char **text, struct err *e)
{
    struct site site = site_of(a, dir);
    struct store *s = site_open(&site, STORE_READ, NULL, e);
    *text = s ? site_conf_text(a, &site, s, e) : NULL;
    store_close(s);
    return *text != NULL;
}

/* Nothing that would stop those who hunt. */
static bool check_choices(struct arena *a, const struct site *p, struct store *s, const char *text,
                          struct err *e)
{
    struct conf was, is;
    if (!site_read_conf(a, p, s, &was, e) || !conf_parse(a, "the new choices", text, &is, e) ||
        !choices_check(a, &is, e))
        return false;
    return (is.has_seed && is.seed == was.seed) ||
           fail(e, "the campaign began with seed = %llu: leave that line as it is",
                (unsigned long long)was.seed);
}

bool hunt_set_choices(const char *dir, const char *text, struct err *e)
{
    struct arena a = {0};
    struct site site = site_of(&a, dir);
    struct store *s = site_open(&site, STORE_WRITE, NULL, e);
    bool ok = s && check_choices(&a, &site, s, text, e) && site_set_conf_text(&site, s, text, e);
    store_close(s);
    arena_free(&a);
    return ok;
}

/* ---- files ----------------------------------------------------------------------------- */

bool site_write_finding(const struct site *p, const struct finding *f, struct err *e)
{
    return !p->dir || folder_write(p->dir, f, e);
}

bool site_write_doubt(const struct site *p, struct store *s, const struct finding *f, struct err *e)
{
    struct arena a = {0};
    const char *hash = arena_printf(&a, "%016llx", (unsigned long long)hash_string(f->claim.key));
    bool ok = p->dir ? folder_write_doubt(p->dir, f, e)
                     : store_add_doubt(s, hash, finding_to_text(&a, f), FOLDER_DOUBTS, e);
    arena_free(&a);
    return ok;
}

bool hunt_is_shared(const char *name)
{
    return store_is_address(name);
}

char *hunt_public_name(struct arena *a, const char *name)
{
    return store_public_name(a, name);
}
