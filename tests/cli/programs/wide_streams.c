/* Formatted wide characters, streams of them, and what converts between them and bytes. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

static int show(const wchar_t *f, ...)
{
    va_list a;
    va_start(a, f);
    int n = vwprintf(f, a);
    va_end(a);
    return n;
}

static void numbers(void)
{
    wchar_t *end;
    double d = wcstod(L" 2.5e1x", &end);
    wprintf(L"%g %ls|", d, end);
    unsigned long u = wcstoul(L"0x1fz", &end, 16);
    wprintf(L"%lu %ls|", u, end);
    errno = 0;
    unsigned long long most = wcstoull(L"99999999999999999999999", NULL, 10);
    wprintf(L"%llx %d %g\n", most, errno == ERANGE, (double)wcstof(L"0.1", NULL));
}

static void strings(void)
{
    wchar_t text[] = L",one,,two;three", *rest, b[40];
    for (wchar_t *w = wcstok(text, L",;", &rest); w; w = wcstok(NULL, L",;", &rest))
        wprintf(L"[%ls]", w);
    int n = swprintf(b, 40, L"%5d|%-6ls|%s|%lc%c|%%", 42, L"ab", "cd", L'x', 'y');
    wprintf(L"%d %ls %d\n", n, b, (int)(wmemchr(b, L'|', 40) - b));
    const char *bytes = "hello";
    const wchar_t *wide = L"world";
    char small[8];
    size_t all = mbsrtowcs(NULL, &bytes, 0, NULL), some = mbsrtowcs(b, &bytes, 3, NULL);
    wprintf(L"%zu %zu %.3ls %s ", all, some, b, bytes);
    all = wcsrtombs(small, &wide, 8, NULL);
    wprintf(L"%zu %s %d\n", all, small, wide == NULL);
    wprintf(L"%d %d %d %lc\n", !!iswctype(L'7', wctype("digit")), !!iswctype(L'a', wctype("digit")),
            wctype("nothing") == 0, towctrans(L'q', wctrans("toupper")));
}

static void files(void)
{
    wchar_t line[5];
    FILE *f = tmpfile();
    wprintf(L"%d ", fwide(f, 0));
    fputws(L"first\nsecond", f);
    fputwc(L'!', f);
    wprintf(L"%d\n", fwide(f, -1) > 0);
    rewind(f);
    wint_t ch = fgetwc(f);
    ungetwc(ch, f);
    while (fgetws(line, 5, f))
        wprintf(L"<%ls>", line);
    wprintf(L"%d %d\n", fgetwc(f) == WEOF, !!feof(f));
    fclose(f);
}

int main(void)
{
    putwchar(L'>');
    wprintf(L"%d\n", show(L"%ls %d\n", L"shown", 7));
    numbers();
    strings();
    files();
    return fwide(stdout, 0) > 0 ? 0 : 1;
}
