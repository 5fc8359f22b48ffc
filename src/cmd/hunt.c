/* cupel hunt: the campaign. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "cmd/cflags.h"
#include "cmd/view/view.h"
#include "hunt/hunt.h"
#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hunter {
    struct panel panel;
    const char *dir, *notify;
};

static void show(void *context, const struct hunt_status *status)
{
    struct hunter *h = context;
    panel_show(&h->panel, status);
}

static void say(void *context, const char *line)
{
    struct hunter *h = context;
    panel_say(&h->panel, line);
}

/* Runs the user's command for a finding.  It may take any time, and is not ours to wait for: the
 * shell that starts it ends at once. */
static void notify(const char *command, const char *dir, const struct finding *f)
{
    struct arena a = {0};
    int status;
    char *argv[] = {"env",
                    arena_printf(&a, "CUPEL_NOTIFY=%s", command),
                    arena_printf(&a, "CUPEL_DIR=%s", dir),
                    arena_printf(&a, "CUPEL_FINDING=%llu", (unsigned long long)f->id),
                    arena_printf(&a, "CUPEL_VERDICT=%s", verdict_info(f->claim.verdict)->name),
                    arena_printf(&a, "CUPEL_CONFIG=%s", f->claim.config),
                    "sh",
                    "-c",
                    "(eval \"$CUPEL_NOTIFY\") </dev/null &",
                    NULL};
    if (!sys_call(argv, &status, NULL))
        log_once("cannot start sh for --notify");
    arena_free(&a);
}

static void found(void *context, const struct finding *f)
{
    const struct hunter *h = context;
    notify(h->notify, h->dir, f);
}

/* --cc TEXT [--run TEXT], in order. */
static bool read_commands(struct arena *a, const struct list *words, struct hunt_options *o,
                          struct err *e)
{
    struct hunt_command *commands = NEW_ARRAY(a, words->n, struct hunt_command);
    for (size_t i = 0; i < words->n; i += 2) {
        if (strcmp(words->at[i], "--cc") == 0)
            commands[o->command_count++].text = words->at[i + 1];
        else if (o->command_count)
            commands[o->command_count - 1].emulator = words->at[i + 1];
        else
            return fail(e, "--run goes after the --cc whose programs it runs");
    }
    o->commands = commands;
    return true;
}

/* For "%llu thing%s". */
#define COUNTED(n) (unsigned long long)(n), (n) == 1 ? "" : "s"

/* Without findings: only what was compiled and nobody doubts is as predicted. */
static void tell_nothing(const struct hunt_summary *s)
{
    if (!s->compiles)
        fprintf(stderr, "nothing was compared, 0 findings\n");
    else if (!s->doubts && !s->chances)
        fprintf(stderr, "everything as predicted, 0 findings\n");
    else
        fprintf(stderr, "0 findings; not told: ");
    if (s->doubts)
        fprintf(stderr, "%llu difference%s that may be our own mistake (DIR/doubts)%s",
                COUNTED(s->doubts), s->chances ? ", " : "\n");
    if (s->chances)
        fprintf(stderr, "%llu difference%s that did not show again\n", COUNTED(s->chances));
}

/* What it comes to, also when nothing was found, and what to do next. */
static void tell_end(const struct hunt_summary *s, const char *dir)
{
    fprintf(stderr, "cupel: %llu program%s, %llu compilation%s with %llu compiler%s: ",
            COUNTED(s->programs), COUNTED(s->compiles), COUNTED(s->compilers));
    if (!s->findings) {
        tell_nothing(s);
        fprintf(stderr, "cupel: next: the same words go on; more compilers (--cc, tools/setup "
                        "--compilers) and more time find more\n");
    } else {
        fprintf(
            stderr,
            "%llu new finding%s, %llu in all\n"
            "cupel: next: cupel list %s; cupel show %s %llu; cupel report %s --html bugs.html\n",
            COUNTED(s->new_findings), (unsigned long long)s->findings, dir, dir,
            (unsigned long long)(s->newest ? s->newest : 1), dir);
    }
}

static int hunt(struct hunt_options *o, const char *command, bool quiet)
{
    struct hunter hunter = {.dir = o->dir, .notify = command};
    struct arena a = {0};
    const char *name = hunt_public_name(&a, o->dir);
    struct hunt_summary summary;
    struct err e;
    panel_start(&hunter.panel, quiet);
    o->show = show;
    o->say = say;
    o->found = command ? found : NULL;
    o->context = &hunter;
    if (!quiet)
        fprintf(stderr, "cupel: looking at the compilers of this machine\n");
    bool ok = hunt_run(o, &summary, &e);
    panel_end(&hunter.panel);
    if (ok && !quiet)
        tell_end(&summary, name);
    arena_free(&a);
    if (!ok)
        return sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
    if (!summary.compiles && !sys_cancelled() && !o->total)
        return cmd_fail("nothing was compared: %s",
                        summary.programs ? "no program of these strategies could be compiled"
                                         : "the time was up before the first program");
    return summary.findings ? EXIT_FOUND : EXIT_NOTHING_FOUND;
}

static const char description[] =
    "Generates programs whose output is known, gives them to every compiler that is found (or\n"
    "those of --cc), and keeps what differs, crashes, hangs or is rejected, each bug once, with\n"
    "its evidence.  DIR (default ./cupel-hunt) holds the campaign; the same command goes on where\n"
    "it stopped.  Ctrl-C at any time; nothing is lost.\n\n"
    "  cupel hunt                                 until Ctrl-C, everything on this machine\n"
    "  cupel hunt DIR --time 1h --jobs 4\n"
    "  cupel hunt DIR --cc 'gcc-12 -O2' --cc 'gcc-12 -O3' --cc ./mycc\n"
    "  cupel hunt DIR --mode seeds -I include -DNAME=1     variants of the programs in DIR/seeds\n"
    "  cupel list DIR; cupel show DIR 1; cupel recheck DIR --cc gcc-13\n"
    "  cupel hunt postgresql://db/campaign        the same in a database, for several machines:\n"
    "  cupel hunt --worker-of postgresql://db/campaign      each of them\n\n";

static char *describe(struct arena *a)
{
    struct text t = {0};
    text_puts(&t, description);
    text_puts(&t, "Modes, for --mode (several with commas; default all):\n");
    hunt_describe_modes(&t);
    text_puts(&t, "\nExit status: 0 nothing found, 1 the campaign has findings, 2 it failed.\n");
    char *copy = arena_string(a, text_str(&t));
    text_free(&t);
    return copy;
}

enum { MOST_JOBS = 256 };

/* Does the flag name a folder, in itself or in the next word?  So many characters of it come before
 * the name; 0: it does not. */
static size_t folder_prefix(const char *flag)
{
    static const char *const prefixes[] = {"-I", "-isystem", "-iquote", "-idirafter"};
    for (size_t i = 0; i < LENGTH(prefixes); i++)
        if (str_has_prefix(flag, prefixes[i]))
            return strlen(prefixes[i]);
    return 0;
}

/* Folders are named so that the campaign can be taken up from anywhere. */
static void put_flag(struct arena *a, const char *prefix, const char *folder, struct text *out)
{
    const char *path = *folder ? sys_real_path(a, folder) : NULL;
    text_printf(out, "%s'%s%s'", out->n ? " " : "", prefix, path ? path : folder);
}

/* -I, -D ... for the programs of the seeds folder and real code; what belongs to a compiler is
 * said with it. */
static bool take_flags(struct arena *a, const struct cflags *f, struct hunt_options *o,
                       struct err *e)
{
    struct text all = {0};
    if (f->libraries.n)
        return fail(e, "%s: programs of a hunt are linked with the C and math libraries only",
                    (char *)f->libraries.at[0]);
    for (size_t i = 0; i < f->flags.n; i++) {
        const char *flag = f->flags.at[i];
        size_t n = folder_prefix(flag);
        if (str_has_prefix(flag, "-O") || str_has_prefix(flag, "-m") || str_has_prefix(flag, "-f"))
            return fail(e, "%s goes with a compiler: --cc 'gcc %s'", flag, flag);
        if (n && !flag[n] && i + 1 < f->flags.n)
            put_flag(a, flag, f->flags.at[++i], &all);
        else
            put_flag(a, arena_copy(a, flag, n ? n : strlen(flag)), n ? flag + n : "", &all);
    }
    o->flags = all.n ? arena_string(a, text_str(&all)) : NULL;
    text_free(&all);
    return true;
}

/* Jobs that cannot be are 0. */
static bool take_words(const struct list *words, struct hunt_options *o, struct err *e)
{
    if (words->n)
        o->dir = words->at[0];
    if (words->n > 1 || (words->n && o->join))
        return fail(e, "one campaign is enough: see cupel hunt --help");
    if (o->join && !hunt_is_shared(o->dir))
        return fail(e, "--worker-of takes a database, postgresql://...: %s is a folder", o->dir);
    if (o->join && (o->command_count || o->modes || o->profiles || o->has_seed || o->seeds))
        return fail(e, "--worker-of: what is tested was chosen when the campaign began");
    return o->jobs || fail(e, "--jobs must be from 1 to %d", MOST_JOBS);
}

/* Workers run elsewhere: the folder by its whole path. */
static bool find_real(struct arena *a, struct hunt_options *o, struct err *e)
{
    const char *given = o->real;
    o->real = given ? sys_real_path(a, given) : NULL;
    return !given || o->real || fail(e, "--real %s: there is no such folder", given);
}

/* Does the word of a command name a file that may be meant: ./gen, gen.py? */
static bool may_be_file(const char *word, bool first)
{
    return strchr(word, '/') || (!first && strchr(word, '.'));
}

/* It is run elsewhere too: files by their whole paths.  What cannot work is said before anything is
 * written. */
static bool find_source(struct arena *a, struct hunt_options *o, struct err *e)
{
    struct text all = {0};
    if (!o->source)
        return true;
    if (!strstr(o->source, "{seed}"))
        return fail(e, "--source: the command needs {seed} in it, and {out} if it writes a file");
    char **words = str_split_command(a, o->source, e);
    if (!words)
        return fail(e, "--source: %s", e->msg);
    for (size_t i = 0; words[i]; i++) {
        char *path = may_be_file(words[i], i == 0) ? sys_real_path(a, words[i]) : NULL;
        words[i] = path ? path : words[i];
    }
    if (!sys_find_program(a, words[0]))
        return fail(e, "--source: there is no program '%s'", words[0]);
    str_join_command(&all, words);
    o->source = arena_string(a, text_str(&all));
    text_free(&all);
    return true;
}

/* What the command line says, as it stands there. */
struct given {
    struct list words, commands;
    struct cflags flags;
    uint64_t jobs, seed; /* seed: UINT64_MAX for none */
    bool quiet, verbose;
    const char *notify, *worker_of;
};

static int start(struct arena *a, const struct given *g, struct hunt_options *o)
{
    struct err e;
    if (g->verbose)
        log_set_level(LOG_DEBUG);
    o->has_seed = g->seed != UINT64_MAX;
    o->seed = g->seed & INT64_MAX;
    o->jobs = g->jobs <= MOST_JOBS ? (unsigned)g->jobs : 0;
    o->join = g->worker_of != NULL;
    o->dir = g->worker_of ? g->worker_of : o->dir;
    bool ok = read_commands(a, &g->commands, o, &e) && take_words(&g->words, o, &e) &&
              take_flags(a, &g->flags, o, &e) && find_real(a, o, &e) && find_source(a, o, &e);
    return ok ? hunt(o, g->notify, g->quiet) : cmd_fail("%s", e.msg);
}

int cmd_hunt(int argc, char **argv)
{
    struct hunt_options o = {.dir = CAMPAIGN_DEFAULT};
    struct given g = {.jobs = sys_cpu_count(), .seed = UINT64_MAX};
    struct arena a = {0};
    const struct option_row rows[] = {
        {"--time", "TIME", OPTION_DURATION, &o.seconds, "stop after so long (90, 30m, 1h)"},
        {"--jobs", "N", OPTION_COUNT, &g.jobs, "worker processes (default: all cores)"},
        {"--cc", "COMMAND", OPTION_TAGGED, &g.commands, "test this compiler command; repeatable"},
        {"--run", "COMMAND", OPTION_TAGGED, &g.commands,
         "put this before the last --cc's programs"},
        {"--seed", "N", OPTION_UINT, &g.seed, "the campaign's number (default: drawn)"},
        {"--mode", "NAMES", OPTION_STRING, &o.modes, "strategies: see above"},
        {"--profile", "NAMES", OPTION_STRING, &o.profiles,
         "what generated programs are a lot of: swarm, or see cupel gen --profiles"},
        {"--source", "COMMAND", OPTION_STRING, &o.source,
         "another generator, 'CMD {seed} {out}', for mode source"},
        {"--real", "FOLDER", OPTION_STRING, &o.real,
         "C files, whose functions generated programs call, for mode real"},
        {"--seeds", "FOLDER", OPTION_STRING, &o.seeds,
         "C files with their headers, to be taken into the campaign for mode seeds"},
        {"--source-timeout", "TIME", OPTION_DURATION, &o.source_timeout,
         "CPU time for one program of it (150s)"},
        {"--compile-timeout", "TIME", OPTION_DURATION, &o.compile_timeout,
         "CPU time for a compilation (30s; ten times that confirms a hang)"},
        {"--timeout", "TIME", OPTION_DURATION, &o.run_timeout,
         "CPU time for a program (1s; ten times that confirms a hang)"},
        {"--eager", NULL, OPTION_FLAG, &o.eager,
         "validate what the machine cannot decide before compilers are compared"},
        {"--without-machine", NULL, OPTION_FLAG, &o.without_machine,
         "treat other generators' programs as if the machine could not decide them"},
        {"--stop-after", "N", OPTION_COUNT, &o.stop_after, "stop after N new distinct findings"},
        {"--programs", "N", OPTION_COUNT, &o.programs, "stop after N programs"},
        {"--total", "N", OPTION_COUNT, &o.total,
         "stop when the campaign has tested N programs in all, on all machines"},
        {"--worker-of", "URL", OPTION_STRING, &g.worker_of,
         "take part in a campaign that another machine has begun in a database"},
        {"--node", "NAME", OPTION_STRING, &o.node,
         "this machine's name there (default: its host name)"},
        {"--notify", "COMMAND", OPTION_STRING, &g.notify,
         "run this by sh for each new finding; it sees $CUPEL_DIR, $CUPEL_FINDING,\n"
         "                         $CUPEL_VERDICT, $CUPEL_CONFIG"},
        {"--trust-compilers", NULL, OPTION_FLAG, &o.trust_compilers, CMD_TRUST_HELP},
        {"--quiet", NULL, OPTION_FLAG, &g.quiet, "say nothing but errors"},
        {"--verbose", NULL, OPTION_FLAG, &g.verbose, "say more about what is going on"},
    };
    /* how the coordinator starts a worker: not for people */
    if (argc == 2 && strcmp(argv[1], "--worker") == 0)
        exit(hunt_work());
    struct usage u = {.synopsis = "cupel hunt [DIR | URL] [options]",
                      .description = describe(&a),
                      .rows = rows,
                      .count = LENGTH(rows),
                      .arena = &a};
    cmd_take_cflags(&u, &argc, argv, &g.flags);
    enum parsed parsed = cmd_parse(&u, argc, argv, &g.words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (parsed == PARSED)
        status = start(&a, &g, &o);
    arena_free(&a);
    return status;
}
