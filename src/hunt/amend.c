/* What people find out by hand about a finding, put beside what the hunt knows of it: a reduced
 * program, what triage says.  The claim, its key and its evidence are never changed. */
#include "hunt/private.h"

/* Reads the finding, has it changed, and writes it back. */
static bool amend(const char *dir, uint64_t id, void (*change)(struct finding *f, const void *with),
                  const void *with, struct err *e)
{
    struct arena a = {0};
    struct site site = site_of(&a, dir);
    struct store_finding row;
    struct finding f;
    bool found = false;
    struct store *s = site_open(&site, STORE_WRITE, NULL, e);
    bool ok = s && store_finding(s, &a, id, &row, &found, e) &&
              ((found && row_read(&a, &row, &f)) ||
               fail(e, "%s has no finding %llu", site.name, (unsigned long long)id));
    if (ok) {
        change(&f, with);
        ok = row_write(s, &f, "", e) && site_write_finding(&site, &f, e);
    }
    store_close(s);
    arena_free(&a);
    return ok;
}

static void take_triage(struct finding *f, const void *triage)
{
    f->triage = triage;
}

bool hunt_keep_triage(const char *dir, uint64_t id, const char *triage, struct err *e)
{
    return amend(dir, id, take_triage, triage, e);
}

/* What it took before counts too. */
static void take_reduced(struct finding *f, const void *reduced)
{
    uint64_t tries = f->reduced.tries;
    double cpu = f->reduced.cpu;
    f->reduced = *(const struct finding_reduced *)reduced;
    f->reduced.tries += tries;
    f->reduced.cpu += cpu;
}

bool hunt_keep_reduced(const char *dir, uint64_t id, const struct finding_reduced *reduced,
                       struct err *e)
{
    return amend(dir, id, take_reduced, reduced, e);
}
