#!/usr/bin/env bats
# Compilers and programs that misbehave: always a clear outcome, never anything left behind
# (see teardown in helpers.bash).

bats_require_minimum_version 1.5.0
load helpers

simple() {
    printf 'int main(void) { return 0; }\n' >t.c
}

# Times here end what must not end: what must end gets far more than a busy machine needs.

# outcome CC [SECONDS]: the outcome's id and its message, for t.c under CC beside gcc.
outcome() {
    "$CUPEL" test t.c --quiet --json --timeout 60 --compile-timeout "${2:-60}" --cc gcc --cc "$1" >out.json || [ $? -le 2 ]
    jq -r '.outcomes[1] | .outcome + ": " + .message' out.json
}

# run_end [OPTION...]: how t.c's run ends under gcc.
run_end() {
    "$CUPEL" test t.c --quiet --json --timeout 60 "$@" --cc gcc >out.json || [ $? -le 2 ]
    jq -r '.outcomes[0].runs[0] | .end + " " + (.code | tostring) + " " + .output' out.json
}

@test "compiler not found, not executable" {
    simple
    run -2 "$CUPEL" test t.c --quiet --cc no-such-cc
    [ "$output" = "cupel: compiler 'no-such-cc' not found: is it installed and executable?" ]
    echo text >notexec
    run -2 "$CUPEL" test t.c --quiet --cc "$PWD/notexec"
    [[ "$output" == "cupel: compiler '$PWD/notexec' not found"* ]]
}

@test "compiler prints megabytes" {
    simple
    cc_script cc1 <<<'head -c 50000000 /dev/zero | tr "\0" x; head -c 50000000 /dev/zero | tr "\0" y >&2; exec gcc "$@"'
    [[ "$(outcome "$PWD/cc1")" == "BUILT: "* ]]
}

@test "compiler hangs, also when it ignores SIGTERM" {
    simple
    cc_script cc1 <<<'exec sleep 1000'
    [[ "$(outcome "$PWD/cc1" 5)" == "HANG: "* ]]
    cc_script cc2 <<<'trap "" TERM INT HUP; while :; do :; done'
    [[ "$(outcome "$PWD/cc2" 5)" == "HANG: "* ]]
}

@test "compiler leaves children behind" {
    simple
    cc_script cc1 <<<"(setsid sleep 1000 $PWD >/dev/null 2>&1 &) ; sleep 1000 $PWD >/dev/null 2>&1 & exec gcc \"\$@\""
    [[ "$(outcome "$PWD/cc1")" == "BUILT: "* ]]
}

@test "compiler dies: signal, silence, lies" {
    simple
    cc_script cc1 <<<'echo last words >&2; kill -SEGV $$'
    [ "$(outcome "$PWD/cc1")" = "CRASHED: SIGSEGV: last words" ]
    cc_script cc2 <<<'exit 1'
    [ "$(outcome "$PWD/cc2")" = "CRASHED: exit status 1 without a word" ]
    cc_script cc3 <<<'exit 0'
    [ "$(outcome "$PWD/cc3")" = "BAD_OUTPUT: says that it succeeded, but wrote no file" ]
    cc_script cc4 <<<'echo "t.c: internal compiler error: in frob, at frob.c:12" >&2; exit 4'
    [[ "$(outcome "$PWD/cc4")" == "ICE: "*"in frob, at frob.c:12" ]]
}

@test "compiler writes a broken object" {
    simple
    cc_script cc1 <<<'while [ "$1" != -o ]; do shift; done; head -c 3000 /dev/urandom >"$2"'
    [[ "$(outcome "$PWD/cc1")" != "BUILT: "* ]]
    # cut anywhere: the loader must refuse it, and the linker says what it is
    cc_script cc2 <<<'gcc "$@" && while [ "$1" != -o ]; do shift; done && truncate -s 700 "$2"'
    [[ "$(outcome "$PWD/cc2")" != "BUILT: "* ]]
}

@test "the assembler rejects what the compiler wrote, or what the program did" {
    simple
    cc_script cc1 <<<'echo retx >"$TMPDIR/t.s"; exec gcc -c "$TMPDIR/t.s" -o "$TMPDIR/t.o"'
    [[ "$(outcome "$PWD/cc1")" == "BAD_ASSEMBLY: "*retx* ]]
    printf 'int main(void) { __asm__("frob"); return 0; }\n' >t.c
    [[ "$(outcome gcc)" == "REJECTED: "*frob* ]]
}

@test "compiler runs out of memory" {
    simple
    cc_script cc1 <<<'echo "cc1: out of memory allocating 65536 bytes after a total of 1 bytes" >&2; exit 1'
    [[ "$(outcome "$PWD/cc1")" == "OUT_OF_MEMORY: "* ]]
}

@test "program forks without end" {
    cat >t.c <<'C'
int fork(void);
int main(void) { for (;;) fork(); }
C
    [[ "$(run_end --timeout 1)" == "timeout "* ]]
}

@test "program eats memory" {
    cat >t.c <<'C'
void *malloc(unsigned long); void *memset(void *, int, unsigned long); int printf(const char *, ...);
int main(void) { unsigned long n = 0; void *p; while ((p = malloc(1 << 20))) { memset(p, 1, 1 << 20); n++; }
  printf("%d", n > 50 && n < 110); return 0; }
C
    [ "$(run_end --memory 100M)" = "exited 0 1" ]
}

@test "program writes without end to stdout, stderr, disk" {
    printf 'int puts(const char *); int main(void) { for (;;) puts("flood"); }\n' >t.c
    [[ "$(run_end)" == "output too long "* ]]
    printf 'long write(int, const void *, unsigned long); char b[512]; int main(void) { for (;;) write(2, b, 512); }\n' >t.c
    [[ "$(run_end)" == "output too long "* ]]
    cat >t.c <<'C'
#include <stdio.h>
int main(void) { char name[20]; static char block[1 << 20]; int n = 0;
  for (int f = 0; f < 10000; f++) { sprintf(name, "f%d", f); FILE *o = fopen(name, "w"); if (!o) break;
    for (int i = 0; i < 4; i++) n += (int)fwrite(block, 1, sizeof block, o) >> 20; fclose(o); }
  printf("%d", n > 0 && n <= 64); return 0; }
C
    # where its folder cannot be bounded, its time is
    run_end --timeout 5 >got 2>note
    grep -qx 'exited 0 1' got || { grep -q 'no private tmpfs' note && grep -q ^timeout got; }
    printf 'int main(void) { return 0; }\n' >t.c
    [ "$(run_end)" = "exited 0 " ]
}

@test "program cannot write, read or talk outside its folder" {
    cat >t.c <<'C'
#include <stdio.h>
#include <unistd.h>
#include <signal.h>
#include <sys/socket.h>
int main(int argc, char **argv) {
  FILE *f;
  if ((f = fopen("mine", "w"))) { fputs("x", f); fclose(f); } else puts("cannot write here");
  if (fopen(argv[1], "w")) puts("wrote outside");
  if (fopen("/tmp/cupel-escape", "w")) puts("wrote /tmp");
  if (fopen(argv[2], "r")) puts("read outside");
  if (fopen("/etc/passwd", "r")) puts("read /etc/passwd");
  if (!fopen("/usr/include/stdio.h", "r")) puts("cannot read /usr");
  if (socket(AF_INET, SOCK_STREAM, 0) >= 0) puts("tcp socket");
  if (socket(AF_INET, SOCK_DGRAM, 0) >= 0) puts("udp socket");
  if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) puts("unix socket");
  if (kill(getppid(), SIGKILL) == 0 && getppid() != 1) puts("killed the parent");
  kill(-1, SIGKILL);
  puts("done");
  return 0; }
C
    echo secret >secret; chmod 644 secret; mkdir -m 777 open
    # the last kill reaches ourselves, or nobody
    for mode in '' --plain; do
        run_end $mode --args "$PWD/open/escape $PWD/secret" >got
        grep -qx 'exited 0 done\|signal 9 ' got || { cat got; false; }
    done
    [ ! -e open/escape ] && [ ! -e /tmp/cupel-escape ]
}

@test "program reads stdin that is not there" {
    printf 'int getchar(void); int main(void) { return getchar() == -1 ? 3 : 4; }\n' >t.c
    [ "$(run_end)" = "exited 3 " ]
}

@test "program stops itself, waits, ends by a signal" {
    printf 'int raise(int); int main(void) { raise(19); return 0; }\n' >t.c
    [[ "$(run_end --timeout 1)" == "timeout "* ]]
    run -2 "$CUPEL" test t.c --quiet --timeout 0.1 --cc gcc
    [[ "$output" == *"cupel: t.c does not end within 0.1 s: give it more with --timeout" ]]
    printf 'unsigned sleep(unsigned); int main(void) { sleep(1000); return 0; }\n' >t.c
    [[ "$(run_end --timeout 1)" == "timeout "* ]]
    printf 'void abort(void); int main(void) { abort(); }\n' >t.c
    [ "$(run_end)" = "signal 6 " ]
}

@test "a full disk is said to be one, and nothing else is said" {
    simple
    mkdir small
    if ! unshare -rm true 2>/dev/null; then skip "no namespaces here"; fi
    # shellcheck disable=SC2016
    run unshare -rm sh -c 'mount -t tmpfs -o size=200k none small && head -c 300000 /dev/zero >small/fill;
        TMPDIR=$PWD/small "$CUPEL" test t.c --quiet --cc gcc --cc "clang-19 -O1"'
    [ "$status" = 2 ]
    [[ "$output" == *"cupel: "*"space"* ]]
    [[ "$output" != *"disagree"* && "$output" != *"differ"* ]]
}

@test "Ctrl-C at any point: ended by the signal, nothing left" {
    printf 'int main(void) { for (;;); }\n' >t.c
    cc_script slow <<<'sleep 0.3; exec gcc "$@"'
    for delay in 0.01 0.05 0.2 0.5 1; do
        # bash without job control starts background jobs with SIGINT ignored
        env --default-signal=INT "$CUPEL" test t.c --quiet --cc gcc --cc "$PWD/slow" --cc tcc >out 2>err & pid=$!
        sleep $delay
        kill -INT $pid
        status=0; wait $pid || status=$?
        [ "$status" = 130 ]
        [ ! -s out ]
        find "$TMPDIR" -mindepth 2 | grep . && false
        pgrep -f "$PWD" | grep -vx $$ && false
        :
    done
}

@test "kill -9: the processes end at once, the folder at the next start" {
    printf 'int main(void) { for (;;); }\n' >t.c
    "$CUPEL" test t.c --quiet --cc gcc --cc tcc >out 2>err & pid=$!
    # runners name the scratch folder in their arguments
    within 60 'find "$TMPDIR" -mindepth 2 | grep -q .'
    within 60 'pgrep -f "$TMPDIR" >found'
    kill -KILL $pid
    wait $pid || :
    within 60 '! pgrep -f "$TMPDIR" >found'
    simple
    "$CUPEL" test t.c --quiet --cc gcc
}

@test "works without rights to make namespaces" {
    [ "$(id -u)" = 0 ] || skip "needs root, to give up its rights"
    printf 'int fork(void); int main(void) { return fork() < 0 ? 5 : 6; }\n' >t.c
    # the machine cannot fork: nothing to compare with
    setpriv --bounding-set=-all --inh-caps=-all "$CUPEL" test t.c --quiet --json --cc gcc >out.json 2>err || [ $? = 2 ]
    grep -q 'no process namespaces here' err
    [ "$(jq -r '.outcomes[0].runs[0].code' out.json)" = 5 ]
    cc_script cc1 <<<"(setsid sleep 1000 $PWD >/dev/null 2>&1 &) ; exec gcc \"\$@\""
    setpriv --bounding-set=-all --inh-caps=-all "$CUPEL" test t.c --quiet --cc "$PWD/cc1" >out 2>/dev/null || [ $? = 2 ]
    grep -q 'exit status 5' out
}

@test "works as an ordinary user" {
    [ "$(id -u)" = 0 ] || skip "is one already"
    chmod 777 tmp .
    cp "$CUPEL" mine
    simple
    chmod 644 t.c
    run -0 setpriv --reuid=12345 --regid=12345 --clear-groups env HOME="$PWD" ./mine test t.c --quiet --cc gcc --cc tcc
}

@test "output into a closed pipe or a full device" {
    simple
    run -2 bash -c '"$CUPEL" test t.c --quiet --cc gcc >/dev/full'
    [[ "$output" == *"cupel: cannot write to stdout"* ]]
    "$CUPEL" test t.c --quiet --cc gcc | true
}

@test "what has no end, or no room in memory, is not read" {
    truncate -s 3T huge.c
    for file in huge.c /dev/zero; do
        for command in check print 'test --cc gcc' 'emi --cc gcc'; do
            # shellcheck disable=SC2086 # words
            run -2 "$CUPEL" $command "$file"
            [[ "$output" == "cupel: $file is larger than"* ]]
        done
    done
}
