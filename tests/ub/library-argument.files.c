/* Streams: directions, modes, and what is closed (C11 7.21.3p4, 7.21.5.3). */
#include <stdio.h>
#include <string.h>

struct item {
    char key;
    int value;
};

int main(void)
{
    FILE *f = fopen("cupel-case.tmp", "w+");
    char line[20];
    if (!f)
        return 0;
    fputs("first\nsecond\n", f);
#if CASE == 1
    fgets(line, sizeof line, f);
    puts(line);
#elif CASE == 2
    fclose(f);
    fputs("third\n", f);
#elif CASE == 3
    rewind(f);
    while (fgets(line, sizeof line, f))
        printf("%zu %s", strlen(line), line);
    fputs("third", f); /* at the end of the file no positioning is needed */
    fseek(f, -5, SEEK_END);
    int ch = getc(f);
    printf("%c %ld\n", ch, ftell(f));
    fclose(f);
#else
    struct item items[2], back[3];
    for (int i = 0; i < 2; i++) {
        items[i].key = 'a';
        items[i].value = i;
    }
    fflush(f);
    fseek(f, 0, SEEK_SET);
    fwrite(items, sizeof *items, 2, f);
    rewind(f);
    size_t n = fread(back, sizeof *back, 3, f);
    printf("%zu %d %d\n", n, back[1].value, feof(f) != 0);
    fclose(f);
#endif
    remove("cupel-case.tmp");
    return 0;
}
