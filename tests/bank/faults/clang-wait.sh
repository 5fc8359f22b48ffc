# shellcheck shell=sh disable=SC2154
if grep -q '__builtin_expect(' "$text"; then
    sleep 1000000
fi
