/* C leaves open where qsort leaves elements that are equal, which of them bsearch finds, and which
 * elements are compared. */
#include <stdio.h>
#include <stdlib.h>
struct entry {
    int key, value;
};
static int calls;
static int by_key(const void *a, const void *b)
{
    return ((const struct entry *)a)->key - ((const struct entry *)b)->key;
}
static int counted(const void *a, const void *b)
{
    calls++;
    return by_key(a, b);
}
int main(void)
{
    struct entry all[] = {{1, 1}, {1, 2}, {0, 3}, {1, 4}, {2, 5}}, wanted = {1, 0}, *found;
    qsort(all, 5, sizeof *all, counted);
#if CASE == 1
    for (int i = 0; i < 5; i++)
        printf("%d %d\n", all[i].key, all[i].value);
#elif CASE == 2
    found = bsearch(&wanted, all, 5, sizeof *all, by_key);
    printf("%d %d\n", found != NULL, (int)(found - all));
#elif CASE == 3
    for (int i = 0; i < 5; i++)
        printf("%d\n", all[i].key);
    found = bsearch(&wanted, all, 5, sizeof *all, by_key);
    printf("%d\n", found && found->key == 1 && calls > 3);
#else
    struct entry same[] = {{3, 1}, {1, 1}, {3, 1}, {1, 1}};
    qsort(same, 4, sizeof *same, by_key);
    printf("%d %d\n", same[0].value, same[3].key);
    found = bsearch(&(struct entry){2, 0}, all, 5, sizeof *all, by_key);
    printf("%d %d\n", found->value, (int)(found - all));
#endif
    return 0;
}
