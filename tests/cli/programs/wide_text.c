/* Wide and multibyte characters in the "C" locale. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void)
{
    wchar_t w[20], c = 0, *end;
    char b[20];
    mbstate_t state;
    memset(&state, 0, sizeof state);
    wcscpy(w, L"abc");
    wcsncat(w, L"defghi", 3);
    printf("%zu %d %d %ls\n", wcslen(w), wcscmp(w, L"abcdef"), wcsncmp(w, L"abd", 2), w);
    printf("%d %d %d\n", (int)(wcschr(w, L'd') - w), wcsrchr(w, L'z') == NULL,
           (int)(wcsstr(w, L"ef") - w));
    printf("%zu %zu\n", wcsspn(w, L"cba"), wcscspn(w, L"xe"));
    printf("%zu\n", wcstombs(b, w, sizeof b));
    puts(b);
    printf("%zu\n", mbstowcs(w, "xyz", 20));
    printf("%d %zu\n", (int)w[1], mbstowcs(NULL, "12345", 0));
    printf("%d %d\n", iswalpha(L'a') != 0, iswalpha(0xe9) != 0);
    printf("%d\n", mbtowc(&c, "q", 1));
    printf("%d %d\n", (int)c, mbrtowc(&c, "", 0, &state) == (size_t)-2);
    errno = 0;
    printf("%d\n", mbtowc(&c, "\xe9", 1));
    printf("%d\n", errno == EILSEQ);
    printf("%ld\n", wcstol(L" -123z", &end, 10));
    printf("%d\n", (int)*end);
    wmemset(w, L'x', 3);
    wmemmove(w + 1, w, 2);
    printf("%d %d %d\n", (int)w[2], wmemcmp(w, L"xxx", 3), mblen("a", 1));
    printf("%d %d\n", (int)towupper(L'b'), wctob(btowc('Q')));
    return 0;
}
