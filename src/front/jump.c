/* Jumps that may not be made: into the scope of what has a variably modified type (C11 6.8.6.1p1,
 * 6.8.4.2p2), and into a statement expression (GNU).  Takes the places of gotos, labels and cases
 * as they are read; reports, at the end of a function, those that jump inwards. */
#include "front/private.h"

void jump_enter_region(struct parser *p, uint32_t depth, bool expression)
{
    struct region *r = NEW(&p->scratch, struct region);
    *r = (struct region){p->region, depth, expression};
    p->region = r;
}

void jump_leave_scope(struct parser *p)
{
    while (p->region && p->region->depth >= p->depth)
        p->region = p->region->outer;
}

static bool is_within(const struct region *inner, const struct region *outer)
{
    while (inner && inner != outer)
        inner = inner->outer;
    return inner == outer;
}

/* What somebody who comes from `from` enters at `to`; NULL: nothing. */
static const char *entered(const struct region *from, const struct region *to)
{
    for (; to && !is_within(from, to); to = to->outer)
        if (to->expression)
            return "a statement expression";
        else if (is_within(from, to->outer))
            return "the scope of an identifier with variably modified type";
    return NULL;
}

void jump_check_case(struct parser *p, uint32_t at)
{
    const char *into = entered(p->switch_scope->region, p->region);
    if (into)
        parse_error_at(p, at, "switch jumps into %s", into);
}

void jump_note(struct parser *p, const struct label *l, uint32_t at, bool is_label)
{
    struct jump *j = NEW(&p->scratch, struct jump);
    *j = (struct jump){l, p->region, at};
    list_add(&p->scratch, is_label ? &p->labels : &p->gotos, j);
}

static const struct jump *find_label(const struct parser *p, const struct label *l)
{
    for (size_t i = 0; i < p->labels.n; i++)
        if (((const struct jump *)p->labels.at[i])->label == l)
            return p->labels.at[i];
    return NULL;
}

void jump_finish(struct parser *p)
{
    if (p->function->outer) /* its labels may be those of the function around it */
        return;
    for (size_t i = 0; i < p->gotos.n && !p->error_count; i++) {
        const struct jump *from = p->gotos.at[i], *to = find_label(p, from->label);
        const char *into = to ? entered(from->region, to->region) : NULL;
        if (into)
            parse_report_at(p, from->at, "jump into %s", into);
    }
    p->gotos.n = p->labels.n = 0;
}
