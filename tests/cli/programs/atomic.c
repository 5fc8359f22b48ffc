#include <stdio.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
static _Atomic int ai = 5; static atomic_uint au; static atomic_flag fl = ATOMIC_FLAG_INIT;
int main(void)
{
    ai++; ai += 3; ai -= 1; int o = atomic_fetch_add(&ai, 10); printf("%d %d\n", o, ai); o = atomic_fetch_or(&au, 0xf0u); printf("%d %x\n", o, au); au ^= 0xffu; printf("%x\n", au);
    int e = 18; printf("%d ", atomic_compare_exchange_strong(&ai, &e, 99)); printf("%d %d\n", ai, e); e = 1; printf("%d ", atomic_compare_exchange_strong(&ai, &e, 7)); printf("%d %d\n", ai, e);
    printf("%d\n", atomic_exchange(&ai, 3)); atomic_store(&ai, 4); printf("%d\n", atomic_load_explicit(&ai, memory_order_acquire)); printf("%d ", atomic_flag_test_and_set(&fl)); printf("%d\n", atomic_flag_test_and_set(&fl)); atomic_flag_clear(&fl);
    int x = 5; printf("%d ", __sync_fetch_and_add(&x, 2)); printf("%d ", __sync_add_and_fetch(&x, 2)); printf("%d\n", __sync_bool_compare_and_swap(&x, 9, 1)); printf("%d ", __atomic_fetch_sub(&x, 1, __ATOMIC_SEQ_CST)); printf("%d\n", x);
    long y = 0; __atomic_store_n(&y, 7, __ATOMIC_RELAXED); printf("%ld\n", __atomic_load_n(&y, __ATOMIC_RELAXED)); printf("%ld\n", __atomic_add_fetch(&y, -8, 0)); atomic_thread_fence(memory_order_seq_cst); _Atomic(int *) ap = &x; printf("%d\n", *ap == x); unsigned char uc = 250; __atomic_fetch_add(&uc, 10, 0); printf("%d\n", uc);
    int arr[4] = {1, 2, 3, 4}, *p = arr, *q = __atomic_fetch_add(&p, 4, 0); printf("%d %d ", *q, *p); q = __atomic_add_fetch(&p, 8, 0); printf("%d ", *q); q = __sync_sub_and_fetch(&p, 4); printf("%d %d ", *q, *p); q = __atomic_exchange_n(&p, arr, 0); printf("%d %d ", *q, *p); q = arr; printf("%d ", __atomic_compare_exchange_n(&p, &q, arr + 3, 0, 0, 0)); printf("%d\n", *p);
    return 0;
}
