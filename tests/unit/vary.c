/* vary: whatever is drawn, the variant is read without an error, is defined, and behaves as the
 * program did. */
#include "front/front.h"
#include "gen/gen.h"
#include "machine/machine.h"
#include "vary/vary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct subject {
    struct unit unit;
    struct vary_facts *facts;
    struct vary *vary;
    struct text output;
    int status;
};

static struct unit parse(const char *text)
{
    struct unit u = front_parse(text, strlen(text), &(struct front_options){.file = "t.c"});
    if (u.error_count)
        fail_msg("line %u: %s in:\n%s", u.errors[0].place.line, u.errors[0].message, text);
    return u;
}

struct witness {
    struct program *p;
    struct vary_facts *facts; /* NULL: none are wanted */
};

static void take_run(void *context, const struct machine *m)
{
    struct witness *w = context;
    if (w->facts)
        vary_facts_add_run(w->facts, w->p, m, 0);
}

/* In every order, and whatever a compiler knows: so it is executed. */
static void finish(struct unit *u, struct vary_facts *facts, struct text *output, int *status,
                   const char *text)
{
    struct machine_unit mu = {.program = u->program};
    struct witness w = {u->program, facts};
    struct machine_options o = {.values = true, .witness = take_run, .witness_context = &w};
    struct machine_execution x = machine_execute(&mu, 1, &o);
    if (!x.defined)
        fail_msg("ended otherwise (%s %s) in:\n%s", machine_end_name(x.why->end), x.why->detail,
                 text);
    text_add(output, text_str(&x.run->output), x.run->output.n);
    *status = x.run->status;
    machine_execution_free(&x);
}

static struct subject open_subject(const char *text)
{
    struct subject s = {.unit = parse(text)};
    s.facts = vary_facts_new(s.unit.program);
    finish(&s.unit, s.facts, &s.output, &s.status, text);
    s.vary = vary_open(s.unit.program, s.facts);
    return s;
}

static void close_subject(struct subject *s)
{
    vary_close(s->vary);
    vary_facts_free(s->facts);
    lang_program_free(s->unit.program);
    text_free(&s->output);
}

/* Both ways of writing a variant: into the text, and printed anew. */
static void check_variant(struct subject *s, uint64_t seed, const struct vary_options *o,
                          uint32_t made[MUTATION_COUNT])
{
    struct vary_variant v = vary_draw(s->vary, seed, o);
    for (unsigned i = 0; i < MUTATION_COUNT; i++)
        made[i] += v.made[i];
    for (int printed = 0; printed < 2; printed++) {
        struct text text = {0}, output = {0};
        int status = -1;
        if (printed)
            lang_print(s->unit.program, v.edits, v.count, &text);
        else
            lang_splice(s->unit.program, v.edits, v.count, &text);
        struct unit u = parse(text_str(&text));
        finish(&u, NULL, &output, &status, text_str(&text));
        if (status != s->status || strcmp(text_str(&output), text_str(&s->output)) != 0)
            fail_msg("status %d and \"%s\" became %d and \"%s\" in:\n%s", s->status,
                     text_str(&s->output), status, text_str(&output), text_str(&text));
        lang_program_free(u.program);
        text_free(&text);
        text_free(&output);
    }
    vary_forget(s->vary);
}

/* ---- programs in which something hangs on what never ran -------------------------------- */

static const char *const programs[] = {
    /* labels that live code names, though the jump was never made */
    "int printf(const char *, ...);\n"
    "int f(int x) { if (x) goto out; x = 2; if (x > 5) { x++;\nout: x = 7; } return x; }\n"
    "int main(void) { return printf(\"%d\\n\", f(0)) - 2; }\n",
    /* cases of an outer switch inside of dead statements; a declaration that is jumped over */
    "int g; int f(int x) { switch (x) { int y; case 1: y = 3; g += y; break; case 2: if (g) { "
    "case 3: g = 9; } default: g--; { case 4: g++; } } return g; }\n"
    "int main(void) { return f(1) + f(1) == 9 ? 0 : 1; }\n",
    /* statement expressions: the last statement is the value */
    "int z; int main(void) { int a = ({ int t = 3; if (z) { t = 9; t++; } t; }); "
    "if (z) a = ({ int u = a; u + 1; }); return a - 3; }\n",
    /* __label__, addresses of labels, computed goto */
    "int k; int main(void) { __label__ a, b; static void *t[] = { &&a, &&b }; int n = 0;\n"
    "again: goto *t[k++ & 1];\na: n += 2; if (n < 5) goto again; goto end;\n"
    "b: n += 1; if (k > 90) { n = 3; b2: n++; } goto again;\nend: return n - 6; }\n",
    /* variably modified types, static locals */
    "int z = 0; int f(int n) { int a[n]; static int s; for (int i = 0; i < n; i++) a[i] = i; "
    "if (z) { int b[n + 1]; static int q = 4; b[0] = q; s = b[0]; } s += a[n - 1]; return s; }\n"
    "int main(void) { int r = f(3); return r + f(4) == 7 ? 0 : 1; }\n",
    /* names that mean something else elsewhere */
    "struct s { int m; } g; int x = 5; typedef int t; enum { E = 3 };\n"
    "int f(int f, char x, t t) { struct s { char c; } v = { 1 }; if (x == 90) { v.c = (char)f; "
    "x = 2; } { int g = v.c; if (g > 5) g = t; return g + x; } }\n"
    "int h(void) { if (x == 4) { g.m = E; x = (t)g.m; struct s y = g; g = y; } return x; }\n"
    "int main(void) { return f(1, 2, 3) + h() - 8; }\n",
    /* else belongs to the inner if; bodies without braces */
    "int z, n; int main(void) { if (n == 0) if (z) n = 1; else n += 2; else if (z) n = 9; "
    "for (; z;) if (n) n--; else n++; while (z) z--; do if (z) n = 8; while (z); return n - 2; }\n",
    /* ?: && || and what is never evaluated; loops' heads */
    "int z; long l = 70000; int f(int a) { return z && a / z ? 1 : z || a > 3 ? a : 7; }\n"
    "int main(void) { int i = 1, j = 0; while (i != 1024 || j <= 0) { i *= 2; ++j; } "
    "unsigned u = z ? 3u : (unsigned)(l + j); return f(5) + (j - 10) + (u == 70010 ? 0 : 1) - 5; "
    "}\n",
    /* functions that are never called, in every form */
    "int v[3]; static int a(int x) { static int k; k += x; return k; }\n"
    "int b(x, y) int x; char y; { return x + y; }\nvoid c(void) { v[0]++; return; }\n"
    "struct p { int a, b; } d(struct p q) { q.a++; return q; }\n"
    "int main(void) { int (*f)(int) = a; return f == 0; }\n",
    /* known values: signed, unsigned, wide, narrow, pointers, _Bool, enum */
    "int printf(const char *, ...); int g = -5; unsigned char c = 250; unsigned long ul = ~0ul; "
    "long long ll = -1; _Bool b = 1; enum e { P, Q } e = Q; int *p, *q = &g;\n"
    "int main(void) { int s = 0; s = g + 1; s += c; s = s ^ (int)ul; s = s + (int)ll; s = s + b; "
    "s = s + e; if (!p) s++; if (q) s += *q; g = s; switch (e) { case Q: s++; } "
    "printf(\"%d\\n\", s); return 0; }\n",
    /* a pragma and an attribute that stand for what follows */
    "int z, n; int main(void) { for (int i = 0; i < 3; i++) {\n#pragma GCC unroll 2\n"
    "for (int j = 0; j < z; j++) n++; switch (i) { case 0: n++; __attribute__((fallthrough)); "
    "case 1: n++; } } return n - 3; }\n",
    /* what is jumped into may run without any statement of it being counted */
    "int n = 3, z; int main(void) { switch (6 & 7) { default: { n = 5; } break; case 1: n++; "
    "break; "
    "case 6: { } case 8188: { } ; } if (n == 3) goto in; { n = 9; in: ; { } }\n"
    "switch (n) { case 4: z = 1; case 3: ; } return n - 3; }\n",
    /* an enumeration without a name (zlib's codetype): nothing can be cast to it */
    "typedef enum { A, B = -1, C = 7 } kind; int n, z; kind last;\n"
    "int f(kind k, int m) { n = m; n++; if (k == B) n = 9; last = z ? k : C; n += last; n--; "
    "return n; }\nint main(void) { return f(A, 1) + f(C, 2) - 17; }\n",
    /* bit-fields, const, volatile, unions, arrays of structures */
    "struct b { unsigned a : 3, b : 30; const int k; volatile int v; union { int i; float f; } u; "
    "} s = { 1, 2, 3, 4, { 5 } }, t[2][2]; const int c = 4; int z;\n"
    "int main(void) { if (z) { s.a = z ? s.b : 7; t[1][0].v++; s.u.f = 2; } s.b += s.a; "
    "return s.b + s.k + s.v + s.u.i + c + t[0][1].v - 19; }\n",
    /* what runs where the compiler knows a constant, or the size of an object */
    "unsigned long n = 5, z; char b[9]; int f(unsigned long x) { if (__builtin_constant_p(x)) "
    "{ x += 2; x -= 2; return (int)x; } return __builtin_constant_p(n) ? (int)(n ^ z) : (int)(n | "
    "z); }\nint g(char *p) { unsigned long s = __builtin_object_size(p, 0); if (s != ~0ul) { z = "
    "s; z = 0; } return 3; }\nint main(void) { return f(4) - (__builtin_constant_p(n) ? 5 : "
    "(int)n) "
    "+ g(b) - 3 ? f(4) - 4 && f(4) - 5 : 0; }\n",
    /* what runs in another order of evaluation: the sum is the same */
    "int s, t; int a(void) { s++; if (s == 2) { t = 4; t = 0; } return 1; }\n"
    "int b(void) { s++; if (s == 1) { t = 5; t = 0; } return 1; }\n"
    "int main(void) { int r = a() + b(); return r + t - 2; }\n",
    /* arrays of many dimensions: a subscript has subscripts, but not for ever */
    "unsigned char a[3][2][4][5]; short b[2][2][2][2][2]; int z;\n"
    "int main(void) { if (z) { a[1][1][1][z] = 2; b[z][0][1][0][1]--; } a[2][1][3][4] += 7; "
    "return a[2][1][3][4] + b[1][1][1][1][1] - 7; }\n",
    /* records, arrays and enumerations that the file completes further down */
    "typedef struct s s; typedef union u u; extern int tail[]; extern s one; int z; s *make(int "
    "k); "
    "int get(s *p); s pass(s v);\n"
    "int first(s *p, u *q) { int r = get(p); if (z) { r = q != 0; z = 3; } r++; if (z == 4) r = 2; "
    "return r; }\n"
    "struct s { int m, n[3]; s *next; }; s one = { 4, { 1, 2 } }; union u { int i; s v; } both; "
    "int tail[4] = { 1, 2, 3 };\n"
    "s *make(int k) { if (k > 9) { one.next = &one; both.v = one; tail[1] = sizeof(s); } "
    "one.m += k; return &one; }\n"
    "int get(s *p) { if (p->m == 99) { s c = *p; p->n[1] = c.n[2] + tail[sizeof tail / 5]; } "
    "return p->m + p->n[1]; }\n"
    "s pass(s v) { v.m++; return v; }\n"
    "int main(void) { return first(make(3), &both) - 10 + tail[2] - 3; }\n",
    /* hints: pointers that are null now and then, loops with and without stores, calls that do not
     * come back, packed records */
    "void exit(int); typedef struct { char c; int i; } __attribute__((packed)) tight; tight t[2]; "
    "struct r { int a, b; } r[3]; int v[8], z;\n"
    "static int get(struct r *p, int k) { p->a = p->b + k; p->b ^= k; return p->a; }\n"
    "static int may(int *p, int k) { if (p) *p = k * 2; return p ? *p : k; }\n"
    "static int skip(tight *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i].i; while "
    "(n "
    "> 0) { n--; s += v[n]; } do { v[n] += s; n++; } while (n < 8); return s; }\n"
    "static int leave(int k) { if (k == 4) exit(v[3] - 14); return k; }\n"
    "int main(void) { int s = 0; for (int k = 0; k < 9; k++) { s += get(&r[k % 3], k); s += may(k "
    "& 1 "
    "? &v[k] : 0, k); int last = k; last = leave(k) + last + s; t[k & 1].i = last; int odd = "
    "skip(t, 2) & 1; v[k] += odd; } return z ? 3 : s; }\n",
};

static void test_programs(void **state)
{
    (void)state;
    uint32_t made[MUTATION_COUNT] = {0};
    for (size_t i = 0; i < LENGTH(programs); i++) {
        struct subject s = open_subject(programs[i]);
        for (uint64_t seed = 0; seed < 120; seed++)
            check_variant(&s, seed, &(struct vary_options){.gnu = seed % 2}, made);
        for (unsigned m = 0; m < MUTATION_COUNT; m++)
            for (uint64_t seed = 0; seed < 12; seed++)
                check_variant(&s, seed, &(struct vary_options){.mutations = 1u << m, .gnu = true},
                              made);
        close_subject(&s);
    }
    for (unsigned m = 0; m < MUTATION_COUNT; m++)
        if (!made[m])
            fail_msg("%s was never made", vary_mutation_info[m].name);
}

/* ---- the paper's first figure ----------------------------------------------------------- */

static const char figure_1[] =
    "void abort(void); void exit(int);\n"
    "struct tiny { char c; char d; char e; };\n"
    "void f(int n, struct tiny x, struct tiny y, struct tiny z, long l)\n"
    "{\n"
    "  if (x.c != 10)\n    abort();\n  if (x.d != 20)\n    abort();\n  if (x.e != 30)\n    "
    "abort();\n"
    "  if (y.c != 11)\n    abort();\n  if (y.d != 21)\n    abort();\n  if (y.e != 31)\n    "
    "abort();\n"
    "  if (z.c != 12)\n    abort();\n  if (z.d != 22)\n    abort();\n  if (z.e != 32)\n    "
    "abort();\n"
    "  if (l != 123)\n    abort();\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "  struct tiny x[3];\n"
    "  x[0].c = 10; x[1].c = 11; x[2].c = 12;\n"
    "  x[0].d = 20; x[1].d = 21; x[2].d = 22;\n"
    "  x[0].e = 30; x[1].e = 31; x[2].e = 32;\n"
    "  f(3, x[0], x[1], x[2], (long)123);\n"
    "  exit(0);\n"
    "}\n";

/* The ids of the ten calls, in order. */
static void find_aborts(const struct program *p, uint32_t ids[10])
{
    unsigned n = 0;
    for (uint32_t i = 0; i < p->node_count; i++) {
        const struct node *s = p->nodes[i];
        if (s->kind == NODE_EXPR_STMT && s->end > s->begin &&
            strncmp(p->text + s->begin, "abort", 5) == 0 && n < 10)
            ids[n++] = s->id;
    }
    assert_int_equal(n, 10);
}

static void test_figure_1(void **state)
{
    (void)state;
    struct subject s = open_subject(figure_1);
    struct vary_options prune = {.mutations = 1u << MUTATION_PRUNE};
    uint32_t ids[10], pruned[10] = {0}, kept[10] = {0}, subsets = 0, sizes[11] = {0};
    static bool seen[1024];
    find_aborts(s.unit.program, ids);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct vary_variant v = vary_draw(s.vary, seed, &prune);
        unsigned subset = 0;
        for (size_t e = 0; e < v.count; e++) {
            assert_int_equal(v.edits[e].kind, EDIT_DROP);
            unsigned k = 0;
            while (k < 10 && ids[k] != v.edits[e].node)
                k++;
            assert_true(k < 10); /* nothing else is dead */
            subset |= 1u << k;
        }
        for (unsigned k = 0; k < 10; k++)
            ++*(subset >> k & 1 ? &pruned[k] : &kept[k]);
        subsets += !seen[subset];
        seen[subset] = true;
        sizes[__builtin_popcount(subset)]++;
    }
    for (unsigned k = 0; k < 10; k++) {
        assert_true(pruned[k] > 100);
        assert_true(kept[k] > 100);
    }
    assert_true(subsets > 300);
    assert_true(sizes[1] && sizes[5] && sizes[9]);
    close_subject(&s);
}

/* ---- the paper's third figure ----------------------------------------------------------- */

static const char figure_3[] = "int a, b, c, d, e;\n"
                               "int main(void) {\n"
                               "  for (b = 4; b > -30; b--)\n"
                               "    for (; c;)\n"
                               "      for (;;) {\n"
                               "        b++;\n"
                               "        e = a > 2147483647 - b;\n"
                               "        if (d) break;\n"
                               "      }\n"
                               "  return 0;\n"
                               "}\n";

/* Algorithm 2 by itself, on the statements that are dead there: is the third figure its outcome? */
struct orion {
    struct rng rng;
    double parent, leaf;
};

static double probability(struct orion *o)
{
    return (double)rng_below(&o->rng, 1 << 20) / (1 << 20);
}

static bool flips(struct orion *o, bool parent)
{
    bool gone = probability(o) < (parent ? o->parent : o->leaf);
    if (gone) {
        o->parent = probability(o);
        o->leaf = probability(o);
    }
    return gone;
}

static bool gives_figure_3(struct orion *o)
{
    o->parent = probability(o);
    o->leaf = probability(o);
    bool loop = flips(o, true), block = loop || flips(o, true), step = block || flips(o, false);
    bool value = block || flips(o, false), test = block || flips(o, true);
    bool leave = test || flips(o, false);
    return !block && step && !value && !test && !leave;
}

static void test_figure_3(void **state)
{
    (void)state;
    enum { SEEDS = 8000 };
    struct subject s = open_subject(figure_3);
    struct vary_options prune = {.mutations = 1u << MUTATION_PRUNE};
    struct orion o = {.rng = rng_seed(3)};
    int seen = 0, wanted = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct vary_variant v = vary_draw(s.vary, seed, &prune);
        const struct node *n = v.count == 1 ? s.unit.program->nodes[v.edits[0].node] : NULL;
        seen += n && strncmp(s.unit.program->text + n->begin, "b++;", 4) == 0;
        wanted += gives_figure_3(&o);
    }
    assert_true(wanted > 100);
    assert_in_range(seen, wanted - wanted / 5, wanted + wanted / 5);
    close_subject(&s);
}

/* ---- how many edits, and where ---------------------------------------------------------- */

/* A harness as Csmith's: the checksum and its table are no place for new code. */
static const char checksum[] =
    "int printf(const char *, ...); static unsigned tab[8], sum; int g[4], h, z;\n"
    "static void fill(void) { for (unsigned i = 0; i < 8; i++) { unsigned c = i; for (int j = 0; j "
    "< "
    "8; j++) { if (c & 1) c = (c >> 1) ^ 0xedb88320u; else c = c >> 1; } tab[i] = c; } }\n"
    "static void byte(unsigned b) { sum = (sum >> 3) ^ tab[(sum ^ b) & 7]; sum = sum + 1; }\n"
    "static void add(unsigned v, int show) { byte(v & 255); byte(v >> 8 & 255); if (show) "
    "printf(\"%x\\n\", sum); }\n"
    "static int work(int k) { int t = k; t = t * 3 + g[k & 3]; if (z) t = 9; g[k & 3] = t ^ h; h = "
    "h "
    "+ t; return t - h; }\n"
    "static int more(void) { int t = work(1); t = t + work(2); g[0] = t; t = t - g[1]; return t; "
    "}\n"
    "int main(void) { fill(); more(); for (int i = 0; i < 4; i++) add((unsigned)g[i], z); "
    "add((unsigned)h, z); printf(\"%u\\n\", sum); return 0; }\n";

static void test_places(void **state)
{
    (void)state;
    struct subject s = open_subject(checksum);
    unsigned work = 0, all = 0;
    const char *text = s.unit.program->text;
    size_t from = (size_t)(strstr(text, "static int work") - text),
           to = (size_t)(strstr(text, "int main") - text);
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct vary_options o = {.mutations = 1u << MUTATION_OPAQUE | 1u << MUTATION_GUARD};
        struct vary_variant v = vary_draw(s.vary, seed, &o);
        for (size_t i = 0; i < v.count; i++) {
            uint32_t at = s.unit.program->nodes[v.edits[i].node]->begin;
            work += at >= from && at < to;
            all++;
        }
    }
    assert_true(all > 300);
    assert_true(work * 10 > all * 8);
    close_subject(&s);
}

static void test_sizes(void **state)
{
    (void)state;
    struct gen_options o = gen_options_default();
    unsigned few = 0, many = 0;
    o.seed = 5;
    struct generated g = gen_program(&o);
    struct unit u = {.program = g.program};
    struct vary_facts *f = vary_facts_new(g.program);
    struct text output = {0};
    int status;
    finish(&u, f, &output, &status, "a generated program");
    struct vary *v = vary_open(g.program, f);
    for (uint64_t seed = 0; seed < 200; seed++) {
        uint32_t n = vary_draw(v, seed, NULL).group_count;
        few += n >= 1 && n <= 3;
        many += n > 6;
    }
    assert_in_range(few, 80, 130);
    assert_in_range(many, 60, 120);
    vary_close(v);
    vary_facts_free(f);
    text_free(&output);
    gen_free(&g);
}

/* ---- facts of lines --------------------------------------------------------------------- */

/* The paper's for loop: the tool calls the head's line unexecuted because its step was not
 * evaluated, though the body ran. */
static void test_ambiguous_for(void **state)
{
    (void)state;
    static const char text[] = "int n;\n"
                               "int main(void)\n"
                               "{\n"
                               "    for (;; n = n + 7) {\n"
                               "        n++;\n"
                               "        break;\n"
                               "    }\n"
                               "    if (n == 5)\n"
                               "        n = 6;\n"
                               "    return n;\n"
                               "}\n";
    static const int64_t counts[] = {-1, -1, 1, 0, 1, 1, -1, 1, 0, 1, -1};
    struct unit u = parse(text);
    struct vary_facts *f = vary_facts_new(u.program);
    vary_facts_add_lines(f, u.program, counts, LENGTH(counts));
    struct vary *v = vary_open(u.program, f);
    struct vary_options prune = {.mutations = 1u << MUTATION_PRUNE};
    unsigned drops = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct vary_variant variant = vary_draw(v, seed, &prune);
        for (size_t i = 0; i < variant.count; i++) {
            const struct node *n = u.program->nodes[variant.edits[i].node];
            assert_int_equal(lang_place(u.program, n->begin).line, 9);
            drops++;
        }
    }
    assert_true(drops > 10);
    vary_close(v);
    vary_facts_free(f);
    lang_program_free(u.program);
}

/* ---- generated programs, which have no text --------------------------------------------- */

static void test_generated(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct gen_options o = gen_options_default();
        o.seed = seed;
        struct generated g = gen_program(&o);
        struct unit u = {.program = g.program};
        struct vary_facts *f = vary_facts_new(g.program);
        struct text output = {0};
        int status;
        finish(&u, f, &output, &status, "a generated program");
        assert_string_equal(text_str(&output), text_str(&g.expect));
        struct vary *v = vary_open(g.program, f);
        for (uint64_t variant = 0; variant < 12; variant++) {
            struct text text = {0}, again = {0};
            struct vary_variant edits = vary_draw(v, variant, NULL);
            assert_true(edits.count > 0);
            lang_print(g.program, edits.edits, edits.count, &text);
            struct unit changed = parse(text_str(&text));
            finish(&changed, NULL, &again, &status, text_str(&text));
            assert_string_equal(text_str(&again), text_str(&g.expect));
            lang_program_free(changed.program);
            text_free(&text);
            text_free(&again);
        }
        vary_close(v);
        vary_facts_free(f);
        text_free(&output);
        gen_free(&g);
    }
}

/* ---- the same seed, the same variant ---------------------------------------------------- */

static void test_seeds(void **state)
{
    (void)state;
    struct subject s = open_subject(programs[5]);
    struct text first = {0}, again = {0};
    struct vary_variant v = vary_draw(s.vary, 4, NULL);
    lang_splice(s.unit.program, v.edits, v.count, &first);
    vary_draw(s.vary, 5, NULL);
    v = vary_draw(s.vary, 4, NULL);
    lang_splice(s.unit.program, v.edits, v.count, &again);
    assert_string_equal(text_str(&first), text_str(&again));
    text_free(&first);
    text_free(&again);
    close_subject(&s);
    unsigned sum = 0;
    for (uint64_t seed = 0; seed < 1000; seed++)
        sum += vary_count(seed);
    assert_in_range(sum, 7500, 8500);
}

/* ---- what depends on where and when it runs --------------------------------------------- */

static void test_steady(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum machine_end end;
    } rows[] = {
        {"long time(long *); int main(void) { return time(0) % 100; }", MACHINE_UNSUPPORTED},
        {"long clock(void); int main(void) { return clock() == clock(); }", MACHINE_UNSUPPORTED},
        {"char *getenv(const char *); int main(void) { return *getenv(\"X\"); }",
         MACHINE_UNDEFINED},
        {"char c[3]; int main(void) { return (unsigned long)c & 15; }", MACHINE_UNSUPPORTED},
        {"int main(void) { int x; return ((unsigned long)&x >> 4) & 63; }", MACHINE_UNSUPPORTED},
        {"int x[4]; int main(void) { return ((unsigned long)x & 3) + (&x[3] - x); }",
         MACHINE_FINISHED},
        {"void *malloc(unsigned long); int main(void) { return (unsigned long)malloc(3) & 15; }",
         MACHINE_FINISHED},
        {"long time(long *); int main(void) { return time(0) > 0; }", MACHINE_FINISHED},
        /* undefined here, though a run that trusts the order finishes elsewhere */
        {"int main(void) { int x = 3; x += x++; return x; }", MACHINE_UNDEFINED},
        {"int x; int f(int a) { return x++ + a; } int main(void) { return f(1) + x; }",
         MACHINE_UNDEFINED},
        {"int x; long time(long *); int f(void) { return x++ + time(0) % 7; }"
         "int main(void) { return f() + x; }",
         MACHINE_UNDEFINED},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct unit u = parse(rows[i].text);
        struct machine_unit mu = {.program = u.program};
        struct machine_execution x = machine_execute(&mu, 1,
                                                     &(struct machine_options){.steady = true});
        if (x.why->end != rows[i].end || x.defined != (rows[i].end == MACHINE_FINISHED))
            fail_msg("%s: %s", rows[i].text, x.why->detail);
        machine_execution_free(&x);
        lang_program_free(u.program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),      cmocka_unit_test(test_figure_1),
        cmocka_unit_test(test_ambiguous_for), cmocka_unit_test(test_generated),
        cmocka_unit_test(test_seeds),         cmocka_unit_test(test_figure_3),
        cmocka_unit_test(test_places),        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_steady),
    };
    return cmocka_run_group_tests_name("vary", tests, NULL, NULL);
}
