/* Pointers are valid even where no element is looked at (C11 7.22.5p1, 7.24.1p2, 7.29.4p2). */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    int list[1], key = 1;
    void *volatile none = NULL;
#if CASE == 1
    qsort(none, 0, sizeof *list, compare);
    return key - 1;
#elif CASE == 2
    return wmemcmp(none, L"a", 0) || memchr(none, 1, 0) || bsearch(&key, list, 0, 4, compare);
#elif CASE == 3
    qsort(list, 0, sizeof *list, compare);
    free(none);
    return bsearch(&key, list, 0, sizeof *list, compare) != NULL;
#else
    return wmemcmp(L"b", L"a", 0) || memchr(list + 1, 1, 0) || mbstowcs(none, "a", 0) != 1;
#endif
}
