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
    ODD_EMPTY = 2,   /* structures without a member, arrays and initialisers without an element; and
                      * arrays that are never given a size, which is 1 then */
    ODD_END = 4,     /* a main that may fall off its end, where that is asked for */
    ODD_POINTER = 8, /* conversions that need a cast: C11 6.5.16.1p1 */
    ODD_RETURN = 16, /* a return without the function's value: 6.8.6.4p1 */
    ODD_LABEL = 32,  /* a label with no statement after it: 6.8.1p1 */
    ODD_APART = 64,  /* what units share has types that are not compatible: 6.2.7p2 */
    ODD_MEMBER = 128,   /* struct { union u { int m; }; }, which declares no member: 6.7.2.1p2 */
    ODD_OMITTED = 256,  /* a ?: b: 6.5.15p1 */
    ODD_VOID = 512,     /* arithmetic on pointers to functions or void, their sizes: 6.5.6p2 */
    ODD_EXCESS = 1024,  /* more initialisers than there are elements: 6.7.9p2 */
    ODD_NOTHING = 2048, /* a declaration that declares nothing: 6.7p2 */
    ODD_INTERNAL = 4096 /* a static function that is used and not defined: 6.9p3 */
};

static unsigned odd_decl(const struct decl *d)
{
    if (d->kind == DECL_VAR)
        return is_empty_array(d->type) ? ODD_EMPTY : 0;
    bool called = d->kind == DECL_FUNC && d->used && d->name && !str_has_prefix(d->name, "__");
    if (called && d->linkage == LINKAGE_INTERNAL && !d->body)
        return ODD_INTERNAL;
    return d->implicit && called ? ODD_UNDECLARED : 0; /* the library's */
}

static bool is_odd_record(const struct record *r)
{
    bool named = false;
    for (uint32_t i = 0; i < r->count; i++) {
        if (is_empty_array(r->fields[i]->type))
            return true;
        named |= r->fields[i]->name || lang_is_record(r->fields[i]->type->canon);
    }
    return r->complete && r->body && !named;
}

/* int a[]; and no more of it */
static bool is_unsized(const struct node *n)
{
    const struct decl *d = n->kind == NODE_DECLARATOR ? n->u.declarator->decl : NULL;
    return d && d->kind == DECL_VAR && d->storage != STORAGE_EXTERN && !d->init &&
           lang_is_kind(n->type, TYPE_ARRAY) && n->type->flags & TYPE_UNSIZED;
}

/* clang converts vectors by their bits, gcc refuses it. */
static bool converts_vectors(const struct program *p, const struct type *from,
                             const struct type *to)
{
    return from->kind == TYPE_VECTOR && to->kind == TYPE_VECTOR &&
           !lang_compatible(p, from->unqual, to->unqual);
}

/* Newer compilers refuse it, older ones warn. */
static bool needs_cast(const struct program *p, const struct node *n)
{
    if (n->kind != NODE_CAST || !(n->flags & NODE_IMPLICIT))
        return false;
    if (n->op == CONV_INT_PTR || n->op == CONV_PTR_INT)
        return true;
    const struct type *from = n->kid[0]->type->canon, *to = n->type->canon;
    if (converts_vectors(p, from, to))
        return true;
    if (n->op != CONV_PTR && n->op != CONV_NOOP)
        return false;
    if (from->kind != TYPE_POINTER || to->kind != TYPE_POINTER)
        return false;
    from = from->base->canon;
    to = to->base->canon;
    bool drops = from->quals & ~to->quals & (QUAL_CONST | QUAL_VOLATILE);
    bool any = from->kind == TYPE_VOID || to->kind == TYPE_VOID;
    return drops || (!any && !lang_compatible(p, from->unqual, to->unqual));
}

/* l: int a;  or  l: } */
static bool is_odd_label(const struct node *n)
{
    if (n->kind != NODE_LABEL && n->kind != NODE_CASE && n->kind != NODE_DEFAULT)
        return false;
    const struct node *labelled = n->kid[n->count - 1]; /* NULL after an error */
    return labelled && (labelled->kind == NODE_DECL ||
                        (labelled->kind == NODE_EMPTY && labelled->flags & NODE_IMPLICIT));
}

/* Some compilers warn and have no member, others take it for an anonymous one. */
static bool has_odd_member(const struct node *n)
{
    for (uint32_t i = 0; n->kind == NODE_RECORD && i < n->count; i++)
        if (n->kid[i] && n->kid[i]->kind == NODE_DECL && n->kid[i]->count == 0)
            return true;
    return false;
}

/* A return of the other kind than the function's result asks for. */
static bool has_odd_return(const struct node *n, bool is_void)
{
    if (n->kind == NODE_RETURN && (n->kid[0] != NULL) == is_void)
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !view_is_expr(n->kid[i]) && has_odd_return(n->kid[i], is_void))
            return true;
    return false;
}

static bool is_odd_function(const struct function *f)
{
    return has_odd_return(f->body, lang_is_kind(f->decl->type->canon->base, TYPE_VOID));
}

/* What has no size. */
static bool is_void_or_function(const struct type *t)
{
    return t->canon->kind == TYPE_VOID || t->canon->kind == TYPE_FUNCTION;
}

static bool points_nowhere(const struct node *n)
{
    const struct type *t = n && n->type ? n->type->canon : NULL;
    return t && t->kind == TYPE_POINTER && is_void_or_function(t->base);
}

/* p + 1, sizeof(void) */
static bool has_void_arithmetic(const struct node *n)
{
    if (n->kind == NODE_SIZEOF)
        return n->u.operand && is_void_or_function(n->u.operand);
    return n->kind == NODE_BINARY && (n->op == OP_ADD || n->op == OP_SUB) &&
           (points_nowhere(n->kid[0]) || points_nowhere(n->kid[1]));
}

/* int;  or  struct { int a; }; */
static bool declares_nothing(const struct node *n)
{
    if (!n || n->kind != NODE_DECL || n->count > 0 || !n->type)
        return false;
    const struct type *t = n->type->canon;
    return t->kind != TYPE_ENUM && !(lang_is_record(t) && t->u.record->tag);
}

/* Of members has_odd_member knows. */
static bool has_empty_declaration(const struct node *n)
{
    bool scope = n->kind == NODE_UNIT || n->kind == NODE_BLOCK;
    for (uint32_t i = 0; scope && i < n->count; i++)
        if (declares_nothing(n->kid[i]))
            return true;
    return false;
}

static unsigned odd_node(const struct program *p, const struct node *n)
{
    unsigned odd = (n->kind == NODE_INIT && n->count == 0) || is_unsized(n) ? ODD_EMPTY : 0;
    odd |= needs_cast(p, n) ? ODD_POINTER : 0;
    odd |= is_odd_label(n) ? ODD_LABEL : 0;
    odd |= has_odd_member(n) ? ODD_MEMBER : 0;
    odd |= n->kind == NODE_COND && !n->kid[1] ? ODD_OMITTED : 0;
    odd |= has_void_arithmetic(n) ? ODD_VOID : 0;
    odd |= has_empty_declaration(n) ? ODD_NOTHING : 0;
    return odd;
}

static uint16_t oddities(const struct program *p)
{
    unsigned odd = (p->undeclared ? ODD_UNDECLARED : 0) | (p->excess ? ODD_EXCESS : 0);
    for (size_t i = 0; i < p->functions.n; i++)
        odd |= is_odd_function(p->functions.at[i]) ? ODD_RETURN : 0;
    for (size_t i = 0; i < p->decls.n; i++)
        odd |= odd_decl(p->decls.at[i]);
    for (size_t i = 0; i < p->records.n; i++)
        odd |= is_odd_record(p->records.at[i]) ? ODD_EMPTY : 0;
    for (uint32_t i = 0; i < p->node_count; i++)
        odd |= odd_node(p, p->nodes[i]);
    return (uint16_t)odd;
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
    s->odd |= units_are_apart(s->views, s->count) ? ODD_APART : 0;
    return true;
}

/* A pragma about the loop behind it. */
static bool is_about_loop(const struct node *n)
{
    static const char *const words[] = {"GCC unroll", "GCC ivdep", "GCC novector", "clang loop",
                                        "unroll",     "nounroll",  "omp"};
    const char *text = n->kind == NODE_PRAGMA ? strstr(n->u.text, "pragma") : NULL;
    if (!text)
        return false;
    text += strlen("pragma");
    text += strspn(text, " \t");
    for (size_t i = 0; i < LENGTH(words); i++)
        if (str_has_prefix(text, words[i]))
            return true;
    return false;
}

static bool is_loop(const struct node *n)
{
    return n->kind == NODE_FOR || n->kind == NODE_WHILE || n->kind == NODE_DO;
}

/* Pragmas of a block whose loop is gone. */
static void find_stray_pragmas(const struct node *block, struct arena *a, struct list *found)
{
    bool stray = true;
    for (uint32_t i = block->count; i-- > 0;) {
        struct node *kid = block->kid[i];
        if (kid->kind != NODE_PRAGMA)
            stray = !is_loop(kid);
        else if (stray && is_about_loop(kid))
            list_add(a, found, kid);
    }
}

/* clang refuses a program with such a pragma, so that it would not do for the reference. */
static struct edit *drop_stray_pragmas(const struct program *p, struct arena *a, size_t *n)
{
    struct list found = {0};
    for (uint32_t i = 0; i < p->node_count; i++)
        if (p->nodes[i]->kind == NODE_BLOCK)
            find_stray_pragmas(p->nodes[i], a, &found);
    struct edit *edits = NEW_ARRAY(a, found.n, struct edit);
    for (*n = 0; *n < found.n; ++*n)
        edits[*n] = (struct edit){EDIT_DROP, ((const struct node *)found.at[*n])->id, NULL};
    return edits;
}

/* The texts as the printer lays them out.  What is printed is what is read next. */
static void print_units(struct subject *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct text out = {0};
        size_t n;
        struct edit *edits = drop_stray_pragmas(s->views[i].p, &s->arena, &n);
        lang_print(s->views[i].p, edits, n, &out);
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

const char *subject_depends_on(struct subject *s, const struct reduce_options *o)
{
    struct machine_unit *units = NEW_ARRAY(&s->arena, s->count, struct machine_unit);
    struct machine_options mo = {.memory = MEMORY,
                                 .input = o->input,
                                 .input_size = o->input_size,
                                 .args = o->args,
                                 .stop = sys_cancelled,
                                 .steady = true};
    for (size_t i = 0; i < s->count; i++)
        units[i].program = s->views[i].p;
    struct machine_execution x = machine_execute(units, s->count, &mo);
    const char *why = x.defined ? NULL : arena_string(&s->arena, x.why->detail);
    machine_execution_free(&x);
    return why;
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

/* Everything that passes ask for. */
static bool look_closely(struct subject *s, const struct reduce_options *o, const char **why)
{
    if (o->filter != REDUCE_TEXT && !read_units(s, o, why))
        return false;
    for (size_t i = 0; i < s->count; i++) {
        struct view *v = &s->views[i];
        v->unit = (uint32_t)i;
        v->text = text_str(&s->texts[i]);
        v->size = (uint32_t)s->texts[i].n;
        view_open(v, &s->arena);
    }
    return o->filter != REDUCE_DEFINED || execute(s, o, true, why);
}

bool subject_open(struct subject *s, const struct reduce_options *o, struct text *texts,
                  size_t count, const char **why)
{
    if (!subject_try(s, o, texts, count, why))
        return false;
    machine_free(s->machine);
    s->machine = NULL;
    forget_units(s);
    return look_closely(s, o, why);
}

bool subject_reopen(struct subject *s, const struct reduce_options *o, struct text *texts,
                    size_t count, const char **why)
{
    *why = "";
    start(s, texts, count);
    s->hash = hash_texts(s->texts, count);
    s->size = reduce_measure(s->texts, count);
    return look_closely(s, o, why);
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

static const char *write_constant(const struct view *v, const struct type *t, uint64_t bits,
                                  struct arena *a)
{
    const char *suffix = lang_int_suffix(t->kind);
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
