/* Files that the program makes, reads again, moves and removes. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    char key;
    int value;
    double weight;
};

static void lines(void)
{
    FILE *f = fopen("cupel-lines.tmp", "w");
    fprintf(f, "hello %d\nline two\n%s", 5, "last");
    fclose(f);
    f = fopen("cupel-lines.tmp", "r");
    char line[40];
    int n;
    while (fgets(line, sizeof line, f))
        printf("[%s]", line);
    printf(" %d\n", feof(f) != 0);
    rewind(f);
    int got = fscanf(f, "hello %d", &n);
    printf("%d %d %ld\n", got, n, ftell(f));
    fseek(f, -4, SEEK_END);
    printf("%c\n", fgetc(f));
    ungetc('Z', f);
    printf("%c\n", fgetc(f));
    printf("%d", fputc('x', f));
    printf(" %d\n", ferror(f) != 0);
    fclose(f);
    f = fopen("cupel-lines.tmp", "a+");
    fputs(" more", f);
    rewind(f);
    char *text = NULL;
    size_t size = 0;
    long length;
    while ((length = getdelim(&text, &size, 'l', f)) != -1)
        printf("%ld %zu <%s>\n", length, size, text);
    free(text);
    fclose(f);
    printf("%d", rename("cupel-lines.tmp", "cupel-moved.tmp"));
    printf("%d", fopen("cupel-lines.tmp", "r") == NULL);
    printf("%d", remove("cupel-moved.tmp"));
    printf("%d\n", remove("cupel-moved.tmp"));
}

static void names(void)
{
    char own[L_tmpnam], *first = tmpnam(own), *second = tmpnam(NULL);
    FILE *f = fopen(second, "w");
    second[0] = '/'; /* it is ours to change */
    printf("%d %d ", first == own, strcmp(first, second) != 0);
    printf("%d", f && fputs("x", f) >= 0 && fclose(f) == 0);
    printf("%d\n", remove(second));
}

static void items(void)
{
    struct item item = {0}, back[3];
    item.key = 'k';
    item.value = 2;
    item.weight = 3.5;
    FILE *f = tmpfile();
    size_t n = fwrite(&item, sizeof item, 1, f);
    item.value = 7;
    n += fwrite(&item, sizeof item, 1, f);
    printf("%zu %d\n", n, ftell(f) == 2 * sizeof item);
    fpos_t end;
    fgetpos(f, &end);
    rewind(f);
    n = fread(back, sizeof *back, 3, f);
    printf("%zu %d %g %d\n", n, back[1].value, back[0].weight, feof(f) != 0);
    fsetpos(f, &end);
    fputs("tail", f);
    fseek(f, -3, SEEK_CUR);
    char text[8] = "";
    n = fread(text, 1, sizeof text - 1, f);
    printf("%zu %s\n", n, text);
    fclose(f);
}

int main(void)
{
    lines();
    items();
    names();
    if (freopen("/dev/null", "w", stderr))
        fputs("nobody reads this\n", stderr);
    return 0;
}
