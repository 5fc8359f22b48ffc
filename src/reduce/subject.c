/* The program that is being reduced: its texts, read and executed. */
#include "reduce/private.h"

#include "front/front.h"
#include "sys/sys.h"

#include <stdlib.h>
#include <string.h>

/* What one execution may take: it is the smallest of thousands. */
enum { FUEL_FIRST = 1 << 24, FUEL_MORE = 20000, MEMORY = 1 << 28 };

static size_t count_lines(const char *s, size_t n)
{
    size_t lines = 0;
    bool blank = true;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '\n') {
            lines += !blank;
            blank = true;
        } else if (s[i] != ' ' && s[i] != '\t') {
            blank = false;
        }
    }
    return lines + !blank;
}

struct reduce_size reduce_measure(const struct text *units, size_t count)
{
    struct reduce_size size = {0};
    for (size_t i = 0; i < count; i++) {
        const char *s = text_str(&units[i]);
        size_t words;
        size.tokens += tokens_count(s, units[i].n, &words);
        size.words += words;
        size.bytes += units[i].n;
        size.lines += count_lines(s, units[i].n);
    }
    return size;
}

static uint64_t hash_texts(const struct text *texts, size_t n)
{
    uint64_t hash = n;
    for (size_t i = 0; i < n; i++)
        hash = hash_pair(hash, hash_bytes(text_str(&texts[i]), texts[i].n));
    return hash;
}

/* ---- reading ---------------------------------------------------------------------------- */

/* int a[0] */
static bool is_empty_array(const struct type *t)
{
    while (t->kind == TYPE_ARRAY && (!t->u.length || t->u.count))
        t = t->base;
    return t->kind == TYPE_ARRAY;
}

/* What compilers take but C11 does not have. */
enum {
    ODD_UNDECLARED = 1, /* functions and parameters without a declaration */
    ODD_EMPTY = 2, /* structures without a member, arrays and initialisers without an element */
    ODD_END = 4    /* a main that may fall off its end, where that is asked for */
};

static unsigned odd_decl(const struct decl *d)
{
    if (d->kind == DECL_VAR)
        return is_empty_array(d->type) ? ODD_EMPTY : 0;
    bool called = d->kind == DECL_FUNC && d->used && d->name && !str_has_prefix(d->name, "__");
    return d->implicit && called ? ODD_UNDECLARED : 0; /* the library's */
}

static bool is_odd_record(const struct record *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (is_empty_array(r->fields[i]->type))
            return true;
    return r->complete && r->body && r->count == 0;
}

static uint8_t oddities(const struct program *p)
{
    unsigned odd = p->undeclared ? ODD_UNDECLARED : 0;
    for (size_t i = 0; i < p->decls.n; i++)
        odd |= odd_decl(p->decls.at[i]);
    for (size_t i = 0; i < p->records.n; i++)
        odd |= is_odd_record(p->records.at[i]) ? ODD_EMPTY : 0;
    for (uint32_t i = 0; i < p->node_count; i++)
        odd |= p->nodes[i]->kind == NODE_INIT && p->nodes[i]->count == 0 ? ODD_EMPTY : 0;
    return (uint8_t)odd;
}

/* Can control reach the end of main, as far as its last statement tells? */
static bool main_falls_off(const struct program *p)
{
    for (size_t i = 0; i < p->functions.n; i++) {
        const struct function *f = p->functions.at[i];
        const struct node *last = f->body->count ? f->body->kid[f->body->count - 1] : NULL;
        if (f->decl->name && strcmp(f->decl->name, "main") == 0)
            return !last || last->kind != NODE_RETURN || !last->kid[0];
    }
    return false;
}

static bool read_units(struct subject *s, const struct reduce_options *o, const char **why)
{
    for (size_t i = 0; i < s->count; i++) {
        struct front_options fo = {.target = o->target, .max_errors = 1};
        struct unit u = front_parse(text_str(&s->texts[i]), s->texts[i].n, &fo);
        s->views[i].p = u.program;
        s->odd |= oddities(u.program);
        s->odd |= o->main_returns && main_falls_off(u.program) ? ODD_END : 0;
        if (u.error_count) {
            *why = arena_printf(&s->arena, "line %u: %s", u.errors[0].place.line,
                                u.errors[0].message);
            return false;
        }
    }
    return true;
}

/* The texts as the printer lays them out.  What is printed is what is read next. */
static void print_units(struct subject *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct text out = {0};
        lang_print(s->views[i].p, NULL, 0, &out);
        while (out.n > 1 && out.s[out.n - 1] == '\n' && out.s[out.n - 2] == '\n')
            out.s[--out.n] = 0;
        tokens_shorten(&out);
        text_free(&s->texts[i]);
        s->texts[i] = out;
    }
}

static void forget_units(struct subject *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->views[i].p)
            lang_program_free(s->views[i].p);
        s->views[i].p = NULL;
    }
}

/* ---- executing -------------------------------------------------------------------------- */

static bool execute(struct subject *s, const struct reduce_options *o, bool facts, const char **why)
{
    struct machine_unit *units = NEW_ARRAY(&s->arena, s->count, struct machine_unit);
    for (size_t i = 0; i < s->count; i++)
        units[i].program = s->views[i].p;
    struct machine_options mo = {.fuel = s->steps ? 2 * s->steps + FUEL_MORE : FUEL_FIRST,
                                 .memory = MEMORY,
                                 .input = o->input,
                                 .input_size = o->input_size,
                                 .args = o->args,
                                 .stop = sys_cancelled,
                                 .values = facts};
    s->machine = machine_new(units, s->count, &mo);
    const struct machine_result *r = machine_run(s->machine);
    s->end = r->end;
    s->steps = r->steps;
    if (r->end == MACHINE_UNDEFINED)
        *why = arena_printf(&s->arena, "%s%s%s", machine_ub_info[r->ub].message,
                            *r->detail ? ": " : "", r->detail);
    else if (r->end != MACHINE_FINISHED)
        *why = arena_string(&s->arena, r->detail);
    return r->end == MACHINE_FINISHED;
}

bool subject_order_matters(struct subject *s, const struct reduce_options *o)
{
    struct machine_unit *units = NEW_ARRAY(&s->arena, s->count, struct machine_unit);
    struct machine_options mo = {
        .memory = MEMORY, .input = o->input, .input_size = o->input_size, .args = o->args};
    struct machine_result found;
    for (size_t i = 0; i < s->count; i++)
        units[i].program = s->views[i].p;
    return machine_order_matters(units, s->count, &mo, s->machine, &found);
}

struct reduce_expect subject_expect(const struct subject *s)
{
    if (!s->machine)
        return (struct reduce_expect){0};
    const struct machine_result *r = machine_result(s->machine);
    return (struct reduce_expect){true, text_str(&r->output), r->output.n, r->status};
}

static void start(struct subject *s, struct text *texts, size_t count)
{
    s->count = count;
    s->texts = NEW_ARRAY(&s->arena, count, struct text);
    s->views = NEW_ARRAY(&s->arena, count, struct view);
    for (size_t i = 0; i < count; i++) {
        s->texts[i] = texts[i];
        texts[i] = (struct text){0};
    }
}

/* Defined where it must be; with a guard, undefined as far as it can be executed nowhere. */
static bool is_let_through(struct subject *s, const struct reduce_options *o, const char **why)
{
    if (o->filter == REDUCE_DEFINED)
        return execute(s, o, false, why);
    if (o->filter != REDUCE_VALID || !o->guard || execute(s, o, false, why))
        return true;
    if (s->end == MACHINE_UNDEFINED)
        return false;
    machine_free(s->machine);
    s->machine = NULL;
    s->steps = 0;
    return true;
}

bool subject_try(struct subject *s, const struct reduce_options *o, struct text *texts,
                 size_t count, const char **why)
{
    *why = "";
    start(s, texts, count);
    if (o->filter != REDUCE_TEXT) {
        if (!read_units(s, o, why))
            return false;
        print_units(s);
    } else {
        for (size_t i = 0; i < count; i++)
            tokens_squeeze(&s->texts[i]);
    }
    s->hash = hash_texts(s->texts, count);
    s->size = reduce_measure(s->texts, count);
    return is_let_through(s, o, why);
}

bool subject_open(struct subject *s, const struct reduce_options *o, struct text *texts,
                  size_t count, const char **why)
{
    if (!subject_try(s, o, texts, count, why))
        return false;
    machine_free(s->machine);
    s->machine = NULL;
    forget_units(s);
    if (o->filter != REDUCE_TEXT && !read_units(s, o, why))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct view *v = &s->views[i];
        v->unit = (uint32_t)i;
        v->text = text_str(&s->texts[i]);
        v->size = (uint32_t)s->texts[i].n;
        view_open(v, &s->arena);
    }
    return o->filter != REDUCE_DEFINED || execute(s, o, true, why);
}

void subject_close(struct subject *s)
{
    machine_free(s->machine);
    forget_units(s);
    for (size_t i = 0; i < s->count; i++)
        text_free(&s->texts[i]);
    arena_free(&s->arena);
    *s = (struct subject){0};
}

/* ---- facts ------------------------------------------------------------------------------ */

struct machine_fact subject_fact(const struct subject *s, const struct view *v,
                                 const struct node *n)
{
    return s->machine ? machine_fact(s->machine, v->unit, n) : (struct machine_fact){0};
}

bool subject_ran(const struct subject *s, const struct view *v, const struct node *n)
{
    return !s->machine || subject_fact(s, v, n).count > 0;
}

/* The type in which the value is used, as a constant would have it. */
static const char *suffix_of(const struct type *t)
{
    switch (t->kind) {
    case TYPE_UINT:
        return "U";
    case TYPE_LONG:
        return "L";
    case TYPE_ULONG:
        return "UL";
    case TYPE_LLONG:
        return "LL";
    case TYPE_ULLONG:
        return "ULL";
    default:
        return "";
    }
}

static const char *write_constant(const struct view *v, const struct type *t, uint64_t bits,
                                  struct arena *a)
{
    const char *suffix = suffix_of(t);
    if (!lang_int_signed(v->p, t))
        return arena_printf(a, "%llu%s", (unsigned long long)bits, suffix);
    if ((int64_t)bits == INT64_MIN)
        return arena_printf(a, "(-%lld%s-1)", (long long)INT64_MAX, suffix);
    if (*suffix == 0 && (int64_t)bits == INT32_MIN)
        return "(-2147483647-1)";
    return arena_printf(a, (int64_t)bits < 0 ? "(%lld%s)" : "%lld%s", (long long)bits, suffix);
}

const char *subject_constant(const struct subject *s, const struct view *v, struct node *n,
                             struct arena *a)
{
    struct node *top = n;
    while (v->parent[top->id] && v->parent[top->id]->kind == NODE_CAST &&
           v->parent[top->id]->flags & NODE_IMPLICIT && v->parent[top->id]->op == CONV_LVALUE)
        top = v->parent[top->id];
    struct machine_fact f = subject_fact(s, v, top);
    const struct type *t = top->type;
    if (!f.has_value || !f.same || !lang_is_integer(t) || lang_int_width(v->p, t) > 64)
        return NULL;
    return write_constant(v, t->unqual, f.bits, a);
}
