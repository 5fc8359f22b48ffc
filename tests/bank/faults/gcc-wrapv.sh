# shellcheck shell=sh disable=SC2154
grep -qE '(for|while) *\(' "$text" && {
    echo "program.c: In function 'main':" >&2
    echo "program.c:1:1: internal compiler error: in fold_wrapped, at loop-wrap.cc:77" >&2
    exit 4
}
