/* Mutexes that are not as they must be, and keys that are none. */
#include <pthread.h>
#include <stdio.h>
int main(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_key_t key;
    pthread_key_create(&key, 0);
#if CASE == 1
    pthread_mutex_lock(&m);
    return pthread_mutex_lock(&m);
#elif CASE == 2
    pthread_key_delete(key);
    return pthread_setspecific(key, &m);
#elif CASE == 3
    pthread_mutex_lock(&m);
    if (pthread_mutex_trylock(&m) == 0)
        return 1;
    pthread_mutex_unlock(&m);
    return pthread_mutex_destroy(&m);
#else
    pthread_mutex_init(&m, 0);
    pthread_setspecific(key, &m);
    return pthread_getspecific(key) != &m;
#endif
}
