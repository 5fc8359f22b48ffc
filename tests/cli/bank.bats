#!/usr/bin/env bats
# The faulty compilers of tests/bank: each is a compiler, and shows its fault.  tests/bank/run.sh
# is the proof that `cupel hunt` finds them.

bats_require_minimum_version 1.5.0
load helpers

bank_setup() {
    bank=$(cd "$BATS_TEST_DIRNAME/../bank" && pwd)
    # shellcheck source=tests/bank/bank.sh
    . "$bank/bank.sh"
    mkdir bin
    for name in $(bank_names); do
        bank_wrap bin "$name"
    done
}

# The level at which a row shows its fault: the last that it is hunted with, or -O3 and its flag.
level_of() {
    case $(bank_field "$1" hunt) in
    drawn) echo "-O3 $(bank_field "$1" when | sed 's/ .*//')" ;;
    *) bank_field "$1" hunt | sed 's/.* //' ;;
    esac
}

# result COMMAND NAME: what the row's own program prints and how it ends, compiled by COMMAND
result() {
    local status=0
    # shellcheck disable=SC2086 # a compiler and its flags
    $1 "$bank/faults/$2.c" -o program
    ./program || status=$?
    echo "exit status $status"
}

# outcome NAME LEVEL: how the compiler fails on the row's own program
outcome() {
    local limit=60
    # what must not end
    case $verdict in *hang) limit=1 ;; esac
    "$CUPEL" test "$bank/faults/$1.c" --quiet --json --compile-timeout $limit --cc gcc \
        --cc "$PWD/bin/$1 $2" >out.json || [ $? = 1 ] || return
    jq -r '.outcomes[1].outcome' out.json
}

@test "the bank: every fault is a row with a script and a program, and no file is without a row" {
    bank_setup
    bank_names | sort >names
    [ "$(wc -l <names)" -ge 16 ]
    [ "$(sort -u names | wc -l)" = "$(wc -l <names)" ]
    find "$bank/faults" -name '*.c' | sed 's|.*/||; s|\.c$||' | sort | diff names -
    for name in $(cat names); do
        case $(bank_field "$name" how) in
        assembly | source) [ -e "$bank/faults/$name.awk" ] ;;
        words) [ -e "$bank/faults/$name.sh" ] ;;
        -*) [ ! -e "$bank/faults/$name.awk" ] && [ ! -e "$bank/faults/$name.sh" ] ;;
        *) false ;;
        esac
    done
    find "$bank/faults" -name '*.awk' -o -name '*.sh' | sed 's|.*/||; s|\..*||' | sort | comm -23 - names >orphans
    [ ! -s orphans ]
}

@test "the bank: what has no fault in it compiles as ever" {
    bank_setup
    printf '#include <stdio.h>\nint other(int);\nint main(void) { printf("%%d\\n", other(41)); return 3; }\n' >main.c
    printf 'int other(int x) { return x + ONE; }\n' >other.c
    set --
    for name in $(bank_names); do
        set -- "$@" --cc "$PWD/bin/$name $(level_of "$name") -DONE=1"
    done
    "$CUPEL" test main.c other.c --quiet --plain --cc 'gcc -DONE=1' "$@"
}

@test "the bank: a faulty compiler takes the options of its base" {
    bank_setup
    printf 'int printf(const char *, ...);\nint other(int);\nint main(void) { printf("%%d\\n", other(41)); return 3; }\n' >main.c
    mkdir 'a folder'
    printf '#include "one.h"\nint other(int x) { return x + ONE; }\n' >'a folder/other.c'
    printf '#define ONE 1\n' >one.h
    local src='a folder/other.c'
    for name in gcc-sar gcc-ubits clang-reject tcc-for; do
        cc=$PWD/bin/$name
        base=$(bank_field "$name" base)
        [ "$("$cc" --version)" = "$("$base" --version)" ]
        "$cc" -I. main.c "$src" && run -3 ./a.out && [ "$output" = 42 ] && rm a.out
        "$cc" -c main.c && "$cc" -O2 -I . -c "$src" -o 'a folder/o.o' && "$cc" main.o 'a folder/o.o' -oprogram
        run -3 ./program
        "$cc" -I. -E "$src" | grep -q 'x + 1'
        "$cc" -I. -c -x c - -o other.o <"$src" && "$cc" other.o main.c -o program && run -3 ./program
        "$cc" -x c -I. - main.o -o program <"$src" || [ "$base" != tcc ]
        if [ "$base" != tcc ]; then
            "$cc" -I. -S "$src" -o - | grep -q other
            "$cc" -I. -S "$src" && "$cc" -S main.c -o m.s && "$cc" m.s other.s -o program && run -3 ./program
        fi
        run -1 "$cc" -c "$src" -o none.o
        [ ! -e none.o ]
        rm -f ./*.o ./*.s program
    done
}

@test "the bank: each shows its fault at its level, and not at another" {
    bank_setup
    for name in $(bank_names); do
        base=$(bank_field "$name" base) verdict=$(bank_field "$name" verdict) level=$(level_of "$name")
        echo "$name $level: $verdict"
        right=$(result "$base $level" "$name")
        case $verdict in
        wrong-code)
            wrong=$(result "bin/$name $level" "$name")
            [[ "$wrong" =~ 'exit status 0' && "$wrong" != "$right" ]] ;;
        program-crash) [[ "$(result "bin/$name $level" "$name")" =~ 'exit status 139' ]] ;;
        compiler-crash) [[ "$(outcome "$name" "$level")" =~ ^(ICE|CRASHED|BAD_ASSEMBLY)$ ]] ;;
        rejects-valid) [[ "$(outcome "$name" "$level")" =~ ^(REJECTED|LINK_FAILED)$ ]] ;;
        compiler-hang) [ "$(outcome "$name" "$level")" = HANG ] ;;
        slow-compile) [ "$(outcome "$name" "$level")" = BUILT ]
            [ "$(jq '.outcomes[1].compile_cpu > 3' out.json)" = true ] ;;
        large-compile) [ "$(outcome "$name" "$level")" = BUILT ]
            [ "$(jq '.outcomes[1].compile_bytes > 1e9' out.json)" = true ] ;;
        unstable-code)
            for n in 1 2 3 4 5 6 7 8 9; do "bin/$name" "$level" -S "$bank/faults/$name.c" -o $n.s; done
            [ "$(sha256sum ?.s | sort -u -k1,1 | wc -l)" -gt 1 ] ;;
        *) false ;;
        esac
        [ "$(bank_field "$name" when)" = any ] || [ "$(result "bin/$name -O0" "$name")" = "$right" ]
    done
}
