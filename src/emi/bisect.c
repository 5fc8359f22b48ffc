/* What a failing variant comes down to: units first, then edits, by delta debugging; and whether
 * that smallest part fails by code that runs after all. */
#include "emi/project.h"

#include "sys/sys.h"

enum { MOST_STEPS = 150 };

struct bisection {
    struct project *s;
    struct wanted wanted;
    bool by_units; /* items are units, else groups */
    enum result failure;
    size_t left; /* steps */
};

static bool still_fails(struct bisection *b, const struct list *items, bool *fails, struct err *e)
{
    struct wanted w = b->wanted;
    struct build build;
    *fails = false;
    if (b->left == 0 || items->n == 0)
        return true;
    b->left--;
    if (b->by_units)
        w.units = items;
    else
        w.groups = items;
    if (!project_build(b->s, &w, &build, e))
        return false;
    *fails = build.result == b->failure;
    return true;
}

static struct list without(struct arena *a, const struct list *l, size_t from, size_t to, bool keep)
{
    struct list out = {0};
    for (size_t i = 0; i < l->n; i++)
        if ((i >= from && i < to) == keep)
            list_add(a, &out, l->at[i]);
    return out;
}

/* Delta debugging (Zeller and Hildebrandt): the smallest part that still fails alone. */
static bool minimise(struct bisection *b, struct list *items, struct err *e)
{
    for (size_t parts = 2; items->n > 1;) {
        size_t size = (items->n + parts - 1) / parts;
        bool fails = false;
        for (size_t from = 0; from < items->n && !fails; from += size)
            for (int keep = 1; keep >= 0 && !fails; keep--) {
                if (!keep && parts == 2)
                    continue; /* the other half */
                struct list part = without(b->s->a, items, from, from + size, keep);
                if (!still_fails(b, &part, &fails, e))
                    return false;
                if (fails) {
                    *items = part;
                    parts = keep ? 2 : parts > 2 ? parts - 1 : 2;
                }
            }
        if (!fails && parts >= items->n)
            return true;
        if (!fails)
            parts = parts * 2 < items->n ? parts * 2 : items->n;
    }
    return true;
}

static bool varied_units(struct project *s, struct list *units, struct err *e)
{
    *units = (struct list){0};
    return sys_list_folder(s->a, arena_printf(s->a, "%s/varied", s->dir), units, e);
}

static struct list groups_of(struct project *s, const struct list *units, size_t *edits)
{
    struct list groups = {0};
    *edits = 0;
    for (size_t i = 0; i < units->n; i++) {
        struct emi_note n = {0};
        if (!emi_note_read(s->a, s->dir, units->at[i], &n))
            continue;
        *edits += n.edits;
        for (unsigned g = 0; g < n.groups; g++)
            list_add(s->a, &groups, arena_printf(s->a, "%s:%u", (char *)units->at[i], g));
    }
    return groups;
}

/* Builds what is left once more, and has the wrapper show it. */
static bool show_rest(struct project *s, const struct wanted *w, struct emi_project_finding *f,
                      struct err *e)
{
    struct build build;
    struct list units;
    struct text all = {0};
    struct wanted shown = *w;
    shown.show = shown.again = true;
    sys_empty_folder(arena_printf(s->a, "%s/diff", s->dir));
    if (!project_build(s, &shown, &build, e) || !varied_units(s, &units, e))
        return false;
    f->said = build.said;
    f->units = f->edits = 0;
    for (size_t i = 0; i < units.n; i++) {
        struct emi_note n = {0};
        struct err ignored;
        if (!emi_note_read(s->a, s->dir, units.at[i], &n) || n.edits == 0)
            continue;
        f->units++;
        f->edits += n.edits;
        sys_read_file(arena_printf(s->a, "%s/diff/%s", s->dir, (char *)units.at[i]), SYS_READ_ALL,
                      &all, &ignored);
    }
    f->diff = arena_string(s->a, text_str(&all));
    bool ok = sys_make_dirs(s->p->output, e) && sys_write_file(f->file, text_str(&all), all.n, e);
    text_free(&all);
    return ok;
}

bool project_bisect(struct project *s, const struct wanted *w, enum result failure,
                    struct emi_project_finding *f, struct rest *left, struct err *e)
{
    struct list units, groups;
    struct bisection b = {
        .s = s, .wanted = *w, .by_units = true, .failure = failure, .left = MOST_STEPS};
    size_t before = s->steps;
    if (!varied_units(s, &units, e))
        return false;
    groups = groups_of(s, &units, &f->all_edits);
    f->all_units = units.n;
    if (!minimise(&b, &units, e))
        return false;
    /* what was left may not be the last that was built */
    bool fails;
    if (!still_fails(&b, &units, &fails, e))
        return false;
    size_t edits;
    groups = groups_of(s, &units, &edits);
    b.wanted.units = &units;
    b.by_units = false;
    if (!minimise(&b, &groups, e))
        return false;
    b.wanted.groups = &groups;
    *left = (struct rest){units, groups};
    f->steps = s->steps - before;
    return show_rest(s, &b.wanted, f, e);
}

/* ---- the same part, otherwise ----------------------------------------------------------- */

/* With traps instead of these groups, if any, and things moved about in memory. */
static bool build_part(struct project *s, const struct wanted *w, const struct rest *left,
                       const struct list *traps, unsigned layout, bool *fails, struct err *e)
{
    struct build build;
    struct wanted part = *w;
    part.units = &left->units;
    part.groups = &left->groups;
    part.traps = traps;
    part.layout = layout;
    part.again = true;
    if (!project_build(s, &part, &build, e))
        return false;
    *fails = build.result == TEST_FAILS;
    return true;
}

bool project_fails_elsewhere(struct project *s, const struct wanted *w, const struct rest *left,
                             bool *fails, struct err *e)
{
    *fails = true;
    for (unsigned layout = 1; *fails && layout <= EMI_LAYOUTS; layout++)
        if (!build_part(s, w, left, NULL, layout, fails, e))
            return false;
    return true;
}

/* What ran into a trap is no dead code. */
static bool note_runs(struct project *s, const struct list *units, struct err *e)
{
    for (size_t i = 0; i < units->n; i++) {
        struct emi_note n = {0};
        if (emi_note_read(s->a, s->dir, units->at[i], &n) && n.traps.n &&
            !emi_ran_add(s->a, s->dir, units->at[i], &n.traps, e))
            return false;
    }
    return true;
}

static bool spring(struct project *s, const struct wanted *w, const struct rest *left,
                   const struct list *traps, unsigned layout, bool *runs, struct err *e)
{
    return build_part(s, w, left, traps, layout, runs, e) &&
           (!*runs || note_runs(s, &left->units, e));
}

/* The part is a smallest one: without one of its groups it passes.  So when it fails with a trap
 * instead of that group, everything else being as it was, that was stepped on. */
bool project_spring_traps(struct project *s, const struct wanted *w, const struct rest *left,
                          bool elsewhere, bool *runs, struct err *e)
{
    enum { MOST_TRAPS = 8 };
    bool each = left->groups.n <= MOST_TRAPS;
    size_t builds = each ? left->groups.n : 1;
    *runs = false;
    for (size_t i = 0; i < builds && !*runs; i++) {
        struct list one = {0};
        list_add(s->a, &one, left->groups.at[i]);
        if (!spring(s, w, left, each ? &one : &left->groups, 0, runs, e))
            return false;
    }
    for (unsigned layout = 1; elsewhere && !*runs && layout <= EMI_LAYOUTS; layout++)
        if (!spring(s, w, left, &left->groups, layout, runs, e))
            return false;
    return true;
}
