/* A campaign's folder: DIR/state.json, and DIR/findings/N with both programs, both assemblies, what
 * is known of them (finding.json) and a report for people.  The only reader and writer of those. */
#include "missed/private.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const proofs[] = {
    [MISSED_WRONG] = "wrong",          [MISSED_REGRESSION] = "regression",
    [MISSED_OTHER] = "other compiler", [MISSED_LEVEL] = "other level",
    [MISSED_FLAGS] = "other flags",    [MISSED_TWIN] = "equivalent program"};

const char *missed_proof_name(enum missed_proof proof)
{
    return proof < MISSED_PROOF_COUNT ? proofs[proof] : "unknown";
}

/* ---- finding.json ------------------------------------------------------------------------- */

static const char *oracle_name(unsigned value)
{
    return missed_oracle_name((enum missed_oracle)value);
}

static const char *proof_name(unsigned value)
{
    return missed_proof_name((enum missed_proof)value);
}

static const struct record_names oracle_names = {oracle_name, MISSED_ORACLE_COUNT, MISSED_PAIR};
static const struct record_names proof_names = {proof_name, MISSED_PROOF_COUNT, MISSED_TWIN};

#define FIELD(member, kind)   RECORD_FIELD(struct missed_finding, member, kind, #member)
#define OPINION(member, kind) RECORD_FIELD(struct missed_finding, opinions.member, kind, #member)
static const struct record_field fields[] = {
    FIELD(id, RECORD_U64),
    {"oracle", RECORD_NAMED, offsetof(struct missed_finding, oracle), &oracle_names, NULL},
    {"proof", RECORD_NAMED, offsetof(struct missed_finding, proof), &proof_names, NULL},
    FIELD(compiler, RECORD_STRING),
    FIELD(family, RECORD_STRING),
    FIELD(pattern, RECORD_STRING),
    FIELD(identity, RECORD_STRING),
    FIELD(seed, RECORD_U64),
    FIELD(operators, RECORD_UINT),
    FIELD(worse, RECORD_UINT),
    FIELD(better, RECORD_UINT),
    OPINION(worse_cost, RECORD_REAL),
    OPINION(better_cost, RECORD_REAL),
    OPINION(cost_by, RECORD_STRING),
    OPINION(worse_steps, RECORD_U64),
    OPINION(better_steps, RECORD_U64),
    FIELD(r, RECORD_REAL),
    FIELD(witnesses, RECORD_STRINGS),
    FIELD(pass, RECORD_STRING),
};
static const struct record_layout layout = RECORD_OF(fields);

json_t *missed_finding_json(const struct missed_finding *f)
{
    json_t *j = json_object();
    record_to_json(&layout, f, j);
    return j;
}

static bool write_json(const char *path, json_t *j, struct err *e)
{
    char *dump = json_dumps(j, JSON_INDENT(2));
    bool ok = dump && sys_write_file(path, dump, strlen(dump), e);
    free(dump);
    json_decref(j);
    return ok;
}

static json_t *read_json(const char *path)
{
    struct text t = {0};
    json_t *j = sys_read_file(path, SYS_READ_ALL, &t, NULL) ? json_loads(text_str(&t), 0, NULL)
                                                            : NULL;
    text_free(&t);
    return j;
}

/* ---- report.txt --------------------------------------------------------------------------- */

static const char *const headings[] = {
    [MISSED_PAIR] = "two equivalent programs, of which one gets worse code",
    [MISSED_DEAD] = "a call that no execution makes, and that stays in the code",
    [MISSED_LIVE] = "a call that the execution makes, and that is not in the code",
    [MISSED_RESTRICT] = "pointers that say restrict, truly, and get worse code",
    [MISSED_REFINE] = "a program that says more of what is true, and gets worse code",
    [MISSED_ACCESS] = "volatile objects that are not accessed as the program says",
    [MISSED_VOLATILE] = "code that depends on the initial value of a volatile object",
};

/* The two programs, and below them their code and the best witness's. */
static void put_sides(const struct evidence *v, struct arena *a, struct text *out)
{
    const struct sight *s = &v->sight;
    static const char *const names[] = {"first.c", "second.c"};
    bool two = strcmp(s->texts[0], s->texts[1]) != 0;
    struct text_column codes[3] = {{NULL, NULL}};
    size_t n = 0;
    text_columns(out, (struct text_column[]){{names[0], s->texts[0]}, {names[1], s->texts[1]}},
                 two ? 2 : 1);
    for (unsigned i = 0; i < 2; i++)
        if (*s->codes[i].text)
            codes[n++] = (struct text_column){
                arena_printf(a, "%s by %s", names[two ? i : 0], s->by[i]->config.text),
                s->codes[i].text};
    bool shown = v->best.by && !two &&
                 strcmp(v->best.by->config.text, s->by[!s->worse]->config.text) == 0;
    if (v->best.by && !shown)
        codes[n++] = (struct text_column){
            arena_printf(a, "%s by %s", names[two ? s->worse : 0], v->best.by->config.text),
            v->best.code};
    text_putc(out, '\n');
    text_columns(out, codes, n);
}

/* Who does better comes first: that it can be done is what a maintainer wants to see proved. */
static void put_proof(const struct missed_finding *f, struct text *out)
{
    text_printf(out, "proof      %s\n", missed_proof_name((enum missed_proof)f->proof));
    for (size_t i = 0; i < f->witnesses.n; i++)
        text_printf(out, "better     %s\n", (char *)f->witnesses.at[i]);
}

static void put_report(const struct evidence *v, struct arena *a, struct text *out)
{
    const struct missed_finding *f = &v->finding;
    const struct sight *s = &v->sight;
    text_printf(out, "%s\n\n", headings[f->oracle]);
    put_proof(f, out);
    text_printf(out, "compiler   %s\n", f->compiler);
    text_printf(out, "identity   %s\n", f->identity);
    text_printf(out, "pattern    %s\n", f->pattern);
    if (*s->marker)
        text_printf(out, "call       %s()\n", s->marker);
    if (f->oracle == MISSED_PAIR)
        text_printf(out, "r          %.3f (%u instructions, %u for its twin)\n", f->r, f->worse,
                    f->better);
    if (f->oracle != MISSED_LIVE && f->oracle != MISSED_ACCESS)
        text_printf(out, "cost       %.0f, and %.0f for the better one (%s)\n",
                    f->opinions.worse_cost, f->opinions.better_cost, f->opinions.cost_by);
    if (f->opinions.worse_steps && f->oracle != MISSED_ACCESS)
        text_printf(out, "executed   %llu instructions, and %llu by the better one\n",
                    (unsigned long long)f->opinions.worse_steps,
                    (unsigned long long)f->opinions.better_steps);
    if (*f->pass)
        text_printf(out, "pass       %s: without it that code is %s\n", f->pass,
                    f->oracle == MISSED_ACCESS ? "right" : "as bad");
    if (f->oracle == MISSED_ACCESS)
        text_printf(out, "seen with  cupel volatile first.c --cc '%s'\n\n", f->compiler);
    else
        text_printf(out, "seen with  %s -S %s.c\n\n", f->compiler, s->worse ? "second" : "first");
    put_sides(v, a, out);
}

/* ---- public ------------------------------------------------------------------------------- */

static bool write_in(struct arena *a, const char *dir, const char *name, const char *text,
                     struct err *e)
{
    return sys_write_file(arena_printf(a, "%s/%s", dir, name), text, strlen(text), e);
}

bool folder_write_finding(const char *dir, const struct evidence *v, struct err *e)
{
    struct arena a = {0};
    struct text report = {0};
    const struct sight *s = &v->sight;
    const char *to = arena_printf(&a, "%s/findings/%llu", dir, (unsigned long long)v->finding.id);
    put_report(v, &a, &report);
    bool ok = sys_make_dirs(to, e) && write_in(&a, to, "first.c", s->texts[0], e) &&
              write_in(&a, to, "second.c", s->texts[1], e) &&
              write_in(&a, to, "first.s", s->codes[0].text, e) &&
              write_in(&a, to, "second.s", s->codes[1].text, e) &&
              (!v->best.by || write_in(&a, to, "better.s", v->best.code, e)) &&
              write_in(&a, to, "report.txt", text_str(&report), e) &&
              write_json(arena_printf(&a, "%s/finding.json", to), missed_finding_json(&v->finding),
                         e);
    text_free(&report);
    arena_free(&a);
    return ok;
}

bool folder_read_state(const char *dir, uint64_t *next, struct err *e)
{
    struct arena a = {0};
    const char *path = arena_printf(&a, "%s/state.json", dir);
    bool there = access(path, F_OK) == 0;
    json_t *j = read_json(path);
    bool ok = !there || json_is_integer(json_object_get(j, "next"));
    if (ok && there)
        *next = (uint64_t)json_integer_value(json_object_get(j, "next"));
    json_decref(j);
    if (!ok)
        fail(e, "%s is not a campaign's: remove it, or take another folder", path);
    arena_free(&a);
    return ok;
}

bool folder_write_state(const char *dir, uint64_t next, struct err *e)
{
    struct arena a = {0};
    const char *path = arena_printf(&a, "%s/state.json", dir);
    bool ok = write_json(path, json_pack("{s:I}", "next", (json_int_t)next), e);
    arena_free(&a);
    return ok;
}

bool missed_is_folder(const char *dir)
{
    struct arena a = {0};
    uint64_t next;
    struct err ignored;
    bool is = access(arena_printf(&a, "%s/state.json", dir), R_OK) == 0 &&
              folder_read_state(dir, &next, &ignored);
    arena_free(&a);
    return is;
}

static int by_proof(const void *x, const void *y)
{
    const struct missed_finding *a = *(void *const *)x, *b = *(void *const *)y;
    if (a->proof != b->proof)
        return a->proof < b->proof ? -1 : 1;
    double x_gain = a->opinions.worse_cost * b->opinions.better_cost;
    double y_gain = b->opinions.worse_cost * a->opinions.better_cost;
    if (x_gain != y_gain) /* what would gain more comes first */
        return x_gain > y_gain ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

bool missed_read_findings(const char *dir, struct arena *a, struct list *out, struct err *e)
{
    struct list names = {0};
    const char *folder = arena_printf(a, "%s/findings", dir);
    if (access(folder, F_OK) != 0)
        return true;
    if (!sys_list_folder(a, folder, &names, e))
        return false;
    for (size_t i = 0; i < names.n; i++) {
        json_t *j = read_json(arena_printf(a, "%s/%s/finding.json", folder, (char *)names.at[i]));
        if (!j)
            continue; /* interrupted while it was written */
        struct missed_finding *f = NEW(a, struct missed_finding);
        record_from_json(&layout, a, j, f);
        json_decref(j);
        list_add(a, out, f);
    }
    if (out->n)
        qsort(out->at, out->n, sizeof *out->at, by_proof);
    return true;
}
