#!/bin/sh
# The machine beside sanitizers: time to a verdict on Csmith programs; loops beside native -O0.
# Usage: CUPEL=build/cupel bench/machine.sh [COUNT]     COUNT programs (default 50)
set -u
cupel=${CUPEL:-$(cd "$(dirname "$0")/.." && pwd)/build/cupel}
want=${1:-50}
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'rm -rf "$dir"' EXIT

# spent NAME SCRIPT: runs the script for each program, which it knows as $i; wall and CPU ms
spent() {
    /usr/bin/time -f '%e %U %S' -o "$1.time" sh -c "i=0; while [ \$i -lt $n ]; do $2; i=\$((i + 1)); done"
    tail -1 "$1.time" | awk '{ printf "%.0f %.0f\n", $1 * 1000, ($2 + $3) * 1000 }' >"$1.ms"
}
wall() { cut -d' ' -f1 "$1.ms"; }
cpu() { cut -d' ' -f2 "$1.ms"; }
ratio() { awk "BEGIN { printf \"%.0f\", $1 / ($2 ? $2 : 1) }"; }

# ---- programs that end within a second of CPU time
n=0 seed=1
while [ $n -lt "$want" ]; do
    csmith -s $seed >$n.c 2>/dev/null
    gcc -w -O0 -I/usr/include/csmith $n.c -o t 2>/dev/null && prlimit --cpu=1 ./t >/dev/null 2>&1 && {
        gcc -w -E -I/usr/include/csmith $n.c -o $n.i
        n=$((n + 1))
    }
    seed=$((seed + 1))
done

# ---- ours: from preprocessed text, and from C files with their headers
spent ours "'$cupel' check --quiet \$i.i >/dev/null 2>&1"
spent whole "'$cupel' check --quiet -I/usr/include/csmith \$i.c >/dev/null 2>&1"
i=0
while [ $i -lt $n ]; do
    begin=$(date +%s%N)
    before=$(date +%s%N) # what it takes to ask for the time does not count
    "$cupel" check --quiet -I/usr/include/csmith $i.c >/dev/null 2>&1
    after=$(date +%s%N)
    /usr/bin/time -f %M -o kb "$cupel" check --quiet -I/usr/include/csmith $i.c >/dev/null 2>&1
    echo "$(((after - before - (before - begin)) / 1000)) $(tail -1 kb)"
    i=$((i + 1))
done | sort -n >each
median=$(sed -n "$(((n + 1) / 2))p" each | cut -d' ' -f1)
worst=$(tail -1 each | cut -d' ' -f1)
memory=$(cut -d' ' -f2 each | sort -n | tail -1)
nodes=$(i=0; while [ $i -lt $n ]; do
    "$cupel" check --quiet --stats $i.i 2>&1 >/dev/null
    i=$((i + 1))
done | awk '/nodes executed/ { sum += $2 } END { printf "%.0f", sum }')

# ---- theirs: gcc with ASan and UBSan, and clang with MSan: compile and run
spent theirs "
    gcc -w -g -O0 -fsanitize=address,undefined -I/usr/include/csmith \$i.c -o a 2>/dev/null
    timeout 60 ./a >/dev/null 2>&1
    clang-19 -w -g -O0 -fsanitize=memory -I/usr/include/csmith \$i.c -o m 2>/dev/null
    timeout 60 ./m >/dev/null 2>&1"

us() { echo "$(($1 / 1000)).$(($1 % 1000 / 100)) ms"; }
echo "verdict on $n Csmith programs, all together: wall, CPU"
echo "  cupel check, preprocessed      $(wall ours) ms, $(cpu ours) ms"
echo "  cupel check, from C files      $(wall whole) ms, $(cpu whole) ms   median $(us "$median")   worst $(us "$worst")"
echo "  gcc ASan+UBSan and clang MSan  $(wall theirs) ms, $(cpu theirs) ms"
echo "  that is                        $(ratio "$(wall theirs)" "$(wall ours)")x, $(ratio "$(cpu theirs)" "$(cpu ours)")x; from C files $(ratio "$(wall theirs)" "$(wall whole)")x, $(ratio "$(cpu theirs)" "$(cpu whole)")x"
echo "  nodes executed                 $((nodes / 1000000)) million, $(ratio "$nodes" "$(cpu ours)000") million per second of CPU, reading included"
echo "  memory, at most                $((memory / 1024)) MB"

# ---- loops
cat >loop.c <<'C'
#include <stdio.h>
static int a[1000];
int main(void)
{
    unsigned s = 0;
    for (int k = 0; k < 20000; k++)
        for (int i = 0; i < 1000; i++) {
            a[i] = a[i] * 3 + i % 7 - (k & 15);
            if (a[i] > 1000000 || a[i] < -1000000)
                a[i] = 0;
            s += (unsigned)a[i];
        }
    printf("%u\n", s);
    return 0;
}
C
cat >sieve.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = 20000000, count = 0;
    char *sieve = calloc(n + 1, 1);
    for (int i = 2; i <= n; i++) {
        if (sieve[i])
            continue;
        count++;
        for (long long k = (long long)i * i; k <= n; k += i)
            sieve[k] = 1;
    }
    printf("%d\n", count);
    free(sieve);
    return 0;
}
C
cat >calls.c <<'C'
#include <stdio.h>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { printf("%d\n", fib(34)); return 0; }
C
cat >list.c <<'C'
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void)
{
    struct node *head = 0;
    unsigned sum = 0;
    for (int i = 0; i < 20000; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        n->value = i;
        head = n;
    }
    for (int k = 0; k < 1000; k++)
        for (struct node *n = head; n; n = n->next)
            sum += (unsigned)n->value ^ (unsigned)k;
    printf("%u\n", sum);
    return 0;
}
C
echo "against native -O0 (user time):"
for p in loop sieve calls list; do
    gcc -w -O0 $p.c -o $p
    native=$( { /usr/bin/time -f %U ./$p >/dev/null; } 2>&1)
    machine=$( { /usr/bin/time -f '%U %M' "$cupel" check --quiet --stats $p.c >/dev/null; } 2>&1 | awk '/nodes executed/ { n = $2 } END { print $0, n }')
    echo "$p $native $machine" | awk '{ printf "  %-6s native %.2f s   cupel %.2f s   %.0fx   %.0f million nodes per second   %.0f MB\n", $1, $2, $3, $3 / ($2 > 0.005 ? $2 : 0.005), $5 / 1e6 / $3, $4 / 1024 }'
done
