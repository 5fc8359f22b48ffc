/* Hashes and random numbers.  Both are defined by 64-bit arithmetic alone, so that the same
 * seed gives the same bytes on every machine.
 *
 * The stream is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
 * generators, OOPSLA 2014): a counter through a finaliser, one add and three multiplies. */
#include "base/base.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

uint64_t hash_bytes(const void *bytes, size_t n)
{
    return XXH3_64bits(bytes, n);
}

uint64_t hash_string(const char *s)
{
    return hash_bytes(s, strlen(s));
}

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t hash_pair(uint64_t a, uint64_t b)
{
    return mix(mix(a + GOLDEN) + b);
}

struct rng rng_seed(uint64_t seed)
{
    uint64_t key = mix(seed + GOLDEN);
    return (struct rng){.key = key, .state = key};
}

struct rng rng_fork(const struct rng *parent, const char *name)
{
    return rng_seed(hash_pair(parent->key, hash_string(name)));
}

struct rng rng_fork_at(const struct rng *parent, const char *name, uint64_t index)
{
    struct rng named = rng_fork(parent, name);
    return rng_seed(hash_pair(named.key, index));
}

uint64_t rng_next(struct rng *r)
{
    r->state += GOLDEN;
    return mix(r->state);
}

/* Lemire's method: the high half of a product, redrawn in the sliver that would bias it. */
uint64_t rng_below(struct rng *r, uint64_t limit)
{
    if (limit == 0)
        BUG("draw below 0");
    for (;;) {
        u128 product = (u128)rng_next(r) * limit;
        uint64_t low = (uint64_t)product;
        if (low >= limit || low >= -limit % limit)
            return (uint64_t)(product >> 64);
    }
}

int64_t rng_between(struct rng *r, int64_t low, int64_t high)
{
    if (low > high)
        BUG("draw between %lld and %lld", (long long)low, (long long)high);
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    uint64_t offset = span ? rng_below(r, span) : rng_next(r);
    return (int64_t)((uint64_t)low + offset);
}

bool rng_chance(struct rng *r, unsigned percent)
{
    return rng_below(r, 100) < percent;
}

size_t rng_weighted(struct rng *r, const unsigned *weights, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    uint64_t draw = rng_below(r, sum);
    for (size_t i = 0;; i++) {
        if (draw < weights[i])
            return i;
        draw -= weights[i];
    }
}
