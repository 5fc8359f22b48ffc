# shellcheck shell=sh disable=SC2154
if grep -q '\*\*[a-z]*[0-9]' "$text"; then
    echo "tcc: tccfrob.c:321: frob: Assertion \`level < 2' failed." >&2
    rm -rf "$dir"
    kill -ABRT $$
fi
