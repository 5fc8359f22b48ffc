/* A stream is for bytes or for wide characters (C11 7.21.2p5). */
#include <stdio.h>
#include <wchar.h>
int main(void)
{
    FILE *f = tmpfile();
#if CASE == 1
    printf("bytes\n");
    wprintf(L"wide\n");
#elif CASE == 2
    fputwc(L'w', f);
    fputc('b', f);
#elif CASE == 3
    printf("bytes\n");
    fputws(L"wide\n", f);
#else
    fwide(f, 1);
    rewind(f);
    printf("%d\n", fgetwc(f) == WEOF);
#endif
    fclose(f);
    return 0;
}
