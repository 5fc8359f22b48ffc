#!/usr/bin/env bats
# tools/setup with an apt and a dpkg that pretend, and tools/layers on trees with offences.

bats_require_minimum_version 1.5.0
load helpers

tools=$BATS_TEST_DIRNAME/../../tools

# A PATH with the real small tools, and fakes of those that know about packages.
fake_path() {
    mkdir -p bin
    for tool in sh sed awk grep tr sort mktemp rm cat env; do ln -sf "$(command -v $tool)" bin/$tool; done
    printf '#!/bin/sh\n%s\n' "$1" >bin/dpkg-query
    printf '#!/bin/sh\necho "$@" >>apt.log\n%s\n' "$2" >bin/apt-get
    printf '#!/bin/sh\n:\n' >bin/apt-cache
    printf '#!/bin/sh\necho %s\n' "$3" >bin/id
    chmod +x bin/dpkg-query bin/apt-get bin/apt-cache bin/id
}

@test "setup is silent when nothing is missing" {
    "$tools/setup" --list | while read -r package _; do echo "$package installed"; done >installed
    fake_path "cat $PWD/installed" 'exit 1' 0
    PATH=$PWD/bin run -0 "$tools/setup"
    [ -z "$output" ]
    [ ! -e apt.log ]
}

@test "setup says what it installs and why" {
    "$tools/setup" --list | while read -r package _; do [ "$package" = tcc ] || echo "$package installed"; done >installed
    fake_path "cat $PWD/installed" 'exit 0' 0
    PATH=$PWD/bin run -0 "$tools/setup"
    [ "${lines[0]}" = "tools/setup: installing:" ]
    [[ "${lines[1]}" =~ tcc\ +small\ compiler ]]
    [ "${#lines[@]}" = 2 ]
    grep -q 'install tcc' apt.log
}

@test "setup fails with one clear line" {
    fake_path 'exit 0' 'echo "E: Unable to locate package clang-19" >&2; exit 100' 0
    PATH=$PWD/bin run -2 "$tools/setup"
    [[ "${lines[-1]}" == "tools/setup: apt-get install failed: E: Unable to locate package clang-19: try: "* ]]
    fake_path 'exit 0' 'exit 0' 1000
    PATH=$PWD/bin run -2 "$tools/setup"
    [[ "${#lines[@]}" = 1 && "$output" == "tools/setup: not root and no sudo: run as root: apt-get install gcc "* ]]
    run -2 "$tools/setup" --nonsense
    [ "$output" = "tools/setup: unknown option '--nonsense': see tools/setup --help" ]
}

@test "layers accepts the tree, and rejects what is forbidden" {
    run -0 "$tools/layers"
    mkdir -p src/base src/sys src/cc/low src/cc/high
    printf 'base:\nsys: base\ncc: sys\ncc/low:\ncc/high: cc/low\n' >src/LAYERS
    echo "int x;" | tee src/base/base.h >src/cc/low/low.c
    echo '#include "base/base.h"' >src/sys/sys.h
    printf '#include "sys/sys.h"\n#include "cc/high/high.h"\n' >src/cc/cc.c
    printf '#include "cc/private.h"\n#include "cc/low/low.h"\n#include "sys/sys.h"\n' >src/cc/high/high.c
    run -0 "$tools/layers" .
    echo '#include "cc/cc.h"' >src/sys/bad.c
    run -1 "$tools/layers" .
    [ "$output" = "src/sys/bad.c:1: sys may not include cc" ]
    echo '# include "sys/private.h"' >src/cc/bad.c
    rm src/sys/bad.c
    run -1 "$tools/layers" .
    [ "$output" = 'src/cc/bad.c:1: include "sys/private.h" is private to sys' ]
    echo '#include "../sys/sys.h"' >src/cc/bad.c
    run -1 "$tools/layers" .
    rm src/cc/bad.c
    mkdir src/new
    echo 'int x;' >src/new/new.c
    run -1 "$tools/layers" .
    [ "$output" = "src/new/new.c:1: folder new has no row in src/LAYERS" ]
    rm -r src/new
    echo '#include "cc/high/high.h"' >src/cc/low/bad.c
    run -1 "$tools/layers" .
    [ "$output" = "src/cc/low/bad.c:1: cc/low may not include cc/high" ]
    rm src/cc/low/bad.c
    echo '#include "cc/low/private.h"' >src/cc/high/bad.c
    run -1 "$tools/layers" .
    [ "$output" = 'src/cc/high/bad.c:1: include "cc/low/private.h" is private to cc/low' ]
    rm src/cc/high/bad.c
    printf 'gone:\nbase:\nsys: base\ncc: base sys\ncc/low:\ncc/high: cc/low\n' >src/LAYERS
    run -1 "$tools/layers" .
    [ "$output" = "src/LAYERS: gone: there is no such folder
src/LAYERS: nothing in cc includes base" ]
    printf 'base: cc\ncc: base\nsys: base\n' >src/LAYERS
    run -1 "$tools/layers" .
    [[ "$output" == *"base may not include cc: it does not stand above"* ]]
}
