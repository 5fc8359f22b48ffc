/* sbatch, squeue and scancel.  The campaign's address goes into the job's environment, not onto its
 * command line. */
#include "cluster/cluster.h"

#include "sys/sys.h"

#include <math.h>
#include <stdlib.h>

/* What every element runs.  Slurm's SIGTERM reaches the script only: it is passed on, and a worker
 * that was asked to end has ended well. */
static const char script[] = "#!/bin/sh\n"
                             "\"$CUPEL_PROGRAM\" hunt --worker-of \"$CUPEL_CAMPAIGN\" --node "
                             "\"${SLURMD_NODENAME:-$(hostname)}\""
                             " $CUPEL_WORDS &\n"
                             "pid=$! asked=no\n"
                             "trap 'asked=yes; kill -TERM $pid' TERM\n"
                             "status=0\n"
                             "while kill -0 $pid 2>/dev/null; do wait $pid; status=$?; done\n"
                             "[ $asked = yes ] || [ $status -le 1 ] && exit 0\n"
                             "exit $status\n";

/* Seconds before the limit at which Slurm asks them to end. */
enum { NOTICE = 120 };

/* The same for everybody who means this campaign. */
static char *job_name(struct arena *a, const char *campaign)
{
    return arena_printf(a, "cupel-%016llx", (unsigned long long)hash_string(campaign));
}

static bool call(char *const *argv, struct err *e)
{
    struct arena a = {0};
    int status = 0;
    bool there = sys_find_program(&a, argv[0]) != NULL;
    arena_free(&a);
    if (!there)
        return fail(e,
                    "%s is not here: install slurm-client, or run cupel hunt --worker-of on each "
                    "machine",
                    argv[0]);
    return sys_call(argv, &status, e) &&
           (status == 0 || fail(e, "%s failed with status %d", argv[0], status));
}

static bool set_environment(struct arena *a, const struct cluster_order *o, struct err *e)
{
    struct text words = {0};
    if (o->cpus)
        text_printf(&words, "--jobs %llu ", (unsigned long long)o->cpus);
    if (o->total)
        text_printf(&words, "--total %llu", (unsigned long long)o->total);
    bool ok = setenv("CUPEL_PROGRAM", o->program, 1) == 0 &&
              setenv("CUPEL_CAMPAIGN", o->campaign, 1) == 0 &&
              setenv("CUPEL_WORDS", text_str(&words), 1) == 0;
    text_free(&words);
    (void)a;
    return ok || fail_errno(e, "cannot set the environment");
}

static void add_words(struct arena *a, const struct cluster_order *o, struct list *argv)
{
    double minutes = ceil(o->seconds / 60);
    char *const words[] = {
        "sbatch",
        arena_printf(a, "--job-name=%s", job_name(a, o->campaign)),
        arena_printf(a, "--array=1-%llu", (unsigned long long)o->nodes),
        "--nodes=1",
        "--ntasks=1",
        "--requeue",
        "--open-mode=append",
        arena_printf(a, "--signal=B:TERM@%d", o->seconds > 2 * NOTICE ? NOTICE : 30),
        arena_printf(a, "--time=%.0f", minutes),
        arena_printf(a, "--output=%s/cupel-%%A_%%a.log", o->log ? o->log : "."),
        "--export=ALL",
        o->cpus ? arena_printf(a, "--cpus-per-task=%llu", (unsigned long long)o->cpus)
                : "--exclusive"};
    for (size_t i = 0; i < LENGTH(words); i++)
        list_add(a, argv, words[i]);
    if (o->partition)
        list_add(a, argv, arena_printf(a, "--partition=%s", o->partition));
}

bool cluster_submit(const struct cluster_order *o, struct err *e)
{
    struct arena a = {0};
    struct list argv = {0};
    struct scratch scratch;
    if (!sys_scratch_open(&scratch, e))
        return false;
    const char *path = arena_printf(&a, "%s/worker.sh", scratch.path);
    add_words(&a, o, &argv);
    list_add(&a, &argv, (char *)path);
    list_add(&a, &argv, NULL);
    bool ok = sys_write_file(path, script, sizeof script - 1, e) && set_environment(&a, o, e) &&
              call((char *const *)argv.at, e);
    sys_scratch_close(&scratch);
    arena_free(&a);
    return ok;
}

bool cluster_show(const char *campaign, struct err *e)
{
    struct arena a = {0};
    char *const argv[] = {"squeue", arena_printf(&a, "--name=%s", job_name(&a, campaign)),
                          "--array", "--format=%.18i %.9P %.10T %.12M %.12L %R", NULL};
    bool ok = call(argv, e);
    arena_free(&a);
    return ok;
}

bool cluster_stop(const char *campaign, struct err *e)
{
    struct arena a = {0};
    char *const argv[] = {"scancel", arena_printf(&a, "--name=%s", job_name(&a, campaign)), NULL};
    bool ok = call(argv, e);
    arena_free(&a);
    return ok;
}
