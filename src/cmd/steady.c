/* Is a difference the doing of a compiler, or of the program itself: a clock, a process number, an
 * address, chance?  Takes what each configuration did once and has it done again; judges nobody. */
#include "cmd/steady.h"

#include "cmd/oracle.h"
#include "sys/sys.h"

#include <string.h>

enum { RUNS = 30, PER_BEHAVIOUR = 2, MOST = 12 };
#define OTHER_TIME 1.2 /* seconds after which time(NULL) is another one */

static bool varies_by_itself(const struct outcome *o)
{
    for (size_t i = 0; i < o->run_count; i++)
        if (o->runs[i].varies)
            return true;
    return false;
}

/* Many runs of what the driver links, each at other addresses; and one more as in the first look
 * in each folder: of two, one is not that of the first look, and its user is another one, too.  The
 * two kinds are not compared: the loader's stack is filled, and what reads it may be the compiler's
 * doing. */
static bool ask(struct arena *a, const struct steady *s, const struct cc_config *config,
                const struct outcome *was, bool *varies, struct err *e)
{
    struct cc_case many = *s->program;
    struct outcome now;
    many.plain = true;
    many.again = RUNS;
    if (!cc_try(&s->labs->at[0], config, &many, a, &now, e))
        return false;
    *varies = varies_by_itself(&now);
    for (size_t i = 0; was && !*varies && i < s->labs->n; i++) {
        if (!cc_try(&s->labs->at[i], config, s->program, a, &now, e))
            return false;
        *varies = now.kind == OUTCOME_BUILT && !judge_same_behaviour(was, &now);
    }
    return true;
}

/* Those that were cut off are not asked: where is chance, and they take long. */
static bool can_be_asked(const struct steady *s, size_t i)
{
    return s->judgement->group_of[i] >= 0 && s->judgement->marks[i] != MARK_SILENT;
}

/* ---- elsewhere in memory ---------------------------------------------------------------- */

/* What is linked in front of the program, and moves its code, constants, variables and zeros by
 * different numbers of bytes. */
static const char room[] =
    "extern int printf(const char *, ...);\n"
    "const char cupel_constants[2741] = {1};\n"
    "char cupel_variables[4783] = {1};\n"
    "char cupel_zeros[6151];\n"
    "int cupel_code(int n)\n"
    "{\n"
    "    int i;\n"
    "    for (i = 0; i < n; i++)\n"
    "        cupel_zeros[i % 6151] = cupel_variables[i % 4783] ^ cupel_constants[i % 2741];\n"
    "    return printf(\"%d\\n\", i);\n"
    "}\n";

static bool add_room(struct arena *a, const struct steady *s, struct cc_case *c, struct err *e)
{
    struct list units = {0};
    char *path = arena_printf(a, "%s/room.c", s->labs->scratch.path);
    list_add(a, &units, path);
    for (size_t i = 0; c->units[i]; i++)
        list_add(a, &units, c->units[i]);
    list_add(a, &units, NULL);
    c->units = (char **)units.at;
    return sys_write_file(path, room, strlen(room), e);
}

/* Does a program that is steady do something else when it is linked behind other code, or when its
 * functions have other beginnings and frames?  What does not build so says nothing. */
static bool ask_elsewhere(struct arena *a, const struct steady *s, const struct cc_config *config,
                          const struct outcome *first, bool *varies, struct err *e)
{
    (void)first;
    struct cc_config other = *config;
    struct cc_case here = *s->program, there;
    struct outcome was, is;
    here.plain = true;
    there = here;
    *varies = false;
    if (!add_room(a, s, &there, e) || !cc_try(&s->labs->at[0], config, &here, a, &was, e) ||
        !cc_try(&s->labs->at[0], config, &there, a, &is, e))
        return false;
    if (was.kind != OUTCOME_BUILT)
        return true;
    *varies = is.kind == OUTCOME_BUILT && !judge_same_behaviour(&was, &is);
    if (*varies || !cc_lay_out_otherwise(a, &other))
        return true;
    if (!cc_try(&s->labs->at[0], &other, &here, a, &is, e))
        return false;
    *varies = is.kind == OUTCOME_BUILT && !judge_same_behaviour(&was, &is);
    return true;
}

/* ---- who is asked ----------------------------------------------------------------------- */

/* Is it one of the first of its behaviour, by a compiler that has not been asked about it? */
static bool is_worth_asking(const struct steady *s, const enum steadiness *of, size_t i)
{
    size_t asked = 0;
    if (of[i] != STEADY_UNASKED || !can_be_asked(s, i))
        return false;
    for (size_t k = 0; k < s->n; k++) {
        if (of[k] == STEADY_UNASKED || s->judgement->group_of[k] != s->judgement->group_of[i])
            continue;
        if (strcmp(s->configs[k].compiler, s->configs[i].compiler) == 0)
            return false;
        asked++;
    }
    return asked < PER_BEHAVIOUR;
}

static bool is_accused(const struct steady *s, size_t i)
{
    return s->judgement->marks[i] == MARK_DIFFERS;
}

/* One question, and who gave which answer. */
struct look {
    bool (*ask)(struct arena *a, const struct steady *s, const struct cc_config *config,
                const struct outcome *was, bool *varies, struct err *e);
    enum steadiness *of; /* per configuration */
    bool last;           /* whoever is not accused now will not be */
};

/* Nobody is right: then one without optimisation is asked, for what is the program's own. */
static bool ask_witness(struct arena *a, struct steady *s, const struct look *l, size_t accused,
                        struct err *e)
{
    struct list witnesses = {0};
    questions_witnesses(a, &s->configs[accused], s->outcomes[accused].machine, &witnesses);
    for (size_t i = 0; i < witnesses.n && !s->varies; i++)
        if (!l->ask(a, s, witnesses.at[i], NULL, &s->varies, e))
            return false;
    return true;
}

/* Accused, and nobody for the same machine is not? */
static bool is_without_example(const struct steady *s, size_t i)
{
    for (size_t k = 0; k < s->n; k++)
        if (can_be_asked(s, k) && !is_accused(s, k) &&
            s->outcomes[k].machine == s->outcomes[i].machine)
            return false;
    return is_accused(s, i);
}

/* Does it say something about the program that this one varies?  Wrong code may vary by itself: of
 * who is accused it says nothing, and of who may yet be not before the end. */
static bool tells(const struct steady *s, const struct look *l, size_t i, bool last)
{
    return l->of[i] == STEADY_VARIES && !is_accused(s, i) &&
           (last || s->judgement->marks[i] != MARK_UNCLEAR);
}

static bool is_anybody_steady(const struct steady *s, const struct look *l)
{
    for (size_t i = 0; i < s->n; i++)
        if (l->of[i] == STEADY_SAME)
            return true;
    return false;
}

/* What is known by now of those that were asked. */
static bool conclude(struct arena *a, struct steady *s, const struct look *l, struct err *e)
{
    bool own = l->last || !is_anybody_steady(s, l); /* all vary: that is the program's doing */
    for (size_t i = 0; i < s->n && !s->varies; i++) {
        s->varies = tells(s, l, i, own);
        if (l->of[i] == STEADY_VARIES && is_without_example(s, i) && !ask_witness(a, s, l, i, e))
            return false;
    }
    return true;
}

static bool look(struct arena *a, struct steady *s, const struct look *l, struct err *e)
{
    size_t asked = 0;
    for (size_t i = 0; i < s->n && asked < MOST; i++) {
        bool varies;
        if (!is_worth_asking(s, l->of, i))
            continue;
        if (!l->ask(a, s, &s->configs[i], &s->outcomes[i], &varies, e))
            return false;
        l->of[i] = varies ? STEADY_VARIES : STEADY_SAME;
        asked++;
        if (tells(s, l, i, l->last))
            break;
    }
    return conclude(a, s, l, e) && (!sys_cancelled() || fail(e, "interrupted"));
}

bool steady_ask(struct arena *a, struct steady *s, bool last, struct err *e)
{
    double waited = sys_now() - s->start;
    if (!s->of)
        s->of = NEW_ARRAY(a, s->n, enum steadiness);
    if (waited < OTHER_TIME)
        sys_peers_wait(NULL, 0, OTHER_TIME - waited);
    struct look again = {ask, s->of, last};
    return look(a, s, &again, e);
}

bool steady_ask_elsewhere(struct arena *a, struct steady *s, struct err *e)
{
    struct look moved = {ask_elsewhere, NEW_ARRAY(a, s->n, enum steadiness), true};
    bool ok = look(a, s, &moved, e);
    s->moves = s->varies;
    return ok;
}
