/* The oracles: each writes an arithmetic program in one or two forms, has it compiled by one or
 * two compilers, and compares the code.  What a compiler refuses shows nothing here. */
#include "missed/private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *function, *help;
    bool wrong;
} infos[] = {
#define ORACLE(id, name, function, wrong, help) [MISSED_##id] = {#name, #function, help, wrong},
#include "missed/oracle.def"
};

/* ---- compiling ---------------------------------------------------------------------------- */

/* To assembly, or to a program that is run. */
static bool try_text(struct bench *b, const struct missed_compiler *by, const char *text,
                     bool assembly, struct arena *a, struct outcome *o, struct err *e)
{
    char *units[] = {arena_printf(a, "%s-program.c", b->lab->dir), NULL};
    struct cc_case c = cc_case_of(units);
    c.assembly = assembly;
    c.count_steps = !assembly;
    if (!sys_write_file(units[0], text, strlen(text), e) ||
        !cc_try(b->lab, &by->config, &c, a, o, e))
        return false;
    b->compiles++;
    b->compile_cpu += o->compile_cpu;
    return true;
}

bool bench_is_late(const struct bench *b)
{
    return b->deadline > 0 && sys_now() >= b->deadline;
}

bool bench_count_steps(struct bench *b, const struct missed_compiler *by, const char *text,
                       struct arena *a, uint64_t *steps, struct err *e)
{
    struct outcome o;
    *steps = 0;
    if (!try_text(b, by, text, false, a, &o, e))
        return false;
    bool returned = o.kind == OUTCOME_BUILT && o.run_count && o.runs[0].end == SYS_EXITED &&
                    o.runs[0].code == 0;
    *steps = returned ? o.steps : 0;
    return true;
}

static bool compile(struct bench *b, const struct missed_compiler *by, const char *text,
                    struct arena *a, struct missed_code *code, struct err *e)
{
    struct outcome o;
    *code = (struct missed_code){.text = "", .whole = ""};
    if (!try_text(b, by, text, true, a, &o, e))
        return false;
    if (o.kind == OUTCOME_BUILT)
        *code = missed_read_code(a, by->isa, o.assembly, b->function);
    else if (!sys_cancelled())
        b->refused++;
    return true;
}

bool bench_compile(struct bench *b, const struct missed_compiler *by, const char *text,
                   struct arena *a, struct missed_code *code, struct err *e)
{
    if (!b->kept)
        return compile(b, by, text, a, code, e);
    uint64_t hash = hash_bytes(text, strlen(text));
    const char *key = arena_printf(b->kept, "%016llx %s %s", (unsigned long long)hash, b->function,
                                   by->config.text);
    struct missed_code *known = map_get(&b->known, key);
    if (!known) {
        known = NEW(b->kept, struct missed_code);
        if (!compile(b, by, text, b->kept, known, e))
            return false;
        if (!sys_cancelled())
            map_set(b->kept, &b->known, key, known);
    }
    *code = *known;
    return true;
}

static const char *written(struct arena *a, const struct arith *p, const struct arith_form *form)
{
    struct text t = {0};
    arith_write(p, form, &t);
    const char *copy = arena_string(a, text_str(&t));
    text_free(&t);
    return copy;
}

/* Two forms by the compiler under test; both when *compiled. */
static bool compile_two(struct bench *b, struct arena *a, struct sight *s, bool *compiled,
                        struct err *e)
{
    for (unsigned i = 0; i < 2; i++)
        if (!bench_compile(b, s->by[i], s->texts[i], a, &s->codes[i], e))
            return false;
    *compiled = s->codes[0].instructions && s->codes[1].instructions;
    return true;
}

/* ---- markers ------------------------------------------------------------------------------ */

bool code_mentions(const char *code, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = strstr(code, name); at; at = strstr(at + 1, name))
        if (!isalnum((unsigned char)at[n]) && (at == code || !isalnum((unsigned char)at[-1])))
            return true;
    return false;
}

const char *marker_next(struct arena *a, const char **at, const char *kind)
{
    struct text declared = {0};
    text_printf(&declared, "void %s", kind);
    const char *found = strstr(*at, text_str(&declared));
    text_free(&declared);
    if (!found)
        return NULL;
    found += strlen("void ");
    size_t n = strcspn(found, "(");
    *at = found + n;
    return arena_copy(a, found, n);
}

const char *const marker_dead_kinds[MARKER_DEAD_KINDS] = {MARKER_ABOVE, MARKER_BELOW, MARKER_OTHER};

const char *marker_kept(struct arena *a, const char *program, const char *kept, const char *removed)
{
    for (size_t i = 0; i < MARKER_DEAD_KINDS; i++) {
        const char *at = program, *name;
        while ((name = marker_next(a, &at, marker_dead_kinds[i])))
            if (code_mentions(kept, name) && !code_mentions(removed, name))
                return name;
    }
    return NULL;
}

/* ---- twins -------------------------------------------------------------------------------- */

static const struct arith_form twins[MISSED_ORACLE_COUNT][2] = {
    [MISSED_PAIR] = {{0}, {.folded = true}},
    [MISSED_VOLATILE] = {{0}, {.other_volatiles = true}},
    [MISSED_REFINE] = {{0}, {.facts = true}},
    [MISSED_RESTRICT] = {{.pointers = true}, {.pointers = true, .restricted = true}},
};

static void write_twins(enum missed_oracle o, const struct arith *p, struct arena *a,
                        struct sight *s)
{
    for (unsigned i = 0; i < 2; i++)
        s->texts[i] = written(a, p, &twins[o][i]);
}

/* ---- one function for each row of the table ------------------------------------------------ */

static bool oracle_PAIR(struct bench *b, const struct arith *p, struct arena *a, struct sight *s,
                        struct err *e)
{
    bool compiled;
    write_twins(MISSED_PAIR, p, a, s);
    if (strcmp(s->texts[0], s->texts[1]) == 0)
        return true;
    if (!compile_two(b, a, s, &compiled, e))
        return false;
    enum missed_side side = MISSED_NEITHER;
    if (compiled)
        side = missed_worse_side(&s->codes[0], &s->codes[1], b->threshold);
    s->seen = side != MISSED_NEITHER;
    s->worse = side == MISSED_OPT;
    s->r = missed_compare(&s->codes[s->worse], &s->codes[!s->worse]).r;
    return true;
}

static bool oracle_DEAD(struct bench *b, const struct arith *p, struct arena *a, struct sight *s,
                        struct err *e)
{
    if (!b->peer)
        return true;
    s->texts[0] = s->texts[1] = written(a, p, &(struct arith_form){.dead = true});
    s->by[1] = b->peer;
    if (!bench_compile(b, b->own, s->texts[0], a, &s->codes[0], e))
        return false;
    if (!marker_kept(a, s->texts[0], s->codes[0].text, ""))
        return true;
    if (!bench_compile(b, b->peer, s->texts[1], a, &s->codes[1], e))
        return false;
    bool compiled = s->codes[1].instructions;
    const char *kept = compiled ? marker_kept(a, s->texts[0], s->codes[0].text, s->codes[1].whole)
                                : NULL;
    s->seen = kept != NULL;
    s->marker = kept ? kept : "";
    return true;
}

static bool oracle_LIVE(struct bench *b, const struct arith *p, struct arena *a, struct sight *s,
                        struct err *e)
{
    const char *name;
    s->texts[0] = s->texts[1] = written(a, p, &(struct arith_form){.live = true});
    if (!bench_compile(b, b->own, s->texts[0], a, &s->codes[0], e))
        return false;
    const char *at = s->texts[0];
    while (s->codes[0].instructions && !s->seen && (name = marker_next(a, &at, MARKER_LIVE))) {
        /* parts of main may be in functions with other names */
        s->seen = !code_mentions(s->codes[0].whole, name);
        s->marker = name;
    }
    return true;
}

static bool is_local(const struct variable *v)
{
    return !v->is_static && !v->global;
}

/* Objects that begin with 0 may lie elsewhere than others.  Locals are initialised by code, which
 * must not change but for the number: those of VOLATILE_LEAST to VOLATILE_MOST are encoded alike.
 */
static bool is_fit_for_volatile(const struct arith *p, const struct variable *v)
{
    if (v->quals != QUAL_VOLATILE)
        return true;
    if (arith_is_floating(p, v->type)) /* code fetches its constants from places of their own */
        return !is_local(v) && arith_floating(p, v->type, v->initial) != 0;
    i128 number = arith_number(p, v->type, v->initial);
    return is_local(v) ? number >= VOLATILE_LEAST && number <= VOLATILE_MOST : v->initial != 0;
}

static bool all_fit_for_volatile(const struct bench *b, const struct arith *p)
{
    for (size_t i = 0; i < p->variables.n; i++) {
        const struct variable *v = p->variables.at[i];
        bool automatic = v->quals == QUAL_VOLATILE && is_local(v);
        if ((automatic && b->static_volatiles) || !is_fit_for_volatile(p, v))
            return false;
    }
    return true;
}

/* A number, a name, or one other character. */
struct token {
    const char *s;
    size_t n;
    long long number; /* -1: it is none */
};

static struct token next_token(const char **at)
{
    struct token t = {.s = *at, .n = 1, .number = -1};
    if (isdigit((unsigned char)*t.s))
        t.number = strtoll(t.s, NULL, 10);
    while (isalnum((unsigned char)*t.s) && isalnum((unsigned char)t.s[t.n]))
        t.n++;
    *at += t.n;
    return t;
}

static unsigned count_number(const char *text, i128 wanted)
{
    unsigned n = 0;
    while (*text) {
        struct token t = next_token(&text);
        n += t.number >= 0 && t.number == wanted;
    }
    return n;
}

/* A number that stands elsewhere in the program may share a register with an initial value, and
 * would then not if that were another one. */
static bool initials_stand_alone(const struct arith *p, const struct sight *s)
{
    for (size_t i = 0; i < p->variables.n; i++) {
        const struct variable *v = p->variables.at[i];
        if (v->quals != QUAL_VOLATILE || !is_local(v))
            continue;
        i128 first = arith_number(p, v->type, v->initial);
        i128 second = arith_number(p, v->type, arith_other_initial(p, v));
        if (count_number(s->texts[0], first) != 1 || count_number(s->texts[1], second) != 1 ||
            count_number(s->texts[0], second) || count_number(s->texts[1], first))
            return false;
    }
    return true;
}

/* Are the two numbers the initial values of one volatile local? */
static bool are_initials(const struct arith *p, long long first, long long second)
{
    for (size_t i = 0; i < p->variables.n; i++) {
        const struct variable *v = p->variables.at[i];
        if (v->quals == QUAL_VOLATILE && is_local(v) &&
            arith_number(p, v->type, v->initial) == first &&
            arith_number(p, v->type, arith_other_initial(p, v)) == second)
            return true;
    }
    return false;
}

bool code_is_same(const struct arith *p, const char *first, const char *second)
{
    while (*first && *second) {
        struct token x = next_token(&first), y = next_token(&second);
        bool numbers = x.number >= 0 && y.number >= 0;
        if ((x.n != y.n || memcmp(x.s, y.s, x.n) != 0) &&
            !(numbers && are_initials(p, x.number, y.number)))
            return false;
    }
    return !*first && !*second;
}

static bool oracle_VOLATILE(struct bench *b, const struct arith *p, struct arena *a,
                            struct sight *s, struct err *e)
{
    bool compiled;
    if (!all_fit_for_volatile(b, p))
        return true;
    write_twins(MISSED_VOLATILE, p, a, s);
    if (strcmp(s->texts[0], s->texts[1]) == 0 || !initials_stand_alone(p, s))
        return true;
    if (!compile_two(b, a, s, &compiled, e))
        return false;
    s->seen = compiled && !code_is_same(p, s->codes[0].text, s->codes[1].text);
    s->worse = s->codes[1].cost > s->codes[0].cost;
    s->r = missed_compare(&s->codes[s->worse], &s->codes[!s->worse]).r;
    return true;
}

static bool oracle_ACCESS(struct bench *b, const struct arith *p, struct arena *a, struct sight *s,
                          struct err *e)
{
    struct missed_watched seen;
    if (!b->watch)
        return true;
    s->texts[0] = s->texts[1] = written(a, p, &(struct arith_form){0});
    if (!b->watch(b->context, b->lab, b->own, s->texts[0], a, &seen, e))
        return false;
    b->compiles++;
    b->compile_cpu += seen.compile_cpu;
    s->seen = seen.wrong != NULL;
    s->wrong = seen.wrong ? seen.wrong : "";
    return !s->seen || bench_compile(b, b->own, s->texts[0], a, &s->codes[0], e);
}

/* Knowing more must not make the code worse. */
static bool compare_refined(struct bench *b, struct arena *a, struct sight *s, struct err *e)
{
    bool compiled;
    if (strcmp(s->texts[0], s->texts[1]) == 0)
        return true;
    if (!compile_two(b, a, s, &compiled, e))
        return false;
    s->seen = compiled && missed_worse_side(&s->codes[0], &s->codes[1], b->threshold) == MISSED_OPT;
    s->worse = 1;
    s->r = missed_compare(&s->codes[1], &s->codes[0]).r;
    return true;
}

static bool oracle_REFINE(struct bench *b, const struct arith *p, struct arena *a, struct sight *s,
                          struct err *e)
{
    write_twins(MISSED_REFINE, p, a, s);
    return compare_refined(b, a, s, e);
}

static bool oracle_RESTRICT(struct bench *b, const struct arith *p, struct arena *a,
                            struct sight *s, struct err *e)
{
    write_twins(MISSED_RESTRICT, p, a, s);
    return compare_refined(b, a, s, e);
}

/* ---- public ------------------------------------------------------------------------------- */

const char *missed_function(const char *program)
{
    return strstr(program, "void " MISSED_COMPUTE "(") ? MISSED_COMPUTE : "main";
}

const char *missed_oracle_name(enum missed_oracle o)
{
    return o < MISSED_ORACLE_COUNT ? infos[o].name : "unknown";
}

bool missed_is_wrong(enum missed_oracle o)
{
    return infos[o].wrong;
}

void missed_describe_oracles(struct text *out)
{
    for (size_t i = 0; i < MISSED_ORACLE_COUNT; i++)
        text_printf(out, "  %-9s %s\n", infos[i].name, infos[i].help);
}

bool missed_oracles_parse(const char *names, unsigned *set, struct err *e)
{
    *set = 0;
    while (*names) {
        size_t n = strcspn(names, ","), i = 0;
        while (i < MISSED_ORACLE_COUNT &&
               (strlen(infos[i].name) != n || memcmp(infos[i].name, names, n) != 0))
            i++;
        if (i == MISSED_ORACLE_COUNT)
            return fail(e, "--oracle: there is no '%.*s': see cupel missed --help", (int)n, names);
        *set |= 1u << i;
        names += n + (names[n] == ',');
    }
    return *set || fail(e, "--oracle needs a name");
}

/* In large programs every small number stands somewhere: volatile objects are static there. */
bool oracle_prepare(enum missed_oracle o, const struct bench *b, struct arith *p)
{
    enum { FEW_OPERATORS = 30 };
    bool many = b->static_volatiles || arith_operators(p) >= FEW_OPERATORS;
    if (o != MISSED_VOLATILE)
        return true;
    for (size_t i = 0; i < p->variables.n; i++) {
        struct variable *v = p->variables.at[i];
        if (v->quals != QUAL_VOLATILE)
            continue;
        v->is_static = v->is_static || many || arith_is_floating(p, v->type);
        for (unsigned tries = 1; !is_fit_for_volatile(p, v) || !arith_evaluate(p); tries++) {
            if (tries > 8)
                return false;
            v->initial = arith_is_floating(p, v->type)
                             ? arith_floating_bits(p, v->type, tries)
                             : tries + (is_local(v) ? VOLATILE_LEAST : 0u);
        }
    }
    return arith_evaluate(p);
}

const struct arith_form *oracle_twins(enum missed_oracle o)
{
    bool by_main = o == MISSED_PAIR || o == MISSED_REFINE;
    return by_main ? twins[o] : NULL;
}

bool oracle_look(enum missed_oracle o, struct bench *b, const struct arith *p, struct arena *a,
                 struct sight *out, struct err *e)
{
    typedef bool ask_fn(struct bench *, const struct arith *, struct arena *, struct sight *,
                        struct err *);
    static ask_fn *const asks[] = {
#define ORACLE(id, name, function, wrong, help) [MISSED_##id] = oracle_##id,
#include "missed/oracle.def"
    };
    b->function = infos[o].function;
    *out = (struct sight){
        .by = {b->own, b->own}, .texts = {"", ""}, .marker = "", .wrong = "", .r = 1};
    out->codes[0] = out->codes[1] = (struct missed_code){.text = "", .whole = ""};
    return asks[o](b, p, a, out, e);
}
