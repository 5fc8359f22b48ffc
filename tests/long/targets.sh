#!/bin/bash
# The machine and the generator against real compilers of every data model that this machine can run:
# what a generated program prints, as the generator knows it, as cupel check --target executes it, and
# as the cross compiler's program does under qemu, at -O0, -O1 and -O2 in turn.
#   CUPEL=build/cupel tests/long/targets.sh [PROGRAMS] [FIRST_SEED]
# Exit status: 0 no difference, 1 some, 2 no cross compiler here.
set -u
cupel=$(realpath "${CUPEL:-build/cupel}")
count=${1:-50}
first=${2:-1}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
differences=0
compilers=0

# target and triple
rows="aarch64 aarch64-linux-gnu
arm arm-linux-gnueabihf
arm arm-linux-gnueabi
alpha alpha-linux-gnu
hppa hppa-linux-gnu
m68k m68k-linux-gnu
mips mips-linux-gnu
mips64 mips64-linux-gnuabi64
mips64el mips64el-linux-gnuabi64
mipsel mipsel-linux-gnu
powerpc powerpc-linux-gnu
powerpc64 powerpc64-linux-gnu
powerpc64le powerpc64le-linux-gnu
riscv64 riscv64-linux-gnu
s390x s390x-linux-gnu
sparc64 sparc64-linux-gnu"

differs() {
    echo "$target seed $seed: $1"
    differences=$((differences + 1))
}

while read -r target triple; do
    gcc=$triple-gcc-12
    machine=${triple%%-*}
    qemu=qemu-${machine/powerpc/ppc}
    if ! command -v "$gcc" >/dev/null || ! command -v "$qemu" >/dev/null; then continue; fi
    compilers=$((compilers + 1))
    before=$differences
    for seed in $(seq "$first" $((first + count - 1))); do
        "$cupel" gen --target "$target" --seed "$seed" --size 150 -o t.c --expect expected || { differs "no program"; continue; }
        "$cupel" check --target "$target" t.c >checked 2>/dev/null
        cmp -s checked expected || differs "the machine"
        "$gcc" -w "-O$((seed % 3))" -ffp-contract=off t.c -o program -lm || { differs "not compiled"; continue; }
        timeout 60 "$qemu" -L "/usr/$triple" ./program >printed 2>/dev/null
        cmp -s printed expected || differs "$gcc -O$((seed % 3))"
    done
    echo "$target ($gcc): $count programs, $((differences - before)) differences"
done <<<"$rows"
[ $compilers -gt 0 ] || { echo "no cross compiler here: tools/setup --compilers"; exit 2; }
[ $differences = 0 ]
