/* Fuzz target: any text goes through the preprocessor, which takes or declines it, and does the
 * same again the second time, when what its headers gave is kept.
 *
 * Built by `make fuzz`.  Nothing is started: XDG_CACHE_HOME has what the compiler says already. */
#include "cpp/cpp.h"

#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

bool sys_scratch_open(struct scratch *s, struct err *e)
{
    (void)s;
    return fail(e, "the cache does not know this compiler");
}

void sys_scratch_close(struct scratch *s)
{
    (void)s;
}

struct runner *sys_runner_open(const struct runner_options *options, struct err *e)
{
    (void)options;
    (void)e;
    return NULL;
}

void sys_runner_close(struct runner *r)
{
    (void)r;
}

bool sys_run(struct runner *runner, const struct sys_job *job, struct sys_result *r, struct err *e)
{
    (void)runner;
    (void)job;
    (void)r;
    (void)e;
    return false;
}

void sys_result_free(struct sys_result *r)
{
    (void)r;
}

char **sys_tool_env(struct arena *a, const char *dir)
{
    (void)a;
    (void)dir;
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = getenv("FUZZ_FILE");
    char *cc[] = {"gcc", NULL}, *flags[] = {"-D", "ONE=1", "-DF(x)=x x", NULL};
    struct text once = {0}, again = {0};
    struct err e;
    FILE *f = path ? fopen(path, "wb") : NULL;
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        BUG("cannot write FUZZ_FILE");
    struct cpp_request request = {.path = path, .cc = cc, .flags = flags};
    bool ok = cpp_run(&request, &once, &e);
    if (!ok && strstr(e.msg, "the cache does not know"))
        BUG("%s", e.msg);
    if (ok != cpp_run(&request, &again, &e))
        BUG("taken once, declined the other time: %s", e.msg);
    if (once.n != again.n || (once.n && memcmp(once.s, again.s, once.n) != 0))
        BUG("another text the second time");
    text_free(&once);
    text_free(&again);
    return 0;
}
