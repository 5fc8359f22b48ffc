/* What an oracle saw, followed to the smallest program that shows it, and one program from its seed
 * to that: what a campaign, of cupel missed or of cupel hunt, does for each. */
#include "missed/private.h"

#include <stdlib.h>
#include <string.h>

/* ---- minimising what was seen -----------------------------------------------------------------
 */

struct pursuit {
    enum missed_oracle oracle;
    struct bench *bench;
    uint64_t last_compile; /* no candidate is tried after it */
    double most_cpu;       /* of the bench's compile_cpu, the same; 0: none */
    struct map tried;      /* programs that did not keep the sight, by the hash of their text */
    struct arena *a;
};

/* Of the form that shows all of it, markers too. */
static const char *text_key(struct arena *a, const struct arith *p)
{
    struct text t = {0};
    arith_write(p, &(struct arith_form){.dead = true}, &t);
    const char *key = arena_printf(a, "%016llx", (unsigned long long)hash_bytes(t.s, t.n));
    text_free(&t);
    return key;
}

/* The last round of a minimisation tries again what failed before: that is not compiled twice. */
static bool keeps_sight(void *context, const struct arith *p, bool *holds, struct err *e)
{
    struct pursuit *w = context;
    struct arena a = {0};
    struct sight s;
    const char *key = text_key(&a, p);
    bool ok = true;
    *holds = false;
    if (!map_get(&w->tried, key)) {
        ok = oracle_look(w->oracle, w->bench, p, &a, &s, e);
        *holds = ok && s.seen;
    }
    if (ok && !*holds)
        map_set(w->a, &w->tried, arena_string(w->a, key), w);
    arena_free(&a);
    return ok;
}

static bool is_over(void *context)
{
    const struct pursuit *w = context;
    bool spent = w->most_cpu > 0 && w->bench->compile_cpu >= w->most_cpu;
    return spent || w->bench->compiles >= w->last_compile || bench_is_late(w->bench);
}

/* What no assignment of a large program shows by itself is mostly due to its size (how far a
 * compiler looks back, how many registers it needs), and does not get small. */
enum { LARGE = 50, MOST_OF_LARGE = 400 };
static const double seconds_of_large = 20;

/* The number of the assignment that a marker stands after; how many there are without one. */
static size_t marked_at(const struct arith *p, const char *marker)
{
    uint64_t number = strtoull(marker + strcspn(marker, "0123456789"), NULL, 10);
    return *marker && number < p->assignments.n ? (size_t)number : p->assignments.n;
}

/* With a distance put in before what it is about, nothing else needs to be there for the sake of
 * one.  Where the sight is lost by that, p stays as it is. */
static bool put_apart(enum missed_oracle oracle, struct bench *b, struct arith *p, struct err *e)
{
    struct arena a = {0};
    struct list assignments = p->assignments, variables = p->variables;
    struct sight s;
    bool ok = oracle_look(oracle, b, p, &a, &s, e), holds = false;
    size_t n = assignments.n, marked = ok ? marked_at(p, s.marker) : n;
    if (ok && arith_add_distance(p, marked < n ? marked : n / 2)) {
        ok = oracle_look(oracle, b, p, &a, &s, e);
        holds = ok && s.seen;
    }
    if (!holds) {
        p->assignments = assignments;
        p->variables = variables;
        arith_evaluate(p);
    }
    arena_free(&a);
    return ok;
}

static bool reads(const struct term *t, const struct variable *v)
{
    for (unsigned i = 0; i < 2; i++)
        if (t->kid[i] && reads(t->kid[i], v))
            return true;
    return t->kind == TERM_VARIABLE && t->variable == v;
}

static bool is_read(const struct arith *p, const struct variable *v)
{
    for (size_t i = 0; i < p->assignments.n; i++) {
        const struct assignment *s = p->assignments.at[i];
        if (s->guard == v || reads(s->value, v))
            return true;
    }
    return false;
}

void arith_number_anew(struct arith *p)
{
    struct list ordered = {0};
    for (size_t i = 0; i < p->variables.n; i++) {
        struct variable *v = p->variables.at[i];
        if (!v->assigned && is_read(p, v))
            list_add(p->a, &ordered, v);
    }
    for (size_t i = 0; i < p->assignments.n; i++)
        list_add(p->a, &ordered, ((struct assignment *)p->assignments.at[i])->to);
    for (size_t i = 0; i < ordered.n; i++)
        ((struct variable *)ordered.at[i])->number = (unsigned)i;
    p->variables = ordered;
}

/* What is left as people should see it; where its code depends on names or their order, as it is.
 */
static bool tidy(enum missed_oracle oracle, struct bench *b, struct arith *p, struct arena *a,
                 struct sight *out, struct err *e)
{
    struct list before = p->variables;
    unsigned *numbers = NEW_ARRAY(a, before.n + 1, unsigned);
    for (size_t i = 0; i < before.n; i++)
        numbers[i] = ((struct variable *)before.at[i])->number;
    arith_number_anew(p);
    bool ok = oracle_look(oracle, b, p, a, out, e);
    if (!ok || out->seen)
        return ok;
    p->variables = before;
    for (size_t i = 0; i < before.n; i++)
        ((struct variable *)before.at[i])->number = numbers[i];
    return oracle_look(oracle, b, p, a, out, e);
}

bool sight_minimise(enum missed_oracle oracle, struct bench *b, struct arith *p, unsigned most,
                    struct arena *a, struct sight *out, struct err *e)
{
    struct pursuit w = {.oracle = oracle, .bench = b, .last_compile = b->compiles + most, .a = a};
    b->kept = a;
    b->known = (struct map){0};
    bool located, ok = sight_locate(oracle, b, p, &located, e);
    if (ok && !located && arith_operators(p) > LARGE) {
        ok = put_apart(oracle, b, p, e);
        if (most > MOST_OF_LARGE)
            w.last_compile = b->compiles + MOST_OF_LARGE;
        w.most_cpu = b->compile_cpu + seconds_of_large;
    }
    ok = ok && arith_minimise(p, keeps_sight, is_over, &w, e) &&
         (arith_is_small(p) ? tidy(oracle, b, p, a, out, e) : oracle_look(oracle, b, p, a, out, e));
    b->kept = NULL;
    return ok;
}

/* ---- in words ------------------------------------------------------------------------------ */

/* The assignment that a marker stands after; NULL without one. */
static const struct assignment *marked(const struct arith *p, const char *marker)
{
    size_t at = marked_at(p, marker);
    return at < p->assignments.n ? p->assignments.at[at] : NULL;
}

/* "above 7", "other than 7": where no value is that calls this marker. */
static void put_bound(const struct assignment *s, const char *marker, struct text *out)
{
    bool below = str_has_prefix(marker, MARKER_BELOW);
    const char *words = below                                  ? "below"
                        : str_has_prefix(marker, MARKER_OTHER) ? "other than"
                                                               : "above";
    text_printf(out, "%s %lld", words, (long long)(below ? s->low : s->high));
}

/* What no execution does, or what this one does: "t2 is never below -5".  Nothing without a marker.
 */
static void put_marked(const struct arith *p, const char *marker, struct text *out)
{
    const struct assignment *s = marked(p, marker);
    if (!s)
        return;
    if (str_has_prefix(marker, MARKER_LIVE)) {
        text_printf(out, "; t%u has its value here", s->to->number);
        return;
    }
    text_printf(out, "; t%u is never ", s->to->number);
    put_bound(s, marker, out);
    text_puts(out, " there");
}

/* Dead calls that the program has beside the one that it is about, and that it needs: minimising
 * left them.  "; needs 2 more dead calls: t1 above 3, t2 below 0". */
static void put_other_dead(struct arena *a, const struct arith *p, const struct sight *s,
                           struct text *out)
{
    struct text list = {0};
    unsigned n = 0;
    for (size_t i = 0; i < MARKER_DEAD_KINDS; i++) {
        const char *at = s->texts[0], *name;
        while ((name = marker_next(a, &at, marker_dead_kinds[i]))) {
            const struct assignment *to = marked(p, name);
            if (!to || strcmp(name, s->marker) == 0)
                continue;
            text_printf(&list, "%s t%u ", n++ ? "," : "", to->to->number);
            put_bound(to, name, &list);
        }
    }
    if (n)
        text_printf(out, "; needs %u more dead call%s:%s", n, n == 1 ? "" : "s", text_str(&list));
    text_free(&list);
}

static bool is_guard_line(const char *line)
{
    size_t n = strcspn(line, "\n");
    const char *next = line + n + strspn(line + n, "\n \t");
    return str_has_prefix(line, "if (") && next[0] == 't';
}

/* The assignments as C, on one line: "t2 = x0 / x1 >= 2". */
static void put_assignments(const struct arith *p, bool folded, struct text *out)
{
    struct text program = {0};
    const char *gap = "";
    arith_write(p, &(struct arith_form){.folded = folded}, &program);
    for (const char *at = text_str(&program); at && *at;
         at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        const char *line = at + strspn(at, " \t");
        if (is_guard_line(line)) {
            text_printf(out, "%s%.*s ", gap, (int)strcspn(line, "{\n"), line);
            gap = "";
        }
        if (line[0] != 't' || !strstr(line, " = ") || strstr(line, " = ") > strchr(line, ';'))
            continue;
        text_printf(out, "%s%.*s", gap, (int)strcspn(line, ";\n"), line);
        gap = "; ";
    }
    text_free(&program);
}

/* What others may write, and what holds a number that the program gave it. */
static void put_variables(const struct arith *p, struct text *out)
{
    const char *gap = " with ";
    for (size_t i = 0; i < p->variables.n; i++) {
        const struct variable *v = p->variables.at[i];
        if (v->assigned)
            continue;
        if (v->quals & QUAL_VOLATILE)
            text_printf(out, "%svolatile x%u", gap, v->number);
        else if (v->global && !v->is_static && !(v->quals & QUAL_CONST))
            text_printf(out, "%sany x%u", gap, v->number);
        else if (arith_is_floating(p, v->type))
            text_printf(out, "%sx%u = %Lg", gap, v->number, arith_floating(p, v->type, v->initial));
        else
            text_printf(out, "%sx%u = %lld", gap, v->number,
                        (long long)arith_number(p, v->type, v->initial));
        gap = ", ";
    }
}

/* Results that depend on what others write and are the same whatever that is. */
static void put_results(const struct arith *p, struct text *out)
{
    for (size_t i = 0; i < p->assignments.n; i++) {
        const struct assignment *s = p->assignments.at[i];
        bool floating = arith_is_floating(p, s->to->type);
        if (s->value->open && !s->guard && !floating && s->low == s->high)
            text_printf(out, "; t%u is %lld", s->to->number, (long long)s->low);
    }
}

/* What is said of a result: as write.c says it, with the form that has facts. */
static void put_result_facts(const struct arith *p, const struct assignment *s, const char **gap,
                             struct text *out)
{
    const struct variable *v = s->to;
    bool one = s->low == s->high;
    const struct {
        bool said;
        const char *is;
        i128 bound;
    } facts[] = {{!s->silent[0] && one, "==", s->low},
                 {!s->silent[0] && !one && s->high < arith_type_high(p, v->type), "<=", s->high},
                 {!s->silent[1] && !one && s->low > arith_type_low(p, v->type), ">=", s->low}};
    for (size_t i = 0; i < LENGTH(facts) && !(v->quals & QUAL_VOLATILE); i++)
        if (facts[i].said) {
            text_printf(out, "%st%u %s %lld", *gap, v->number, facts[i].is,
                        (long long)facts[i].bound);
            *gap = ", ";
        }
}

/* The facts that make the code worse: "; worse with const x0, t1 <= 7". */
static void put_facts(const struct arith *p, struct text *out)
{
    const char *gap = "; worse with ";
    for (size_t i = 0; i < p->variables.n; i++) {
        const struct variable *v = p->variables.at[i];
        if (v->assigned || v->quals || (v->global && !v->is_static))
            continue;
        text_printf(out, "%sconst x%u", gap, v->number);
        gap = ", ";
    }
    for (size_t i = 0; i < p->assignments.n; i++)
        put_result_facts(p, p->assignments.at[i], &gap, out);
}

const char *arith_identity(struct arena *a, const struct arith *p, enum missed_oracle oracle,
                           const struct sight *s)
{
    struct text out = {0};
    bool pair = oracle == MISSED_PAIR;
    put_assignments(p, pair && s->worse == 1, &out);
    if (pair) {
        text_puts(&out, ": the same as ");
        put_assignments(p, s->worse == 0, &out);
    }
    put_variables(p, &out);
    if (!*s->marker)
        put_results(p, &out);
    put_marked(p, s->marker, &out);
    if (oracle == MISSED_DEAD)
        put_other_dead(a, p, s, &out);
    if (oracle == MISSED_REFINE)
        put_facts(p, &out);
    if (oracle == MISSED_RESTRICT)
        text_puts(&out, "; worse with restrict");
    if (oracle == MISSED_ACCESS)
        text_printf(&out, "; %s", s->wrong);
    const char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}

/* ---- one program ----------------------------------------------------------------------------- */

static struct missed_sighting describe(struct arena *a, enum missed_oracle oracle,
                                       const struct arith *p, const struct sight *s)
{
    return (struct missed_sighting){.seen = true,
                                    .oracle = oracle,
                                    .program = s->texts[s->worse],
                                    .twin = s->texts[!s->worse],
                                    .marker = s->marker,
                                    .pattern = arith_pattern(a, p),
                                    .identity = arith_identity(a, p, oracle, s),
                                    .operators = arith_operators(p),
                                    .worse = s->codes[s->worse],
                                    .better = s->codes[!s->worse],
                                    .by = s->by[!s->worse]};
}

bool missed_try(const struct missed_task *t, struct arena *a, struct missed_sighting *out,
                uint64_t *compiles, struct err *e)
{
    struct bench b = {.lab = t->lab,
                      .own = t->own,
                      .peer = t->peer,
                      .threshold = t->threshold,
                      .static_volatiles = true};
    struct program *types = lang_program_new(lang_target_named(t->own->target));
    struct missed_shape shape = t->shape;
    struct sight s = {0};
    *out = (struct missed_sighting){0};
    shape.guards = t->oracle == MISSED_DEAD || t->oracle == MISSED_LIVE;
    struct arith *p = arith_draw(a, types, &shape, rng_seed(t->seed));
    bool ok = !oracle_prepare(t->oracle, &b, p) || oracle_look(t->oracle, &b, p, a, &s, e);
    if (ok && s.seen)
        ok = sight_minimise(t->oracle, &b, p, t->most, a, &s, e);
    bool told = ok && s.seen && (missed_is_wrong(t->oracle) || arith_is_small(p));
    struct missed_opinions opinions;
    if (told)
        ok = sight_ask_opinions(&b, &s, a, &opinions, e);
    if (ok && told && !missed_is_contradicted(t->oracle, &opinions))
        *out = describe(a, t->oracle, p, &s);
    *compiles = b.compiles;
    lang_program_free(types);
    return ok;
}

void missed_write(const char *target, const struct missed_shape *shape, uint64_t seed,
                  struct text *out)
{
    struct arena a = {0};
    struct program *types = lang_program_new(lang_target_named(target));
    arith_write(arith_draw(&a, types, shape, rng_seed(seed)), &(struct arith_form){0}, out);
    lang_program_free(types);
    arena_free(&a);
}

void missed_merge(const char *first, const char *second, struct text *out)
{
    while (*first && *second) {
        size_t n = strcspn(first, "\n"), m = strcspn(second, "\n");
        if (n == m && memcmp(first, second, n) == 0)
            text_printf(out, "%.*s\n", (int)n, first);
        else
            text_printf(out, "#ifdef " MISSED_SWITCH "\n%.*s\n#else\n%.*s\n#endif\n", (int)m,
                        second, (int)n, first);
        first += n + (first[n] == '\n');
        second += m + (second[m] == '\n');
    }
}

bool missed_is_clear_gain(const char *marker, unsigned worse, unsigned better)
{
    enum { FEW = 3 };
    return *marker || worse >= better + FEW;
}

bool missed_is_layout_pass(const char *pass)
{
    /* parts of the names that triage gives passes of gcc and clang */
    static const char *const parts[] = {"branch-folder", "shrink-wrap", "reorder",   "crossjump",
                                        "tail-dup",      "taildup",     "placement", "sched",
                                        "peephole",      "rename-reg",  "regalloc",  "machine-cp"};
    for (size_t i = 0; i < LENGTH(parts); i++)
        if (strstr(pass, parts[i]))
            return true;
    return false;
}

bool missed_shows(const struct missed_code *code, const char *marker, double limit)
{
    return code->instructions &&
           (*marker ? code_mentions(code->whole, marker) : code->instructions > limit);
}
