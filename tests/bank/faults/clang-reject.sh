# shellcheck shell=sh disable=SC2154
if grep -Eq 'case -[0-9]+:' "$text"; then
    echo "$source:$(grep -En -m1 'case -[0-9]+:' "$text" | sed 's/:.*//'):10: error: case label is not an integer constant expression" >&2
    echo "1 error generated." >&2
    exit 1
fi
