/* Unit tests of sys: real processes, each with its end. */
#include "sys/sys.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static struct scratch scratch;
static struct runner *runner;
static struct arena arena;
static char *workshop;

static int open_all(void **state)
{
    (void)state;
    struct err e;
    if (!sys_scratch_open(&scratch, &e))
        return -1;
    workshop = arena_printf(&arena, "%s/shop", scratch.path);
    if (!sys_make_dirs(workshop, &e))
        return -1;
    runner = sys_runner_open(
        &(struct runner_options){.scratch = scratch.path, .workshop = workshop}, &e);
    return runner ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    sys_runner_close(runner);
    sys_scratch_close(&scratch);
    arena_free(&arena);
    return access(scratch.path, F_OK) == 0 && scratch.path[0];
}

static struct sys_job shell(const char *script)
{
    char **argv = NEW_ARRAY(&arena, 4, char *);
    argv[0] = "/bin/sh";
    argv[1] = "-c";
    argv[2] = arena_string(&arena, script);
    return (struct sys_job){
        .argv = argv,
        .env = sys_program_env(&arena),
        .rights = SYS_PROGRAM,
        .limits = {.wall = 5,
                   .cpu = 5,
                   .memory = 1u << 30,
                   .file_size = 1u << 20,
                   .output = 1000,
                   .processes = 32},
    };
}

static void ends_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        double wall;
        enum sys_end end;
        int code;
    } rows[] = {
        {"exit 0", 5, SYS_EXITED, 0},
        {"exit 7", 5, SYS_EXITED, 7},
        {"kill -SEGV $$", 5, SYS_SIGNALLED, SIGSEGV},
        {"kill -KILL $$", 5, SYS_SIGNALLED, SIGKILL},
        {"kill -STOP $$", 0.2, SYS_TIMEOUT, 0},
        {"trap '' TERM INT HUP; while :; do :; done", 0.2, SYS_TIMEOUT, 0},
        {"sleep 60 & exit 3", 5, SYS_EXITED, 3},
        {"setsid sh -c 'sleep 60' & exit 4", 5, SYS_EXITED, 4},
        {"while :; do echo flood; done", 5, SYS_OUTPUT_LONG, 0},
        {"while :; do echo flood >&2; done", 5, SYS_OUTPUT_LONG, 0},
        {"read x; echo got:$x", 5, SYS_EXITED, 0},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct err e;
        struct sys_result r;
        struct sys_job job = shell(rows[i].script);
        job.limits.wall = rows[i].wall;
        double start = sys_now();
        assert_true(sys_run(runner, &job, &r, &e));
        assert_int_equal(r.end, rows[i].end);
        assert_int_equal(r.code, rows[i].code);
        assert_true(sys_now() - start < 4.5);
        sys_result_free(&r);
    }
}

/* On a busy machine a job takes long without having used its CPU time up; sleeping is like that,
 * but for the work in between. */
static void who_works_gets_time_and_who_waits_does_not(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        enum sys_end end;
    } rows[] = {
        {"i=0; while [ $i -lt 25 ]; do i=$((i+1)); k=0; while [ $k -lt 10000 ]; do k=$((k+1)); "
         "done; sleep 0.05; done",
         SYS_EXITED},
        {"sleep 60", SYS_TIMEOUT},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct err e;
        struct sys_result r;
        struct sys_job job = shell(rows[i].script);
        job.limits.wall = 1;
        job.limits.cpu = 0.9;
        job.limits.by_cpu = true;
        assert_true(sys_run(runner, &job, &r, &e));
        assert_int_equal(r.end, rows[i].end);
        sys_result_free(&r);
    }
}

/* Time is over while a stepped program waits, in a function that is not its own. */
static void a_stepped_program_that_waits_is_ended(void **state)
{
    (void)state;
    struct err e;
    struct sys_result r;
    int status = 1;
    char *source = arena_printf(&arena, "%s/wait.c", workshop);
    char *program = arena_printf(&arena, "%s/wait", workshop);
    char text[] = "int pause(void); int main(void) { volatile int v = 0; pause(); return v; }";
    assert_true(sys_write_file(source, text, strlen(text), &e));
    char *gcc[] = {"gcc", "-w", source, "-o", program, NULL};
    assert_true(sys_call(gcc, &status, &e) && status == 0);
    struct sys_job job = shell("");
    job.program = program;
    job.step = true;
    job.limits.wall = 0.3;
    assert_true(sys_run(runner, &job, &r, &e));
    assert_int_not_equal(r.end, SYS_EXITED);
    sys_result_free(&r);
    job = shell("exit 3"); /* the runner is there for the next one */
    assert_true(sys_run(runner, &job, &r, &e));
    assert_int_equal(r.code, 3);
    sys_result_free(&r);
}

static void output_is_bounded_exactly(void **state)
{
    (void)state;
    struct err e;
    struct sys_result r;
    struct sys_job job = shell("head -c 1000 /dev/zero; head -c 500 /dev/zero >&2");
    assert_true(sys_run(runner, &job, &r, &e));
    assert_int_equal(r.end, SYS_EXITED);
    assert_int_equal(r.out.n, 1000);
    assert_int_equal(r.err.n, 500);
    assert_false(r.out_cut);
    sys_result_free(&r);

    job = shell("head -c 5000000 /dev/zero; echo end >&2");
    job.drain_outputs = true;
    assert_true(sys_run(runner, &job, &r, &e));
    assert_int_equal(r.end, SYS_EXITED);
    assert_int_equal(r.out.n, 1000);
    assert_true(r.out_cut);
    assert_string_equal(r.err.s, "end\n");
    sys_result_free(&r);
}

static void what_cannot_start_says_why(void **state)
{
    (void)state;
    struct err e;
    struct sys_result r;
    char *argv[] = {"/nonexistent/compiler", NULL};
    struct sys_job job = shell("");
    job.argv = argv;
    assert_true(sys_run(runner, &job, &r, &e));
    assert_int_equal(r.end, SYS_NOT_STARTED);
    assert_string_equal(r.reason.s, "/nonexistent/compiler: No such file or directory");
    sys_result_free(&r);
}

/* A shell would take it for a script of its own, and run it. */
static void what_is_no_executable_is_not_run(void **state)
{
    (void)state;
    struct err e;
    struct sys_result r;
    char *path = arena_printf(&arena, "%s/text", scratch.path);
    char *argv[] = {path, NULL};
    assert_true(sys_write_file(path, "echo run by a shell\n", 20, &e));
    assert_int_equal(chmod(path, 0755), 0);
    for (int i = SYS_OURS; i <= SYS_PROGRAM; i++) {
        struct sys_job job = shell("");
        job.argv = argv;
        job.rights = (enum sys_rights)i;
        job.dir = i == SYS_PROGRAM ? NULL : ".";
        assert_true(sys_run(runner, &job, &r, &e));
        assert_int_equal(r.end, SYS_NOT_STARTED);
        assert_non_null(strstr(r.reason.s, "Exec format error"));
        sys_result_free(&r);
    }
}

static void usage_is_measured(void **state)
{
    (void)state;
    struct err e;
    struct sys_result r;
    struct sys_job job = shell("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; sleep 0.1");
    double before = sys_children_cpu();
    assert_true(sys_run(runner, &job, &r, &e));
    assert_int_equal(r.end, SYS_EXITED);
    assert_true(r.cpu > 0.01 && r.cpu < r.wall + 1);
    assert_true(r.wall >= r.cpu * 0.5 + 0.05);
    assert_true(r.max_resident > 100000);
    assert_true(sys_children_cpu() >= before + r.cpu * 0.99);
    sys_result_free(&r);
}

/* Each script prints nothing when the sandbox holds.  Sockets and signals: tests/cli/faults.bats.
 */
static void sandbox_holds(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "echo x 2>/dev/null >/tmp/cupel-escape && echo wrote /tmp",
        "cat /etc/passwd 2>/dev/null >&2 && echo read /etc/passwd",
        "ls /home 2>/dev/null >&2 && echo listed /home",
        "ln -s /etc/passwd link && cat link 2>/dev/null >&2 && echo followed",
    };
    for (size_t i = 0; i < LENGTH(scripts); i++) {
        struct err e;
        struct sys_result r;
        struct sys_job job = shell(scripts[i]);
        assert_true(sys_run(runner, &job, &r, &e));
        assert_string_equal(text_str(&r.out), "");
        sys_result_free(&r);
    }
}

/* Each script prints nothing when compilers are held to their workshop, where they are at home. */
static void compilers_are_guests(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "touch made && mv made moved && rm moved || echo cannot use its workshop",
        "touch ../escape 2>/dev/null && echo wrote beside its workshop",
        "cat ../mine >/dev/null || echo cannot read",
        "chmod 777 ../mine 2>/dev/null && echo changed a mode",
        "echo x 2>/dev/null >>../mine && echo wrote to a file",
        "rm -f ../mine 2>/dev/null && echo removed a file",
        "rm -f /dev/null 2>/dev/null && echo removed /dev/null",
        "echo x >/dev/null || echo cannot write to /dev/null",
        "mknod disk b 8 0 2>/dev/null && echo made a device",
        "mount -t tmpfs none /mnt 2>/dev/null && echo mounted",
        "unshare -U true 2>/dev/null && echo made a namespace",
        "date -s 2000-01-01 >/dev/null 2>&1 && echo set the clock",
    };
    struct err e;
    char *mine = arena_printf(&arena, "%s/mine", scratch.path);
    assert_true(sys_write_file(mine, "mine\n", 5, &e));
    assert_int_equal(chmod(mine, 0644), 0);
    for (size_t i = 0; i < LENGTH(scripts); i++) {
        struct sys_result r;
        struct sys_job job = shell(scripts[i]);
        if (strstr(scripts[i], "mode") && !strstr(sys_runner_sandbox(runner), "read-only"))
            continue;
        job.rights = SYS_COMPILER;
        job.dir = workshop;
        assert_true(sys_run(runner, &job, &r, &e));
        assert_int_equal(r.end, SYS_EXITED);
        assert_string_equal(text_str(&r.out), "");
        sys_result_free(&r);
    }
    assert_int_equal(access(arena_printf(&arena, "%s/escape", scratch.path), F_OK), -1);
}

/* Some compilers write there, whatever TMPDIR says; nobody sees what they leave. */
static void compilers_have_a_tmp(void **state)
{
    (void)state;
    struct err e;
    if (!strstr(sys_runner_sandbox(runner), "read-only"))
        return;
    static const char *const scripts[] = {
        "echo left >/tmp/cupel-left; ln -sf /etc/passwd /tmp/cupel-link; cat /tmp/cupel-left",
        "ls -d /tmp/cupel-left /tmp/cupel-link 2>/dev/null; echo left"};
    for (size_t i = 0; i < LENGTH(scripts); i++) {
        struct sys_result r;
        struct sys_job job = shell(scripts[i]);
        job.rights = SYS_COMPILER;
        job.dir = workshop;
        assert_true(sys_run(runner, &job, &r, &e));
        assert_string_equal(text_str(&r.out), "left\n");
        sys_result_free(&r);
    }
    assert_int_equal(access("/tmp/cupel-left", F_OK), -1);
}

static void system_v_objects_end_with_the_job(void **state)
{
    (void)state;
    static const char make[] = "ipcmk -M 1000 -S 2 -Q >/dev/null 2>&1; cd /proc/sysvipc; "
                               "cat shm sem msg | grep -vc key";
    static const char look[] = "cd /proc/sysvipc; cat shm sem msg | grep -vc key";
    bool own = strstr(sys_runner_sandbox(runner), "own IPC");
    struct err e;
    for (int i = 0; i < 2; i++) {
        struct sys_result r;
        struct sys_job job = shell(i ? look : make);
        assert_true(sys_run(runner, &job, &r, &e));
        if (own)
            assert_string_equal(text_str(&r.out), i ? "0\n" : "3\n");
        sys_result_free(&r);
    }
}

/* What six processes have is what the job has; what they share by fork counts once. */
static void memory_is_limited_for_the_whole_job(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        enum sys_end end;
    } rows[] = {
        {"for i in 1 2 3 4 5 6; do (x=$(head -c 60000000 /dev/zero | tr '\\0' x); sleep 900) & "
         "done; "
         "wait",
         SYS_MEMORY},
        {"x=$(head -c 30000000 /dev/zero | tr '\\0' x); for i in 1 2 3 4; do sleep 0.2 & done; "
         "wait",
         SYS_EXITED},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct err e;
        struct sys_result r;
        struct sys_job job = shell(rows[i].script);
        job.limits.resident = 200u << 20; /* a shell doubles its buffers */
        job.limits.wall = 900;            /* on a busy machine all six need minutes to be there */
        job.limits.cpu = 900;
        assert_true(sys_run(runner, &job, &r, &e));
        assert_int_equal(r.end, rows[i].end);
        sys_result_free(&r);
    }
}

/* No limit on processes holds for a compiler that root starts. */
static void compilers_that_fork_without_end_are_ended(void **state)
{
    (void)state;
    struct err e;
    struct sys_result r;
    struct sys_job job = shell("i=0; while [ $((i += 1)) -lt 2000 ]; do sleep 100 & done; wait");
    job.rights = SYS_COMPILER;
    job.dir = workshop;
    job.limits.wall = 60;
    job.limits.resident = (uint64_t)8 << 30;
    assert_true(sys_run(runner, &job, &r, &e));
    assert_int_equal(r.end, SYS_CROWD);
    sys_result_free(&r);
}

static void writable_folder_is_emptied(void **state)
{
    (void)state;
    struct err e;
    struct sys_result r;
    struct sys_job job = shell("mkdir -p a/b && echo hi > a/b/c && chmod 0 a && ls -A");
    for (int i = 0; i < 2; i++) {
        assert_true(sys_run(runner, &job, &r, &e));
        assert_string_equal(r.out.s, "a\n");
        assert_int_equal(r.code, 0);
        sys_result_free(&r);
    }
}

static void processes_are_limited_and_gone_afterwards(void **state)
{
    (void)state;
    struct err e;
    struct sys_result r;
    struct sys_job job = shell("bomb() { bomb | bomb & }; bomb; sleep 10");
    job.limits.wall = 1;
    assert_true(sys_run(runner, &job, &r, &e));
    sys_result_free(&r);
    if (!strstr(sys_runner_sandbox(runner), "own user"))
        return; /* then they cannot start any, and the next line would count all of ours */
    job = shell("ps -o pid= -u $(id -u) | wc -l");
    assert_true(sys_run(runner, &job, &r, &e));
    assert_int_equal(r.end, SYS_EXITED);
    /* the shell, ps, wc; init where it is ours */
    assert_in_range(strtol(r.out.s, NULL, 10), 2, 5);
    sys_result_free(&r);
}

static void scratch_of_the_dead_is_swept(void **state)
{
    (void)state;
    struct err e;
    struct scratch mine;
    char stale[300];
    snprintf(stale, sizeof stale, "%s", scratch.path);
    strcpy(strrchr(stale, '/'), "/stale1");
    assert_true(sys_make_dirs(stale, &e));
    char lock[320];
    snprintf(lock, sizeof lock, "%s/lock", stale);
    assert_true(sys_write_file(lock, "", 0, &e));
    assert_true(sys_scratch_open(&mine, &e));
    assert_int_not_equal(access(stale, F_OK), 0);
    assert_int_equal(access(scratch.path, F_OK), 0); /* ours lives */
    char path[300];
    snprintf(path, sizeof path, "%s", mine.path);
    sys_scratch_close(&mine);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* An owner that died before it had its lock leaves an empty folder; one who makes a folder at this
 * moment has the base folder's lock. */
static void empty_scratch_is_swept_unless_it_is_being_made(void **state)
{
    (void)state;
    struct err e;
    char base[300], empty[320];
    snprintf(base, sizeof base, "%s", scratch.path);
    *strrchr(base, '/') = '\0';
    snprintf(empty, sizeof empty, "%s/empty1", base);
    assert_true(sys_make_dirs(empty, &e));
    int making = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int round = 0; round < 2; round++) {
        struct scratch mine;
        assert_int_equal(flock(making, round == 0 ? LOCK_SH : LOCK_UN), 0);
        assert_true(sys_scratch_open(&mine, &e));
        sys_scratch_close(&mine);
        assert_int_equal(access(empty, F_OK), round == 0 ? 0 : -1);
    }
    close(making);
}

static void files_are_read_and_replaced(void **state)
{
    (void)state;
    struct err e;
    struct text t = {0};
    char *path = arena_printf(&arena, "%s/file", scratch.path);
    assert_true(sys_write_file(path, "a\0b", 3, &e));
    assert_true(sys_read_file(path, 3, &t, &e));
    assert_int_equal(t.n, 3);
    assert_false(sys_read_file(path, 2, &t, &e));
    assert_false(sys_read_file(scratch.path, SYS_READ_ALL, &t, &e));
    assert_non_null(strstr(e.msg, "is a folder, not a file"));
    assert_false(sys_read_file("/nonexistent", SYS_READ_ALL, &t, &e));
    assert_string_equal(e.msg, "cannot read /nonexistent: No such file or directory");
    assert_false(sys_make_dirs(path, &e));
    text_free(&t);
}

/* `-o /dev/null` as root once made a regular file of it. */
static void special_files_stay_what_they_are(void **state)
{
    (void)state;
    struct err e;
    struct stat st;
    struct text t = {0};
    assert_true(sys_write_file("/dev/null", "x", 1, &e));
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_false(sys_write_file("/dev/full", "x", 1, &e));
    char *file = arena_printf(&arena, "%s/target", scratch.path);
    char *link = arena_printf(&arena, "%s/link", scratch.path);
    assert_true(sys_write_file(file, "old", 3, &e));
    assert_int_equal(chmod(file, 0600), 0);
    assert_int_equal(symlink(file, link), 0);
    assert_true(sys_write_file(link, "new", 3, &e));
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_true(sys_read_file(file, SYS_READ_ALL, &t, &e));
    assert_string_equal(t.s, "new");
    assert_true(sys_write_file(file, "again", 5, &e));
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    text_free(&t);
}

/* More folders than may be open at a time. */
static void deep_trees_are_removed(void **state)
{
    (void)state;
    enum { DEPTH = 3000 };
    struct rlimit old, few;
    struct stat st;
    struct err e;
    char *top = arena_printf(&arena, "%s/deep", scratch.path);
    assert_int_equal(mkdir(top, 0700), 0);
    int at = open(top, O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < DEPTH; i++) {
        assert_int_equal(mkdirat(at, "d", 0700), 0);
        assert_int_equal(mkdirat(at, ".deep-0", 0700), 0);
        int below = openat(at, "d", O_RDONLY | O_DIRECTORY);
        close(at);
        at = below;
    }
    close(at);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    few = (struct rlimit){100, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    assert_true(sys_remove_tree(top, &e));
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
    assert_int_not_equal(stat(top, &st), 0);
}

static void count_item(void *context, size_t item, unsigned worker)
{
    (void)worker;
    ((int *)context)[item]++;
}

static void parallel_does_each_item_once(void **state)
{
    (void)state;
    int seen[100] = {0};
    sys_parallel(100, 4, count_item, seen);
    for (int i = 0; i < 100; i++)
        assert_int_equal(seen[i], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_are_told_apart),
        cmocka_unit_test(who_works_gets_time_and_who_waits_does_not),
        cmocka_unit_test(a_stepped_program_that_waits_is_ended),
        cmocka_unit_test(output_is_bounded_exactly),
        cmocka_unit_test(what_cannot_start_says_why),
        cmocka_unit_test(what_is_no_executable_is_not_run),
        cmocka_unit_test(usage_is_measured),
        cmocka_unit_test(sandbox_holds),
        cmocka_unit_test(compilers_are_guests),
        cmocka_unit_test(compilers_have_a_tmp),
        cmocka_unit_test(system_v_objects_end_with_the_job),
        cmocka_unit_test(memory_is_limited_for_the_whole_job),
        cmocka_unit_test(compilers_that_fork_without_end_are_ended),
        cmocka_unit_test(writable_folder_is_emptied),
        cmocka_unit_test(processes_are_limited_and_gone_afterwards),
        cmocka_unit_test(scratch_of_the_dead_is_swept),
        cmocka_unit_test(empty_scratch_is_swept_unless_it_is_being_made),
        cmocka_unit_test(files_are_read_and_replaced),
        cmocka_unit_test(special_files_stay_what_they_are),
        cmocka_unit_test(deep_trees_are_removed),
        cmocka_unit_test(parallel_does_each_item_once),
    };
    return cmocka_run_group_tests_name("sys", tests, open_all, close_all);
}
