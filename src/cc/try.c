/* One program through one configuration: compile each unit to an object, link (with our loader
 * where it can, with the compiler's driver where it cannot, or where the case asks for plain),
 * run on each input.  Every failure of the compiler or the program is data in the outcome. */
#include "cc/product.h"

#include "cc/cc.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct outcome_info infos[OUTCOME_COUNT] = {
#define OUTCOME(id, cell, phrase, weight) [OUTCOME_##id] = {#id, cell, phrase, WEIGHT_##weight},
#include "cc/outcome.def"
};

const struct outcome_info *outcome_info(enum outcome_kind kind)
{
    return &infos[kind];
}

enum {
    MAX_COMPILER_WORDS = 256 * 1024,
    MAX_LISTENED_WORDS = 16 << 20,
    MAX_PROGRAM_OUTPUT = 8 << 20,
    KEPT_STDERR = 4096,
    PROGRAM_PROCESSES = 64
};
#define MAX_PROGRAM_FILE ((uint64_t)32 << 20)
#define MAX_OBJECT_FILE  ((uint64_t)1 << 30)
#define MAX_FOLDER       ((uint64_t)4 << 30)
/* Less than this left on the disk: whatever failed may have failed for that. */
#define DISK_RESERVE ((uint64_t)4 << 20)

/* What one cc_try works on. */
struct trial {
    struct cc_lab *lab;
    const struct cc_config *config;
    const struct cc_case *c;
    struct arena *a;
    struct outcome *out;
    struct list objects; /* NULL-terminated when complete */
    const char *executable;
};

/* Time-outs count CPU time, which a busy machine does not stretch; what waits instead of
 * working gets twice as long on the clock. */
static double wall_limit(double cpu)
{
    return 2 * cpu + 1;
}

/* ---- compiling ----------------------------------------------------------------------- */

static void add_words(struct arena *a, struct list *l, char *const *words)
{
    for (; words && *words; words++)
        list_add(a, l, *words);
}

/* Does a unit hold assembly of its own?  Then what the assembler does not like may be that. */
static bool has_assembly(const struct cc_case *c)
{
    bool found = false;
    for (size_t i = 0; !found && c->units[i]; i++) {
        struct text text = {0};
        if (sys_read_file(c->units[i], SYS_READ_ALL, &text, NULL))
            found = strstr(text_str(&text), "asm");
        text_free(&text);
    }
    return found;
}

static void set_outcome(struct trial *t, enum outcome_kind kind, const char *message,
                        const char *signature)
{
    t->out->kind = kind;
    t->out->message = message;
    t->out->signature = signature;
}

/* What only we know about a failure: the program, the disk, the compiler's rights. */
static void look_closer(struct trial *t)
{
    if (t->out->kind == OUTCOME_BAD_ASSEMBLY && has_assembly(t->c))
        set_outcome(t, OUTCOME_REJECTED, t->out->message, "");
    if (t->out->kind == OUTCOME_FORBIDDEN && t->lab->guests)
        t->out->message = arena_printf(t->a,
                                       "%s (it may write into its scratch folder only: give it "
                                       "more with --trust-compilers)",
                                       t->out->message);
    if (sys_free_space(t->lab->dir) < DISK_RESERVE)
        set_outcome(t, OUTCOME_ENVIRONMENT,
                    "no space left in the scratch folder: set TMPDIR elsewhere", "");
}

/* Runs a command of the compiler's; *ok when it succeeded and made the file (NULL: none). */
static bool run_compiler(struct trial *t, struct list *words, const char *made, enum product what,
                         bool *ok, struct err *e)
{
    struct sys_result r;
    list_add(t->a, words, NULL);
    struct sys_job job = {
        .action = t->c->plain ? SYS_EXEC : SYS_SERVE,
        .argv = (char **)words->at,
        .env = sys_tool_env(t->a, t->lab->dir),
        .dir = ".",
        .rights = SYS_COMPILER,
        .drain_outputs = true,
        .limits = {.wall = wall_limit(t->c->compile_timeout),
                   .by_cpu = true,
                   .cpu = t->c->compile_timeout,
                   .memory = t->c->compile_memory,
                   .resident = t->c->compile_memory,
                   .file_size = MAX_OBJECT_FILE,
                   .folder = MAX_FOLDER,
                   .output = t->c->listen ? MAX_LISTENED_WORDS : MAX_COMPILER_WORDS},
    };
    if (!sys_run(t->lab->runner, &job, &r, e))
        return false;
    t->out->compile_wall += r.wall;
    t->out->compile_cpu += r.cpu;
    if (r.max_resident > t->out->compile_memory)
        t->out->compile_memory = r.max_resident;
    if (t->c->listen)
        t->out->said = arena_printf(t->a, "%s%s", t->out->said, text_str(&r.err));
    bool succeeded = r.end == SYS_EXITED && r.code == 0;
    const char *flaw = succeeded && made ? product_flaw(made, what, t->config->emulator[0]) : NULL;
    *ok = succeeded && !flaw;
    if (flaw) {
        const char *said = arena_printf(t->a, "says that it succeeded, but wrote %s", flaw);
        set_outcome(t, OUTCOME_BAD_OUTPUT, said, said);
    } else if (!succeeded) {
        cc_classify_failure(t->a, &r, t->out);
    }
    if (!*ok)
        look_closer(t);
    sys_result_free(&r);
    return true;
}

static bool check_units(struct trial *t, struct err *e)
{
    bool ok;
    struct list words = {0};
    add_words(t->a, &words, t->config->argv);
    list_add(t->a, &words, "-fsyntax-only");
    add_words(t->a, &words, t->c->units);
    return run_compiler(t, &words, NULL, PRODUCT_OBJECT, &ok, e);
}

static bool compile_units(struct trial *t, bool *ok, struct err *e)
{
    *ok = true;
    for (size_t i = 0; *ok && t->c->units[i]; i++) {
        char *object = arena_printf(t->a, "%s/unit%zu.%s", t->lab->dir, i,
                                    t->c->assembly ? "s" : "o");
        struct list words = {0};
        add_words(t->a, &words, t->config->argv);
        list_add(t->a, &words, t->c->assembly ? "-S" : "-c");
        list_add(t->a, &words, t->c->units[i]);
        list_add(t->a, &words, "-o");
        list_add(t->a, &words, object);
        unlink(object);
        enum product what = t->c->assembly ? PRODUCT_ASSEMBLY : PRODUCT_OBJECT;
        if (!run_compiler(t, &words, object, what, ok, e))
            return false;
        list_add(t->a, &t->objects, object);
    }
    list_add(t->a, &t->objects, NULL);
    return true;
}

/* From objects, or from the units themselves for a plain build. */
static bool link_program(struct trial *t, char *const *from, bool *ok, struct err *e)
{
    struct list words = {0};
    add_words(t->a, &words, t->config->argv);
    add_words(t->a, &words, from);
    list_add(t->a, &words, "-o");
    list_add(t->a, &words, (char *)t->executable);
    add_words(t->a, &words, t->c->libraries);
    list_add(t->a, &words, "-lm");
    unlink(t->executable);
    return run_compiler(t, &words, t->executable, PRODUCT_EXECUTABLE, ok, e);
}

uint32_t cc_host_machine(void)
{
    return (uint32_t)ELFCLASS64 << 24 | (uint32_t)ELFDATA2LSB << 16 | EM_X86_64;
}

uint32_t cc_host_machine_32(void)
{
    return (uint32_t)ELFCLASS32 << 24 | (uint32_t)ELFDATA2LSB << 16 | EM_386;
}

const char *cc_machine_name(struct arena *a, uint32_t machine)
{
    static const struct {
        uint16_t number;
        const char *name;
    } names[] = {
        {EM_X86_64, "x86-64"},   {EM_386, "i386"},   {EM_ARM, "ARM"},
        {EM_AARCH64, "AArch64"}, {EM_MIPS, "MIPS"},  {EM_PPC, "PowerPC"},
        {EM_PPC64, "PowerPC64"}, {EM_S390, "s390x"}, {EM_RISCV, "RISC-V"},
        {EM_SPARCV9, "SPARC"},   {EM_68K, "m68k"},   {EM_PARISC, "PA-RISC"},
        {EM_ALPHA, "Alpha"},     {EM_SH, "SuperH"},
    };
    const char *name = "a machine of its own";
    for (size_t i = 0; i < LENGTH(names); i++)
        if (names[i].number == (machine & 0xffff))
            name = names[i].name;
    bool both = strcmp(name, "MIPS") == 0 || strcmp(name, "PowerPC64") == 0;
    if (!both)
        return name;
    return arena_printf(a, "%s, %s bits, %s-endian", name,
                        machine >> 24 == ELFCLASS64 ? "64" : "32",
                        (machine >> 16 & 0xff) == ELFDATA2LSB ? "little" : "big");
}

/* Machine, class and byte order of an ELF file, as one number; 0 for anything else. */
static uint32_t read_machine(const char *path)
{
    unsigned char h[20];
    FILE *f = fopen(path, "rbe");
    size_t n = f ? fread(h, 1, sizeof h, f) : 0;
    if (f)
        fclose(f);
    if (n < sizeof h || memcmp(h, ELFMAG, SELFMAG) != 0)
        return 0;
    unsigned high = h[EI_DATA] == ELFDATA2MSB ? h[18] : h[19], low = h[18] + h[19] - high;
    return (uint32_t)h[EI_CLASS] << 24 | (uint32_t)h[EI_DATA] << 16 | high << 8 | low;
}

/* ---- running ------------------------------------------------------------------------- */

static void keep_run(struct trial *t, const struct sys_result *r)
{
    struct outcome_run *run = &t->out->runs[t->out->run_count++];
    const char *err = arena_copy(t->a, text_str(&r->err),
                                 r->err.n < KEPT_STDERR ? r->err.n : KEPT_STDERR);
    *run = (struct outcome_run){
        .end = r->end,
        .code = r->code,
        .out = arena_copy(t->a, text_str(&r->out), r->out.n),
        .out_size = r->out.n,
        .words = sys_describe_end(t->a, r),
        .err = str_visible(t->a, err),
        .seconds = r->wall,
    };
}

static struct sys_job program_job(const struct trial *t, const char *input)
{
    bool bounded = !t->config->sanitized && !t->config->emulator[0];
    return (struct sys_job){
        .env = sys_program_env(t->a),
        .input = input,
        .rights = SYS_PROGRAM,
        .limits = {.wall = wall_limit(t->c->run_timeout),
                   .by_cpu = !t->c->hurry,
                   .cpu = t->c->run_timeout,
                   .memory = bounded ? t->c->run_memory : 0,
                   .resident = t->c->run_memory,
                   .file_size = MAX_PROGRAM_FILE,
                   .output = MAX_PROGRAM_OUTPUT,
                   .processes = PROGRAM_PROCESSES},
    };
}

static char own_name[] = "program";

static bool is_qemu(const char *emulator)
{
    const char *slash = strrchr(emulator, '/');
    return str_has_prefix(slash ? slash + 1 : emulator, "qemu-");
}

/* Emulators have the instructions of some model of the machine, which may lack what the flags
 * allow; nothing else makes a program end so but a trap, of which generated ones have none. */
static bool is_beyond_emulator(const struct trial *t, const struct sys_result *r)
{
    return t->config->emulator[0] && is_qemu(t->config->emulator[0]) && r->end == SYS_SIGNALLED &&
           r->code == SIGILL;
}

/* It cannot be run here: of this machine's own executables, that is the compiler's fault. */
static void keep_refusal(struct trial *t, const struct sys_result *r)
{
    bool ours = !t->config->emulator[0] && t->out->machine == cc_host_machine();
    const char *words = sys_describe_end(t->a, r);
    if (is_beyond_emulator(t, r))
        set_outcome(t, OUTCOME_NOT_RUN, "the emulator does not know one of its instructions", "");
    else if (ours && r->code == ENOEXEC)
        set_outcome(t, OUTCOME_BAD_OUTPUT, words, "what it wrote cannot be executed");
    else
        set_outcome(t, OUTCOME_NOT_RUN, words, "");
}

/* Has the executable a sanitizer in it that no flag of the configuration told of, as a wrapper may
 * add one?  Only looked for in what has failed. */
static bool is_sanitized_in_secret(const struct trial *t, const struct sys_job *job,
                                   const struct sys_result *r)
{
    static const char *const names[] = {"__asan_init", "__msan_init", "__tsan_init",
                                        "__hwasan_init"};
    struct text bytes = {0};
    bool found = false, failed = r->end == SYS_SIGNALLED || (r->end == SYS_EXITED && r->code);
    if (!failed || !job->program || !job->limits.memory ||
        !sys_read_file(t->executable, SYS_READ_ALL, &bytes, NULL))
        return false;
    for (size_t i = 0; i < LENGTH(names); i++)
        found |= memmem(text_str(&bytes), bytes.n, names[i], strlen(names[i])) != NULL;
    text_free(&bytes);
    return found;
}

/* May it have been out of stack?  How large frames are is a compiler's own affair. */
static bool may_lack_stack(const struct sys_job *job, const struct sys_result *r)
{
    return r->end == SYS_SIGNALLED && (r->code == SIGSEGV || r->code == SIGBUS) &&
           !job->limits.stack;
}

/* The program; and again without a limit on addresses if it turns out that it wants terabytes, and
 * with much more stack if it may have had too little: what it does then is what it does. */
static bool run_job(const struct trial *t, struct sys_job *job, struct sys_result *r, struct err *e)
{
    static const uint64_t ample = (uint64_t)256 << 20;
    bool ok = sys_run(t->lab->runner, job, r, e);
    if (ok && is_sanitized_in_secret(t, job, r)) {
        sys_result_free(r);
        job->limits.memory = 0;
        ok = sys_run(t->lab->runner, job, r, e);
    }
    if (ok && may_lack_stack(job, r)) {
        sys_result_free(r);
        job->limits.stack = ample;
        ok = sys_run(t->lab->runner, job, r, e);
    }
    return ok;
}

/* The words that start the program: however that is done, it sees the same name of its own. */
static char **start_words(struct trial *t, bool load)
{
    struct list words = {0};
    if (load || !t->config->emulator[0]) {
        list_add(t->a, &words, own_name);
    } else {
        add_words(t->a, &words, t->config->emulator);
        if (is_qemu(t->config->emulator[0])) {
            list_add(t->a, &words, "-0");
            list_add(t->a, &words, own_name);
        }
        list_add(t->a, &words, (char *)t->executable);
    }
    add_words(t->a, &words, t->c->args);
    list_add(t->a, &words, NULL);
    return (char **)words.at;
}

static bool is_same_run(const struct trial *t, const struct sys_result *r)
{
    const struct outcome_run *run = &t->out->runs[t->out->run_count - 1];
    return r->end == run->end && r->code == run->code && r->out.n == run->out_size &&
           memcmp(text_str(&r->out), run->out, run->out_size) == 0;
}

/* Does what has just run do the same next time?  What was cut off is not asked: where is chance. */
static bool run_more(struct trial *t, struct sys_job *job, struct err *e)
{
    static const double enough = 1; /* seconds for the runs of one input */
    struct outcome_run *run = &t->out->runs[t->out->run_count - 1];
    double spent = 0;
    bool ends = run->end == SYS_EXITED || run->end == SYS_SIGNALLED;
    for (unsigned i = 0; ends && i < t->c->again && !run->varies && spent < enough; i++) {
        struct sys_result r;
        if (!sys_run(t->lab->runner, job, &r, e))
            return false;
        spent += r.wall;
        run->varies = (r.end == SYS_EXITED || r.end == SYS_SIGNALLED) && !is_same_run(t, &r);
        sys_result_free(&r);
    }
    return true;
}

/* Runs once; *loaded false when the loader cannot do it and why_linked is set. */
static bool run_once(struct trial *t, const char *input, bool load, bool *loaded, struct err *e)
{
    struct sys_result r;
    struct sys_job job = program_job(t, input);
    bool ok = true;
    job.argv = start_words(t, load);
    job.program = load || t->config->emulator[0] ? NULL : t->executable;
    job.action = load ? SYS_LOAD : SYS_EXEC;
    job.objects = load ? (char **)t->objects.at : NULL;
    if (!run_job(t, &job, &r, e))
        return false;
    *loaded = !load || r.end != SYS_NOT_LOADED;
    if (!*loaded) {
        t->out->why_linked = arena_string(t->a, r.reason.s);
    } else if (r.end == SYS_NOT_STARTED || is_beyond_emulator(t, &r)) {
        keep_refusal(t, &r);
    } else if (r.end == SYS_CANCELLED) {
        t->out->kind = OUTCOME_ENVIRONMENT;
        t->out->message = "interrupted";
    } else {
        keep_run(t, &r);
        ok = run_more(t, &job, e);
    }
    sys_result_free(&r);
    return ok;
}

/* All inputs; stops early when there is nothing to run. */
static bool run_all(struct trial *t, bool load, bool *loaded, struct err *e)
{
    static char *const empty_input[] = {"", NULL};
    char *const *inputs = t->c->inputs[0] ? t->c->inputs : empty_input;
    size_t n = 0;
    while (inputs[n])
        n++;
    t->out->runs = NEW_ARRAY(t->a, n, struct outcome_run);
    t->out->run_count = 0;
    *loaded = true;
    for (size_t i = 0; i < n && *loaded && t->out->kind == OUTCOME_BUILT; i++)
        if (!run_once(t, *inputs[i] ? inputs[i] : NULL, load, loaded, e))
            return false;
    return true;
}

/* ---- watching ------------------------------------------------------------------------ */

static void keep_trace(struct trial *t, const struct sys_result *r, bool stepped)
{
    bool watched = t->c->watch_count || stepped;
    if (!watched || r->watched.n != t->c->watch_count * sizeof(uint32_t))
        return;
    struct outcome_trace *trace = NEW(t->a, struct outcome_trace);
    trace->states = (const void *)arena_copy(t->a, text_str(&r->watched), r->watched.n);
    trace->accesses = (const void *)arena_copy(t->a, text_str(&r->accesses), r->accesses.n);
    trace->count = r->accesses.n / sizeof *trace->accesses;
    trace->cut = r->accesses_cut;
    trace->stepped = stepped;
    trace->narrow = r->narrow;
    t->out->trace = trace;
}

/* Does the run say what the program does?  Stepping is in nobody's way: a program that came to its
 * end has done what its code says, though what it reads where a store was lost is chance. */
static bool is_telling(const struct sys_job *job, const struct sys_result *r, bool same, bool last)
{
    return same || (last && job->step && r->end == SYS_EXITED);
}

/* Once more, with the last input: what is watched slows a program down, and is in the way of system
 * calls, so this is no run that counts.  One that behaves otherwise is done again: on a busy
 * machine that happens to be cut off. */
static bool run_again(struct trial *t, struct sys_job job, struct err *e)
{
    enum { TRIES = 3 };
    struct list words = {0};
    bool same = false;
    list_add(t->a, &words, own_name);
    add_words(t->a, &words, t->c->args);
    list_add(t->a, &words, NULL);
    job.argv = (char **)words.at;
    job.watch = t->c->watch;
    job.watch_count = t->c->watch_count;
    for (int i = 0; i < TRIES && !same; i++) {
        struct sys_result r;
        if (!sys_run(t->lab->runner, &job, &r, e))
            return false;
        same = is_same_run(t, &r);
        if (same)
            t->out->steps = r.steps;
        if (is_telling(&job, &r, same, i == TRIES - 1))
            keep_trace(t, &r, job.step);
        sys_result_free(&r);
    }
    return true;
}

static const char *last_input(const struct trial *t)
{
    return t->c->inputs[0] ? t->c->inputs[t->out->run_count - 1] : NULL;
}

static bool has_run(const struct trial *t)
{
    return t->out->run_count && t->out->kind == OUTCOME_BUILT;
}

/* Loaded, with the pages of what is watched closed, or its instructions counted. */
static bool run_watched(struct trial *t, struct err *e)
{
    if (!(t->c->watch_count || t->c->count_steps) || !has_run(t))
        return true;
    struct sys_job job = program_job(t, last_input(t));
    job.action = SYS_LOAD;
    job.objects = (char **)t->objects.at;
    job.count_steps = t->c->count_steps;
    return run_again(t, job, e);
}

/* The linked program, step by step.  What it says is not read meanwhile: it must fit into a pipe.
 */
static bool run_stepped(struct trial *t, struct err *e)
{
    enum { PIPE = 32768 };
    static const double seconds_more = 120; /* of the clock: each step waits for us */
    bool x86 = t->out->machine == cc_host_machine() || t->out->machine == cc_host_machine_32();
    if (!t->c->step || !has_run(t) || !x86 || t->config->emulator[0] || t->config->sanitized)
        return true;
    if (t->out->runs[t->out->run_count - 1].out_size > PIPE) {
        t->out->why_unstepped = "it prints too much";
        return true;
    }
    struct sys_job job = program_job(t, last_input(t));
    job.action = SYS_EXEC;
    job.program = t->executable;
    job.step = true;
    job.limits.wall += seconds_more;
    return run_again(t, job, e);
}

/* Of a program that is loaded: linked for this alone, and what comes of that is not held against
 * the compiler. */
static bool run_stepped_too(struct trial *t, struct err *e)
{
    struct outcome before = *t->out;
    bool linked = false;
    if (t->c->step != CC_STEP_ALL || !has_run(t))
        return true;
    if (!link_program(t, (char **)t->objects.at, &linked, e))
        return false;
    *t->out = before;
    return !linked || run_stepped(t, e);
}

/* ---- all of it ----------------------------------------------------------------------- */

/* The loader knows objects of this machine, and nothing of emulators and sanitizers. */
static const char *why_not_load(const struct trial *t)
{
    if (t->config->emulator[0])
        return "an emulator runs it";
    if (t->config->sanitized)
        return "sanitizers need their run-time library";
    if (!t->out->machine) /* no ELF: clang's bitcode */
        return "link-time optimisation";
    return t->out->machine == cc_host_machine() ? NULL : "another machine's code";
}

/* Everything that was compiled, one unit after another. */
static bool read_objects(struct trial *t, struct text *all, struct err *e)
{
    bool ok = true;
    for (size_t i = 0; ok && t->objects.at[i]; i++)
        ok = sys_read_file(t->objects.at[i], SYS_READ_ALL, all, e);
    return ok;
}

static bool keep_assembly(struct trial *t, struct err *e)
{
    struct text all = {0};
    bool ok = read_objects(t, &all, e);
    t->out->assembly = arena_string(t->a, text_str(&all));
    text_free(&all);
    return ok;
}

static bool hash_objects(struct trial *t, struct err *e)
{
    struct text all = {0};
    bool ok = read_objects(t, &all, e);
    t->out->objects = ok ? hash_bytes(text_str(&all), all.n) : 0;
    text_free(&all);
    return ok;
}

static bool build_and_run(struct trial *t, struct err *e)
{
    bool ok, loaded;
    if (t->c->check_only)
        return check_units(t, e);
    if (t->c->plain && !t->c->compile_only && !t->c->assembly) {
        if (!link_program(t, t->c->units, &ok, e) || !ok)
            return !ok;
        t->out->machine = read_machine(t->executable);
        return run_all(t, false, &loaded, e);
    }
    if (!compile_units(t, &ok, e))
        return false;
    if (!ok)
        return true;
    if (t->c->assembly)
        return keep_assembly(t, e);
    t->out->machine = read_machine(t->objects.at[0]);
    if (t->c->known) {
        if (!hash_objects(t, e))
            return false;
        t->out->known = t->c->known(t->c->known_context, t->out->objects);
        if (t->out->known)
            return true;
    }
    if (t->c->compile_only)
        return true;
    t->out->why_linked = why_not_load(t);
    if (!t->out->why_linked) {
        if (!run_all(t, true, &loaded, e))
            return false;
        t->out->loaded = loaded;
        if (loaded)
            return run_stepped_too(t, e) &&
                   ((t->out->trace && !t->out->trace->cut) || run_watched(t, e));
    }
    if (!link_program(t, (char **)t->objects.at, &ok, e))
        return false;
    if (ok && !t->out->machine) /* only the linker made machine code */
        t->out->machine = read_machine(t->executable);
    return !ok || (run_all(t, false, &loaded, e) && run_stepped(t, e));
}

/* Objects and executable move to the folder that the user wants to look into. */
static bool keep_files(struct trial *t, struct err *e)
{
    struct text bytes = {0};
    bool ok = sys_make_dirs(t->c->keep_dir, e);
    for (size_t i = 0; ok && i <= t->objects.n; i++) {
        const char *from = i < t->objects.n ? t->objects.at[i] : t->executable;
        if (!from || access(from, R_OK) != 0)
            continue;
        text_clear(&bytes);
        char *to = arena_printf(t->a, "%s%s", t->c->keep_dir, strrchr(from, '/'));
        ok = sys_read_file(from, SYS_READ_ALL, &bytes, e) &&
             sys_write_file(to, text_str(&bytes), bytes.n, e);
        if (ok && from == t->executable)
            chmod(to, 0755);
    }
    for (size_t i = 0; ok && i < t->out->run_count; i++) {
        const struct outcome_run *run = &t->out->runs[i];
        char *to = arena_printf(t->a, "%s/output%zu", t->c->keep_dir, i);
        ok = sys_write_file(to, run->out, run->out_size, e);
    }
    text_free(&bytes);
    return ok;
}

struct cc_case cc_case_of(char *const *units)
{
    static char *const none[] = {NULL};
    return (struct cc_case){.units = units,
                            .inputs = none,
                            .args = none,
                            .compile_timeout = CC_COMPILE_SECONDS,
                            .run_timeout = CC_RUN_SECONDS,
                            .compile_memory = (uint64_t)4 << 30,
                            .run_memory = (uint64_t)1 << 30};
}

bool cc_try(struct cc_lab *lab, const struct cc_config *config, const struct cc_case *c,
            struct arena *a, struct outcome *out, struct err *e)
{
    struct trial t = {.lab = lab, .config = config, .c = c, .a = a, .out = out};
    *out = (struct outcome){
        .kind = OUTCOME_BUILT, .message = "", .signature = "", .said = "", .assembly = ""};
    t.executable = arena_printf(a, "%s/program", lab->dir);
    bool ok = build_and_run(&t, e) && (!c->keep_dir || keep_files(&t, e));
    sys_empty_folder(lab->dir);
    return ok;
}

char *cc_plain_command(struct arena *a, const struct cc_config *config, const struct cc_case *c,
                       const char *executable)
{
    struct list words = {0};
    struct text line = {0};
    add_words(a, &words, config->argv);
    if (c->compile_only)
        list_add(a, &words, "-c");
    add_words(a, &words, c->units);
    list_add(a, &words, "-o");
    list_add(a, &words, (char *)executable);
    if (!c->compile_only) {
        add_words(a, &words, c->libraries);
        list_add(a, &words, "-lm");
    }
    list_add(a, &words, NULL);
    str_join_command(&line, (char **)words.at);
    char *copy = arena_string(a, line.s);
    text_free(&line);
    return copy;
}
