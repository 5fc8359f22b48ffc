/* Looks for undefined behaviour in a program that compilers do not agree about.  Says nothing, and
 * keeps quiet, when it cannot be read or executed here. */
#include "cmd/excuse.h"

#include "cmd/cflags.h"
#include "front/front.h"
#include "machine/machine.h"
#include "sys/sys.h"

#include <string.h>

/* The program, and what stays the same from input to input. */
struct suspect {
    struct machine_unit *units;
    size_t count;
    char *const *args;
};

static bool read_unit(const struct front_source *source, struct machine_unit *unit)
{
    struct text text = {0};
    struct front_options options = front_options_of(source);
    bool read = front_preprocess(source, &text, NULL);
    if (read) {
        struct unit u = front_parse(text_str(&text), text.n, &options);
        unit->program = u.program;
        read = u.error_count == 0;
    }
    text_free(&text);
    return read;
}

static bool read_units(struct arena *a, const struct cc_config *config,
                       const struct cc_case *program, struct suspect *s)
{
    struct list words = {0}, flags = {0};
    struct text command = {0};
    for (size_t i = 0; config->argv[i]; i++)
        list_add(a, &words, config->argv[i]);
    int argc = (int)words.n;
    list_add(a, &words, NULL);
    cmd_take_cflags(a, &argc, (char **)words.at, &flags);
    char *alone[] = {config->argv[0], NULL};
    str_join_command(&command, alone);
    while (program->units[s->count])
        s->count++;
    s->units = NEW_ARRAY(a, s->count, struct machine_unit);
    bool read = true;
    for (size_t i = 0; read && i < s->count; i++) {
        struct front_source source = {
            .path = program->units[i], .cc = text_str(&command), .flags = (char **)flags.at};
        read = read_unit(&source, &s->units[i]);
    }
    text_free(&command);
    return read;
}

static const char *describe(struct arena *a, const struct suspect *s,
                            const struct machine_result *r)
{
    const struct program *p = s->units[r->place.unit].program;
    const struct ub_info *ub = &machine_ub_info[r->ub];
    const char *at = "";
    if (r->place.node) {
        struct place place = lang_place(p, r->place.node->begin);
        at = arena_printf(a, "%s:%u:%u: ", place.file, place.line, place.column);
    }
    return arena_printf(a, "%sundefined: %s%s%s [%s, C11 %s]", at, ub->message,
                        *r->detail ? ": " : "", r->detail, ub->name, ub->clause);
}

/* One run, with the file as stdin; NULL is an empty one. */
static const char *run(struct arena *a, const struct suspect *s, const char *input)
{
    struct text stdin_text = {0};
    const char *found = NULL;
    if (!input || sys_read_file(input, SYS_READ_ALL, &stdin_text, NULL)) {
        struct machine_options options = {.input = text_str(&stdin_text),
                                          .input_size = stdin_text.n,
                                          .args = s->args,
                                          .name = "program"};
        struct machine *m = machine_new(s->units, s->count, &options);
        const struct machine_result *r = machine_run(m);
        if (r->end == MACHINE_UNDEFINED)
            found = describe(a, s, r);
        machine_free(m);
    }
    text_free(&stdin_text);
    return found;
}

const char *excuse_undefined(struct arena *a, const struct cc_config *config,
                             const struct cc_case *program)
{
    struct suspect s = {.args = program->args};
    const char *found = NULL;
    if (read_units(a, config, program, &s)) {
        if (!program->inputs[0])
            found = run(a, &s, NULL);
        for (size_t i = 0; !found && program->inputs[i]; i++)
            found = run(a, &s, program->inputs[i]);
    }
    for (size_t i = 0; i < s.count; i++)
        if (s.units[i].program)
            lang_program_free(s.units[i].program);
    return found;
}
