#!/usr/bin/env bats
# Programs and compilers that mean harm: what they may not do, what becomes of them, and that a
# compiler which needs more can have it.  Those that are only broken: faults.bats.

bats_require_minimum_version 1.5.0
load helpers

simple() {
    printf 'int printf(const char *, ...);\nint main(void) { printf("hi\\n"); return 0; }\n' >t.c
}

# outcome CC [OPTION...]: the outcome of t.c under CC beside gcc, with its message.
outcome() {
    local cc=$1
    shift
    "$CUPEL" test t.c --quiet --json --timeout 60 "$@" --cc gcc --cc "$cc" >out.json || [ $? -le 2 ]
    jq -r '.outcomes[1] | .outcome + ": " + .message' out.json
}

# run_end [OPTION...]: how t.c's run ends under gcc.
run_end() {
    "$CUPEL" test t.c --quiet --json --timeout 60 "$@" --cc gcc >out.json 2>err || [ $? -le 2 ]
    jq -r '.outcomes[0].runs[0] | .end + " " + (.code | tostring) + " " + .output' out.json
}

# writes NAME: a compiler that succeeds and leaves what the script on stdin makes of "$2".
writes() {
    { echo 'while [ "$1" != -o ]; do shift; done'; cat; } | cc_script "$1"
}

@test "a compiler that leaves anything but what it should: named, never a hang, never agreement" {
    simple
    local rows=0 script flaw
    while IFS='|' read -r script flaw; do
        writes "cc$((rows += 1))" <<<"$script"
        for mode in '' --plain; do
            [ "$(outcome "$PWD/cc$rows" $mode --compile-timeout 20)" = "BAD_OUTPUT: says that it succeeded, but wrote $flaw" ] ||
                { echo "$script: $(jq -c '.outcomes[1]' out.json)"; false; }
            [ "$(jq -r .found out.json)" = true ]
        done
    done <<'ROWS'
mkfifo "$2"|a FIFO
ln -s /dev/zero "$2"|a link
ln -s "$PWD/t.c" "$2"|a link
ln -s /nowhere "$2"|a link
mkdir "$2"|a directory
: >"$2"|an empty file
exit 0|no file
echo x >"$2"; rm -f "$2"|no file
ROWS
    writes garbage <<<'head -c 3000 /dev/urandom | tr B b >"$2"; chmod +x "$2"'
    [[ "$(outcome "$PWD/garbage" --plain)" == "BAD_OUTPUT: "*"wrote no executable" ]]
    [[ "$(outcome "$PWD/garbage")" == "BAD_OUTPUT: "* ]]
    writes script <<<'printf "#!/bin/sh\necho hi\n" >"$2"; chmod +x "$2"'
    [[ "$(outcome "$PWD/script" --plain)" == "BAD_OUTPUT: "*"wrote no executable" ]]
    writes text <<<'echo "echo hi" >"$2"; chmod +x "$2"'
    [[ "$(outcome "$PWD/text" --plain)" == "BAD_OUTPUT: "*"wrote no executable" ]]
}

@test "an output cut anywhere is never run, loaded or linked" {
    simple
    cc_script cut <<<'gcc "$@" && while [ "$1" != -o ]; do shift; done && truncate -s "$(cat size)" "$2"'
    for size in 1 20 63 64 200 1000; do
        echo $size >size
        [[ "$(outcome "$PWD/cut")" == "BAD_OUTPUT: says that it succeeded, but wrote "* ]]
    done
    for size in 100 8000 15000; do
        echo $size >size
        [[ "$(outcome "$PWD/cut" --plain)" == "BAD_OUTPUT: says that it succeeded, but wrote cut short" ]]
    done
    # bytes in the middle, so that all is there and nothing is right
    cc_script wild <<<'gcc "$@" && while [ "$1" != -o ]; do shift; done && printf "\377\377\377\377" | dd of="$2" bs=1 seek=16 conv=notrunc 2>/dev/null'
    [[ "$(outcome "$PWD/wild")" == "BAD_OUTPUT: "* ]]
    [[ "$(outcome "$PWD/wild" --plain)" == "BAD_OUTPUT: "* ]]
    # for this machine, whole, and yet the system does not start it: another ABI version
    cc_script odd <<<'gcc "$@" && while [ "$1" != -o ]; do shift; done && printf "\377\377" | dd of="$2" bs=1 seek=54 conv=notrunc 2>/dev/null'
    [[ "$(outcome "$PWD/odd" --plain)" == "BAD_OUTPUT: "* ]]
}

@test "a compiler writes into its scratch folder only" {
    simple
    mkdir -m 777 open
    echo mine >open/mine
    chmod 600 open/mine
    before=$(ls -l /dev/null)
    cc_script cc1 <<SH
exec 2>/dev/null
echo x >$PWD/open/new && echo new >>"\$TMPDIR/log"
echo x >>$PWD/open/mine && echo appended >>"\$TMPDIR/log"
: >$PWD/open/mine && echo emptied >>"\$TMPDIR/log"
rm -f $PWD/open/mine && echo removed >>"\$TMPDIR/log"
mv $PWD/open $PWD/moved && echo moved >>"\$TMPDIR/log"
ln $PWD/open/mine "\$TMPDIR/link" && echo linked >>"\$TMPDIR/log"
rm -f /dev/null && echo null >>"\$TMPDIR/log"
echo x >"\$HOME/cupel-escape" && echo home >>"\$TMPDIR/log"
kill -9 -1
SH
    cc_script cc2 <<SH
$PWD/cc1
exec gcc "\$@"
SH
    [[ "$(outcome "$PWD/cc2")" == "BUILT: "* || "$(outcome "$PWD/cc2")" == "CRASHED: SIGKILL"* ]]
    [ "$(cat open/mine)" = mine ] && [ ! -e open/new ] && [ ! -e "$HOME/cupel-escape" ]
    [ "$(ls -l /dev/null)" = "$before" ]
}

@test "a compiler that needs more is said to, and can have it" {
    simple
    mkdir -m 777 cache
    cc_script needy <<<"echo x >$PWD/cache/entry || exit 1; exec gcc \"\$@\""
    # also beside others that agree: it was not tested
    run -2 --separate-stderr "$CUPEL" test t.c --quiet --cc gcc --cc gcc --cc "$PWD/needy"
    echo "$output" >out
    grep -q 'forbidden' out
    grep -q 'it may write into its scratch folder only: give it more with --trust-compilers' out
    run -2 --separate-stderr "$CUPEL" test t.c --quiet --cc "$PWD/needy"
    [[ "$stderr" == *"cupel: $PWD/needy: may not do what it wants to: "*"--trust-compilers)" ]]
    [ "$(outcome "$PWD/needy" --trust-compilers)" = "BUILT: " ]
    [ -e cache/entry ]
    # in a campaign's conf too
    run -0 "$CUPEL" hunt H --quiet --jobs 1 --seed 1 --mode small --programs 2 --trust-compilers --cc "$PWD/needy -O1"
    grep -qx 'trust-compilers = yes' H/cupel.conf
}

@test "what compilers do every day still works" {
    printf '#include <stdio.h>\nint main(void) { puts("hi"); return 0; }\n' >t.c
    run -0 "$CUPEL" test t.c --quiet --cc 'gcc -save-temps' --cc 'gcc -flto' --cc 'gcc -flto=2' --cc 'gcc --coverage' \
        --cc 'gcc -fsanitize=address' --cc 'gcc -gsplit-dwarf' --cc 'gcc -MD' --cc 'gcc -fdump-tree-optimized' \
        --cc 'gcc -pipe' --cc 'clang-19 -flto=thin' --cc 'clang-19 -ftime-trace' --cc 'clang-19 -save-temps=obj'
    [[ "$output" == *"all agree"* ]]
    # some write to /tmp, whatever TMPDIR says, and nobody else sees it
    cc_script hard <<<'f=/tmp/cupel-hard-$$; gcc -S -o $f.s t.c && gcc -c $f.s -o $f.o && while [ "$1" != -o ]; do shift; done; gcc $f.o -o "$2"; exit'
    [[ "$(outcome "$PWD/hard" --plain)" == "BUILT: "* || "$(outcome "$PWD/hard" --plain)" == "FORBIDDEN: "* ]]
    ls /tmp/cupel-hard-* 2>/dev/null && false
    :
}

@test "a compiler that forks without end, or eats memory in many processes" {
    simple
    cc_script bomb <<<'i=0; while [ $((i += 1)) -lt 2000 ]; do sleep 1000 & done; wait'
    [[ "$(outcome "$PWD/bomb")" == "CRASHED: too many processes" ]]
    # in which each one forks and works; there is an end to it, should it get out
    echo 'int fork(void), alarm(unsigned); int main(void) { for (int i = 0; i < 10; i++) { alarm(60); fork(); } alarm(60); for (;;); }' >forks.c
    gcc forks.c -o forks
    [[ "$(outcome "$PWD/forks")" == "CRASHED: too many processes" ]]
    cat >eat.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) { for (int i = 0; i < 6; i++) if (fork() == 0) { memset(malloc(900u << 20), 1, 900u << 20); sleep(1000); }
  sleep(1000); return 0; }
C
    gcc -O1 eat.c -o eat
    cc_script eater <<<"exec $PWD/eat"
    [[ "$(outcome "$PWD/eater" --compile-timeout 300)" == "OUT_OF_MEMORY: "* ]]
}

@test "the kernel counts the processes of compilers that root starts; nothing of that is left" {
    local group=/sys/fs/cgroup/pids
    [ "$(id -u)" = 0 ] && grep -q ':pids:/$' /proc/self/cgroup && [ -w $group ] || skip "no control groups to be had"
    simple
    cc_script counted <<<'echo "error: in $(grep -om1 "/cupel-[^/]*" /proc/self/cgroup)" >&2; exit 1'
    run "$CUPEL" test t.c --quiet --cc "$PWD/counted" --cc gcc
    [[ "$output" =~ 'error: in /'(cupel-[A-Za-z0-9]{6}) ]]
    [ ! -e "$group/${BASH_REMATCH[1]}" ]
    # of one that is killed with all it has, the next removes it
    writes waits <<<'grep -om1 "cupel-[^/]*" /proc/self/cgroup >"$(dirname "$2")/group"; sleep 1000'
    "$CUPEL" test t.c --quiet --cc "$PWD/waits" &
    within 60 'name=$(find tmp -name group -exec cat {} + 2>/dev/null) && [ -n "$name" ]'
    [ "$(cat "$group/$name/pids.max")" = $((128 + 8 * $(nproc --all))) ]
    kill -9 $!
    within 60 '"$CUPEL" test t.c --quiet --cc gcc >/dev/null; [ ! -e "$group/$name" ]'
}

@test "a compiler that fills the disk with many files is ended" {
    [ "$(df --output=avail -k "$TMPDIR" | tail -1)" -gt 8000000 ] || skip "less than 8 GB are left"
    simple
    writes filler <<<'cd "$(dirname "$2")"; mkdir a a/b; cd a/b; for i in 1 2 3 4 5 6; do fallocate -l 900M big$i; done; sleep 100'
    for mode in '' --plain; do
        [ "$(outcome "$PWD/filler" $mode --compile-timeout 20)" = "CRASHED: fills the disk" ]
    done
}

@test "files that have no name any more count as disk, open or only mapped" {
    [ "$(df --output=avail -k "$TMPDIR" | tail -1)" -gt 8000000 ] || skip "less than 8 GB are left"
    simple
    cat >hide.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <libgen.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++)
        if (argv[i][0] == '-' && argv[i][1] == 'o')
            chdir(dirname(argv[i + 1]));
    for (int i = 0; i < 6; i++) {
        int fd = open("hidden", O_RDWR | O_CREAT | O_EXCL, 0600);
        unlink("hidden");
        fallocate(fd, 0, 0, 900 << 20);
        if (MAPPED && mmap(0, MAPPED == 1 ? 900 << 20 : 4096, PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED)
            close(fd);
    }
    sleep(100);
    return 1;
}
C
    for mapped in 0 1 2; do # 2: one page of it
        gcc -DMAPPED=$mapped hide.c -o hide
        cc_script hider <<<"exec $PWD/hide "\$@""
        [ "$(outcome "$PWD/hider" --compile-timeout 20)" = "CRASHED: fills the disk" ]
    done
}

@test "a program's memory is counted with its children's, memory files and segments" {
    cat >t.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) { for (int i = 0; i < 6; i++) if (fork() == 0) { memset(malloc(60 << 20), 1, 60 << 20); sleep(1000); }
  sleep(1000); return 0; }
C
    [[ "$(run_end --memory 200M)" == "out of memory "* || "$(cat err)" == *"can start threads but no processes"* ]]
    # what is shared by fork is there once
    cat >t.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
int main(void) { memset(malloc(60 << 20), 1, 60 << 20); for (int i = 0; i < 6; i++) if (fork() == 0) { usleep(300000); _exit(0); }
  while (wait(0) > 0); return 0; }
C
    run run_end --memory 200M
    [ "$output" = "exited 0 " ]
    cat >t.c <<'C'
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>
static char block[1 << 20];
int main(void) { for (int f = 0; f < 200; f++) { int fd = memfd_create("x", 0); for (int i = 0; i < 20; i++) if (write(fd, block, sizeof block) < 0) return 5; }
  sleep(1000); return 0; }
C
    [[ "$(run_end --memory 200M)" == "out of memory "* ]]
    cat >t.c <<'C'
#include <sys/shm.h>
#include <string.h>
#include <unistd.h>
int main(void) { for (int i = 0; i < 40; i++) { int id = shmget(IPC_PRIVATE, 20 << 20, IPC_CREAT | 0600); if (id < 0) return 5;
    char *p = shmat(id, 0, 0); memset(p, 1, 20 << 20); shmdt(p); } sleep(1000); return 0; }
C
    # refused where there is no namespace for it
    [[ "$(run_end --memory 200M)" == "out of memory "* || "$(run_end --memory 200M)" == "exited 5 "* ]]
}

# Each was 800 MB that nobody saw.
@test "memory cannot be hidden: behind a page, a thread, or a closed process" {
    cat >hide.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { SIZE = 20 << 20 };
static char block[1 << 20], stack[65536];
static int file(void) {
  int fd = memfd_create("x", 0);
  memset(block, 1, sizeof block);
  for (int i = 0; i < 20; i++) if (write(fd, block, sizeof block) < 0) _exit(5);
  return fd; }
static void files(void) { for (int f = 0; f < 40; f++) file(); }
static int thread(void *p) { (void)p; files(); sleep(3); _exit(0); }
static void *late(void *p) { (void)p; usleep(100000); memset(malloc(4 * SIZE), 1, 4 * SIZE); sleep(3); _exit(0); }
int main(void) {
#if HOW == 1 /* what maps one page of it */
  for (int f = 0; f < 40; f++) { int fd = file(); mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0); close(fd); }
#elif HOW == 2 /* what is left of a mapping */
  for (int f = 0; f < 40; f++) { char *p = mmap(0, SIZE, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(p, 1, SIZE); munmap(p + 4096, SIZE - 4096); }
#elif HOW == 3 /* a table of files of a thread's own */
  clone(thread, stack + sizeof stack, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_FS, 0);
#elif HOW == 4 /* processes whose first thread has ended */
  for (int i = 0; i < 5 && fork() > 0; i++) continue;
  pthread_t t; pthread_create(&t, 0, late, 0); syscall(SYS_exit, 0);
#else /* one that does not want to be looked at */
  prctl(PR_SET_DUMPABLE, 0); files();
#endif
  sleep(3); return 0; }
C
    for how in 1 2 3 4 5; do
        { echo "#define HOW $how"; cat hide.c; } >t.c
        got=$(run_end --memory 200M --cc 'gcc -pthread')
        [[ "$got" == "out of memory "* || "$(cat err)" == *"can start threads but no processes"* ]] || { echo "$how: $got"; false; }
    done
    # and what is shared is there once
    cat >t.c <<'C'
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) { for (int f = 0; f < 4; f++) memset(mmap(0, 20 << 20, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, 20 << 20);
  for (int i = 0; i < 6; i++) if (fork() == 0) { usleep(300000); _exit(0); }
  while (wait(0) > 0); return 0; }
C
    [ "$(run_end --memory 200M)" = "exited 0 " ]
}

@test "nothing of a program's IPC outlives it" {
    ipcs -m -s -q | grep -c '^0x' >before || :
    cat >t.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>
int main(void) {
  int shm = shmget(0x0c0be1, 1 << 20, IPC_CREAT | IPC_EXCL | 0666), sem = semget(0x0c0be1, 3, IPC_CREAT | IPC_EXCL | 0666);
  int msg = msgget(0x0c0be1, IPC_CREAT | IPC_EXCL | 0666);
  int posix = shm_open("/cupel-shm", O_CREAT | O_RDWR, 0666);
  mqd_t mq = mq_open("/cupel-mq", O_CREAT | O_RDWR, 0666, NULL);
  printf("%d %d %d %d %d\n", shm >= 0, sem >= 0, msg >= 0, posix >= 0, mq >= 0);
  return 0; }
C
    # the second finds nothing of the first's: both can make them anew, or neither may
    "$CUPEL" test t.c --quiet --json --jobs 1 --plain --cc 'gcc -lrt' --cc 'gcc -O1 -lrt' --cc 'gcc -O2 -lrt' >out.json || [ $? -le 2 ]
    [ "$(jq -r '[.outcomes[].runs[0].output] | unique | length' out.json)" = 1 ]
    [[ "$(jq -r '.outcomes[0].runs[0].output' out.json)" == [01]" "[01]" "[01]" 0 0" ]]
    ipcs -m -s -q | grep -c '^0x' >after || :
    cmp before after
    [ ! -e /dev/shm/cupel-shm ]
}

# They would stay in the session's keyring, where who starts cupel has its own.
@test "no program and no compiler comes to the kernel's keys" {
    cat >t.c <<'C'
#include <stdio.h>
long syscall(long, ...);
int main(void)
{
    long first = sizeof(long) == 8 ? 248 : 286; /* add_key, request_key, keyctl */
    long add = syscall(first, "user", "cupel-escape", "x", 1L, -3L);
    long ask = syscall(first + 1, "user", "cupel-escape", 0L, 0L), ring = syscall(first + 2, 0L, -3L, 1L);
    printf("%d%d%d\n", add > 0, ring > 0, ask > 0);
    return 0;
}
C
    gcc -o keys t.c
    for cc in gcc 'gcc -m32'; do
        "$CUPEL" test t.c --quiet --json --cc "$cc" >out.json 2>err || [ $? -le 2 ]
        [ "$(jq -r '.outcomes[0].runs[0].output' out.json)" = 000 ]
    done
    cc_script guest <<<"$PWD/keys >&2; exit 1"
    [ "$(outcome "$PWD/guest")" = "REJECTED: 000" ]
    ! grep -q cupel-escape /proc/keys
}

@test "a program makes no namespaces, sockets or devices, and finds no way around" {
    cat >t.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static int child(void *p) { (void)p; return 0; }
int main(void) { static char stack[65536]; int fds[2];
  if (unshare(CLONE_NEWUSER) == 0) puts("unshare");
  if (clone(child, stack + sizeof stack, CLONE_NEWUSER | SIGCHLD, 0) >= 0) puts("clone");
  if (clone(child, stack + sizeof stack, CLONE_NEWIPC | SIGCHLD, 0) >= 0) puts("clone ipc");
  if (syscall(SYS_clone3, 0, 0) >= 0) puts("clone3");
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0) puts("socketpair");
  if (mknod("disk", S_IFBLK | 0666, 8 << 8) == 0) puts("mknod");
  if (chmod("/tmp", 0777) == 0) puts("chmod");
  if (mount("none", "/mnt", "tmpfs", 0, "") == 0) puts("mount");
  if (open("/dev/mem", O_RDWR) >= 0) puts("/dev/mem");
  puts("done"); return 0; }
C
    for mode in '' --plain; do
        [ "$(run_end $mode)" = "exited 0 done" ] || { cat out.json; false; }
    done
}

# What lay more than 64 folders deep was not counted, and what lay deeper than files may be open stayed.
@test "folders in folders without end: no way to fill the disk, and nothing of them stays" {
    [ "$(df --output=avail -k "$TMPDIR" | tail -1)" -gt 8000000 ] || skip "less than 8 GB are left"
    simple
    writes digger <<<'cd "$(dirname "$2")"; i=0; while [ $((i += 1)) -lt 80 ]; do mkdir d; cd d; done; for i in 1 2 3 4 5 6 7; do fallocate -l 900M big$i; done; sleep 100'
    [ "$(outcome "$PWD/digger" --compile-timeout 20)" = "CRASHED: fills the disk" ]
    cat >t.c <<'C'
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) { int n = 0; while (mkdir("d", 0700) == 0 && chdir("d") == 0) n++;
  printf("%d\n", n > 0); return 0; }
C
    "$CUPEL" test t.c --quiet --json --jobs 1 --cc gcc --cc 'gcc -O1' --cc 'gcc -O2' >out.json 2>err || [ $? -le 2 ]
    [ "$(jq -r '[.outcomes[].runs[0].output] | unique[]' out.json)" = 1 ]
}

# An ordinary user's programs run as that user, and could change the modes of all of his files.
@test "a program changes no modes, times and attributes of files that are not its own" {
    echo mine >mine
    chmod 666 mine
    touch -d 2001-01-01 mine
    sed "s|MINE|$PWD/mine|" >t.c <<'C'
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
int setxattr(const char *, const char *, const void *, unsigned long, int);
#include <unistd.h>
int main(void) {
  if (chmod("MINE", 0777) == 0) puts("chmod");
  if (fchmodat(AT_FDCWD, "MINE", 0777, 0) == 0) puts("fchmodat");
  if (chown("MINE", getuid(), getgid()) == 0) puts("chown");
  if (utimes("MINE", NULL) == 0) puts("utimes");
  if (utimensat(AT_FDCWD, "MINE", NULL, 0) == 0) puts("utimensat");
  if (setxattr("MINE", "user.cupel", "x", 1, 0) == 0) puts("setxattr");
  int fd = open("own", O_CREAT | O_RDWR, 0600); /* of its own it may, where they are in memory */
  if (fd < 0) puts("no file");
  fchmod(fd, 0400);
  puts("done"); return 0; }
C
    before=$(stat -c '%a %u %g %Y' mine)
    for cc in gcc 'gcc -m32'; do
        for mode in '' --plain; do
            "$CUPEL" test t.c --quiet --json $mode --cc "$cc" >out.json 2>err || [ $? -le 2 ]
            # without a namespace for its processes, no program of 32 bits runs
            [ "$(jq -r '.outcomes[0].runs[0].output' out.json)" = done ] ||
                [[ "$cc" = *-m32 && "$(cat err)" == *"can start threads but no processes"* ]] || { cat out.json; false; }
        done
    done
    [ "$(stat -c '%a %u %g %Y' mine)" = "$before" ]
}

# The runner has its user, and could open no file any more.
@test "a compiler that sets its parent's limits" {
    simple
    cat >limits.c <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
int main(void) { struct rlimit none = {0, 0}, old;
  fprintf(stderr, "error: %d%d%d\n", prlimit(getppid(), RLIMIT_NOFILE, &none, NULL), prlimit(0, RLIMIT_NOFILE, NULL, &old),
    getrlimit(RLIMIT_CPU, &old)); return 1; }
C
    for bits in '' -m32; do
        gcc -w $bits limits.c -o limits
        cc_script limiter <<<"exec $PWD/limits"
        [ "$(outcome "$PWD/limiter")" = "REJECTED: error: -100" ]
        [ "$(jq -r '.outcomes[0].outcome' out.json)" = BUILT ]
    done
}

# Flags that a wrapper adds are nobody's bug: each was told as wrong code of the wrapper.
@test "what a wrapper hides, of its data model, arithmetic or sanitizers, is found by running a program" {
    echo 'int printf(const char *, ...);
int main(void) { char c = (char)200; return printf("%d\n", c < 0) != 2; }' >t.c
    for flag in -funsigned-char -fsanitize=address; do
        printf '#!/bin/sh\nexec gcc-12 %s "$@"\n' "$flag" >hides && chmod +x hides
        run -0 "$CUPEL" test t.c --cc './hides -O1'
        run -0 "$CUPEL" emi t.c --variants 1 --cc './hides -O1' -o v
    done
    run -0 "$CUPEL" emi t.c --facts probes --variants 1 --cc './hides -O1' -o v
    for flag in -mlong-double-64 -ffast-math -fshort-enums; do
        printf '#!/bin/sh\nexec gcc-12 %s "$@"\n' "$flag" >hides && chmod +x hides
        run -2 "$CUPEL" emi t.c --variants 1 --cc './hides -O1' -o v
        [[ "$output" == *"the data model of ./hides -O1 is not known"* ]]
    done
}
