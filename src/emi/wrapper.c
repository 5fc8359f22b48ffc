/* The compiler that a project is built with: cupel itself, called cupel-cc.  It finds out what to
 * do from the state file in the folder above its own (see project.c), rewrites the C files of its
 * command, and then becomes the real compiler.  Whatever it cannot rewrite is compiled as it is. */
#include "emi/state.h"

#include "sys/sys.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The state, and where it was found. */
struct work {
    struct arena *a;
    const char *dir;
    struct emi_state state;
};

static bool read_work(struct work *w, const char *self, struct err *e)
{
    const char *slash = strrchr(self, '/');
    if (!slash)
        return fail(e, "cupel-cc is started by its full path only");
    w->dir = arena_printf(w->a, "%.*s/..", (int)(slash - self), self);
    return emi_state_read(w->a, w->dir, &w->state, e);
}

/* ---- the command ------------------------------------------------------------------------ */

struct command {
    struct list args;  /* as given */
    struct list flags; /* what preprocessing needs */
    bool *is_source;   /* per argument */
    size_t sources;
    bool plain; /* nothing to be rewritten */
    bool depends, named_depends;
    const char *output;
    char stage;    /* of what comes out: o, s, or 0 for a program */
    uint64_t name; /* hash of words, folder and, in the end, sources: the same in every build */
};

static bool takes_word(const char *arg)
{
    static const char *const options[] = {"-o",         "-I",          "-D",
                                          "-U",         "-include",    "-imacros",
                                          "-isystem",   "-iquote",     "-L",
                                          "-l",         "-MF",         "-MT",
                                          "-MQ",        "-x",          "-Xlinker",
                                          "-Xclang",    "-mllvm",      "-T",
                                          "-u",         "-z",          "-e",
                                          "--param",    "-target",     "-aux-info",
                                          "-idirafter", "-Xassembler", "-Xpreprocessor"};
    for (size_t i = 0; i < LENGTH(options); i++)
        if (strcmp(arg, options[i]) == 0)
            return true;
    return false;
}

static bool is_for_linker(const char *arg)
{
    return str_has_prefix(arg, "-L") || str_has_prefix(arg, "-l") || str_has_prefix(arg, "-Wl,") ||
           strcmp(arg, "-Xlinker") == 0 || strcmp(arg, "-T") == 0 || strcmp(arg, "-u") == 0 ||
           strcmp(arg, "-z") == 0 || strcmp(arg, "-e") == 0 || strcmp(arg, "-shared") == 0 ||
           strcmp(arg, "-o") == 0 || strcmp(arg, "-c") == 0 || strcmp(arg, "-S") == 0;
}

/* Trials of configure and cmake are about the compiler, not the project. */
static bool is_trial(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return str_has_prefix(name, "conftest") || str_has_prefix(name, "ztest") ||
           strstr(path, "CMakeTmp") || strstr(path, "CMakeScratch") ||
           strstr(path, "CMakeCCompiler") || strstr(path, "meson-private");
}

static void read_word(struct arena *a, struct command *c, char **argv, int i)
{
    const char *arg = argv[i];
    if (strcmp(arg, "-E") == 0 || strcmp(arg, "-M") == 0 || strcmp(arg, "-MM") == 0 ||
        strcmp(arg, "-x") == 0 || strcmp(arg, "-fsyntax-only") == 0 || strcmp(arg, "-") == 0 ||
        arg[0] == '@')
        c->plain = true;
    if (strcmp(arg, "-MD") == 0 || strcmp(arg, "-MMD") == 0)
        c->depends = true;
    if (str_has_prefix(arg, "-MF"))
        c->named_depends = true;
    if (strcmp(arg, "-o") == 0 && argv[i + 1])
        c->output = argv[i + 1];
    if (strcmp(arg, "-c") == 0)
        c->stage = 'o';
    if (strcmp(arg, "-S") == 0)
        c->stage = 's';
    if (arg[0] == '-' && !is_for_linker(arg))
        list_add(a, &c->flags, argv[i]);
}

static void read_command(struct arena *a, struct command *c, int argc, char **argv)
{
    c->is_source = NEW_ARRAY(a, (size_t)argc + 1, bool);
    const char *folder = sys_real_path(a, ".");
    c->name = hash_string(folder ? folder : "");
    for (int i = 1; i < argc; i++)
        c->name = hash_pair(c->name, hash_string(argv[i]));
    for (int i = 1; i < argc; i++) {
        size_t at = c->args.n;
        list_add(a, &c->args, argv[i]);
        read_word(a, c, argv, i);
        if (takes_word(argv[i]) && i + 1 < argc) {
            if (!is_for_linker(argv[i]))
                list_add(a, &c->flags, argv[i + 1]);
            list_add(a, &c->args, argv[++i]);
            continue;
        }
        if (argv[i][0] == '-' || !str_has_suffix(argv[i], ".c"))
            continue;
        c->is_source[at] = true;
        c->sources++;
        c->plain |= is_trial(argv[i]);
    }
    c->plain |= c->sources == 0;
}

/* Dependencies are a matter of preprocessing: they are written then, to where they belong. */
static void name_depends(struct arena *a, struct command *c, const char *source)
{
    if (!c->depends || c->named_depends)
        return;
    const char *from = c->output              ? c->output
                       : strrchr(source, '/') ? strrchr(source, '/') + 1
                                              : source;
    const char *dot = strrchr(from, '.'), *slash = strrchr(from, '/');
    int stem = dot && (!slash || dot > slash) ? (int)(dot - from) : (int)strlen(from);
    list_add(a, &c->flags, "-MF");
    list_add(a, &c->flags, arena_printf(a, "%.*s.d", stem, from));
}

/* ---- one unit --------------------------------------------------------------------------- */

struct unit_work {
    struct work *s;
    const char *source;
    struct program *program;
    const char *name; /* hash of its text: the same unit in every build */
    uint64_t seed;    /* the same in every folder, too */
};

/* Line markers name the folder that the project was copied to: not so of what varies it. */
static uint64_t seed_of(const struct unit_work *w)
{
    const char *slash = strrchr(w->source, '/');
    uint64_t hash = hash_pair(w->s->state.seed, hash_string(slash ? slash + 1 : w->source));
    const char *stop = w->program->text + w->program->text_size;
    for (const char *line = w->program->text, *end; line < stop; line = end + 1) {
        end = memchr(line, '\n', (size_t)(stop - line));
        end = end ? end : stop;
        if (*line != '#')
            hash = hash_pair(hash, hash_bytes(line, (size_t)(end - line)));
    }
    return hash;
}

static bool open_unit(struct unit_work *w, struct command *c, struct err *e)
{
    struct arena *a = w->s->a;
    struct list flags = {0};
    for (size_t i = 1; i < w->s->state.words.n; i++)
        list_add(a, &flags, w->s->state.words.at[i]);
    for (size_t i = 0; i < c->flags.n; i++)
        list_add(a, &flags, c->flags.at[i]);
    for (size_t i = 1; i < w->s->state.words.n; i++) /* the last level counts */
        list_add(a, &flags, w->s->state.words.at[i]);
    list_add(a, &flags, NULL);
    struct front_source source = {.path = w->source,
                                  .cc = w->s->state.words.at[0],
                                  .flags = (char **)flags.at,
                                  .trusted = true};
    enum emi_refusal why;
    if (!emi_parse(&source, true, &w->program, &why, e))
        return false;
    w->name = arena_printf(
        a, "%016llx",
        (unsigned long long)hash_pair(hash_bytes(w->program->text, w->program->text_size),
                                      hash_string(w->source)));
    w->seed = seed_of(w);
    return true;
}

static char *unit_file(const struct unit_work *w, const char *folder, const char *suffix)
{
    return arena_printf(w->s->a, "%s/%s/%s%s", w->s->dir, folder, w->name, suffix);
}

static void move_things(const struct unit_work *w, struct text *out)
{
    const struct emi_state *state = &w->s->state;
    if (state->layout)
        emi_move_things(out, state->words.at[0], state->layout, hash_string(w->name));
}

/* Probes, and a file for their hits that all processes and builds share. */
static bool instrument(struct unit_work *w, struct text *out, struct err *e)
{
    struct vary_probes probes = vary_probes(w->program, "cupel_hits");
    char *path = sys_real_path(w->s->a, arena_printf(w->s->a, "%s/units", w->s->dir));
    char *hits = arena_printf(w->s->a, "%s/%s.hits", path, w->name);
    if (access(hits, F_OK) != 0) {
        char *zeros = arena_alloc(w->s->a, probes.count + 1);
        if (!sys_write_file(hits, zeros, probes.count + 1, e))
            return false;
    }
    emi_probe_prologue(out, hits, probes.count);
    move_things(w, out);
    lang_splice(w->program, probes.edits, probes.edit_count, out);
    return true;
}

/* The facts of the coverage build; false when there are none, or the unit was never loaded. */
static bool read_facts(struct unit_work *w, struct vary_facts *f)
{
    struct text hits = {0};
    struct err e;
    uint32_t mark = lang_mark(w->program);
    struct vary_probes probes = vary_probes(w->program, "cupel_hits");
    lang_release(w->program, mark);
    bool ok = sys_read_file(unit_file(w, "units", ".hits"), SYS_READ_ALL, &hits, &e) &&
              hits.n == probes.count + 1 && hits.s[probes.count];
    if (ok) {
        struct list ran = {0};
        vary_facts_add_probes(f, probes.probes, probes.count, (const uint8_t *)hits.s);
        emi_ran_read(w->s->a, w->s->dir, w->name, &ran);
        for (size_t i = 0; i < ran.n; i++)
            vary_facts_doubt(f, w->program->nodes[*(const uint32_t *)ran.at[i]]);
    }
    text_free(&hits);
    return ok;
}

static bool is_listed(const struct list *l, const char *name)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->at[i], name) == 0)
            return true;
    return false;
}

/* A trap instead of the edit, if there can be one and none is there yet. */
static bool set_trap(const struct unit_work *w, struct vary *v, struct edit *edit,
                     struct list *traps)
{
    if (!vary_trap(v, edit, edit))
        return false;
    for (size_t i = 0; i < traps->n; i++)
        if (*(const uint32_t *)traps->at[i] == edit->node)
            return false;
    uint32_t *id = NEW(w->s->a, uint32_t);
    *id = edit->node;
    list_add(w->s->a, traps, id);
    return true;
}

/* Keeps the groups that the state asks for, with traps where it does. */
static size_t choose(const struct unit_work *w, struct vary *v, struct vary_variant *out,
                     struct list *traps)
{
    const struct emi_state *state = &w->s->state;
    size_t kept = 0;
    if (state->groups.n == 0)
        return out->count;
    for (size_t i = 0; i < out->count; i++) {
        char *group = arena_printf(w->s->a, "%s:%u", w->name, out->groups[i]);
        if (!is_listed(&state->groups, group) ||
            (is_listed(&state->traps, group) && !set_trap(w, v, &out->edits[i], traps)))
            continue;
        out->edits[kept++] = out->edits[i];
    }
    return kept;
}

static bool leave_note(const struct unit_work *w, const struct emi_note *note,
                       const struct text *text, struct err *e)
{
    struct text diff = {0};
    bool ok = emi_note_write(w->s->a, w->s->dir, w->name, note, e);
    if (ok && w->s->state.show) {
        emi_source_diff(w->program, w->source, text, w->source, &diff);
        ok = sys_write_file(unit_file(w, "diff", ""), text_str(&diff), diff.n, e);
    }
    text_free(&diff);
    return ok;
}

static bool change(struct unit_work *w, struct text *out, struct err *e)
{
    struct vary_facts *f = vary_facts_new(w->program);
    bool ok = true;
    bool wanted = w->s->state.only.n == 0 || is_listed(&w->s->state.only, w->name);
    move_things(w, out);
    if (wanted && read_facts(w, f)) {
        struct vary *v = vary_open(w->program, f);
        struct vary_options o = {.mutations = w->s->state.mutations,
                                 .threads = true,
                                 .gnu = emi_reads_gnu(w->s->state.words.at[0])};
        struct vary_variant variant = vary_draw(v, w->seed, &o);
        struct emi_note note = {.groups = variant.group_count, .source = w->source};
        note.edits = choose(w, v, &variant, &note.traps);
        lang_splice(w->program, variant.edits, note.edits, out);
        ok = leave_note(w, &note, out, e);
        vary_close(v);
    } else {
        lang_splice(w->program, NULL, 0, out);
    }
    vary_facts_free(f);
    return ok;
}

static void note_unreadable(const struct unit_work *w, const struct err *why)
{
    struct err e;
    char *path = arena_printf(w->s->a, "%s/skipped/%016llx", w->s->dir,
                              (unsigned long long)hash_string(w->source));
    sys_write_file(path, why->msg, strlen(why->msg), &e);
}

/* The file that is compiled in place of the source; the source itself when it stays as it is.  The
 * file has the same name in every build, so that equal code gives equal objects. */
static const char *rewritten(struct work *s, struct command *c, const char *source)
{
    struct unit_work w = {.s = s, .source = source};
    struct text text = {0};
    struct err e;
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    char *folder = arena_printf(s->a, "%s/tmp/%016llx", s->dir,
                                (unsigned long long)hash_pair(c->name, hash_string(source)));
    char *path = arena_printf(s->a, "%s/%.*s.i", folder, (int)strlen(name) - 2, name);
    name_depends(s->a, c, source);
    bool ok = open_unit(&w, c, &e);
    enum emi_mode mode = s->state.mode;
    if (ok && mode != MODE_PLAIN)
        ok = (mode == MODE_COVERAGE ? instrument(&w, &text, &e) : change(&w, &text, &e)) &&
             sys_make_dirs(folder, &e) && sys_write_file(path, text_str(&text), text.n, &e);
    if (ok)
        c->name = hash_pair(c->name, hash_string(w.name));
    else
        note_unreadable(&w, &e);
    text_free(&text);
    lang_program_free(w.program);
    return ok && mode != MODE_PLAIN ? path : source;
}

/* ---- what came of it -------------------------------------------------------------------- */

/* The file that the compiler makes of a source. */
static char *made_of(struct arena *a, const struct command *c, const char *source)
{
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    if (c->output)
        return arena_string(a, c->output);
    if (!c->stage)
        return arena_string(a, "a.out");
    return arena_printf(a, "%.*s.%c", (int)strlen(name) - 2, name, c->stage);
}

/* An empty file, whose name says it all. */
static void note_objects(const struct work *s, const struct command *c)
{
    for (size_t i = 0; i < c->args.n; i++) {
        struct err e;
        if (!c->is_source[i])
            continue;
        const char *made = made_of(s->a, c, c->args.at[i]);
        char *path = arena_printf(s->a, "%s/objects/%016llx-%016llx", s->dir,
                                  (unsigned long long)hash_pair(c->name, hash_string(made)),
                                  (unsigned long long)emi_code_hash(made));
        sys_write_file(path, "", 0, &e);
    }
}

/* ---- what failed ------------------------------------------------------------------------ */

/* Flags that say which C it is: nothing else of them need mean anything to another compiler. */
static bool says_which_c(const char *flag)
{
    return str_has_prefix(flag, "-std=") || strcmp(flag, "-ansi") == 0 ||
           strcmp(flag, "-m32") == 0 || strcmp(flag, "-fgnu89-inline") == 0 ||
           strcmp(flag, "-fms-extensions") == 0;
}

/* Does this compiler, with these flags, make an object of the text? */
static bool accepts(struct work *s, const struct list *start, const char *text)
{
    struct list words = {0};
    struct err e;
    int status = 2;
    for (size_t i = 0; i < start->n; i++)
        list_add(s->a, &words, start->at[i]);
    list_add(s->a, &words, "-w");
    list_add(s->a, &words, "-c");
    list_add(s->a, &words, (char *)text);
    list_add(s->a, &words, "-o");
    list_add(s->a, &words, arena_printf(s->a, "%s.o", text));
    list_add(s->a, &words, NULL);
    return sys_call((char **)words.at, &status, &e) && status == 0;
}

/* The project's own compiler, when its command links as well. */
static bool is_accepted(struct work *s, const struct command *c, const char *text)
{
    struct list words = {0};
    list_add(s->a, &words, s->state.words.at[0]);
    for (size_t i = 0; i < c->flags.n; i++)
        list_add(s->a, &words, c->flags.at[i]);
    for (size_t i = 1; i < s->state.words.n; i++)
        list_add(s->a, &words, s->state.words.at[i]);
    return accepts(s, &words, text);
}

/* A compiler of another family. */
static bool is_accepted_by(struct work *s, const struct command *c, const char *opinion,
                           const char *text)
{
    struct list words = {0};
    struct err e;
    char **start = str_split_command(s->a, opinion, &e);
    for (char **word = start; word && *word; word++)
        list_add(s->a, &words, *word);
    for (size_t i = 0; i < c->flags.n; i++)
        if (says_which_c(c->flags.at[i]))
            list_add(s->a, &words, c->flags.at[i]);
    return start && accepts(s, &words, text);
}

/* gcc and clang end with 1 when they have seen an error, and with more when they fall over. */
enum { STATUS_ERROR = 1 };

static enum emi_failure failure_of(struct work *s, const struct command *c, const char *text,
                                   int status)
{
    if (status != STATUS_ERROR)
        return FAILURE_COMPILER;
    for (size_t i = 0; i < s->state.opinions.n; i++)
        if (is_accepted_by(s, c, s->state.opinions.at[i], text))
            return FAILURE_COMPILER;
    return FAILURE_REFUSED;
}

/* The units that were rewritten are what a failure may be about; without any it is the linker's. */
static void note_failure(struct work *s, const struct command *c, const struct list *texts,
                         int status)
{
    enum emi_failure worst = FAILURE_LINK;
    struct err e;
    for (size_t i = 0; i < texts->n; i++) {
        if (!c->stage && is_accepted(s, c, texts->at[i]))
            continue;
        enum emi_failure f = failure_of(s, c, texts->at[i], status);
        worst = f > worst ? f : worst;
    }
    emi_failure_write(s->a, s->dir, arena_printf(s->a, "%016llx", (unsigned long long)c->name),
                      worst, &e);
}

/* ---- all of it -------------------------------------------------------------------------- */

bool emi_is_wrapper(const char *argv0)
{
    const char *slash = strrchr(argv0, '/');
    return strcmp(slash ? slash + 1 : argv0, "cupel-cc") == 0;
}

/* The real compiler's command; texts are the files that stand for sources in it. */
static struct list real_command(struct work *s, struct command *c, struct list *texts)
{
    struct list words = {0};
    list_add(s->a, &words, s->state.words.at[0]);
    for (size_t i = 0; i < c->args.n; i++) {
        char *word = c->args.at[i];
        if (!c->plain && c->is_source[i])
            word = (char *)rewritten(s, c, word);
        if (word != c->args.at[i])
            list_add(s->a, texts, word);
        list_add(s->a, &words, word);
    }
    for (size_t i = 1; i < s->state.words.n; i++)
        list_add(s->a, &words, s->state.words.at[i]);
    if (s->state.mode != MODE_PLAIN && !c->plain)
        list_add(s->a, &words, "-w");
    list_add(s->a, &words, NULL);
    return words;
}

int emi_wrapper(int argc, char **argv)
{
    struct arena a = {0};
    struct work s = {.a = &a};
    struct command c = {0};
    struct list texts = {0};
    struct err e;
    if (!read_work(&s, argv[0], &e)) {
        fprintf(stderr, "cupel-cc: %s\n", e.msg);
        return 2;
    }
    read_command(&a, &c, argc, argv);
    struct list words = real_command(&s, &c, &texts);
    bool watched = s.state.mode == MODE_VARIANT || (s.state.mode == MODE_PLAIN && !c.plain);
    int status = 2;
    if (!watched)
        sys_become((char **)words.at, &e);
    else if (sys_call((char **)words.at, &status, &e)) {
        if (!c.plain)
            note_objects(&s, &c);
        if (status != 0 && s.state.mode == MODE_VARIANT)
            note_failure(&s, &c, &texts, status);
        return status;
    }
    fprintf(stderr, "cupel-cc: %s\n", e.msg);
    return 2;
}
