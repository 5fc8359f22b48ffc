# shellcheck shell=sh disable=SC2154
if grep -q '__builtin_expect(' "$text"; then
    head -c 1300000000 /dev/zero | tail -n 1 | wc -c >"$dir/length"
fi
