/* What keeps threads apart, in a program that starts none. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t many = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t nobody = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;
static _Thread_local int own = 3;

static void begin(void)
{
    puts("once");
    own++;
}

static void mutexes(void)
{
    pthread_mutexattr_t how;
    pthread_mutex_t checked, copy = plain;
    int kind;
    printf("%d", pthread_mutex_lock(&plain));
    printf(" %d", pthread_mutex_trylock(&plain) == EBUSY);
    printf(" %d\n", pthread_mutex_unlock(&plain));
    pthread_mutex_lock(&again);
    pthread_mutex_lock(&again);
    printf("%d", pthread_mutex_trylock(&again));
    for (int i = 0; i < 3; i++)
        pthread_mutex_unlock(&again);
    printf(" %d\n", pthread_mutex_unlock(&again) == EPERM);
    pthread_mutexattr_init(&how);
    pthread_mutexattr_settype(&how, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_gettype(&how, &kind);
    printf("%d %d\n", kind == PTHREAD_MUTEX_ERRORCHECK, pthread_mutexattr_settype(&how, 99) == EINVAL);
    pthread_mutex_init(&checked, &how);
    pthread_mutexattr_destroy(&how);
    pthread_mutex_lock(&checked);
    printf("%d", pthread_mutex_lock(&checked) == EDEADLK);
    pthread_mutex_unlock(&checked);
    printf(" %d", pthread_mutex_unlock(&checked) == EPERM);
    printf(" %d\n", pthread_mutex_destroy(&checked));
    printf("%d", pthread_mutex_lock(&copy));
    printf(" %d\n", pthread_mutex_unlock(&copy));
}

static void locks(void)
{
    pthread_rwlock_rdlock(&many);
    pthread_rwlock_rdlock(&many);
    printf("%d %d", pthread_rwlock_tryrdlock(&many), pthread_rwlock_trywrlock(&many) == EBUSY);
    for (int i = 0; i < 3; i++)
        pthread_rwlock_unlock(&many);
    printf(" %d", pthread_rwlock_wrlock(&many));
    printf(" %d %d", pthread_rwlock_rdlock(&many) == EDEADLK, pthread_rwlock_tryrdlock(&many) == EBUSY);
    pthread_rwlock_unlock(&many);
    pthread_cond_signal(&nobody);
    printf(" %d %d\n", pthread_cond_broadcast(&nobody), pthread_rwlock_destroy(&many));
}

static void semaphores(void)
{
    sem_t s;
    int value;
    sem_init(&s, 0, 2);
    sem_wait(&s);
    sem_wait(&s);
    printf("%d", sem_trywait(&s) == -1 && errno == EAGAIN);
    sem_post(&s);
    sem_getvalue(&s, &value);
    printf(" %d %d\n", value, sem_destroy(&s));
}

static void standard(void)
{
    mtx_t m;
    tss_t key;
    int x = 5;
    printf("%d", mtx_init(&m, mtx_plain | mtx_recursive) == thrd_success);
    printf("%d", mtx_lock(&m) == thrd_success && mtx_trylock(&m) == thrd_success);
    mtx_unlock(&m);
    mtx_unlock(&m);
    mtx_destroy(&m);
    mtx_init(&m, mtx_plain);
    mtx_lock(&m);
    printf("%d\n", mtx_trylock(&m) == thrd_busy);
    tss_create(&key, NULL);
    printf("%d", tss_get(key) == NULL);
    tss_set(key, &x);
    printf(" %d", *(int *)tss_get(key));
    tss_delete(key);
    printf(" %d\n", thrd_equal(thrd_current(), thrd_current()) != 0);
}

int main(void)
{
    int state;
    pthread_once(&once, begin);
    pthread_once(&once, begin);
    call_once(&flag, begin);
    call_once(&flag, begin);
    mutexes();
    locks();
    semaphores();
    standard();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    printf("%d", state == PTHREAD_CANCEL_ENABLE);
    pthread_setcancelstate(state, &state);
    printf(" %d %d\n", state == PTHREAD_CANCEL_DISABLE, sched_yield());
    return own - 5;
}
