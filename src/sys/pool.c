/* Parallel work: items handed out in order to a few threads. */
#include "sys/sys.h"

#include <pthread.h>
#include <stdatomic.h>

struct pool {
    atomic_size_t next;
    size_t items;
    sys_work_fn *work;
    void *context;
};

struct worker {
    struct pool *pool;
    unsigned number;
    pthread_t thread;
};

static void *work_on(void *argument)
{
    struct worker *w = argument;
    while (!sys_cancelled()) {
        size_t item = atomic_fetch_add(&w->pool->next, 1);
        if (item >= w->pool->items)
            break;
        w->pool->work(w->pool->context, item, w->number);
    }
    return NULL;
}

enum { MAX_WORKERS = 256 };

void sys_parallel(size_t items, unsigned workers, sys_work_fn *work, void *context)
{
    struct pool pool = {.items = items, .work = work, .context = context};
    struct worker all[MAX_WORKERS];
    if (workers > MAX_WORKERS || workers == 0)
        BUG("%u workers", workers);
    if (workers > items)
        workers = items ? (unsigned)items : 1;
    /* the caller is worker 0, so work goes on when threads cannot be had */
    unsigned started = 1;
    for (unsigned i = 0; i < workers; i++)
        all[i] = (struct worker){.pool = &pool, .number = i};
    while (started < workers &&
           pthread_create(&all[started].thread, NULL, work_on, &all[started]) == 0)
        started++;
    work_on(&all[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(all[i].thread, NULL);
}
