/* The program of a claim, for those who look into it. */
#include "triage/private.h"

/* Programs of a hunt need no preprocessor; what one writes is not read by every compiler. */
bool subject_read(const struct triage_job *job, struct unit *out, struct err *e)
{
    const struct judge_claim *c = job->claim;
    const char *path = c->program->units[0];
    struct front_source source = {.path = path, .cc = c->config->text};
    struct front_options o = {.target = c->target, .file = path};
    struct text text = {0};
    if (!sys_read_file(path, SYS_READ_ALL, &text, e))
        return false;
    *out = front_parse(text_str(&text), text.n, &o);
    text_clear(&text);
    if (out->error_count && front_preprocess(&source, &text, NULL)) {
        lang_program_free(out->program);
        *out = front_parse(text_str(&text), text.n, &o);
    }
    text_free(&text);
    return true;
}
