/* Simulated scale: nodes with workers whose tasks only sleep, against a real database, by the very
 * calls that a coordinator makes.  cluster ADDRESS NODES WORKERS-OF-EACH SECONDS TASK-SECONDS
 *
 * A worker waits from the moment at which it is done until its node has the next task for it; the
 * share of that in all the time of all workers is what the database costs them. */
#include "store/store.h"

#include "sys/sys.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 256, QUEUE = 1024, MOST_FILINGS = 100 };
static const double filing_seconds = 0.5, beat_seconds = 10, batch_seconds = 3;

struct node {
    const char *address;
    unsigned number, workers;
    double seconds, task_seconds;
    double waited, slowest;
    uint64_t done, leases, filings;
    struct rng rng;
    struct err e;
    bool ok;
};

/* What a node has in hand. */
struct state {
    struct store *store;
    struct store_node me;
    double ends[MOST_WORKERS]; /* of each worker's task; 0: idle */
    double idle_since[MOST_WORKERS];
    struct store_task has[MOST_WORKERS], queue[QUEUE], filed[QUEUE];
    size_t queued, file_count;
    double first_filing, last_beat, began;
    struct store_arm was, is;
};

static double draw_time(struct node *n)
{
    double u = (double)(rng_next(&n->rng) >> 11) / 9007199254740992.0;
    return -log(1 - u) * n->task_seconds;
}

static bool lease(struct node *n, struct state *s)
{
    double pace = (double)n->workers / n->task_seconds;
    size_t want = (size_t)(pace * batch_seconds);
    want = want < n->workers ? n->workers : want < 200 ? want : 200;
    for (size_t i = 0; i < want; i++)
        s->queue[i] = (struct store_task){
            .strategy = "plain", .profile = "swarm", .class = "plain"};
    if (!store_lease(s->store, &s->me, s->queue, &want, 0, &n->e))
        return false;
    s->queued = want;
    n->leases += want;
    return true;
}

static bool file(struct node *n, struct state *s)
{
    bool mine[QUEUE];
    struct store_sum sums[] = {
        {"plain", "usable", (double)s->file_count}, {"plain", "make", 1}, {"plain", "run", 1}};
    bool ok = store_begin(s->store, &n->e) &&
              store_finish_all(s->store, &s->me, s->filed, s->file_count, mine, &n->e);
    for (size_t i = 0; ok && i < s->file_count; i++) {
        s->is.programs += mine[i];
        n->done += mine[i];
    }
    ok = ok && store_add_to_tallies(s->store, sums, LENGTH(sums), &n->e) &&
         store_add_to_arms(s->store, &s->was, &s->is, 1, &n->e) && store_commit(s->store, &n->e);
    if (!ok) {
        store_undo(s->store);
        n->done -= s->is.programs - s->was.programs;
        s->is = s->was;
        return store_trouble(s->store) == STORE_CONFLICT;
    }
    s->was = s->is;
    s->file_count = 0;
    n->filings++;
    return true;
}

static void collect(struct node *n, struct state *s, double now)
{
    for (unsigned i = 0; i < n->workers; i++)
        if (s->ends[i] > 0 && s->ends[i] <= now) {
            if (!s->file_count)
                s->first_filing = now;
            s->filed[s->file_count++] = s->has[i];
            s->idle_since[i] = s->ends[i];
            s->ends[i] = 0;
        }
}

static bool hand_out(struct node *n, struct state *s)
{
    for (unsigned i = 0; i < n->workers; i++) {
        if (s->ends[i] > 0)
            continue;
        if (!s->queued && !lease(n, s))
            return false;
        double now = sys_now(), wait = now - s->idle_since[i];
        n->waited += s->idle_since[i] > s->began ? wait : 0;
        n->slowest = wait > n->slowest && s->idle_since[i] > s->began ? wait : n->slowest;
        s->has[i] = s->queue[--s->queued];
        s->ends[i] = now + draw_time(n);
    }
    return true;
}

static void sleep_until_next(const struct node *n, const struct state *s)
{
    double next = sys_now() + 0.25;
    for (unsigned i = 0; i < n->workers; i++)
        next = s->ends[i] < next ? s->ends[i] : next;
    double pause = next - sys_now();
    if (pause > 0)
        sys_peers_wait(NULL, 0, pause);
}

static bool work(struct node *n, struct state *s)
{
    bool known;
    double end = sys_now() + n->seconds;
    s->began = sys_now();
    while (sys_now() < end) {
        double now = sys_now();
        collect(n, s, now);
        if (!hand_out(n, s))
            return false;
        bool due = s->file_count >= MOST_FILINGS ||
                   (s->file_count && now - s->first_filing >= filing_seconds);
        if (due && !file(n, s))
            return false;
        if (now - s->last_beat > beat_seconds) {
            s->last_beat = now;
            if (!store_beat(s->store, &s->me, &known, &n->e))
                return false;
        }
        sleep_until_next(n, s);
    }
    return true;
}

static void *run_node(void *context)
{
    struct node *n = context;
    struct state *s = calloc(1, sizeof *s);
    char name[40];
    if (!s)
        BUG("out of memory");
    snprintf(name, sizeof name, "node %u", n->number);
    s->me = (struct store_node){
        .id = name, .host = name, .version = cupel_version, .kit = "k", .jobs = n->workers};
    s->was = s->is = (struct store_arm){.name = "plain"};
    s->store = store_open(n->address, STORE_WRITE, NULL, &n->e);
    n->ok = s->store && store_join(s->store, &s->me, NULL, 0, &n->e) && work(n, s);
    if (s->store)
        store_leave(s->store, name, NULL);
    store_close(s->store);
    free(s);
    return NULL;
}

static int report(const struct node *nodes, unsigned count, unsigned workers, double seconds)
{
    double waited = 0, slowest = 0;
    uint64_t done = 0, leases = 0, filings = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!nodes[i].ok) {
            fprintf(stderr, "cluster: node %u: %s\n", i, nodes[i].e.msg);
            return 1;
        }
        waited += nodes[i].waited;
        slowest = nodes[i].slowest > slowest ? nodes[i].slowest : slowest;
        done += nodes[i].done;
        leases += nodes[i].leases;
        filings += nodes[i].filings;
    }
    printf("%u workers on %u nodes: %.0f leases and %.0f results a second in %.0f transactions; "
           "workers wait %.3f%% of the time, %.0f ms at most\n",
           count * workers, count, (double)leases / seconds, (double)done / seconds,
           (double)filings / seconds, 100 * waited / ((double)(count * workers) * seconds),
           1000 * slowest);
    return 0;
}

int main(int argc, char **argv)
{
    enum { MOST_NODES = 256 };
    static struct node nodes[MOST_NODES];
    pthread_t threads[MOST_NODES];
    if (argc != 6)
        return 2;
    unsigned count = (unsigned)atoi(argv[2]), workers = (unsigned)atoi(argv[3]);
    double seconds = atof(argv[4]), task_seconds = atof(argv[5]);
    if (!count || count > MOST_NODES || !workers || workers > MOST_WORKERS)
        return 2;
    for (unsigned i = 0; i < count; i++) {
        nodes[i] = (struct node){.address = argv[1],
                                 .number = i,
                                 .workers = workers,
                                 .seconds = seconds,
                                 .task_seconds = task_seconds,
                                 .rng = rng_seed(i)};
        pthread_create(&threads[i], NULL, run_node, &nodes[i]);
    }
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return report(nodes, count, workers, seconds);
}
