/* The program of a claim, for those who look into it. */
#include "triage/private.h"

bool subject_read(const struct triage_job *job, struct unit *out, struct err *e)
{
    const struct judge_claim *c = job->claim;
    const char *path = c->program->units[0];
    struct front_source source = {.path = path, .cc = c->config->text};
    struct front_options o = {.target = c->target, .file = path};
    struct text text = {0};
    bool ok = front_preprocess(&source, &text, NULL);
    if (!ok) {
        text_clear(&text);
        ok = sys_read_file(path, SYS_READ_ALL, &text, e);
    }
    if (ok)
        *out = front_parse(text_str(&text), text.n, &o);
    text_free(&text);
    return ok;
}
