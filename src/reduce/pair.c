/* A predicate on two texts that are made from one program, as the predicate of a reduction.  The
 * second text is made anew from every candidate, so that the two stay a pair whatever goes. */
#include "reduce/private.h"

#include <string.h>

static bool is_same_behaviour(const struct reduce_expect *a, const struct reduce_expect *b)
{
    return a->status == b->status && a->out_size == b->out_size &&
           memcmp(a->out, b->out, a->out_size) == 0;
}

/* Is the second one as good a program as the first, and does it do the same?  Laid out anew if so.
 */
static bool accept_second(const struct reduce_pair *p, const struct reduce_candidate *c,
                          struct text *second)
{
    struct subject s = {0};
    const char *why;
    bool fits = subject_try(&s, p->options, second, c->count, &why);
    if (fits && c->expect.known) {
        struct reduce_expect other = subject_expect(&s);
        fits = is_same_behaviour(&c->expect, &other);
    }
    for (size_t i = 0; fits && i < c->count; i++) {
        second[i] = s.texts[i];
        s.texts[i] = (struct text){0};
    }
    subject_close(&s);
    return fits;
}

bool reduce_test_pair(void *predicate, const struct reduce_candidate *c, unsigned worker,
                      bool *holds, struct err *e)
{
    const struct reduce_pair *p = predicate;
    struct arena a = {0};
    struct text *second = NEW_ARRAY(&a, c->count, struct text);
    bool made = false;
    *holds = false;
    bool ok = p->make(p->context, c, worker, second, &made, e);
    if (ok && made && accept_second(p, c, second)) {
        struct reduce_candidate other = {second, c->count, c->expect};
        ok = p->test(p->context, c, &other, worker, holds, e);
    }
    for (size_t i = 0; i < c->count; i++)
        text_free(&second[i]);
    arena_free(&a);
    return ok;
}
