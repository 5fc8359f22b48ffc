/* A generated program that calls real functions: their text, then its own. */
#include "real/private.h"

#include "front/front.h"
#include "machine/machine.h"

#include <string.h>

enum { CALLS = 40 }; /* the weight of calls among expressions */

/* Does the machine do what the generator predicted?  It would not if a function depended on what
 * was called before. */
static bool is_confirmed(const struct gen_options *o, const struct text *code,
                         const struct text *expect, const char **why)
{
    struct front_options options = {.target = o->target};
    struct machine_options limits = {.stop = o->stop};
    struct unit u = front_parse(text_str(code), code->n, &options);
    *why = u.error_count ? "its names clash with those of real code" : NULL;
    if (!*why) {
        struct machine_unit unit = {u.program, NULL, 0};
        struct machine_execution x = machine_execute(&unit, 1, &limits);
        if (!x.defined || x.run->output.n != expect->n ||
            memcmp(text_str(&x.run->output), text_str(expect), expect->n) != 0)
            *why = "real code that remembers";
        machine_execution_free(&x);
    }
    lang_program_free(u.program);
    return !*why;
}

bool real_program(const struct gen_options *o, const struct real_material *m, struct text *code,
                  struct text *expect, const char **why)
{
    struct gen_given given[REAL_FUNCTIONS];
    struct gen_options own = *o;
    for (size_t i = 0; i < m->n; i++)
        given[i] = (struct gen_given){m->functions[i].name, m->functions[i].results, REAL_INPUTS,
                                      m->functions[i].cost};
    own.given = given;
    own.given_count = m->n;
    own.features &= ~(UINT64_C(1) << GEN_HAS_MACRO); /* it is read as it is printed */
    if (!own.policy.fixed[GEN_expr_given]) {
        own.policy.value[GEN_expr_given] = CALLS;
        own.policy.fixed[GEN_expr_given] = true;
    }
    struct generated g = gen_program(&own);
    if (!g.program) {
        *why = "given up";
        return false;
    }
    text_add(code, text_str(&m->code), m->code.n);
    gen_print(&g, code);
    text_add(expect, text_str(&g.expect), g.expect.n);
    gen_free(&g);
    return is_confirmed(o, code, expect, why);
}
