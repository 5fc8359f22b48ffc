/* Executes the queries on stdin, one a line, and shows what comes of each. */
#include "sqlite3.h"

#include <stdio.h>
#include <string.h>

static int show(void *unused, int n, char **values, char **names)
{
    (void)unused;
    for (int i = 0; i < n; i++)
        printf("%s=%s ", names[i], values[i] ? values[i] : "NULL");
    puts("");
    return 0;
}

int main(void)
{
    static char line[1000];
    sqlite3 *db;
    char *error = NULL;
    if (sqlite3_open(":memory:", &db))
        return 1;
    while (fgets(line, sizeof line, stdin)) {
        printf("> %s", line);
        if (sqlite3_exec(db, line, show, NULL, &error)) {
            printf("error: %s\n", error);
            sqlite3_free(error);
        }
    }
    return sqlite3_close(db);
}
