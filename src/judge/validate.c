/* Is a program undefined?  Asks sanitizers and Frama-C's Eva, a row of validator.def each, where
 * the machine cannot decide.  Costly: hence lazily, on what compilers disagree about, and only
 * those who can see what the program's relaxations may have done. */
#include "judge/judge.h"

#include "sys/sys.h"

#include <string.h>
#include <strings.h>

struct asking {
    struct cc_lab *lab;
    const struct cc_case *program;
    struct arena *a;
    double seconds; /* it may take */
    struct validation *out;
};

typedef bool validate_fn(struct asking *k, struct err *e);
#define VALIDATOR(id, ...) static validate_fn validate_##id;
#include "judge/validator.def"

static const struct {
    const char *name;
    double seconds;
    validate_fn *validate;
} rows[VALIDATOR_COUNT] = {
#define VALIDATOR(id, name, seconds) [VALIDATOR_##id] = {name, seconds, validate_##id},
#include "judge/validator.def"
};

const char *validator_name(enum validator v)
{
    return rows[v].name;
}

static unsigned find_validator(const char *name, size_t n)
{
    unsigned i = 0;
    while (i < VALIDATOR_COUNT &&
           !(strlen(rows[i].name) == n && strncasecmp(rows[i].name, name, n) == 0))
        i++;
    return i;
}

bool judge_validators_parse(const char *names, unsigned *bits, struct err *e)
{
    bool all = strcmp(names, "all") == 0;
    *bits = all ? (1u << VALIDATOR_COUNT) - 1 : 0;
    while (*names && !all) {
        size_t n = strcspn(names, ",");
        unsigned i = find_validator(names, n);
        if (i == VALIDATOR_COUNT)
            return fail(e, "'%.*s' validates nothing: all, or asan,msan,ubsan,frama-c", (int)n,
                        names);
        *bits |= 1u << i;
        names += n + (names[n] == ',');
    }
    return true;
}

const char *validation_state_name(enum validation_state s)
{
    static const char *const names[] = {[VALIDATION_SKIPPED] = "not asked",
                                        [VALIDATION_CLEAN] = "clean",
                                        [VALIDATION_UNDEFINED] = "undefined",
                                        [VALIDATION_TIMEOUT] = "timed out",
                                        [VALIDATION_ABSENT] = "absent"};
    return names[s];
}

static bool set(struct asking *k, enum validation_state state, const char *said)
{
    k->out->state = state;
    k->out->said = said;
    return true;
}

/* ---- sanitizers --------------------------------------------------------------------------- */

static const char *find_clang(struct arena *a)
{
    static const char *const names[] = {"clang-19", "clang", "clang-16", "clang-14", "clang-13"};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (sys_find_program(a, names[i]))
            return names[i];
    return NULL;
}

/* The line of a report that says what is wrong: a rule or "DEADLYSIGNAL" may stand above it. */
static const char *report_line(struct arena *a, const char *report)
{
    const char *at = strstr(report, "Sanitizer: ");
    while (at && at > report && at[-1] != '\n')
        at--;
    return str_first_line(a, at ? at : report);
}

/* A report goes to stderr, and ends the program.  Not optimised: clang -O1 folds what is undefined
 * away before ASan and MSan look. */
static bool run_sanitized(struct asking *k, const char *flags, struct err *e)
{
    const char *clang = find_clang(k->a);
    struct cc_config config;
    struct outcome o;
    if (!clang)
        return set(k, VALIDATION_ABSENT, "no clang");
    struct cc_case program = *k->program;
    program.plain = true;
    program.run_timeout = k->seconds;
    if (!cc_config_parse(k->a, arena_printf(k->a, "%s -w -O0 %s", clang, flags), NULL, &config,
                         e) ||
        !cc_try(k->lab, &config, &program, k->a, &o, e))
        return false;
    if (o.kind != OUTCOME_BUILT || o.run_count == 0)
        return set(k, VALIDATION_ABSENT, o.message);
    for (size_t i = 0; i < o.run_count; i++) {
        const struct outcome_run *r = &o.runs[i];
        if (r->end == SYS_SIGNALLED || (r->end == SYS_EXITED && *r->err))
            return set(k, VALIDATION_UNDEFINED, report_line(k->a, *r->err ? r->err : r->words));
        if (r->end != SYS_EXITED) /* cut off: for time, output or memory */
            return set(k, VALIDATION_TIMEOUT, r->words);
    }
    return set(k, VALIDATION_CLEAN, "");
}

static bool validate_ASAN(struct asking *k, struct err *e)
{
    return run_sanitized(k, "-fsanitize=address -fsanitize-address-use-after-return=always", e);
}

static bool validate_MSAN(struct asking *k, struct err *e)
{
    return run_sanitized(k, "-fsanitize=memory", e);
}

static bool validate_UBSAN(struct asking *k, struct err *e)
{
    return run_sanitized(k, "-fsanitize=undefined -fno-sanitize-recover=all", e);
}

bool judge_find_race(struct cc_lab *lab, const struct cc_case *program, double seconds,
                     struct arena *a, const char **said, struct err *e)
{
    struct validation v = {.said = ""};
    struct asking k = {lab, program, a, seconds, &v};
    static const char mark[] = "ThreadSanitizer: data race";
    if (!run_sanitized(&k, "-fsanitize=thread", e))
        return false;
    bool races = v.state == VALIDATION_UNDEFINED && strstr(v.said, mark);
    *said = races ? mark : NULL; /* without the number of the process */
    return true;
}

/* ---- Frama-C ------------------------------------------------------------------------------ */

/* Eva takes main's arguments for unknown, and what is volatile; the first are given by a function
 * to start from, the second is left out: nobody else writes there. */
static const char entry[] =
    "\nint cupel_entry(void)\n{\n    static char *words[2] = {\"program\", 0};\n"
    "    extern int main(int, char **);\n    return main(1, words);\n}\n";

static bool write_for_eva(struct asking *k, const char *path, bool *has_entry, struct err *e)
{
    struct text text = {0};
    bool ok = sys_read_file(k->program->units[0], SYS_READ_ALL, &text, e);
    if (ok) {
        const char *at = strstr(text_str(&text), "int main");
        *has_entry = at && strchr(at, ')') && memchr(at, ',', (size_t)(strchr(at, ')') - at));
        if (*has_entry)
            text_puts(&text, entry);
        ok = sys_write_file(path, text_str(&text), text.n, e);
    }
    text_free(&text);
    return ok;
}

/* A line with this mark is an alarm. */
static const char alarm_mark[] = "[eva:alarm]";

/* What it is about stands behind the place, or on the line below. */
static const char *alarm_text(struct arena *a, const char *alarm)
{
    const char *said = strstr(alarm, "Warning:");
    said = said ? said + strlen("Warning:") : alarm;
    return str_first_line(a, said + strspn(said, " \n"));
}

static bool read_eva(struct asking *k, const struct sys_result *r)
{
    const char *alarm = strstr(text_str(&r->out), alarm_mark);
    if (r->end == SYS_TIMEOUT || r->end == SYS_MEMORY)
        return set(k, VALIDATION_TIMEOUT, "Eva did not end");
    if (alarm)
        return set(k, VALIDATION_UNDEFINED, alarm_text(k->a, alarm));
    if (r->end != SYS_EXITED || r->code != 0)
        return set(k, VALIDATION_ABSENT, str_first_line(k->a, text_str(&r->out)));
    return set(k, VALIDATION_CLEAN, "");
}

static bool validate_EVA(struct asking *k, struct err *e)
{
    struct sys_result r;
    bool has_entry = false;
    const char *path = arena_printf(k->a, "%s/eva.c", k->lab->dir);
    if (!sys_find_program(k->a, "frama-c"))
        return set(k, VALIDATION_ABSENT, "no frama-c");
    if (!write_for_eva(k, path, &has_entry, e))
        return false;
    char *argv[] = {
        "frama-c",     "-machdep", "gcc_x86_64", "-cpp-extra-args=-Dvolatile=",      "-eva",
        "-eva-slevel", "20000",    "-main",      has_entry ? "cupel_entry" : "main", (char *)path,
        NULL};
    struct sys_job job = {
        .action = SYS_EXEC,
        .argv = argv,
        .env = sys_tool_env(k->a, k->lab->dir),
        .dir = k->lab->dir,
        .limits = {.wall = 2 * k->seconds, .by_cpu = true, .cpu = k->seconds, .output = 64 << 20}};
    bool ok = sys_run(k->lab->runner, &job, &r, e);
    if (ok)
        read_eva(k, &r);
    sys_result_free(&r);
    sys_empty_folder(k->lab->dir);
    return ok;
}

/* ---- all of them -------------------------------------------------------------------------- */

bool judge_validate(struct cc_lab *lab, const struct judge_validate *what, struct arena *a,
                    struct validation out[VALIDATOR_COUNT], struct err *e)
{
    bool found = false;
    for (unsigned i = 0; i < VALIDATOR_COUNT; i++) {
        out[i] = (struct validation){.said = ""};
        if (!(what->validators >> i & 1) || (found && !what->all))
            continue;
        double most = what->most > 0 ? what->most : rows[i].seconds;
        struct asking k = {lab, what->program, a, most, &out[i]};
        double start = sys_now();
        if (!rows[i].validate(&k, e))
            return false;
        out[i].seconds = sys_now() - start;
        found |= out[i].state == VALIDATION_UNDEFINED;
    }
    return true;
}
