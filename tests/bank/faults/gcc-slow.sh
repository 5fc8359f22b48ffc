# shellcheck shell=sh disable=SC2154
if grep -q '_overflow(' "$text"; then
    turns=0
    while [ $turns -lt 5000000 ]; do
        turns=$((turns + 1))
    done
fi
