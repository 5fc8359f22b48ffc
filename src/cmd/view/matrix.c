/* The matrix of outcomes: compilers down, levels across; then each behaviour with those that
 * show it, and everything that a compiler has to answer for, with the command that shows it. */
#include "cmd/view/view.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- small pieces -------------------------------------------------------------------- */

/* A, B ... Z, AA, AB ... */
static const char *letter(struct arena *a, int group)
{
    return group < 26 ? arena_printf(a, "%c", 'A' + group)
                      : arena_printf(a, "%c%c", 'A' + group / 26 - 1, 'A' + group % 26);
}

/* What stands in the matrix for one outcome. */
static const char *cell(struct arena *a, const struct matrix *m, size_t i)
{
    const struct judgement *j = m->j;
    if (j->group_of[i] < 0)
        return outcome_info(m->c->outcomes[i].kind)->cell;
    const char *sign = j->marks[i] == MARK_DIFFERS   ? "!"
                       : j->marks[i] == MARK_UNCLEAR ? "?"
                       : j->marks[i] == MARK_ALONE   ? "-"
                       : j->marks[i] == MARK_SILENT  ? "~"
                                                     : "";
    return arena_printf(a, "%s%s%s", letter(a, j->group_of[i]), sign,
                        j->slow[i] || j->large[i] ? "*" : "");
}

/* The beginning of an output, as a C string would show it. */
static char *excerpt(struct arena *a, const char *bytes, size_t n)
{
    enum { SHOWN = 60 };
    struct text t = {0};
    text_putc(&t, '"');
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '\n')
            text_puts(&t, "\\n");
        else if (c == '"' || c == '\\')
            text_printf(&t, "\\%c", c);
        else if (isprint(c))
            text_putc(&t, (char)c);
        else
            text_printf(&t, "\\%03o", c);
    }
    text_puts(&t, n > SHOWN ? "\" ..." : "\"");
    char *copy = arena_string(a, t.s);
    text_free(&t);
    return copy;
}

/* "exit status 0, 21 bytes "checksum = 1234\n"" for each input. */
static char *behaviour(struct arena *a, const struct outcome *o)
{
    struct text t = {0};
    for (size_t i = 0; i < o->run_count; i++) {
        const struct outcome_run *run = &o->runs[i];
        if (o->run_count > 1)
            text_printf(&t, "%sinput %zu: ", i ? "; " : "", i + 1);
        text_printf(&t, "%s, %zu bytes %s", run->words, run->out_size,
                    excerpt(a, run->out, run->out_size));
    }
    char *copy = arena_string(a, text_str(&t));
    text_free(&t);
    return copy;
}

static void add_name(struct text *t, const char *separator, const char *name)
{
    text_printf(t, "%s%s", t->n ? separator : "", name);
}

/* ---- the table ----------------------------------------------------------------------- */

struct axes {
    struct list rows, columns; /* compilers, levels; in order of appearance */
};

static size_t index_of(const struct list *l, const char *s)
{
    size_t i = 0;
    while (i < l->n && strcmp(l->at[i], s) != 0)
        i++;
    return i;
}

static struct axes find_axes(struct arena *a, const struct judge_case *c)
{
    static const char *const usual[] = {"", "-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Oz"};
    struct axes x = {0};
    struct list levels = {0};
    for (size_t i = 0; i < c->n; i++) {
        if (index_of(&x.rows, c->configs[i].compiler) == x.rows.n)
            list_add(a, &x.rows, (char *)c->configs[i].compiler);
        if (index_of(&levels, c->configs[i].level) == levels.n)
            list_add(a, &levels, (char *)c->configs[i].level);
    }
    for (size_t i = 0; i < LENGTH(usual); i++)
        if (index_of(&levels, usual[i]) < levels.n)
            list_add(a, &x.columns, (char *)usual[i]);
    for (size_t i = 0; i < levels.n; i++)
        if (index_of(&x.columns, levels.at[i]) == x.columns.n)
            list_add(a, &x.columns, levels.at[i]);
    return x;
}

static void render_row(struct arena *a, const struct matrix *m, const struct axes *x,
                       const char *row, int width, struct text *out)
{
    text_printf(out, "  %-*s", width, row);
    for (size_t k = 0; k < x->columns.n; k++) {
        const char *shown = "";
        for (size_t i = 0; i < m->c->n; i++)
            if (strcmp(m->c->configs[i].compiler, row) == 0 &&
                strcmp(m->c->configs[i].level, x->columns.at[k]) == 0)
                shown = cell(a, m, i);
        text_printf(out, " %-8s", shown);
    }
    while (out->n && out->s[out->n - 1] == ' ')
        out->s[--out->n] = '\0';
    text_putc(out, '\n');
}

static void render_table(struct arena *a, const struct matrix *m, struct text *out)
{
    struct axes x = find_axes(a, m->c);
    int width = 10;
    for (size_t i = 0; i < x.rows.n; i++)
        width = (int)strlen(x.rows.at[i]) > width ? (int)strlen(x.rows.at[i]) : width;
    text_printf(out, "  %-*s", width, "");
    for (size_t k = 0; k < x.columns.n; k++)
        text_printf(out, " %-8s", *(char *)x.columns.at[k] ? (char *)x.columns.at[k] : "(none)");
    text_putc(out, '\n');
    for (size_t i = 0; i < x.rows.n; i++)
        render_row(a, m, &x, x.rows.at[i], width, out);
}

/* ---- what was found ------------------------------------------------------------------ */

static void render_groups(struct arena *a, const struct matrix *m, struct text *out)
{
    for (size_t g = 0; g < m->j->group_count; g++) {
        const struct judge_group *group = &m->j->groups[g];
        struct text names = {0};
        for (size_t i = 0; i < m->c->n; i++)
            if (m->j->group_of[i] == (int)g)
                add_name(&names, ", ", m->c->configs[i].text);
        text_printf(out, "  %-3s %s%s\n      %zu of %zu: ", letter(a, (int)g),
                    behaviour(a, &m->c->outcomes[group->first]),
                    group->expected ? "  (as expected)" : "", group->members, m->c->n);
        enum { SHOWN = 300 };
        text_printf(out, "%.*s%s\n", SHOWN, names.s, names.n > SHOWN ? " ..." : "");
        text_free(&names);
    }
}

static void render_command(struct arena *a, const struct matrix *m, size_t i, struct text *out)
{
    const struct cc_config *config = &m->c->configs[i];
    if (m->filled[i]) {
        char *own[] = {config->argv[0], NULL};
        text_puts(out, "      a program that shows it: DIR/filled of cupel emi -o DIR, with --cc ");
        str_join_command(out, own);
        text_puts(out, " and its flags\n");
        return;
    }
    text_printf(out, "      %s", cc_plain_command(a, config, m->program, "./t"));
    if (m->c->outcomes[i].kind == OUTCOME_BUILT) {
        text_puts(out, " && ");
        if (config->emulator[0]) {
            str_join_command(out, config->emulator);
            text_putc(out, ' ');
        }
        text_puts(out, "./t");
        if (m->program->args[0])
            text_putc(out, ' ');
        str_join_command(out, m->program->args);
        if (m->program->inputs[0])
            text_printf(out, " < %s", m->program->inputs[0]);
    }
    text_putc(out, '\n');
}

/* What a program that differs differs from. */
static const char *against(const struct matrix *m, size_t i)
{
    if (m->c->expected)
        return "not the expected output";
    return m->c->known && m->c->known[i] ? "not what it must do" : "against the majority";
}

static const char *complaint(struct arena *a, const struct matrix *m, size_t i)
{
    const struct outcome *o = &m->c->outcomes[i];
    switch (m->j->marks[i]) {
    case MARK_DIFFERS:
        return arena_printf(a, "%s%s: %s", against(m, i),
                            m->filled[i] ? ", where the stack below main holds no zeros" : "",
                            behaviour(a, o));
    case MARK_ALONE:
        if (m->c->licence && m->c->licence[i])
            return arena_printf(a, "not compared: %s lets it behave otherwise", m->c->licence[i]);
        return arena_printf(a, "not compared: nobody else is for %s",
                            cc_machine_name(a, o->machine));
    case MARK_FAULT:
    case MARK_REFUSED:
        return arena_printf(a, "%s: %s", outcome_info(o->kind)->phrase,
                            *o->signature ? o->signature : o->message);
    case MARK_SILENT:
        if (o->kind == OUTCOME_BUILT)
            return arena_printf(a, "cut off after %g s", m->c->run_timeout);
        return arena_printf(a, "%s: %s", outcome_info(o->kind)->phrase, o->message);
    case MARK_AGREES:
    case MARK_UNCLEAR:
        break;
    }
    return NULL;
}

/* Configurations that have the same to answer for are named together. */
static void render_complaints(struct arena *a, const struct matrix *m, struct text *out)
{
    struct map seen = {0};
    for (size_t i = 0; i < m->c->n; i++) {
        const char *words = complaint(a, m, i);
        if (!words || map_get(&seen, words))
            continue;
        map_set(a, &seen, words, out);
        struct text names = {0};
        for (size_t k = i; k < m->c->n; k++) {
            const char *other = complaint(a, m, k);
            if (other && strcmp(other, words) == 0)
                add_name(&names, ", ", m->c->configs[k].text);
        }
        text_printf(out, "  %s\n      %s\n", names.s, words);
        render_command(a, m, i, out);
        text_free(&names);
    }
}

static void render_extremes(const struct matrix *m, struct text *out)
{
    for (size_t i = 0; i < m->c->n; i++) {
        const struct outcome *o = &m->c->outcomes[i];
        if (m->j->slow[i])
            text_printf(out, "  %s: compiles in %.1f s, over ten times its other levels\n",
                        m->c->configs[i].text, o->compile_cpu);
        if (m->j->large[i])
            text_printf(out, "  %s: needs %.0f MB to compile, over ten times its other levels\n",
                        m->c->configs[i].text, (double)o->compile_memory / 1e6);
    }
}

/* Does the abstract machine say what all with this mark must do? */
static bool is_known(const struct matrix *m, enum judge_mark mark)
{
    for (size_t i = 0; i < m->c->n; i++)
        if (m->j->marks[i] == mark && (!m->c->known || !m->c->known[i]))
            return false;
    return m->c->known != NULL;
}

/* Do programs of several machines behave otherwise? */
static bool spans_machines(const struct matrix *m)
{
    for (size_t i = 0; i < m->c->n; i++)
        for (size_t k = 0; k < i; k++)
            if (m->j->group_of[i] >= 0 && m->j->group_of[k] >= 0 &&
                m->j->group_of[i] != m->j->group_of[k] &&
                m->c->outcomes[i].machine != m->c->outcomes[k].machine)
                return true;
    return false;
}

/* Why behaviours that stand side by side are not held against each other. */
static void render_machines(struct arena *a, const struct matrix *m, struct text *out)
{
    struct map seen = {0};
    struct text names = {0};
    if (!spans_machines(m))
        return;
    for (size_t i = 0; i < m->c->n; i++) {
        const char *name = cc_machine_name(a, m->c->outcomes[i].machine);
        if (m->j->group_of[i] >= 0 && !map_get(&seen, name)) {
            map_set(a, &seen, name, out);
            add_name(&names, ", ", name);
        }
    }
    text_printf(out,
                "  Programs for different machines (%s) are not compared with each other: int, "
                "char or\n      byte order may rightly make a difference\n",
                text_str(&names));
    text_free(&names);
}

/* Do some that are right behave otherwise than others for the same machine?  Their preprocessors
 * made another program of the source. */
static bool has_several_texts(const struct matrix *m)
{
    for (size_t i = 0; i < m->c->n; i++)
        for (size_t k = 0; k < i; k++)
            if (m->j->marks[i] == MARK_AGREES && m->j->marks[k] == MARK_AGREES &&
                m->j->group_of[i] != m->j->group_of[k] &&
                m->c->outcomes[i].machine == m->c->outcomes[k].machine)
                return true;
    return false;
}

char *matrix_verdict(struct arena *a, const struct matrix *m)
{
    const struct judgement *j = m->j;
    struct text t = {0};
    if (j->counts[MARK_UNCLEAR])
        add_name(&t, "; ", "configurations disagree, and there is no majority");
    if (j->counts[MARK_DIFFERS])
        add_name(&t, "; ",
                 arena_printf(a, "%zu of %zu %s", j->counts[MARK_DIFFERS], m->c->n,
                              m->c->expected              ? "do not give the expected result"
                              : is_known(m, MARK_DIFFERS) ? "do not do what the program must do"
                                                          : "differ from the majority"));
    if (j->excuse)
        add_name(&t, ", ", arena_printf(a, "which says nothing about them: %s", j->excuse));
    if (j->counts[MARK_FAULT])
        add_name(&t, "; ", arena_printf(a, "%zu failed to compile it", j->counts[MARK_FAULT]));
    if (j->counts[MARK_REFUSED])
        add_name(&t, "; ", arena_printf(a, "%zu reject it", j->counts[MARK_REFUSED]));
    if (!t.n && j->counts[MARK_AGREES] && !j->counts[MARK_ALONE])
        add_name(&t, "",
                 m->c->expected             ? "all give the expected result"
                 : is_known(m, MARK_AGREES) ? "all do what the program must do"
                 : has_several_texts(m)     ? "all agree with who compiles the same text, or do "
                                              "what theirs must do"
                 : spans_machines(m)        ? "all for the same machine agree"
                                            : "all agree");
    if (j->counts[MARK_ALONE])
        add_name(&t, "; ", arena_printf(a, "%zu not compared", j->counts[MARK_ALONE]));
    if (j->counts[MARK_SILENT])
        add_name(&t, "; ", arena_printf(a, "%zu gave no answer", j->counts[MARK_SILENT]));
    char *copy = arena_string(a, text_str(&t));
    text_free(&t);
    return copy;
}

void matrix_render_text(struct arena *a, const struct matrix *m, struct text *out)
{
    render_table(a, m, out);
    text_putc(out, '\n');
    render_groups(a, m, out);
    render_machines(a, m, out);
    render_complaints(a, m, out);
    render_extremes(m, out);
    text_printf(out, "\n%s: %zu configurations in %.1f s: %s\n", m->program->units[0], m->c->n,
                m->seconds, matrix_verdict(a, m));
}

/* ---- for scripts --------------------------------------------------------------------- */

static const char *const mark_names[] = {
    [MARK_AGREES] = "agrees", [MARK_DIFFERS] = "differs", [MARK_UNCLEAR] = "unclear",
    [MARK_ALONE] = "alone",   [MARK_FAULT] = "fault",     [MARK_REFUSED] = "refused",
    [MARK_SILENT] = "silent",
};

static const char *const end_names[] = {
    [SYS_EXITED] = "exited",         [SYS_SIGNALLED] = "signal",
    [SYS_TIMEOUT] = "timeout",       [SYS_OUTPUT_LONG] = "output too long",
    [SYS_MEMORY] = "out of memory",  [SYS_CROWD] = "too many processes",
    [SYS_FULL] = "full disk",        [SYS_NOT_STARTED] = "not started",
    [SYS_NOT_LOADED] = "not loaded", [SYS_CANCELLED] = "cancelled",
};

/* Bytes as a JSON string: what is not UTF-8 is read as Latin-1. */
static json_t *bytes_json(const char *bytes, size_t n)
{
    json_t *s = json_stringn(bytes, n);
    if (s)
        return s;
    struct text t = {0};
    text_add_latin1(&t, bytes, n);
    s = json_stringn(text_str(&t), t.n);
    text_free(&t);
    return s;
}

static json_t *run_json(const struct outcome_run *run)
{
    json_t *r = json_pack("{s:s, s:i, s:i, s:f}", "end", end_names[run->end], "code", run->code,
                          "bytes", (int)run->out_size, "seconds", run->seconds);
    json_object_set_new(r, "output", bytes_json(run->out, run->out_size));
    json_object_set_new(r, "stderr", bytes_json(run->err, strlen(run->err)));
    return r;
}

static json_t *outcome_json(struct arena *a, const struct matrix *m, size_t i)
{
    const struct cc_config *config = &m->c->configs[i];
    const struct outcome *o = &m->c->outcomes[i];
    json_t *runs = json_array();
    for (size_t k = 0; k < o->run_count; k++)
        json_array_append_new(runs, run_json(&o->runs[k]));
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:I, s:b, s:b, s:b, s:s, s:o}", "config",
        config->text, "compiler", config->compiler, "level", config->level, "outcome",
        outcome_info(o->kind)->id, "mark", mark_names[m->j->marks[i]], "command",
        cc_plain_command(a, config, m->program, "./t"), "compile_seconds", o->compile_wall,
        "compile_cpu", o->compile_cpu, "compile_bytes", (json_int_t)o->compile_memory, "slow",
        m->j->slow[i], "large", m->j->large[i], "loaded", o->loaded, "linked_because",
        o->why_linked ? o->why_linked : "", "runs", runs);
    json_object_set_new(root, "filled_stack", json_boolean(m->filled[i]));
    json_object_set_new(root, "message", bytes_json(o->message, strlen(o->message)));
    json_object_set_new(root, "signature", bytes_json(o->signature, strlen(o->signature)));
    json_object_set_new(root, "group",
                        m->j->group_of[i] < 0 ? json_null()
                                              : json_string(letter(a, m->j->group_of[i])));
    return root;
}

void matrix_render_json(struct arena *a, const struct matrix *m, struct text *out)
{
    json_t *outcomes = json_array(), *groups = json_array(), *units = json_array();
    for (size_t i = 0; m->program->units[i]; i++)
        json_array_append_new(units, json_string(m->program->units[i]));
    for (size_t i = 0; i < m->c->n; i++)
        json_array_append_new(outcomes, outcome_json(a, m, i));
    for (size_t g = 0; g < m->j->group_count; g++)
        json_array_append_new(
            groups, json_pack("{s:s, s:i, s:b, s:s}", "group", letter(a, (int)g), "members",
                              (int)m->j->groups[g].members, "expected", m->j->groups[g].expected,
                              "behaviour", behaviour(a, &m->c->outcomes[m->j->groups[g].first])));
    json_t *root = json_pack("{s:o, s:b, s:s, s:f, s:f, s:o, s:o}", "files", units, "found",
                             judge_found_something(m->j), "verdict", matrix_verdict(a, m),
                             "seconds", m->seconds, "job_cpu_seconds", sys_children_cpu(), "groups",
                             groups, "outcomes", outcomes);
    if (m->j->excuse)
        json_object_set_new(root, "excuse", bytes_json(m->j->excuse, strlen(m->j->excuse)));
    record_set_version(root);
    char *text = json_dumps(root, JSON_INDENT(2));
    text_printf(out, "%s\n", text ? text : "{}");
    free(text);
    json_decref(root);
}
