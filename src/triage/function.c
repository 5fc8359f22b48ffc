/* The function that goes wrong: one after the other is compiled without optimisation, by an
 * attribute of its own, until the bug is gone.  For compilers that have such attributes. */
#include "triage/private.h"

struct bodies {
    const struct program *p;
    const char *attribute;
};

/* The program with the attribute on the functions first to last. */
static void put_program(const struct bodies *b, size_t first, size_t last, struct text *out)
{
    uint32_t done = 0;
    for (size_t i = first; i <= last; i++) {
        const struct function *f = b->p->functions.at[i];
        text_add(out, b->p->text + done, f->node->begin - done);
        text_puts(out, b->attribute);
        done = f->node->begin;
    }
    text_add(out, b->p->text + done, b->p->text_size - done);
}

static enum answer ask_without(struct search *s, const struct bodies *b, size_t first, size_t last)
{
    struct text text = {0};
    const char *path = arena_printf(s->a, "%s-functions.c", s->job->lab->dir);
    put_program(b, first, last, &text);
    s->failed = s->failed || !sys_write_file(path, text_str(&text), text.n, s->e);
    text_free(&text);
    enum answer answer = search_file(s, path);
    return answer;
}

/* The least n such that the bug is gone when the first n functions are not optimised. */
static size_t search_functions(struct search *s, const struct bodies *b)
{
    size_t low = 0, high = b->p->functions.n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        enum answer answer = ask_without(s, b, 0, middle - 1);
        if (answer == ANSWER_NONE)
            return 0;
        if (answer == ANSWER_GONE)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void find(struct search *s, const struct bodies *b, struct triage_function *out)
{
    size_t count = b->p->functions.n, n = 0;
    if (count && ask_without(s, b, 0, count - 1) == ANSWER_GONE)
        n = count == 1 ? 1 : search_functions(s, b);
    if (!n)
        return;
    const struct function *f = b->p->functions.at[n - 1];
    out->name = arena_string(s->a, f->decl->name);
    out->alone = n == 1 || ask_without(s, b, n - 1, n - 1) == ANSWER_GONE;
}

/* NULL for a family that has none. */
static const char *attribute_of(const struct cc_config *config)
{
    enum cc_family family;
    if (!cc_family_of(config->argv[0], &family))
        return NULL;
    return family == CC_FAMILY_GCC     ? "__attribute__((noinline, optimize(\"O0\"))) "
           : family == CC_FAMILY_CLANG ? "__attribute__((noinline, optnone)) "
                                       : NULL;
}

bool triage_find_function(const struct triage_job *job, struct arena *a,
                          struct triage_function *out, struct err *e)
{
    struct triage_job bounded = *job;
    struct triage_blame cost = {.pass = ""};
    struct search s = {.job = &bounded, .a = a, .e = e, .out = &cost};
    const struct judge_claim *c = job->claim;
    struct bodies b = {.attribute = attribute_of(c->config)};
    struct unit u;
    bounded.most = job->most ? job->most : TRIAGE_FUNCTIONS;
    *out = (struct triage_function){.name = ""};
    if (!b.attribute || verdict_info(c->verdict)->subject != SUBJECT_RUN || c->program->units[1])
        return true;
    if (!subject_read(job, &u, e))
        return false;
    b.p = u.program;
    if (!u.error_count)
        find(&s, &b, out);
    out->compiles = cost.compiles;
    lang_program_free(u.program);
    return !s.failed;
}
