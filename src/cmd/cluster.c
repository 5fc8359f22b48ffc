/* cupel cluster: a campaign's workers under Slurm. */
#include "cmd/cmd.h"

#include "cluster/cluster.h"
#include "hunt/hunt.h"
#include "sys/sys.h"

#include <string.h>

/* Something to work on, where every node can reach it. */
static bool check(struct arena *a, const struct cluster_order *o, struct err *e)
{
    struct hunt_findings all;
    if (!hunt_is_shared(o->campaign))
        return fail(e, "%s is a folder: several machines need a database (cupel copy moves it)",
                    o->campaign);
    if (!o->nodes || o->nodes > 100000)
        return fail(e, "how many nodes? --nodes N");
    if (o->seconds < 60)
        return fail(e, "for how long? --time 8h, a minute at least");
    return hunt_list(a, o->campaign, HUNT_BUGS | HUNT_LINES, &all, e);
}

static bool obey(struct arena *a, const struct list *words, struct cluster_order *o, struct err *e)
{
    const char *verb = words->n == 2 ? words->at[0] : "";
    if (words->n == 0 || words->n > 2)
        return fail(e, "which campaign? cupel cluster URL --nodes N --time 8h");
    o->campaign = words->at[words->n - 1];
    if (strcmp(verb, "status") == 0)
        return cluster_show(o->campaign, e);
    if (strcmp(verb, "stop") == 0)
        return cluster_stop(o->campaign, e);
    if (*verb)
        return fail(e, "'%s' is neither status nor stop", verb);
    return check(a, o, e) && cluster_submit(o, e);
}

int cmd_cluster(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    struct cluster_order o = {.nodes = 0};
    struct err e;
    const struct option_row rows[] = {
        {"--nodes", "N", OPTION_UINT, &o.nodes, "machines"},
        {"--time", "TIME", OPTION_DURATION, &o.seconds, "for so long (8h)"},
        {"--partition", "NAME", OPTION_STRING, &o.partition, "of Slurm's (its default)"},
        {"--cpus", "N", OPTION_UINT, &o.cpus, "cores of each machine (all of them)"},
        {"--total", "N", OPTION_UINT, &o.total, "end when the campaign has N programs in all"},
        {"--log", "DIR", OPTION_STRING, &o.log, "what the machines say goes there (.)"},
        {"--program", "PATH", OPTION_STRING, &o.program, "cupel on those machines (this one)"},
    };
    struct usage u = {
        .synopsis = "cupel cluster [status | stop] URL [options]",
        .description =
            "Submits an array job to Slurm, each element of which is `cupel hunt --worker-of\n"
            "URL` on a machine.  It is requeued when it is preempted, and ends by itself before\n"
            "its time is up.  status and stop ask Slurm; cupel status URL tells how it goes.\n\n"
            "  cupel hunt postgresql://db/campaign --programs 1      begins the campaign\n"
            "  cupel cluster postgresql://db/campaign --nodes 40 --time 8h\n"
            "  cupel cluster status postgresql://db/campaign\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (!o.program)
        o.program = sys_real_path(&a, "/proc/self/exe");
    if (parsed == PARSED)
        status = obey(&a, &words, &o, &e) ? EXIT_NOTHING_FOUND : cmd_fail("%s", e.msg);
    arena_free(&a);
    return status;
}
