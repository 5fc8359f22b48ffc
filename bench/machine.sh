#!/bin/sh
# The machine beside sanitizers: time to a verdict on Csmith programs; loops beside native -O0.
# Usage: CUPEL=build/cupel bench/machine.sh [COUNT]     COUNT programs (default 50)
set -u
cupel=${CUPEL:-$(cd "$(dirname "$0")/.." && pwd)/build/cupel}
want=${1:-50}
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'rm -rf "$dir"' EXIT
ms() { date +%s%N | cut -c1-13; }

# ---- programs that end within a second
n=0 seed=1
while [ $n -lt "$want" ]; do
    csmith -s $seed >$n.c 2>/dev/null
    gcc -w -O0 -I/usr/include/csmith $n.c -o t 2>/dev/null && timeout 1 ./t >/dev/null 2>&1 && {
        gcc -w -E -I/usr/include/csmith $n.c -o $n.i
        n=$((n + 1))
    }
    seed=$((seed + 1))
done

# ---- ours: from preprocessed text, as everything inside cupel does it, and with gcc -E before it
start=$(ms)
i=0
while [ $i -lt $n ]; do
    before=$(date +%s%N)
    "$cupel" check --quiet $i.i >/dev/null 2>&1
    echo $((($(date +%s%N) - before) / 1000))
    i=$((i + 1))
done | sort -n >each.us
ours=$(($(ms) - start))
start=$(ms)
i=0
while [ $i -lt $n ]; do
    "$cupel" check --quiet -I/usr/include/csmith $i.c >/dev/null 2>&1
    i=$((i + 1))
done
whole=$(($(ms) - start))
median=$(sed -n "$(((n + 1) / 2))p" each.us)
worst=$(tail -1 each.us)

# ---- theirs: gcc with ASan and UBSan, and clang with MSan: compile and run
start=$(ms)
i=0
while [ $i -lt $n ]; do
    gcc -w -g -O0 -fsanitize=address,undefined -I/usr/include/csmith $i.c -o a 2>/dev/null
    timeout 20 ./a >/dev/null 2>&1
    clang-19 -w -g -O0 -fsanitize=memory -I/usr/include/csmith $i.c -o m 2>/dev/null
    timeout 20 ./m >/dev/null 2>&1
    i=$((i + 1))
done
theirs=$(($(ms) - start))

echo "verdict on $n Csmith programs:"
echo "  cupel check, preprocessed      $ours ms   median $((median / 1000)).$((median % 1000 / 100)) ms   worst $((worst / 1000)) ms"
echo "  all but the slowest            $((ours - worst / 1000)) ms"
echo "  cupel check, with gcc -E       $whole ms"
echo "  gcc ASan+UBSan and clang MSan  $theirs ms   ($((theirs / (ours ? ours : 1)))x, $((theirs / (whole ? whole : 1)))x with gcc -E)"

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
    machine=$( { /usr/bin/time -f '%U %M' "$cupel" check --quiet $p.c >/dev/null; } 2>&1 | tail -1)
    echo "$p $native $machine" | awk '{ printf "  %-6s native %.2f s   cupel %.2f s   %.0fx   %.0f MB\n", $1, $2, $3, $3 / ($2 > 0.005 ? $2 : 0.005), $4 / 1024 }'
done
