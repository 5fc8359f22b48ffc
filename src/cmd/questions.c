/* What `cupel test` asks the abstract machine: for each data model, and each text that a
 * preprocessor makes of the program, what it must do.  Asks only where compilers do not agree or
 * there is nobody to agree with; takes an answer only when a compiled program bears it out. */
#include "cmd/cflags.h"
#include "cmd/oracle.h"

#include <string.h>

static bool is_unsettled(const struct questions *q, size_t i)
{
    enum judge_mark mark = q->marks[i];
    return mark == MARK_DIFFERS || mark == MARK_UNCLEAR || mark == MARK_ALONE;
}

/* Is somebody for the same machine not settled? */
static bool is_in_question(const struct questions *q, size_t i)
{
    for (size_t k = 0; q->outcomes[i].kind == OUTCOME_BUILT && k < q->n; k++)
        if (is_unsettled(q, k) && q->outcomes[k].machine == q->outcomes[i].machine)
            return true;
    return false;
}

/* This machine's data models are laid down by its ABI, as long as no flag changes them. */
static const struct target *native_target(const struct questions *q, size_t i)
{
    uint32_t machine = q->outcomes[i].machine;
    if (!judge_keeps_abi(&q->configs[i]))
        return NULL;
    return machine == cc_host_machine()      ? lang_target(TARGET_LP64)
           : machine == cc_host_machine_32() ? lang_target(TARGET_ILP32)
                                             : NULL;
}

/* Levels of one compiler have one data model. */
static bool learn_target(struct questions *q, size_t i, struct err *e)
{
    struct judge_model model;
    if ((q->targets[i] = native_target(q, i)))
        return true;
    for (size_t k = 0; k < i; k++)
        if (q->targets[k] && strcmp(q->configs[k].compiler, q->configs[i].compiler) == 0) {
            q->targets[i] = q->targets[k];
            return true;
        }
    if (!judge_learn_model(q->lab, &q->configs[i], q->a, &model, e))
        return false;
    q->targets[i] = model.target;
    if (!model.target)
        q->silence = arena_printf(q->a, "the data model of %s is not predicted (%s)",
                                  q->configs[i].compiler, model.unlike);
    return true;
}

/* Does what the machine says of one hold for the other? */
static bool is_same_question(const struct questions *q, size_t i, size_t k)
{
    return q->targets[i] == q->targets[k] && !oracle_defines_more(&q->configs[i]) &&
           !oracle_defines_more(&q->configs[k]) && strcmp(q->texts[i], q->texts[k]) == 0;
}

/* The same compiler without optimisation, and, for programs that run here as they are, gcc; each is
 * given the same text. */
void questions_witnesses(struct arena *a, const struct cc_config *config, uint32_t machine,
                         struct list *out)
{
    const char *gcc = config->emulator[0]               ? NULL
                      : machine == cc_host_machine()    ? "gcc -O0"
                      : machine == cc_host_machine_32() ? "gcc -m32 -O0"
                                                        : NULL;
    const char *const commands[] = {arena_printf(a, "%s -O0", config->compiler), gcc};
    for (size_t k = 0; k < LENGTH(commands); k++) {
        struct cc_config *witness = NEW(a, struct cc_config);
        const char *unused;
        if (!commands[k] || !cc_config_parse(a, commands[k], "", witness, NULL))
            continue;
        *witness = cmd_with_text_of(a, witness, config, &unused);
        witness->emulator = config->emulator;
        list_add(a, out, witness);
    }
}

static bool find_witness(struct questions *q, size_t i, const struct judge_known *known,
                         bool *found, struct err *e)
{
    struct list witnesses = {0};
    questions_witnesses(q->a, &q->configs[i], q->outcomes[i].machine, &witnesses);
    for (size_t k = 0; k < witnesses.n && !*found; k++) {
        struct outcome o;
        if (!cc_try(q->lab, witnesses.at[k], q->program, q->a, &o, e))
            return false;
        *found = o.kind == OUTCOME_BUILT && judge_is_as_known(&o, known);
    }
    return true;
}

/* The machine has no clock and no environment: what it says of a program that looks at them is
 * worth something only when a compiled program for the same target does the same, from whatever
 * headers it was made. */
static bool take_answer(struct questions *q, size_t i, const struct judge_known *known,
                        struct err *e)
{
    bool borne_out = false;
    for (size_t k = 0; k < q->n; k++)
        if (q->targets[k] == q->targets[i] && q->outcomes[k].kind == OUTCOME_BUILT)
            borne_out |= judge_is_as_known(&q->outcomes[k], known);
    if (!borne_out && !find_witness(q, i, known, &borne_out, e))
        return false;
    if (!borne_out)
        q->silence = "what it prints there is printed by no compiled program";
    for (size_t k = 0; borne_out && k < q->n; k++)
        if (is_same_question(q, i, k))
            q->known[k] = known;
    return true;
}

static bool ask(struct questions *q, size_t i, struct err *e)
{
    struct oracle_answer *answer = NEW(q->a, struct oracle_answer);
    oracle_ask(q->a, q->lab, &q->configs[i], q->targets[i], q->program, answer);
    if (answer->kind == ORACLE_KNOWS)
        return take_answer(q, i, &answer->known, e);
    if (answer->kind == ORACLE_UNDEFINED)
        q->undefined = answer->words;
    else
        q->silence = answer->words;
    return true;
}

bool questions_settle(struct arena *a, struct questions *q, struct err *e)
{
    q->a = a;
    q->targets = NEW_ARRAY(a, q->n, const struct target *);
    q->texts = NEW_ARRAY(a, q->n, const char *);
    q->known = NEW_ARRAY(a, q->n, const struct judge_known *);
    for (size_t i = 0; i < q->n; i++) {
        q->texts[i] = oracle_key(a, &q->configs[i]);
        if (is_in_question(q, i) && !learn_target(q, i, e))
            return false;
    }
    for (size_t i = 0; i < q->n; i++) {
        bool first = q->targets[i] && !oracle_defines_more(&q->configs[i]);
        for (size_t k = 0; k < i && first; k++)
            first = !is_same_question(q, i, k);
        if (first && !ask(q, i, e))
            return false;
    }
    return true;
}
