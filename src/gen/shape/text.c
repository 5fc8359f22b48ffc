/* Strings: buffers of characters that are always terminated, and what programs do with them.
 *
 * Nothing else writes to a buffer, and its last byte is always 0: so every call below is defined
 * whatever the buffers hold, by the buffers' sizes alone or by a test that stands with it. */
#include "gen/shape/shape.h"
#include "gen/make/make.h"
#include "gen/build.h"

#include <string.h>

enum { LEAST = 6, MOST = 40, BUFFERS = 4 };

static const char *const words[] = {"",      "a",       "cupel",  "abc",   "abcabc",
                                    "Hello", "0123456", "zz top", "x=1;y", "the quick fox"};

static const char *word(struct rng *r, uint64_t size)
{
    const char *w = words[rng_below(r, LENGTH(words))];
    return strlen(w) < size ? w : "ab";
}

/* ---- buffers ---------------------------------------------------------------------------- */

/* static char g[n] = "abc"; */
static struct var *buffer_new(struct gen *g, struct rng *r)
{
    uint64_t size = (uint64_t)rng_between(r, LEAST, MOST);
    struct type *t = lang_array(g->p, lang_basic(g->p, TYPE_CHAR), size);
    const char *bytes = word(r, size);
    struct var *v = make_global_declare(g, t, r, build_string(g, bytes));
    memcpy(gen_about(g, v->decl)->object->bytes, bytes, strlen(bytes));
    v->secret = true;
    list_add(&g->arena, &g->texts, v);
    return v;
}

static struct var *buffer(struct gen *g, struct rng *r)
{
    if (g->texts.n < BUFFERS && (g->texts.n == 0 || rng_below(r, 3) == 0))
        return buffer_new(g, r);
    return g->texts.at[rng_below(r, g->texts.n)];
}

static uint64_t size_of_buffer(const struct var *v)
{
    return v->type->u.count;
}

/* ---- pieces ----------------------------------------------------------------------------- */

static struct node *call(struct gen *g, const char *name, struct node **args, uint32_t n)
{
    return lang_call(g->p, lang_name(g->p, build_library(g, name)), args, n);
}

static struct node *call1(struct gen *g, const char *name, struct node *a)
{
    return call(g, name, &a, 1);
}

static struct node *call2(struct gen *g, const char *name, struct node *a, struct node *b)
{
    struct node *args[2] = {a, b};
    return call(g, name, args, 2);
}

static struct node *call3(struct gen *g, const char *name, struct node *a, struct node *b,
                          struct node *c)
{
    struct node *args[3] = {a, b, c};
    return call(g, name, args, 3);
}

static struct node *character(struct gen *g, struct rng *r)
{
    static const char some[] = "abcxyzAZ019 =;";
    return build_int(g, (uint64_t)some[rng_below(r, sizeof some - 1)]);
}

static struct node *length(struct gen *g, const struct var *v)
{
    return call1(g, "strlen", build_name(g, v));
}

/* A buffer or a literal that fits into so many bytes. */
static struct node *source(struct gen *g, struct rng *r, uint64_t size)
{
    struct var *v = buffer(g, r);
    if (rng_below(r, 2) && size_of_buffer(v) <= size)
        return build_name(g, v);
    return build_string(g, word(r, size));
}

/* ---- statements: each returns what to attach, or NULL ----------------------------------- */

struct text_ctx {
    struct gen *g;
    struct region *r;
    struct var *s, *x; /* a buffer, and a variable for results */
};

static struct node *result(const struct text_ctx *t, struct node *value)
{
    return build_set(t->g, t->x, value);
}

static struct node *text_copy(const struct text_ctx *t)
{
    struct gen *g = t->g;
    struct var *from = buffer(g, &t->r->rng);
    bool fits = from != t->s && size_of_buffer(from) <= size_of_buffer(t->s);
    struct node *what = fits ? build_name(g, from)
                             : build_string(g, word(&t->r->rng, size_of_buffer(t->s)));
    return lang_expr_stmt(g->p, call2(g, "strcpy", build_name(g, t->s), what));
}

static struct node *text_copy_some(const struct text_ctx *t)
{
    struct gen *g = t->g;
    struct rng *r = &t->r->rng;
    uint64_t n = 1 + rng_below(r, size_of_buffer(t->s) - 1);
    return lang_expr_stmt(g->p, call3(g, "strncpy", build_name(g, t->s),
                                      build_string(g, word(r, MOST)), build_int(g, n)));
}

static struct node *text_append(const struct text_ctx *t)
{
    struct gen *g = t->g;
    struct var *from = buffer(g, &t->r->rng);
    if (from == t->s)
        return NULL;
    struct node *sum = build_op(g, OP_ADD, length(g, t->s), length(g, from));
    struct node *test = build_op(g, OP_LT, sum, lang_sizeof_expr(g->p, build_name(g, t->s)));
    return build_if(
        g, test, lang_expr_stmt(g->p, call2(g, "strcat", build_name(g, t->s), build_name(g, from))),
        NULL);
}

static struct node *text_put(const struct text_ctx *t)
{
    struct gen *g = t->g;
    uint64_t k = rng_below(&t->r->rng, size_of_buffer(t->s) - 1);
    struct node *c = character(g, &t->r->rng);
    struct node *put = build_assign(g, OP_ASSIGN, build_at(g, t->s, build_int(g, k)), c);
    return build_if(g, build_op(g, OP_GT, length(g, t->s), build_int(g, k)), put, NULL);
}

static struct node *text_cut(const struct text_ctx *t)
{
    uint64_t k = rng_below(&t->r->rng, size_of_buffer(t->s));
    return build_assign(t->g, OP_ASSIGN, build_at(t->g, t->s, build_int(t->g, k)),
                        build_int(t->g, 0));
}

static struct node *text_length(const struct text_ctx *t)
{
    return result(t, length(t->g, t->s));
}

static struct node *text_compare(const struct text_ctx *t)
{
    static const uint8_t ops[] = {OP_LT, OP_GT, OP_EQ, OP_NE, OP_LE};
    struct gen *g = t->g;
    struct rng *r = &t->r->rng;
    enum op op = ops[rng_below(r, LENGTH(ops))];
    struct node *with = source(g, r, MOST), *n;
    if (rng_below(r, 2))
        n = call2(g, "strcmp", build_name(g, t->s), with);
    else
        n = call3(g, "strncmp", build_name(g, t->s), with, build_int(g, 1 + rng_below(r, 6)));
    return result(t, build_op(g, op, n, build_int(g, 0)));
}

/* x = strchr(s, c) ? strchr(s, c) - s : -1 */
static struct node *text_find(const struct text_ctx *t)
{
    struct gen *g = t->g;
    struct rng *r = &t->r->rng;
    const char *name = rng_below(r, 2) ? "strchr" : "strrchr";
    struct node *c = character(g, r);
    struct node *first = call2(g, name, build_name(g, t->s), c);
    struct node *again = call2(g, name, build_name(g, t->s), tree_clone(g, c));
    struct node *at = build_op(g, OP_SUB, again, build_name(g, t->s));
    return result(t, lang_cond(g->p, first, at, lang_unary(g->p, OP_NEG, build_int(g, 1))));
}

static struct node *text_find_byte(const struct text_ctx *t)
{
    struct gen *g = t->g;
    uint64_t n = 1 + rng_below(&t->r->rng, size_of_buffer(t->s));
    struct node *c = character(g, &t->r->rng);
    struct node *found = call3(g, "memchr", build_name(g, t->s), c, build_int(g, n));
    return result(t, build_op(g, OP_NE, found, build_int(g, 0)));
}

static struct node *text_move(const struct text_ctx *t)
{
    struct gen *g = t->g;
    struct rng *r = &t->r->rng;
    uint64_t size = size_of_buffer(t->s), n = 1 + rng_below(r, size / 2);
    uint64_t from = rng_below(r, size - n), to = rng_below(r, size - n);
    struct node *a = build_op(g, OP_ADD, build_name(g, t->s), build_int(g, to));
    struct node *b = build_op(g, OP_ADD, build_name(g, t->s), build_int(g, from));
    return lang_expr_stmt(g->p, call3(g, "memmove", a, b, build_int(g, n)));
}

static struct node *text_print(const struct text_ctx *t)
{
    static const char *const formats[] = {"%d", "<%d,%u>", "%x", "%05d", "n=%d"};
    struct gen *g = t->g;
    struct ctx c = make_pure(g, t->r, 1);
    const char *format = formats[rng_below(&t->r->rng, LENGTH(formats))];
    struct type *u = lang_basic(g->p, TYPE_UINT);
    struct node *args[5] = {build_name(g, t->s), lang_sizeof_expr(g->p, build_name(g, t->s)),
                            build_string(g, format), NULL, NULL};
    args[3] =
        make_expr_convert(g, make_expr_int(g, &c), strchr(format, 'x') ? u : build_int_type(g)).n;
    args[4] = make_expr_convert(g, make_expr_int(g, &c), u).n;
    return result(t, call(g, "snprintf", args, strchr(format, 'u') ? 5 : 4));
}

/* for (i = 0; s[i]; i++) body */
static struct node *each(const struct text_ctx *t, struct var *i, struct node *body)
{
    struct gen *g = t->g;
    struct node *kids[4] = {lang_declare(g->p, i->decl, build_int(g, 0)),
                            lang_condition(g->p, build_element(g, t->s, i, 0)),
                            lang_unary(g->p, OP_POSTINC, build_name(g, i)), body};
    make_charge(t->r, 4 * size_of_buffer(t->s));
    return lang_node(g->p, NODE_FOR, kids, 4);
}

static struct node *text_hash(const struct text_ctx *t)
{
    struct gen *g = t->g;
    struct var *i = make_counter(g, t->r);
    struct var *h = make_local(g, t->r, lang_basic(g->p, TYPE_UINT), gen_new_name(g, 'l'));
    make_attach(g, t->r, lang_declare(g->p, h->decl, build_int(g, rng_below(&t->r->rng, 6000))));
    struct node *times = build_op(g, OP_MUL, build_name(g, h), build_int(g, 33));
    struct node *next = build_op(g, OP_XOR, times, build_element(g, t->s, i, 0));
    t->r->vars = h;
    return each(t, i, build_set(g, h, next));
}

static struct node *text_raise(const struct text_ctx *t)
{
    struct gen *g = t->g;
    struct var *i = make_counter(g, t->r);
    struct node *low = build_op(g, OP_GE, build_element(g, t->s, i, 0), build_int(g, 'a'));
    struct node *high = build_op(g, OP_LE, build_element(g, t->s, i, 0), build_int(g, 'z'));
    struct node *to = build_assign(g, OP_SUB, build_element(g, t->s, i, 0), build_int(g, 32));
    return each(t, i, build_if(g, build_op(g, OP_LAND, low, high), to, NULL));
}

typedef struct node *text_fn(const struct text_ctx *t);

static text_fn *const makers[] = {
#define TEXT(name, ...) [GEN_text_##name] = text_##name,
#include "gen/policy.def"
};

bool shape_stmt_text(struct gen *g, struct region *r)
{
    struct text_ctx t = {.g = g, .r = r};
    t.s = buffer(g, &r->rng);
    t.x = make_plain_local(g, r);
    if (!t.x)
        return false;
    uint32_t at = r->block->count;
    struct node *n = makers[gen_pick(g, &r->rng, GEN_GROUP_text)](&t);
    if (!n)
        return false;
    make_attach(g, r, n);
    return make_walk_from(r, at);
}
