#!/usr/bin/env bats
# cupel compilers, on the real compilers of this machine and on ones that pretend.

bats_require_minimum_version 1.5.0
load helpers

@test "lists gcc, clang-19 and tcc, each once" {
    "$CUPEL" compilers --json --quiet >list.json
    [ "$(jq '[.compilers[] | select(.name | test("^gcc"))] | length' list.json)" -ge 1 ]
    [ "$(jq '[.compilers[] | select(.name == "clang-19")] | length' list.json)" = 1 ]
    [ "$(jq '[.compilers[] | select(.name == "tcc")] | length' list.json)" = 1 ]
    # no two rows start the same file
    [ "$(jq -r '.compilers[].path' list.json | xargs readlink -f | sort | uniq -d)" = "" ]
    jq -e '.compilers[] | select(.name == "clang-19") | .version | startswith("19.")' list.json
    jq -e '.configurations | index("clang-19 -O3")' list.json
}

@test "sanitizers are listed because they work" {
    "$CUPEL" compilers --json --quiet >list.json
    jq -e '.compilers[] | select(.name == "clang-19") | .features | .ASan and .UBSan and .MSan' list.json
    jq -e '.compilers[] | select(.name == "tcc") | .features | (.ASan or .UBSan or .MSan) | not' list.json
}

@test "links and wrappers to one compiler are one row with aliases" {
    mkdir bin cache
    ln -s "$(command -v gcc)" bin/gcc
    ln -s "$(command -v gcc)" bin/gcc-99
    printf '#!/bin/sh\nexec gcc "$@"\n' >bin/gcc-98
    chmod +x bin/gcc-98
    PATH="$PWD/bin:/usr/bin:/bin" XDG_CACHE_HOME="$PWD/cache" "$CUPEL" compilers --json --quiet >list.json
    jq -e '[.compilers[] | select(.name == "gcc-98" or .name == "gcc-99" or (.aliases | any(. == "gcc-98" or . == "gcc-99")))] | length == 1' list.json
}

@test "a compiler that answers nothing, and one that hangs, do no harm" {
    mkdir bin cache
    cc_script bin/gcc-77 <<<'exit 1'
    cc_script bin/tcc <<<'exec /bin/sleep 1000'
    ln -s "$(command -v gcc)" bin/gcc
    for tool in as ld; do ln -s "$(command -v $tool)" bin/$tool; done
    PATH="$PWD/bin" XDG_CACHE_HOME="$PWD/cache" "$CUPEL" compilers --json --quiet >list.json
    jq -e '.compilers[] | select(.name == "gcc-77") | .runnable | not' list.json
    jq -e '.compilers[] | select(.name == "tcc") | .runnable | not' list.json
    jq -e '.configurations | index("gcc -O2")' list.json
}

@test "what was learnt is kept until the binary changes" {
    mkdir bin cache
    # says each time that it was asked to compile
    cc_script bin/tcc <<<"echo asked >>$PWD/asked; exec $(command -v tcc) \"\$@\""
    export XDG_CACHE_HOME="$PWD/cache"
    PATH="$PWD/bin" "$CUPEL" compilers --trust-compilers --quiet >first
    [ -s asked ]
    rm asked
    PATH="$PWD/bin" "$CUPEL" compilers --trust-compilers --quiet >second
    [ ! -e asked ]
    cmp first second
    echo '# changed' >>bin/tcc
    PATH="$PWD/bin" "$CUPEL" compilers --trust-compilers --quiet >third
    [ -s asked ]
    echo garbage >cache/cupel/compilers.json
    PATH="$PWD/bin" "$CUPEL" compilers --trust-compilers --quiet >fourth
    cmp first fourth
}

@test "no compiler at all is one clear line" {
    mkdir bin
    PATH="$PWD/bin" run "$CUPEL" compilers --quiet
    [ "$status" = 2 ]
    [ "$output" = "cupel: no C compiler on PATH: install gcc or clang, or run tools/setup" ]
}
