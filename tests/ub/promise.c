/* promise: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#include <stddef.h>
static char room[64] __attribute__((aligned(16)));
__attribute__((nonnull)) static int both(int *p, char *q) { return p && q; }
__attribute__((nonnull(2))) static int second(int *p, char *q) { return p || q; }
__attribute__((returns_nonnull)) static char *get(int ok) { return ok ? room : NULL; }
__attribute__((assume_aligned(16, 4))) static char *part(int n) { return room + n; }
int main(void)
{
    int x;
#if CASE == 1
    return both(&x, NULL);
#elif CASE == 2
    return get(1) && part(3) == room;
#elif CASE == 3
    return !both(&x, room) || !second(NULL, room);
#else
    return get(1) != room || part(20) != room + 20;
#endif
}
